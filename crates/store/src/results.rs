//! Results: what came of one document and one criterion, with its evidence and its quotes.
//!
//! A result is written once, by whoever holds the lease of its item, together with all that
//! belongs to it, or not at all ([`Store::finish`](crate::Store::finish)).

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::{Row, Transaction};
use crate::error::StoreError;
use crate::ids::{CriteriaItemId, DocumentId, OrganisationId, PromptTemplateId, ResultId, RunId};
use crate::state::ResultOutcome;
use crate::store::Store;
use crate::value::{Value, values};

/// What came of one document and one criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriteriaResult {
    /// Which one; for new ones [`ResultId::in_run`].
    pub id: ResultId,
    /// The run.
    pub run_id: RunId,
    /// The document.
    pub document_id: DocumentId,
    /// The criterion.
    pub criteria_item_id: CriteriaItemId,
    /// Whether there is a score.
    pub outcome: ResultOutcome,
    /// Why there is none.
    pub reason: Option<String>,
    /// The judge's score, 0 to 100.
    pub ai_score_value: Option<f64>,
    /// How sure the judge says it is, 0 to 100.
    pub ai_confidence: Option<i64>,
    /// What the judge wrote, section by section.
    pub ai_result: Option<Json>,
    /// The judge's quotes as it gave them.
    pub ai_citations: Option<Json>,
    /// Only in results from before scores were given directly.
    pub ai_status_id: Option<String>,
    /// Who judged: `rules`, `model`.
    pub judge: Option<String>,
    /// Which model.
    pub model: Option<String>,
    /// Which prompt.
    pub prompt_template_id: Option<PromptTemplateId>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What a result rests on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// How the score was computed.
    pub ledger: Option<Json>,
    /// The prompt as it was sent.
    pub prompt: Option<String>,
    /// The judge’s raw answer.
    pub raw_answer: Option<String>,
    /// The exchanges with models, by key.
    pub exchange_keys: Option<Json>,
}

/// A quote of the judge, and where it stands in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// The words.
    pub quote: String,
    /// How they were found: `exact`, `normalised`, `fuzzy`, `not_found`.
    pub matched: String,
    /// Where they begin in the text.
    pub start_offset: Option<i64>,
    /// Where they end.
    pub end_offset: Option<i64>,
    /// On which page, from 1.
    pub page: Option<i64>,
    /// How alike, 0 to 1.
    pub similarity: Option<f64>,
}

/// A result with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewResult {
    /// The result.
    pub result: CriteriaResult,
    /// What it rests on.
    pub evidence: Evidence,
    /// Its quotes, in order.
    pub citations: Vec<Citation>,
}

/// The results of a store.
#[derive(Debug, Clone, Copy)]
pub struct Results<'a>(&'a Store);

impl Store {
    /// The results.
    pub fn results(&self) -> Results<'_> {
        Results(self)
    }
}

const RESULT: [&str; 15] = [
    "id",
    "run_id",
    "document_id",
    "criteria_item_id",
    "outcome",
    "reason",
    "ai_score_value",
    "ai_confidence",
    "ai_result",
    "ai_citations",
    "ai_status_id",
    "judge",
    "model",
    "prompt_template_id",
    "created_at",
];

impl Results<'_> {
    /// The one with this id.
    #[boxed]
    pub async fn get(
        &self,
        organisation: &OrganisationId,
        id: &ResultId,
    ) -> Result<Option<CriteriaResult>, StoreError> {
        let sql = "SELECT result.* FROM eval_criteria_results AS result \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE result.id = $1 AND run.organisation_id = $2";
        let row = self.0.database.fetch_optional(sql, &values![id, organisation]).await?;
        row.as_ref().map(read).transpose()
    }

    /// All of a run, document by document in the order of the plan.
    #[boxed]
    pub async fn list(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<CriteriaResult>, StoreError> {
        let sql = format!("SELECT result.* {OF_RUN} {WALLS} {IN_ORDER}");
        self.0.database.fetch(&sql, &values![run, organisation]).await?.iter().map(read).collect()
    }

    /// Those of a run about one document, in the order of the plan.
    #[boxed]
    pub async fn of_document(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        document: &DocumentId,
    ) -> Result<Vec<CriteriaResult>, StoreError> {
        let sql =
            format!("SELECT result.* {OF_RUN} {WALLS} AND result.document_id = $3 {IN_ORDER}");
        let rows = self.0.database.fetch(&sql, &values![run, organisation, document]).await?;
        rows.iter().map(read).collect()
    }

    /// What one rests on.
    #[boxed]
    pub async fn evidence(
        &self,
        organisation: &OrganisationId,
        id: &ResultId,
    ) -> Result<Option<Evidence>, StoreError> {
        let sql = "SELECT evidence.* FROM eval_result_evidence AS evidence \
            JOIN eval_criteria_results AS result ON result.id = evidence.result_id \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE result.id = $1 AND run.organisation_id = $2";
        let row = self.0.database.fetch_optional(sql, &values![id, organisation]).await?;
        row.as_ref().map(read_evidence).transpose()
    }

    /// What the results about one document rest on.
    #[boxed]
    pub async fn evidence_of_document(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        document: &DocumentId,
    ) -> Result<Vec<(ResultId, Evidence)>, StoreError> {
        let sql = format!(
            "SELECT evidence.* {OF_RUN} JOIN eval_result_evidence AS evidence \
             ON evidence.result_id = result.id {WALLS} AND result.document_id = $3 {IN_ORDER}"
        );
        let rows = self.0.database.fetch(&sql, &values![run, organisation, document]).await?;
        let pair = |row| Ok((Row::get::<String>(row, "result_id")?.into(), read_evidence(row)?));
        rows.iter().map(pair).collect()
    }

    /// The quotes of one, in order.
    #[boxed]
    pub async fn citations(
        &self,
        organisation: &OrganisationId,
        id: &ResultId,
    ) -> Result<Vec<Citation>, StoreError> {
        let sql = "SELECT citation.* FROM eval_citations AS citation \
            JOIN eval_criteria_results AS result ON result.id = citation.result_id \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE result.id = $1 AND run.organisation_id = $2 ORDER BY citation.position";
        let rows = self.0.database.fetch(sql, &values![id, organisation]).await?;
        rows.iter().map(read_citation).collect()
    }

    /// The quotes of all results of a run, in order.
    #[boxed]
    pub async fn citations_of_run(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<(ResultId, Citation)>, StoreError> {
        let sql = format!(
            "SELECT citation.* {OF_RUN} JOIN eval_citations AS citation \
             ON citation.result_id = result.id {WALLS} {IN_ORDER}, citation.position"
        );
        let rows = self.0.database.fetch(&sql, &values![run, organisation]).await?;
        let pair = |row| Ok((Row::get::<String>(row, "result_id")?.into(), read_citation(row)?));
        rows.iter().map(pair).collect()
    }
}

const OF_RUN: &str = "FROM eval_runs AS run \
    JOIN eval_criteria_results AS result ON result.run_id = run.id \
    LEFT JOIN eval_run_documents AS document ON document.run_id = run.id \
        AND document.document_id = result.document_id \
    LEFT JOIN eval_run_criteria AS item ON item.run_id = run.id \
        AND item.criteria_item_id = result.criteria_item_id";
const WALLS: &str = "WHERE run.id = $1 AND run.organisation_id = $2";
const IN_ORDER: &str = "ORDER BY document.position, item.position, result.id";

/// A number belongs to a score and to nothing else.
pub(crate) fn check(run: &RunId, NewResult { result, .. }: &NewResult) -> Result<(), StoreError> {
    let is_scored = result.outcome == ResultOutcome::Scored;
    let because = if result.run_id != *run {
        "belongs to another run"
    } else if is_scored != result.ai_score_value.is_some() {
        "has a score if and only if it is scored"
    } else if result.ai_score_value.is_some_and(|score| !(0.0..=100.0).contains(&score)) {
        "has a score outside 0 to 100"
    } else {
        return Ok(());
    };
    Err(StoreError::Refused(format!("a result {because}: {}", result.id)))
}

/// Writes results with all that belongs to them.
pub(crate) async fn insert(
    transaction: &mut Transaction,
    results: &[&NewResult],
) -> Result<(), StoreError> {
    let rows: Vec<_> = results.iter().map(|new| row(&new.result)).collect();
    transaction.insert("eval_criteria_results", &RESULT, &rows, "").await?;
    insert_evidence(transaction, results).await?;
    insert_citations(transaction, results).await
}

async fn insert_evidence(
    transaction: &mut Transaction,
    results: &[&NewResult],
) -> Result<(), StoreError> {
    let rows: Vec<_> = results
        .iter()
        .map(|NewResult { result, evidence, .. }| {
            let Evidence { ledger, prompt, raw_answer, exchange_keys } = evidence;
            values![&result.id, ledger, prompt, raw_answer, exchange_keys]
        })
        .collect();
    let columns = ["result_id", "ledger", "prompt", "raw_answer", "exchange_keys"];
    transaction.insert("eval_result_evidence", &columns, &rows, "").await?;
    Ok(())
}

async fn insert_citations(
    transaction: &mut Transaction,
    results: &[&NewResult],
) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for NewResult { result, citations, .. } in results {
        for (position, citation) in (0_i64..).zip(citations) {
            let Citation { quote, matched, start_offset, end_offset, page, similarity } = citation;
            let (start, end, page) = (*start_offset, *end_offset, *page);
            rows.push(values![&result.id, position, quote, matched, start, end, page, *similarity]);
        }
    }
    let columns = [
        "result_id",
        "position",
        "quote",
        "matched",
        "start_offset",
        "end_offset",
        "page",
        "similarity",
    ];
    transaction.insert("eval_citations", &columns, &rows, "").await?;
    Ok(())
}

fn row(result: &CriteriaResult) -> [Value<'_>; RESULT.len()] {
    values![
        &result.id,
        &result.run_id,
        &result.document_id,
        &result.criteria_item_id,
        result.outcome,
        &result.reason,
        result.ai_score_value,
        result.ai_confidence,
        &result.ai_result,
        &result.ai_citations,
        &result.ai_status_id,
        &result.judge,
        &result.model,
        &result.prompt_template_id,
        result.created_at,
    ]
}

fn read(row: &Row) -> Result<CriteriaResult, StoreError> {
    Ok(CriteriaResult {
        id: row.get::<String>("id")?.into(),
        run_id: row.get::<String>("run_id")?.into(),
        document_id: row.get::<String>("document_id")?.into(),
        criteria_item_id: row.get::<String>("criteria_item_id")?.into(),
        outcome: ResultOutcome::from_word(&row.get::<String>("outcome")?)?,
        reason: row.get("reason")?,
        ai_score_value: row.get("ai_score_value")?,
        ai_confidence: row.get("ai_confidence")?,
        ai_result: row.json("ai_result")?,
        ai_citations: row.json("ai_citations")?,
        ai_status_id: row.get("ai_status_id")?,
        judge: row.get("judge")?,
        model: row.get("model")?,
        prompt_template_id: row.get::<Option<String>>("prompt_template_id")?.map(Into::into),
        created_at: row.get("created_at")?,
    })
}

fn read_evidence(row: &Row) -> Result<Evidence, StoreError> {
    Ok(Evidence {
        ledger: row.json("ledger")?,
        prompt: row.get("prompt")?,
        raw_answer: row.get("raw_answer")?,
        exchange_keys: row.json("exchange_keys")?,
    })
}

fn read_citation(row: &Row) -> Result<Citation, StoreError> {
    Ok(Citation {
        quote: row.get("quote")?,
        matched: row.get("matched")?,
        start_offset: row.get("start_offset")?,
        end_offset: row.get("end_offset")?,
        page: row.get("page")?,
        similarity: row.get("similarity")?,
    })
}
