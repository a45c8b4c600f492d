//! A column of a table, read as text or as numbers, whatever its type.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::DataType;

/// A column of one of the types that can be read.
pub(crate) enum Column<'a> {
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
    Whole(Vec<Option<i64>>),
    /// Whole numbers that may be above 2^63, as hashes used for identifiers are.
    Large(Vec<Option<u64>>),
    Real(Vec<Option<f64>>),
    /// Values by their number, as pandas' categories are.
    Coded(Vec<Option<usize>>, Box<Column<'a>>),
    /// A column of nothing but null.
    Nothing,
}

impl<'a> Column<'a> {
    /// Reads a column; the error names it and its type.
    pub(crate) fn of(name: &str, column: &'a ArrayRef) -> Result<Self, String> {
        macro_rules! numbers {
            ($kind:ident, $type:ty, $into:ty) => {
                Self::$kind(
                    column.as_primitive::<$type>().iter().map(|v| v.map(<$into>::from)).collect(),
                )
            };
        }
        Ok(match column.data_type() {
            DataType::Utf8 => Self::Text(column.as_string()),
            DataType::LargeUtf8 => Self::LargeText(column.as_string()),
            DataType::Utf8View => Self::TextView(column.as_string_view()),
            DataType::Int8 => numbers!(Whole, Int8Type, i64),
            DataType::Int16 => numbers!(Whole, Int16Type, i64),
            DataType::Int32 => numbers!(Whole, Int32Type, i64),
            DataType::Int64 => numbers!(Whole, Int64Type, i64),
            DataType::UInt8 => numbers!(Whole, UInt8Type, i64),
            DataType::UInt16 => numbers!(Whole, UInt16Type, i64),
            DataType::UInt32 => numbers!(Whole, UInt32Type, i64),
            DataType::UInt64 => numbers!(Large, UInt64Type, u64),
            DataType::Float32 => numbers!(Real, Float32Type, f64),
            DataType::Float64 => numbers!(Real, Float64Type, f64),
            DataType::Null => Self::Nothing,
            DataType::Dictionary(..) => coded(name, column)?,
            other => {
                return Err(format!("column `{name}` is of type {other}: text or numbers needed"));
            }
        })
    }

    /// The value of a row as text; `None` for null. Whole numbers are written out.
    pub(crate) fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(column) => column.is_valid(row).then(|| column.value(row).into()),
            Self::LargeText(column) => column.is_valid(row).then(|| column.value(row).into()),
            Self::TextView(column) => column.is_valid(row).then(|| column.value(row).into()),
            Self::Whole(column) => column[row].map(|value| value.to_string().into()),
            Self::Large(column) => column[row].map(|value| value.to_string().into()),
            Self::Coded(codes, values) => values.text(codes[row]?),
            // A float is no identifier: 1.0 and 1 would be told apart.
            Self::Real(_) | Self::Nothing => None,
        }
    }

    /// The value of a row as a number; `None` for null and for text.
    pub(crate) fn number(&self, row: usize) -> Option<f64> {
        match self {
            Self::Whole(column) => column[row].map(|value| value as f64),
            Self::Large(column) => column[row].map(|value| value as f64),
            Self::Real(column) => column[row],
            Self::Coded(codes, values) => values.number(codes[row]?),
            Self::Text(_) | Self::LargeText(_) | Self::TextView(_) | Self::Nothing => None,
        }
    }

    /// Whether the column holds texts, which numbers are not.
    pub(crate) fn is_text(&self) -> bool {
        match self {
            Self::Text(_) | Self::LargeText(_) | Self::TextView(_) => true,
            Self::Coded(_, values) => values.is_text(),
            Self::Whole(_) | Self::Large(_) | Self::Real(_) | Self::Nothing => false,
        }
    }

    /// Whether a row holds nothing at all.
    pub(crate) fn is_null(&self, row: usize) -> bool {
        match self {
            Self::Text(column) => column.is_null(row),
            Self::LargeText(column) => column.is_null(row),
            Self::TextView(column) => column.is_null(row),
            Self::Whole(column) => column[row].is_none(),
            Self::Large(column) => column[row].is_none(),
            Self::Real(column) => column[row].is_none(),
            Self::Coded(codes, values) => codes[row].is_none_or(|code| values.is_null(code)),
            Self::Nothing => true,
        }
    }
}

fn coded<'a>(name: &str, column: &'a ArrayRef) -> Result<Column<'a>, String> {
    let dictionary = column.as_any_dictionary();
    let codes = if dictionary.values().is_empty() {
        // Without a value every row is null, and Arrow has no codes to give.
        vec![None; column.len()]
    } else {
        let codes = dictionary.normalized_keys().into_iter().enumerate();
        codes.map(|(row, code)| column.is_valid(row).then_some(code)).collect()
    };
    Ok(Column::Coded(codes, Box::new(Column::of(name, dictionary.values())?)))
}
