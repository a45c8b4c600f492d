//! Context precision and recall as ragas defines them without a model.
//!
//! Two texts are alike if less than half of the longer one has to be changed to get the other, by
//! Levenshtein's distance over the texts as they stand. Exactly half counts for precision and not
//! for recall, as in ragas 0.4.
//!
//! Reference: ragas, `NonLLMContextPrecisionWithReference` and `NonLLMContextRecall`.

use assize_score::arithmetic::{ratio, sum};
use assize_score::{Explained, MethodVersion, Outcome, Verdict, Working};
use rapidfuzz::distance::levenshtein::{Args, distance_with_args};

use crate::retrieval::passages::input::Passage;
use crate::retrieval::passages::label::Label;

/// This method; the number counts up with every change that can move a value.
pub const METHOD: MethodVersion = MethodVersion::new("retrieval-contexts", 1);

/// The names of the two values, as ragas has them.
pub const NAMES: [&str; 2] = ["non_llm_context_precision_with_reference", "non_llm_context_recall"];

/// The time grows with the product of two lengths: longer texts, in bytes, are not compared.
pub const COMPARED_BYTES_MAX: usize = 200_000;

/// Which retrieved passages and which golds are like one of the others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Likeness {
    /// For each retrieved passage, best first, whether some gold is like it.
    pub passages: Vec<bool>,
    /// For each gold, whether some retrieved passage is like it.
    pub golds: Vec<bool>,
}

impl Likeness {
    /// Compares all passages, however many were retrieved, with all golds.
    pub fn new(retrieved: &[Passage<'_>], gold: &[Passage<'_>]) -> Self {
        let (mut passages, mut golds) = (vec![false; retrieved.len()], vec![false; gold.len()]);
        let letters = |texts: &[Passage<'_>]| -> Vec<Vec<char>> {
            texts.iter().map(|text| text.text().chars().collect()).collect()
        };
        let (left, right) = (letters(retrieved), letters(gold));
        for (place, passage) in left.iter().enumerate() {
            for (index, gold) in right.iter().enumerate() {
                let longer = passage.len().max(gold.len());
                if let Some(changed) = changed(passage, gold, longer / 2) {
                    passages[place] = true;
                    golds[index] |= 2 * changed < longer || longer == 0;
                }
            }
        }
        Self { passages, golds }
    }
}

/// Levenshtein's distance, unless it is greater than a limit.
fn changed(left: &[char], right: &[char], limit: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > limit {
        return None;
    }
    let args = Args::default().score_cutoff(limit);
    distance_with_args(left.iter().copied(), right.iter().copied(), &args)
}

/// The mean precision at the ranks of the passages that are like a gold; 0 if none is.
///
/// ```
/// # use assize_methods::retrieval::passages::measures::{Likeness, context_precision};
/// // Relevant at ranks 1 and 3: (1/1 + 2/3) / 2.
/// let found = Likeness { passages: vec![true, false, true], golds: vec![] };
/// assert!((context_precision::<f64>(&found) - 5.0 / 6.0).abs() < 1e-12);
/// ```
pub fn context_precision<N: Working>(found: &Likeness) -> N {
    let mut relevant = 0.0;
    let mut terms = Vec::new();
    for (place, is_like) in found.passages.iter().enumerate() {
        if *is_like {
            let rank = place + 1;
            relevant += 1.0;
            terms.push(N::given(Label::PrecisionAt(rank), relevant / rank as f64));
        }
    }
    let precisions = sum("precision at the rank of each passage like a gold", terms);
    ratio(NAMES[0], precisions, N::given("passages like a gold", relevant))
}

/// The share of golds that some retrieved passage is like.
///
/// ```
/// # use assize_methods::retrieval::passages::measures::{Likeness, context_recall};
/// let found = Likeness { passages: vec![], golds: vec![true, false] };
/// assert_eq!(context_recall::<f64>(&found), 0.5);
/// ```
pub fn context_recall<N: Working>(found: &Likeness) -> N {
    let like = found.golds.iter().filter(|is_like| **is_like).count() as f64;
    let (like, all) = (N::given("golds like a passage", like), found.golds.len() as f64);
    ratio(NAMES[1], like, N::given("golds", all))
}

/// Both values of a query with their workings.
pub fn explain(retrieved: &[Passage<'_>], gold: &[Passage<'_>]) -> Verdict {
    let found = Likeness::new(retrieved, gold);
    let values: [Explained; 2] = [context_precision(&found), context_recall(&found)];
    let scores = NAMES.into_iter().map(Into::into).zip(values.map(Outcome::from)).collect();
    Verdict { method: METHOD, scores, findings: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What ragas 0.4.3 says of these texts; `scripts/ragas_reference.py` prints it.
    #[test]
    fn values_are_those_of_ragas() {
        let reference = include_str!("../../../../tests/data/ragas_reference.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(reference).unwrap();
        assert!(cases.len() >= 20, "{}", cases.len());
        for case in cases {
            let texts = |name: &str| -> Vec<Passage<'static>> {
                let texts = case[name].as_array().unwrap();
                texts
                    .iter()
                    .map(|text| Passage::of_text(text.as_str().unwrap().to_owned()))
                    .collect()
            };
            let found = Likeness::new(&texts("retrieved_contexts"), &texts("reference_contexts"));
            let values = [context_precision::<f64>(&found), context_recall::<f64>(&found)];
            for (value, name) in values.into_iter().zip(NAMES) {
                let expected = case[name].as_f64().unwrap();
                // ragas adds 1e-10 to the number it divides by.
                assert!((value - expected).abs() < 1e-9, "{name} of {case}: {value}");
            }
        }
    }
}
