//! Qrels and runs as Parquet: one row for each document of a query.

use std::path::Path;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};

use super::error::{RankedError, Result};
use super::format::{DOCUMENT_NAMES, QUERY_NAMES, RANK_NAMES, Value};
use super::lists::{Lists, ListsBuilder};
use super::options::Columns;
use crate::input::{Bytes, open_bytes};

/// Reads a Parquet file.
pub(super) fn read<V: Value>(path: &Path, bytes: Bytes, columns: &Columns) -> Result<Lists<V>> {
    let damaged = |error: ParquetError| damaged(path, &error);
    let owned = bytes::Bytes::from_owner(Owner(bytes));
    let reader = SerializedFileReader::new(owned).map_err(damaged)?;
    let schema = reader.metadata().file_metadata().schema_descr().root_schema_ptr();
    let found = ColumnPlaces::<V>::in_schema(path, &schema, columns)?;
    let mut builder = ListsBuilder::new();
    for (row, number) in
        reader.get_row_iter(Some(found.schema.clone())).map_err(damaged)?.zip(1_u64..)
    {
        let row = row.map_err(damaged)?;
        let [query, document, value] = found.cells(&row).ok_or_else(|| RankedError::Parquet {
            file: path.to_owned(),
            message: format!("row {number} is missing columns"),
        })?;
        let wrong = |expected: &str, cell: &Field| RankedError::Parquet {
            file: path.to_owned(),
            message: format!("row {number}: expected {expected}, found {cell}"),
        };
        let query = identifier(query).ok_or_else(|| wrong("a query's identifier", query))?;
        let document =
            identifier(document).ok_or_else(|| wrong("a document's identifier", document))?;
        let value =
            number_of(value).and_then(found.understand).ok_or_else(|| wrong(V::WHAT, value))?;
        builder.push(query.as_bytes(), document.as_bytes(), value);
    }
    Ok(builder.finish())
}

fn damaged(path: &Path, error: &ParquetError) -> RankedError {
    let message = format!("cannot be read as Parquet: {error}");
    RankedError::Parquet { file: path.to_owned(), message }
}

/// What the columns are called.
pub(super) fn names(path: &Path) -> Result<Vec<String>> {
    let owned = bytes::Bytes::from_owner(Owner(open_bytes(path)?));
    let reader = SerializedFileReader::new(owned).map_err(|error| damaged(path, &error))?;
    let schema = reader.metadata().file_metadata().schema_descr().root_schema_ptr();
    Ok(schema.get_fields().iter().map(|field| field.name().to_owned()).collect())
}

/// Lends its bytes to the reader.
struct Owner(Bytes);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The columns that are read, and the place of each among them.
struct ColumnPlaces<V> {
    schema: Type,
    places: [usize; 3],
    understand: fn(f64) -> Option<V>,
}

impl<V: Value> ColumnPlaces<V> {
    fn in_schema(path: &Path, schema: &TypePtr, columns: &Columns) -> Result<Self> {
        let fields = schema.get_fields();
        let position =
            |name: &str| fields.iter().position(|field| field.name().eq_ignore_ascii_case(name));
        let place = |stated: &Option<String>, usual: &[&str]| match stated {
            Some(name) => position(name),
            None => usual.iter().find_map(|name| position(name)),
        };
        let missing = |wanted, stated: &Option<String>, usual: &[&str]| {
            let found: Vec<&str> = fields.iter().map(|field| field.name()).collect();
            let expected = stated.clone().unwrap_or_else(|| usual.join(", "));
            let (file, found) = (path.to_owned(), found.join(", "));
            let hint = if wanted == V::COLUMN { V::HINT } else { "" };
            RankedError::Column { file, wanted, expected, found, hint }
        };
        let query = place(&columns.query, QUERY_NAMES)
            .ok_or_else(|| missing("query", &columns.query, QUERY_NAMES))?;
        let document = place(&columns.document, DOCUMENT_NAMES)
            .ok_or_else(|| missing("document", &columns.document, DOCUMENT_NAMES))?;
        let is_ranked = columns.value.is_none() && V::of_rank(1.0).is_some();
        let rank = place(&columns.rank, RANK_NAMES).filter(|_| is_ranked);
        // Whoever names the column of the rank means it, whatever else there is.
        let score =
            place(&columns.value, V::NAMES).filter(|_| !is_ranked || columns.rank.is_none());
        let of: fn(f64) -> Option<V> = V::of;
        let (value, understand) = match (score, rank) {
            (Some(value), _) => (value, of),
            (None, Some(rank)) => (rank, V::of_rank as fn(f64) -> Option<V>),
            (None, None) => return Err(missing(V::COLUMN, &columns.value, V::NAMES)),
        };
        // The reader wants the columns in the order of the file.
        let mut read = [query, document, value];
        read.sort_unstable();
        let places = [query, document, value]
            .map(|column| read.iter().position(|known| *known == column).unwrap_or_default());
        let fields = read.iter().map(|column| Arc::clone(&fields[*column])).collect();
        let schema = Type::group_type_builder(schema.name()).with_fields(fields).build();
        let schema = schema.map_err(|error| RankedError::Parquet {
            file: path.to_owned(),
            message: error.to_string(),
        })?;
        Ok(Self { schema, places, understand })
    }

    fn cells<'a>(&self, row: &'a Row) -> Option<[&'a Field; 3]> {
        let cells: Vec<&Field> = row.get_column_iter().map(|(_, cell)| cell).collect();
        let [query, document, value] = self.places.map(|place| cells.get(place).copied());
        Some([query?, document?, value?])
    }
}

/// Identifiers are texts or whole numbers.
fn identifier(cell: &Field) -> Option<String> {
    match cell {
        Field::Str(text) => Some(text.clone()),
        Field::Bytes(bytes) => Some(String::from_utf8_lossy(bytes.data()).into_owned()),
        Field::Byte(_)
        | Field::Short(_)
        | Field::Int(_)
        | Field::Long(_)
        | Field::UByte(_)
        | Field::UShort(_)
        | Field::UInt(_)
        | Field::ULong(_) => Some(cell.to_string()),
        _ => None,
    }
}

fn number_of(cell: &Field) -> Option<f64> {
    match cell {
        Field::Byte(number) => Some(f64::from(*number)),
        Field::Short(number) => Some(f64::from(*number)),
        Field::Int(number) => Some(f64::from(*number)),
        Field::Long(number) => Some(*number as f64),
        Field::UByte(number) => Some(f64::from(*number)),
        Field::UShort(number) => Some(f64::from(*number)),
        Field::UInt(number) => Some(f64::from(*number)),
        Field::ULong(number) => Some(*number as f64),
        Field::Float(number) => Some(f64::from(*number)),
        Field::Double(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// A file with a score, a document and a query for each of two rows, in that order.
    fn file() -> Vec<u8> {
        let schema = "message run { required double score; required int64 doc_id;
            required binary query_id (UTF8); }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let mut content = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut content, schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[2.5, 1.5], None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[7, 8], None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let queries = [ByteArray::from("q1"), ByteArray::from("q2")];
        column.typed::<ByteArrayType>().write_batch(&queries, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        content
    }

    #[test]
    fn rows_become_documents_whatever_the_order_of_columns() {
        let lists: Lists<f64> =
            read(Path::new("run.parquet"), Bytes::Owned(file()), &Columns::default()).unwrap();
        assert_eq!((lists.len(), lists.query(1)), (2, b"q2".as_slice()));
        let item = &lists.items(1)[0];
        assert_eq!((lists.document(item), item.value), (b"8".as_slice(), 1.5));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let message = |value: &str| {
            let columns = Columns { value: Some(value.to_owned()), ..Columns::default() };
            let lists = read::<i32>(Path::new("f"), Bytes::Owned(file()), &columns);
            lists.unwrap_err().to_string()
        };
        let expected = "f: row 1: expected a level of relevance that is a whole number, found 2.5";
        assert_eq!(message("score"), expected);
        let named = "expected one named gain, found score, doc_id, query_id; map it with";
        assert!(message("gain").contains(named), "{}", message("gain"));
        let cut = read::<f64>(Path::new("f"), Bytes::Owned(b"PAR1".to_vec()), &Columns::default());
        assert!(matches!(cut, Err(RankedError::Parquet { .. })));
        let cut = cut.map(drop).unwrap_err().to_string();
        assert!(cut.starts_with("f: cannot be read as Parquet: "), "{cut}");
    }
}
