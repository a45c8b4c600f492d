//! Prompt templates: listed, added, shown, chosen, and previewed as a model would get them.

use anyhow::{Context, Result, anyhow};
use assize_engine::Workspace;
use assize_engine::compliance::criteria::{rubric, structure};
use assize_methods::compliance::{AssessAsk, AssessTemplate, Criterion};

use super::Format;
use super::args::Template;
use crate::commands::evaluate::intake;
use crate::commands::evaluate::session::{with_reader, with_workspace};
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal::one_line;

/// What stands where a document would.
const PLACEHOLDER: &str = "(the document)";

/// Runs the one that was asked for.
pub(super) fn run(arguments: &Template) -> Result<Done> {
    match arguments {
        Template::List(list) => {
            with_reader(&list.database, async |workspace| print_list(&workspace, list.format).await)
        }
        Template::Add { name, file, database } => {
            let body = std::fs::read_to_string(file)
                .with_context(|| format!("could not read {}", file.display()))?;
            with_workspace(database, async |workspace, _| {
                let added = workspace.add_template(name, &body).await?;
                files::report(&format!("{}@{}\n", added.name, added.version))
            })
        }
        Template::Show { template, database } => with_reader(database, async |workspace| {
            files::report(&workspace.find_template(template).await?.body)
        }),
        Template::Use { set, template, database } => {
            with_workspace(database, async |workspace, _| {
                let mut found = workspace.criteria_set(set).await?;
                let template = workspace.find_template(template).await?;
                workspace.choose_template(&mut found, Some(&template)).await?;
                files::report(&format!("{set} uses {}@{}\n", template.name, template.version))
            })
        }
        Template::Preview { set, criterion, template, document, database } => {
            let context = match document {
                Some(path) => Some(intake::bytes(path)?),
                None => None,
            };
            with_workspace(database, async |workspace, _| {
                let asked =
                    Asked { set, criterion: criterion.as_deref(), template: template.as_deref() };
                let name = document.as_deref().map(intake::file_name).unwrap_or_default();
                let text = match &context {
                    Some(bytes) => assize_engine::compliance::documents::text(&name, bytes)?,
                    None => PLACEHOLDER.to_owned(),
                };
                preview(&workspace, &asked, &text).await
            })
        }
    }
}

async fn print_list(workspace: &Workspace, format: Format) -> Result<Done> {
    let all = workspace.templates().await?;
    let rows = all.iter().map(|template| {
        let used = template.used_at.map(|at| at.format("%Y-%m-%d %H:%M").to_string());
        vec![
            one_line(&template.name, 30),
            template.version.to_string(),
            template.created_at.format("%Y-%m-%d %H:%M").to_string(),
            used.unwrap_or_else(|| "not yet".to_owned()),
        ]
    });
    let headings = columns("template | #version | created (UTC) | in use since (UTC)");
    format.print(&all, |_| table(&headings, rows.collect()))
}

struct Asked<'a> {
    set: &'a str,
    criterion: Option<&'a str>,
    template: Option<&'a str>,
}

async fn preview(workspace: &Workspace, asked: &Asked<'_>, context: &str) -> Result<Done> {
    let set = workspace.criteria_set(asked.set).await?;
    let items = workspace.criteria(&set).await?;
    let wanted = |id: &str| asked.criterion.is_none_or(|wanted| wanted == id);
    let item = items.iter().find(|item| wanted(&item.criteria_id)).ok_or_else(|| {
        anyhow!("the set `{}` has no criterion `{}`", asked.set, asked.criterion.unwrap_or("1"))
    })?;
    let body = match (asked.template, &set.prompt_template_id) {
        (Some(named), _) => workspace.find_template(named).await?.body,
        (None, Some(id)) => {
            let found = workspace.store.prompt_templates().get(&workspace.organisation, id).await?;
            found.map(|template| template.body).unwrap_or_default()
        }
        (None, None) => AssessTemplate::default().text().to_owned(),
    };
    let criterion = Criterion::new(&*item.criteria_id, &*item.requirement, &*item.description);
    let (template, rubric, structure) =
        (AssessTemplate::new(body)?, rubric(&set)?, structure(&set)?);
    let ask = AssessAsk {
        template: &template,
        criterion: &criterion,
        context,
        rubric: &rubric,
        structure: &structure,
    };
    let question = ask.preview()?;
    files::report(&format!("{}\n\n{}\n", question.system, question.question))
}
