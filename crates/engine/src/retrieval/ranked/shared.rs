//! Which of several columns hold the identifiers: those whose values both files share.
//!
//! A frame of `PyTerrier` has `docid` beside `docno`, an export `query_id` beside `qid`; which of
//! them the judgements go by is told by their values and not by their names.

use std::collections::BTreeSet;
use std::path::Path;

use super::error::Result;
use super::format::{self, DOCUMENT_NAMES, Kind, QUERY_NAMES, Value};
use super::lists::Lists;
use super::names::names;
use super::options::{Columns, Format, Reading};
use super::{json, table};
use crate::input::{head, open_bytes};

/// How much of a table is looked at.
const HEAD_BYTES: u64 = 4 << 20;

/// A file and how it is read.
pub(crate) struct Table<'a> {
    /// Where it is.
    pub(crate) path: &'a Path,
    pub(crate) reading: &'a mut Reading,
}

/// Names the columns of judgements and their runs where there are several that could be meant.
pub(crate) fn choose_columns(gold: &mut Table<'_>, runs: &mut [Table<'_>]) -> Result<()> {
    let of_gold = Candidates::new(gold.path, Kind::Qrels, gold.reading)?;
    let of_runs: Result<Vec<Candidates>> =
        runs.iter().map(|run| Candidates::new(run.path, Kind::Run, run.reading)).collect();
    let of_runs = of_runs?;
    for role in [Role::Query, Role::Document] {
        let mut judged = of_gold.values(gold.path, role);
        for (run, candidates) in runs.iter_mut().zip(&of_runs) {
            if judged.len() < 2 && candidates.of(role).len() < 2 {
                continue;
            }
            let Some((theirs, ours)) = best(&judged, &candidates.values(run.path, role)) else {
                continue;
            };
            role.set(&mut gold.reading.columns, judged[theirs].0.as_ref());
            role.set(&mut run.reading.columns, ours.as_ref());
            // All runs are scored against the same judgements.
            judged = vec![judged.swap_remove(theirs)];
        }
    }
    Ok(())
}

/// A column, if the format has named ones, and some of what it holds.
type Values = (Option<String>, BTreeSet<Vec<u8>>);

/// The two columns that share most, the usual ones among equals; none where nothing is shared.
fn best(judged: &[Values], run: &[Values]) -> Option<(usize, Option<String>)> {
    let mut best = None;
    let mut shared_most = 0;
    for (index, (_, theirs)) in judged.iter().enumerate() {
        for (name, ours) in run {
            let shared = ours.intersection(theirs).count();
            if shared > shared_most {
                shared_most = shared;
                best = Some((index, name.clone()));
            }
        }
    }
    best
}

/// What a column identifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Query,
    Document,
}

impl Role {
    fn set(self, columns: &mut Columns, name: Option<&String>) {
        if let Some(name) = name {
            let column = match self {
                Self::Query => &mut columns.query,
                Self::Document => &mut columns.document,
            };
            *column = Some(name.clone());
        }
    }
}

/// The columns of a file that may be meant.
struct Candidates {
    kind: Kind,
    columns: Columns,
    queries: Vec<String>,
    documents: Vec<String>,
}

impl Candidates {
    fn new(path: &Path, kind: Kind, reading: &Reading) -> Result<Self> {
        let present = names(path, kind)?.unwrap_or_default();
        let candidates = |stated: &Option<String>, usual: &[&str]| {
            if let Some(name) = stated {
                return vec![name.clone()];
            }
            let is_called = |name: &&str, known: &&String| known.eq_ignore_ascii_case(name);
            let usual =
                usual.iter().filter_map(|name| present.iter().find(|known| is_called(name, known)));
            usual.cloned().collect()
        };
        Ok(Self {
            kind,
            queries: candidates(&reading.columns.query, QUERY_NAMES),
            documents: candidates(&reading.columns.document, DOCUMENT_NAMES),
            columns: reading.columns.clone(),
        })
    }

    fn of(&self, role: Role) -> &[String] {
        match role {
            Role::Query => &self.queries,
            Role::Document => &self.documents,
        }
    }

    /// What each candidate holds; one that cannot be read holds nothing.
    fn values(&self, path: &Path, role: Role) -> Vec<Values> {
        let of = |name: Option<&String>| {
            let mut columns = self.columns.clone();
            role.set(&mut columns, name);
            let values = match self.kind {
                Kind::Qrels => identifiers::<i32>(path, self.kind, &columns, role),
                Kind::Run => identifiers::<f64>(path, self.kind, &columns, role),
            };
            (name.cloned(), values.unwrap_or_default())
        };
        match self.of(role) {
            [] => vec![of(None)],
            names => names.iter().map(|name| of(Some(name))).collect(),
        }
    }
}

/// The identifiers of a file: of a table those that stand first.
fn identifiers<V: Value>(
    path: &Path,
    kind: Kind,
    columns: &Columns,
    role: Role,
) -> Option<BTreeSet<Vec<u8>>> {
    let start = head(path, HEAD_BYTES).ok()??;
    let format = format::detect(&start, path, kind);
    let whole_lines = || match memchr::memrchr(b'\n', &start) {
        Some(end) if start.len() as u64 >= HEAD_BYTES => &start[..end],
        _ => &start[..],
    };
    let lists: Lists<V> = match format {
        Format::Table => table::read(path, whole_lines(), columns),
        Format::JsonLines => json::read_lines(path, whole_lines(), columns),
        Format::Json => json::read(path, &open_bytes(path).ok()?, columns),
        Format::Columns => super::bare::read(path, whole_lines()),
        Format::Trec => return Some(trec_identifiers(whole_lines(), role)),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::read(path, open_bytes(path).ok()?, columns),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => return None,
    }
    .ok()?;
    let queries = || (0..lists.len()).map(|query| lists.query(query).to_vec()).collect();
    let documents = || {
        let items = (0..lists.len()).flat_map(|query| lists.items(query));
        items.map(|item| lists.document(item).to_vec()).collect()
    };
    Some(if role == Role::Query { queries() } else { documents() })
}

/// The same of TREC's lines, whatever is wrong with them.
fn trec_identifiers(text: &[u8], role: Role) -> BTreeSet<Vec<u8>> {
    let place = if role == Role::Query { 0 } else { 2 };
    let field = |line: &[u8]| {
        let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        fields.nth(place).map(<[u8]>::to_vec)
    };
    text.split(|byte| *byte == b'\n').filter_map(field).collect()
}
