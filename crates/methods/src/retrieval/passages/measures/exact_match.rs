//! Exact match of the top passage.

use assize_score::Working;

use crate::retrieval::passages::input::Passage;
use assize_text::lower_strip;

/// 1 when the top passage is one of the golds, apart from case and white space at its
/// ends; otherwise 0, also when nothing was retrieved.
///
/// Reference: Rajpurkar et al. (2016), SQuAD.
///
/// ```
/// # use assize_methods::retrieval::passages::{Passage, measures::exact_match};
/// let gold = [Passage::of_text("Alpha beta ")];
/// let value: f64 = exact_match(Some(&Passage::of_text("alpha BETA")), &gold);
/// assert_eq!(value, 1.0);
/// ```
pub fn exact_match<N: Working>(top: Option<&Passage<'_>>, gold: &[Passage<'_>]) -> N {
    let equal = top.map_or(0, |top| {
        let top = lower_strip(top.text());
        gold.iter().filter(|gold| lower_strip(gold.text()) == top).count()
    });
    let value = if equal > 0 { 1.0 } else { 0.0 };
    let count = N::given("golds equal to the top passage", equal as f64);
    N::computed("exact_match", "1 if at least one gold is equal, else 0", value, [count])
}
