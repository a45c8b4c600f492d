//! Cases about taking ballots together, named after their id.

use assize_methods::council::verdict::Status;
use assize_methods::council::{
    Aggregation, Ballot, CouncilRecord, CouncilVerdict, Settings, decide, read_ballot,
};

use crate::support::{abstained, codes, gated, ranks, record, replied, reviewer, scores, verdict};

fn by(record: &CouncilRecord, aggregation: Aggregation) -> CouncilVerdict {
    decide(record, &Settings { aggregation, ..Settings::default() })
}

/// The same mark on every dimension.
fn flat(mark: f64) -> [f64; 5] {
    [mark; 5]
}

#[test]
fn partial_ballot() {
    let ballot = Ballot { seats: 3, stated_ranking: vec![vec![0]], ..Ballot::default() };
    assert_eq!(ballot.stated_ranks(), Some(vec![1.0, 2.5, 2.5]));
    // One reviewer marks only m1: the others are not punished for its silence.
    let short = r#"{"evaluations": {"A": {"accuracy": 8}}}"#;
    let whole = [flat(8.0), flat(9.0), flat(7.0)];
    let record =
        record(3, vec![replied("r1", 3, short), reviewer("r2", &whole), reviewer("r3", &whole)]);
    for method in Aggregation::ALL {
        let found = by(&record, method);
        assert_eq!(ranks(&found), [Some(2), Some(1), Some(3)], "{method}");
        assert_eq!(found.status, Status::Degraded);
    }
}

#[test]
fn true_tie() {
    let first = [flat(9.0), flat(7.0), flat(5.0)];
    let second = [flat(7.0), flat(9.0), flat(5.0)];
    let record = record(3, vec![reviewer("r1", &first), reviewer("r2", &second)]);
    for method in Aggregation::ALL {
        let found = by(&record, method);
        assert_eq!(ranks(&found), [Some(1), Some(1), Some(3)], "{method}");
        assert!(found.answers[0].tied && found.answers[1].tied && !found.answers[2].tied);
        assert!(codes(&found).contains(&"tied_winners"));
    }
}

#[test]
fn self_promotion() {
    // m1 puts itself first; the others agree that m2 is best and m3 second.
    let vain = reviewer("m1", &[flat(10.0), flat(6.0), flat(5.0)]);
    let peers = [flat(4.0), flat(9.0), flat(8.0)];
    let mut record = record(3, vec![vain, reviewer("m2", &peers), reviewer("m3", &peers)]);
    for method in Aggregation::ALL {
        let found = by(&record, method);
        assert_eq!(ranks(&found)[0], Some(3), "{method}");
        assert_eq!(
            found.table[0][0].as_ref().unwrap().not_counted.as_deref(),
            Some("its own answer")
        );
    }
    // Borda over peers only: m2 is above m3 with m1, and above m1 with m3.
    let borda = by(&record, Aggregation::Borda);
    let shares: Vec<f64> = borda.answers.iter().map(|answer| answer.strength.unwrap()).collect();
    assert_eq!(shares, [0.0, 1.0, 0.5]);
    // A reviewer who is not even shown its own answer changes nothing in that.
    record.reviewers[0].seating = record.reviewers[0].seating.clone().without(0);
    assert_eq!(record.reviewers[0].seating.labels(), ["Response A", "Response B"]);
    let reply = r#"{"evaluations": {"A": {"accuracy": 6}, "B": {"accuracy": 5}}}"#;
    let recused = record.reviewers[0].seating.clone();
    record.reviewers[0] = replied("m1", 2, reply);
    record.reviewers[0].seating = recused;
    let found = verdict(&record);
    assert!(found.table[0][0].is_none());
    assert_eq!((ranks(&found), found.status), (vec![Some(3), Some(1), Some(2)], Status::Complete));
    // And own reviews count where that is asked for.
    let counted = decide(&record, &Settings { count_own: true, ..Settings::default() });
    assert_eq!(counted.answers[1].reviews_counted, 3);
    assert_eq!(verdict(&record).answers[1].reviews_counted, 2);
}

#[test]
fn deadlock_none() {
    let half = r#"{"evaluations": {"A": {"accuracy": 5}, "B": {"clarity": 9}}}"#;
    let record = record(2, vec![replied("r1", 2, half), abstained("r2", 2)]);
    for method in Aggregation::ALL {
        let found = by(&record, method);
        assert_eq!((ranks(&found), scores(&found)), (vec![Some(1), None], vec![Some(5.0), None]));
        assert!(codes(&found).contains(&"answer_unreviewed"));
    }
}

#[test]
fn early_consensus_wrong() {
    // m1 and m2 agree on their first sight of m1's answer; counted properly, m2's wins.
    let rows = [
        ("m1", [flat(9.0), flat(8.0), flat(7.0)]),
        ("m2", [flat(9.0), flat(7.0), flat(8.0)]),
        ("m3", [flat(4.0), flat(9.0), flat(8.0)]),
    ];
    let reviewers: Vec<_> = rows.iter().map(|(model, marks)| reviewer(model, marks)).collect();
    let full = record(3, reviewers.clone());
    assert_eq!(ranks(&verdict(&full))[1], Some(1));
    // There is no second aggregator: what is known early goes through the same door, without
    // own reviews, and says that it is not everything.
    let mut early = reviewers;
    early[2] = abstained("m3", 3);
    let found = verdict(&record(3, early));
    assert_eq!(found.status, Status::Degraded);
    assert!(found.table[0][0].as_ref().unwrap().not_counted.is_some());
    assert!(codes(&found).contains(&"reviewer_abstained"));
}

#[test]
fn early_consensus_junk() {
    let reply = r#"{"ranking": ["junk", "Response B", "Response A"],
        "evaluations": {"junk": {"accuracy": 10}, "A": {"accuracy": 6}, "B": {"accuracy": 8}}}"#;
    let ballot = read_ballot(reply, 2).unwrap();
    assert_eq!((ballot.reviews.len(), &ballot.stated_ranking), (2, &vec![vec![1], vec![0]]));
    assert!(ballot.repairs.iter().any(|repair| repair.contains("junk")));
    let found = verdict(&record(2, vec![replied("r1", 2, reply)]));
    assert_eq!(found.ranking, [1, 0]);
}

#[test]
fn the_gate_and_the_ceiling_hold_in_every_method() {
    let liar = [2.0, 10.0, 10.0, 10.0, 10.0];
    let marks = [flat(7.0), flat(10.0), liar, flat(6.0)];
    let rows = ["r1", "r2", "r3"].map(|model| reviewer(model, &marks)).to_vec();
    let record = gated(record(4, rows), &[1], 0.0);
    for method in Aggregation::ALL {
        let found = by(&record, method);
        assert_eq!(ranks(&found), [Some(1), Some(4), Some(3), Some(2)], "{method}");
        assert_eq!(scores(&found)[1..3], [Some(0.0), Some(4.0)], "{method}");
    }
}

#[test]
fn a_ceiling_on_the_accuracy_of_all_holds_in_methods_that_only_compare() {
    // Accuracy 7, 7 and 1 for m1: two reviews have no ceiling, all together are below 7.
    let high = [flat(7.0), flat(7.0)];
    let mut first = high;
    first[0] = [7.0, 10.0, 10.0, 10.0, 10.0];
    let mut third = high;
    third[0] = [1.0, 10.0, 10.0, 10.0, 10.0];
    let record =
        record(2, vec![reviewer("r1", &first), reviewer("r2", &first), reviewer("r3", &third)]);
    let found = by(&record, Aggregation::Borda);
    // Held to 7 by the ceiling, m1 is level with m2 for two reviewers and below for the third.
    assert_eq!(ranks(&found), [Some(2), Some(1)]);
}

#[test]
fn a_harsh_reviewer_of_one_answer_only_does_not_sink_it() {
    // r2 is three points harsher and did not mark m2. By plain means m1 would be last.
    let whole = [flat(9.0), flat(8.0)];
    let harsh = r#"{"evaluations": {"A": {"accuracy": 6}, "C": {"accuracy": 4}}}"#;
    let three = [whole[0], whole[1], flat(7.0)];
    let record = record(3, vec![reviewer("r1", &three), replied("r2", 3, harsh)]);
    assert_eq!(ranks(&by(&record, Aggregation::Additive)), [Some(1), Some(2), Some(3)]);
    assert_eq!(ranks(&by(&record, Aggregation::Mean)), [Some(2), Some(1), Some(3)]);
    let found = verdict(&record);
    assert!(codes(&found).contains(&"methods_disagree"));
    assert!(!found.uncertainty.methods_agree);
    let leniency: Vec<f64> = found.reviewers.iter().map(|one| one.leniency.unwrap()).collect();
    assert!((leniency[0] - 1.5).abs() < 1e-9 && (leniency[1] + 1.5).abs() < 1e-9);
}

#[test]
fn unanimous_reviewers_are_sure_and_split_ones_are_not() {
    let marks = [flat(9.0), flat(6.0)];
    let same = record(2, ["r1", "r2", "r3"].map(|model| reviewer(model, &marks)).to_vec());
    let found = verdict(&same);
    assert_eq!((found.uncertainty.same_winner, found.uncertainty.resamples), (Some(1.0), 1_000));
    let interval = found.answers[0].interval.unwrap();
    assert_eq!((interval.low, interval.high), (9.0, 9.0));
    assert!(found.uncertainty.methods_agree);
    let turned = [flat(6.0), flat(8.5)];
    let split =
        record(2, vec![reviewer("r1", &marks), reviewer("r2", &turned), reviewer("r3", &marks)]);
    let found = verdict(&split);
    let share = found.uncertainty.same_winner.unwrap();
    // m1 wins unless r2 is drawn at least twice (means 7.33 against 7.33 + ...): 20 of 27
    // draws have it at most once, and with it twice m2 leads.
    assert!((share - 20.0 / 27.0).abs() < 0.05, "{share}");
    let interval = found.answers[0].interval.unwrap();
    assert!(interval.low < interval.high);
}
