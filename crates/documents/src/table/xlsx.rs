//! The cells of a sheet: as shown, with formulas and merged cells accounted for.
//!
//! Cells are walked one after the other and only those that exist are kept: a cell at the
//! far end of a sheet costs no more than its row.

use std::collections::BTreeMap;

use super::workbook::{KIND, Workbook, damaged};
use super::{
    BadRow, CELLS_MAX, COLUMNS_MAX, HEADER_NAMES_MIN, MergedCells, ROWS_MAX, Row, TEXT_BYTES_MAX,
    Table, TableError, plain_name,
};
use crate::archive::Archive;
use crate::encoding::clean;
use crate::limits::Limits;
use crate::xml::{Element, Step, walk};

/// Reads a sheet of a workbook: the one that is named, or the first that is shown; if that has
/// none of the columns that are looked for, the first that has most of them.
pub(super) fn read(
    bytes: &[u8],
    sheet: Option<&str>,
    wanted: &[String],
    limits: &Limits,
) -> Result<Table, TableError> {
    let mut archive = Archive::open(bytes, KIND, limits)?;
    let book = Workbook::read(&mut archive)?;
    let (name, part) = book.sheet(sheet)?;
    let others = book.others_shown(part);
    let first = one(&mut archive, &book, (name, part), wanted);
    if sheet.is_some() || others.is_empty() {
        return first;
    }
    let known = |table: &Result<Table, TableError>| {
        let headers = table.iter().flat_map(|table| &table.headers);
        headers.filter(|header| wanted.contains(&plain_name(header))).count()
    };
    let mut best = (known(&first), name, first);
    if best.0 < HEADER_NAMES_MIN && !wanted.is_empty() {
        for (name, part) in others.iter().copied() {
            let table = one(&mut archive, &book, (name, part), wanted);
            if known(&table) > best.0.max(1) {
                best = (known(&table), name, table);
            }
        }
    }
    let (_, chosen, table) = best;
    let mut table = table?;
    table.notices.push(if chosen == name {
        format!("read only the sheet `{name}`; there are {} more", others.len())
    } else {
        format!("read the sheet `{chosen}`, because `{name}` does not have the columns")
    });
    Ok(table)
}

/// The names of the sheets that are shown.
pub(super) fn sheets(bytes: &[u8], limits: &Limits) -> Result<Vec<String>, TableError> {
    let book = Workbook::read(&mut Archive::open(bytes, KIND, limits)?)?;
    Ok(book.others_shown("").into_iter().map(|(name, _)| name.to_owned()).collect())
}

fn one(
    archive: &mut Archive<'_>,
    book: &Workbook,
    (name, part): (&str, &str),
    wanted: &[String],
) -> Result<Table, TableError> {
    let xml = archive.part(part)?;
    let xml = xml.ok_or_else(|| damaged(format!("the sheet `{name}` is missing")))?;
    let mut cells = Cells::new(book);
    walk(&xml, |step| cells.step(step).map_err(Failure)).map_err(|failure| failure.0)?;
    Ok(Table { sheet: Some(name.to_owned()), ..cells.into_table(wanted)? })
}

struct Failure(TableError);

impl From<String> for Failure {
    fn from(detail: String) -> Self {
        Self(damaged(detail))
    }
}

/// The cells of a sheet as they are walked.
struct Cells<'a> {
    book: &'a Workbook,
    /// By row and then by column, both from 0.
    rows: BTreeMap<usize, BTreeMap<usize, String>>,
    bad: BTreeMap<usize, String>,
    /// What is merged: the first cell and the last.
    merged: Vec<(Place, Place)>,
    /// What that means for the cells there are.
    found: MergedCells,
    formulas: usize,
    text_bytes: usize,
    row: usize,
    column: usize,
    cell: Cell,
}

/// The cell that is open.
#[derive(Default)]
struct Cell {
    kind: String,
    style: Option<usize>,
    value: Option<String>,
    text: String,
    is_formula: bool,
    inside: Inside,
}

#[derive(Default, PartialEq, Eq)]
enum Inside {
    Value,
    Text,
    #[default]
    Nothing,
}

impl<'a> Cells<'a> {
    fn new(book: &'a Workbook) -> Self {
        Self {
            book,
            rows: BTreeMap::new(),
            bad: BTreeMap::new(),
            merged: Vec::new(),
            found: MergedCells::default(),
            formulas: 0,
            text_bytes: 0,
            row: 0,
            column: 0,
            cell: Cell::default(),
        }
    }

    fn step(&mut self, step: Step<'_>) -> Result<(), TableError> {
        match step {
            Step::Open(element) => self.open(&element)?,
            Step::Text(text) => match self.cell.inside {
                Inside::Value => self.cell.value.get_or_insert_default().push_str(text),
                Inside::Text => self.cell.text.push_str(text),
                Inside::Nothing => {}
            },
            Step::Close("v" | "t") => self.cell.inside = Inside::Nothing,
            Step::Close("c") => {
                self.end_cell();
                // One text can stand in many cells, so that a small file becomes a large table.
                if self.text_bytes > TEXT_BYTES_MAX {
                    return Err(too_much_text());
                }
            }
            Step::Close("row") => self.row += 1,
            Step::Close(_) => {}
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) -> Result<(), TableError> {
        match element.name {
            "row" => {
                let number = element.attribute("r").and_then(|row| row.parse::<usize>().ok());
                self.row = number.map_or(self.row, |number| number.saturating_sub(1));
                self.column = 0;
            }
            "c" => {
                if let Some((row, column)) = element.attribute("r").as_deref().and_then(place) {
                    (self.row, self.column) = (row, column);
                }
                if self.rows.len() > ROWS_MAX {
                    return Err(TableError::TooLarge { what: "rows", max: ROWS_MAX });
                }
                self.cell = Cell {
                    kind: element.attribute("t").unwrap_or_default(),
                    style: element.attribute("s").and_then(|style| style.parse().ok()),
                    ..Cell::default()
                };
            }
            "f" => self.cell.is_formula = true,
            "v" => {
                self.cell.inside = Inside::Value;
                self.cell.value.get_or_insert_default();
            }
            "t" => self.cell.inside = Inside::Text,
            "mergeCell" => {
                let range = element.attribute("ref").unwrap_or_default();
                let (from, to) = range.split_once(':').unwrap_or((&range, &range));
                if let (Some(from), Some(to)) = (place(from), place(to)) {
                    self.merged.push((from, to));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.cell);
        let (row, column) = (self.row, self.column);
        self.column += 1;
        if cell.is_formula {
            self.formulas += 1;
            // Only a text can be nothing; some programs write an empty value for "not known".
            let is_known = cell.value.as_ref().is_some_and(|v| cell.kind == "str" || !v.is_empty());
            if !is_known && cell.text.is_empty() {
                let reason = "has a formula without a stored value: open the workbook, save it and \
                              try again";
                self.refuse(row, column, reason);
                return;
            }
        }
        let value = cell.value.unwrap_or_default();
        let shown = match cell.kind.as_str() {
            "s" => {
                let index = value.trim().parse::<usize>().ok();
                match index.and_then(|index| self.book.strings.get(index)) {
                    Some(text) => text.clone(),
                    None => return self.refuse(row, column, "refers to a missing text"),
                }
            }
            "inlineStr" => cell.text,
            "b" => if value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            "e" => return self.refuse(row, column, &format!("holds the error {}", value.trim())),
            "str" | "d" => value,
            _ if value.is_empty() => String::new(),
            _ => self.book.shapes.show(&value, cell.style),
        };
        let shown = clean(&shown).trim().to_owned();
        if shown.is_empty() {
            return;
        }
        if column >= COLUMNS_MAX {
            return self.refuse(row, column, "is beyond the supported number of columns");
        }
        self.text_bytes += shown.len();
        self.rows.entry(row).or_default().insert(column, shown);
    }

    fn refuse(&mut self, row: usize, column: usize, why: &str) {
        let name = format!("{}{}", letters(column), row + 1);
        self.bad.entry(row).or_insert_with(|| format!("the cell {name} {why}"));
    }

    /// Gives the value of merged cells to all their rows.
    fn spread_merged(&mut self) -> Result<(), TableError> {
        let mut steps = 0;
        for ((first, column), (last, _)) in self.merged.iter().filter(|(from, to)| from.0 < to.0) {
            let Some(value) = self.rows.get(first).and_then(|row| row.get(column)).cloned() else {
                continue;
            };
            for (number, row) in self.rows.range_mut(first + 1..=*last) {
                steps += 1;
                if steps > CELLS_MAX {
                    return Err(TableError::TooLarge { what: "merged cells", max: CELLS_MAX });
                }
                if !row.contains_key(column) {
                    self.text_bytes += value.len();
                    row.insert(*column, value.clone());
                    self.found.repeated.insert((number + 1, *column));
                }
                if self.text_bytes > TEXT_BYTES_MAX {
                    return Err(too_much_text());
                }
            }
        }
        Ok(())
    }

    /// Notes the rows whose only cell spans several columns.
    fn note_titles(&mut self) {
        let across = self.merged.iter().filter(|(from, to)| from.1 < to.1);
        let titles = across.filter_map(|((row, column), _)| {
            let cells = self.rows.get(row)?;
            (cells.len() == 1 && cells.contains_key(column)).then_some(row + 1)
        });
        self.found.titles = titles.collect();
    }

    fn into_table(mut self, wanted: &[String]) -> Result<Table, TableError> {
        self.note_titles();
        self.spread_merged()?;
        let bad = std::mem::take(&mut self.bad);
        let width =
            |row: &BTreeMap<usize, String>| row.last_key_value().map_or(0, |(at, _)| at + 1);
        if self.rows.values().map(width).sum::<usize>() > CELLS_MAX {
            return Err(TableError::TooLarge { what: "cells", max: CELLS_MAX });
        }
        let rows = self.rows.into_iter().filter(|(row, _)| !bad.contains_key(row));
        let rows = rows.map(|(row, cells)| {
            let mut filled = vec![String::new(); width(&cells)];
            for (column, cell) in cells {
                filled[column] = cell;
            }
            Row { number: row + 1, cells: filled }
        });
        let mut table = Table::of_rows(rows.collect(), wanted)?;
        table.merged = self.found;
        let bad = bad.into_iter().map(|(row, reason)| BadRow { row: row + 1, reason });
        table.bad_rows.extend(bad);
        table.bad_rows.sort_by_key(|bad| bad.row);
        if self.formulas > 0 {
            let count = self.formulas;
            table.notices.push(format!("formulas: {count}; using their stored values"));
        }
        if !self.merged.is_empty() {
            let count = self.merged.len();
            table
                .notices
                .push(format!("merged cells: {count}; each value applies to all its rows"));
        }
        Ok(table)
    }
}

fn too_much_text() -> TableError {
    TableError::TooLarge { what: "bytes of text", max: TEXT_BYTES_MAX }
}

/// The row and column of a cell, from 0.
type Place = (usize, usize);

/// The row and column, from 0, of a cell named like `B5`.
fn place(name: &str) -> Option<Place> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = name.split_at(digits);
    let mut column = 0_usize;
    for byte in letters.bytes().filter(|byte| *byte != b'$') {
        let letter = byte.to_ascii_uppercase().checked_sub(b'A').filter(|letter| *letter < 26)?;
        column = column.checked_mul(26)?.checked_add(usize::from(letter) + 1)?;
    }
    Some((row.parse::<usize>().ok()?.checked_sub(1)?, column.checked_sub(1)?))
}

/// The letters of a column, from 0.
pub(super) fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::zipped;

    #[test]
    fn cells_are_named_by_letters_and_numbers() {
        assert_eq!(place("B5"), Some((4, 1)));
        assert_eq!(place("$AA$10"), Some((9, 26)));
        assert_eq!(place("XFD1048576"), Some((1_048_575, 16_383)));
        assert_eq!(place("A0"), None);
        assert_eq!(place("5"), None);
        assert_eq!(
            (letters(0), letters(27), letters(16_383)),
            ("A".into(), "AB".into(), "XFD".into())
        );
    }

    /// A workbook with one sheet of these rows.
    fn book(rows: &str) -> Vec<u8> {
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        zipped(&[
            ("xl/workbook.xml", b"<workbook><sheets><sheet name='S'/></sheets></workbook>"),
            ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
            (
                "xl/sharedStrings.xml",
                b"<sst><si><r><t>crit</t></r><r><t>eria_id</t></r></si></sst>",
            ),
        ])
    }

    #[test]
    fn cells_without_a_value_to_show_make_their_rows_bad() {
        let bytes = book(
            "<row><c t='s'><v>0</v></c><c t='inlineStr'><is><t>score</t></is></c></row>
             <row><c><v>1</v></c><c><f>A2+1</f></c></row>
             <row><c><v>2</v></c><c t='e'><v>#REF!</v></c></row>
             <row><c><v>5</v></c><c><f>A4+1</f><v/></c></row>
             <row><c t='s'><v>7</v></c></row>
             <row r='9'><c r='B9' t='str'><f>B1</f><v></v></c><c r='A9'><v>3</v></c></row>",
        );
        let table = read(&bytes, None, &[], &Limits::default()).unwrap();
        assert_eq!(table.headers, ["criteria_id", "score"]);
        let bad: Vec<String> =
            table.bad_rows.iter().map(|bad| format!("{}: {}", bad.row, bad.reason)).collect();
        let expected = [
            "2: the cell B2 has a formula without a stored value: open the workbook, save it and \
             try again",
            "3: the cell B3 holds the error #REF!",
            "4: the cell B4 has a formula without a stored value: open the workbook, save it and \
             try again",
            "5: the cell A5 refers to a missing text",
        ];
        assert_eq!(bad, expected);
        assert_eq!(table.rows, [Row { number: 9, cells: vec!["3".to_owned(), String::new()] }]);
    }

    #[test]
    fn one_long_text_in_many_cells_is_too_much() {
        let long = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(1 << 20));
        let cells = "<row><c t='s'><v>0</v></c></row>".repeat(100);
        let sheet = format!("<worksheet><sheetData>{cells}</sheetData></worksheet>");
        let bytes = zipped(&[
            ("xl/workbook.xml", b"<workbook><sheets><sheet name='S'/></sheets></workbook>"),
            ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
            ("xl/sharedStrings.xml", long.as_bytes()),
        ]);
        let error = read(&bytes, None, &[], &Limits::default()).unwrap_err().to_string();
        assert_eq!(error, "the table has more than 67108864 bytes of text");
    }
}
