//! A comparison as comma-separated lines.

use assize_wire::retrieval::Comparison;

use crate::output::data;

/// One line a pair and measure.
pub(super) fn csv(comparison: &Comparison) -> String {
    let header = [
        "measure",
        "run",
        "baseline",
        "run_value",
        "baseline_value",
        "difference",
        "low",
        "high",
        "wins",
        "ties",
        "losses",
        "p_randomization",
        "p_t",
        "p_wilcoxon",
        "p_bootstrap",
        "p_corrected",
        "effect",
        "mark",
    ];
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let rows = comparison.pairs.iter().map(|pair| {
        vec![
            pair.measure.clone(),
            pair.run.clone(),
            pair.baseline.clone(),
            pair.values.0.to_string(),
            pair.values.1.to_string(),
            pair.difference.to_string(),
            number(pair.interval.map(|interval| interval.low)),
            number(pair.interval.map(|interval| interval.high)),
            pair.wins.to_string(),
            pair.ties.to_string(),
            pair.losses.to_string(),
            number(pair.p.randomization),
            number(pair.p.t),
            number(pair.p.wilcoxon),
            number(pair.p.bootstrap),
            number(pair.p.corrected),
            number(pair.effect),
            pair.mark.word().to_owned(),
        ]
    });
    data::csv(&header, rows)
}
