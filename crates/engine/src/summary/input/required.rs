//! Whether a file has the fields that are looked for: told before the work, and once.

use assize_documents::table::plain_name;
use assize_methods::retrieval::ranked::nearest;
use serde_json::Value;

use super::{Body, FieldPath, PairsError, Record, Records};

/// How many records must lack a field before it is the file that lacks it: a single broken
/// record says nothing about the others.
const LOOKED_AT: usize = 20;

impl Records {
    /// Refuses a file none of whose first records has one of these fields.
    pub(crate) fn require(&mut self, fields: &[&FieldPath]) -> Result<(), PairsError> {
        while self.seen.len() < LOOKED_AT {
            let Some(record) = self.inner.next() else { break };
            let is_end = record.is_err();
            self.seen.push_back(record);
            if is_end {
                break;
            }
        }
        let objects: Vec<Value> = self.seen.iter().flatten().filter_map(object).collect();
        if objects.is_empty() {
            return Ok(());
        }
        for field in fields {
            if objects.iter().any(|object| field.find(object).is_some()) {
                continue;
            }
            let mut known: Vec<String> = Vec::new();
            for key in objects.iter().filter_map(Value::as_object).flat_map(serde_json::Map::keys) {
                if !known.contains(key) {
                    known.push(key.clone());
                }
            }
            let near = near(field.as_str(), &known);
            let field = field.as_str().to_owned();
            return Err(PairsError::NoColumn { file: self.file.clone(), field, known, near });
        }
        Ok(())
    }
}

/// A record that is an object, whether it was parsed already or not.
fn object(record: &Record) -> Option<Value> {
    let value = match &record.body {
        Body::Parsed(value) => value.clone(),
        Body::Text(text) => serde_json::from_str(text).ok()?,
        Body::Broken(_) => return None,
    };
    value.is_object().then_some(value)
}

/// What the fields of a pair are often called.
const OTHER_NAMES: [(&str, &[&str]); 3] = [
    ("article", &["document", "source", "text", "dialogue", "transcript", "original", "context"]),
    ("summary", &["highlights", "abstract", "output", "prediction", "response", "generated"]),
    ("response", &["answer", "output", "completion", "text"]),
];

fn near(field: &str, known: &[String]) -> Vec<String> {
    let others =
        OTHER_NAMES.iter().find(|(name, _)| *name == field).map_or(&[][..], |(_, all)| *all);
    let by_name = |name: &&String| {
        let plain = plain_name(name);
        plain.contains(field) || others.iter().any(|other| plain.contains(other))
    };
    let mut near: Vec<String> = known.iter().filter(by_name).cloned().collect();
    for name in nearest(field, known.iter().map(String::as_str)) {
        if !near.iter().any(|one| one == name) {
            near.push(name.to_owned());
        }
    }
    near
}
