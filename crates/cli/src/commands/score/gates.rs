//! Thresholds: what the run must reach, and how far it may fall behind an earlier one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::args::GateArguments;
use super::results::Results;
use crate::commands::thresholds::{Check, junit};
use crate::exit::Done;
use crate::output::{files, terminal};

/// Every threshold held against the results.
pub(super) fn checks(gates: &GateArguments, results: &Results<'_>) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for threshold in &gates.fail_under {
        let value = value_of(results, &threshold.measure)?;
        let name = format!("{} is at least {}", threshold.measure, threshold.at_least);
        checks.push(Check { name, value, at_least: threshold.at_least });
    }
    if let Some(path) = &gates.baseline {
        checks.extend(against_baseline(path, gates.max_drop, results)?);
    }
    Ok(checks)
}

/// Says what was missed, writes the report, and decides how the command ends.
pub(super) fn conclude(gates: &GateArguments, checks: &[Check]) -> Result<Done> {
    if let Some(path) = &gates.junit {
        files::write(path, &junit(checks))?;
    }
    let missed: Vec<&Check> = checks.iter().filter(|check| !check.passed()).collect();
    for check in &missed {
        let Check { name, value, .. } = check;
        terminal::notice(&format!("missed: wanted that {name}, but it is {value:.4}"));
    }
    Ok(if missed.is_empty() { Done::Fine } else { Done::ThresholdMissed })
}

fn value_of(results: &Results<'_>, measure: &str) -> Result<f64> {
    let mut summaries = results.summaries.iter();
    if let Some(summary) = summaries.find(|summary| summary.name == measure) {
        return Ok(summary.value);
    }
    let names: Vec<&str> = results.summaries.iter().map(|summary| summary.name.as_str()).collect();
    bail!("--fail-under: this run has no measure `{measure}`; it has {}", names.join(", "))
}

fn against_baseline(path: &Path, max_drop: f64, results: &Results<'_>) -> Result<Vec<Check>> {
    let file = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{file}: cannot be read"))?;
    let baseline: Map<String, Value> = serde_json::from_str(&text)
        .with_context(|| format!("{file}: is not a results file as --output writes it"))?;
    let mut checks = Vec::new();
    let mut missing = Vec::new();
    for summary in &results.summaries {
        let Some(before) = baseline_value(&baseline, &summary.name) else {
            missing.push(summary.name.as_str());
            continue;
        };
        let name = format!("{} drops by at most {max_drop} from {before:.4}", summary.name);
        checks.push(Check { name, value: summary.value, at_least: before - max_drop });
    }
    if !missing.is_empty() && !checks.is_empty() {
        terminal::notice(&format!("{file}: has no {}, which is not checked", missing.join(", ")));
    }
    let before = baseline.get("num_examples").and_then(Value::as_f64);
    let now = results.board.rows.len() as f64;
    if before.is_some_and(|before| before != now) {
        let before = before.unwrap_or_default();
        terminal::notice(&format!("{file}: was made on {before} queries, this run has {now}"));
    }
    if checks.is_empty() {
        bail!("{file}: has none of this run's measures");
    }
    Ok(checks)
}

/// A measure's value in a results file, as `--output` or `--format json` writes it.
fn baseline_value(baseline: &Map<String, Value>, measure: &str) -> Option<f64> {
    let flat = baseline.get(measure);
    let nested = || baseline.get("measures")?.get(measure)?.get("value");
    flat.or_else(nested)?.as_f64()
}
