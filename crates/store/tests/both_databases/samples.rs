//! A small evaluation: two documents, three criteria.

use std::time::Duration;

use assize_store::{
    Citation, Claimed, CriteriaItem, CriteriaItemId, CriteriaResult, CriteriaSet, DocSet, Document,
    DocumentEntry, DocumentId, Evidence, Finished, NewResult, Organisation, OrganisationId,
    ResultId, ResultOutcome, Run, RunId, RunState, Store, StoreError,
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
        result_of(&self.run.id, self.document(document), self.item(item), score)
    }

    /// Claims the items of these results and finishes them; the others are given back.
    pub(crate) async fn commit(
        &self,
        store: &Store,
        results: &[NewResult],
    ) -> Result<u64, StoreError> {
        let run = store.any_runs().get(&self.organisation, &self.run.id).await?.unwrap();
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
    store.any_runs().set_state(organisation, run, RunState::Running, None).await
}

/// The result with the item that was claimed for it.
pub(crate) fn finished(claimed: &[Claimed], new: &NewResult) -> Option<Finished> {
    let of = |claimed: &&Claimed| {
        claimed.document_id.as_ref() == Some(&new.result.document_id)
            && claimed.criteria_item_id.as_ref() == Some(&new.result.criteria_item_id)
    };
    let claimed = claimed.iter().find(of)?.clone();
    Some(Finished { claimed, product: new.clone().into() })
}

/// A result with a score, a ledger and two quotes.
pub(crate) fn result_of(
    run: &RunId,
    document: &DocumentId,
    item: &CriteriaItemId,
    score: f64,
) -> NewResult {
    NewResult {
        result: CriteriaResult {
            id: ResultId::in_run(run, document, item),
            run_id: run.clone(),
            document_id: document.clone(),
            criteria_item_id: item.clone(),
            outcome: ResultOutcome::Scored,
            reason: None,
            ai_score_value: Some(score),
            ai_confidence: Some(85),
            ai_result: Some(json!({"justification": "It is „so“.", "findings": ["a", "b"]})),
            ai_citations: Some(json!(["Section 3.2", "reviewed every year"])),
            ai_status_id: None,
            judge: Some("rules".into()),
            model: None,
            prompt_template_id: None,
            created_at: noon(),
        },
        evidence: Evidence {
            ledger: Some(json!({"format": 1, "value": score, "how": {"given": true}})),
            prompt: Some("Is it so?".into()),
            raw_answer: Some("{\"score\": 73}".into()),
            exchange_keys: Some(json!(["k1"])),
        },
        citations: vec![
            citation("Section 3.2", "exact", Some((10, 21))),
            citation("reviewed every year", "not_found", None),
        ],
    }
}

fn citation(quote: &str, matched: &str, span: Option<(i64, i64)>) -> Citation {
    Citation {
        quote: quote.into(),
        matched: matched.into(),
        start_offset: span.map(|(start, _)| start),
        end_offset: span.map(|(_, end)| end),
        page: span.map(|_| 2),
        similarity: span.map(|_| 1.0),
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
    let run = Run {
        id: RunId::at(noon(), &[organisation.as_str(), "first"]),
        organisation_id: organisation.clone(),
        number: 1,
        criteria_set_id: set.id.clone(),
        doc_set_id: doc_set.id,
        state: RunState::Planned,
        configuration: Some(json!({"judge": "rules"})),
        configuration_hash: Some("c0ffee".into()),
        method_version: Some("compliance/1".into()),
        failure: None,
        created_at: noon(),
        started_at: None,
        ended_at: None,
    };
    let sample = Sample { organisation, set, items, documents, run };
    let documents: Vec<_> = sample.documents.iter().map(|d| d.entry.id.clone()).collect();
    let items: Vec<_> = sample.items.iter().map(|item| item.id.clone()).collect();
    let number = store.runs().plan(&sample.run, "ada", &documents, &items).await.unwrap();
    assert_eq!(number, sample.run.number);
    sample
}

/// Two documents, three criteria.
pub(crate) async fn sample(store: &Store, name: &str) -> Sample {
    sample_of(store, name, 2, 3).await
}
