//! What analysts say differently about one document and one criterion, and settling it.

use std::collections::BTreeMap;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::analysts::UNNAMED;
use assize_store::{CriteriaResult, Run, TruthKey};
use assize_wire::workplace::{DisputeView, Side, TruthOfResult};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::result::exhibit;
use super::truth::written;
use crate::Workspace;
use crate::compliance::analysts::Adjudication;
use crate::compliance::criteria::{rubric, structure};
use crate::compliance::truth::{Named, settled};
use crate::compliance::{ComplianceError, Result};

impl Workspace {
    /// What each analyst says about a document of a set under a criterion of another, with the
    /// document itself.
    #[boxed]
    pub async fn dispute_view(
        &self,
        (criteria, documents): (&str, &str),
        (criterion, document): (&str, &str),
    ) -> Result<DisputeView> {
        let (set, files) =
            (self.criteria_set(criteria).await?, self.document_set(documents).await?);
        let rubric = rubric(&set)?;
        let mut own = self.current_truth(&files, &set).await?;
        own.retain(|named| named.document == document && named.criterion == criterion);
        let missing = || {
            let because = format!("no analyst has judged {document} × {criterion} yet");
            ComplianceError::Refused(because)
        };
        let document_id = own.first().ok_or_else(missing)?.key.document_id.clone();
        let items = self.criteria(&set).await?;
        let item = items.into_iter().find(|item| item.criteria_id == criterion);
        let item = item.ok_or_else(|| ComplianceError::missing("criterion", criterion))?;
        let analysts = self.analysts(&files, &set).await?;
        let is_it = |(id, name): (&str, &str)| id == criterion && name == document;
        let entry = analysts.disputes.iter().find(|entry| {
            is_it((entry.dispute.criteria_id.as_str(), entry.dispute.document.as_str()))
        });
        let mut waiting = analysts.disputes.iter().filter(|entry| {
            let dispute = &entry.dispute;
            let is_open = dispute.adjudicated.is_none() || entry.is_outdated;
            is_open && !is_it((dispute.criteria_id.as_str(), dispute.document.as_str()))
        });
        let next = waiting
            .next()
            .map(|entry| (entry.dispute.criteria_id.clone(), entry.dispute.document.clone()));
        let (kept, _) = settled(own.clone(), &rubric);
        let kept = &kept.first().ok_or_else(missing)?.key;
        let counts = kept.expected_score;
        let expected: BTreeMap<String, String> = section_texts(kept).into_iter().collect();
        let structure = structure(&set)?;
        let section = |id: &String| (id.clone(), expected.get(id).cloned().unwrap_or_default());
        let sections = structure.sections().iter().map(|one| section(&one.id)).collect();
        let (adjudicated, sides): (Vec<Named>, Vec<Named>) =
            own.into_iter().partition(|named| named.key.is_adjudicated);
        Ok(DisputeView {
            criteria_set: set.name,
            document_set: files.name,
            criteria_id: item.criteria_id,
            requirement: item.requirement,
            description: item.description,
            document: exhibit(self.document_by_id(&document_id).await?),
            tiers: rubric.tiers().to_vec(),
            sides: sides.into_iter().map(|named| side(named.key, &rubric)).collect(),
            settled: adjudicated.into_iter().next().map(|named| side(named.key, &rubric)),
            sections,
            is_outdated: entry.is_some_and(|entry| entry.is_outdated),
            counts: (counts, rubric.status(counts)),
            next,
        })
    }

    /// Settles what analysts say differently; without a score it is open again.
    #[boxed]
    pub async fn settle(
        &self,
        (criteria, documents): (&str, &str),
        (criterion, document): (&str, &str),
        (score, sections): (Option<f64>, Option<BTreeMap<String, String>>),
        reason: &str,
    ) -> Result<()> {
        let (set, files) =
            (self.criteria_set(criteria).await?, self.document_set(documents).await?);
        let sections = sections.map(written);
        let who = &self.who;
        let wanted = Adjudication { document, criterion, score, sections, reason, who };
        self.adjudicate((&files, &set), &wanted).await
    }

    /// What analysts say about a result of a run.
    pub(super) async fn truth_of(
        &self,
        run: &Run,
        result: &CriteriaResult,
        rubric: &Rubric,
    ) -> Result<TruthOfResult> {
        let keys = self.store.truth_keys();
        let keys =
            keys.of_pair(&self.organisation, &result.document_id, &result.criteria_item_id).await?;
        let mut truth = TruthOfResult {
            is_settled: keys.iter().any(|key| key.is_adjudicated),
            ..TruthOfResult::default()
        };
        let analysts = keys.iter().filter(|key| !key.is_adjudicated);
        truth.said = analysts.map(|key| (name(key), key.expected_score)).collect();
        if truth.said.len() > 1 {
            let (criteria, documents) = self.sets_of(run).await?;
            let current = self.current_documents(&documents).await?;
            if current.iter().any(|entry| entry.id == result.document_id) {
                truth.sets = Some((criteria.name, documents.name));
            }
        }
        // Names do not matter where all keys are of one pair.
        let named = |key| Named { key, document: String::new(), criterion: String::new() };
        let (kept, _) = settled(keys.into_iter().map(named).collect(), rubric);
        truth.score = kept.first().map(|named| named.key.expected_score);
        Ok(truth)
    }
}

fn name(key: &TruthKey) -> String {
    key.analyst.clone().unwrap_or_else(|| UNNAMED.to_owned())
}

/// What a key expects of each section, as text; empty ones are left out.
pub(super) fn section_texts(key: &TruthKey) -> Vec<(String, String)> {
    let sections = key.response_sections.as_ref().and_then(Json::as_object);
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Array(lines) => {
            let line = |line: &Json| line.as_str().map_or_else(|| line.to_string(), str::to_owned);
            lines.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    };
    let sections = sections.into_iter().flatten().map(|(id, value)| (id.clone(), text(value)));
    sections.filter(|(_, text)| !text.trim().is_empty()).collect()
}

fn side(key: TruthKey, rubric: &Rubric) -> Side {
    Side {
        analyst: name(&key),
        score: key.expected_score,
        status: rubric.status(key.expected_score),
        sections: section_texts(&key),
        note: key.note.filter(|note| !note.is_empty()),
        at: key.updated_at,
    }
}

#[cfg(test)]
mod tests {
    use assize_store::Place;

    use super::*;
    use crate::compliance::evaluate::NamedFile;
    use crate::compliance::intake::Reading;

    #[tokio::test]
    async fn two_analysts_stand_side_by_side_until_a_third_word_settles_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::from(&folder.path().join("dispute.db"));
        let ann = Workspace { who: "ann".to_owned(), ..Workspace::open(place).await.unwrap() };
        let ben = Workspace { who: "ben".to_owned(), ..ann.clone() };
        let file = |name: &str, text: &str| NamedFile {
            name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let list = file("list.csv", "id,requirement\nA-1,Doors are locked.\nA-2,Keys count.\n");
        ann.import_criteria_file_by(&list, &Reading::default(), ("doors", ""), &mut |_| {})
            .await
            .unwrap();
        ann.keep_documents("policies", vec![file("one.txt", "Doors are locked.")]).await.unwrap();
        let sets = ("doors", "policies");
        for (who, criterion, score) in
            [(&ann, "A-1", 90.0), (&ben, "A-1", 30.0), (&ann, "A-2", 10.0), (&ben, "A-2", 50.0)]
        {
            let said = BTreeMap::from([("explanation".to_owned(), format!("{score}"))]);
            who.enter_truth(sets, (criterion, "one.txt"), score, said).await.unwrap();
        }
        let view = ann.dispute_view(sets, ("A-1", "one.txt")).await.unwrap();
        let said: Vec<(&str, f64)> =
            view.sides.iter().map(|side| (side.analyst.as_str(), side.score)).collect();
        assert_eq!(said, [("ann", 90.0), ("ben", 30.0)]);
        // (90 + 30) / 2
        assert_eq!((view.counts.0, view.settled), (60.0, None));
        assert_eq!(view.next, Some(("A-2".to_owned(), "one.txt".to_owned())));
        assert!(ben.settle(sets, ("A-1", "one.txt"), (Some(75.0), None), " ").await.is_err());
        let said = BTreeMap::from([("explanation".to_owned(), "Front door only.".to_owned())]);
        let settles = (Some(75.0), Some(said));
        ben.settle(sets, ("A-1", "one.txt"), settles, "Only the front door.").await.unwrap();
        let view = ann.dispute_view(sets, ("A-1", "one.txt")).await.unwrap();
        let settled = view.settled.unwrap();
        assert_eq!((view.counts.0, settled.score, view.sides.len()), (75.0, 75.0, 2));
        assert_eq!(settled.note.as_deref(), Some("Only the front door."));
        assert_eq!(settled.sections, [("explanation".to_owned(), "Front door only.".to_owned())]);
        assert_eq!(view.sections, settled.sections, "what counts is in the form");
        ann.settle(sets, ("A-1", "one.txt"), (None, None), "Looked again.").await.unwrap();
        let view = ann.dispute_view(sets, ("A-1", "one.txt")).await.unwrap();
        assert_eq!((view.counts.0, view.settled), (60.0, None));
        ann.close().await;
    }
}
