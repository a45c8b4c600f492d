//! JSON Schemas of replies, built from parts.
//!
//! The order of keys is part of a request, and a request is found again by its bytes: what was
//! recorded once must keep its order.

use serde_json::{Map, Value};

/// A JSON object with these fields, in this order.
pub fn fields<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The schema of an object with these properties, all of them required, and no others.
pub fn object(properties: Map<String, Value>) -> Value {
    let names: Vec<Value> = properties.keys().map(|name| Value::from(name.as_str())).collect();
    fields([
        ("type", "object".into()),
        ("properties", properties.into()),
        ("required", names.into()),
        ("additionalProperties", false.into()),
    ])
}

/// The schema of a value of this type: `string`, `integer`, `boolean`.
pub(crate) fn of_type(kind: &str) -> Value {
    fields([("type", kind.into())])
}

/// The schema of a value of one of these types.
pub(crate) fn of_types(kinds: &[&str]) -> Value {
    fields([("type", kinds.into())])
}

/// The schema of a text that is one of these words.
pub(crate) fn one_of<T: AsRef<str>>(words: &[T]) -> Value {
    let words: Vec<Value> = words.iter().map(|word| Value::from(word.as_ref())).collect();
    fields([("type", "string".into()), ("enum", words.into())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_is_the_order_of_requests_that_were_recorded() {
        let one = Map::from_iter([("word".to_owned(), of_type("string"))]);
        let expected = r#"{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],"additionalProperties":false}"#;
        assert_eq!(object(one).to_string(), expected);
        let words = one_of(&["a", "b"]).to_string();
        assert_eq!(words, r#"{"type":"string","enum":["a","b"]}"#);
        assert_eq!(of_types(&["string", "null"]).to_string(), r#"{"type":["string","null"]}"#);
    }
}
