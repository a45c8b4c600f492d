//! Exact match of the top passage.

use assize_score::Working;
use assize_text::lower_strip;

use crate::retrieval::passages::alike::Alike;
use crate::retrieval::passages::input::Passage;

/// 1 when the top passage is one of the golds, apart from case and white space at its
/// ends; otherwise 0, also when nothing was retrieved.
///
/// Texts that differ in their matching form, `texts`, are not looked at any closer.
///
/// Reference: Rajpurkar et al. (2016), SQuAD.
///
/// ```
/// # use assize_methods::retrieval::passages::{Passage, PassageOptions};
/// # use assize_methods::retrieval::passages::{alike::Alike, measures::exact_match};
/// let (retrieved, gold) = ([Passage::of_text("alpha BETA")], [Passage::of_text("Alpha beta ")]);
/// let texts = Alike::new(&retrieved, &gold, &PassageOptions::default());
/// assert_eq!(exact_match::<f64>(&retrieved, &gold, &texts), 1.0);
/// ```
pub fn exact_match<N: Working>(
    retrieved: &[Passage<'_>],
    gold: &[Passage<'_>],
    texts: &Alike<'_>,
) -> N {
    let equal = retrieved.first().zip(texts.passages.first()).map_or(0, |(top, top_alike)| {
        let candidates = gold.iter().zip(&texts.golds).filter(|(_, alike)| *alike == top_alike);
        candidates.filter(|(gold, _)| lower_strip(gold.text()) == lower_strip(top.text())).count()
    });
    let value = if equal > 0 { 1.0 } else { 0.0 };
    let count = N::given("golds equal to the top passage", equal as f64);
    N::computed("exact_match", "1 if at least one gold is equal, else 0", value, [count])
}
