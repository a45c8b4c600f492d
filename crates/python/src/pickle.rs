//! Runs, judgements and tables as `pickle` keeps them: workers of Spark and Ray get what the driver
//! has read.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, Float64Array, LargeStringArray, StringArray};
use arrow_schema::DataType;
use assize_engine::retrieval::ranked::{Gathering, Qrels, RankedOptions, Run, relevant};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// What the bytes of a run and of judgements begin with: their kind and the version of the form.
const RUN: &[u8] = b"assize run 1\n";
const QRELS: &[u8] = b"assize qrels 1\n";
const DAMAGED: &str = "what was pickled is damaged, or comes from another version";
const NOT_UTF8: &str = "an identifier is not UTF-8, so it cannot be pickled";

/// Why a result is not pickled, and what is sent in its place.
pub(crate) fn refused(kind: &str, instead: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "assize.{kind} cannot be pickled, since it keeps what it was made from; send {instead}"
    ))
}

/// A run as bytes.
pub(crate) fn of_run(run: &Run) -> Result<Vec<u8>, &'static str> {
    let mut written = RUN.to_vec();
    put_text(&mut written, &run.name);
    for (query, documents) in run.queries() {
        put_text(&mut written, utf8(query)?);
        let documents: Vec<(&[u8], f64)> = documents.collect();
        put_number(&mut written, documents.len() as u64);
        for (document, score) in documents {
            put_text(&mut written, utf8(document)?);
            written.extend(score.to_le_bytes());
        }
    }
    Ok(written)
}

/// The run that bytes hold.
pub(crate) fn to_run(bytes: &[u8]) -> Result<Run, &'static str> {
    let mut rest = bytes.strip_prefix(RUN).ok_or(DAMAGED)?;
    let name = take_text(&mut rest).ok_or(DAMAGED)?.to_owned();
    let score = |rest: &mut &[u8]| {
        rest.split_off(..8)?.try_into().ok().map(f64::from_le_bytes).filter(|score| !score.is_nan())
    };
    Ok(gathered(rest, score).ok_or(DAMAGED)?.into_run(name))
}

/// Judgements as bytes.
pub(crate) fn of_qrels(qrels: &Qrels) -> Result<Vec<u8>, &'static str> {
    // What a run without documents misses at any level is every judgement in its order.
    let mut nothing = Gathering::with_room(0);
    qrels.queries().for_each(|query| nothing.query(&query));
    let nothing = nothing.into_run("");
    let all = RankedOptions { relevant_from: i32::MIN, ..RankedOptions::default() };
    let mut written = QRELS.to_vec();
    for query in qrels.queries() {
        let judged = relevant(&nothing, qrels, &query, &all).map_err(|_| NOT_UTF8)?;
        put_text(&mut written, whole(&query)?);
        put_number(&mut written, judged.missing.len() as u64);
        for (document, level) in &judged.missing {
            put_text(&mut written, whole(document)?);
            written.extend(level.to_le_bytes());
        }
    }
    Ok(written)
}

/// The judgements that bytes hold.
pub(crate) fn to_qrels(bytes: &[u8]) -> Result<Qrels, String> {
    let rest = bytes.strip_prefix(QRELS).ok_or(DAMAGED)?;
    let level = |rest: &mut &[u8]| rest.split_off(..4)?.try_into().ok().map(i32::from_le_bytes);
    let gathered = gathered(rest, level).ok_or(DAMAGED)?;
    gathered.into_qrels().map_err(|error| error.to_string())
}

fn gathered<V: Copy>(
    mut rest: &[u8],
    value: impl Fn(&mut &[u8]) -> Option<V>,
) -> Option<Gathering<V>> {
    let mut gathering = Gathering::with_room(0);
    while !rest.is_empty() {
        gathering.query(take_text(&mut rest)?);
        for _ in 0..take_number(&mut rest)? {
            let document = take_text(&mut rest)?;
            gathering.document(document, value(&mut rest)?);
        }
    }
    Some(gathering)
}

fn utf8(bytes: &[u8]) -> Result<&str, &'static str> {
    std::str::from_utf8(bytes).map_err(|_| NOT_UTF8)
}

/// A name as the engine shows it, unless it shows a sign in the place of bytes that are no text.
fn whole(shown: &str) -> Result<&str, &'static str> {
    if shown.contains(char::REPLACEMENT_CHARACTER) { Err(NOT_UTF8) } else { Ok(shown) }
}

fn put_text(written: &mut Vec<u8>, text: &str) {
    put_number(written, text.len() as u64);
    written.extend(text.as_bytes());
}

/// Seven bits a byte, the lowest first: nearly all lengths take one.
fn put_number(written: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        written.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    written.push(number.to_le_bytes()[0]);
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(take_number(rest)?).ok()?;
    std::str::from_utf8(rest.split_off(..length)?).ok()
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = *rest.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The kinds of columns that our own tables have, by name.
pub(crate) fn kind_of(kind: &DataType) -> PyResult<&'static str> {
    match kind {
        DataType::Utf8 => Ok("text"),
        DataType::LargeUtf8 => Ok("large text"),
        DataType::Float64 => Ok("number"),
        other => Err(PyTypeError::new_err(format!("a column of {other} cannot be pickled"))),
    }
}

/// The values of a column as a list; null is None.
pub(crate) fn of_column<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    match kind_of(column.data_type())? {
        "text" => column.as_string::<i32>().iter().collect::<Vec<_>>().into_pyobject(py),
        "large text" => column.as_string::<i64>().iter().collect::<Vec<_>>().into_pyobject(py),
        _ => column.as_primitive::<Float64Type>().iter().collect::<Vec<_>>().into_pyobject(py),
    }
}

/// The column of a kind that a list holds.
pub(crate) fn to_column(kind: &str, values: &Bound<'_, PyAny>) -> PyResult<(DataType, ArrayRef)> {
    Ok(match kind {
        "text" => {
            (DataType::Utf8, Arc::new(StringArray::from(values.extract::<Vec<Option<String>>>()?)))
        }
        "large text" => {
            let texts = values.extract::<Vec<Option<String>>>()?;
            (DataType::LargeUtf8, Arc::new(LargeStringArray::from(texts)))
        }
        "number" => {
            let numbers = values.extract::<Vec<Option<f64>>>()?;
            (DataType::Float64, Arc::new(Float64Array::from(numbers)))
        }
        _ => return Err(PyTypeError::new_err(DAMAGED)),
    })
}
