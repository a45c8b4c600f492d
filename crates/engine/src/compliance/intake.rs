//! Files that people have: criteria and truth keys out of CSV, XLSX and JSON, and back.

pub use assize_documents::criteria::CatalogHead;
use assize_documents::criteria::{self, CriteriaError};
use assize_documents::import::Imported as Rows;
use assize_documents::table::{self, BadRow, TableError};
pub use assize_documents::table::{Mapping, Reading};
use assize_documents::truth;
use assize_methods::compliance::Criterion;
use assize_store::CriteriaItem;
use serde_json::{Map, Value};
use thiserror::Error;

use super::criteria::Imported;
use super::set_verdicts::{CATEGORY, WEIGHT, category, stated_weight};

/// Why a file brings nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IntakeError {
    /// It is no table that can be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It does not hold what is looked for.
    #[error(transparent)]
    Content(#[from] CriteriaError),
    /// JSON that is not text.
    #[error("the file is not UTF-8 text")]
    NotText,
    /// Prose where a table is looked for.
    #[error(
        "it is a document and no list of criteria: put them into a CSV or XLSX file with the columns \
         `criteria_id` and `requirement`, or give OSCAL JSON"
    )]
    Document,
}

impl IntakeError {
    /// Whether a column is not there, or it is not clear which one is meant.
    pub fn is_about_columns(&self) -> bool {
        matches!(
            self,
            Self::Content(
                CriteriaError::NoColumn { .. }
                    | CriteriaError::NoSuchColumn { .. }
                    | CriteriaError::NoField { .. }
                    | CriteriaError::Doubtful { .. }
                    | CriteriaError::TwoUses { .. }
            )
        )
    }
}

/// What a file held.
#[derive(Debug, Clone)]
pub struct FileRead<T> {
    /// What is good, in order.
    pub items: Vec<T>,
    /// Rows that could not be used, each with its number and the reason.
    pub problems: Vec<String>,
    /// How many they are.
    pub unusable: usize,
    /// What there is to know besides.
    pub notices: Vec<String>,
}

/// Reads criteria: a table, or the JSON of an OSCAL catalog.
pub fn read_criteria(bytes: &[u8], name: &str) -> Result<FileRead<Imported>, IntakeError> {
    read_criteria_by(bytes, name, &Reading::default())
}

/// The same where the user says which sheet it is and which column holds what.
pub(crate) fn read_criteria_by(
    bytes: &[u8],
    name: &str,
    reading: &Reading,
) -> Result<FileRead<Imported>, IntakeError> {
    if is_json(bytes) {
        return Ok(file(criteria::from_oscal(text(bytes)?)?, imported));
    }
    let rows = || -> Result<_, IntakeError> {
        let table = table::read_for(bytes, name, reading, &criteria::known_names())?;
        Ok(criteria::from_table_by(&table, &reading.mapping)?)
    };
    let rows =
        rows().map_err(|error| if is_document(name) { IntakeError::Document } else { error });
    Ok(file(rows?, imported))
}

/// An OSCAL profile as the catalog that it comes to; any other file as it is. `load` gives the
/// content of what the profile refers to.
pub fn resolve_profile(
    bytes: Vec<u8>,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Vec<u8>, IntakeError> {
    if !is_json(&bytes) || !criteria::is_profile(text(&bytes)?) {
        return Ok(bytes);
    }
    Ok(criteria::resolve(text(&bytes)?, load)?.into_bytes())
}

/// Reads truth keys: a table, or JSON.
pub fn read_truth(bytes: &[u8], name: &str) -> Result<FileRead<truth::TruthKey>, IntakeError> {
    read_truth_by(bytes, name, &Reading::default())
}

/// The same where the user says which sheet it is and which column holds what.
pub fn read_truth_by(
    bytes: &[u8],
    name: &str,
    reading: &Reading,
) -> Result<FileRead<truth::TruthKey>, IntakeError> {
    let read = if is_json(bytes) {
        truth::from_json(text(bytes)?)?
    } else {
        let table = table::read_for(bytes, name, reading, &truth::known_names())?;
        truth::from_table_by(&table, &reading.mapping)?
    };
    Ok(file(read, |key| key))
}

/// Whether a file is a report of ours: it is about documents, and none of them.
pub fn is_own_export(bytes: &[u8]) -> bool {
    let holds = |words: &[u8]| bytes.windows(words.len()).any(|window| window == words);
    if bytes.starts_with(b"%PDF") {
        return holds(b"/Creator (Assize)");
    }
    holds("· Assize</title>".as_bytes()) && holds(b"Made by Assize ")
}

/// Criteria as a file: a table, or an OSCAL catalog.
pub fn write_criteria(items: &[CriteriaItem], name: &str, head: &CatalogHead) -> Vec<u8> {
    let items: Vec<criteria::Criterion> = items.iter().map(plain).collect();
    match name.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
        Some("json") => criteria::to_oscal(&items, head).into_bytes(),
        Some("xlsx") => criteria::to_table(&items).to_xlsx(),
        _ => criteria::to_table(&items).to_csv().into_bytes(),
    }
}

/// A table to fill in: a row for every document and criterion.
pub fn truth_template(
    documents: &[String],
    items: &[CriteriaItem],
    sections: &[String],
    name: &str,
) -> Vec<u8> {
    let items: Vec<criteria::Criterion> = items.iter().map(plain).collect();
    let table = truth::template(documents, &items, sections);
    if name.to_ascii_lowercase().ends_with(".xlsx") {
        return table.to_xlsx();
    }
    table.to_csv().into_bytes()
}

fn plain(item: &CriteriaItem) -> criteria::Criterion {
    criteria::Criterion {
        criteria_id: item.criteria_id.clone(),
        requirement: item.requirement.clone(),
        description: item.description.clone(),
        order: item.sort_order,
        category: category(item.properties.as_ref()),
        weight: stated_weight(item.properties.as_ref()),
    }
}

fn imported(item: criteria::Criterion) -> Imported {
    let criterion = Criterion::new(item.criteria_id, item.requirement, item.description);
    let category = item.category.map(|name| (CATEGORY, name.into()));
    let weight = item.weight.map(|weight| (WEIGHT, weight.into()));
    let properties: Map<String, Value> = category
        .into_iter()
        .chain(weight)
        .map(|(name, value): (&str, Value)| (name.to_owned(), value))
        .collect();
    let properties = (!properties.is_empty()).then_some(Value::Object(properties));
    Imported { criterion, properties }
}

fn file<S, T>(read: Rows<S>, make: impl Fn(S) -> T) -> FileRead<T> {
    FileRead {
        problems: problems(&read.bad_rows),
        unusable: read.bad_rows.len(),
        items: read.items.into_iter().map(make).collect(),
        notices: read.notices,
    }
}

/// How many rows with the same problem are named by their numbers.
const ROWS_NAMED_MAX: usize = 8;

/// One line for one cause, however many rows have it: the first in full, the others by number.
fn problems(bad_rows: &[BadRow]) -> Vec<String> {
    let mut causes: Vec<(String, Vec<&BadRow>)> = Vec::new();
    for bad in bad_rows {
        let cause = cause(&bad.reason);
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, rows)) => rows.push(bad),
            None => causes.push((cause, vec![bad])),
        }
    }
    let line = |(_, rows): &(String, Vec<&BadRow>)| {
        let first = format!("row {}: {}", rows[0].row, rows[0].reason);
        if rows.len() == 1 {
            return first;
        }
        let others = rows[1..].iter().take(ROWS_NAMED_MAX).map(|bad| bad.row.to_string());
        let others = others.collect::<Vec<_>>().join(", ");
        let more = if rows.len() - 1 > ROWS_NAMED_MAX { ", …" } else { "" };
        format!("{first}; also in {} more rows: {others}{more}", rows.len() - 1)
    };
    causes.iter().map(line).collect()
}

/// A reason without what differs from row to row: names in quotation marks, and numbers.
fn cause(reason: &str) -> String {
    let outside = reason.split('`').step_by(2).collect::<Vec<_>>().join("`");
    outside.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Whether a name is that of a file with prose.
fn is_document(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending
        .is_some_and(|ending| ["md", "markdown", "docx", "pdf", "html", "htm"].contains(&&*ending))
}

/// Whether the first letter is one that JSON begins with.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    matches!(bytes.first(), Some(b'{' | b'['))
}

fn text(bytes: &[u8]) -> Result<&str, IntakeError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|_| IntakeError::NotText)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalog_is_told_from_a_table_by_its_first_letter() {
        let catalog = r#" {"catalog": {"groups": [{"id": "g", "title": "Access", "controls": [
            {"id": "ac-2", "title": "Account Management",
             "props": [{"name": "label", "value": "AC-2"}],
             "parts": [{"name": "statement", "prose": "Review accounts."}]}]}]}}"#;
        let read = read_criteria(catalog.as_bytes(), "catalog.csv").unwrap();
        let criterion = &read.items[0].criterion;
        assert_eq!(criterion.id, "AC-2");
        assert!(criterion.requirement.contains("Review accounts."), "{criterion:?}");
    }

    #[test]
    fn one_cause_is_one_line_with_its_rows() {
        let rows = (0..12).map(|number| format!(",Nothing {number}.\nB-{number},\n"));
        let csv = format!("criteria_id,requirement\nA-1,Lock doors.\n{}", rows.collect::<String>());
        let read = read_criteria(csv.as_bytes(), "criteria.csv").unwrap();
        assert_eq!(
            read.problems,
            [
                "row 3: the identifier is missing; also in 11 more rows: 5, 7, 9, 11, 13, 15, \
                 17, 19, …",
                "row 4: `B-0` has no requirement; also in 11 more rows: 6, 8, 10, 12, 14, 16, \
                 18, 20, …",
            ]
        );
    }

    #[test]
    fn bad_rows_are_named_with_their_numbers() {
        let csv = "criteria_id,requirement\nA-1,Lock doors.\n,Nothing.\nA-1,Again.\n";
        let read = read_criteria(csv.as_bytes(), "criteria.csv").unwrap();
        assert_eq!(read.items.len(), 1);
        assert_eq!(read.problems.len(), 2, "{:?}", read.problems);
        assert!(read.problems[0].starts_with("row 3: "), "{:?}", read.problems);
    }
}
