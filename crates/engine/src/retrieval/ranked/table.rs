//! Qrels and runs as a table with a header: CSV, TSV, BEIR's qrels.

use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};

use super::error::RankedError;
use super::format::{DOCUMENT_NAMES, QUERY_NAMES, RANK_NAMES, Value};
use super::lists::{Lists, ListsBuilder};
use super::number;
use super::options::Columns;

/// What stands between the columns of a line, if it has columns at all.
pub(super) fn separator(line: &[u8]) -> Option<u8> {
    [b'\t', b',', b';'].into_iter().find(|separator| memchr::memchr(*separator, line).is_some())
}

/// Reads a table.
pub(super) fn read<V: Value>(
    path: &Path,
    text: &[u8],
    columns: &Columns,
) -> Result<Lists<V>, RankedError> {
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut reader = ReaderBuilder::new()
        .delimiter(separator(first_line).unwrap_or(b','))
        .comment(Some(b'#'))
        .from_reader(text);
    let header = reader.byte_headers().map_err(|error| malformed(path, &error))?.clone();
    let found = Found::<V>::in_header(path, &header, columns)?;
    let mut builder = ListsBuilder::new();
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| malformed(path, &error))? {
        let value = found.value(&record).ok_or_else(|| found.wrong(path, &record))?;
        let cell = |index| record.get(index).unwrap_or_default().trim_ascii();
        builder.push(cell(found.query), cell(found.document), value);
    }
    Ok(builder.finish())
}

/// Which column holds what.
struct Found<V> {
    query: usize,
    document: usize,
    value: usize,
    /// How the value's cell is understood: as the value, or as a rank.
    understand: fn(f64) -> Option<V>,
}

impl<V: Value> Found<V> {
    fn in_header(path: &Path, header: &ByteRecord, columns: &Columns) -> Result<Self, RankedError> {
        let place = |stated: &Option<String>, usual: &[&str]| match stated {
            Some(name) => position(header, name),
            None => usual.iter().find_map(|name| position(header, name)),
        };
        let missing = |wanted, stated: &Option<String>, usual: &[&str]| {
            let expected = stated.clone().unwrap_or_else(|| usual.join(", "));
            let found: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
            let file = path.to_owned();
            RankedError::Column { file, wanted, expected, found: found.join(", ") }
        };
        let query = place(&columns.query, QUERY_NAMES)
            .ok_or_else(|| missing("query", &columns.query, QUERY_NAMES))?;
        let document = place(&columns.document, DOCUMENT_NAMES)
            .ok_or_else(|| missing("document", &columns.document, DOCUMENT_NAMES))?;
        let understand: fn(f64) -> Option<V> = V::of;
        if let Some(value) = place(&columns.value, V::NAMES) {
            return Ok(Self { query, document, value, understand });
        }
        match RANK_NAMES.iter().find_map(|name| position(header, name)) {
            Some(value) if columns.value.is_none() && V::of_rank(1.0).is_some() => {
                Ok(Self { query, document, value, understand: V::of_rank })
            }
            _ => Err(missing("value", &columns.value, V::NAMES)),
        }
    }

    fn value(&self, record: &ByteRecord) -> Option<V> {
        number::parse(record.get(self.value)?.trim_ascii()).and_then(self.understand)
    }

    fn wrong(&self, path: &Path, record: &ByteRecord) -> RankedError {
        let (line, cell) =
            (record.position().map_or(0, csv::Position::line), record.get(self.value));
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
    header.iter().position(|cell| cell.trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
}

fn malformed(path: &Path, error: &csv::Error) -> RankedError {
    let line = error.position().map_or(1, csv::Position::line);
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
        let columns = Columns { query: name("a"), document: name("b"), value: name("c") };
        assert_eq!(first("x\ta\tb\tc\n0\tq 1\td,1\t7\n", &columns), Ok(7));
        let message = first::<i32>("x,a,b\n1,2,3\n", &columns).unwrap_err();
        assert_eq!(message, "table: no column for the value; expected one called c, found x, a, b");
    }

    #[test]
    fn a_wrong_cell_is_placed() {
        let message = first::<f64>("qid,docid,score\nq,d,nan\n", &Columns::default()).unwrap_err();
        assert_eq!(message, "table:2:5: expected a score that is a number, found `nan`");
        let message = first::<f64>("qid,docid,score\nq,d\n", &Columns::default()).unwrap_err();
        assert_eq!(message, "table:2:1: expected 3 columns, found 2 columns");
    }
}
