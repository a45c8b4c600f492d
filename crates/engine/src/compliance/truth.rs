//! Truth keys: what analysts would have answered, kept for the documents they read.

use std::collections::BTreeMap;

use assize_documents::truth::{Expected, TruthKey as Written};
use assize_methods::compliance::Rubric;
use assize_methods::compliance::analysts::{self, Basis};
use assize_methods::compliance::truth::TruthKey as Held;
use assize_methods::schema::fields;
use assize_store::{CriteriaItem, CriteriaSet, DocSet, DocumentEntry, TruthKey};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value;

use super::criteria::rubric;
use super::error::{ComplianceError, Result};
use super::intake::FileRead;
use crate::Workspace;

/// What an import of truth keys did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TruthImported {
    /// Keys that are kept now.
    pub kept: usize,
    /// Keys that could not be, each with the reason.
    pub problems: Vec<String>,
    /// Keys without a number, which scores are not compared with.
    pub without_number: usize,
    /// Rows of a template that nobody filled in.
    pub not_judged: usize,
}

/// Keys as they were read from a file.
#[derive(Debug, Clone, Copy)]
pub struct TruthFile<'a> {
    /// What the file is called.
    pub name: &'a str,
    /// What it held.
    pub read: &'a FileRead<Written>,
    /// Whether rows that cannot be used are left out.
    pub skip_unusable: bool,
}

/// A key with the names of what it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The key as it is stored.
    pub key: TruthKey,
    /// The document's name.
    pub document: String,
    /// The criterion's id.
    pub criterion: String,
}

impl Named {
    /// As the arithmetic takes it.
    pub fn held(&self) -> Held {
        let sections = self.key.response_sections.as_ref().and_then(Value::as_object);
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let sections = sections.into_iter().flatten().map(|(id, value)| (id.clone(), text(value)));
        Held {
            document: self.document.clone(),
            criterion: self.criterion.clone(),
            expected_score: self.key.expected_score,
            response_sections: sections.collect(),
            analyst: self.key.analyst.clone(),
            is_adjudicated: self.key.is_adjudicated,
        }
    }
}

/// One key for each document and criterion, and what they rest on.
pub(crate) fn settled(keys: Vec<Named>, rubric: &Rubric) -> (Vec<Named>, Basis) {
    let held: Vec<Held> = keys.iter().map(Named::held).collect();
    let (settled, basis) = analysts::settled(&held, rubric);
    let mut by_pair = BTreeMap::new();
    for named in keys {
        let pair = (named.document.clone(), named.criterion.clone());
        let known = by_pair.entry(pair).or_insert_with(|| named.clone());
        // The words of a mean are those of the first who wrote any, as the arithmetic has it.
        if named.key.is_adjudicated {
            *known = named;
        }
    }
    let with_pair = |held: Held| {
        let mut named = by_pair.get(&(held.document, held.criterion))?.clone();
        named.key.expected_score = held.expected_score;
        named.key.score_range = i64::try_from(rubric.tier(held.expected_score)).unwrap_or(1);
        named.key.analyst = held.analyst;
        let texts = held.response_sections.into_iter();
        let texts = texts.map(|(id, text)| (id, Value::from(text))).collect();
        named.key.response_sections = Some(Value::Object(texts));
        Some(named)
    };
    (settled.into_iter().filter_map(with_pair).collect(), basis)
}

impl Workspace {
    /// Keeps the keys of a file for the documents and criteria they name. If a row cannot be used
    /// or names what is not there, nothing is kept unless such rows may be left out; they are
    /// named back.
    #[boxed]
    pub async fn import_truth_file(
        &self,
        sets: (&DocSet, &CriteriaSet),
        file: &TruthFile<'_>,
        analyst: Option<&str>,
    ) -> Result<TruthImported> {
        let read = file.read;
        let (mut imported, keys) = self.match_truth(sets, &read.items, analyst).await?;
        let rows = read.unusable + imported.problems.len();
        imported.problems.splice(0..0, read.problems.iter().cloned());
        if !file.skip_unusable {
            ComplianceError::refuse_unusable(file.name, rows, &imported.problems)?;
        }
        self.keep_truth(sets, &read.items, keys).await?;
        Ok(imported)
    }

    /// Keeps keys for the documents and criteria they name; what is not there is named back.
    #[boxed]
    pub async fn import_truth(
        &self,
        sets: (&DocSet, &CriteriaSet),
        written: &[Written],
        analyst: Option<&str>,
    ) -> Result<TruthImported> {
        let (imported, keys) = self.match_truth(sets, written, analyst).await?;
        self.keep_truth(sets, written, keys).await?;
        Ok(imported)
    }

    /// The keys with the documents and criteria that they name. Nothing is kept.
    async fn match_truth(
        &self,
        (documents, criteria): (&DocSet, &CriteriaSet),
        written: &[Written],
        analyst: Option<&str>,
    ) -> Result<(TruthImported, Vec<TruthKey>)> {
        let rubric = rubric(criteria)?;
        let entries = self.current_documents(documents).await?;
        let items = self.criteria(criteria).await?;
        let entries: BTreeMap<&str, &DocumentEntry> =
            entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        let items: BTreeMap<&str, &CriteriaItem> =
            items.iter().map(|item| (item.criteria_id.as_str(), item)).collect();
        let (mut imported, mut keys) = (TruthImported::default(), Vec::new());
        for one in written {
            if one.expected == Expected::NotJudged {
                imported.not_judged += 1;
                continue;
            }
            let name = format!("{} × {}", one.document, one.criteria_id);
            let Some(entry) = entries.get(one.document.as_str()) else {
                imported.problems.push(format!("{name}: no such document in the set"));
                continue;
            };
            let Some(item) = items.get(one.criteria_id.as_str()) else {
                imported.problems.push(format!("{name}: no such criterion in the set"));
                continue;
            };
            let Expected::Score(expected_score) = one.expected else {
                imported.without_number += 1;
                continue;
            };
            let now = Utc::now();
            let analyst = one.analyst.as_deref().or(analyst);
            keys.push(TruthKey {
                id: TruthKey::id_of(&entry.id, &item.id, analyst),
                organisation_id: self.organisation.clone(),
                document_id: entry.id.clone(),
                criteria_item_id: item.id.clone(),
                expected_score,
                score_range: i64::try_from(rubric.tier(expected_score)).unwrap_or(1),
                response_sections: ComplianceError::json("a truth key", &one.sections)?,
                analyst: analyst.map(str::to_owned),
                note: None,
                created_at: now,
                updated_at: now,
                is_adjudicated: false,
            });
        }
        imported.kept = keys.len();
        Ok((imported, keys))
    }

    async fn keep_truth(
        &self,
        (documents, criteria): (&DocSet, &CriteriaSet),
        written: &[Written],
        keys: Vec<TruthKey>,
    ) -> Result<()> {
        self.store.truth_keys().put(&self.organisation, &keys).await?;
        match (keys.as_slice(), written) {
            ([], _) => {}
            ([key], [one]) => {
                self.audit_truth((&one.document, &one.criteria_id), key.expected_score).await?;
            }
            _ => {
                let after = fields([
                    ("keys", keys.len().into()),
                    ("document set", documents.name.as_str().into()),
                ]);
                let what = ["import", "truth keys", criteria.id.as_str()];
                self.note(what, (None, Some(after))).await?;
            }
        }
        Ok(())
    }

    /// Notes what somebody says about a document and a criterion.
    pub(super) async fn audit_truth(
        &self,
        (document, criterion): (&str, &str),
        score: f64,
    ) -> Result<()> {
        let pair = format!("{document} × {criterion}");
        Ok(self.note(["set", "truth key", &pair], (None, Some(score.into()))).await?)
    }

    /// The keys of all analysts for the latest versions of a set's documents.
    #[boxed]
    pub(crate) async fn current_truth(
        &self,
        documents: &DocSet,
        criteria: &CriteriaSet,
    ) -> Result<Vec<Named>> {
        let current = self.current_documents(documents).await?;
        let mut keys = self.truth(documents, criteria).await?;
        keys.retain(|named| current.iter().any(|entry| entry.id == named.key.document_id));
        Ok(keys)
    }

    /// The keys for all versions of a set's documents under the criteria of a set.
    #[boxed]
    pub async fn truth(&self, documents: &DocSet, criteria: &CriteriaSet) -> Result<Vec<Named>> {
        let entries = self.store.documents().list(&self.organisation, &documents.id).await?;
        let items = self.store.criteria_items().list(&self.organisation, &criteria.id).await?;
        let names: BTreeMap<_, _> =
            entries.into_iter().map(|entry| (entry.id, entry.name)).collect();
        let ids: BTreeMap<_, _> =
            items.into_iter().map(|item| (item.id, item.criteria_id)).collect();
        let keys = self.store.truth_keys();
        let keys = keys.list(&self.organisation, &documents.id, &criteria.id).await?;
        let with_names = |key: TruthKey| {
            let document = names.get(&key.document_id)?.clone();
            let criterion = ids.get(&key.criteria_item_id)?.clone();
            Some(Named { key, document, criterion })
        };
        Ok(keys.into_iter().filter_map(with_names).collect())
    }
}
