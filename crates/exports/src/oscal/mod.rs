//! A run as OSCAL assessment results (JSON, model 1.1.2).
//!
//! Every row is an observation, with its located quotes as evidence. Only a row
//! with a score is also a finding: OSCAL knows `satisfied` and `not-satisfied`
//! alone, and what was not judged is neither. All ids are derived from the
//! content, so the same report gives the same bytes.

mod identity;
mod markup;
mod row;

use std::collections::BTreeSet;
use std::io::Write;

use identity::{Identity, control_id, time_or};
use markup::{line, prose};
use serde_json::{Map, Value, json};

use crate::text;
use crate::{ExportError, Report, Summary};

/// The version of the model that is written.
pub const OSCAL_VERSION: &str = "1.1.2";
/// Where the names of our own properties are at home.
pub const NAMESPACE: &str = "urn:assize:oscal";

/// What a report does not say and OSCAL wants to know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Where the assessment plan is. None: the file says that there was none.
    pub assessment_plan: Option<String>,
    /// The lowest tier that satisfies a control, from 1. None: only the highest does.
    pub satisfied_from_tier: Option<u8>,
}

/// Writes the report. Its `exported_at` must be RFC 3339 with a zone.
pub fn write(report: &Report, options: &Options, mut out: impl Write) -> Result<(), ExportError> {
    serde_json::to_writer_pretty(&mut out, &document(report, options)?)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn document(report: &Report, options: &Options) -> Result<Value, ExportError> {
    let identity = Identity::of(report);
    let plan = identity.uuid(&["plan"]);
    let href = options.assessment_plan.clone().unwrap_or_else(|| format!("#{plan}"));
    let mut resources: Vec<Value> = Vec::new();
    if options.assessment_plan.is_none() {
        resources.push(json!({
            "uuid": plan,
            "title": "No assessment plan",
            "description": "The run was made from a criteria set, without an assessment plan in OSCAL.",
        }));
    }
    resources.extend((0..report.documents.len()).map(|index| resource(report, &identity, index)));
    let mut root = Map::new();
    root.insert("uuid".into(), json!(identity.document(report)?));
    root.insert("metadata".into(), metadata(report, &identity)?);
    root.insert("import-ap".into(), json!({ "href": href }));
    root.insert("results".into(), json!([result(report, options, &identity)?]));
    if !resources.is_empty() {
        root.insert("back-matter".into(), json!({ "resources": resources }));
    }
    Ok(json!({ "assessment-results": root }))
}

fn metadata(report: &Report, identity: &Identity) -> Result<Value, ExportError> {
    let organisation = identity.uuid(&["organisation", &report.organisation]);
    let mut metadata = json!({
        "title": line(&report.title),
        "last-modified": time_or("exported_at", &report.exported_at, &report.exported_at)?,
        "version": markup::value(&report.run.id).unwrap_or_else(|| "1".to_owned()),
        "oscal-version": OSCAL_VERSION,
        "props": properties(&[
            ("judge", Some(report.method.judge.clone())),
            ("method", Some(report.method.method.clone())),
            ("prompt-template", Some(report.method.template_version.clone())),
        ]),
    });
    if let Some(name) = markup::value(&report.organisation) {
        metadata["roles"] = json!([{ "id": "assessor", "title": "Assessor" }]);
        metadata["parties"] =
            json!([{ "uuid": organisation, "type": "organization", "name": name }]);
        metadata["responsible-parties"] =
            json!([{ "role-id": "assessor", "party-uuids": [organisation] }]);
    }
    Ok(without_empty(metadata))
}

fn result(report: &Report, options: &Options, identity: &Identity) -> Result<Value, ExportError> {
    let run = &report.run;
    let collected = time_or("finished_at", &run.finished_at, &report.exported_at)?;
    let rows = row::Rows {
        report,
        identity,
        collected: &collected,
        threshold: threshold(report, options),
    };
    let overall = Summary::of(report).overall;
    let remarks = format!(
        "{} rows scored, {} without a score; those are observations without a finding. \
         A control is satisfied from tier {} upwards.",
        overall.scored, overall.unscored, rows.threshold
    );
    let mut result = json!({
        "uuid": identity.uuid(&["result"]),
        "title": line(&format!("{}: {}", report.criteria_set.name, report.title)),
        "description": prose(&format!("Documents held against the criteria set {}. {}", report.criteria_set.name, report.criteria_set.description)),
        "start": time_or("started_at", &run.started_at, &report.exported_at)?,
    });
    if !run.finished_at.is_empty() {
        result["end"] = json!(collected);
    }
    result["props"] = properties(&[
        ("mean-score", overall.mean.map(text::score)),
        ("scored", Some(overall.scored.to_string())),
        ("unscored", Some(overall.unscored.to_string())),
        ("satisfied-from-tier", Some(rows.threshold.to_string())),
    ]);
    result["reviewed-controls"] = reviewed(report);
    result["observations"] = rows.observations();
    result["findings"] = rows.findings();
    result["remarks"] = json!(remarks);
    Ok(without_empty(result))
}

/// The lowest tier that satisfies; a rubric without tiers satisfies nothing.
fn threshold(report: &Report, options: &Options) -> u8 {
    let highest = u8::try_from(report.rubric.len()).ok().filter(|tiers| *tiers > 0);
    options.satisfied_from_tier.or(highest).unwrap_or(u8::MAX)
}

/// The controls of all rows, each once.
fn reviewed(report: &Report) -> Value {
    let mut seen = BTreeSet::new();
    let controls: Vec<_> = report
        .rows
        .iter()
        .map(|row| control_id(&row.criteria_id))
        .filter(|id| seen.insert(id.clone()))
        .map(|id| json!({ "control-id": id }))
        .collect();
    if controls.is_empty() {
        return json!({ "control-selections": [{ "description": "No criterion was judged." }] });
    }
    json!({ "control-selections": [{ "include-controls": controls }] })
}

/// A document, as what observations are about.
fn resource(report: &Report, identity: &Identity, index: usize) -> Value {
    let document = &report.documents[index];
    without_empty(json!({
        "uuid": identity.resource(report, &document.name),
        "title": line(&document.name),
        "props": properties(&[
            ("content-hash", Some(document.hash.clone())),
            ("media-type", Some(document.media_type.clone())),
        ]),
    }))
}

/// Properties of ours; those without a value are left out.
fn properties(pairs: &[(&str, Option<String>)]) -> Value {
    let known = pairs.iter().filter_map(|(name, value)| {
        let value = markup::value(value.as_deref()?)?;
        Some(json!({ "name": name, "ns": NAMESPACE, "value": value }))
    });
    known.collect()
}

/// OSCAL allows no empty lists: they are left out.
fn without_empty(mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, field| field.as_array().is_none_or(|list| !list.is_empty()));
    }
    value
}
