//! A run becomes a package.

use std::collections::BTreeMap;

use assize_store::run_rows::{EXCHANGES, JsonRow};
use assize_store::{Instrument, Run, RunState, Store};
use assize_wire::package::{Numbers, PackageReport};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value as Json;

use super::manifest::{About, FORMAT, Manifest, Material, PackageKey};
use super::verify::left_out;
use super::{MARK, Package};
use crate::Workspace;
use crate::runs::error::{Result, RunError};

/// The columns that hold what was judged, and what was asked about it.
const MATERIAL: [(&str, &[&str]); 5] = [
    ("runs", &["material"]),
    ("run_items", &["material"]),
    ("eval_documents", &["content_text"]),
    ("eval_document_originals", &["bytes"]),
    (EXCHANGES, &["request"]),
];

/// How a run is packed.
#[derive(Debug, Default)]
pub struct PackRequest<'a> {
    /// Whether texts and files stay where they are, and only their hashes go.
    pub without_material: bool,
    /// What it is signed with.
    pub key: Option<&'a PackageKey>,
}

/// A package, and what whoever opens it will find.
#[derive(Debug)]
pub struct Packed {
    /// The file.
    pub bytes: Vec<u8>,
    /// What verifying it gives.
    pub report: PackageReport,
}

impl Workspace {
    /// Packs a finished run: everything its numbers rest on, checked before it is written.
    #[boxed]
    pub async fn pack(&self, run: &Run, request: &PackRequest<'_>) -> Result<Packed> {
        if run.state != RunState::Done {
            let (number, state) = (run.number, run.state);
            let because = format!("run #{number} is {state}: only a finished run can be packed");
            return Err(RunError::Refused(because));
        }
        let rows = self.store.rows_of_run(run, &exchange_keys).await?;
        let mut rows: BTreeMap<String, Vec<JsonRow>> =
            rows.into_iter().map(|(table, rows)| (table.to_owned(), rows)).collect();
        if request.without_material {
            leave_out(&mut rows);
        }
        let manifest = Manifest {
            assize_package: FORMAT,
            schema: Store::latest_version(),
            program: program(),
            packed_at: Utc::now(),
            packed_by: self.who.clone(),
            run: About {
                id: run.id.to_string(),
                number: run.number,
                name: run.name.clone(),
                instrument: run.instrument.to_string(),
                method: run.method_version.clone().unwrap_or_default(),
                items: run.items,
                version: run.version,
            },
            material: if request.without_material { Material::Hashes } else { Material::Included },
            numbers: Numbers::default(),
            parts: Vec::new(),
            head: String::new(),
            signature: None,
        };
        let mut package = Package { manifest, rows };
        let (mut report, marks) = package.check().await?;
        for row in package.rows.get_mut("scores").into_iter().flatten() {
            let key =
                (super::decided::number(row, "position"), super::decided::text(row, "measure"));
            let is_current = super::decided::number(row, "version") == run.version;
            if let Some(mark) = marks.get(&key).filter(|_| is_current) {
                row.insert(MARK.to_owned(), mark.word().into());
            }
        }
        package.manifest.numbers = report.numbers;
        let bytes = package.into_bytes(request.key)?;
        let manifest = Package::open(&bytes)?.manifest;
        report.head = manifest.head;
        report.signed_by = manifest.signature.map(|signature| signature.public_key);
        Ok(Packed { bytes, report })
    }
}

/// The program and its version.
pub(super) fn program() -> String {
    format!("assize {}", env!("CARGO_PKG_VERSION"))
}

/// The exchanges that a row names.
fn exchange_keys(table: &'static str, row: &JsonRow) -> Vec<String> {
    let keys = match table {
        "verdicts" => row.get("exchange_keys"),
        "runs" if row.get("instrument") == Some(&Json::from(Instrument::Council.word())) => {
            row.get("material").and_then(|material| material.get("exchanges"))
        }
        _ => None,
    };
    let keys = keys.and_then(Json::as_array).into_iter().flatten();
    keys.filter_map(Json::as_str).map(ToOwned::to_owned).collect()
}

/// Hashes in the place of material.
fn leave_out(rows: &mut BTreeMap<String, Vec<JsonRow>>) {
    for (table, columns) in MATERIAL {
        for row in rows.get_mut(table).into_iter().flatten() {
            for column in columns {
                if let Some(value) = row.get_mut(*column).filter(|value| !value.is_null()) {
                    *value = left_out(value);
                }
            }
        }
    }
}
