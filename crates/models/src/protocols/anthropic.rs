//! Anthropic's messages.

use serde_json::{Value, json};

use super::server::parsed;
use super::{ModelAnswer, Server, apart, fields, text};
use crate::chat::{ChatReply, ChatRequest, Schema};
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

/// The version of the protocol that these shapes are of.
const VERSION: &str = "2023-06-01";
/// What a schema may not say here: a request with one of these bounds is refused as a whole.
const REFUSED_BOUNDS: [&str; 8] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
];
/// The most that `minItems` may say here.
const LEAST_ITEMS_MAX: f64 = 1.0;
/// The models, after `claude-`, that still take a temperature; newer ones refuse a request with it,
/// and so will those to come.
const TEMPERATE: [&str; 6] = ["instant", "2", "3", "opus-4", "sonnet-4", "haiku-4"];
/// Those of them that do not.
const NOT_TEMPERATE: [&str; 3] = ["opus-4-7", "opus-4-8", "opus-4-9"];

/// One request, one reply.
pub(crate) async fn complete(server: &Server<'_>, request: &ChatRequest) -> Result<ChatReply> {
    let sending = server.post("messages").header("x-api-key", server.key());
    let sending = sending.header("anthropic-version", VERSION);
    let schema = request.schema.as_ref().filter(|_| server.sends_schemas);
    let (system, turns) = apart(request);
    let output = |shape: &Schema| json!({"format": {"type": "json_schema", "schema": without_bounds(&shape.schema)}});
    let temperature = request.parameters.temperature.filter(|_| takes_temperature(request));
    let body = fields([
        ("model", request.model.model().into()),
        ("stream", false.into()),
        ("max_tokens", request.parameters.max_tokens.into()),
        ("system", system.into()),
        ("messages", json!(turns.collect::<Vec<_>>())),
        ("temperature", temperature.into()),
        ("output_config", schema.map(output).into()),
    ]);
    read(&server.answer(sending, &body, REPLY_BYTES_MAX).await?, request)
}

/// Whether a model takes a temperature. Others than Claude, behind the same protocol, do.
fn takes_temperature(request: &ChatRequest) -> bool {
    // Some gateways write a version with a dot.
    let name = request.model.model().to_ascii_lowercase().replace('.', "-");
    let Some((_, claude)) = name.split_once("claude-") else { return true };
    let is_one_of = |models: &[&str]| models.iter().any(|model| claude.starts_with(model));
    is_one_of(&TEMPERATE) && !is_one_of(&NOT_TEMPERATE)
}

/// A schema without the bounds that are refused; whoever reads a reply checks them anyway.
fn without_bounds(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, value)| !is_refused(name, value));
            kept.map(|(name, value)| (name.clone(), without_bounds(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_bounds).collect(),
        plain => plain.clone(),
    }
}

/// Whether this is a bound that is refused. A property may have the name of one, but then its
/// value is a schema and no number.
fn is_refused(name: &str, value: &Value) -> bool {
    let Some(bound) = value.as_f64() else { return false };
    REFUSED_BOUNDS.contains(&name) || (name == "minItems" && bound > LEAST_ITEMS_MAX)
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply> {
    let answer: Value = parsed(body)?;
    let count = |name: &str| answer["usage"][name].as_i64();
    let cached = count("cache_read_input_tokens");
    // What was read from a cache, and what was written to one, is counted apart.
    let besides = [cached, count("cache_creation_input_tokens")].into_iter().flatten();
    let input = count("input_tokens").map(|own| besides.fold(own, i64::saturating_add));
    // Words, or thoughts, which have other fields.
    let pieces = answer["content"].as_array().into_iter().flatten();
    let said = ModelAnswer {
        text: pieces.filter_map(|piece| piece["text"].as_str()).collect(),
        stopped: text(&answer["stop_reason"]),
        refusal: None,
        tokens: [input, cached, count("output_tokens")],
        model: text(&answer["model"]),
    };
    said.reply(request, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_are_refused_are_left_out_and_properties_of_their_names_stay() {
        let sent: Value = r#"{"type": "object",
            "properties": {
                "minimum": {"type": "number", "minimum": 1, "maximum": 10.5},
                "maxItems": {"type": "array", "minItems": 3, "maxItems": 1,
                    "items": {"type": "number", "minimum": 1, "maximum": 10.5}},
                "some": {"type": "array", "minItems": 1,
                    "items": {"anyOf": [{"type": "number", "minimum": 1, "maximum": 10.5}]}}},
            "required": ["minimum", "maxItems", "some"], "additionalProperties": false}"#
            .parse()
            .unwrap();
        let accepted: Value = r#"{"type": "object",
            "properties": {
                "minimum": {"type": "number"},
                "maxItems": {"type": "array", "items": {"type": "number"}},
                "some": {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "number"}]}}},
            "required": ["minimum", "maxItems", "some"], "additionalProperties": false}"#
            .parse()
            .unwrap();
        assert_eq!(without_bounds(&sent), accepted);
    }

    #[test]
    fn a_model_that_refuses_a_temperature_is_known_by_its_name() {
        let takes = |model: &str| {
            takes_temperature(&ChatRequest::new(
                format!("anthropic/{model}").parse().unwrap(),
                vec![],
            ))
        };
        for model in [
            "claude-3-5-sonnet-20241022",
            "claude-3-opus-latest",
            "claude-opus-4-20250514",
            "claude-opus-4-6",
            "claude-sonnet-4-6",
            "claude-haiku-4-5-20251001",
            "anthropic.claude-opus-4.6",
            "judge-high",
        ] {
            assert!(takes(model), "{model}");
        }
        for model in [
            "claude-opus-4-7",
            "claude-opus-4.8",
            "claude-opus-4-7@20260416",
            "anthropic.claude-opus-4-7-v1:0",
            "claude-opus-5",
            "claude-sonnet-5",
            "claude-haiku-5-5",
            "claude-fable-5",
        ] {
            assert!(!takes(model), "{model}");
        }
    }
}
