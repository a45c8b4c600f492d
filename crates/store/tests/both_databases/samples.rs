//! A small evaluation: two documents, three criteria.

use std::time::Duration;

use assize_store::{
    Assessment, Claimed, CriteriaItem, CriteriaItemId, CriteriaSet, DocSet, Document,
    DocumentEntry, DocumentId, Finished, Instrument, NewRun, NewVerdict, Organisation,
    OrganisationId, ResultOutcome, Run, RunId, RunState, Store, StoreError,
};
use chrono::{DateTime, TimeZone, Utc};
use serde_json::json;

pub(crate) fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 11, 3, 12, 0, 0).unwrap()
}

/// What one organisation has: its sets and a planned run.
pub(crate) struct Sample {
    pub(crate) organisation: OrganisationId,
    pub(crate) set: CriteriaSet,
    pub(crate) items: Vec<CriteriaItem>,
    pub(crate) documents: Vec<Document>,
    pub(crate) run: Run,
}

impl Sample {
    pub(crate) fn item(&self, index: usize) -> &CriteriaItemId {
        &self.items[index].id
    }

    pub(crate) fn document(&self, index: usize) -> &DocumentId {
        &self.documents[index].entry.id
    }

    /// A result with a score, a ledger and two quotes.
    pub(crate) fn result(&self, document: usize, item: usize, score: f64) -> NewResult {
        NewResult {
            document_id: self.document(document).clone(),
            criteria_item_id: self.item(item).clone(),
            verdict: verdict_of(score),
        }
    }

    /// Claims the items of these results and finishes them; the others are given back.
    pub(crate) async fn commit(
        &self,
        store: &Store,
        results: &[NewResult],
    ) -> Result<u64, StoreError> {
        let run = store.runs().get(&self.organisation, &self.run.id).await?.unwrap();
        if run.state != RunState::Running {
            running(store, &self.organisation, &self.run.id).await?;
        }
        let claimed = store.leases().claim(&self.run.id, "test", 100_000, HOLD).await?;
        let finished: Vec<Finished> =
            results.iter().filter_map(|new| finished(&claimed, new)).collect();
        let counted = store.finish_all(&finished).await;
        let tokens = claimed.iter().map(|claimed| claimed.token).collect();
        store.leases().release(&self.run.id, &tokens).await?;
        counted
    }

    /// Results for everything that is planned.
    pub(crate) fn all_results(&self) -> Vec<NewResult> {
        let pairs = (0..self.documents.len())
            .flat_map(|document| (0..self.items.len()).map(move |item| (document, item)));
        pairs.map(|(document, item)| self.result(document, item, 73.5)).collect()
    }
}

/// Longer than any test takes.
pub(crate) const HOLD: Duration = Duration::from_mins(10);

/// Lets a run begin.
pub(crate) async fn running(
    store: &Store,
    organisation: &OrganisationId,
    run: &RunId,
) -> Result<(), StoreError> {
    store.runs().set_state(organisation, run, RunState::Running, None).await
}

/// A verdict about a document and a criterion.
#[derive(Debug, Clone)]
pub(crate) struct NewResult {
    pub(crate) document_id: DocumentId,
    pub(crate) criteria_item_id: CriteriaItemId,
    pub(crate) verdict: NewVerdict,
}

impl NewResult {
    pub(crate) fn assessment(&mut self) -> &mut Assessment {
        self.verdict.assessment.as_mut().unwrap()
    }
}

/// The result with the item that was claimed for it.
pub(crate) fn finished(claimed: &[Claimed], new: &NewResult) -> Option<Finished> {
    let of = |claimed: &&Claimed| {
        claimed.document_id.as_ref() == Some(&new.document_id)
            && claimed.criteria_item_id.as_ref() == Some(&new.criteria_item_id)
    };
    let claimed = claimed.iter().find(of)?.clone();
    Some(Finished { claimed, verdict: new.verdict.clone() })
}

/// A verdict with a score, a ledger and two quotes, one of them found.
pub(crate) fn verdict_of(score: f64) -> NewVerdict {
    NewVerdict {
        outcome: ResultOutcome::Scored,
        reason: None,
        scores: vec![("score".into(), Some(score))],
        ledger: Some(json!({"format": 1, "value": score, "how": {"given": true}})),
        evidence: None,
        exchange_keys: Some(json!(["k1"])),
        assessment: Some(Box::new(Assessment {
            judge: Some("rules".into()),
            confidence: Some(85),
            sections: Some(json!({"justification": "It is „so“.", "findings": ["a", "b"]})),
            citations: Some(json!(["Section 3.2", "reviewed every year"])),
            quotes: (2, 1),
            raw_answer: Some("{\"score\": 73}".into()),
            ..Assessment::default()
        })),
        created_at: noon(),
    }
}

pub(crate) fn document(set: &DocSet, name: &str, text: &str) -> Document {
    Document {
        entry: DocumentEntry {
            id: DocumentId::of(&[set.id.as_str(), name]),
            doc_set_id: set.id.clone(),
            name: name.into(),
            media_type: "text/markdown".into(),
            content_hash: Some(format!("hash of {name}")),
            byte_count: i64::try_from(text.len()).ok(),
            created_at: noon(),
            version: 1,
            archived_at: None,
        },
        content_text: text.into(),
        text_offsets: Some(json!({"pages": [[0, 4]], "paragraphs": [[0, 4]]})),
    }
}

/// Makes a sample of so many documents and criteria for an organisation of this name.
pub(crate) async fn sample_of(
    store: &Store,
    name: &str,
    documents: usize,
    criteria: usize,
) -> Sample {
    let organisation = OrganisationId::of(&[name]);
    let row = Organisation { id: organisation.clone(), name: name.into(), created_at: noon() };
    store.organisations().insert(&row).await.unwrap();
    let mut set = CriteriaSet::new(&organisation, "Access", noon());
    set.scoring_rubric = Some(json!({"tiers": [{"min": 0, "max": 100, "label": "All"}]}));
    store.criteria_sets().insert(&set).await.unwrap();
    let item = |number: usize| {
        let order = i64::try_from(number).unwrap();
        CriteriaItem::new(&set.id, &format!("AC-{number}"), "Accounts are reviewed.", order)
    };
    let items: Vec<_> = (1..=criteria).map(item).collect();
    store.criteria_items().insert_all(&organisation, &set.id, &items).await.unwrap();
    let doc_set = DocSet::new(&organisation, "Policies", noon());
    store.doc_sets().insert(&doc_set).await.unwrap();
    let documents: Vec<_> = (1..=documents)
        .map(|number| document(&doc_set, &format!("policy-{number:02}.md"), "# Hi"))
        .collect();
    for document in &documents {
        store.documents().put(&organisation, document, b"# Hi\xff\0").await.unwrap();
    }
    let run = new_run(&organisation, &set, &doc_set);
    let ids: Vec<_> = documents.iter().map(|document| document.entry.id.clone()).collect();
    let item_ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
    let number = store.plans().plan(&run, &ids, &item_ids).await.unwrap();
    let run = store.runs().numbered(&organisation, number).await.unwrap().unwrap();
    Sample { organisation, set, items, documents, run }
}

/// A run to plan.
pub(crate) fn new_run(organisation: &OrganisationId, set: &CriteriaSet, files: &DocSet) -> NewRun {
    NewRun {
        id: RunId::at(noon(), &[organisation.as_str(), "first"]),
        organisation_id: organisation.clone(),
        instrument: Instrument::Compliance,
        name: None,
        criteria_set_id: Some(set.id.clone()),
        doc_set_id: Some(files.id.clone()),
        configuration: Some(json!({"judge": "rules"})),
        configuration_hash: Some("c0ffee".into()),
        method_version: Some("compliance/1".into()),
        material: None,
        who: "ada".into(),
        created_at: noon(),
    }
}

/// Two documents, three criteria.
pub(crate) async fn sample(store: &Store, name: &str) -> Sample {
    sample_of(store, name, 2, 3).await
}
