//! Scores that were made before, by whichever judge.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::AgreeError;
use crate::summary::input::{FieldPath, Records};

/// The scorecards of a file, found by the name of their pair, or by order without names.
pub(super) struct ScoredFile {
    by_id: BTreeMap<String, Value>,
    unnamed: Vec<Value>,
}

impl ScoredFile {
    /// Scorecards that were written as JSON or JSON lines.
    pub(super) fn read(path: &Path) -> Result<Self, AgreeError> {
        let (mut by_id, mut unnamed) = (BTreeMap::new(), Vec::new());
        let id = FieldPath::new("id");
        for record in Records::open(path, None)? {
            let record = record?;
            let place = record.place;
            let card = record.value()?;
            match id.name(&card, place)? {
                None => unnamed.push(card),
                Some(name) => {
                    if by_id.insert(name.clone(), card).is_some() {
                        return Err(AgreeError::Twice { file: path.to_owned(), name });
                    }
                }
            }
        }
        Ok(Self { by_id, unnamed })
    }

    /// The scorecard of the pair of that name, or of the pair at that place.
    pub(super) fn find(&self, id: Option<&str>, index: usize) -> Option<&Value> {
        match id {
            Some(id) => self.by_id.get(id),
            None => self.unnamed.get(index),
        }
    }
}
