//! What holds for every measure and every ranking.

use assize_methods::retrieval::ranked::{Found, JudgedRanking, LevelCount, MEASURES, Measure};
use proptest::prelude::*;

/// The measures that lie between 0 and 1 for every ranking.
const SHARES: &[&str] = &[
    "ndcg",
    "ndcg@3",
    "ndcg(gain=exp)@5",
    "map",
    "map@3",
    "mrr",
    "mrr@2",
    "recall@3",
    "p@4",
    "f1@3",
    "success@2",
    "judged@5",
    "r_prec",
    "bpref",
    "rbp(p=0.8)",
    "rbp(p=0.8,rel=1)",
    "rbp_resid(p=0.8)",
    "err",
    "err@3",
    "gm_map",
    "gm_bpref",
    "iprec@0.5",
    "iprec@0",
    "11pt_avg",
    "r_prec_mult@1.4",
    "relative_p@3",
    "unj@4",
    "ndcg_rel",
    "rndcg",
    "bing",
    "g",
    "set_p",
    "set_recall",
    "set_relative_p",
    "set_map",
    "set_f",
];

/// A ranking: a level or nothing for each rank, and how many of each level are missing from it.
fn rankings() -> impl Strategy<Value = (Vec<Option<i32>>, [u32; 4])> {
    (prop::collection::vec(prop::option::of(-1..4_i32), 0..12), prop::array::uniform4(0..3_u32))
}

fn parts(levels: &[Option<i32>], missing: [u32; 4]) -> (Vec<Found>, Vec<LevelCount>) {
    let ranks = 1_u32..;
    let found: Vec<Found> = ranks
        .zip(levels)
        .filter_map(|(rank, level)| level.map(|level| Found { rank, level }))
        .collect();
    let count = |level: i32, missing: u32| {
        let retrieved = found.iter().filter(|found| found.level == level).count();
        missing + u32::try_from(retrieved).expect("few")
    };
    let counts = (0..4)
        .zip(missing)
        .map(|(level, missing)| LevelCount { level, count: count(level, missing) });
    let mut judged: Vec<LevelCount> = counts.filter(|counted| counted.count > 0).collect();
    judged.reverse();
    (found, judged)
}

proptest! {
    #[test]
    fn shares_lie_between_0_and_1((levels, missing) in rankings(), relevant_from in 1..4) {
        let (found, judged) = parts(&levels, missing);
        let ranking = JudgedRanking::new(levels.len(), &found, &judged, relevant_from);
        for name in SHARES {
            let value = name.parse::<Measure>().unwrap().value(&ranking);
            prop_assert!((-1e-12..=1.0 + 1e-12).contains(&value), "{} is {}", name, value);
        }
    }

    #[test]
    fn the_explanation_is_of_the_same_number((levels, missing) in rankings()) {
        let (found, judged) = parts(&levels, missing);
        let ranking = JudgedRanking::new(levels.len(), &found, &judged, 1);
        for measure in SHARES.iter().map(|name| name.parse::<Measure>().unwrap()) {
            let explained = measure.explain(&ranking);
            prop_assert_eq!(explained.value.to_bits(), measure.value(&ranking).to_bits());
            prop_assert_eq!(explained.name.as_ref(), measure.to_string());
        }
    }

    #[test]
    fn swapping_a_relevant_document_up_never_hurts((levels, missing) in rankings()) {
        for upper in 0..levels.len().saturating_sub(1) {
            // Judged and not relevant above, relevant right below it.
            if levels[upper] != Some(0) || levels[upper + 1].is_none_or(|level| level < 1) {
                continue;
            }
            let mut better = levels.clone();
            better.swap(upper, upper + 1);
            for name in ["ndcg", "ndcg@3", "map", "mrr", "bpref", "rbp", "err", "infap", "bing"] {
                let measure: Measure = name.parse().unwrap();
                let value = |levels: &[Option<i32>]| {
                    let (found, judged) = parts(levels, missing);
                    measure.value(&JudgedRanking::new(levels.len(), &found, &judged, 1))
                };
                prop_assert!(value(&better) >= value(&levels) - 1e-12, "{}", name);
            }
        }
    }
}

#[test]
fn every_family_has_an_example_that_parses_and_says_what_it_is() {
    for family in MEASURES {
        let plain: Result<Measure, _> = family.name.parse();
        let measure = plain.or_else(|_| format!("{}@1", family.name).parse());
        assert_eq!(measure.expect("with or without a cutoff").family().name, family.name);
        assert!(!family.about.is_empty());
    }
}
