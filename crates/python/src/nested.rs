//! `{query: {document: number}}` taken over from Python, millions of objects at a time.
//!
//! Nearly every key is a plain `str` and every value a plain `float`: those are read where they
//! lie, without a reference of our own and without running Python. Everything else is rare, and
//! may run code of its own, so it is held before it is asked.

use std::borrow::Cow;
use std::ptr;

use assize_engine::retrieval::ranked::Gathering;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString};
use pyo3::{Borrowed, ffi};

use crate::error::refused;

const NO_NAME: &str = "identifier is neither text nor a whole number";
/// Python's truth values and numpy's, before version 2 and since.
const TRUTHS: [&str; 2] = ["bool", "bool_"];

/// After how many documents Ctrl-C is looked for.
const LOOK_AFTER: usize = 1 << 20;

/// What a list of documents means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListMeaning {
    /// They stand best first, which is all that a run needs.
    BestFirst,
    /// Nothing: places in a list are no levels of relevance.
    Nothing,
}

impl ListMeaning {
    /// Why a list is refused, or whatever else stands where documents belong.
    fn problem(self, is_list: bool) -> &'static str {
        match self {
            Self::BestFirst => "expected documents with their numbers, or a list of them",
            Self::Nothing if is_list => {
                "a list says no levels of relevance; expected {document: level}"
            }
            Self::Nothing => "expected documents with their levels of relevance",
        }
    }
}

/// What a dict lists: its queries, each with its documents and what `checked` makes of their
/// numbers.
pub(crate) fn gathered<V: Copy>(
    dict: &Bound<'_, PyDict>,
    what: &str,
    listed: ListMeaning,
    checked: impl Fn(f64) -> Result<V, &'static str>,
) -> PyResult<Gathering<V>> {
    let mut queries = Queries::of(dict, what, listed, checked)?;
    while queries.take_one()? {}
    Ok(queries.finish())
}

/// What two dicts list, taken over query by query from both. The names that judgements share with a
/// run are one object in Python, and each is fetched from memory once if both are read together.
pub(crate) fn gathered_together<V: Copy, W: Copy>(
    mut one: Queries<'_, '_, V, impl Fn(f64) -> Result<V, &'static str>>,
    mut other: Queries<'_, '_, W, impl Fn(f64) -> Result<W, &'static str>>,
) -> PyResult<(Gathering<V>, Gathering<W>)> {
    while one.take_one()? | other.take_one()? {}
    Ok((one.finish(), other.finish()))
}

/// The queries of a dict, on the way to be taken over.
pub(crate) struct Queries<'a, 'py, V, C> {
    entries: Entries<'a, 'py>,
    what: &'a str,
    listed: ListMeaning,
    taken: Takeover<V, C>,
    /// Documents since Ctrl-C was looked for.
    unseen: usize,
}

impl<'a, 'py, V: Copy, C: Fn(f64) -> Result<V, &'static str>> Queries<'a, 'py, V, C> {
    pub(crate) fn of(
        dict: &'a Bound<'py, PyDict>,
        what: &'a str,
        listed: ListMeaning,
        checked: C,
    ) -> PyResult<Self> {
        let gathering = Gathering::with_room(room(dict)?);
        let taken = Takeover { gathering, distinct: true, checked };
        Ok(Self { entries: Entries::of(dict), what, listed, taken, unseen: 0 })
    }

    /// Takes the next query over; says whether there was one.
    fn take_one(&mut self) -> PyResult<bool> {
        let Self { entries, what, listed, taken, unseen } = self;
        let py = entries.dict.py();
        entries.show_next(|query, documents| {
            let (query, documents) = (query.to_owned(), documents.to_owned());
            let name = identifier(&query)
                .ok_or_else(|| refused(py, format!("{what}: a query's {NO_NAME}")))?;
            let place = || format!("{what}[{name:?}]");
            *unseen += documents.len().unwrap_or(0);
            if *unseen >= LOOK_AFTER {
                py.check_signals()?;
                *unseen = 0;
            }
            if let Ok(documents) = documents.cast::<PyDict>() {
                if !documents.is_empty() {
                    taken.gathering.query(&name);
                }
                taken.scored(documents, &place)
            } else if let Ok(documents) = documents.cast::<PyList>()
                && *listed == ListMeaning::BestFirst
            {
                if !documents.is_empty() {
                    taken.gathering.query(&name);
                }
                taken.listed(documents, &place)
            } else if let Ok(others) = documents.cast::<PyMapping>() {
                // Any other mapping is read from a copy.
                let documents = PyDict::new(py);
                documents.update(others)?;
                if !documents.is_empty() {
                    taken.gathering.query(&name);
                }
                taken.scored(&documents, &place)
            } else {
                let problem = listed.problem(documents.is_instance_of::<PyList>());
                Err(refused(py, format!("{}: {problem}", place())))
            }
        })
    }

    fn finish(self) -> Gathering<V> {
        self.taken.gathering.distinct(self.taken.distinct)
    }
}

/// How many documents there are, so that room is made once.
fn room(dict: &Bound<'_, PyDict>) -> PyResult<usize> {
    let mut documents = 0;
    each_entry(dict, |_, value| {
        documents += value.cast_exact::<PyDict>().map_or(0, |dict| dict.len());
        Ok(())
    })?;
    Ok(documents)
}

/// What has been taken over.
struct Takeover<V, C> {
    gathering: Gathering<V>,
    /// Whether no document can stand twice under a query: `7` and `"7"` are one document, and a
    /// list may name one again.
    distinct: bool,
    checked: C,
}

impl<V: Copy, C: Fn(f64) -> Result<V, &'static str>> Takeover<V, C> {
    /// Documents with their numbers.
    fn scored(
        &mut self,
        documents: &Bound<'_, PyDict>,
        query: &dyn Fn() -> String,
    ) -> PyResult<()> {
        each_entry(documents, |document, value| {
            if let (Ok(name), Some(number)) = (document.cast_exact::<PyString>(), plain(value))
                && let (Ok(name), Ok(number)) = (name.to_str(), (self.checked)(number))
            {
                self.gathering.document(name, number);
                return Ok(());
            }
            self.unusual(&document.to_owned(), &value.to_owned(), query)
        })
    }

    /// A document whose name or number is not as nearly all are, or is refused.
    #[cold]
    fn unusual(
        &mut self,
        document: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        query: &dyn Fn() -> String,
    ) -> PyResult<()> {
        let place = |problem: &str| {
            let shown = document.str().map(|text| text.to_string()).unwrap_or_default();
            refused(document.py(), format!("{}[{shown:?}]: {problem}", query()))
        };
        let name = identifier(document).ok_or_else(|| place(&format!("a document's {NO_NAME}")))?;
        let number = number(value).ok_or_else(|| place("not a number"))?;
        self.distinct &= document.is_exact_instance_of::<PyString>();
        self.gathering.document(&name, (self.checked)(number).map_err(place)?);
        Ok(())
    }

    /// Documents best first: what stands earlier has the higher score.
    fn listed(
        &mut self,
        documents: &Bound<'_, PyList>,
        query: &dyn Fn() -> String,
    ) -> PyResult<()> {
        self.distinct = false;
        for (rank, document) in documents.iter().enumerate() {
            let place =
                |problem: &str| refused(document.py(), format!("{}[{rank}]: {problem}", query()));
            let name =
                identifier(&document).ok_or_else(|| place(&format!("a document's {NO_NAME}")))?;
            let score = documents.len().saturating_sub(rank) as f64;
            self.gathering.document(&name, (self.checked)(score).map_err(place)?);
        }
        Ok(())
    }
}

/// Text as it is, a whole number of any kind (numpy's too) written out; nothing else names a query
/// or document.
pub(crate) fn identifier<'a>(value: &'a Bound<'_, PyAny>) -> Option<Cow<'a, str>> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_str().ok().map(Cow::Borrowed);
    }
    let whole = if value.is_exact_instance_of::<PyInt>() {
        value.clone()
    } else {
        let kind = value.get_type().name().ok()?;
        if TRUTHS.iter().any(|truth| kind == *truth) {
            return None;
        }
        value.call_method0("__index__").ok().filter(PyAnyMethods::is_instance_of::<PyInt>)?
    };
    whole.str().ok().map(|text| text.to_string().into())
}

/// The number that a plain float or a plain, not too large whole number is; runs no Python.
#[inline]
fn plain(value: Borrowed<'_, '_, PyAny>) -> Option<f64> {
    match value.cast_exact::<PyFloat>() {
        Ok(float) => Some(float.value()),
        Err(_) => value.cast_exact::<PyInt>().ok()?.extract::<i32>().ok().map(f64::from),
    }
}

fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    // Numbers of numpy and the like convert themselves; text must not.
    if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() }
}

/// Shows every entry of a dict, borrowed from it.
fn each_entry<'py>(
    dict: &Bound<'py, PyDict>,
    mut show: impl FnMut(Borrowed<'_, 'py, PyAny>, Borrowed<'_, 'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let mut entries = Entries::of(dict);
    while entries.show_next(&mut show)? {}
    Ok(())
}

/// The entries of a dict, one after the other.
struct Entries<'a, 'py> {
    dict: &'a Bound<'py, PyDict>,
    /// As long as it was when the first entry was shown.
    length: usize,
    at: ffi::Py_ssize_t,
    /// Whether all were shown: Python would look for more from the last one on, every time.
    is_over: bool,
}

impl<'a, 'py> Entries<'a, 'py> {
    fn of(dict: &'a Bound<'py, PyDict>) -> Self {
        Self { dict, length: dict.len(), at: 0, is_over: false }
    }

    /// Shows the next entry, borrowed from the dict; says whether there was one. Whoever runs Python
    /// on an entry takes a reference first; that the dict became another meanwhile is an error, as in
    /// Python.
    #[inline]
    #[expect(
        unsafe_code,
        reason = "safe iteration counts references up and down; see the comments"
    )]
    fn show_next(
        &mut self,
        show: impl FnOnce(Borrowed<'_, 'py, PyAny>, Borrowed<'_, 'py, PyAny>) -> PyResult<()>,
    ) -> PyResult<bool> {
        if self.dict.len() != self.length {
            return Err(PyRuntimeError::new_err("dictionary changed size during iteration"));
        }
        if self.is_over {
            return Ok(false);
        }
        let (py, dict) = (self.dict.py(), self.dict.as_ptr());
        let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: `dict` is a dict, the interpreter's lock is held, and the pointers are ours.
        let is_one =
            unsafe { ffi::PyDict_Next(dict, &raw mut self.at, &raw mut key, &raw mut value) } != 0;
        if is_one {
            // SAFETY: the dict holds both as long as it does not change, which nothing but Python
            // code can do; before that can run, `show` has taken references of its own.
            let entry = unsafe { (Borrowed::from_ptr(py, key), Borrowed::from_ptr(py, value)) };
            show(entry.0, entry.1)?;
        }
        self.is_over = !is_one;
        Ok(is_one)
    }
}
