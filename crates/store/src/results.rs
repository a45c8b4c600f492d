//! Results: the verdicts of a compliance run, each about one document and one criterion, in the
//! version that counts.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::Row;
use crate::error::Result;
use crate::ids::{CriteriaItemId, DocumentId, OrganisationId, PromptTemplateId, RunId};
use crate::packed::unpack;
use crate::record::handle;
use crate::state::ResultOutcome;
use crate::value::{Value, values};

/// What came of one document and one criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriteriaResult {
    pub run_id: RunId,
    /// Its place in the run, from 0.
    pub position: i64,
    pub document_id: DocumentId,
    /// The criterion.
    pub criteria_item_id: CriteriaItemId,
    /// What the judge came to.
    pub judged_outcome: ResultOutcome,
    /// What counts: a person's word where there is one, or else the judge's.
    pub outcome: ResultOutcome,
    /// Why the judge has no score.
    pub reason: Option<String>,
    /// The judge's score, 0 to 100.
    pub ai_score_value: Option<f64>,
    /// The score that counts.
    pub score: Option<f64>,
    /// Whether a person decided.
    pub is_decided: bool,
    /// How sure the judge says it is, 0 to 100.
    pub ai_confidence: Option<i64>,
    /// What the judge wrote, section by section.
    pub ai_result: Option<Json>,
    /// The judge's quotes with their places.
    pub ai_citations: Option<Json>,
    /// Only in results that were adopted: the status that the judge picked.
    pub ai_status_id: Option<String>,
    /// Who judged: `rules`, `model`.
    pub judge: Option<String>,
    pub model: Option<String>,
    pub prompt_template_id: Option<PromptTemplateId>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What a result rests on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// How the score was computed.
    pub ledger: Option<Json>,
    /// The judge’s raw answer.
    pub raw_answer: Option<String>,
    /// The exchanges with models, by key.
    pub exchange_keys: Option<Json>,
}

handle!(Results, results, "The results of a store.");

/// Verdicts of a run, in the version that counts.
const VERDICTS: &str = "FROM runs JOIN run_items AS item ON item.run_id = runs.id \
    JOIN verdicts AS verdict ON verdict.run_id = item.run_id \
        AND verdict.position = item.position AND verdict.version = runs.version";

const RESULTS: &str = "LEFT JOIN scores AS score ON score.run_id = item.run_id \
        AND score.position = item.position AND score.version = runs.version \
        AND score.measure = 'score' \
    LEFT JOIN decisions AS decided ON decided.run_id = item.run_id \
        AND decided.position = item.position AND decided.target = 'score' \
        AND decided.kind = 'score' AND decided.is_current";

const COLUMNS: &str = "item.run_id, item.position, item.document_id, item.criteria_item_id, \
    verdict.judged_outcome, verdict.outcome, verdict.reason, score.judged, score.value, \
    decided.id AS decided_id, verdict.confidence, verdict.sections, verdict.citations, \
    verdict.status_id, verdict.judge, verdict.model, verdict.prompt_template_id, \
    verdict.created_at";

impl Results<'_> {
    /// The one at a place of a run.
    #[boxed]
    pub async fn at(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        position: i64,
    ) -> Result<Option<CriteriaResult>> {
        let values = values![run, organisation, position];
        Ok(self.select("AND item.position = $3", &values).await?.pop())
    }

    /// The one about a document and a criterion.
    #[boxed]
    pub async fn of_pair(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        (document, item): (&DocumentId, &CriteriaItemId),
    ) -> Result<Option<CriteriaResult>> {
        let values = values![run, organisation, document, item];
        let pair = "AND item.document_id = $3 AND item.criteria_item_id = $4";
        Ok(self.select(pair, &values).await?.pop())
    }

    /// All of a run, document by document in the order of the plan.
    #[boxed]
    pub async fn list(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<CriteriaResult>> {
        self.select("", &values![run, organisation]).await
    }

    /// Those of a run about one document, in the order of the plan.
    #[boxed]
    pub async fn of_document(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        document: &DocumentId,
    ) -> Result<Vec<CriteriaResult>> {
        let values = values![run, organisation, document];
        self.select("AND item.document_id = $3", &values).await
    }

    async fn select(&self, condition: &str, values: &[Value<'_>]) -> Result<Vec<CriteriaResult>> {
        let sql = format!(
            "SELECT {COLUMNS} {VERDICTS} {RESULTS} WHERE runs.id = $1 \
             AND runs.organisation_id = $2 {condition} ORDER BY item.position"
        );
        self.0.database.fetch(&sql, values).await?.iter().map(read).collect()
    }

    /// What one rests on.
    #[boxed]
    pub async fn evidence(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        position: i64,
    ) -> Result<Option<Evidence>> {
        let sql = format!(
            "SELECT verdict.ledger, verdict.raw_answer, verdict.exchange_keys {VERDICTS} \
             WHERE runs.id = $1 AND runs.organisation_id = $2 AND item.position = $3"
        );
        let values = values![run, organisation, position];
        let row = self.0.database.fetch_optional(&sql, &values).await?;
        let evidence = |row: Row| {
            Ok(Evidence {
                ledger: ledger(&row)?,
                raw_answer: row.get("raw_answer")?,
                exchange_keys: row.json("exchange_keys")?,
            })
        };
        row.map(evidence).transpose()
    }

    /// How the scores of the results about one document were computed, by place.
    #[boxed]
    pub async fn ledgers_of_document(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        document: &DocumentId,
    ) -> Result<Vec<(i64, Json)>> {
        let sql = format!(
            "SELECT item.position, verdict.ledger {VERDICTS} WHERE runs.id = $1 \
             AND runs.organisation_id = $2 AND item.document_id = $3 ORDER BY item.position"
        );
        let mut ledgers = Vec::new();
        for row in self.0.database.fetch(&sql, &values![run, organisation, document]).await? {
            if let Some(ledger) = ledger(&row)? {
                ledgers.push((row.get("position")?, ledger));
            }
        }
        Ok(ledgers)
    }
}

fn ledger(row: &Row) -> Result<Option<Json>> {
    row.get::<Option<Vec<u8>>>("ledger")?.as_deref().map(unpack).transpose()
}

fn read(row: &Row) -> Result<CriteriaResult> {
    Ok(CriteriaResult {
        run_id: row.get::<String>("run_id")?.into(),
        position: row.get("position")?,
        document_id: row.get::<String>("document_id")?.into(),
        criteria_item_id: row.get::<String>("criteria_item_id")?.into(),
        judged_outcome: ResultOutcome::from_word(&row.get::<String>("judged_outcome")?)?,
        outcome: ResultOutcome::from_word(&row.get::<String>("outcome")?)?,
        reason: row.get("reason")?,
        ai_score_value: row.get("judged")?,
        score: row.get("value")?,
        is_decided: row.get::<Option<String>>("decided_id")?.is_some(),
        ai_confidence: row.get("confidence")?,
        ai_result: row.json("sections")?,
        ai_citations: row.json("citations")?,
        ai_status_id: row.get("status_id")?,
        judge: row.get("judge")?,
        model: row.get("model")?,
        prompt_template_id: row.get::<Option<String>>("prompt_template_id")?.map(Into::into),
        created_at: row.get("created_at")?,
    })
}
