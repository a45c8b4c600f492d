//! Estimates against ppi-python (`scripts/ppi_reference.py`).

#![expect(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use assize_stats::interval::prediction_powered_mean;
use serde_json::Value;

const CASES: &str = include_str!("../../../cases/stats/prediction_powered.json");

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

#[test]
fn estimates_are_those_of_the_reference_with_wider_intervals() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let [labels, judged, others] =
            ["labels", "judged", "others"].map(|name| numbers(&case[name]));
        for level in ["0.95", "0.9"] {
            let ends = numbers(&case["intervals"][level]);
            let level: f64 = level.parse().unwrap();
            let ours = prediction_powered_mean(&labels, &judged, &others, level).unwrap();
            let (name, expected) = (&case["name"], case["estimate"].as_f64().unwrap());
            assert!((ours.estimate - expected).abs() < 1e-9, "{name}: {ours:?}");
            // The reference takes the normal quantile; ours is wider, around the same estimate.
            let interval = ours.interval;
            assert!(interval.low < ends[0] && interval.high > ends[1], "{name}: {ours:?}");
        }
    }
}
