//! Values on their way into a statement, the same for both databases.

use std::borrow::Cow;

use chrono::{DateTime, SubsecRound, Utc};
use serde_json::Value as Json;

/// A value with its type, which `NULL` has too: PostgreSQL wants to know.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    Text(Option<Cow<'a, str>>),
    Integer(Option<i64>),
    Real(Option<f64>),
    Boolean(Option<bool>),
    Time(Option<DateTime<Utc>>),
    Json(Option<Cow<'a, Json>>),
    Blob(Option<Cow<'a, [u8]>>),
}

/// A row or an argument list: `values![id, name, score]`.
macro_rules! values {
    ($($value:expr),* $(,)?) => { [$($crate::value::Value::from($value)),*] };
}
pub(crate) use values;

/// PostgreSQL cannot hold U+0000. In both databases it becomes a space, which is as long, so
/// that offsets into the text stay true.
fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', " ")) } else { Cow::Borrowed(text) }
}

fn has_nul(json: &Json) -> bool {
    match json {
        Json::String(text) => text.contains('\0'),
        Json::Array(items) => items.iter().any(has_nul),
        Json::Object(fields) => {
            fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value))
        }
        _ => false,
    }
}

fn cleaned(json: &Json) -> Json {
    match json {
        Json::String(text) => Json::String(without_nul(text).into_owned()),
        Json::Array(items) => items.iter().map(cleaned).collect(),
        Json::Object(fields) => {
            let fields = fields.iter();
            fields.map(|(name, value)| (without_nul(name).into_owned(), cleaned(value))).collect()
        }
        other => other.clone(),
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(without_nul(text)))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self::Text(text.map(without_nul))
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::from(text.as_str())
    }
}

impl<'a> From<&'a Option<String>> for Value<'a> {
    fn from(text: &'a Option<String>) -> Self {
        Self::from(text.as_deref())
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Integer(Some(number))
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(number: Option<i64>) -> Self {
        Self::Integer(number)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Real(Some(number))
    }
}

impl From<Option<f64>> for Value<'_> {
    fn from(number: Option<f64>) -> Self {
        Self::Real(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Self::Boolean(Some(truth))
    }
}

/// PostgreSQL keeps microseconds; so do both.
impl From<DateTime<Utc>> for Value<'_> {
    fn from(time: DateTime<Utc>) -> Self {
        Self::Time(Some(time.trunc_subsecs(6)))
    }
}

impl From<Option<DateTime<Utc>>> for Value<'_> {
    fn from(time: Option<DateTime<Utc>>) -> Self {
        Self::Time(time.map(|time| time.trunc_subsecs(6)))
    }
}

impl<'a> From<&'a Json> for Value<'a> {
    fn from(json: &'a Json) -> Self {
        Self::Json(Some(if has_nul(json) {
            Cow::Owned(cleaned(json))
        } else {
            Cow::Borrowed(json)
        }))
    }
}

impl<'a> From<&'a Option<Json>> for Value<'a> {
    fn from(json: &'a Option<Json>) -> Self {
        json.as_ref().map_or(Self::Json(None), Self::from)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Blob(Some(Cow::Borrowed(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn nul_becomes_a_space_wherever_it_hides() {
        let dirty = json(r#"{"a\u0000": ["x\u0000y", {"z": "\u0000"}], "n": 1}"#);
        let Value::Json(Some(clean)) = Value::from(&dirty) else { panic!("not JSON") };
        assert_eq!(*clean, json(r#"{"a ": ["x y", {"z": " "}], "n": 1}"#));
        let Value::Text(Some(text)) = Value::from("a\0b") else { panic!("not text") };
        assert_eq!(text, "a b");
    }
}
