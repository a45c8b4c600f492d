//! Tests of rubric tiers.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::schema::fields;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rubric(bounds: &[(f64, f64)]) -> Result<Rubric, RubricError> {
    let tiers: Vec<Value> = bounds
        .iter()
        .enumerate()
        .map(|(index, (min, max))| {
            let label = format!("T{index}");
            fields([("min", (*min).into()), ("max", (*max).into()), ("label", label.into())])
        })
        .collect();
    Rubric::from_json(Some(&fields([("tiers", tiers.into())])))
}

fn problem(bounds: &[(f64, f64)]) -> String {
    rubric(bounds).unwrap_err().to_string()
}

#[test]
fn every_edge_has_the_label_of_the_tier_whose_min_it_reaches() {
    let expected = [
        (0.0, "Non-Compliant", "red", 1),
        (20.0, "Non-Compliant", "red", 1),
        (20.5, "Non-Compliant", "red", 1),
        (21.0, "Mostly Non-Compliant", "orange", 2),
        (40.9, "Mostly Non-Compliant", "orange", 2),
        (60.0, "Partially Compliant", "yellow", 3),
        (61.0, "Mostly Compliant", "lime", 4),
        (80.5, "Mostly Compliant", "lime", 4),
        (81.0, "Fully Compliant", "green", 5),
        (100.0, "Fully Compliant", "green", 5),
    ];
    for (score, label, colour, tier) in expected {
        let status = Rubric::default().status(score);
        assert_eq!(
            (&*status.label, &*status.colour, status.tier),
            (label, colour, tier),
            "{score}"
        );
    }
}

#[test]
fn a_status_is_written_with_the_names_of_the_seed() {
    let status = serde_json::to_value(Rubric::default().status(73.0)).unwrap();
    assert_eq!(status, json(r#"{"label": "Mostly Compliant", "color": "lime", "tier": 4}"#));
}

#[test]
fn nothing_null_and_an_empty_object_are_the_default() {
    for json in [None, Some(json("null")), Some(json("{}"))] {
        assert_eq!(Rubric::from_json(json.as_ref()).unwrap(), Rubric::default());
    }
    assert!(Rubric::from_json(Some(&json(r#"{"levels": []}"#))).is_err());
    assert!(Rubric::from_json(Some(&json("[]"))).is_err());
}

#[test]
fn a_rubric_is_read_back_as_it_was_written() {
    let json = serde_json::to_value(Rubric::default()).unwrap();
    assert_eq!(json["tiers"][1]["min"], 21);
    assert_eq!(json["tiers"][1]["label"], "Mostly Non-Compliant");
    assert_eq!(Rubric::from_json(Some(&json)).unwrap(), Rubric::default());
}

#[test]
fn a_bad_rubric_is_refused_with_the_tier_and_the_reason() {
    let cases: [(&[(f64, f64)], &str); 9] = [
        (&[(0.0, 100.0)], "a rubric must have 2 to 10 tiers, not 1"),
        (&[(0.0, 20.0), (30.0, 100.0)], "tier 2 (T1): starts at 30, which leaves 21-29 in no tier"),
        (&[(0.0, 20.0), (22.0, 100.0)], "tier 2 (T1): starts at 22, which leaves 21 in no tier"),
        (
            &[(0.0, 20.0), (20.0, 100.0)],
            "tier 2 (T1): starts at 20, but the previous tier goes up to 20",
        ),
        (
            &[(1.0, 20.0), (21.0, 100.0)],
            "tier 1 (T0): starts at 1, but the first tier must start at 0",
        ),
        (
            &[(0.0, 20.0), (21.0, 99.0)],
            "tier 2 (T1): ends at 99, but the last tier must end at 100",
        ),
        (&[(0.0, 50.5), (51.0, 100.0)], "tier 1 (T0): 50.5 is not a whole number"),
        (&[(0.0, 50.0), (51.0, 101.0)], "tier 2 (T1): 101 is outside 0 to 100"),
        (
            &[(0.0, 100.0), (50.0, 100.0)],
            "tier 2 (T1): starts at 50, but the previous tier goes up to 100",
        ),
    ];
    for (bounds, expected) in cases {
        assert_eq!(problem(bounds), expected);
    }
    let eleven: Vec<(f64, f64)> = (0..11).map(|tier| (f64::from(tier), f64::from(tier))).collect();
    assert_eq!(problem(&eleven), "a rubric must have 2 to 10 tiers, not 11");
}

#[test]
fn labels_are_needed_and_differ() {
    let with = |first: &str, second: &str| {
        let tiers = json(&format!(
            r#"{{"tiers": [{{"min": 0, "max": 50, "label": "{first}", "description": ""}},
                {{"min": 51, "max": 100, "label": "{second}", "description": ""}}]}}"#
        ));
        Rubric::from_json(Some(&tiers)).unwrap_err().to_string()
    };
    assert_eq!(with("  ", "b"), "tier 1 (no label): has no label");
    assert_eq!(with("a", " a "), "tier 2 (a): another tier has the same label");
}

#[test]
fn colours_are_spread_from_red_to_green() {
    let colours = |count: usize| -> Vec<String> {
        (0..count).map(|index| tones::spread(index, count)).collect()
    };
    assert_eq!(colours(2), ["red", "green"]);
    assert_eq!(colours(3), ["red", "yellow", "green"]);
    assert_eq!(colours(5), ["red", "orange", "yellow", "lime", "green"]);
    // orange c2410c to yellow a16207, a third: c2 - 11, 41 + 11, 0c - 1.7;
    // yellow to lime 4d7c0f, two thirds: a1 - 56, 62 + 17.3, 07 + 5.3.
    assert_eq!(colours(4), ["red", "#b74c0a", "#69730c", "green"]);
    for count in TIERS_MIN..=TIERS_MAX {
        let mut all = colours(count);
        all.dedup();
        assert_eq!(all.len(), count, "each tier has its own");
    }
}

#[test]
fn the_prompt_shows_one_line_for_each_tier() {
    let text = Rubric::default().prompt_text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].starts_with("- 0-20 (Non-Compliant): The document says nothing"));
    assert!(lines[4].starts_with("- 81-100 (Fully Compliant): "));
}

proptest! {
    #[test]
    fn every_score_has_the_tier_that_holds_its_whole_part(score in 0.0..=100.0_f64) {
        let rubric = Rubric::default();
        let tier = &rubric.tiers()[rubric.tier(score) - 1];
        prop_assert!(f64::from(tier.min) <= score && score < f64::from(tier.max) + 1.0);
    }
}
