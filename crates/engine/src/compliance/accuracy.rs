//! How close a run comes to what analysts say, and to which criteria its documents name.

use std::collections::{BTreeMap, BTreeSet};

use assize_methods::compliance::accuracy::{AccuracyReport, Checked, accuracy, corrected};
use assize_methods::compliance::analysts::agreement;
use assize_methods::compliance::truth::TruthKey as Held;
use assize_search::StaticTable;
use assize_search::dense::Embedder;
use assize_stats::classification::roc_auc;
use assize_store::{CriteriaItemId, CriteriaResult, DocumentEntry, DocumentId, Run};
use assize_wire::workplace::KeysLeftOut;
use async_recursion::async_recursion as boxed;
use serde::Serialize;
use serde_json::{Map, Value};

use super::configuration::Configuration;
use super::error::Result;
use super::mask::{Identifiers, normal};
use super::material::Criteria;
use super::truth::{Named, settled};
use crate::Workspace;
use crate::workplace::samples::is_sample;

/// How a run compares with a weak truth: which criteria a document names by their ids.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Addressed {
    /// Pairs whose document names the criterion.
    pub named: usize,
    /// All pairs with a score.
    pub scored: usize,
    /// Pairs without one; they are left out.
    pub unscored: usize,
    /// How likely a named pair scores above another; none if all are named or none is.
    pub auc: Option<f64>,
    /// The mean score of pairs that are named.
    pub named_mean: Option<f64>,
    /// The mean score of the others.
    pub other_mean: Option<f64>,
    /// Whether the judge could not see the names.
    pub masked: bool,
}

impl Workspace {
    /// A run compared with the truth keys of its documents. The judge's own scores count, not
    /// what people said instead. None if there are no keys for its documents and criteria.
    #[boxed]
    pub async fn accuracy(&self, run: &Run) -> Result<Option<AccuracyReport>> {
        Ok(self.accuracy_and_rest(run).await?.0)
    }

    /// The same with the keys that say nothing about the run.
    #[boxed]
    pub async fn accuracy_and_rest(
        &self,
        run: &Run,
    ) -> Result<(Option<AccuracyReport>, KeysLeftOut)> {
        let (criteria, documents) = self.sets_of(run).await?;
        let mut keys = self.truth(&documents, &criteria).await?;
        let planned: BTreeSet<DocumentId> =
            self.store.plans().documents(&self.organisation, &run.id).await?.into_iter().collect();
        let items = self.store.plans().criteria(&self.organisation, &run.id).await?;
        let items: BTreeSet<CriteriaItemId> =
            items.into_iter().map(|item| item.criteria_item_id).collect();
        let entries = self.store.documents().list(&self.organisation, &documents.id).await?;
        let is_shipped =
            |entry: &&DocumentEntry| entry.content_hash.as_deref().is_some_and(is_sample);
        let samples: BTreeSet<DocumentId> =
            entries.iter().filter(is_shipped).map(|entry| entry.id.clone()).collect();
        let names: BTreeSet<String> = entries
            .into_iter()
            .filter(|entry| planned.contains(&entry.id))
            .map(|entry| entry.name)
            .collect();
        let rest = take_out(&mut keys, (&planned, &names), &items);
        if keys.is_empty() {
            return Ok((None, rest));
        }
        let mut results = BTreeMap::new();
        for document in &planned {
            let of_document = self.store.results();
            for result in of_document.of_document(&self.organisation, &run.id, document).await? {
                results.insert((document.clone(), result.criteria_item_id.clone()), result);
            }
        }
        let configuration = Configuration::of(run)?;
        let all: Vec<Held> = keys.iter().map(Named::held).collect();
        let (settled, basis) = settled(keys, &configuration.rubric);
        let of_key = |named: &Named| {
            let pair = (named.key.document_id.clone(), named.key.criteria_item_id.clone());
            (named.held(), results.get(&pair))
        };
        let held: Vec<(Held, Option<&CriteriaResult>)> = settled.iter().map(of_key).collect();
        let about_samples =
            settled.iter().filter(|named| samples.contains(&named.key.document_id)).count();
        let mut report = report(&held, &configuration).with_keys_about_samples(about_samples);
        report.basis = basis;
        report.ceiling = agreement(&all, &configuration.rubric);
        let (mut keyed, mut others) = (Vec::new(), Vec::new());
        let expected: BTreeMap<_, f64> = settled
            .iter()
            .map(|named| {
                let Named { key, .. } = named;
                let pair = (key.document_id.clone(), key.criteria_item_id.clone());
                (pair, named.held().expected_score)
            })
            .collect();
        for (pair, result) in &results {
            let Some(score) = result.ai_score_value else { continue };
            match expected.get(pair) {
                Some(expected) => keyed.push((*expected, score)),
                None => others.push(score),
            }
        }
        report.corrected = corrected(&keyed, &others);
        Ok((Some(report), rest))
    }

    /// A run compared with the criteria that its documents name by their ids.
    #[boxed]
    pub async fn addressed(&self, run: &Run) -> Result<Addressed> {
        let configuration = Configuration::of(run)?;
        let criteria =
            Criteria::of(self.store.plans().criteria(&self.organisation, &run.id).await?);
        let ids: BTreeMap<&CriteriaItemId, String> = criteria
            .ids
            .iter()
            .zip(&criteria.criteria)
            .map(|(id, criterion)| (id, normal(&criterion.id)))
            .collect();
        let identifiers =
            Identifiers::of(criteria.criteria.iter().map(|criterion| criterion.id.as_str()));
        let (mut scores, mut is_named, mut unscored) = (Vec::new(), Vec::new(), 0);
        for document in self.store.plans().documents(&self.organisation, &run.id).await? {
            let text = self.document_by_id(&document).await?.content_text;
            let named: BTreeSet<String> =
                identifiers.mentions(&text).into_iter().map(|mention| mention.id).collect();
            let results = self.store.results();
            for result in results.of_document(&self.organisation, &run.id, &document).await? {
                let Some(id) = ids.get(&result.criteria_item_id) else { continue };
                match result.ai_score_value {
                    Some(score) => {
                        scores.push(score);
                        is_named.push(named.contains(id));
                    }
                    None => unscored += 1,
                }
            }
        }
        let mean = |wanted: bool| {
            let own = scores.iter().zip(&is_named).filter(|(_, named)| **named == wanted);
            let (sum, count) =
                own.fold((0.0, 0), |(sum, count), (score, _)| (sum + score, count + 1));
            (count > 0).then(|| sum / f64::from(count))
        };
        Ok(Addressed {
            named: is_named.iter().filter(|named| **named).count(),
            scored: scores.len(),
            unscored,
            auc: roc_auc(&scores, &is_named).ok(),
            named_mean: mean(true),
            other_mean: mean(false),
            masked: configuration.masks_identifiers,
        })
    }
}

/// Takes out the keys that are not about these documents and criteria. A document that was
/// replaced keeps its name, and its keys stay with what they were given for.
fn take_out(
    keys: &mut Vec<Named>,
    (documents, names): (&BTreeSet<DocumentId>, &BTreeSet<String>),
    items: &BTreeSet<CriteriaItemId>,
) -> KeysLeftOut {
    let mut rest = KeysLeftOut::default();
    keys.retain(|named| {
        let has_item = items.contains(&named.key.criteria_item_id);
        if has_item && documents.contains(&named.key.document_id) {
            return true;
        }
        if has_item && names.contains(&named.document) {
            rest.other_versions += 1;
        } else {
            rest.elsewhere += 1;
        }
        false
    });
    rest
}

fn report(
    held: &[(Held, Option<&CriteriaResult>)],
    configuration: &Configuration,
) -> AccuracyReport {
    let none = Map::new();
    let checked: Vec<Checked<'_>> = held
        .iter()
        .map(|(key, result)| Checked {
            key,
            score: result.and_then(|result| result.ai_score_value),
            confidence: result.and_then(|result| u8::try_from(result.ai_confidence?).ok()),
            sections: result
                .and_then(|result| result.ai_result.as_ref().and_then(Value::as_object))
                .unwrap_or(&none),
        })
        .collect();
    accuracy(&checked, &configuration.rubric, &alike)
}

/// How alike two texts are in meaning: the cosine of their vectors, from 0 to 1.
pub(crate) fn alike(one: &str, other: &str) -> f64 {
    let Ok(vectors) = StaticTable.embed(&[one, other]) else { return 0.0 };
    let [one, other] = vectors.as_slice() else { return 0.0 };
    let dot = |left: &[f32], right: &[f32]| -> f64 {
        left.iter().zip(right).map(|(left, right)| f64::from(*left) * f64::from(*right)).sum()
    };
    let length = (dot(one, one) * dot(other, other)).sqrt();
    if length > 0.0 { (dot(one, other) / length).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_mean_the_same_are_more_alike_than_others() {
        let same =
            alike("Accounts are reviewed every quarter.", "Accounts are reviewed every quarter.");
        let near =
            alike("Accounts are reviewed every quarter.", "User accounts get a quarterly review.");
        let far = alike("Accounts are reviewed every quarter.", "The canteen serves soup.");
        assert!((same - 1.0).abs() < 1e-6);
        assert!(near > far, "{near} {far}");
        assert_eq!(alike("", "x"), 0.0);
    }
}
