//! What goes wrong, as the exception of its kind.

use std::error::Error;
use std::io;

use assize_engine::{EngineError, ErrorKind};
use pyo3::prelude::*;

/// What Python calls a file that is not there; for the engine it is bad input like any other.
const MISSING_FILE: &str = "missing_file";

/// The exception for an error of the engine, with its code and what to do.
pub(crate) fn raised(py: Python<'_>, error: &(dyn Error + 'static)) -> PyErr {
    let found = EngineError::of(error);
    let kind = if found.kind == ErrorKind::BadInput && is_missing_file(error) {
        MISSING_FILE
    } else {
        found.kind.name()
    };
    named(py, kind, &found)
}

/// Whether the system said that there is no such file.
fn is_missing_file(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(found) = cause {
        let said = found.downcast_ref::<io::Error>().map(io::Error::kind);
        if said == Some(io::ErrorKind::NotFound) {
            return true;
        }
        cause = found.source();
    }
    false
}

/// The exception for what this crate finds wrong before the engine is asked.
pub(crate) fn refused(py: Python<'_>, message: impl Into<String>) -> PyErr {
    exception(py, &EngineError::bad_input(message))
}

/// The exception for something that was named and is not there.
pub(crate) fn missing(py: Python<'_>, message: String) -> PyErr {
    let (kind, code) = (ErrorKind::NotFound, "not_found");
    exception(py, &EngineError { kind, code, message, hint: None })
}

/// The classes are Python's, because they inherit from Python's own beside ours.
pub(crate) fn exception(py: Python<'_>, error: &EngineError) -> PyErr {
    named(py, error.kind.name(), error)
}

fn named(py: Python<'_>, kind: &str, error: &EngineError) -> PyErr {
    let made = py
        .import("assize.errors")
        .and_then(|module| module.getattr("of"))
        .and_then(|of| of.call1((kind, error.code, &error.message, error.hint)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failed) => failed,
    }
}

/// Reads options that the Python side wrote as JSON; the error names the option.
pub(crate) fn options<'a, T: serde::Deserialize<'a>>(py: Python<'_>, text: &'a str) -> PyResult<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let problem = error.inner().to_string();
        // The line and column of a text that the caller never saw.
        let problem = problem.rsplit_once(" at line ").map_or(&*problem, |(problem, _)| problem);
        let path = error.path().to_string();
        refused(py, if path == "." { problem.to_owned() } else { format!("{path}: {problem}") })
    })
}
