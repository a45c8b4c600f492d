//! What was measured before: a results file as `--output` or `--format json` writes it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use thiserror::Error;

/// An earlier result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Baseline {
    /// Where it was read; messages name it.
    pub name: PathBuf,
    /// How many items it was measured on, where the file says so.
    pub count: Option<usize>,
    whole: Map<String, Value>,
    /// Where the item of this name stands; of several with one name, in their order.
    places: HashMap<String, Vec<usize>>,
}

/// Why a file is no baseline.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// It cannot be read.
    #[error("{}: cannot be read", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is not an object.
    #[error("{}: is not a results file: expected a JSON object with measures", .0.display())]
    NotResults(PathBuf, #[source] serde_json::Error),
    /// It has nothing in common with the result.
    #[error("{}: has none of the measures of this run", .0.display())]
    NothingInCommon(PathBuf),
}

impl Baseline {
    /// Reads a results file.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let text = fs::read_to_string(path)
            .map_err(|error| BaselineError::Unreadable(path.to_owned(), error))?;
        Self::from_text(path, &text)
    }

    /// Reads the text of such a file.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, BaselineError> {
        let whole: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| BaselineError::NotResults(path.to_owned(), error))?;
        // A float in files of the scorer that ours replaces; a count cannot have a fraction.
        let count = whole.get("num_examples").and_then(Value::as_f64).filter(|n| n.fract() == 0.0);
        let count = count.and_then(|count| format!("{count}").parse().ok());
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        let items = whole.get("queries").and_then(Value::as_array);
        for (place, item) in items.into_iter().flatten().enumerate() {
            if let Some(name) = item.get("query").and_then(Value::as_str) {
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
        Ok(Self { name: path.to_owned(), count, whole, places })
    }

    /// The value that a measure had.
    pub fn mean(&self, measure: &str) -> Option<f64> {
        let flat = self.whole.get(measure);
        let nested = || self.whole.get("measures")?.get(measure)?.get("value");
        flat.or_else(nested)?.as_f64()
    }

    /// How many items the file keeps, where it keeps them (`queries`).
    pub fn items(&self) -> Option<usize> {
        Some(self.whole.get("queries")?.as_array()?.len())
    }

    /// Whether it has the nth item of a name, counted from 0.
    pub fn has(&self, name: &str, nth: usize) -> bool {
        self.places.get(name).is_some_and(|places| nth < places.len())
    }

    /// The value that the nth item of a name had.
    pub fn item(&self, measure: &str, name: &str, nth: usize) -> Option<f64> {
        let place = *self.places.get(name)?.get(nth)?;
        self.whole.get("queries")?.as_array()?.get(place)?.get(measure)?.as_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Baseline {
        Baseline::from_text(Path::new("before.json"), text).unwrap()
    }

    #[test]
    fn both_forms_of_a_results_file_are_read() {
        let flat = of(r#"{"recall@10": 0.5, "num_examples": 6.0}"#);
        assert_eq!((flat.mean("recall@10"), flat.count), (Some(0.5), Some(6)));
        let nested = of(r#"{"measures": {"recall@10": {"value": 0.25}}, "num_examples": 4}"#);
        assert_eq!((nested.mean("recall@10"), nested.count), (Some(0.25), Some(4)));
        assert_eq!(nested.mean("map"), None);
        assert!(Baseline::from_text(Path::new("x.json"), "[1]").is_err());
    }
}
