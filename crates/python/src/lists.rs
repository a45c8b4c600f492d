//! Columns from Python's own lists, for those who have no Arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, LargeStringArray, NullArray};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error::refused;
use crate::nested::identifier;

/// A column of texts; whole numbers, which name rows, are written out. `what` names the table
/// where it is refused.
pub(crate) fn texts(what: &str, name: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let mut texts = Vec::new();
    for (row, value) in values.try_iter()?.enumerate() {
        let value = value?;
        texts.push(match identifier(&value) {
            _ if value.is_none() => None,
            Some(text) => Some(text.into_owned()),
            None => return Err(wrong(&value, what, row, name, "not text")),
        });
    }
    // Texts of more than two gigabytes, which articles may be, need the large kind.
    Ok(Arc::new(LargeStringArray::from(texts)))
}

/// A column of whatever kind its values are.
pub(crate) fn column(what: &str, name: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let mut cells = Vec::new();
    for (row, value) in values.try_iter()?.enumerate() {
        let value = value?;
        let cell = Cell::of(&value);
        cells.push(cell.ok_or_else(|| wrong(&value, what, row, name, "neither text nor number"))?);
    }
    let mixed = |row: usize| {
        let problem = format!("{what}: row {row}, column `{name}`: a number among texts");
        refused(values.py(), problem)
    };
    let has = |kind: fn(&Cell) -> bool| cells.iter().any(kind);
    if has(|cell| matches!(cell, Cell::Text(_))) {
        let written = cells.into_iter().enumerate().map(|(row, cell)| match cell {
            Cell::Nothing => Ok(None),
            Cell::Text(text) | Cell::Whole(text) => Ok(Some(text)),
            Cell::Real(_) => Err(mixed(row)),
        });
        return Ok(Arc::new(LargeStringArray::from(written.collect::<PyResult<Vec<_>>>()?)));
    }
    if has(|cell| matches!(cell, Cell::Real(_))) {
        return Ok(Arc::new(cells.iter().map(Cell::number).collect::<Float64Array>()));
    }
    if has(|cell| matches!(cell, Cell::Whole(_))) {
        return Ok(whole(cells));
    }
    Ok(Arc::new(NullArray::new(cells.len())))
}

/// A value of a column whose kind is not known yet.
enum Cell {
    Nothing,
    Text(String),
    /// A whole number of any size, written out.
    Whole(String),
    Real(f64),
}

impl Cell {
    fn of(value: &Bound<'_, PyAny>) -> Option<Self> {
        if value.is_none() {
            return Some(Self::Nothing);
        }
        if let Ok(text) = value.extract::<String>() {
            return Some(Self::Text(text));
        }
        if let Some(whole) = identifier(value) {
            return Some(Self::Whole(whole.into_owned()));
        }
        let number: f64 =
            if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() }?;
        // What pandas writes for nothing.
        Some(if number.is_nan() { Self::Nothing } else { Self::Real(number) })
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Nothing | Self::Text(_) => None,
            Self::Whole(text) => text.parse().ok(),
            Self::Real(number) => Some(*number),
        }
    }
}

/// Whole numbers as numbers, or written out where one of them is too large.
fn whole(cells: Vec<Cell>) -> ArrayRef {
    let text = |cell: Cell| if let Cell::Whole(text) = cell { Some(text) } else { None };
    let texts: Vec<Option<String>> = cells.into_iter().map(text).collect();
    let number = |text: &Option<String>| text.as_ref().map(|text| text.parse::<i64>()).transpose();
    match texts.iter().map(number).collect::<Result<Vec<_>, _>>() {
        Ok(numbers) => Arc::new(Int64Array::from(numbers)),
        Err(_) => Arc::new(LargeStringArray::from(texts)),
    }
}

fn wrong(value: &Bound<'_, PyAny>, what: &str, row: usize, name: &str, problem: &str) -> PyErr {
    match value.get_type().name() {
        Ok(kind) => {
            let problem = format!("{what}: row {row}, column `{name}`: {kind}, {problem}");
            refused(value.py(), problem)
        }
        Err(error) => error,
    }
}
