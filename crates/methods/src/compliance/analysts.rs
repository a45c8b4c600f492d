//! Several analysts: what counts as the truth where they say different things, and how far they
//! agree, which is the most that can be asked of a judge.

use std::collections::{BTreeMap, BTreeSet};

use assize_stats::agreement::{Form, Level, Weights, cohen_kappa, intraclass, krippendorff_alpha};
use assize_stats::summary::mean;
use serde::{Deserialize, Serialize};

use super::tiers::Rubric;
use super::truth::TruthKey;

/// How much of the probability an interval holds.
const LEVEL: f64 = 0.95;

/// What an analyst is called whose name nobody wrote down.
pub const UNNAMED: &str = "unnamed";

/// How far analysts agree where several judged the same document and criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnalystAgreement {
    /// The analysts, by name.
    pub analysts: Vec<String>,
    /// Documents x criteria that more than one of them judged.
    pub pairs: usize,
    /// `1 - |one - other| / 100`, over all comparisons: what a judge's accuracy is measured by.
    pub accuracy: f64,
    /// The share of comparisons in the same tier.
    pub same_tier: f64,
    /// Agreement on tiers beyond chance with quadratic weights: the mean over the pairs of
    /// analysts, each counted by what they have in common; none if tiers do not vary.
    pub kappa: Option<f64>,
    /// Intraclass correlation ICC(2,1), absolute agreement of single scores; none unless all
    /// analysts judged two pairs in common.
    pub icc: Option<f64>,
    /// Its 95 % interval.
    pub icc_interval: Option<(f64, f64)>,
    /// Documents x criteria that all of them judged, which the correlation rests on.
    pub complete_pairs: usize,
    /// Krippendorff's alpha for intervals, which needs no complete pairs.
    pub alpha: Option<f64>,
    /// Every two of them.
    pub between: Vec<Between>,
}

/// Two analysts compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Between {
    /// One.
    pub first: String,
    /// The other.
    pub second: String,
    /// Documents x criteria that both judged.
    pub pairs: usize,
    /// The mean of `1 - |one - other| / 100`.
    pub accuracy: f64,
    /// The share in the same tier.
    pub same_tier: f64,
    /// Kappa with quadratic weights; none if tiers do not vary.
    pub kappa: Option<f64>,
}

/// A document and a criterion that analysts see differently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The document.
    pub document: String,
    /// The criterion.
    pub criteria_id: String,
    /// Each analyst with their score.
    pub scores: Vec<(String, f64)>,
    /// The highest score less the lowest.
    pub spread: f64,
    /// How many tiers lie between them; none is the same tier.
    pub tiers_apart: usize,
    /// What it was settled at.
    pub adjudicated: Option<f64>,
}

/// What the keys that count rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Basis {
    /// Pairs that somebody settled.
    pub adjudicated: usize,
    /// Pairs that one analyst judged.
    pub single: usize,
    /// Pairs with the mean of several.
    pub averaged: usize,
    /// Those of them whose analysts are in different tiers, waiting to be settled.
    pub disputed: usize,
}

type Pairs<'a> = Vec<((&'a str, &'a str), Vec<&'a TruthKey>)>;

/// One key for each document and criterion, and what they rest on: what was settled, or what the
/// only analyst says, or else the mean of what several say.
pub fn settled(keys: &[TruthKey], rubric: &Rubric) -> (Vec<TruthKey>, Basis) {
    let mut basis = Basis::default();
    let mut all = Vec::new();
    for (_, own) in pairs(keys) {
        if let Some(key) = own.iter().find(|key| key.is_adjudicated) {
            basis.adjudicated += 1;
            all.push((*key).clone());
            continue;
        }
        let [first, ..] = own.as_slice() else { continue };
        if own.len() == 1 {
            basis.single += 1;
            all.push((*first).clone());
            continue;
        }
        let scores: Vec<f64> = own.iter().map(|key| key.expected_score).collect();
        basis.averaged += 1;
        basis.disputed += usize::from(apart(&scores, rubric) > 0);
        let names: Vec<&str> = own.iter().map(|key| name(key)).collect();
        let wordy = own.iter().find(|key| !key.response_sections.is_empty()).unwrap_or(first);
        all.push(TruthKey {
            expected_score: mean(&scores).unwrap_or(first.expected_score),
            response_sections: wordy.response_sections.clone(),
            analyst: Some(names.join(", ")),
            ..(*first).clone()
        });
    }
    (all, basis)
}

/// How far analysts agree; none if no two of them judged the same.
pub fn agreement(keys: &[TruthKey], rubric: &Rubric) -> Option<AnalystAgreement> {
    let pairs = pairs(keys);
    let rated: Vec<BTreeMap<&str, f64>> = pairs
        .iter()
        .map(|(_, own)| own.iter().filter(|key| !key.is_adjudicated))
        .map(|own| own.map(|key| (name(key), key.expected_score)).collect())
        .filter(|own: &BTreeMap<&str, f64>| own.len() > 1)
        .collect();
    let analysts: Vec<&str> = rated
        .iter()
        .flat_map(BTreeMap::keys)
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut between = Vec::new();
    for (place, first) in analysts.iter().enumerate() {
        let others = analysts.iter().skip(place + 1);
        between.extend(others.filter_map(|second| compared((first, second), &rated, rubric)));
    }
    let comparisons: usize = between.iter().map(|one| one.pairs).sum();
    if comparisons == 0 {
        return None;
    }
    let weighted = |value: &dyn Fn(&Between) -> Option<f64>| {
        let known = between.iter().filter_map(|one| Some((value(one)?, one.pairs as f64)));
        let (sum, weights) = known.fold((0.0, 0.0), |(sum, weights), (value, weight)| {
            (sum + value * weight, weights + weight)
        });
        (weights > 0.0).then(|| sum / weights)
    };
    let complete: Vec<Vec<f64>> = rated
        .iter()
        .filter(|own| own.len() == analysts.len())
        .map(|own| own.values().copied().collect())
        .collect();
    let icc = intraclass(&complete, Form::AgreementSingle, LEVEL).ok();
    let by_analyst: Vec<Vec<Option<f64>>> = analysts
        .iter()
        .map(|analyst| rated.iter().map(|own| own.get(analyst).copied()).collect())
        .collect();
    Some(AnalystAgreement {
        pairs: rated.len(),
        accuracy: weighted(&|one| Some(one.accuracy))?,
        same_tier: weighted(&|one| Some(one.same_tier))?,
        kappa: weighted(&|one| one.kappa),
        icc: icc.map(|icc| icc.value),
        icc_interval: icc.map(|icc| (icc.interval.low, icc.interval.high)),
        complete_pairs: complete.len(),
        alpha: krippendorff_alpha(&by_analyst, Level::Interval).ok(),
        analysts: analysts.into_iter().map(str::to_owned).collect(),
        between,
    })
}

/// Where analysts differ, the furthest apart first.
pub fn disputes(keys: &[TruthKey], rubric: &Rubric) -> Vec<Dispute> {
    let mut all = Vec::new();
    for ((document, criterion), own) in pairs(keys) {
        let settled = own.iter().find(|key| key.is_adjudicated).map(|key| key.expected_score);
        let said: Vec<(String, f64)> = own
            .iter()
            .filter(|key| !key.is_adjudicated)
            .map(|key| (name(key).to_owned(), key.expected_score))
            .collect();
        let scores: Vec<f64> = said.iter().map(|(_, score)| *score).collect();
        let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
        if said.len() > 1 && high > low {
            all.push(Dispute {
                document: document.to_owned(),
                criteria_id: criterion.to_owned(),
                spread: high - low,
                tiers_apart: apart(&scores, rubric),
                scores: said,
                adjudicated: settled,
            });
        }
    }
    all.sort_by(|left, right| right.spread.total_cmp(&left.spread));
    all
}

/// What an analyst is called.
fn name(key: &TruthKey) -> &str {
    key.analyst.as_deref().unwrap_or(UNNAMED)
}

/// The keys of each document and criterion, by analyst; in the order in which pairs come, since
/// intervals are drawn in that order.
fn pairs(keys: &[TruthKey]) -> Pairs<'_> {
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut pairs = Pairs::new();
    for key in keys {
        let pair = (key.document.as_str(), key.criterion.as_str());
        let place = *places.entry(pair).or_insert_with(|| {
            pairs.push((pair, Vec::new()));
            pairs.len() - 1
        });
        pairs[place].1.push(key);
    }
    for (_, own) in &mut pairs {
        own.sort_by_key(|key| name(key));
    }
    pairs
}

/// How many tiers lie between the lowest and the highest score.
fn apart(scores: &[f64], rubric: &Rubric) -> usize {
    let tiers = scores.iter().map(|score| rubric.tier(*score));
    let low = tiers.clone().min().unwrap_or_default();
    tiers.max().unwrap_or_default() - low
}

fn compared(
    (first, second): (&str, &str),
    rated: &[BTreeMap<&str, f64>],
    rubric: &Rubric,
) -> Option<Between> {
    let both: Vec<(f64, f64)> =
        rated.iter().filter_map(|own| Some((*own.get(first)?, *own.get(second)?))).collect();
    let tiers = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<usize> {
        both.iter().map(|pair| rubric.tier(of(pair)) - 1).collect()
    };
    let (ours, theirs) = (tiers(&|pair| pair.0), tiers(&|pair| pair.1));
    let same = ours.iter().zip(&theirs).filter(|(one, other)| one == other).count();
    let near: Vec<f64> =
        both.iter().map(|(one, other)| 1.0 - (one - other).abs() / 100.0).collect();
    Some(Between {
        first: first.to_owned(),
        second: second.to_owned(),
        pairs: both.len(),
        accuracy: mean(&near).ok()?,
        same_tier: same as f64 / both.len() as f64,
        kappa: cohen_kappa(&ours, &theirs, Weights::Quadratic).ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(criterion: &str, analyst: &str, expected_score: f64) -> TruthKey {
        TruthKey {
            document: "d".into(),
            criterion: criterion.into(),
            expected_score,
            response_sections: BTreeMap::new(),
            analyst: Some(analyst.into()),
            is_adjudicated: false,
        }
    }

    /// Ada and Ben judge three criteria, Cem one of them.
    fn keys() -> Vec<TruthKey> {
        let mut keys = vec![
            key("A", "Ada", 90.0),
            key("A", "Ben", 90.0),
            key("B", "Ada", 70.0),
            key("B", "Ben", 50.0),
            key("C", "Ada", 10.0),
            key("C", "Ben", 20.0),
            key("C", "Cem", 30.0),
            key("D", "Cem", 5.0),
        ];
        keys[2].response_sections.insert("why".into(), "Most of it.".into());
        keys
    }

    #[test]
    fn what_was_settled_counts_before_the_only_word_and_the_mean() {
        let mut keys = keys();
        let (found, basis) = settled(&keys, &Rubric::default());
        let scores: Vec<f64> = found.iter().map(|key| key.expected_score).collect();
        assert_eq!(scores, [90.0, 60.0, 20.0, 5.0]);
        assert_eq!(found[1].analyst.as_deref(), Some("Ada, Ben"));
        assert_eq!(found[1].response_sections["why"], "Most of it.");
        let expected = Basis { adjudicated: 0, single: 1, averaged: 3, disputed: 2 };
        assert_eq!(basis, expected);
        keys.push(TruthKey { is_adjudicated: true, ..key("B", "Ada", 52.0) });
        let (found, basis) = settled(&keys, &Rubric::default());
        assert_eq!((found[1].expected_score, found.len()), (52.0, 4));
        assert_eq!((basis.adjudicated, basis.disputed), (1, 1));
    }

    /// By hand. Ada and Ben: accuracies 1, 0.8, 0.9; tiers 5 4 1 and 5 3 1. Ada and Cem: 0.8;
    /// Ben and Cem: 0.9. Kappa of Ada and Ben with quadratic weights over the three: observed
    /// 0 + 1 + 0 = 1 of 3; expected: all nine pairs, 0 4 16 / 1 1 9 / 16 4 0 = 51 of 9. So
    /// 1 - (1/3) / (51/9) = 1 - 9/153.
    #[test]
    fn agreement_is_what_a_hand_finds() {
        let found = agreement(&keys(), &Rubric::default()).unwrap();
        assert_eq!(found.analysts, ["Ada", "Ben", "Cem"]);
        assert_eq!((found.pairs, found.complete_pairs), (3, 1));
        assert!((found.accuracy - (1.0 + 0.8 + 0.9 + 0.8 + 0.9) / 5.0).abs() < 1e-12);
        // The same tier: A (5, 5) and Ada and Ben on C (1, 1); not B (4, 3), nor anybody with Cem on C.
        assert!((found.same_tier - 2.0 / 5.0).abs() < 1e-12, "{}", found.same_tier);
        let kappa = found.between[0].kappa.unwrap();
        assert!((kappa - (1.0 - 9.0 / 153.0)).abs() < 1e-12, "{kappa}");
        assert_eq!(found.icc, None);
        assert!(found.alpha.unwrap() < 1.0);
        assert_eq!(agreement(&[key("A", "Ada", 1.0)], &Rubric::default()), None);
    }

    #[test]
    fn two_who_judge_everything_alike_have_a_correlation_of_one() {
        let both = ["Ada", "Ben"].into_iter().flat_map(|who| {
            [("A", 10.0), ("B", 50.0), ("C", 95.0)].map(|(id, score)| key(id, who, score))
        });
        let found = agreement(&both.collect::<Vec<_>>(), &Rubric::default()).unwrap();
        assert!((found.icc.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!((found.accuracy, found.same_tier, found.kappa), (1.0, 1.0, Some(1.0)));
    }

    #[test]
    fn disputes_come_with_the_widest_first_and_what_was_settled() {
        let mut keys = keys();
        keys.push(TruthKey { is_adjudicated: true, ..key("B", "Dee", 52.0) });
        let found = disputes(&keys, &Rubric::default());
        let told: Vec<(&str, f64, usize, Option<f64>)> = found
            .iter()
            .map(|one| (one.criteria_id.as_str(), one.spread, one.tiers_apart, one.adjudicated))
            .collect();
        assert_eq!(told, [("B", 20.0, 1, Some(52.0)), ("C", 20.0, 1, None)]);
        assert_eq!(found[1].scores.len(), 3);
    }
}
