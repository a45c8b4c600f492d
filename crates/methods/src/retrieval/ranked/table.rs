//! The table of all measures: the one place where a measure gets its name.

use assize_score::Explained;

use super::measures::{
    average_precision as ap, bpref, counts, expected_reciprocal_rank as err, inferred,
    interpolated, judged, ndcg, ndcg_average, normalized_gain, precision, r_precision,
    rank_biased as rbp, recall, reciprocal_rank as rr, set, success, utility,
};
use super::{JudgedRanking, Settings};

/// How the values of single queries become the value of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The arithmetic mean.
    Mean,
    /// The sum; the values are counts.
    Sum,
    /// The geometric mean of values held at 0.00001 or above.
    GeometricMean,
}

/// What may stand behind the `@` of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum At {
    /// Nothing.
    Nothing,
    /// A rank, or nothing for the whole ranking.
    RankOrAll,
    /// A rank; there is no measure without one.
    Rank,
    /// A number from 0 to this one, such as a share of recall.
    Number(f64),
}

/// What may stand between the brackets of a measure, beside `rel=`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Takes {
    /// Nothing more.
    Nothing,
    /// `gain=exponential`, or the worth of single levels, `1=3,2=9`.
    Gains,
    /// One number with a name.
    Number(Parameter),
    /// One number with a name, and gains.
    NumberAndGains(Parameter),
    /// As many numbers as these, which are the default.
    Numbers(&'static [f64]),
    /// Any numbers of 0 to 1; these are the default.
    Shares(&'static [f64]),
}

/// A number with a name, a default and a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// What stands before the `=`.
    pub key: &'static str,
    /// The value when nobody states one.
    pub default: f64,
    /// The lowest value.
    pub min: f64,
    /// The highest value.
    pub max: f64,
}

/// One row of the table: measures that differ only in their settings.
#[derive(Debug)]
pub struct Family {
    /// The name, in lower case.
    pub name: &'static str,
    /// Other names for it, in lower case.
    pub aliases: &'static [&'static str],
    /// What it says, in a line.
    pub about: &'static str,
    /// What may stand behind the `@`.
    pub at: At,
    /// What may stand between the brackets.
    pub takes: Takes,
    /// How queries become a run.
    pub combine: Combine,
    pub(super) value: fn(&JudgedRanking<'_>, &Settings) -> f64,
    pub(super) explain: fn(&JudgedRanking<'_>, &Settings) -> Explained,
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const PERSISTENCE: Parameter = Parameter { key: "p", default: 0.9, min: 0.0, max: 1.0 };
const HIGHEST_LEVEL: Parameter = Parameter { key: "max", default: 4.0, min: 1.0, max: 64.0 };
const RECALL_WEIGHT: Parameter = Parameter { key: "x", default: 1.0, min: 0.0, max: 1e9 };
const ELEVEN: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const PRICES: &[f64] = &[1.0, -1.0, 0.0, 0.0];

/// A row: name, aliases, about; what it takes; how it combines; and the one formula.
macro_rules! family {
    ($name:literal $aliases:expr, $about:literal, $at:expr, $takes:expr, $combine:ident, $formula:path) => {
        Family {
            name: $name,
            aliases: &$aliases,
            about: $about,
            at: $at,
            takes: $takes,
            combine: Combine::$combine,
            value: $formula,
            explain: $formula,
        }
    };
}

use self::At::{Rank, RankOrAll};
use self::Takes::{Gains, NumberAndGains, Numbers, Shares};

/// Every measure there is.
#[rustfmt::skip]
pub static MEASURES: &[Family] = &[
    family!("ndcg" [], "discounted gain as a share of the best possible", RankOrAll, Gains, Mean, ndcg::ndcg),
    family!("map" ["ap"], "average precision", RankOrAll, Takes::Nothing, Mean, ap::average_precision),
    family!("mrr" ["rr", "recip_rank"], "one over the rank of the first relevant document", RankOrAll, Takes::Nothing, Mean, rr::reciprocal_rank),
    family!("recall" ["r", "context_recall"], "share of the relevant documents in the first k", Rank, Takes::Nothing, Mean, recall::recall),
    family!("p" ["precision"], "share of the first k that is relevant", Rank, Takes::Nothing, Mean, precision::precision),
    family!("f1" [], "harmonic mean of precision and recall at k", Rank, Takes::Nothing, Mean, recall::f1),
    family!("success" ["hit", "hit_rate", "hits"], "1 if the first k contain a relevant \
        document", Rank, Takes::Nothing, Mean, success::success),
    family!("judged" [], "share of the first k that was judged", Rank, Takes::Nothing, Mean, judged::judged),
    family!("r_prec" ["rprec", "r_precision"], "precision at as many ranks as are relevant", At::Nothing, Takes::Nothing, Mean, r_precision::r_precision),
    family!("bpref" [], "relevant documents above judged others", At::Nothing, Takes::Nothing, Mean, bpref::bpref),
    family!("rbp" [], "gain weighted by the chance of reading on", RankOrAll, NumberAndGains(PERSISTENCE), Mean, rbp::rank_biased_precision),
    family!("rbp_resid" [], "how much rbp could rise with unjudged \
        documents", At::Nothing, Takes::Number(PERSISTENCE), Mean, rbp::residual),
    family!("err" [], "expected reciprocal rank at which a reader stops", RankOrAll, Takes::Number(HIGHEST_LEVEL), Mean, err::expected_reciprocal_rank),
    family!("infap" [], "average precision inferred from sampled judgements", At::Nothing, Takes::Nothing, Mean, inferred::inferred_average_precision),
    family!("gm_map" ["gmap"], "geometric mean of average precision", At::Nothing, Takes::Nothing, GeometricMean, ap::average_precision),
    family!("gm_bpref" [], "geometric mean of bpref", At::Nothing, Takes::Nothing, GeometricMean, bpref::bpref),
    family!("iprec" ["iprec_at_recall"], "best precision from a share of recall on", At::Number(1.0), Takes::Nothing, Mean, interpolated::at_recall),
    family!("11pt_avg" [], "mean interpolated precision over shares of recall", At::Nothing, Shares(ELEVEN), Mean, interpolated::eleven_point_average),
    family!("r_prec_mult" ["rprec_mult"], "precision at a multiple of the number relevant", At::Number(1e9), Takes::Nothing, Mean, r_precision::at_multiple),
    family!("relative_p" [], "precision as a share of the best possible at k", Rank, Takes::Nothing, Mean, precision::relative_precision),
    family!("unj" ["unjudged"], "share of the first k that was not \
        judged", Rank, Takes::Nothing, Mean, judged::unjudged),
    family!("dcg" [], "discounted gain, not normalised", RankOrAll, Gains, Mean, ndcg::discounted_cumulative_gain),
    family!("ndcg_rel" [], "ndcg averaged over the ranks of relevant documents", At::Nothing, Gains, Mean, ndcg_average::at_relevant_ranks),
    family!("rndcg" [], "ndcg averaged over the depths where the level changes", At::Nothing, Gains, Mean, ndcg_average::at_level_changes),
    family!("bing" [], "binary G: hits discounted by the misses above", At::Nothing, Takes::Nothing, Mean, normalized_gain::binary_normalized_gain),
    family!("g" [], "gain discounted by what was missed above", At::Nothing, Gains, Mean, normalized_gain::normalized_gain),
    family!("utility" [], "weighted count of each kind of \
        document", At::Nothing, Numbers(PRICES), Mean, utility::utility),
    family!("set_p" ["setp"], "precision of the whole set", At::Nothing, Takes::Nothing, Mean, set::precision),
    family!("set_recall" ["setr"], "recall of the whole set", At::Nothing, Takes::Nothing, Mean, set::recall),
    family!("set_relative_p" [], "set precision as a share of the best possible", At::Nothing, Takes::Nothing, Mean, set::relative_precision),
    family!("set_map" ["setap"], "set precision times set recall", At::Nothing, Takes::Nothing, Mean, set::average_precision),
    family!("set_f" ["setf"], "weighted harmonic mean of set precision and recall", At::Nothing, Takes::Number(RECALL_WEIGHT), Mean, set::f_measure),
    family!("num_q" ["numq"], "queries", At::Nothing, Takes::Nothing, Sum, counts::queries),
    family!("num_ret" ["numret"], "documents retrieved", At::Nothing, Takes::Nothing, Sum, counts::retrieved),
    family!("num_rel" ["numrel"], "relevant documents", At::Nothing, Takes::Nothing, Sum, counts::relevant),
    family!("num_rel_ret" ["numrelret"], "relevant documents retrieved", At::Nothing, Takes::Nothing, Sum, counts::relevant_retrieved),
    family!("num_nonrel_judged_ret" [], "documents retrieved and judged not relevant", At::Nothing, Takes::Nothing, Sum, counts::not_relevant_retrieved),
];

/// The family of a name or alias, whatever its case; `hit rate` and `hit-rate` are `hit_rate`.
pub fn family(name: &str) -> Option<&'static Family> {
    let name = name.to_ascii_lowercase().replace([' ', '-'], "_");
    MEASURES.iter().find(|family| family.name == name || family.aliases.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_is_unique_and_in_lower_case() {
        let mut seen = BTreeSet::new();
        for family in MEASURES {
            for name in [family.name].iter().chain(family.aliases) {
                assert!(seen.insert(*name), "{name} stands twice");
                assert_eq!(*name, name.to_ascii_lowercase());
            }
        }
    }
}
