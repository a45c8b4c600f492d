//! Cases about agreement and bias, named after their id.

use assize_methods::council::report::{Agreement, COUNT_MIN, Of};
use assize_methods::council::{
    Case, CouncilRecord, CouncilReport, CouncilVerdict, Dimension, Reviewer, Settings, decide,
    report, seatings,
};
use assize_stats::correlation::partial_pearson;

use crate::support::{record, replied, reviewer};

fn reported(records: &[CouncilRecord]) -> CouncilReport {
    let settings = Settings { resamples: 20, ..Settings::default() };
    let verdicts: Vec<CouncilVerdict> =
        records.iter().map(|record| decide(record, &settings)).collect();
    let cases: Vec<Case<'_>> =
        records.iter().zip(&verdicts).map(|(record, verdict)| Case { record, verdict }).collect();
    report(&cases, &settings)
}

fn on(report: &CouncilReport, of: Of) -> &Agreement {
    report.agreement.iter().find(|agreement| agreement.of == of).unwrap()
}

fn flat(marks: &[f64]) -> Vec<[f64; 5]> {
    marks.iter().map(|mark| [*mark; 5]).collect()
}

/// A reviewer who saw the answers in this order and marks the answers of the record so.
fn seated(model: &str, order: &[usize], marks: &[f64]) -> Reviewer {
    let shown: Vec<f64> = order.iter().map(|answer| marks[*answer]).collect();
    let mut one = reviewer(model, &flat(&shown));
    one.seating.order = order.to_vec();
    one
}

#[test]
fn css_inverts() {
    let against = record(
        3,
        vec![reviewer("r1", &flat(&[9.0, 7.0, 5.0])), reviewer("r2", &flat(&[5.0, 7.0, 9.0]))],
    );
    let found = reported(&[against]);
    let rubric = on(&found, Of::Rubric);
    assert_eq!(rubric.w, Some(0.0));
    assert!(rubric.alpha.unwrap() < 0.0, "{:?}", rubric.alpha);
    assert_eq!(on(&found, Of::Dimension(Dimension::Clarity)).w, Some(0.0));
}

/// Metric 1 of the document. By hand: accuracy 9, 8, 7 and 4, 4, 7 have variances 1 and 3, mean 2; a
/// mark of each dimension alike, so the sums too; the stated scores 9, 9, 9 and 5, 6, 7 have 0 and 1.
#[test]
fn variance_between_reviewers_stands_beside_agreement() {
    let rows = [(9.0, 4.0, 9.0, 5.0), (8.0, 4.0, 9.0, 6.0), (7.0, 7.0, 9.0, 7.0)];
    let rows = rows.iter().enumerate().map(|(number, (one, two, stated_one, stated_two))| {
        let mut one = reviewer(&format!("r{number}"), &flat(&[*one, *two]));
        if let assize_methods::council::Heard::Ballot(ballot) = &mut one.heard {
            ballot.reviews[0].stated = Some(assize_methods::council::Mark::plain(*stated_one));
            ballot.reviews[1].stated = Some(assize_methods::council::Mark::plain(*stated_two));
        }
        one
    });
    let found = reported(&[record(2, rows.collect())]);
    let variance = |of| on(&found, of).variance.unwrap();
    assert!((variance(Of::Dimension(Dimension::Accuracy)) - 2.0).abs() < 1e-12);
    assert!((variance(Of::Rubric) - 2.0).abs() < 1e-12);
    assert!((variance(Of::Holistic) - 0.5).abs() < 1e-12);
}

#[test]
fn css_unanimous_low() {
    for size in 3..=5_u8 {
        let marks: Vec<f64> = (0..size).map(|index| 9.0 - f64::from(index)).collect();
        let rows = ["r1", "r2", "r3"].map(|model| reviewer(model, &flat(&marks))).to_vec();
        let found = reported(&[record(usize::from(size), rows)]);
        let rubric = on(&found, Of::Rubric);
        assert_eq!((rubric.w, rubric.alpha), (Some(1.0), Some(1.0)), "{size}");
        assert!((rubric.icc.unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(rubric.answers, usize::from(size));
    }
}

#[test]
fn pearson_p_small_n() {
    // With three degrees of freedom p is 1 - 2 / π (θ + sin θ cos θ), tan θ = t / √3. A normal
    // approximation would call this significant.
    let found =
        partial_pearson(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 2.0, 6.0, 4.0, 7.0], &[]).unwrap();
    assert!((found.value - 0.868_243_142_124_459).abs() < 1e-12, "{found:?}");
    assert!((found.p - 0.056_262_471_441_870).abs() < 1e-12, "{found:?}");
    // In a report five answers are too few to call anything an effect, however strong.
    let mut record = record(5, vec![reviewer("r1", &flat(&[5.0, 6.0, 7.0, 8.0, 9.1]))]);
    for (index, answer) in record.answers.iter_mut().enumerate() {
        *answer = assize_methods::council::Answer::given(
            answer.model.clone(),
            "word ".repeat(10 * (index + 1)),
        );
    }
    let found = reported(&[record]);
    let clarity = found.length.iter().find(|one| one.dimension == Dimension::Clarity).unwrap();
    assert!(clarity.correlation.unwrap() > 0.99 && clarity.p.unwrap() < 0.01);
    assert_eq!((clarity.count, clarity.found), (5, None));
    const { assert!(COUNT_MIN > 5) };
}

#[test]
fn position_confounded() {
    let marks = [9.0, 6.0, 3.0];
    let one_order: Vec<Reviewer> =
        ["r1", "r2", "r3"].iter().map(|model| seated(model, &[0, 1, 2], &marks)).collect();
    let found = reported(&[record(3, one_order)]).position;
    assert_eq!((found.points, found.found), (None, None));
    assert!(found.unknown.unwrap().contains("orders must differ"));
    // With counterbalanced orders a half point for every place further up is found again.
    let orders = seatings(&[0, 1, 2], 6, 3);
    let rows: Vec<Reviewer> = orders
        .iter()
        .enumerate()
        .map(|(number, seating)| {
            let biased: Vec<f64> = (0..3)
                .map(|answer| {
                    let noise = if (number + answer) % 2 == 0 { 0.01 } else { -0.01 };
                    [8.0, 6.0, 4.0][answer] - 0.5 * seating.seat_of(answer).unwrap() as f64 + noise
                })
                .collect();
            seated(&format!("r{number}"), &seating.order, &biased)
        })
        .collect();
    let found = reported(&[record(3, rows)]).position;
    assert!((found.points.unwrap() + 0.5).abs() < 0.02, "{found:?}");
    assert_eq!((found.count, found.found), (18, Some(true)));
    assert!(found.interval.unwrap().high < 0.0);
}

#[test]
fn harsh_flag_trivial() {
    // Four questions of three answers, reviewers a tenth of a point apart.
    let near: Vec<CouncilRecord> = (0..4).map(|_| council(&[8.0, 8.1, 8.23])).collect();
    let found = reported(&near);
    assert_eq!(found.harshness.len(), 3);
    for one in &found.harshness {
        assert_eq!(one.count, 12);
        assert!(one.interval.is_some() && one.verdict.is_some());
        assert_eq!(format!("{:?}", one.verdict), "Some(Ordinary)", "{one:?}");
    }
    // Three points are another matter, unless there are hardly any answers.
    let far: Vec<CouncilRecord> = (0..4).map(|_| council(&[8.0, 8.1, 5.0])).collect();
    let found = reported(&far);
    assert_eq!(format!("{:?}", found.harshness[2].verdict), "Some(Harsh)");
    assert_eq!(reported(&far[..1]).harshness[2].verdict, None);
}

/// Three answers, a little apart, and reviewers with these means.
fn council(means: &[f64]) -> CouncilRecord {
    let rows = means.iter().enumerate().map(|(number, mean)| {
        reviewer(&format!("r{number}"), &flat(&[mean - 0.4, *mean, mean + 0.4]))
    });
    record(3, rows.collect())
}

/// The same id stands twice in the list: here for marks that arrive as texts.
#[test]
fn string_score_crash_in_bias() {
    let reply = r#"{"evaluations": {"A": {"accuracy": "9"}, "B": {"accuracy": "6"}}}"#;
    let found = reported(&[record(2, vec![replied("r1", 2, reply), replied("r2", 2, reply)])]);
    assert_eq!(on(&found, Of::Dimension(Dimension::Accuracy)).alpha, Some(1.0));
    assert_eq!(found.reviews, 4);
}

#[test]
fn vanity_is_told_from_lenience_and_from_quality() {
    // Everyone adds 1.5 to its own answer; m3's answer is best and m1 is lenient.
    let level = [6.0, 6.5, 7.0, 5.0];
    let lenient = [1.0, 0.0, 0.0, -0.5];
    let rows = (0..4).map(|own| {
        let marks: Vec<f64> = (0..4)
            .map(|answer| {
                let vanity = if own == answer { 1.5 } else { 0.0 };
                level[answer]
                    + lenient[own]
                    + vanity
                    + if (own * answer) % 2 == 0 { 0.02 } else { -0.02 }
            })
            .collect();
        reviewer(&format!("m{}", own + 1), &flat(&marks))
    });
    let found = reported(&[record(4, rows.collect())]).self_preference;
    assert!((found.points.unwrap() - 1.5).abs() < 0.05, "{found:?}");
    assert_eq!((found.count, found.found), (4, None));
}

#[test]
fn wrong_sums_and_rankings_of_reviewers_are_counted() {
    let reply = r#"{"ranking": ["A", "B"], "evaluations": {
        "A": {"accuracy": 8, "relevance": 8, "completeness": 8, "conciseness": 8, "clarity": 8, "overall": 9.5},
        "B": {"accuracy": 9, "relevance": 9, "completeness": 9, "conciseness": 9, "clarity": 9, "overall": 9}}}"#;
    let found = reported(&[record(2, vec![replied("r1", 2, reply), replied("r2", 2, reply)])]);
    let one = &found.reviewing[0];
    assert_eq!(
        (one.sums, one.miscalculation_rate, one.miscalculated_by),
        (2, Some(0.5), Some(0.75))
    );
    assert_eq!((one.stated_ranking_tau, one.fallback_rate), (Some(-1.0), Some(0.0)));
    // By marks B wins, by the stated scores A does.
    assert_eq!((found.stability.compared, found.stability.same_winner), (1, 0));
    assert_eq!(found.stability.rubric_holistic_tau, Some(-1.0));
}

#[test]
fn the_weights_that_decide_are_named() {
    // m1 leads on conciseness by 4 and trails on completeness by 4: it wins from the moment
    // conciseness weighs more.
    let marks = [[8.0, 8.0, 4.0, 8.0, 8.0], [8.0, 8.0, 8.0, 4.0, 8.0]];
    let found = reported(&[record(2, vec![reviewer("r1", &marks), reviewer("r2", &marks)])]);
    let sensitivity = &found.sensitivity[0];
    assert_eq!(sensitivity.winners, [1]);
    let range =
        |dimension| sensitivity.ranges.iter().find(|range| range.dimension == dimension).unwrap();
    // The others share what is left as now: completeness stays at 0.2 / 0.85 of the rest, so
    // both weigh the same where w = (1 - w) x 0.2 / 0.85, at 0.1905. At 0.19 the scores are
    // 0.002 apart, which is level in two decimals.
    assert_eq!(range(Dimension::Conciseness).high, 0.18);
    assert_eq!(range(Dimension::Conciseness).low, 0.0);
    // At 0.97 the rest is 0.03, and the scores are 7.96 and 7.97; at 0.98 both are 7.98.
    assert_eq!(range(Dimension::Accuracy).high, 0.97);
    let share = sensitivity.same_winner.unwrap();
    assert!((0.35..0.65).contains(&share), "{share}");
}

/// Reviewers who give one score for the whole say nothing about a rubric: both sides of the
/// comparison would be the same numbers, and agree perfectly.
#[test]
fn one_score_for_the_whole_is_not_compared_with_itself() {
    let reply = r#"{"evaluations": {"A": {"overall": 9}, "B": {"overall": 4}}}"#;
    let record = record(2, vec![replied("r1", 2, reply), replied("r2", 2, reply)]);
    let found = reported(&[record]);
    assert_eq!((found.stability.compared, found.stability.rubric_same_winner), (0, None));
    assert!(found.agreement.iter().all(|agreement| agreement.of != Of::Rubric));
}
