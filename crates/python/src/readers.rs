//! Local models for Python: which statements are about something, and what a text says of another.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_engine::asking::Variables;
use assize_engine::configuration::Written;
use assize_engine::readers::configured::open;
use assize_engine::readers::shelf::Shelf;
use assize_engine::readers::{Pair, Statement};
use pyo3::prelude::*;

use crate::error::exception;
use crate::work;

/// The largest model that is opened, in megabytes, unless the configuration says otherwise.
const MEGABYTES_MAX: u64 = 4_000;

/// An encoder, an entailment model, or both.
#[pyclass(frozen, module = "assize._native")]
pub(crate) struct Reader(Arc<dyn assize_engine::readers::Reader>);

/// What a reader says of a pair: stated, open, denied, and what must be said besides.
type EntailmentTuple = (f32, f32, f32, Vec<String>);

/// A statement that may be about a part: its index, its nearness, the share of words.
type Candidate = (usize, Option<f32>, f32);

impl Reader {
    /// The models behind it, for a judge.
    pub(crate) fn shared(&self) -> Arc<dyn assize_engine::readers::Reader> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl Reader {
    /// Opens readers by name or folder.
    #[new]
    fn open(
        py: Python<'_>,
        encoder: Option<String>,
        entailment: Option<String>,
        environment: BTreeMap<String, String>,
    ) -> PyResult<Self> {
        let opened = work::run(py, move |_| {
            let variables = Variables::new(move |name| environment.get(name).cloned());
            let written = Written::load(None, &variables).map_err(|error| told(&error))?;
            let shelf = Shelf::find(&written, &variables).map_err(|error| told(&error))?;
            let most = written.readers.megabytes_max.unwrap_or(MEGABYTES_MAX);
            open(&shelf, (encoder.as_deref(), entailment.as_deref()), most)
                .map_err(|error| told(&error))
        })?;
        match opened {
            Ok(reader) => Ok(Self(Arc::new(reader))),
            Err(error) => Err(exception(py, &error)),
        }
    }

    /// One line for each model behind it.
    fn identities(&self) -> Vec<String> {
        self.0.identities().iter().map(ToString::to_string).collect()
    }

    /// What each premise says of its hypothesis.
    fn entail(
        &self,
        py: Python<'_>,
        pairs: Vec<(String, String)>,
    ) -> PyResult<Vec<EntailmentTuple>> {
        let reader = Arc::clone(&self.0);
        let read = work::run(py, move |_| {
            let pairs: Vec<Pair<'_>> =
                pairs.iter().map(|(premise, hypothesis)| Pair { premise, hypothesis }).collect();
            reader.entail(&pairs).map_err(|error| told(&error))
        })?;
        let read = read.map_err(|error| exception(py, &error))?;
        let each = read
            .into_iter()
            .map(|one| (one.shares.stated, one.shares.open, one.shares.denied, one.notes));
        Ok(each.collect())
    }

    /// For each part the statements that may be about it.
    fn shortlist(
        &self,
        py: Python<'_>,
        parts: Vec<String>,
        statements: Vec<String>,
        most: usize,
    ) -> PyResult<Vec<Vec<Candidate>>> {
        let reader = Arc::clone(&self.0);
        let found = work::run(py, move |_| {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let statements: Vec<Statement<'_>> =
                statements.iter().map(|text| Statement { text, heading: None }).collect();
            reader.shortlist(&parts, &statements, most).map_err(|error| told(&error))
        })?;
        let found = found.map_err(|error| exception(py, &error))?;
        let each = |one: assize_engine::readers::Candidate| (one.statement, one.cosine, one.words);
        Ok(found.into_iter().map(|list| list.into_iter().map(each).collect()).collect())
    }
}

/// An error that may cross threads.
fn told(error: &(dyn std::error::Error + 'static)) -> assize_engine::EngineError {
    assize_engine::EngineError::of(error)
}
