//! The `OpenAPI` document: made from the list of routes and what stands beside each handler.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::auth::Access;
use crate::error::Problem;
use crate::router::routes;

type Shape = fn(&mut SchemaGenerator) -> Schema;

/// What an operation of the API takes and gives.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Operation {
    summary: &'static str,
    query: Option<Shape>,
    body: Option<(&'static str, Shape)>,
    status: u16,
    answer: Option<(&'static str, Shape)>,
    has_tag: bool,
}

const JSON: &str = "application/json";

impl Operation {
    /// An operation that takes nothing and answers with nothing.
    pub const fn new(summary: &'static str) -> Self {
        Self { summary, query: None, body: None, status: 204, answer: None, has_tag: false }
    }

    /// With parameters behind the question mark.
    pub const fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(inline::<T>);
        self
    }

    /// With a JSON body.
    pub const fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some((JSON, named::<T>));
        self
    }

    /// With files in a form.
    pub const fn files(mut self) -> Self {
        self.body = Some(("multipart/form-data", named::<Upload>));
        self
    }

    /// That answers with JSON.
    pub(crate) const fn gives<T: JsonSchema>(mut self, status: u16) -> Self {
        self.status = status;
        self.answer = Some((JSON, named::<T>));
        self
    }

    /// That answers with something else.
    pub(crate) const fn gives_file(mut self, media_type: &'static str) -> Self {
        self.status = 200;
        self.answer = Some((media_type, named::<Value>));
        self
    }

    /// Whose answer has an `ETag` that a change must name in `If-Match`.
    pub(crate) const fn tagged(mut self) -> Self {
        self.has_tag = true;
        self
    }

    /// What it does, in a few words.
    pub const fn summary(&self) -> &'static str {
        self.summary
    }
}

/// Files in a form.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Upload {
    /// One or more files; the name decides how each is read.
    file: Vec<String>,
}

fn inline<T: JsonSchema>(_: &mut SchemaGenerator) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.into_generator().into_root_schema_for::<T>()
}

fn named<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The document of this program's API, as it is sent and kept.
pub fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    let mut paths: BTreeMap<&'static str, BTreeMap<String, Value>> = BTreeMap::new();
    for route in routes() {
        let Some(operation) = route.operation else { continue };
        let described =
            described(&mut generator, (route.method, route.path), route.access, operation);
        paths.entry(route.path).or_default().insert(route.method.to_ascii_lowercase(), described);
    }
    let bearer = json!({
        "type": "http",
        "scheme": "bearer",
        "description": "An API token. A server on loopback needs none.",
    });
    let schemas = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Assize",
            "version": env!("CARGO_PKG_VERSION"),
            "description":
                "Measures what AI systems produce, and shows how each number was computed.",
        },
        // Either nothing (loopback) or a token.
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": bearer}},
    })
}

fn described(
    generator: &mut SchemaGenerator,
    (method, path): (&str, &str),
    access: Access,
    operation: Operation,
) -> Value {
    let mut parameters = in_path(path);
    if let Some(query) = operation.query {
        parameters.extend(in_query(query(generator)));
    }
    if operation.has_tag && method == "PUT" {
        parameters.push(json!({
            "name": "If-Match",
            "in": "header",
            "required": true,
            "description": "The `ETag` of the version you read.",
            "schema": text_schema(),
        }));
    }
    let content = |(media_type, shape): (&'static str, Shape), generator: &mut SchemaGenerator| json!({(media_type): {"schema": shape(generator)}});
    let mut success = json!({"description": "Success"});
    if let Some(answer) = operation.answer {
        success["content"] = content(answer, generator);
    }
    let problem = content(("application/problem+json", named::<Problem>), generator);
    let noun = path.trim_start_matches("/api/v1/").split('/').next().unwrap_or_default();
    let mut described = json!({
        "operationId": operation_id(method, path),
        "summary": operation.summary,
        "description": access.to_string(),
        "tags": [noun],
        "parameters": parameters,
    });
    if let Some(body) = operation.body {
        described["requestBody"] = json!({"required": true, "content": content(body, generator)});
    }
    described["responses"] = json!({
        (operation.status.to_string()): success,
        "default": {"description": "Error", "content": problem},
    });
    described
}

/// `get_runs_run_items` for `GET /api/v1/runs/{run}/items`.
fn operation_id(method: &str, path: &str) -> String {
    let words = path.trim_start_matches("/api/v1/").replace(['{', '}', '.'], "");
    format!("{}_{}", method.to_ascii_lowercase(), words.replace(['/', '-'], "_"))
}

fn in_path(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name: &str| {
        let schema = if name == "position" { number_schema() } else { text_schema() };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    };
    names.map(parameter).collect()
}

fn in_query(schema: Schema) -> Vec<Value> {
    let Value::Object(mut schema) = schema.to_value() else { return Vec::new() };
    let required = schema.remove("required").unwrap_or_default();
    let Some(Value::Object(properties)) = schema.remove("properties") else { return Vec::new() };
    let parameter = |(name, mut schema): (String, Value)| {
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let is_required =
            required.as_array().is_some_and(|names| names.iter().any(|one| *one == *name));
        let mut parameter = json!({"name": name, "in": "query", "required": is_required});
        if let Some(text) = description {
            parameter["description"] = text;
        }
        parameter["schema"] = without_null(schema);
        parameter
    };
    properties.into_iter().map(parameter).collect()
}

/// A parameter that is left out is not there; it is never null.
fn without_null(mut schema: Value) -> Value {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(kinds)) = schema.get_mut("anyOf") {
        kinds.retain(|kind| kind["type"] != "null");
        if let [only] = kinds.as_slice() {
            return only.clone();
        }
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    schema
}

fn text_schema() -> Value {
    Value::from(schemars::schema_for!(String))
}

fn number_schema() -> Value {
    Value::from(schemars::schema_for!(u32))
}
