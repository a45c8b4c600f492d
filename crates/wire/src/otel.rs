//! Events of OpenTelemetry in OTLP JSON, as far as scores need them.

use serde::Serialize;

/// One message: what one program tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtelLogs {
    /// The program and its events.
    pub resource_logs: [OtelResourceLogs; 1],
}

/// A program and its events.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtelResourceLogs {
    /// The program.
    pub resource: OtelResource,
    /// Its events.
    pub scope_logs: [OtelScopeLogs; 1],
}

/// What is said of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtelResource {
    /// By name.
    pub attributes: Vec<OtelAttribute>,
}

/// Events of one part of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtelScopeLogs {
    /// The part.
    pub scope: OtelScope,
    /// The events.
    pub log_records: Vec<OtelRecord>,
}

/// A part of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtelScope {
    /// What it is called.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtelRecord {
    /// Nanoseconds since 1970, as text: they do not fit a number of JSON.
    pub time_unix_nano: String,
    /// How grave it is, in OpenTelemetry's numbers.
    pub severity_number: u8,
    /// What kind of event.
    pub event_name: &'static str,
    /// What is said of it.
    pub attributes: Vec<OtelAttribute>,
}

/// A value with its name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtelAttribute {
    /// The name.
    pub key: &'static str,
    /// The value.
    pub value: OtelValue,
}

/// A value with its type.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum OtelValue {
    /// Words.
    StringValue(String),
    /// A number.
    DoubleValue(f64),
}

impl OtelAttribute {
    /// One with words.
    pub fn text(key: &'static str, value: &str) -> Self {
        Self { key, value: OtelValue::StringValue(value.to_owned()) }
    }
}
