//! A run with all that it rests on as rows of JSON, and back into a store: what an evidence
//! package carries.
//!
//! Columns of packed JSON stand open, so that whoever holds a package can read all of it.

use async_recursion::async_recursion as boxed;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json};

use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::OrganisationId;
use crate::packed::{pack, unpack};
use crate::runs::Run;
use crate::tables::{Kind, Table, table};
use crate::transfer::{from_json, to_json};
use crate::value::{Value, values};

/// A row by its columns.
pub type JsonRow = Map<String, Json>;
/// Tables with their rows, each after those it refers to.
pub type RunRows = Vec<(&'static str, Vec<JsonRow>)>;

/// Where the exchanges of a run stand.
pub const EXCHANGES: &str = "exchanges";
/// What a store that takes a run in may have already; one row for all who use it.
const SHARED: [&str; 7] = [
    "eval_prompt_templates",
    "eval_criteria_sets",
    "eval_criteria_items",
    "eval_status_options",
    "eval_doc_sets",
    "eval_documents",
    "eval_document_originals",
];
/// The columns of such a row that must not differ.
const SAME: [(&str, &[&str]); 3] = [
    ("eval_prompt_templates", &["body"]),
    ("eval_documents", &["doc_set_id", "content_hash", "content_text"]),
    ("eval_criteria_items", &["criteria_set_id"]),
];

const DOCUMENTS: &str = "SELECT document_id FROM run_documents WHERE run_id = $1";
const CRITERIA: &str = "SELECT criteria_item_id FROM run_criteria WHERE run_id = $1";
const SET: &str = "SELECT criteria_set_id FROM runs WHERE id = $1";

/// The tables of a package with the condition on their rows; `$1` is the run.
fn parts() -> Vec<(&'static str, String)> {
    let mut parts = vec![
        (
            "eval_prompt_templates",
            format!(
                "id IN (SELECT prompt_template_id FROM verdicts WHERE run_id = $1) OR id IN \
                 (SELECT prompt_template_id FROM eval_criteria_sets WHERE id IN ({SET}))"
            ),
        ),
        ("eval_criteria_sets", format!("id IN ({SET})")),
        ("eval_criteria_items", format!("id IN ({CRITERIA})")),
        ("eval_status_options", format!("criteria_set_id IN ({SET})")),
        (
            "eval_doc_sets",
            format!(
                "id IN (SELECT doc_set_id FROM runs WHERE id = $1) OR id IN \
                 (SELECT doc_set_id FROM eval_documents WHERE id IN ({DOCUMENTS}))"
            ),
        ),
        ("eval_documents", format!("id IN ({DOCUMENTS})")),
        ("eval_document_originals", format!("document_id IN ({DOCUMENTS})")),
        ("runs", "id = $1".to_owned()),
    ];
    let of_run = [
        "run_versions",
        "run_approvals",
        "run_documents",
        "run_criteria",
        "run_items",
        "run_item_retries",
        "verdicts",
        "scores",
        "decisions",
        "labels",
    ];
    parts.extend(of_run.map(|table| (table, "run_id = $1".to_owned())));
    parts
}

/// The tables that a package may have, in the order in which they are written.
pub fn run_tables() -> Vec<&'static str> {
    parts().into_iter().map(|(name, _)| name).chain([EXCHANGES]).collect()
}

impl crate::store::Store {
    /// All rows of a run and of what it rests on, as they are at one moment. `keys` finds the
    /// exchanges that a row of the run names.
    #[boxed]
    pub async fn rows_of_run(
        &self,
        run: &Run,
        keys: &(dyn Fn(&'static str, &JsonRow) -> Vec<String> + Send + Sync),
    ) -> Result<RunRows> {
        let mut snapshot = self.database.snapshot().await?;
        let (mut rows, mut wanted) = (Vec::new(), Vec::new());
        for (name, condition) in parts() {
            let found = select(&mut snapshot, name, &condition, &values![&run.id]).await?;
            wanted.extend(found.iter().flat_map(|row| keys(name, row)));
            rows.push((name, found));
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut exchanges = Vec::new();
        for key in &wanted {
            let key = values![key.as_str()];
            exchanges.extend(select(&mut snapshot, EXCHANGES, "key = $1", &key).await?);
        }
        rows.push((EXCHANGES, exchanges));
        Ok(rows)
    }

    /// Writes the rows of a run that another store gave, all or nothing. It gets the next number
    /// here, and its name unless that is taken. Returns the number.
    #[boxed]
    pub async fn insert_run(&self, organisation: &OrganisationId, rows: RunRows) -> Result<i64> {
        let mut transaction = self.database.begin().await?;
        let mut number = 0;
        for (name, rows) in rows {
            let Some(table) = table(name) else { continue };
            let mut ready = Vec::with_capacity(rows.len());
            for mut row in rows {
                if row.contains_key("organisation_id") {
                    row.insert("organisation_id".to_owned(), organisation.as_str().into());
                }
                if SHARED.contains(&name) && is_there(&mut transaction, table, &row).await? {
                    continue;
                }
                match name {
                    "runs" => number = renumber(&mut transaction, organisation, &mut row).await?,
                    // What a search promoted is not part of a run.
                    "eval_criteria_sets" => drop(row.insert("promoted_by".into(), Json::Null)),
                    _ => {}
                }
                ready.push(closed(table, row)?);
            }
            transaction.insert(name, &table.names(), &ready, "").await?;
        }
        transaction.commit().await?;
        Ok(number)
    }
}

/// Whether the columns of a row are those of its table, each of its kind.
pub fn check_row(name: &str, row: &JsonRow) -> Result<()> {
    let table = table(name).ok_or_else(|| StoreError::Refused(format!("no table {name}")))?;
    closed(table, row.clone()).map(drop)
}

async fn select(
    snapshot: &mut Transaction,
    name: &str,
    condition: &str,
    values: &[Value<'_>],
) -> Result<Vec<JsonRow>> {
    let missing = || StoreError::Refused(format!("no table {name}"));
    let table = table(name).ok_or_else(missing)?;
    let (columns, key) = (table.names().join(", "), table.key().join(", "));
    let sql = format!("SELECT {columns} FROM {name} WHERE {condition} ORDER BY {key}");
    let rows = snapshot.fetch(&sql, values).await?;
    rows.iter().map(|row| open(table, to_json(table, row)?)).collect()
}

/// Columns that hold packed JSON.
fn packed(table: &Table) -> impl Iterator<Item = &'static str> + use<> {
    let is_packed = |(_, kind): &&(&str, Kind)| *kind == Kind::Blob;
    let columns = table.columns.iter().filter(is_packed).map(|(name, _)| *name);
    columns.filter(|name| ["material", "ledger", "evidence"].contains(name))
}

/// A row with its packed columns open.
fn open(table: &Table, mut row: JsonRow) -> Result<JsonRow> {
    for column in packed(table) {
        let Some(Json::String(text)) = row.get(column) else { continue };
        let bytes = STANDARD.decode(text).map_err(std::io::Error::other)?;
        row.insert(column.to_owned(), unpack(&bytes)?);
    }
    Ok(row)
}

/// The values of a row, its packed columns packed again.
fn closed(table: &Table, mut row: JsonRow) -> Result<Vec<Value<'static>>> {
    for column in packed(table) {
        if let Some(json) = row.get(column).filter(|json| !json.is_null()) {
            let text = STANDARD.encode(pack(json)?);
            row.insert(column.to_owned(), text.into());
        }
    }
    let name = table.name;
    from_json(table, row)
        .map_err(|column| StoreError::Refused(format!("{name}: {column} is not valid")))
}

/// Whether a row that others use too is there already. One with the same key and other content,
/// or of another organisation, is refused.
async fn is_there(transaction: &mut Transaction, table: &Table, row: &JsonRow) -> Result<bool> {
    let key = table.names()[0];
    let id = row.get(key).and_then(Json::as_str).unwrap_or_default();
    let condition = format!("{key} = $1");
    let known = select(transaction, table.name, &condition, &values![id]).await?.pop();
    let Some(known) = known else { return Ok(false) };
    let same = SAME.iter().filter(|(name, _)| *name == table.name);
    let mut same = same.flat_map(|(_, columns)| *columns).chain(&["organisation_id"]);
    match same.find(|column| known.get(**column) != row.get(**column)) {
        None => Ok(true),
        Some(column) => Err(StoreError::Refused(format!(
            "{} {id} is here already, and its {column} differs",
            table.name
        ))),
    }
}

/// Gives a run its number here; a name that is taken is left away.
async fn renumber(
    transaction: &mut Transaction,
    organisation: &OrganisationId,
    row: &mut JsonRow,
) -> Result<i64> {
    let id = row.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
    let known = transaction
        .fetch_optional("SELECT number FROM runs WHERE id = $1", &values![id.as_str()])
        .await?;
    if let Some(known) = known {
        let number: i64 = known.get("number")?;
        let because = format!("this run is here already, as #{number}");
        return Err(StoreError::Refused(because));
    }
    let sql = "UPDATE organisations SET last_run_number = last_run_number + 1 WHERE id = $1 \
        RETURNING last_run_number";
    let next = transaction.fetch_optional(sql, &values![organisation]).await?;
    let missing = || StoreError::Missing { what: "organisation", id: organisation.to_string() };
    let number: i64 = next.ok_or_else(missing)?.get("last_run_number")?;
    if let Some(name) = row.get("name").and_then(Json::as_str) {
        let sql = "SELECT id FROM runs WHERE organisation_id = $1 AND name = $2";
        if transaction.fetch_optional(sql, &values![organisation, name]).await?.is_some() {
            row.insert("name".to_owned(), Json::Null);
        }
    }
    row.insert("number".to_owned(), number.into());
    row.insert("is_baseline".to_owned(), false.into());
    Ok(number)
}
