//! What the editors of a set have in common: the whole prompt as it would be sent, what a draft
//! changes in it, and what was in force before.

use assize_methods::compliance::ask::AssessAsk;
use assize_methods::compliance::{AssessTemplate, Criterion, ResponseStructure, Rubric};
use assize_store::CriteriaSet;
use assize_wire::workplace::{DraftView, EditEntry};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::prompts::changes;
use crate::Workspace;
use crate::compliance::{ComplianceError, Result};

/// Changes of a set that are looked through.
const HISTORY: i64 = 200;
/// Changes that are shown.
const SHOWN: usize = 10;
/// What stands where the document will be.
const DOCUMENT: &str = "(the text of the document)";

/// A rubric or a structure: the field that tells its entries in the audit from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The tiers.
    Rubric,
    /// The sections.
    Structure,
}

impl Part {
    fn field(self) -> &'static str {
        match self {
            Self::Rubric => "tiers",
            Self::Structure => "sections",
        }
    }
}

impl Workspace {
    /// What a draft would change: the prompt in force beside the prompt of the draft, and the
    /// history to go back in.
    #[boxed]
    pub(super) async fn draft_view(
        &self,
        set: &CriteriaSet,
        part: Part,
        [kept, draft]: [(&Rubric, &ResponseStructure); 2],
    ) -> Result<DraftView> {
        let template = match &set.prompt_template_id {
            Some(id) => self.store.prompt_templates().get(&self.organisation, id).await?,
            None => None,
        };
        let template = template.map(|template| AssessTemplate::new(template.body)).transpose()?;
        let template = template.unwrap_or_default();
        let first = self.criteria(set).await?.into_iter().next();
        let criterion = first.map_or_else(
            || Criterion::new("ID", "(the requirement)", ""),
            |item| Criterion::new(item.criteria_id, item.requirement, item.description),
        );
        let prompt = |(rubric, structure): (&Rubric, &ResponseStructure)| {
            let ask = AssessAsk {
                template: &template,
                criterion: &criterion,
                context: DOCUMENT,
                rubric,
                structure,
            };
            let question = ask.preview();
            question.map(|one| format!("{}\n\n{}", one.system, one.question)).unwrap_or_default()
        };
        let (now, then) = (prompt(kept), prompt(draft));
        let mut difference = changes(&now, &then);
        difference.retain(|line| line.sign != ' ');
        Ok(DraftView {
            is_changed: kept != draft,
            whole_prompt: then,
            difference,
            history: self.history(set, part).await?,
        })
    }

    async fn history(&self, set: &CriteriaSet, part: Part) -> Result<Vec<EditEntry>> {
        let about = ("criteria set", set.id.as_str());
        let all = self.store.audit().page_of(&self.organisation, about, None, HISTORY).await?;
        let own = all.into_iter().filter_map(|entry| {
            let names = |json: Option<&Json>| {
                let rows = json?.get(part.field())?.as_array()?;
                let name = |row: &Json| {
                    let name = row.get("label").or_else(|| row.get("id"))?;
                    name.as_str().map(ToOwned::to_owned)
                };
                Some(rows.iter().filter_map(name).collect::<Vec<_>>())
            };
            let before = names(entry.before.as_ref())?;
            Some(EditEntry {
                number: entry.sequence?,
                who: entry.who,
                at: entry.at,
                before: before.join(", "),
            })
        });
        Ok(own.take(SHOWN).collect())
    }

    /// What was in force before a change of the history.
    #[boxed]
    pub(crate) async fn before_edit(&self, id: &str, number: i64) -> Result<Json> {
        let set = self.criteria_set(id).await?;
        let about = ("criteria set", set.id.as_str());
        let page =
            self.store.audit().page_of(&self.organisation, about, Some(number + 1), 1).await?;
        let entry = page.into_iter().find(|entry| entry.sequence == Some(number));
        let before = entry.and_then(|entry| entry.before);
        before.ok_or_else(|| ComplianceError::missing("change", &number.to_string()))
    }
}
