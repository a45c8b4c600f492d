//! What the requests of all instruments share: why a field is refused, and how a request arrives
//! beside the content it is about.
//!
//! A request is one value for every door: the command line, the API, MCP, Python and
//! `assize.toml` fill it, the run stores it, and rescoring and explaining read it again. Its
//! fields, defaults and documentation stand on its type and nowhere else.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use thiserror::Error;

/// Why a request was refused: which field, as JSON spells it, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field}: {problem}")]
pub struct FieldError {
    pub field: &'static str,
    /// The same words through every door.
    pub problem: String,
}

impl FieldError {
    /// Refuses a field.
    pub fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }

    /// The refusal with the field as the command line spells it.
    pub fn with_flag(&self) -> String {
        format!("--{}: {}", self.field.replace('_', "-"), self.problem)
    }
}

/// Content and the request about it, in one flat object.
///
/// serde's own `flatten` would forget which field is wrong, and would let unknown ones pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked<C, R> {
    /// What is to be measured.
    pub content: C,
    /// How.
    pub request: R,
}

impl<'de, C, R> Deserialize<'de> for Asked<C, R>
where
    C: DeserializeOwned + JsonSchema,
    R: DeserializeOwned + JsonSchema,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (of_content, of_request) = (field_names::<C>(), field_names::<R>());
        let (mut content, mut request) = (Map::new(), Map::new());
        for (key, value) in Map::<String, Value>::deserialize(deserializer)? {
            if of_request.contains(&key) {
                request.insert(key, value);
            } else if of_content.contains(&key) {
                content.insert(key, value);
            } else {
                let known = [of_content, of_request].concat().join(", ");
                let problem = format!("unknown field `{key}`; the fields are {known}");
                return Err(D::Error::custom(problem));
            }
        }
        Ok(Self { content: read(content)?, request: read(request)? })
    }
}

impl<C: JsonSchema, R: JsonSchema> JsonSchema for Asked<C, R> {
    fn schema_name() -> Cow<'static, str> {
        C::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("{}+{}", C::schema_id(), R::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (mut schema, request) = (C::json_schema(generator), R::json_schema(generator));
        let more = request.get("properties").and_then(Value::as_object);
        let object = schema.ensure_object();
        let all = object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        if let (Some(all), Some(more)) = (all.as_object_mut(), more) {
            all.extend(more.clone());
        }
        schema
    }
}

/// The fields of a type, in the order in which they are declared.
pub fn field_names<T: JsonSchema>() -> Vec<String> {
    let schema = T::json_schema(&mut SchemaGenerator::default());
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

fn read<T: DeserializeOwned, E: Error>(fields: Map<String, Value>) -> Result<T, E> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let (path, problem) = (error.path().to_string(), error.inner());
        E::custom(if path == "." { problem.to_string() } else { format!("{path}: {problem}") })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Text {
        text: String,
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Depth {
        depth: u8,
    }

    fn read(json: &str) -> Result<Asked<Text, Depth>, String> {
        serde_json::from_str(json).map_err(|error: serde_json::Error| error.to_string())
    }

    #[test]
    fn content_and_request_are_told_apart_by_their_fields() {
        let asked = read(r#"{"text": "a", "depth": 3}"#).unwrap();
        assert_eq!((asked.content.text.as_str(), asked.request.depth), ("a", 3));
        assert_eq!(read(r#"{"text": "a"}"#).unwrap().request, Depth::default());
    }

    #[test]
    fn a_refusal_names_the_field() {
        let error = read(r#"{"text": "a", "depth": "x"}"#).unwrap_err();
        assert!(error.starts_with("depth: invalid type"), "{error}");
        let error = read(r#"{"text": "a", "deep": 1}"#).unwrap_err();
        assert!(error.contains("unknown field `deep`; the fields are text, depth"), "{error}");
        assert_eq!(FieldError::new("ndcg_ideal", "no").with_flag(), "--ndcg-ideal: no");
    }
}
