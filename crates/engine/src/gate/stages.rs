//! What each stage of the gate adds, and what other thresholds of the second would do.

use assize_methods::gate::{Gate, GateReport, LEARNED_RULE, MODEL_RULE};
use rayon::prelude::*;
use serde::Serialize;

use super::figures::Figures;
use super::record::{Answer, Label};

/// How far thresholds go to either side of the one that is used, and in which steps.
const STEPS: i32 = 8;
const STEP: f64 = 0.25;

/// What each stage does alone and with the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stages {
    /// The rules alone.
    pub rules: Figures,
    /// What was learned alone.
    pub learned: Figures,
    /// Both, at several thresholds of the second.
    pub curve: Vec<Point>,
}

/// One threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    pub threshold: f64,
    pub is_used: bool,
    /// Both stages with it.
    pub both: Figures,
}

/// Counts; `None` for a gate without a second stage.
pub(super) fn count(gate: &Gate, answers: &[Answer], reports: &[GateReport]) -> Option<Stages> {
    let used = gate.learned_threshold()?;
    let cases: Vec<(bool, bool, f64)> = answers
        .par_iter()
        .zip(reports)
        .map(|(answer, report)| {
            let harmful = answer.label == Some(Label::Harmful);
            let by_rules = report
                .failures()
                .any(|finding| ![LEARNED_RULE, MODEL_RULE].contains(&finding.rule.as_str()));
            let score = gate.learned_score(&answer.response);
            (harmful, by_rules, score.unwrap_or(f64::NEG_INFINITY))
        })
        .collect();
    let both = |threshold: f64| {
        let failed =
            |(harmful, rules, score): &(bool, bool, f64)| (*harmful, *rules || *score > threshold);
        Figures::count(cases.iter().map(failed))
    };
    Some(Stages {
        rules: Figures::count(cases.iter().map(|(harmful, rules, _)| (*harmful, *rules))),
        learned: Figures::count(cases.iter().map(|(harmful, _, score)| (*harmful, *score > used))),
        curve: (-STEPS..=STEPS)
            .map(|step| {
                let threshold = used - f64::from(step) * STEP;
                Point { threshold, is_used: step == 0, both: both(threshold) }
            })
            .collect(),
    })
}
