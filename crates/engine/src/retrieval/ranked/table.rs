//! Qrels and runs as a table with a header: CSV, TSV, BEIR's qrels.

use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};

use super::error::{RankedError, Result};
use super::format::{DOCUMENT_NAMES, QUERY_NAMES, RANK_NAMES, Value};
use super::lists::{Lists, ListsBuilder};
use super::number;
use super::options::Columns;

/// What stands between the columns of a line, if it has columns at all.
pub(super) fn separator(line: &[u8]) -> Option<u8> {
    [b'\t', b',', b';'].into_iter().find(|separator| memchr::memchr(*separator, line).is_some())
}

/// What the header of a table says about what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderOf {
    /// Ranks, or scores by a name that judgements do not use.
    Run,
    /// Levels of relevance.
    Judgements,
    /// A column `score`, which both have.
    Either {
        /// Its place, from 0.
        column: usize,
        /// What stands between columns.
        separator: char,
    },
}

/// What a first line says, if it names a query, a document and a value.
pub(crate) fn header_of(line: &str) -> Option<HeaderOf> {
    let separator = char::from(separator(line.as_bytes())?);
    let cells: Vec<&str> =
        line.split(separator).map(|cell| cell.trim().trim_matches('"')).collect();
    let place = |names: &[&str]| {
        cells.iter().position(|cell| names.iter().any(|name| cell.eq_ignore_ascii_case(name)))
    };
    place(QUERY_NAMES)?;
    place(DOCUMENT_NAMES)?;
    let of = |names: &[&str], others: &[&str]| {
        place(names)
            .filter(|place| !others.iter().any(|name| cells[*place].eq_ignore_ascii_case(name)))
    };
    if place(RANK_NAMES).is_some() && of(i32::NAMES, f64::NAMES).is_none() {
        return Some(HeaderOf::Run);
    }
    if let Some(column) = place(&["score"]) {
        return Some(HeaderOf::Either { column, separator });
    }
    if of(i32::NAMES, f64::NAMES).is_some() {
        return Some(HeaderOf::Judgements);
    }
    of(f64::NAMES, i32::NAMES).map(|_| HeaderOf::Run)
}

/// What the columns are called.
pub(super) fn names(text: &[u8]) -> Vec<String> {
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let separator = separator(first_line).unwrap_or(b',');
    let mut reader =
        ReaderBuilder::new().delimiter(separator).comment(Some(b'#')).from_reader(text);
    let header = reader.byte_headers().map(|header| header.iter().map(<[u8]>::trim_ascii));
    let names = header.map(|cells| cells.map(|cell| String::from_utf8_lossy(cell).into_owned()));
    names.map(Iterator::collect).unwrap_or_default()
}

/// Reads a table.
pub(super) fn read<V: Value>(path: &Path, text: &[u8], columns: &Columns) -> Result<Lists<V>> {
    let line_of = |at: Option<&csv::Position>| at.map_or(1, |at| line_of(at, text));
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let separator = separator(first_line).unwrap_or(b',');
    let mut reader =
        ReaderBuilder::new().delimiter(separator).comment(Some(b'#')).from_reader(text);
    let header = reader
        .byte_headers()
        .map_err(|error| malformed(path, line_of(error.position()), &error))?
        .clone();
    let mut found = ColumnPlaces::<V>::in_header(path, &header, columns)?;
    found.decimal_comma = separator == b';';
    let mut builder = ListsBuilder::new();
    let mut record = ByteRecord::new();
    while reader
        .read_byte_record(&mut record)
        .map_err(|error| malformed(path, line_of(error.position()), &error))?
    {
        let wrong = || found.wrong(path, line_of(record.position()), &record);
        let value = found.value(&record).ok_or_else(wrong)?;
        let cell = |index| record.get(index).unwrap_or_default().trim_ascii();
        builder.push(cell(found.query), cell(found.document), value);
    }
    Ok(builder.finish())
}

/// The line that a record begins in. The reader takes the rest of a line's end (`\r\n`), and
/// empty lines, for the beginning of the record after them.
fn line_of(at: &csv::Position, text: &[u8]) -> u64 {
    let begin = usize::try_from(at.byte()).unwrap_or(0);
    let before = text.iter().skip(begin).take_while(|byte| matches!(byte, b'\n' | b'\r'));
    at.line() + before.filter(|byte| **byte == b'\n').count() as u64
}

/// Which column holds what.
struct ColumnPlaces<V> {
    query: usize,
    document: usize,
    value: usize,
    /// How the value's cell is understood: as the value, or as a rank.
    understand: fn(f64) -> Option<V>,
    /// Whether a comma may stand in a number: where another sign separates the cells.
    decimal_comma: bool,
}

impl<V: Value> ColumnPlaces<V> {
    fn in_header(path: &Path, header: &ByteRecord, columns: &Columns) -> Result<Self> {
        let place = |stated: &Option<String>, usual: &[&str]| match stated {
            Some(name) => position(header, name),
            None => usual.iter().find_map(|name| position(header, name)),
        };
        let missing = |wanted, stated: &Option<String>, usual: &[&str]| {
            let expected = stated.clone().unwrap_or_else(|| usual.join(", "));
            let hint = if wanted == V::COLUMN { V::HINT } else { "" };
            let found: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
            let file = path.to_owned();
            RankedError::Column { file, wanted, expected, found: found.join(", "), hint }
        };
        let query = place(&columns.query, QUERY_NAMES)
            .ok_or_else(|| missing("query", &columns.query, QUERY_NAMES))?;
        let document = place(&columns.document, DOCUMENT_NAMES)
            .ok_or_else(|| missing("document", &columns.document, DOCUMENT_NAMES))?;
        for index in [query, document] {
            let name = String::from_utf8_lossy(header[index].trim_ascii()).into_owned();
            if header.iter().skip(index + 1).any(|cell| is_called(cell, &name)) {
                return Err(RankedError::TwoColumns { file: path.to_owned(), name });
            }
        }
        let found = |value, understand: fn(f64) -> Option<V>| Self {
            query,
            document,
            value,
            understand,
            decimal_comma: false,
        };
        let is_ranked = columns.value.is_none() && V::of_rank(1.0).is_some();
        // Whoever names the column of the rank means it, whatever else there is.
        if let (true, Some(rank)) = (is_ranked, &columns.rank) {
            let value = position(header, rank);
            let value = value.ok_or_else(|| missing("rank", &columns.rank, RANK_NAMES))?;
            return Ok(found(value, V::of_rank));
        }
        if let Some(value) = place(&columns.value, V::NAMES) {
            return Ok(found(value, V::of));
        }
        match RANK_NAMES.iter().find_map(|name| position(header, name)) {
            Some(value) if is_ranked => Ok(found(value, V::of_rank)),
            _ => Err(missing(V::COLUMN, &columns.value, V::NAMES)),
        }
    }

    fn value(&self, record: &ByteRecord) -> Option<V> {
        let cell = record.get(self.value)?.trim_ascii();
        let with_comma = || {
            let is_decimal = self.decimal_comma && !cell.contains(&b'.');
            let (whole, part) = str::from_utf8(cell).ok()?.split_once(',')?;
            number::parse(format!("{whole}.{part}").as_bytes()).filter(|_| is_decimal)
        };
        number::parse(cell).or_else(with_comma).and_then(self.understand)
    }

    fn wrong(&self, path: &Path, line: u64, record: &ByteRecord) -> RankedError {
        let cell = record.get(self.value);
        RankedError::Line {
            file: path.to_owned(),
            line,
            column: record
                .range(self.value)
                .map_or(1, |range| (range.start + self.value) as u64 + 1),
            expected: V::WHAT.to_owned(),
            found: cell.map_or("the end of the line".to_owned(), |cell| {
                format!("`{}`", String::from_utf8_lossy(cell))
            }),
        }
    }
}

fn position(header: &ByteRecord, name: &str) -> Option<usize> {
    header.iter().position(|cell| is_called(cell, name))
}

fn is_called(cell: &[u8], name: &str) -> bool {
    cell.trim_ascii().eq_ignore_ascii_case(name.as_bytes())
}

fn malformed(path: &Path, line: u64, error: &csv::Error) -> RankedError {
    let found = match error.kind() {
        csv::ErrorKind::UnequalLengths { len, .. } => format!("{len} columns"),
        _ => error.to_string(),
    };
    let expected = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, .. } => format!("{expected_len} columns"),
        _ => "a table".to_owned(),
    };
    RankedError::Line { file: path.to_owned(), line, column: 1, expected, found }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first<V: Value>(text: &str, columns: &Columns) -> Result<V, String> {
        let lists: Lists<V> = read(Path::new("table"), text.as_bytes(), columns)
            .map_err(|error| error.to_string())?;
        assert_eq!(
            (lists.query(0), lists.document(&lists.items(0)[0])),
            (b"q 1".as_slice(), b"d,1".as_slice())
        );
        Ok(lists.items(0)[0].value)
    }

    #[test]
    fn columns_are_found_by_their_usual_names() {
        let columns = Columns::default();
        assert_eq!(first("doc_id,score,query_id\n\"d,1\",2.5,q 1\n", &columns), Ok(2.5));
        assert_eq!(first("query-id\tcorpus-id\tscore\nq 1\td,1\t2\n", &columns), Ok(2));
        assert_eq!(first("qid;docno;rank\nq 1;d,1;3\n", &columns), Ok(-3.0));
    }

    #[test]
    fn columns_may_be_named() {
        let name = |name: &str| Some(name.to_owned());
        let columns =
            Columns { query: name("a"), document: name("b"), value: name("c"), rank: None };
        assert_eq!(first("x\ta\tb\tc\n0\tq 1\td,1\t7\n", &columns), Ok(7));
        let message = first::<i32>("x,a,b\n1,2,3\n", &columns).unwrap_err();
        assert_eq!(
            message,
            "table: no column for the relevance; expected one named c, found x, a, b; map it \
             with relevance=COLUMN"
        );
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        let message = first::<f64>("qid,docid,DocID,score\nq,d,e,1\n", &Columns::default());
        assert_eq!(
            message.unwrap_err(),
            "table:1: two columns are called `docid`; rename one of them"
        );
    }

    #[test]
    fn the_column_of_the_rank_may_be_named_too() {
        let columns = Columns { rank: Some("pos".to_owned()), ..Columns::default() };
        assert_eq!(first("qid,docid,pos\nq 1,\"d,1\",3\n", &columns), Ok(-3.0));
        let message = first::<f64>("qid,docid,pos\nq,d,1\n", &Columns::default()).unwrap_err();
        let expected = "table: no column for the score or the rank; ";
        assert!(message.starts_with(expected), "{message}");
        assert!(message.ends_with("map it with score=COLUMN or rank=COLUMN"), "{message}");
    }

    #[test]
    fn a_decimal_comma_is_read_where_another_sign_separates_cells() {
        let columns = Columns::default();
        assert_eq!(first("qid;docid;score\nq 1;d,1;2,5\n", &columns), Ok(2.5));
        let message = first::<f64>("qid\tdocid\tscore\nq\td\t2,5\n", &columns).unwrap_err();
        assert!(message.contains("found `2,5`"), "{message}");
        let message = first::<f64>("qid;docid;score\nq;d;1.2,5\n", &columns).unwrap_err();
        assert!(message.contains("found `1.2,5`"), "{message}");
    }

    #[test]
    fn lines_that_end_in_two_signs_are_counted_once() {
        let text = "qid,docid,score\r\nq,d,1\r\nq,e,high\r\n";
        let message = first::<f64>(text, &Columns::default()).unwrap_err();
        assert!(message.starts_with("table:3:5: "), "{message}");
        let text = "qid,docid,score\r\nq,d,1\r\n\r\nq,e\r\n";
        let message = first::<f64>(text, &Columns::default()).unwrap_err();
        assert!(message.starts_with("table:4:1: "), "{message}");
    }

    #[test]
    fn a_wrong_cell_is_placed() {
        let message = first::<f64>("qid,docid,score\nq,d,nan\n", &Columns::default()).unwrap_err();
        assert_eq!(message, "table:2:5: expected a score that is a number, found `nan`");
        let message = first::<f64>("qid,docid,score\nq,d\n", &Columns::default()).unwrap_err();
        assert_eq!(message, "table:2:1: expected 3 columns, found 2 columns");
    }
}
