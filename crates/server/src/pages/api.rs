//! The API for people: every operation with its parameters, body and answer.

use assize_engine::error::codes;
use maud::{Markup, html};
use serde_json::Value;

use super::page as frame;

/// The page of an `OpenAPI` document.
pub(crate) fn page(document: &Value) -> Markup {
    let paths = document["paths"].as_object();
    let schemas = document["components"]["schemas"].as_object();
    frame(
        "API reference",
        &html! {
            h1 { "API reference" }
            p { "OpenAPI document: " a href="/api/v1/openapi.json" { "openapi.json" } ". Guide: docs/guide/api.md." }
            h2 { "Operations" }
            p { "Each of them answers what it refuses with " code { "application/problem+json" } ": " a href="#schema-Problem" { "Problem" } "." }
            @for (path, methods) in paths.into_iter().flatten() {
                @for (method, operation) in methods.as_object().into_iter().flatten() {
                    details id=(word(operation, "operationId")) {
                        summary { strong { (method.to_uppercase()) } " " code { (path) } " " (word(operation, "summary")) }
                        p { (word(operation, "description")) }
                        (parameters(operation))
                        (shape("Request body", &operation["requestBody"]["content"]))
                        // What all have in common is said once, above.
                        @for (status, answer) in operation["responses"].as_object().into_iter().flatten().filter(|(status, _)| *status != "default") {
                            (shape(&format!("Response {status}"), &answer["content"]))
                        }
                    }
                }
            }
            h2 { "Schemas" }
            @for (name, schema) in schemas.into_iter().flatten() {
                details id=(format!("schema-{name}")) {
                    summary { code { (name) } }
                    pre { (serde_json::to_string_pretty(schema).unwrap_or_default()) }
                }
            }
            h2 { "Errors" }
            dl {
                @for code in codes::ALL {
                    dt id=(format!("error-{}", code.code)) { code { (code.code) } }
                    dd { (code.meaning) @if !code.hint.is_empty() { "; " (code.hint) } }
                }
            }
        },
    )
}

fn parameters(operation: &Value) -> Markup {
    let all = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    html! {
        @if !all.is_empty() {
            table {
                thead { tr { th scope="col" { "Parameter" } th scope="col" { "In" } th scope="col" { "Description" } } }
                tbody {
                    @for one in all {
                        tr {
                            th scope="row" { code { (word(one, "name")) } }
                            td { (word(one, "in")) @if one["required"] == true { ", required" } }
                            td { (word(one, "description")) }
                        }
                    }
                }
            }
        }
    }
}

fn shape(title: &str, content: &Value) -> Markup {
    html! {
        @for (media_type, content) in content.as_object().into_iter().flatten() {
            p {
                (title) " " code { (media_type) } " "
                @if let Some(name) = content["schema"]["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
                    a href=(format!("#schema-{name}")) { (name) }
                } @else {
                    code { (content["schema"].to_string()) }
                }
            }
        }
    }
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
