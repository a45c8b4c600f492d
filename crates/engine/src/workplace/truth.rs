//! Truth keys as a grid, and entered one by one.

use std::collections::{BTreeMap, BTreeSet};

use assize_documents::truth::{Expected, TruthKey as Written};
use assize_methods::schema::fields;
use assize_wire::truth::Analysts;
use assize_wire::workplace::{TruthGrid, TruthRow};
use async_recursion::async_recursion as boxed;

use super::dispute::section_texts;
use crate::Workspace;
use crate::compliance::criteria::{rubric, structure};
use crate::compliance::truth::{Named, TruthImported};
use crate::compliance::{ComplianceError, Result};

impl Workspace {
    /// The keys for a document set under a criteria set, of all analysts or of one; without a
    /// choice the sets to choose from.
    #[boxed]
    pub async fn truth_grid(
        &self,
        criteria: Option<&str>,
        documents: Option<&str>,
        analyst: Option<&str>,
    ) -> Result<TruthGrid> {
        let criteria_sets = self.store.criteria_sets().list(&self.organisation).await?;
        let document_sets = self.store.doc_sets().list(&self.organisation).await?;
        let mut grid = TruthGrid {
            criteria_sets: criteria_sets
                .iter()
                .filter(|set| set.archived_at.is_none() || criteria == Some(set.name.as_str()))
                .map(|set| set.name.clone())
                .collect(),
            document_sets: document_sets
                .iter()
                .filter(|set| set.archived_at.is_none() || documents == Some(set.name.as_str()))
                .map(|set| set.name.clone())
                .collect(),
            chosen: None,
            rows: Vec::new(),
            people: Vec::new(),
            analyst: analyst.map(ToOwned::to_owned),
            analysts: Analysts::default(),
            documents: Vec::new(),
            criteria: Vec::new(),
            sections: Vec::new(),
        };
        let wanted = |named: Option<&str>, names: &[String]| {
            named.map(ToOwned::to_owned).or_else(|| names.first().cloned())
        };
        let names =
            wanted(criteria, &grid.criteria_sets).zip(wanted(documents, &grid.document_sets));
        let Some((criteria, documents)) = names else { return Ok(grid) };
        let (set, files) =
            (self.criteria_set(&criteria).await?, self.document_set(&documents).await?);
        let rubric = rubric(&set)?;
        let keys = self.truth(&files, &set).await?;
        let people: BTreeSet<String> =
            keys.iter().filter_map(|named| named.key.analyst.clone()).collect();
        grid.people = people.into_iter().collect();
        let is_wanted =
            |named: &Named| analyst.is_none_or(|who| named.key.analyst.as_deref() == Some(who));
        for named in keys.into_iter().filter(is_wanted) {
            grid.rows.push(TruthRow {
                id: named.key.id.to_string(),
                status: rubric.status(named.key.expected_score),
                sections: section_texts(&named.key),
                document: named.document,
                criteria_id: named.criterion,
                expected: named.key.expected_score,
                analyst: named.key.analyst,
                note: named.key.note,
                is_adjudicated: named.key.is_adjudicated,
            });
        }
        grid.analysts = self.analysts(&files, &set).await?;
        let entries = self.current_documents(&files).await?;
        grid.documents = entries.into_iter().map(|entry| entry.name).collect();
        let items = self.criteria(&set).await?;
        grid.criteria = items.into_iter().map(|item| item.criteria_id).collect();
        let structure = structure(&set)?;
        let sections = structure.sections().iter();
        grid.sections = sections.map(|one| (one.id.clone(), one.kind.word().to_owned())).collect();
        grid.chosen = Some((criteria, documents));
        Ok(grid)
    }

    /// Enters one key.
    #[boxed]
    pub async fn enter_truth(
        &self,
        (criteria, documents): (&str, &str),
        (criteria_id, document): (&str, &str),
        score: f64,
        sections: BTreeMap<String, String>,
    ) -> Result<TruthImported> {
        if !(0.0..=100.0).contains(&score) {
            let because = "a truth key must be a score from 0 to 100".to_owned();
            return Err(ComplianceError::Refused(because));
        }
        let (set, files) =
            (self.criteria_set(criteria).await?, self.document_set(documents).await?);
        let key = Written {
            document: document.to_owned(),
            criteria_id: criteria_id.to_owned(),
            expected: Expected::Score(score),
            sections: written(sections),
            analyst: Some(self.who.clone()),
        };
        self.import_truth((&files, &set), &[key], Some(&self.who)).await
    }

    /// Takes a key of these sets away. What settles a pair is taken back where it was settled.
    #[boxed]
    pub async fn remove_truth(&self, (criteria, documents): (&str, &str), id: &str) -> Result<()> {
        let (set, files) =
            (self.criteria_set(criteria).await?, self.document_set(documents).await?);
        let keys = self.truth(&files, &set).await?;
        let found = keys.into_iter().find(|named| named.key.id.as_str() == id);
        let found = found.filter(|named| !named.key.is_adjudicated);
        let Named { key, document, criterion } =
            found.ok_or_else(|| ComplianceError::missing("truth key", id))?;
        self.store.truth_keys().delete(&self.organisation, &key.id).await?;
        let before =
            fields([("score", key.expected_score.into()), ("analyst", key.analyst.into())]);
        let what = ["delete", "truth key", &format!("{document} × {criterion}")];
        Ok(self.note(what, (Some(before), None)).await?)
    }
}

/// Sections in which somebody wrote something.
pub(super) fn written(sections: BTreeMap<String, String>) -> BTreeMap<String, String> {
    sections.into_iter().filter(|(_, text)| !text.trim().is_empty()).collect()
}
