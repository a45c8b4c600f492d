//! `assize._native`: the engine's jobs as Python functions.
//!
//! Read in this order: what goes wrong (`error`), how work runs without the interpreter's lock
//! and stops at Ctrl-C (`work`), tables from and to Python (`table`, `column`), dicts (`nested`), and
//! then one file an instrument. Classes for people are Python's own, in `python/assize`; values cross over as
//! the JSON of `wire`, tables as Arrow.

#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments that Python hands over are owned; PyO3 makes no slices of them"
)]

mod column;
mod compare;
mod compliance;
mod council;
mod error;
mod lists;
mod nested;
mod pickle;
mod ranked;
mod ratings;
mod readers;
mod score;
mod seen;
mod summary;
mod table;
mod work;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line and gives its exit code.
#[pyfunction]
fn command_line(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| assize_cli::run(&words))
}

/// What `import assize` loads. It needs the interpreter's lock: `nested` reads entries of dicts
/// without a reference of its own, which another thread could take away meanwhile.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<ranked::PyRun>()?;
    module.add_class::<ranked::PyQrels>()?;
    module.add_class::<score::Score>()?;
    module.add_class::<compare::Comparison>()?;
    module.add_class::<summary::Scorecard>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<readers::Reader>()?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    module.add_function(wrap_pyfunction!(score::score, module)?)?;
    module.add_function(wrap_pyfunction!(score::score_part, module)?)?;
    module.add_function(wrap_pyfunction!(score::score_values, module)?)?;
    module.add_function(wrap_pyfunction!(score::measures, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(summary::summary_score, module)?)?;
    module.add_function(wrap_pyfunction!(summary::summary_score_batch, module)?)?;
    module.add_function(wrap_pyfunction!(council::gate, module)?)?;
    module.add_function(wrap_pyfunction!(council::council_review, module)?)?;
    module.add_function(wrap_pyfunction!(council::council_rescore, module)?)?;
    module.add_function(wrap_pyfunction!(compliance::compliance_evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(ratings::agree, module)?)?;
    module.add_function(wrap_pyfunction!(ratings::judges_bench, module)?)?;
    module.add_function(wrap_pyfunction!(ratings::judges_infer, module)?)?;
    Ok(())
}
