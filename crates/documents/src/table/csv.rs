//! Files of separated values: the separator is found, quotation marks are honoured.

use super::{BadRow, CELLS_MAX, COLUMNS_MAX, ROWS_MAX, Row, Table, TableError};

/// What may separate values, the likeliest first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Reads separated values.
pub(super) fn read(text: &str, by_tabs: bool, wanted: &[String]) -> Result<Table, TableError> {
    let text = text.trim_start_matches('\u{feff}');
    let (stated, skipped) = stated_separator(text);
    let separator = stated.unwrap_or_else(|| if by_tabs { b'\t' } else { separator(text) });
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(&text.as_bytes()[skipped..]);
    let mut rows = Vec::new();
    let mut count = 0;
    for record in reader.byte_records().map_while(Result::ok) {
        if rows.len() > ROWS_MAX {
            return Err(TableError::TooLarge { what: "rows", max: ROWS_MAX });
        }
        if record.len() > COLUMNS_MAX {
            return Err(TableError::TooLarge { what: "columns", max: COLUMNS_MAX });
        }
        count += record.len();
        if count > CELLS_MAX {
            return Err(TableError::TooLarge { what: "cells", max: CELLS_MAX });
        }
        let number = record.position().map_or(0, |at| line_of(at, &text.as_bytes()[skipped..]));
        let number = number + usize::from(skipped > 0);
        let cells = record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned());
        rows.push(Row { number, cells: cells.collect() });
    }
    let mut table = Table::of_rows(rows, wanted)?;
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
        && let Some(last) = table.rows.pop()
    {
        let reason = "unclosed quotation mark, opened here or earlier".to_owned();
        table.bad_rows.push(BadRow { row: last.number, reason });
    }
    Ok(table)
}

/// The line that a record begins in; the reader counts empty lines before it to it.
fn line_of(at: &::csv::Position, bytes: &[u8]) -> usize {
    let begin = usize::try_from(at.byte()).unwrap_or(0);
    let before = bytes.iter().skip(begin).take_while(|byte| matches!(byte, b'\n' | b'\r'));
    usize::try_from(at.line()).unwrap_or(0) + before.filter(|byte| **byte == b'\n').count()
}

/// The separator that a first line `sep=;` names, and how long that line is.
fn stated_separator(text: &str) -> (Option<u8>, usize) {
    let line = text.split('\n').next().unwrap_or_default();
    match line.trim_end().strip_prefix("sep=").map(str::as_bytes) {
        Some([separator]) => (Some(*separator), (line.len() + 1).min(text.len())),
        _ => (None, 0),
    }
}

/// The separator that the first line with any has most of, outside quotation marks.
pub fn separator(text: &str) -> u8 {
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut quoted = false;
    for byte in text.trim_start().bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted && counts.iter().any(|count| *count > 0) => break,
            _ if quoted => {}
            _ => {
                if let Some(index) = SEPARATORS.iter().position(|known| *known == byte) {
                    counts[index] += 1;
                }
            }
        }
    }
    let best = (0..SEPARATORS.len()).rev().max_by_key(|index| counts[*index]);
    SEPARATORS[best.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(usize, Vec<String>)> {
        let table = read(text, false, &[]).unwrap();
        table.rows.into_iter().map(|row| (row.number, row.cells)).collect()
    }

    fn row(number: usize, cells: &[&str]) -> (usize, Vec<String>) {
        (number, cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn rows_keep_the_numbers_of_their_lines() {
        let text = "id,text\n\nAC-1,\"two\nlines\"\nAC-2, x \r\n\r\n\nAC-3\n";
        let expected =
            [row(3, &["AC-1", "two\nlines"]), row(5, &["AC-2", "x"]), row(8, &["AC-3", ""])];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn the_separator_is_found_or_stated() {
        assert_eq!(rows("id;text;a, b\n1;a,b;c\n"), [row(2, &["1", "a,b", "c"])]);
        assert_eq!(rows("id\ttext\n1\ta\n"), [row(2, &["1", "a"])]);
        assert_eq!(rows("sep=|\nid|a;b;c\n1|2\n"), [row(3, &["1", "2"])]);
        assert_eq!(rows("\"a;b;c\",d\n1,2\n"), [row(2, &["1", "2"])]);
    }

    #[test]
    fn a_title_above_the_header_is_left_out_and_said() {
        let table = read("Our criteria\n\nid,text\n1,a\n", false, &[]).unwrap();
        assert_eq!(table.headers, ["id", "text"]);
        assert_eq!(table.notices, ["skipped the rows above the header, up to row 1"]);
    }

    #[test]
    fn a_row_with_too_many_cells_is_bad_and_trailing_separators_are_not() {
        let table = read("id,text\n1,a,b\n2,b,,\n", false, &[]).unwrap();
        assert_eq!(table.bad_rows.len(), 1);
        assert_eq!(table.bad_rows[0].row, 2);
        assert_eq!(table.rows.len(), 1);
    }

    #[test]
    fn a_quotation_mark_that_stays_open_is_a_bad_row() {
        let table = read("id,text\n1,a\n2,\"b\n3,c\n", false, &[]).unwrap();
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.bad_rows[0].row, 3);
    }
}
