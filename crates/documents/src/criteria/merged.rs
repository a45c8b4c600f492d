//! Rows of a sheet whose cells are merged: an identifier over several rows, a title over several
//! columns. Each row is a criterion, says nothing of its own, or is a heading; none is lost.

use super::Criterion;
use super::from_table::Columns;
use crate::table::{Row, Table};

/// What a row is, before its cells are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A criterion; with its place from 1 if its identifier is merged with that of others.
    Criterion(Option<usize>),
    /// Its requirement stands in the row that its cells are merged with.
    Repetition,
    /// A title of the rows below it.
    Heading,
}

/// What each row of a table is.
pub(super) fn kinds(columns: &Columns, table: &Table) -> Vec<RowKind> {
    let mut kinds: Vec<RowKind> = table.rows.iter().map(|row| kind(columns, table, row)).collect();
    let repeats_id = |row: &Row| table.merged.repeats(row.number, columns.id);
    let mut start = 0;
    while start < kinds.len() {
        let following = table.rows[start + 1..].iter().take_while(|row| repeats_id(row)).count();
        let group = start..start + 1 + following;
        let is_criterion = |kind: &&mut RowKind| matches!(kind, RowKind::Criterion(_));
        if kinds[group.clone()].iter_mut().filter(is_criterion).count() > 1 {
            let numbered = kinds[group.clone()].iter_mut().filter(is_criterion).zip(1..);
            numbered.for_each(|(kind, number)| *kind = RowKind::Criterion(Some(number)));
        }
        start = group.end;
    }
    kinds
}

fn kind(columns: &Columns, table: &Table, row: &Row) -> RowKind {
    let cell = |column: Option<usize>| column.map_or("", |column| row.cells[column].as_str());
    let required = [columns.title, columns.text];
    let is_titled = table.merged.is_title(row.number);
    let requires_nothing = cell(columns.title).is_empty() && cell(columns.text).is_empty();
    let says_nothing = columns.used().all(|column| row.cells[column].is_empty());
    if says_nothing || (is_titled && requires_nothing) {
        return RowKind::Heading;
    }
    let is_own =
        |column: usize| !row.cells[column].is_empty() && !table.merged.repeats(row.number, column);
    if table.merged.repeats(row.number, columns.id) && !required.into_iter().flatten().any(is_own) {
        return RowKind::Repetition;
    }
    RowKind::Criterion(None)
}

/// Adds what a repetition says besides the requirement to the criterion that it belongs to.
pub(super) fn add_description(item: &mut Criterion, columns: &Columns, row: &Row) {
    let Some(column) = columns.description else { return };
    let (id, words) = (&row.cells[columns.id], &row.cells[column]);
    let is_numbered = item.criteria_id.strip_prefix(id.as_str()).is_some_and(is_number);
    if (item.criteria_id == *id || is_numbered) && !item.description.contains(words.as_str()) {
        let parts = [item.description.as_str(), words].into_iter().filter(|part| !part.is_empty());
        item.description = parts.collect::<Vec<_>>().join("\n");
    }
}

/// Whether this is what is added to an identifier of several rows.
fn is_number(end: &str) -> bool {
    let number = end.strip_prefix(" (").and_then(|end| end.strip_suffix(')'));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a reader should know of rows that are not criteria as they stand.
pub(super) fn notices(kinds: &[RowKind], table: &Table, items: &[Criterion]) -> Vec<String> {
    let headings = kinds.iter().zip(&table.rows).filter(|(kind, _)| **kind == RowKind::Heading);
    let headings: Vec<String> = headings.map(|(_, row)| row.number.to_string()).collect();
    let is_numbered = |kind: &&RowKind| matches!(kind, RowKind::Criterion(Some(_)));
    let numbered = kinds.iter().filter(is_numbered).count();
    let mut notices = Vec::new();
    if !headings.is_empty() {
        let rows = headings.join(", ");
        notices.push(format!("rows without a requirement, taken as headings: {rows}"));
    }
    if numbered > 0 {
        let such = items.iter().find(|item| item.criteria_id.ends_with(" (2)"));
        let such = such.map(|item| format!(", such as `{}`", item.criteria_id));
        notices.push(format!(
            "identifiers merged over several rows: {numbered} rows are criteria of their own, \
             numbered{}",
            such.unwrap_or_default()
        ));
    }
    notices
}
