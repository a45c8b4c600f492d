//! Whether a store is sound: its file, what belongs to what, its JSON, its promises.

use async_recursion::async_recursion as boxed;
use serde::Serialize;
use serde::de::IgnoredAny;

use crate::error::Result;
use crate::migrations::LATEST;
use crate::store::Store;
use crate::tables::TABLES;
use crate::value::values;

/// What was looked at, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The version of the tables.
    pub version: i64,
    /// Rows that were counted.
    pub rows: u64,
    /// What is wrong, in words; empty if nothing is.
    pub findings: Vec<String>,
}

/// Which column refers to which table.
const RELATIONS: [(&str, &str, &str); 35] = [
    ("eval_criteria_sets", "organisation_id", "organisations"),
    ("eval_criteria_sets", "prompt_template_id", "eval_prompt_templates"),
    ("eval_prompt_templates", "organisation_id", "organisations"),
    ("eval_criteria_items", "criteria_set_id", "eval_criteria_sets"),
    ("eval_status_options", "criteria_set_id", "eval_criteria_sets"),
    ("eval_doc_sets", "organisation_id", "organisations"),
    ("eval_documents", "doc_set_id", "eval_doc_sets"),
    ("eval_document_originals", "document_id", "eval_documents"),
    ("run_documents", "run_id", "runs"),
    ("run_documents", "document_id", "eval_documents"),
    ("run_criteria", "run_id", "runs"),
    ("run_criteria", "criteria_item_id", "eval_criteria_items"),
    ("run_approvals", "run_id", "runs"),
    ("eval_opt_truth_keys", "document_id", "eval_documents"),
    ("eval_opt_truth_keys", "criteria_item_id", "eval_criteria_items"),
    ("eval_opt_candidates", "opt_run_id", "eval_opt_runs"),
    ("runs", "organisation_id", "organisations"),
    ("runs", "criteria_set_id", "eval_criteria_sets"),
    ("runs", "doc_set_id", "eval_doc_sets"),
    ("run_tags", "run_id", "runs"),
    ("run_versions", "run_id", "runs"),
    ("run_items", "run_id", "runs"),
    ("run_items", "document_id", "eval_documents"),
    ("run_items", "criteria_item_id", "eval_criteria_items"),
    ("verdicts", "run_id", "runs"),
    ("verdicts", "prompt_template_id", "eval_prompt_templates"),
    ("verdicts", "status_id", "eval_status_options"),
    ("scores", "run_id", "runs"),
    ("decisions", "run_id", "runs"),
    ("labels", "run_id", "runs"),
    ("run_item_retries", "run_id", "runs"),
    ("day_ceilings", "organisation_id", "organisations"),
    ("retentions", "organisation_id", "organisations"),
    ("identities", "user_id", "users"),
    ("run_assignments", "run_id", "runs"),
];

/// Promises that no constraint can make: what it would mean, and how many rows break it.
const PROMISES: [(&str, &str); 5] = [
    (
        "items of compliance runs that were not planned",
        "SELECT COUNT(*) AS count FROM run_items AS item \
         JOIN runs ON runs.id = item.run_id AND runs.instrument = 'compliance' WHERE NOT EXISTS \
         (SELECT 1 FROM run_documents AS document WHERE document.run_id = item.run_id \
          AND document.document_id = item.document_id) OR NOT EXISTS \
         (SELECT 1 FROM run_criteria AS planned WHERE planned.run_id = item.run_id \
          AND planned.criteria_item_id = item.criteria_item_id)",
    ),
    (
        "scores that count although nobody decided them and the judge said otherwise",
        "SELECT COUNT(*) AS count FROM scores WHERE (value <> judged OR (value IS NULL) <> \
         (judged IS NULL)) AND NOT EXISTS (SELECT 1 FROM decisions \
         WHERE decisions.run_id = scores.run_id AND decisions.position = scores.position \
         AND decisions.target = scores.measure AND decisions.kind = 'score' \
         AND decisions.is_current)",
    ),
    (
        "runs whose count of finished items is wrong",
        "SELECT COUNT(*) AS count FROM runs WHERE items_done <> \
         (SELECT COUNT(*) FROM run_items WHERE run_id = runs.id AND state = 'done') \
         OR items <> (SELECT COUNT(*) FROM run_items WHERE run_id = runs.id)",
    ),
    (
        "items that are done and have no verdict",
        "SELECT COUNT(*) AS count FROM run_items AS item WHERE item.state = 'done' AND NOT EXISTS \
         (SELECT 1 FROM verdicts AS verdict WHERE verdict.run_id = item.run_id \
          AND verdict.position = item.position AND verdict.version = 1)",
    ),
    (
        "budgets of runs that do not add up to what their requests came to",
        "SELECT COUNT(*) AS count FROM budgets WHERE scope LIKE 'run:%' AND spent <> \
         (SELECT COALESCE(SUM(CASE WHEN unit = 'tokens' THEN tokens ELSE price_nanodollars END), \
          0) FROM sends WHERE run_id = SUBSTR(scope, 5))",
    ),
];

impl Store {
    /// Looks at everything. What is wrong is told, not mended.
    #[boxed]
    pub async fn check(&self) -> Result<Checked> {
        let mut findings = self.database.integrity().await?;
        for (child, column, parent) in RELATIONS {
            let sql = format!(
                "SELECT COUNT(*) AS count FROM {child} AS child WHERE child.{column} IS NOT NULL \
                 AND NOT EXISTS (SELECT 1 FROM {parent} WHERE {parent}.id = child.{column})"
            );
            let count = self.count(&sql).await?;
            if count > 0 {
                findings.push(format!("{count} rows of {child} whose {column} refers to nothing"));
            }
        }
        for (what, sql) in PROMISES {
            let count = self.count(sql).await?;
            if count > 0 {
                findings.push(format!("{count} {what}"));
            }
        }
        findings.extend(self.unreadable_exchanges().await?);
        let mut rows = 0;
        for table in TABLES {
            rows += self.count(&format!("SELECT COUNT(*) AS count FROM {}", table.name)).await?;
        }
        Ok(Checked { version: LATEST, rows, findings })
    }

    async fn count(&self, sql: &str) -> Result<u64> {
        let row = self.database.fetch_optional(sql, &[]).await?;
        row.map_or(Ok(0), |row| row.count("count"))
    }

    /// Requests and replies are kept as text; the other JSON the databases check themselves.
    async fn unreadable_exchanges(&self) -> Result<Vec<String>> {
        let sql = "SELECT key, request, reply FROM exchanges WHERE key > $1 ORDER BY key LIMIT 256";
        let mut findings = Vec::new();
        let mut after = String::new();
        loop {
            let rows = self.database.fetch(sql, &values![&after]).await?;
            let Some(last) = rows.last() else { return Ok(findings) };
            after = last.get("key")?;
            for row in &rows {
                for column in ["request", "reply"] {
                    let text: String = row.get(column)?;
                    if serde_json::from_str::<IgnoredAny>(&text).is_err() {
                        let key: String = row.get("key")?;
                        findings.push(format!("the {column} of exchange {key} is not JSON"));
                    }
                }
            }
        }
    }
}
