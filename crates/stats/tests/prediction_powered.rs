//! Estimates and intervals against ppi-python (`scripts/ppi_reference.py`).

#![expect(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use assize_stats::interval::{prediction_powered_mean, prediction_powered_mean_by_normal};
use serde_json::Value;

const CASES: &str = include_str!("../../../cases/stats/prediction_powered.json");

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

#[test]
fn estimates_and_intervals_are_those_of_the_reference() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let [labels, judged, others] =
            ["labels", "judged", "others"].map(|name| numbers(&case[name]));
        for level in ["0.95", "0.9"] {
            let ends = numbers(&case["intervals"][level]);
            let level: f64 = level.parse().unwrap();
            let (estimate, interval) =
                prediction_powered_mean_by_normal(&labels, &judged, &others, level).unwrap();
            let close = |found: f64, wanted: f64| (found - wanted).abs() < 1e-9;
            let name = &case["name"];
            assert!(close(estimate, case["estimate"].as_f64().unwrap()), "{name}: {estimate}");
            assert!(
                close(interval.low, ends[0]) && close(interval.high, ends[1]),
                "{name}: {interval:?}"
            );
            // Ours is wider, around the same estimate.
            let ours = prediction_powered_mean(&labels, &judged, &others, level).unwrap();
            assert!(close(ours.estimate, estimate), "{name}");
            assert!(ours.interval.low < interval.low && ours.interval.high > interval.high);
        }
    }
}
