//! The editor of a response structure.

use assize_methods::compliance::ResponseStructure;
use assize_methods::compliance::sections::{Section, SectionType, StructureError};
use assize_wire::workplace::{DraftView, SectionDraft, StructureView};
use async_recursion::async_recursion as boxed;
use serde_json::{Map, Value as Json};

use super::drafts::Part;
use super::rubric::{SaveOutcome, etag};
use crate::Workspace;
use crate::compliance::criteria::{rubric, structure, structure_tree};
use crate::compliance::{ComplianceError, Result};

impl Workspace {
    /// The editor of a set's response structure; `draft` is what somebody typed so far.
    #[boxed]
    pub async fn structure_view(
        &self,
        id: &str,
        draft: Option<Vec<SectionDraft>>,
    ) -> Result<StructureView> {
        let set = self.criteria_set(id).await?;
        let kept = structure(&set)?;
        let sections = draft.unwrap_or_else(|| kept.sections().iter().map(drafted).collect());
        let parsed = parse(&sections);
        let (prompt, example) = parsed.as_ref().map(shown).unwrap_or_default();
        let rubric = rubric(&set)?;
        let pair = [(&rubric, &kept), (&rubric, parsed.as_ref().unwrap_or(&kept))];
        let mut change = self.draft_view(&set, Part::Structure, pair).await?;
        if parsed.is_err() {
            change = DraftView { history: change.history, ..DraftView::default() };
        }
        Ok(StructureView {
            id: set.id.to_string(),
            name: set.name,
            sections,
            problem: parsed.err(),
            prompt,
            example,
            etag: etag(&kept),
            change,
            conflict: None,
        })
    }

    /// What the sections were before a change, as a draft.
    #[boxed]
    pub async fn structure_before(&self, id: &str, number: i64) -> Result<Vec<SectionDraft>> {
        let json = self.before_edit(id, number).await?;
        let structure = ResponseStructure::from_json(Some(&json))?;
        Ok(structure.sections().iter().map(drafted).collect())
    }

    /// The sections that come with the program, as a draft.
    pub fn default_structure() -> Vec<SectionDraft> {
        ResponseStructure::default().sections().iter().map(drafted).collect()
    }

    /// Keeps a structure, unless it is wrong or the set is not as it was when `etag` was made.
    #[boxed]
    pub async fn save_structure(
        &self,
        id: &str,
        sections: &[SectionDraft],
        expected: &str,
    ) -> Result<SaveOutcome<(usize, String)>> {
        let mut set = self.criteria_set(id).await?;
        if etag(&structure(&set)?) != expected {
            return Ok(SaveOutcome::Conflict(()));
        }
        let wanted = match parse(sections) {
            Ok(wanted) => wanted,
            Err(problem) => return Ok(SaveOutcome::Wrong(problem)),
        };
        let before = set.clone();
        set.response_structure = ComplianceError::json("the response structure", &wanted)?;
        self.keep_set((&before, set), structure_tree).await
    }
}

fn drafted(section: &Section) -> SectionDraft {
    SectionDraft {
        id: section.id.clone(),
        kind: section.kind.word().to_owned(),
        required: section.required,
        description: section.description.clone(),
    }
}

fn parse(drafts: &[SectionDraft]) -> Result<ResponseStructure, (usize, String)> {
    let mut sections = Vec::with_capacity(drafts.len());
    for (number, draft) in (1..).zip(drafts) {
        let kind = match draft.kind.as_str() {
            "text" => SectionType::Text,
            "list" => SectionType::List,
            "number" => SectionType::Number,
            other => return Err((number, format!("`{other}` is not one of text, list, number"))),
        };
        sections.push(Section {
            id: draft.id.trim().to_owned(),
            kind,
            required: draft.required,
            description: draft.description.trim().to_owned(),
        });
    }
    ResponseStructure::new(sections).map_err(|error| match error {
        StructureError::Section { number, id, problem } => (number, format!("{id}: {problem}")),
        other => (0, other.to_string()),
    })
}

/// The lines of the prompt, and an answer that would be accepted.
fn shown(structure: &ResponseStructure) -> (String, String) {
    let prompt = format!("{}\n\n{}", structure.prompt_text(), structure.prompt_fields());
    let mut answer = Map::new();
    answer.insert("score".to_owned(), Json::from(73));
    answer.insert("confidence".to_owned(), Json::from(85));
    for section in structure.sections() {
        let value = match section.kind {
            SectionType::Text => Json::from("One or two sentences."),
            SectionType::List => Json::from(vec!["one", "another"]),
            SectionType::Number => Json::from(30),
        };
        answer.insert(section.id.clone(), value);
    }
    answer.insert("citations".to_owned(), Json::from(vec!["The words of the document."]));
    let example = serde_json::to_string_pretty(&Json::Object(answer)).unwrap_or_default();
    (prompt, example)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(id: &str, kind: &str) -> SectionDraft {
        SectionDraft {
            id: id.to_owned(),
            kind: kind.to_owned(),
            required: true,
            description: String::new(),
        }
    }

    #[test]
    fn all_three_types_are_shown_as_prompt_and_as_an_answer() {
        let parsed =
            parse(&[draft("why", "text"), draft("gaps", "list"), draft("days", "number")]).unwrap();
        let (prompt, example) = shown(&parsed);
        assert!(prompt.contains("- gaps (list, required)"), "{prompt}");
        let answer: Json = serde_json::from_str(&example).unwrap();
        assert!(
            answer["gaps"].is_array() && answer["days"].is_number() && answer["why"].is_string()
        );
        let (number, problem) = parse(&[draft("why", "text"), draft("score", "text")]).unwrap_err();
        assert_eq!(number, 2);
        assert!(problem.starts_with("score: "), "{problem}");
    }
}
