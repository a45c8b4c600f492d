//! Prompt templates for whoever changes them: all versions, one in full, what changed.

use assize_methods::compliance::template::VARIABLES;
use assize_store::PromptTemplate;
use assize_wire::workplace::{DiffLine, PromptVersion, PromptsView};
use async_recursion::async_recursion as boxed;
use similar::{ChangeTag, TextDiff};

use crate::Workspace;
use crate::compliance::{ComplianceError, Result};

impl Workspace {
    /// All templates; `show` and `against` name versions as `name@version`, and without a name
    /// the latest is shown.
    #[boxed]
    pub async fn prompts_view(
        &self,
        show: Option<&str>,
        against: Option<&str>,
    ) -> Result<PromptsView> {
        let templates = self.templates().await?;
        let sets = self.store.criteria_sets().list(&self.organisation).await?;
        let version = |template: PromptTemplate| {
            let uses =
                sets.iter().filter(|set| set.prompt_template_id.as_ref() == Some(&template.id));
            PromptVersion {
                sets: uses.map(|set| set.name.clone()).collect(),
                name: template.name,
                version: template.version,
                body: template.body,
                created_at: template.created_at,
                used_at: template.used_at,
            }
        };
        let versions: Vec<PromptVersion> = templates.into_iter().map(version).collect();
        let find = |title: &str| {
            let found = versions.iter().find(|one| one.title() == title).cloned();
            found.ok_or_else(|| ComplianceError::missing("template", title))
        };
        let shown = match show {
            Some(title) => Some(find(title)?),
            None => versions.last().cloned(),
        };
        let other = against.map(find).transpose()?;
        let diff = match (&other, &shown) {
            (Some(other), Some(shown)) => changes(&other.body, &shown.body),
            _ => Vec::new(),
        };
        Ok(PromptsView {
            shown,
            against: other.map(|other| other.title()),
            diff,
            sets: sets.iter().map(|set| set.name.clone()).collect(),
            variables: VARIABLES.map(ToOwned::to_owned).to_vec(),
            versions,
            ..PromptsView::default()
        })
    }
}

/// What changed from one text to another, line by line.
pub(crate) fn changes(before: &str, after: &str) -> Vec<DiffLine> {
    let found = TextDiff::from_lines(before, after);
    let line = |change: similar::Change<&str>| DiffLine {
        sign: match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        },
        text: change.value().trim_end_matches(['\r', '\n']).to_owned(),
    };
    found.iter_all_changes().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_line_is_taken_away_and_added() {
        let lines = changes("one\ntwo\nthree\n", "one\n2\nthree\nfour");
        let signs: String = lines.iter().map(|line| line.sign).collect();
        assert_eq!(signs, " -+ +");
        assert_eq!(lines[2].text, "2");
    }
}
