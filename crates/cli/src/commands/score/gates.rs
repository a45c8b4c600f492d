//! Thresholds: what the run must reach, and how far it may fall behind an earlier one.

use anyhow::Result;
use assize_engine::retrieval::request::ScoreReport;
use assize_engine::thresholds::{Baseline, Figures, check, check_baseline, check_complete, junit};
use assize_wire::threshold::Check;

use super::args::GateArguments;
use crate::commands::thresholds::{self, FailUnder};
use crate::exit::Done;
use crate::output::{files, terminal};

/// Every threshold checked against the results.
pub(super) fn checks(gates: &GateArguments, report: &ScoreReport) -> Result<Vec<Check>> {
    let mut figures = Figures::from(report);
    if gates.allow_missing {
        figures.count -= figures.unscored;
        figures.unscored = 0;
    }
    thresholds::check_possible(&gates.fail_under, &figures.names(), highest)?;
    let requirements: Vec<_> = gates.fail_under.iter().map(FailUnder::requirement).collect();
    let mut checks = check(&requirements, &figures, None);
    if let Some(path) = &gates.baseline {
        let baseline = Baseline::read(path)?;
        checks.extend(check_baseline(&figures, &baseline, gates.max_drop)?);
        let names = figures.names().into_iter().filter(|name| baseline.mean(name).is_none());
        let missing: Vec<&str> = names.collect();
        if !missing.is_empty() {
            let file = path.display();
            terminal::notice(&format!("{file}: no {}; not checked", missing.join(", ")));
        }
    }
    if !checks.is_empty() {
        checks.extend(check_complete(&figures));
    }
    Ok(checks)
}

/// Every measure is a share, but for sums of gains and counts.
fn highest(measure: &str) -> Option<f64> {
    let family = measure.split(['@', '(']).next().unwrap_or(measure);
    let is_open = matches!(family, "dcg" | "g" | "utility") || family.starts_with("num_");
    (!is_open).then_some(1.0)
}

/// Says what was met and missed, writes the report, and decides how the command ends.
pub(super) fn conclude(gates: &GateArguments, checks: &[Check]) -> Result<Done> {
    if let Some(path) = &gates.junit {
        files::write(path, &junit("assize score", checks))?;
    }
    Ok(thresholds::conclude(checks))
}
