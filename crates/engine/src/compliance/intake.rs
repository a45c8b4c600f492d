//! Files that people have: criteria and truth keys out of CSV, XLSX and JSON, and back.

pub use assize_documents::criteria::CatalogHead;
use assize_documents::criteria::{self, CriteriaError};
use assize_documents::import::Imported as Rows;
use assize_documents::table::{self, BadRow, TableError};
use assize_documents::truth;
use assize_methods::compliance::Criterion;
use assize_store::CriteriaItem;
use thiserror::Error;

use super::criteria::Imported;

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
}

/// What a file held.
#[derive(Debug, Clone)]
pub struct FileRead<T> {
    /// What is good, in order.
    pub items: Vec<T>,
    /// Rows that could not be used, each with its number and the reason.
    pub problems: Vec<String>,
    /// What there is to know besides.
    pub notices: Vec<String>,
}

/// Reads criteria: a table, or the JSON of an OSCAL catalog.
pub fn read_criteria(bytes: &[u8], name: &str) -> Result<FileRead<Imported>, IntakeError> {
    if is_json(bytes) {
        let read = criteria::from_oscal(text(bytes)?)?;
        return Ok(file(read, |control| imported(titled(control))));
    }
    let read = criteria::from_table(&table::read(bytes, name)?)?;
    Ok(file(read, |item| {
        imported(Criterion::new(item.criteria_id, item.requirement, item.description))
    }))
}

/// Reads truth keys: a table, or JSON.
pub fn read_truth(bytes: &[u8], name: &str) -> Result<FileRead<truth::TruthKey>, IntakeError> {
    let read = if is_json(bytes) {
        truth::from_json(text(bytes)?)?
    } else {
        truth::from_table(&table::read(bytes, name)?)?
    };
    Ok(file(read, |key| key))
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
    }
}

/// A control of a catalog: the title on the first line of its requirement says what it is
/// about, and that is what a description is for.
fn titled(control: criteria::Criterion) -> Criterion {
    let criteria::Criterion { criteria_id, requirement, description, .. } = control;
    let Some((title, statement)) = requirement.split_once('\n') else {
        return Criterion::new(criteria_id, requirement, description);
    };
    let about = format!("{}\n{description}", title.trim());
    Criterion::new(criteria_id, statement.trim(), about.trim())
}

fn imported(criterion: Criterion) -> Imported {
    Imported { criterion, properties: None }
}

fn file<S, T>(read: Rows<S>, make: impl Fn(S) -> T) -> FileRead<T> {
    let problem = |bad: &BadRow| format!("row {}: {}", bad.row, bad.reason);
    FileRead {
        problems: read.bad_rows.iter().map(problem).collect(),
        items: read.items.into_iter().map(make).collect(),
        notices: read.notices,
    }
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
    fn the_title_of_a_control_goes_before_its_description() {
        let catalog = r#"{"catalog": {"groups": [{"id": "g", "title": "Access", "controls": [
            {"id": "ac-2", "title": "Account Management",
             "props": [{"name": "label", "value": "AC-2"}],
             "parts": [{"name": "statement", "prose": "Review accounts."}]}]}]}}"#;
        let read = read_criteria(catalog.as_bytes(), "catalog.json").unwrap();
        let Criterion { id, requirement, description } = &read.items[0].criterion;
        assert_eq!((id.as_str(), requirement.as_str()), ("AC-2", "Review accounts."));
        assert!(description.starts_with("Account Management"), "{description}");
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
