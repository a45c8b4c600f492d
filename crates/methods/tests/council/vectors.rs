//! Arithmetic against the reference vectors. Run by `cargo xtask test --data DIR`.

use std::path::PathBuf;

use assize_methods::council::overall::overall;
use assize_methods::council::{ByDimension, Dimension, Mark, Profile, Review, Weights};
use serde_json::Value;

fn by_dimension(value: &Value) -> ByDimension<f64> {
    let map = value.as_object().unwrap();
    map.iter()
        .map(|(name, value)| (Dimension::named(name).unwrap(), value.as_f64().unwrap()))
        .collect()
}

#[test]
fn every_vector_comes_out_to_a_billionth() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let path = PathBuf::from(data).join("council/rubric_vectors.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 78);
    let mut halves = 0;
    for case in cases {
        let marks = by_dimension(&case["scores"]);
        let marks = marks.into_iter().map(|(dimension, mark)| (dimension, Mark::plain(mark)));
        let review = Review { marks: marks.collect(), ..Review::default() };
        let mut profile = Profile::default();
        if case["weights"].is_object() {
            profile.weights = Weights::new(by_dimension(&case["weights"])).unwrap();
        }
        let found = overall::<f64>(&review, &profile).unwrap();
        let half = is_half(&review, &profile);
        halves += usize::from(half);
        let expect = |name: &str, value: f64| {
            let Some(expected) = case[name].as_f64() else { return };
            // The reference rounds a half to even or wherever its binary form lies; the rule
            // is half up. A ceiling hides the difference.
            let up = if half && value != found.base.min(expected) { 0.01 } else { 0.0 };
            assert!((value - expected - up).abs() < 1e-9, "{name}: {value} for {case}");
        };
        expect("llm_council_base", found.base);
        expect("correct", found.base);
        expect("llm_council_ceiling", found.capped);
    }
    // Accuracy 4.5, 5.5, 6.5 and 7.5 beside nines: 7.425, 7.775, 8.125 and 8.475.
    assert_eq!(halves, 4);
}

/// Whether the sum ends in a 5 in the third decimal, by whole numbers.
fn is_half(review: &Review, profile: &Profile) -> bool {
    let whole = |value: f64, scale: f64| assize_score::rounding::half_up(value * scale, 0);
    let sum: f64 = profile
        .weights
        .counting()
        .map(|(dimension, weight)| {
            whole(weight, 100.0) * whole(review.mark(dimension).unwrap(), 10.0)
        })
        .sum();
    sum % 10.0 == 5.0
}
