//! Character precision, recall and F1.

use assize_score::Working;
use assize_score::arithmetic::{harmonic_mean, ratio, sum};
use assize_score::explained::Name;

use super::coverage::Coverage;

/// The share of retrieved characters that are gold; 0 when nothing was retrieved.
///
/// Reference: Pipitone & Houir Alami (2024), LegalBench-RAG, arXiv:2408.10343.
///
/// ```
/// # use assize_methods::retrieval::spans::{Coverage, measures::precision};
/// let query = Coverage { retrieved: 100, gold: 50, shared: vec![20, 5] };
/// assert_eq!(precision::<f64>(&query), 0.25);
/// ```
pub fn precision<N: Working>(query: &Coverage) -> N {
    ratio("precision", shared(query), N::given("characters retrieved", query.retrieved as f64))
}

/// The share of gold characters that were retrieved; 0 when there are none.
///
/// ```
/// # use assize_methods::retrieval::spans::{Coverage, measures::recall};
/// let query = Coverage { retrieved: 100, gold: 50, shared: vec![20, 5] };
/// assert_eq!(recall::<f64>(&query), 0.5);
/// ```
pub fn recall<N: Working>(query: &Coverage) -> N {
    ratio("recall", shared(query), N::given("characters of gold", query.gold as f64))
}

/// The harmonic mean of the two.
pub fn f1<N: Working>(query: &Coverage) -> N {
    harmonic_mean("f1", precision(query), recall(query))
}

fn shared<N: Working>(query: &Coverage) -> N {
    let pieces = query.shared.iter().enumerate();
    let pieces = pieces.map(|(index, shared)| N::given(PieceOfGold(index), *shared as f64));
    sum("characters in both", pieces.collect())
}

/// A piece of gold by its index, spelled out only in workings.
struct PieceOfGold(usize);

impl From<PieceOfGold> for Name {
    fn from(PieceOfGold(index): PieceOfGold) -> Self {
        format!("characters of gold piece {}", index + 1).into()
    }
}
