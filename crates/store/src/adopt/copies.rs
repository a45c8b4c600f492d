//! What is known of the origin, copied into tables of the version that had texts and statuses.

use sqlx::postgres::PgConnection;

use super::columns::{CODE, Columns, ITEM_OF_RESULT, SET_OF_ITEM, SUMMARY_OF_RESULT, from};
use super::{Adopted, count, execute};
use crate::error::StoreError;

/// The set that holds the documents of all adopted evaluations.
pub(super) const DOCUMENTS: &str = "adopted";

const OPTIONS: [&str; 3] =
    ["eval_status_options", "eval_org_status_options", "eval_sys_status_options"];
const SCORE: &[&str] = &["ai_score_value", "score_value", "score"];
const CONFIDENCE: &[&str] = &["ai_confidence", "confidence"];

/// Copies everything, each after what it refers to.
pub(super) async fn copy(
    connection: &mut PgConnection,
    columns: &Columns,
    adopted: &mut Adopted,
) -> Result<(), StoreError> {
    let sets = execute(connection, &criteria_sets(columns)).await?;
    let items = execute(connection, &criteria_items(columns)).await?;
    let mut options = 0;
    for table in OPTIONS.into_iter().filter(|table| columns.has(table)) {
        options += execute(connection, &status_options(columns, table)).await?;
    }
    let set = format!(
        "INSERT INTO eval_doc_sets (id, name, created_at) \
         VALUES ('{DOCUMENTS}', 'Adopted evaluations', now())"
    );
    execute(connection, &set).await?;
    let documents = execute(connection, &documents(columns)).await?;
    let runs = execute(connection, &runs(columns)).await?;
    if documents > runs {
        let count = documents - runs;
        adopted.notes.push(format!("{count} evaluations have no criteria: kept as documents"));
    }
    outside(connection, columns).await?;
    let results = execute(connection, &results(columns)).await?;
    let all = "SELECT COUNT(*) FROM assize_origin.eval_criteria_results";
    let left = count(connection, all).await?.saturating_sub(results);
    if left > 0 {
        adopted.notes.push(format!(
            "{left} results are superseded or belong to nothing: kept in the original table"
        ));
    }
    adopted.made.extend([
        ("criteria sets", sets),
        ("criteria", items),
        ("status options (deprecated)", options),
        ("documents", documents),
        ("runs", runs),
        ("results", results),
    ]);
    Ok(())
}

fn criteria_sets(columns: &Columns) -> String {
    let table = "eval_criteria_sets";
    format!(
        "INSERT INTO eval_criteria_sets (id, name, description, created_at, updated_at) \
         SELECT t.id::text, {}, {}, {}, {} FROM {}",
        columns.text(table, &["name", "title"], "t.id::text"),
        columns.text(table, &["description"], "''"),
        columns.time(table, &["created_at"]),
        columns.time(table, &["updated_at", "created_at"]),
        from(table)
    )
}

/// Of criteria with the same id in a set, the later ones get a number behind it.
fn criteria_items(columns: &Columns) -> String {
    let table = "eval_criteria_items";
    let order = columns.number(table, &["order_index", "sort_order", "display_order", "position"]);
    format!(
        "INSERT INTO eval_criteria_items \
             (id, criteria_set_id, criteria_id, requirement, description, sort_order) \
         SELECT id, owner, CASE WHEN place = 1 THEN code ELSE code || ' (' || place || ')' END, \
             requirement, description, sort_order \
         FROM (SELECT t.id::text AS id, {owner} AS owner, {code} AS code, \
             {requirement} AS requirement, {description} AS description, \
             COALESCE({order}, 0)::bigint AS sort_order, \
             row_number() OVER (PARTITION BY {owner}, {code} ORDER BY {order}, t.id) AS place \
             FROM {from}) AS numbered WHERE owner <> ''",
        owner = columns.text(table, SET_OF_ITEM, "''"),
        code = columns.text(table, CODE, "t.id::text"),
        requirement = columns.text(table, &["requirement", "text", "title"], "''"),
        description = columns.text(table, &["description"], "''"),
        from = from(table)
    )
}

/// Options of an organisation belong to no set; ours do, so they go with the first.
fn status_options(columns: &Columns, table: &str) -> String {
    let score = columns.number(table, &["score_value", "score"]);
    format!(
        "INSERT INTO eval_status_options (id, criteria_set_id, name, score_value, sort_order) \
         SELECT t.id::text, {}, {}, {score}, COALESCE({}, 0)::bigint FROM {} \
         WHERE {score} IS NOT NULL AND EXISTS (SELECT 1 FROM eval_criteria_sets) \
         ON CONFLICT (id) DO NOTHING",
        columns.text(table, &["criteria_set_id"], "(SELECT MIN(id) FROM eval_criteria_sets)"),
        columns.text(table, &["name", "label"], "t.id::text"),
        columns.number(table, &["order_index", "sort_order"]),
        from(table)
    )
}

/// An evaluation is about one summary of documents, which is what its judge saw.
fn documents(columns: &Columns) -> String {
    let table = "eval_doc_summaries";
    let name = &["name", "title", "document_name", "file_name"];
    format!(
        "INSERT INTO eval_documents (id, doc_set_id, name, content_text, created_at) \
         SELECT t.id::text, '{DOCUMENTS}', {}, {}, {} FROM {}",
        columns.text(table, name, "'evaluation ' || left(t.id::text, 8)"),
        columns.text(table, &["doc_summary", "summary", "content", "document_text"], "''"),
        columns.time(table, &["created_at"]),
        from(table)
    )
}

fn runs(columns: &Columns) -> String {
    let table = "eval_doc_summaries";
    let (of_summary, of_item) = references(columns);
    let derived = format!(
        "(SELECT MIN(item.criteria_set_id) FROM assize_origin.eval_criteria_results AS result \
         JOIN eval_criteria_items AS item ON item.id = result.{of_item}::text \
         WHERE result.{of_summary} = t.id)"
    );
    format!(
        "INSERT INTO eval_runs (id, criteria_set_id, doc_set_id, status, created_at) \
         SELECT id, owner, '{DOCUMENTS}', CASE status WHEN 'processing' THEN 'in_progress' \
             WHEN 'draft' THEN 'pending' ELSE status END, created_at \
         FROM (SELECT t.id::text AS id, {} AS owner, lower({}) AS status, {} AS created_at \
             FROM {}) AS found \
         WHERE owner IN (SELECT id FROM eval_criteria_sets)",
        columns.text(table, &["criteria_set_id"], &derived),
        columns.text(table, &["status", "state"], "'completed'"),
        columns.time(table, &["created_at"]),
        from(table)
    )
}

/// The columns of a result that say what it is about.
fn references(columns: &Columns) -> (&'static str, &'static str) {
    let pick = |names| columns.pick("eval_criteria_results", names).unwrap_or("id");
    (pick(SUMMARY_OF_RESULT), pick(ITEM_OF_RESULT))
}

/// Numbers that no score and no confidence can be are refused by name, not bent.
async fn outside(connection: &mut PgConnection, columns: &Columns) -> Result<(), StoreError> {
    let table = "eval_criteria_results";
    for names in [SCORE, CONFIDENCE] {
        let Some(column) = columns.pick(table, names) else { continue };
        let sql = format!(
            "SELECT COUNT(*) FROM {} WHERE t.{column}::double precision NOT BETWEEN 0 AND 100",
            from(table)
        );
        let wrong = count(connection, &sql).await?;
        if wrong > 0 {
            let because = format!("{wrong} results have a {column} that is not from 0 to 100");
            return Err(StoreError::Refused(because));
        }
    }
    Ok(())
}

/// The latest result of each evaluation and criterion. A result without a number has the one of
/// its status, which is how the origin gave numbers.
fn results(columns: &Columns) -> String {
    let table = "eval_criteria_results";
    let (of_summary, of_item) = references(columns);
    let status = columns.text(table, &["ai_status_id", "status_id"], "NULL::text");
    let text = match columns.pick(table, &["ai_result", "result"]) {
        Some(column) if !columns.is_json(table, column) => format!("t.{column}::text"),
        _ => "NULL::text".to_owned(),
    };
    let citations = match columns.pick(table, &["ai_citations", "citations"]) {
        Some(column) => format!(
            "CASE WHEN t.{column} IS NULL THEN NULL \
             WHEN jsonb_typeof(to_jsonb(t.{column})) = 'array' THEN to_jsonb(t.{column}) \
             ELSE jsonb_build_array(to_jsonb(t.{column})) END"
        ),
        None => "NULL::jsonb".to_owned(),
    };
    let time = columns.time(table, &["created_at", "updated_at"]);
    format!(
        "INSERT INTO eval_criteria_results (id, run_id, document_id, criteria_item_id, \
             ai_status_id, ai_score_value, ai_confidence, ai_result, ai_citations, created_at) \
         SELECT DISTINCT ON (run.id, item.id) t.id::text, run.id, run.id, item.id, option.id, \
             COALESCE({score}, option.score_value), round({confidence})::bigint, {text}, \
             {citations}, {time} \
         FROM {from} JOIN eval_runs AS run ON run.id = t.{of_summary}::text \
         JOIN eval_criteria_items AS item ON item.id = t.{of_item}::text \
         LEFT JOIN eval_status_options AS option ON option.id = {status} \
         ORDER BY run.id, item.id, {time} DESC, t.id",
        score = columns.number(table, SCORE),
        confidence = columns.number(table, CONFIDENCE),
        from = from(table)
    )
}
