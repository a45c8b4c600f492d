//! Evidence packages: a run as one file that a stranger can check with nothing else.
//!
//! Read in this order: the file ([`container`]), what stands first in it and the chain of hashes
//! ([`manifest`]), how a run becomes one ([`pack`]), and how it is checked ([`verify`]): scored
//! again from its evidence (`recount`), judged again from its material (`rejudge`), its quotes
//! located (`quotes`), its decisions held against its numbers (`decided`).

mod container;
mod decided;
pub mod manifest;
pub mod pack;
mod quotes;
mod recount;
mod rejudge;
pub mod verify;

use std::collections::{BTreeMap, BTreeSet};

use assize_exports::oscal::AttachedPackage;
use assize_store::run_rows::{EXCHANGES, JsonRow, RunRows, check_row, run_tables};
use assize_store::{Run, Store};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use self::manifest::{Manifest, Material, canonical};
use super::error::{Result, RunError};
use crate::Workspace;

pub use container::FILE_MAX;

/// How a package is named.
pub const ENDING: &str = "assize";
/// What stands first in a package.
const MANIFEST: &str = "manifest.json";
/// The column of a score that says how the number came about.
const MARK: &str = "mark";
/// What stands for material that did not leave.
const HASH_ONLY: &str = "sha256_of_what_was_left_out";

/// A package whose hashes hold.
#[derive(Debug)]
pub struct Package {
    /// What it says of itself.
    pub manifest: Manifest,
    rows: BTreeMap<String, Vec<JsonRow>>,
}

fn refused(part: impl Into<String>, problem: impl Into<String>) -> RunError {
    RunError::Package { part: part.into(), problem: problem.into() }
}

fn file_name(table: &str) -> String {
    format!("{table}.jsonl")
}

impl Package {
    /// Reads a package and checks every hash. What does not hold is named.
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let tables = run_tables();
        let names: Vec<String> = tables.iter().map(|table| file_name(table)).collect();
        let mut archive = container::Archive::open(bytes, MANIFEST, &names)?;
        let manifest = Manifest::read(&archive.part(MANIFEST, manifest::BYTES_MAX)?)?;
        let stated: Vec<&str> = manifest.parts.iter().map(|part| part.name.as_str()).collect();
        if let Some(missing) = names.iter().find(|name| !stated.contains(&name.as_str())) {
            return Err(refused(missing, "the manifest does not list it"));
        }
        if stated != names {
            return Err(refused(MANIFEST, "its parts are not those of a run, in their order"));
        }
        manifest.check_size()?;
        let mut rows = BTreeMap::new();
        let mut chain = manifest::Chain::default();
        for (part, table) in manifest.parts.iter().zip(&tables) {
            let content = archive.part(&part.name, part.bytes)?;
            chain.add(part, &content)?;
            rows.insert((*table).to_owned(), read_rows(&part.name, table, &content)?);
        }
        manifest.check_head(&chain)?;
        let package = Self { manifest, rows };
        package.check_run()?;
        Ok(package)
    }

    /// How a file that holds a package of a run is named in other reports.
    pub fn attached(bytes: &[u8], name: &str, run: &Run) -> Result<AttachedPackage> {
        let manifest = Self::open(bytes)?.manifest;
        if manifest.run.id != run.id.as_str() {
            return Err(refused(name, format!("it is not a package of run #{}", run.number)));
        }
        let sha256 = manifest::hex(&manifest::hash(&[bytes]));
        Ok(AttachedPackage { name: name.to_owned(), sha256, head: manifest.head })
    }

    /// The bytes of the file. The manifest gets the hashes of its parts.
    fn into_bytes(mut self, key: Option<&manifest::PackageKey>) -> Result<Vec<u8>> {
        let mut files = Vec::new();
        let mut chain = manifest::Chain::default();
        self.manifest.parts = Vec::new();
        for table in run_tables() {
            let mut text = String::new();
            for row in self.rows.remove(table).unwrap_or_default() {
                text.push_str(&canonical(&Json::Object(row)));
                text.push('\n');
            }
            self.manifest.parts.push(chain.append(&file_name(table), text.as_bytes()));
            files.push((file_name(table), text.into_bytes()));
        }
        self.manifest.check_size()?;
        self.manifest.seal(&chain, key);
        let first = (MANIFEST.to_owned(), self.manifest.to_text().into_bytes());
        Ok(container::write([first].into_iter().chain(files))?)
    }

    fn rows(&self, table: &str) -> &[JsonRow] {
        self.rows.get(table).map(Vec::as_slice).unwrap_or_default()
    }

    /// The run itself.
    fn run_row(&self) -> Result<&JsonRow> {
        match self.rows("runs") {
            [run] => Ok(run),
            others => Err(refused(file_name("runs"), format!("{} runs", others.len()))),
        }
    }

    /// Whether every row belongs to the one run, and refers to nothing outside.
    fn check_run(&self) -> Result<()> {
        let run = self.run_row()?;
        let (id, about) = (run.get("id"), &self.manifest.run);
        for (name, stated) in [
            ("id", &about.id),
            ("instrument", &about.instrument),
            ("method_version", &about.method),
        ] {
            if run.get(name).and_then(Json::as_str).unwrap_or_default() != stated {
                return Err(refused(MANIFEST, format!("its {name} is not the run's")));
            }
        }
        if run.get("state") != Some(&Json::from("done")) {
            return Err(refused(file_name("runs"), "the run is not done"));
        }
        for (table, rows) in &self.rows {
            if rows.iter().any(|row| row.get("run_id").is_some_and(|of| Some(of) != id)) {
                return Err(refused(file_name(table), "a row belongs to another run"));
            }
        }
        for (table, column, of) in [
            ("eval_documents", "doc_set_id", "eval_doc_sets"),
            ("eval_document_originals", "document_id", "eval_documents"),
            ("eval_criteria_items", "criteria_set_id", "eval_criteria_sets"),
            ("run_documents", "document_id", "eval_documents"),
            ("run_criteria", "criteria_item_id", "eval_criteria_items"),
        ] {
            let text = |row: &'_ JsonRow, column: &str| {
                row.get(column).and_then(Json::as_str).map(ToOwned::to_owned)
            };
            let known: BTreeSet<String> =
                self.rows(of).iter().filter_map(|row| text(row, "id")).collect();
            let is_strange =
                |row: &JsonRow| text(row, column).is_none_or(|id| !known.contains(&id));
            if self.rows(table).iter().any(is_strange) {
                return Err(refused(file_name(table), format!("a row has no {of} in the package")));
            }
        }
        Ok(())
    }

    /// The rows as a store takes them.
    fn to_rows(&self) -> RunRows {
        let rows = |table: &'static str| {
            let mut rows = self.rows(table).to_vec();
            for row in &mut rows {
                row.remove(MARK);
                empty_hashes(row);
            }
            (table, rows)
        };
        run_tables().into_iter().map(rows).collect()
    }

    /// The run in a store of its own, which goes when this does. `change` may open items again.
    #[boxed]
    async fn unpack(&self, change: &(dyn Fn(&mut RunRows) + Sync)) -> Result<Unpacked> {
        let folder = tempfile::tempdir()?;
        let store = Store::open(&folder.path().join("package.db")).await?;
        let workspace = Workspace::over(store);
        let mut rows = self.to_rows();
        change(&mut rows);
        let number = workspace.store.insert_run(&workspace.organisation, rows).await?;
        let run = workspace.store.runs().numbered(&workspace.organisation, number).await?;
        let run = run.ok_or_else(|| RunError::Missing(number.to_string()))?;
        Ok(Unpacked { workspace, run, _folder: folder })
    }
}

/// A package in a store of its own.
#[derive(Debug)]
pub(crate) struct Unpacked {
    /// The store.
    pub workspace: Workspace,
    pub run: Run,
    _folder: tempfile::TempDir,
}

impl Workspace {
    /// Takes the run of a package in. Replies of models stay in the package: what others wrote
    /// down never answers a question that is asked here.
    #[boxed]
    pub async fn import_package(&self, package: &Package) -> Result<Run> {
        if package.manifest.material == Material::Hashes {
            let because = "this package has only the hashes of its material: it can be verified, \
                           not imported";
            return Err(RunError::Refused(because.to_owned()));
        }
        let mut rows = package.to_rows();
        rows.retain(|(table, _)| *table != EXCHANGES);
        let number = self.store.insert_run(&self.organisation, rows).await?;
        let run = self.store.runs().numbered(&self.organisation, number).await?;
        let run = run.ok_or_else(|| RunError::Missing(number.to_string()))?;
        let head = Some(Json::from(package.manifest.head.as_str()));
        self.note(["import", "run", run.id.as_str()], (None, head)).await?;
        Ok(run)
    }
}

/// The rows of a part: one line each, in canonical form.
fn read_rows(name: &str, table: &str, content: &[u8]) -> Result<Vec<JsonRow>> {
    let text = std::str::from_utf8(content).map_err(|error| refused(name, error.to_string()))?;
    let mut rows = Vec::new();
    for (index, line) in text.split_terminator('\n').enumerate() {
        let at = |problem: String| refused(format!("{name}, line {}", index + 1), problem);
        let row: Json = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        if canonical(&row) != line {
            return Err(at("not in canonical form".to_owned()));
        }
        let Json::Object(mut row) = row else { return Err(at("not a row".to_owned())) };
        let mark = if table == "scores" { row.remove(MARK) } else { None };
        let mut plain = row.clone();
        empty_hashes(&mut plain);
        check_row(table, &plain).map_err(|error| at(error.to_string()))?;
        row.extend(mark.map(|mark| (MARK.to_owned(), mark)));
        rows.push(row);
    }
    Ok(rows)
}

/// What stands for material that was left out, as a store takes it.
fn empty_hashes(row: &mut JsonRow) {
    for (column, value) in row.iter_mut().filter(|(_, value)| value.get(HASH_ONLY).is_some()) {
        *value = if column == "material" { Json::Null } else { Json::from("") };
    }
}
