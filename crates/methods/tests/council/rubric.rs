//! Cases about the rubric's arithmetic, named after their id.

use assize_methods::council::ceiling::Shape;
use assize_methods::council::overall::{Overall, Uncounted, overall};
use assize_methods::council::record::CapError;
use assize_methods::council::{
    ByDimension, Dimension, Gating, Profile, Review, Settings, Weights, WeightsError, decide,
    read_ballot,
};
use assize_score::Explained;

use crate::support::{record, review, reviewer, unanimous, verdict};

fn value(review: &Review) -> Result<(f64, f64), Uncounted> {
    let Overall { base, capped, .. } = overall::<f64>(review, &Profile::default())?;
    Ok((base, capped))
}

/// The review of Response A in a reply that gives it these fields.
fn said(fields: &str) -> Review {
    let reply = format!("{{\"evaluations\": {{\"Response A\": {{{fields}}}}}}}");
    read_ballot(&reply, 1).unwrap().reviews[0].clone()
}

const OTHERS: &str = "\"relevance\": 9, \"completeness\": 9, \"conciseness\": 9, \"clarity\": 9";

#[test]
fn missing_accuracy_disables_ceiling() {
    let review = said(OTHERS);
    assert_eq!(value(&review), Err(Uncounted::NoAccuracy));
    let complaint = read_ballot(&format!("{{\"evaluations\": {{\"A\": {{{OTHERS}}}}}}}"), 1);
    let complaint = complaint.unwrap().complaint().unwrap();
    assert_eq!(complaint, "Response A has no accuracy mark from 1 to 10");
}

#[test]
fn missing_completeness_counts_zero() {
    let review = said("\"accuracy\": 9, \"relevance\": 9, \"conciseness\": 9, \"clarity\": 9");
    let found = overall::<f64>(&review, &Profile::default()).unwrap();
    assert_eq!((found.base, found.capped), (9.0, 9.0));
    assert!((found.coverage - 0.8).abs() < 1e-12);
}

#[test]
fn out_of_range() {
    let review = said(&format!("\"accuracy\": 100, {OTHERS}"));
    assert_eq!(review.mark(Dimension::Accuracy), None);
    assert_eq!(review.rejected[0].said, "100");
    let hundred = "{\"scale\": \"0-100\", \"evaluations\": {\"A\": {\"accuracy\": 85}}}";
    let ballot = read_ballot(hundred, 1).unwrap();
    assert_eq!(ballot.reviews[0].mark(Dimension::Accuracy), Some(8.5));
    assert_eq!(ballot.scale, Some((0.0, 100.0)));
}

#[test]
fn negative() {
    let review = said(
        "\"accuracy\": 9, \"relevance\": 9, \"completeness\": 9, \"conciseness\": 9, \"clarity\": -50",
    );
    assert_eq!(review.mark(Dimension::Clarity), None);
    assert_eq!(value(&review), Ok((9.0, 9.0)));
}

#[test]
fn nan() {
    let review = said(&format!("\"accuracy\": NaN, {OTHERS}"));
    assert_eq!(review.mark(Dimension::Accuracy), None);
    assert_eq!(value(&review), Err(Uncounted::NoAccuracy));
}

#[test]
fn bool() {
    let review = said(&format!("\"accuracy\": true, {OTHERS}"));
    assert_eq!(review.mark(Dimension::Accuracy), None);
}

fn weights(values: [f64; 5]) -> Result<Weights, WeightsError> {
    Weights::new(Dimension::ALL.into_iter().zip(values).collect())
}

#[test]
fn weights_negative() {
    let error = weights([1.5, -0.5, 0.0, 0.0, 0.0]).unwrap_err();
    assert!(error.to_string().contains("accuracy is 1.5"), "{error}");
    assert!(error.to_string().contains("the sum is 1"), "{error}");
}

#[test]
fn weights_nan() {
    let error = weights([f64::NAN, 0.2, 0.3, 0.3, 0.2]).unwrap_err();
    assert!(error.to_string().contains("accuracy is NaN"), "{error}");
}

#[test]
fn weights_not_1() {
    let error = weights([0.4; 5]).unwrap_err();
    assert_eq!(error.to_string(), "the weights sum to 2, not to 1");
}

#[test]
fn weights_tolerance_mismatch() {
    assert!(weights([0.359, 0.1, 0.2, 0.15, 0.2]).is_err());
    assert!(weights([0.3509, 0.1, 0.2, 0.15, 0.2]).is_ok());
    let json = r#"{"accuracy": 0.359, "relevance": 0.1, "completeness": 0.2, "conciseness": 0.15, "clarity": 0.2}"#;
    assert!(serde_json::from_str::<Weights>(json).is_err(), "the same rule in files");
    let moved: ByDimension<f64> = [(Dimension::Accuracy, 0.359)].into();
    assert!(Profile::default().with_weights(&moved).is_err(), "and for flags");
}

#[test]
fn ceiling_cliff() {
    let stepped = Profile::default();
    let mut sliding = Profile::default();
    sliding.ceiling.shape = Shape::Continuous;
    let at = |profile: &Profile, accuracy| {
        overall::<f64>(&review(0, [accuracy, 9.0, 9.0, 9.0, 9.0]), profile).unwrap().capped
    };
    assert_eq!((at(&stepped, 4.99), at(&stepped, 5.0)), (4.0, 7.0));
    assert_eq!((at(&stepped, 6.99), at(&stepped, 7.0)), (7.0, 8.3));
    for step in 0..900 {
        let accuracy = 1.0 + f64::from(step) / 100.0;
        let rise = at(&sliding, accuracy + 0.01) - at(&sliding, accuracy);
        assert!((0.0..0.03).contains(&rise), "{accuracy}: {rise}");
    }
    // And again on what the reviewers say together: (4.5 + 5.4) / 2 is below 5.
    let first = [4.5, 9.0, 9.0, 9.0, 9.0];
    let second = [5.4, 9.0, 9.0, 9.0, 9.0];
    let found = verdict(&record(1, vec![reviewer("r1", &[first]), reviewer("r2", &[second])]));
    let per_review: Vec<f64> =
        found.table.iter().map(|row| row[0].as_ref().unwrap().counted().unwrap()).collect();
    assert_eq!(per_review, [4.0, 7.0]);
    assert_eq!(found.answers[0].score.as_ref().unwrap().value, 4.0);
    // 0.35 x 4.5 + 0.65 x 9 = 7.425 and 7.74, rounded half up, then their mean.
    assert_eq!(found.answers[0].base, Some(7.59));
}

#[test]
fn ceiling_ties() {
    let low = [1.0, 10.0, 10.0, 10.0, 10.0];
    let better = [4.0, 10.0, 10.0, 10.0, 10.0];
    let record = record(2, unanimous(3, &[low, better]));
    let level = verdict(&record);
    assert_eq!((level.answers[0].rank, level.answers[1].rank), (Some(1), Some(1)));
    let settings = Settings { break_ties: true, ..Settings::default() };
    let told_apart = decide(&record, &settings);
    assert_eq!((told_apart.answers[0].rank, told_apart.answers[1].rank), (Some(2), Some(1)));
    assert!(told_apart.answers.iter().all(|answer| answer.score.as_ref().unwrap().value == 4.0));
}

#[test]
fn score_cap_scale() {
    assert!(Gating::new(4.0, vec![]).is_ok());
    assert_eq!(Gating::new(11.0, vec![]).unwrap_err(), CapError(11.0));
    assert!(Gating::new(f64::NAN, vec![]).is_err());
    assert!(serde_json::from_str::<Gating>(r#"{"cap": 40, "outcomes": []}"#).is_err());
}

#[test]
fn the_workings_of_a_well_written_falsehood_say_what_happened() {
    let review = review(0, [3.0, 9.0, 9.0, 9.0, 9.0]);
    let found = overall::<Explained>(&review, &Profile::default()).unwrap();
    let expected = "\
overall: 4  at most 4: accuracy is below 5
  cap  at most 7: accuracy is below 7 (applies, did not lower it further)
  overall: 6.9000  rounded half up to 2 places
    overall: 6.9000  = sum
      accuracy: 1.0500  = factor * number
        factor: 0.3500
        mark: 3
";
    assert!(found.capped.to_string().starts_with(expected), "{}", found.capped);
}
