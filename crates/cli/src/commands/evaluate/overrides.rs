//! `assize evaluate override`: a person's score beside the judge's.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, ensure};
use assize_engine::runs::decide::DecisionRequest;
use assize_engine::store::ResultOutcome;

use super::args::{Override, Verdict};
use super::report::outcome_words;
use super::session::with_existing;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::{notice, one_line};
use crate::save_args::who;

/// Keeps what was said, and says what counts now.
pub(super) fn run(arguments: &Override) -> Result<Done> {
    let author = arguments.by.as_deref().filter(|name| !name.trim().is_empty());
    let author = author.map(str::to_owned).or_else(who);
    let author = author.ok_or_else(|| {
        anyhow!("USER is not set, and an override needs an author; give your name with --by NAME")
    })?;
    let Verdict { score, not_applicable, needs_information, withdraw, section } =
        &arguments.verdict;
    let request = DecisionRequest {
        is_withdrawal: *withdraw,
        score: *score,
        outcome: match (not_applicable, needs_information) {
            (true, _) => Some(ResultOutcome::NotApplicable),
            (_, true) => Some(ResultOutcome::NeedsInformation),
            _ => None,
        },
        sections: sections(section)?,
        reason: arguments.reason.clone(),
        author: Some(author),
        is_addition: true,
        ..DecisionRequest::default()
    };
    with_existing(&arguments.database, async |workspace, _| {
        let run = workspace.find_compliance_run(&arguments.run).await?;
        let rubric = workspace.labelled_by(&run).await?.rubric;
        let document = arguments.document.as_deref();
        let result = workspace.find_result(&run, &arguments.criterion, document).await?;
        let entry = workspace.decide(&run, result.position, &request).await?;
        let label = |score: f64| format!("{score} ({})", rubric.status(score).label);
        let judge = match result.ai_score_value {
            Some(score) => label(score),
            None => outcome_words(result.judged_outcome).to_owned(),
        };
        let change = &entry.change;
        let now = match (change.is_withdrawal, change.score, change.outcome) {
            (true, ..) => "the judge's score counts again".to_owned(),
            (_, Some(score), _) => format!("now {}", label(score)),
            (.., Some(outcome)) => format!("now {}", outcome_words(outcome)),
            (.., None) => "sections edited".to_owned(),
        };
        files::print(&format!(
            "{}: judge {judge}, {now}; history entry {}\n",
            arguments.criterion, entry.sequence
        ))?;
        if let Some(approval) = workspace.approval(&run.id).await? {
            let who = one_line(&approval.who, 40);
            notice(&format!(
                "{who} approved this run earlier; it is now shown as changed since then"
            ));
        }
        Ok(Done::Fine)
    })
}

/// `SECTION=TEXT`, each once.
fn sections(written: &[String]) -> Result<BTreeMap<String, String>> {
    let mut sections = BTreeMap::new();
    for one in written {
        let (id, text) = one
            .split_once('=')
            .ok_or_else(|| anyhow!("`{one}`: expected --section SECTION=TEXT"))?;
        let is_new = sections.insert(id.trim().to_owned(), text.to_owned()).is_none();
        ensure!(is_new, "section {id} was given twice");
    }
    Ok(sections)
}
