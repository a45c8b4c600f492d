//! What both frameworks count alike: recall, precision, the unsupported fraction.

use assize_score::Working;
use assize_score::arithmetic::{complement, ratio};

use super::evidence::{Claim, KeyPoint, Totals};
use super::labels::{Coverage, Support};

/// The share of the key points that the summary says, half for one said in part.
pub fn recall<N: Working>(key_points: &[KeyPoint]) -> N {
    let count = |label| key_points.iter().filter(|point| point.coverage == label).count() as f64;
    let (fully, partial) = (count(Coverage::Fully), count(Coverage::Partial));
    let total = key_points.len() as f64;
    let worth = fully * Coverage::Fully.worth() + partial * Coverage::Partial.worth();
    let inputs = [
        N::given("key points fully covered", fully),
        N::given("key points partly covered", partial),
        N::given("key points", total),
    ];
    let formula = || format!("(fully + {} partly) / key points", Coverage::Partial.worth());
    N::computed_by("recall", formula, worth / total.max(1.0), inputs)
}

/// The share of the summary's tokens that something in the article supports.
pub fn precision<N: Working>(totals: &Totals) -> N {
    let extraneous = N::given("extraneous tokens", totals.extraneous_tokens as f64);
    let all = N::given("summary tokens", totals.summary_tokens as f64);
    complement("precision", ratio("extraneous share", extraneous, all))
}

/// The share of the claims that the article does not back, half for one backed in part.
pub(crate) fn unsupported_fraction<N: Working>(claims: &[Claim]) -> N {
    let count = |label| claims.iter().filter(|claim| claim.support == label).count() as f64;
    let (unsupported, partial) = (count(Support::Unsupported), count(Support::Partial));
    let total = claims.len() as f64;
    let worth = unsupported * Support::Unsupported.unsupported_share()
        + partial * Support::Partial.unsupported_share();
    let inputs = [
        N::given("unsupported claims", unsupported),
        N::given("partly supported claims", partial),
        N::given("claims", total),
    ];
    let value = worth / total.max(1.0);
    let share = Support::Partial.unsupported_share();
    let formula = || format!("(unsupported + {share} partly) / claims");
    N::computed_by("unsupported fraction", formula, value, inputs)
}

/// Whether the summary claims something the article does not back at all.
pub(crate) fn has_unsupported(claims: &[Claim]) -> bool {
    claims.iter().any(|claim| claim.support == Support::Unsupported)
}
