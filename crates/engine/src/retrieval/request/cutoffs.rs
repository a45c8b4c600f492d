//! How many of the top results count: one number, or several.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use assize_methods::retrieval::passages::options::K_DEFAULT;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One cutoff, or several; the first is the main one. Written as a number, a list of numbers, or
/// numbers with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cutoffs {
    first: NonZeroUsize,
    more: Vec<NonZeroUsize>,
}

impl Cutoffs {
    /// The main one.
    pub fn first(&self) -> NonZeroUsize {
        self.first
    }

    /// All of them, each once.
    pub fn all(&self) -> Vec<NonZeroUsize> {
        let mut all = vec![self.first];
        for k in &self.more {
            if !all.contains(k) {
                all.push(*k);
            }
        }
        all
    }
}

impl Default for Cutoffs {
    fn default() -> Self {
        K_DEFAULT.into()
    }
}

impl From<NonZeroUsize> for Cutoffs {
    fn from(first: NonZeroUsize) -> Self {
        Self { first, more: Vec::new() }
    }
}

impl FromStr for Cutoffs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let refused = |_| format!("`{}` is not a whole number of 1 or more", part.trim());
            part.trim().parse::<NonZeroUsize>().map_err(refused)
        };
        let mut numbers = text.split(',').map(number);
        let first = numbers.next().unwrap_or_else(|| number(text))?;
        Ok(Self { first, more: numbers.collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Cutoffs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.all().iter().map(ToString::to_string).collect();
        formatter.write_str(&all.join(","))
    }
}

impl Serialize for Cutoffs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.more.as_slice() {
            [] => self.first.serialize(serializer),
            _ => self.all().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Cutoffs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde_json::Value;
        // The text is read once more from its words, so that every door refuses in the same ones.
        let text = match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Array(list) => list.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Cutoffs {
    fn schema_name() -> Cow<'static, str> {
        "Cutoffs".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "integer", "minimum": 1 },
                { "type": "array", "minItems": 1, "items": { "type": "integer", "minimum": 1 } },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutoffs_are_read_from_numbers_lists_and_text() {
        let read = |json: &str| serde_json::from_str::<Cutoffs>(json).map(|all| all.to_string());
        for (json, all) in [("3", "3"), ("[1, 5, 1]", "1,5"), ("\"2, 4\"", "2,4")] {
            assert_eq!(read(json).unwrap(), all);
        }
        let several: Cutoffs = "1,5".parse().unwrap();
        assert_eq!(serde_json::to_string(&several).unwrap(), "[1,5]");
        assert_eq!(serde_json::to_string(&Cutoffs::default()).unwrap(), "10");
    }

    #[test]
    fn what_is_no_cutoff_is_refused_in_the_same_words_from_text_and_from_json() {
        for (text, json) in [("0", "0"), ("-1", "-1"), ("1.5", "1.5"), ("", "[]"), ("1,0", "[1,0]")]
        {
            let typed = text.parse::<Cutoffs>().unwrap_err();
            let sent = serde_json::from_str::<Cutoffs>(json).unwrap_err().to_string();
            assert!(typed.ends_with("is not a whole number of 1 or more"), "{typed}");
            assert!(sent.starts_with(&typed), "{typed} / {sent}");
        }
    }
}
