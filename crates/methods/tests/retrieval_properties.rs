//! What holds for any passages and golds: range, order, caps, and one formula for both
//! the bare value and its workings.

use assize_methods::retrieval::passages::input::Details;
use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::{
    F1, NdcgIdeal, Pair, Passage, PassageOptions, Whitespace, explain, score,
};
use assize_methods::retrieval::spans::{self, Location, Span, SpanOptions};
use proptest::prelude::*;

/// Short texts from few words, so that they often hold one another.
fn text() -> impl Strategy<Value = String> {
    "[ ]?(fee|late|Late|the|\\.|\n|pay ){0,4}"
}

fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..=most)
}

fn options() -> impl Strategy<Value = PassageOptions> {
    let ideal =
        prop::sample::select(vec![NdcgIdeal::Gold, NdcgIdeal::Retrieved, NdcgIdeal::Matched]);
    let whitespace = prop::sample::select(vec![Whitespace::Collapse, Whitespace::Strip]);
    let words = prop::sample::select(vec![F1::Set, F1::Bag]);
    (1_usize..6, whitespace, words, ideal).prop_map(|(k, whitespace, f1, ndcg_ideal)| {
        let k = k.try_into().expect("at least one");
        PassageOptions { k, whitespace, f1, ndcg_ideal, ndcg_clipped: true }
    })
}

fn passages(texts: &[String]) -> Vec<Passage<'_>> {
    texts.iter().map(|text| Passage::of_text(text.as_str())).collect()
}

fn values(retrieved: &[Passage<'_>], gold: &[Passage<'_>], options: &PassageOptions) -> [f64; 4] {
    let pair = Pair { query: "q", retrieved, gold };
    score(&pair, options, &mut OverlapCounter::default()).into_values()
}

/// A place in one of two files.
fn place() -> impl Strategy<Value = Passage<'static>> {
    (any::<bool>(), 0_u64..50, 0_u64..20).prop_map(|(first, start, length)| {
        let file_path = if first { "first.txt" } else { "second.txt" }.into();
        let span = Span::new(start, start + length).expect("it runs forwards");
        let location = Some(Location { file_path, span });
        Passage { text: None, details: Some(Box::new(Details { location, score: None })) }
    })
}

proptest! {
    #[test]
    fn every_value_lies_between_0_and_1(
        retrieved in texts(8), gold in texts(4), options in options(),
    ) {
        let values = values(&passages(&retrieved), &passages(&gold), &options);
        for value in values {
            prop_assert!((0.0..=1.0).contains(&value), "{values:?}");
        }
    }

    #[test]
    fn the_order_of_golds_does_not_matter(
        retrieved in texts(8), gold in texts(4), options in options(),
    ) {
        let (retrieved, gold) = (passages(&retrieved), passages(&gold));
        let reversed: Vec<_> = gold.iter().rev().cloned().collect();
        prop_assert_eq!(
            values(&retrieved, &gold, &options),
            values(&retrieved, &reversed, &options)
        );
    }

    #[test]
    fn the_cap_never_raises(retrieved in texts(8), gold in texts(3), options in options()) {
        let (retrieved, gold) = (passages(&retrieved), passages(&gold));
        let unclipped = PassageOptions { ndcg_clipped: false, ..options };
        let [.., held] = values(&retrieved, &gold, &options);
        let [.., bare] = values(&retrieved, &gold, &unclipped);
        prop_assert_eq!(held, bare.min(1.0));
    }

    #[test]
    fn the_workings_end_in_the_bare_values(
        retrieved in texts(8), gold in prop::collection::vec(text(), 1..4), options in options(),
    ) {
        let (retrieved, gold) = (passages(&retrieved), passages(&gold));
        let pair = Pair { query: "q", retrieved: &retrieved, gold: &gold };
        let verdict = explain(&pair, &options);
        let explained: Vec<_> =
            verdict.scores.iter().filter_map(|(_, outcome)| outcome.value()).collect();
        prop_assert_eq!(explained, values(&retrieved, &gold, &options));
    }

    #[test]
    fn character_measures_lie_between_0_and_1(
        retrieved in prop::collection::vec(place(), 0..8),
        gold in prop::collection::vec(place(), 1..4),
    ) {
        let pair = Pair { query: "q", retrieved: &retrieved, gold: &gold };
        let ours = spans::score(&pair, &SpanOptions::default());
        for value in ours {
            prop_assert!((0.0..=1.0).contains(&value), "{ours:?}");
        }
    }

    #[test]
    fn without_overlaps_the_two_ways_of_counting_characters_agree(
        starts in prop::collection::btree_set(0_u64..20, 1..6), gold_start in 0_u64..200,
    ) {
        let place = |start: u64, length: u64| {
            let span = Span::new(start, start + length).expect("it runs forwards");
            let location = Some(Location { file_path: "a.txt".into(), span });
            Passage { text: None, details: Some(Box::new(Details { location, score: None })) }
        };
        let retrieved: Vec<_> = starts.iter().map(|start| place(start * 10, 10)).collect();
        let gold = [place(gold_start, 15)];
        let pair = Pair { query: "q", retrieved: &retrieved, gold: &gold };
        let compat = SpanOptions { compat: true, ..SpanOptions::default() };
        prop_assert_eq!(
            spans::score(&pair, &SpanOptions::default()),
            spans::score(&pair, &compat)
        );
    }
}
