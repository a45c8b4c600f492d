//! What has its place only in today's tables: what else criteria have, results that were JSON
//! already, rubrics, organisations, and what people edited.

use sqlx::postgres::PgConnection;

use super::columns::{CODE, Columns, SET_OF_ITEM, from};
use super::{Adopted, count, execute};
use crate::error::StoreError;

/// Completes what was copied.
pub(super) async fn complete(
    connection: &mut PgConnection,
    columns: &Columns,
    adopted: &mut Adopted,
) -> Result<(), StoreError> {
    let with_more = execute(connection, &properties(columns)).await?;
    adopted.made.push(("criteria with category, weight or more", with_more));
    let frozen = "UPDATE eval_run_criteria AS planned SET properties = kept.properties \
        FROM eval_criteria_items AS kept WHERE kept.id = planned.criteria_item_id";
    execute(connection, frozen).await?;
    sections(connection, columns).await?;
    for column in ["scoring_rubric", "response_structure"] {
        let table = "eval_criteria_sets";
        if columns.pick(table, &["id"]).is_some() && columns.is_json(table, column) {
            let sql = format!(
                "UPDATE eval_criteria_sets AS kept SET {column} = t.{column}::jsonb FROM {} \
                 WHERE kept.id = t.id::text AND t.{column} IS NOT NULL",
                from(table)
            );
            execute(connection, &sql).await?;
        }
    }
    organisations(connection, columns, adopted).await?;
    if columns.has("eval_result_edits") {
        let edits = edits(connection, columns).await?;
        adopted.made.push(("overrides", edits));
    }
    Ok(())
}

/// Every column of a criterion that is none of ours, by its name.
fn properties(columns: &Columns) -> String {
    let table = "eval_criteria_items";
    let own = [
        columns.pick(table, SET_OF_ITEM),
        columns.pick(table, CODE),
        columns.pick(table, &["requirement", "text", "title"]),
        columns.pick(table, &["description"]),
        columns.pick(table, &["order_index", "sort_order", "display_order", "position"]),
    ];
    let own: Vec<String> = own.into_iter().flatten().map(|name| format!("'{name}'")).collect();
    format!(
        "UPDATE eval_criteria_items AS kept SET properties = more.properties FROM \
         (SELECT t.id::text AS id, jsonb_strip_nulls(to_jsonb(t) - ARRAY['id', 'created_at', \
             'updated_at', {}]) AS properties FROM {}) AS more \
         WHERE more.id = kept.id AND more.properties <> '{{}}'::jsonb",
        own.join(", "),
        from(table)
    )
}

/// Results that were sections already stay as they are.
async fn sections(connection: &mut PgConnection, columns: &Columns) -> Result<(), StoreError> {
    let table = "eval_criteria_results";
    let column = columns.pick(table, &["ai_result", "result"]);
    if let Some(column) = column.filter(|column| columns.is_json(table, column)) {
        let sql = format!(
            "UPDATE eval_criteria_results AS kept SET ai_result = t.{column}::jsonb FROM {} \
             WHERE kept.id = t.id::text",
            from(table)
        );
        execute(connection, &sql).await?;
    }
    Ok(())
}

/// Organisations are walls: if the origin had several, so have we, with its ids for names.
async fn organisations(
    connection: &mut PgConnection,
    columns: &Columns,
    adopted: &mut Adopted,
) -> Result<(), StoreError> {
    let table = "eval_criteria_sets";
    let Some(column) = columns.pick(table, &["org_id", "organisation_id", "organization_id"])
    else {
        return Ok(());
    };
    let distinct = format!("SELECT COUNT(DISTINCT t.{column}) FROM {}", from(table));
    let several = count(connection, &distinct).await?;
    if several < 2 {
        return Ok(());
    }
    let statements = [
        format!(
            "INSERT INTO organisations (id, name, created_at) SELECT DISTINCT \
             'organisation-' || t.{column}::text, t.{column}::text, now() FROM {} \
             WHERE t.{column} IS NOT NULL",
            from(table)
        ),
        format!(
            "UPDATE eval_criteria_sets AS kept SET organisation_id = \
             'organisation-' || t.{column}::text FROM {} \
             WHERE kept.id = t.id::text AND t.{column} IS NOT NULL",
            from(table)
        ),
        // A document set belongs to one organisation: each gets its own.
        "INSERT INTO eval_doc_sets (id, organisation_id, name, created_at) \
         SELECT 'adopted-' || id, id, 'Adopted evaluations', now() FROM organisations \
         WHERE id <> 'organisation-default'"
            .to_owned(),
        "UPDATE eval_runs AS run SET organisation_id = owner.organisation_id, \
         doc_set_id = 'adopted-' || owner.organisation_id FROM eval_criteria_sets AS owner \
         WHERE owner.id = run.criteria_set_id AND owner.organisation_id <> 'organisation-default'"
            .to_owned(),
        "UPDATE eval_documents AS document SET doc_set_id = run.doc_set_id FROM eval_runs AS run \
         WHERE run.id = document.id"
            .to_owned(),
        "UPDATE runs AS run SET organisation_id = old.organisation_id, number = old.place \
         FROM (SELECT id, organisation_id, row_number() OVER (PARTITION BY organisation_id \
         ORDER BY created_at, id) AS place FROM eval_runs) AS old WHERE old.id = run.id \
         AND old.organisation_id <> 'organisation-default'"
            .to_owned(),
        "UPDATE organisations SET last_run_number = COALESCE((SELECT MAX(number) FROM runs \
         WHERE runs.organisation_id = organisations.id), 0)"
            .to_owned(),
    ];
    for sql in statements {
        execute(connection, &sql).await?;
    }
    adopted.made.push(("organisations", several));
    Ok(())
}

/// What people edited stands beside the judge's result, as it did.
async fn edits(connection: &mut PgConnection, columns: &Columns) -> Result<u64, StoreError> {
    let table = "eval_result_edits";
    let results = &["criteria_result_id", "result_id"];
    let Some(result) = columns.pick(table, results) else { return Ok(0) };
    let score = columns.number(table, &["edited_score_value", "edited_score", "score_value"]);
    let status = columns.text(table, &["edited_status_id", "status_id"], "NULL::text");
    let sections = match columns.pick(table, &["edited_result", "result"]) {
        Some(column) if columns.is_json(table, column) => format!("t.{column}::jsonb"),
        Some(column) => format!(
            "CASE WHEN COALESCE(t.{column}::text, '') = '' THEN NULL \
             ELSE jsonb_build_object('explanation', t.{column}::text) END"
        ),
        None => "NULL::jsonb".to_owned(),
    };
    let version = columns.number(table, &["version"]);
    let time = columns.time(table, &["created_at", "edited_at", "updated_at"]);
    let sql = format!(
        "INSERT INTO eval_overrides (id, result_id, sequence, is_withdrawal, outcome, score, \
             sections, author, reason, created_at) \
         SELECT id, result_id, row_number() OVER (PARTITION BY result_id ORDER BY version, \
             created_at, id), FALSE, CASE WHEN score IS NULL THEN NULL ELSE 'scored' END, score, \
             sections, author, reason, created_at \
         FROM (SELECT t.id::text AS id, kept.id AS result_id, {version} AS version, \
             COALESCE({score}, option.score_value) AS score, {sections} AS sections, \
             {author} AS author, {reason} AS reason, {time} AS created_at FROM {from} \
             JOIN eval_criteria_results AS kept ON kept.id = t.{result}::text \
             LEFT JOIN eval_status_options AS option ON option.id = {status}) AS edit \
         WHERE score IS NOT NULL OR sections IS NOT NULL",
        author = columns.text(table, &["edited_by", "created_by"], "'unknown'"),
        reason = columns.text(table, &["edit_notes", "notes", "reason"], "'edited before'"),
        from = from(table)
    );
    execute(connection, &sql).await
}
