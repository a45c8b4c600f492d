//! The formulas, a family in each file, all with one shape: a ranking and its settings
//! become a number, with its workings if the caller asks for an
//! [`Explained`](assize_score::Explained).

use assize_score::Working;

pub mod average_precision;
pub mod bpref;
pub mod counts;
pub mod expected_reciprocal_rank;
pub mod inferred;
pub mod interpolated;
pub mod judged;
pub mod ndcg;
pub mod ndcg_average;
pub mod normalized_gain;
pub mod precision;
pub mod r_precision;
pub mod rank_biased;
pub mod recall;
pub mod reciprocal_rank;
pub mod set;
pub mod success;
pub mod utility;

/// The sum of terms that are written down once: added up for the value, and made again
/// for the workings only if somebody keeps them.
fn total<N: Working, I: Iterator<Item = N>>(name: &'static str, terms: impl Fn() -> I) -> N {
    let value = terms().fold(0.0, |sum, term| sum + term.value());
    N::computed(name, "sum", value, terms())
}

/// A count as a given number.
fn count<N: Working>(name: &'static str, count: usize) -> N {
    N::given(name, count as f64)
}

#[cfg(test)]
mod testing {
    //! What the tests of the formulas share.

    use crate::retrieval::ranked::{Found, JudgedRanking, LevelCount, Measure};

    /// The value of a measure for documents with these levels in rank order (`None`: never
    /// judged), when the judgements count these documents at levels 0, 1, 2…
    pub(super) fn value(measure: &str, levels: &[Option<i32>], counts: &[u32]) -> f64 {
        let ranks = 1_u32..;
        let found: Vec<Found> = ranks
            .zip(levels)
            .filter_map(|(rank, level)| level.map(|level| Found { rank, level }))
            .collect();
        let mut judged: Vec<LevelCount> =
            (0..).zip(counts).map(|(level, &count)| LevelCount { level, count }).collect();
        judged.reverse();
        let ranking = JudgedRanking::new(levels.len(), &found, &judged, 1);
        measure.parse::<Measure>().unwrap().value(&ranking)
    }

    /// Asserts that two numbers agree to twelve decimals.
    pub(super) fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 1e-12, "{left} is not {right}");
    }
}
