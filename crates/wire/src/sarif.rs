//! SARIF 2.1.0 as far as `assize check` writes it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

/// A log with one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SarifLog {
    /// The address of the schema.
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    /// The version of the format.
    pub version: &'static str,
    /// What was run.
    pub runs: [SarifRun; 1],
}

/// What a tool found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SarifRun {
    /// The tool.
    pub tool: SarifTool,
    /// What it found.
    pub results: Vec<SarifResult>,
}

/// A tool: a driver without extensions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SarifTool {
    /// The program itself.
    pub driver: SarifDriver,
}

/// A program and its rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SarifDriver {
    /// What it is called.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What it looks at.
    pub rules: Vec<SarifRule>,
}

/// A rule: a check of a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifRule {
    /// The name of the check.
    pub id: String,
    /// What it is.
    pub short_description: SarifText,
}

/// Plain text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SarifText {
    /// The words.
    pub text: String,
}

/// One requirement and whether it holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult {
    /// The check it belongs to.
    pub rule_id: String,
    /// `pass` or `fail`.
    pub kind: &'static str,
    /// `none` or `error`.
    pub level: &'static str,
    /// What was required and measured.
    pub message: SarifText,
    /// Where it is required.
    pub locations: [SarifLocation; 1],
    /// What tells the result from others in a later log.
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    /// The measure, and its value and bound where there are any.
    pub properties: BTreeMap<&'static str, Json>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifLocation {
    /// The file and the line.
    pub physical_location: SarifPlace,
}

/// A file and a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifPlace {
    /// The file.
    pub artifact_location: SarifFile,
    /// The line.
    pub region: SarifRegion,
}

/// A file, as a relative reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SarifFile {
    /// The reference.
    pub uri: String,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifRegion {
    /// Its number, from 1.
    pub start_line: usize,
}
