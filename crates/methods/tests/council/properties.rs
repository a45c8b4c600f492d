//! What holds for every council.

use assize_methods::council::overall::overall;
use assize_methods::council::{
    Aggregation, CouncilRecord, CouncilVerdict, Profile, Reviewer, Settings, decide, read_ballot,
};
use proptest::prelude::*;

use crate::support::{gated, ranks, record, review, reviewer, scores};

fn any_marks() -> impl Strategy<Value = [f64; 5]> {
    prop::array::uniform5((10_u8..=100).prop_map(|tenths| f64::from(tenths) / 10.0))
}

/// Two to four answers, one to four reviewers, some of them members, and a gate or none.
fn any_record() -> impl Strategy<Value = CouncilRecord> {
    (2_usize..5, 1_usize..5, prop::option::of(prop::collection::vec(0_usize..5, 0..3)))
        .prop_flat_map(|(answers, reviewers, failing)| {
            let rows =
                prop::collection::vec(prop::collection::vec(any_marks(), answers), reviewers);
            (rows, Just(answers), Just(failing), any::<bool>())
        })
        .prop_map(|(rows, answers, failing, members)| {
            let name = |number: usize| format!("{}{}", if members { "m" } else { "r" }, number + 1);
            let reviewers: Vec<Reviewer> = rows
                .iter()
                .enumerate()
                .map(|(number, marks)| reviewer(&name(number), marks))
                .collect();
            let record = record(answers, reviewers);
            match failing {
                None => record,
                Some(failing) => gated(record, &failing, 3.0),
            }
        })
}

fn any_method() -> impl Strategy<Value = Aggregation> {
    prop::sample::select(Aggregation::ALL.to_vec())
}

fn quick(aggregation: Aggregation) -> Settings {
    Settings { aggregation, resamples: 10, ..Settings::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_ceiling_never_raises_and_marks_stay_on_their_scale(marks in any_marks()) {
        for name in Profile::names() {
            let profile = Profile::built_in(name).unwrap();
            let found = overall::<f64>(&review(0, marks), &profile).unwrap();
            prop_assert!(found.capped <= found.base);
            prop_assert!((1.0..=10.0).contains(&found.base));
            prop_assert!(profile.ceiling.at_most(marks[0]).is_none_or(|most| found.capped <= most));
        }
    }

    #[test]
    fn what_fails_the_gate_never_stands_above_what_passes(record in any_record(), method in any_method()) {
        let found = decide(&record, &quick(method));
        for first in &found.answers {
            for second in &found.answers {
                if first.gate_passed == Some(false) && second.gate_passed == Some(true)
                    && let (Some(failing), Some(passing)) = (first.rank, second.rank)
                {
                    prop_assert!(failing > passing);
                }
            }
            if first.gate_passed == Some(false) && let Some(score) = &first.score {
                prop_assert!(score.value <= 3.0);
            }
        }
    }

    #[test]
    fn the_ceiling_of_all_reviewers_together_holds(record in any_record(), method in any_method()) {
        let settings = quick(method);
        let found = decide(&record, &settings);
        for answer in &found.answers {
            let (Some(score), Some(base)) = (&answer.score, answer.base) else { continue };
            prop_assert!(score.value <= base + 0.005 + 1e-9, "{} above {base}", score.value);
        }
    }

    #[test]
    fn the_order_of_the_reviewers_does_not_matter(record in any_record(), method in any_method()) {
        let mut turned = record.clone();
        turned.reviewers.reverse();
        let (first, second) = (decide(&record, &quick(method)), decide(&turned, &quick(method)));
        prop_assert_eq!(scores(&first), scores(&second));
        prop_assert_eq!(ranks(&first), ranks(&second));
        prop_assert_eq!(first.uncertainty.same_winner, second.uncertainty.same_winner);
    }

    #[test]
    fn the_order_of_the_answers_does_not_matter(record in any_record(), method in any_method()) {
        let mut turned = record.clone();
        let last = record.answers.len() - 1;
        turned.answers.reverse();
        for reviewer in &mut turned.reviewers {
            for answer in &mut reviewer.seating.order {
                *answer = last - *answer;
            }
        }
        let (first, second) = (decide(&record, &quick(method)), decide(&turned, &quick(method)));
        let mut back = scores(&second);
        back.reverse();
        prop_assert_eq!(scores(&first), back);
        let mut back = ranks(&second);
        back.reverse();
        prop_assert_eq!(ranks(&first), back);
    }

    #[test]
    fn ranks_are_competition_ranks(record in any_record(), method in any_method()) {
        let mut ranks: Vec<usize> = ranks(&decide(&record, &quick(method))).into_iter().flatten().collect();
        ranks.sort_unstable();
        for (index, rank) in ranks.iter().enumerate() {
            prop_assert!(*rank == index + 1 || ranks[index - 1] == *rank);
        }
    }

    #[test]
    fn records_and_verdicts_survive_being_written(record in any_record()) {
        let json = serde_json::to_string(&record).unwrap();
        prop_assert_eq!(&serde_json::from_str::<CouncilRecord>(&json).unwrap(), &record);
        let found = decide(&record, &quick(Aggregation::Additive));
        let json = serde_json::to_string(&found).unwrap();
        let back: CouncilVerdict = serde_json::from_str(&json).unwrap();
        prop_assert_eq!((scores(&back), ranks(&back)), (scores(&found), ranks(&found)));
        prop_assert_eq!((back.findings, back.ranking), (found.findings, found.ranking));
    }

    #[test]
    fn no_reply_makes_reading_panic(reply in "([\\[\\]{}\",:' ABC19/%\\n]|accuracy|ranking|evaluations|Response ){0,80}") {
        let _ = read_ballot(&reply, 3);
    }
}
