//! A run as OSCAL assessment results (JSON, model 1.1.2 or 1.2), and what is to be done about it
//! as a plan of action and milestones.
//!
//! Every row is an observation, with its located quotes as evidence. Only a row
//! with a score is also a finding: OSCAL knows `satisfied` and `not-satisfied`
//! alone, and what was not judged is neither. All ids are derived from the
//! content, so the same report gives the same bytes.

mod identity;
mod markup;
mod plan;
mod row;

use std::collections::BTreeSet;
use std::io::Write;

use identity::{Identity, control_id, time_or};
use markup::{line, prose};
use serde_json::{Value, json};

use crate::text;
use crate::{ExportError, Report, Summary};

pub use plan::write_plan;

/// A version of the model. What is written is part of both, word for word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Version {
    /// 1.1.2.
    #[default]
    V1_1,
    /// 1.2.0.
    V1_2,
}

impl Version {
    /// As a file names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1_1 => "1.1.2",
            Self::V1_2 => "1.2.0",
        }
    }
}

/// Where the names of our own properties are at home.
pub(crate) const NAMESPACE: &str = "urn:assize:oscal";

/// What a report does not say and OSCAL wants to know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Where the assessment plan is. None: the file says that there was none.
    pub assessment_plan: Option<String>,
    /// The lowest tier that satisfies a control, from 1. None: only the highest does.
    pub satisfied_from_tier: Option<u8>,
    /// Which version of the model.
    pub version: Version,
    /// The evidence package of the run, named in the back matter with its hash.
    pub package: Option<AttachedPackage>,
}

/// An evidence package that lies beside the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttachedPackage {
    /// The name of its file.
    pub name: String,
    /// The hash of the file, in hexadecimal digits.
    pub sha256: String,
    /// The head of its chain.
    pub head: String,
}

/// Writes the report. Its `exported_at` must be RFC 3339 with a zone.
pub fn write(report: &Report, options: &Options, mut out: impl Write) -> Result<(), ExportError> {
    serde_json::to_writer_pretty(&mut out, &document(report, options)?)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// An object without what has no value; OSCAL allows no empty lists.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let has_value = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    fields.into_iter().filter(|(_, value)| has_value(value)).collect()
}

fn document(report: &Report, options: &Options) -> Result<Value, ExportError> {
    let identity = Identity::of(report);
    let plan = identity.uuid(&["plan"]);
    let href = options.assessment_plan.clone().unwrap_or_else(|| format!("#{plan}"));
    let mut resources: Vec<Value> = Vec::new();
    if options.assessment_plan.is_none() {
        let about = "The run was made from a criteria set, without an assessment plan in OSCAL.";
        resources.push(json!({"uuid": plan, "title": "No assessment plan", "description": about}));
    }
    resources.extend(options.package.as_ref().map(|package| evidence(package, &identity)));
    resources.extend((0..report.documents.len()).map(|index| resource(report, &identity, index)));
    let results = object([
        ("uuid", identity.document(report)?.into()),
        ("metadata", metadata(report, options, &identity)?),
        ("import-ap", json!({"href": href})),
        ("results", vec![result(report, options, &identity)?].into()),
        ("back-matter", (!resources.is_empty()).then(|| json!({"resources": resources})).into()),
    ]);
    Ok(json!({"assessment-results": results}))
}

fn metadata(report: &Report, options: &Options, identity: &Identity) -> Result<Value, ExportError> {
    let organisation = identity.uuid(&["organisation", &report.organisation]);
    let assessor = markup::value(&report.organisation).map(|name| {
        [
            json!([{"id": "assessor", "title": "Assessor"}]),
            json!([{"uuid": organisation, "type": "organization", "name": name}]),
            json!([{"role-id": "assessor", "party-uuids": [organisation]}]),
        ]
    });
    // Who assessed: all three, or none without a name.
    let [roles, parties, responsible] = assessor.unwrap_or_default();
    let method = &report.method;
    let made = properties(&[
        ("judge", Some(method.judge.clone())),
        ("method", Some(method.method.clone())),
        ("prompt-template", Some(method.template_version.clone())),
    ]);
    let props: Vec<Value> =
        made.into_iter().chain(properties(&document_findings(report))).collect();
    let modified = time_or("exported_at", &report.exported_at, &report.exported_at)?;
    Ok(object([
        ("title", line(&report.title).into()),
        ("last-modified", modified.into()),
        ("version", markup::value(&report.run.id).unwrap_or_else(|| "1".to_owned()).into()),
        ("oscal-version", options.version.name().into()),
        ("props", props.into()),
        ("roles", roles),
        ("parties", parties),
        ("responsible-parties", responsible),
    ]))
}

/// What readers must know about the documents, whoever judged.
fn document_findings(report: &Report) -> Vec<(&'static str, Option<String>)> {
    let of = |document: &crate::Document| {
        let named = |finding: &String| format!("{}: {finding}", document.name);
        document.findings.iter().map(named).collect::<Vec<_>>()
    };
    let all = report.documents.iter().flat_map(of);
    all.map(|finding| ("document-finding", Some(finding))).collect()
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
    let set = &report.criteria_set;
    let about =
        format!("Documents held against the criteria set {}. {}", set.name, set.description);
    let props = properties(&[
        ("mean-score", overall.mean.map(text::score)),
        ("scored", Some(overall.scored.to_string())),
        ("unscored", Some(overall.unscored.to_string())),
        ("satisfied-from-tier", Some(rows.threshold.to_string())),
    ]);
    let start = time_or("started_at", &run.started_at, &report.exported_at)?;
    Ok(object([
        ("uuid", identity.uuid(&["result"]).into()),
        ("title", line(&format!("{}: {}", set.name, report.title)).into()),
        ("description", prose(&about).into()),
        ("start", start.into()),
        ("end", (!run.finished_at.is_empty()).then(|| collected.clone()).into()),
        ("props", props.into()),
        ("reviewed-controls", reviewed(report)),
        ("observations", rows.observations().into()),
        ("findings", rows.findings().into()),
        ("remarks", remarks.into()),
    ]))
}

/// The lowest tier that satisfies; a rubric without tiers satisfies nothing.
fn threshold(report: &Report, options: &Options) -> u8 {
    let highest = u8::try_from(report.rubric.len()).ok().filter(|tiers| *tiers > 0);
    options.satisfied_from_tier.or(highest).unwrap_or(u8::MAX)
}

/// The controls of all rows, each once.
fn reviewed(report: &Report) -> Value {
    let mut seen = BTreeSet::new();
    let ids = report.rows.iter().map(|row| control_id(&row.criteria_id));
    let controls: Vec<Value> = ids
        .filter(|id| seen.insert(id.clone()))
        .map(|control_id| json!({"control-id": control_id}))
        .collect();
    let description = controls.is_empty().then_some("No criterion was judged.");
    let selection =
        object([("description", description.into()), ("include-controls", controls.into())]);
    json!({"control-selections": [selection]})
}

/// The package that the results can be verified with.
fn evidence(package: &AttachedPackage, identity: &Identity) -> Value {
    let description =
        "Everything the results rest on. `assize verify` computes them again from this file alone.";
    let hashes = json!([{"algorithm": "SHA-256", "value": package.sha256}]);
    object([
        ("uuid", identity.uuid(&["evidence", &package.sha256]).into()),
        ("title", "Evidence package".into()),
        ("description", description.into()),
        ("props", properties(&[("package-head", Some(package.head.clone()))]).into()),
        (
            "rlinks",
            json!([{"href": package.name, "media-type": "application/zip", "hashes": hashes}]),
        ),
    ])
}

/// A document, as what observations are about.
fn resource(report: &Report, identity: &Identity, index: usize) -> Value {
    let document = &report.documents[index];
    let findings = &document.findings;
    let props = properties(&[
        ("content-hash", Some(document.hash.clone())),
        ("media-type", Some(document.media_type.clone())),
    ]);
    object([
        ("uuid", identity.resource(report, &document.name).into()),
        ("title", line(&document.name).into()),
        ("description", (!findings.is_empty()).then(|| prose(&findings.join("\n\n"))).into()),
        ("props", props.into()),
    ])
}

/// Properties of ours; those without a value are left out.
fn properties(pairs: &[(&str, Option<String>)]) -> Vec<Value> {
    let known = pairs.iter().filter_map(|(name, value)| {
        let value = markup::value(value.as_deref()?)?;
        Some(json!({"name": name, "ns": NAMESPACE, "value": value}))
    });
    known.collect()
}
