//! How a verdict explains itself.

use assize_methods::council::Dimension;
use assize_methods::council::verdict::{Moved, Mover};

use crate::support::{codes, gated, record, replied, reviewer, verdict};

#[test]
fn the_score_of_an_answer_can_be_followed_from_the_reviews_to_the_gate() {
    let fine = [8.0, 8.0, 8.0, 8.0, 8.0];
    let shaky = [6.0, 9.0, 9.0, 9.0, 9.0];
    // The second reviewer gives everything one point less.
    let less = |marks: [f64; 5]| marks.map(|mark| mark - 1.0);
    let rows = vec![reviewer("r1", &[fine, shaky]), reviewer("r2", &[less(fine), less(shaky)])];
    let found = verdict(&gated(record(2, rows), &[1], 0.0));
    // 0.35 x 6 + 0.65 x 9 = 7.95 and 6.95 before the ceiling of 7: 7 and 6.95.
    let expected = "\
score: 0  at most 0: the answer fails the safety gate
  cap  at most 4: accuracy is below 5 (did not apply)
  cap  at most 7: accuracy is below 7 (applies, did not lower it further)
  score: 6.9800  rounded half up to 2 places
    score: 6.9750  = mean of the reviews, each less its reviewer's leniency, within 1 to 10
      r1: 6.5000  = overall - leniency
        r1: 7
        leniency: 0.5000
      r2: 7.4500  = overall - leniency
        r2: 6.9500
        leniency: -0.5000
";
    assert_eq!(found.answers[1].score.as_ref().unwrap().to_string(), expected);
    assert_eq!(found.answers[1].base, Some(7.45));
    assert!(codes(&found).contains(&"gate_failed"));
}

#[test]
fn what_moved_an_answer_is_said_with_the_strongest_first() {
    let fine = [8.0, 8.0, 8.0, 8.0, 8.0];
    let shaky = [6.0, 9.0, 9.0, 9.0, 9.0];
    let rows = ["r1", "r2"].map(|model| reviewer(model, &[fine, shaky])).to_vec();
    let found = verdict(&gated(record(2, rows), &[1], 0.0));
    let moved: Vec<(Mover, f64)> =
        found.answers[1].moved.iter().map(|moved| (moved.by, moved.points)).collect();
    // From 7 to 0; from 7.95 to 7; one point below the mean of 7, at 0.35.
    let expected = [
        (Mover::Gate, -7.0),
        (Mover::Ceiling, -0.95),
        (Mover::Dimension(Dimension::Accuracy), -0.35),
        (Mover::Dimension(Dimension::Completeness), 0.1),
        (Mover::Dimension(Dimension::Clarity), 0.1),
        (Mover::Dimension(Dimension::Conciseness), 0.075),
        (Mover::Dimension(Dimension::Relevance), 0.05),
    ];
    assert_eq!(moved, expected);
    assert_eq!(found.answers[1].moved[1].words, "the accuracy ceiling took 0.95 points");
}

/// 0.8 x 9 = 7.2 of 0.8 is 9 without completeness; 7.2 + 0.2 x 4 = 8 with it.
#[test]
fn a_dimension_that_is_left_out_is_said_with_its_reason_and_its_effect() {
    let reply = r#"{"evaluations": {"A": {"accuracy": 9, "relevance": 9, "completeness": 4, "conciseness": 9, "clarity": 9, "appropriate_refusal": true}, "B": {"accuracy": 8, "relevance": 8, "completeness": "good", "conciseness": 8, "clarity": 8}}}"#;
    let found = verdict(&record(2, vec![replied("r1", 2, reply), replied("r2", 2, reply)]));
    let left = |answer: usize| {
        let moved = found.answers[answer].moved.iter();
        let left = |moved: &&Moved| moved.by == Mover::LeftOut(Dimension::Completeness);
        let moved = moved.clone().find(left).unwrap();
        (moved.points, moved.words.clone())
    };
    let because = "the answer rightly declines (2 reviewers that count say so)";
    assert_eq!(left(0), (1.0, format!("completeness left out in 2 of 2 reviews: {because}")));
    let because = "what stands there is no mark: “good”";
    assert_eq!(left(1), (0.0, format!("completeness left out in 2 of 2 reviews: {because}")));
    let cell = found.table[0][0].as_ref().unwrap();
    assert_eq!(cell.left_out[0].points, 1.0);
    assert!(codes(&found).contains(&"dimension_left_out"));
}
