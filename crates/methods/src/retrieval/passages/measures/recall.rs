//! Recall at k.

use assize_score::Working;
use assize_score::arithmetic::{ratio, sum};

use crate::retrieval::passages::label::Label;
use crate::retrieval::passages::matching::Matches;

/// The share of golds that at least one of the top k passages matches.
///
/// Each gold counts once, however many passages match it, and a passage that matches two
/// golds finds both.
///
/// Reference: Manning et al. (2008), Introduction to Information Retrieval.
///
/// ```
/// # use assize_methods::retrieval::passages::{matching::*, measures::recall};
/// // Two golds, of which the passage at rank 3 holds the first.
/// let matches = vec![Match { rank: 3, gold: 0, rule: Rule::GoldInPassage }];
/// let query = Matches { matches, gold_count: 2, ..Matches::default() };
/// assert_eq!(recall::<f64>(&query, 10), 0.5);
/// ```
pub fn recall<N: Working>(query: &Matches, k: usize) -> N {
    let credit = |gold| match query.first_of(gold) {
        Some(found) => N::given(Label::GoldFound(found), 1.0),
        None => N::given(Label::GoldMissed { gold, k }, 0.0),
    };
    let found = sum("golds found", (0..query.gold_count).map(credit).collect());
    ratio("recall", found, N::given("golds", query.gold_count as f64))
}
