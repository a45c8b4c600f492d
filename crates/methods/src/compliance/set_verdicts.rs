//! What holds for a set of documents: one verdict for each criterion, and what they come to.
//!
//! A requirement that one document of a set meets is met by the set: the best document decides,
//! unless another one denies it. What does not apply and what has no score is in no mean.

use std::collections::BTreeMap;

use assize_score::cap::apply;
use assize_score::{AppliedCap, Cap};
use serde::{Deserialize, Serialize};

use super::tiers::{Rubric, Status};

/// What a set scores at most when one of its documents denies what another states.
pub(crate) const CONTRADICTED_MAX: f64 = 60.0;
/// Why.
pub(crate) const CONTRADICTED_BECAUSE: &str = "one document denies what another states";

/// What came of one document under a criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Found {
    /// A score.
    Scored(f64),
    /// A score of a document that says the contrary.
    Denied(f64),
    /// A score of a document that says nothing about it: no statement of it was quoted.
    Silent(f64),
    /// The criterion does not apply to the document.
    NotApplicable,
    /// The document does not say enough.
    NeedsInformation,
    /// There is no answer that could be read.
    Failed,
    /// Not judged yet.
    Pending,
}

/// A criterion with what came of each document.
#[derive(Debug, Clone, PartialEq)]
pub struct Documents<'a> {
    /// The criterion.
    pub criteria_id: &'a str,
    /// Its group.
    pub category: Option<&'a str>,
    /// How much it counts.
    pub weight: f64,
    /// What came of the documents, in the order of the set.
    pub found: &'a [Found],
}

/// What holds for the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetOutcome {
    /// The best document has a score.
    Scored,
    /// The criterion applies to none.
    NotApplicable,
    /// Some document does not say enough, and none has a score.
    NeedsInformation,
    /// There is no answer that could be read, and no score.
    Failed,
    /// Nothing is judged yet.
    Pending,
}

/// A criterion's verdict for the set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetVerdict {
    /// The criterion.
    pub criteria_id: String,
    /// Its group.
    pub category: Option<String>,
    /// How much it counts.
    pub weight: f64,
    /// What holds.
    pub outcome: SetOutcome,
    /// The best score, after the cap.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// The place of the document that decides, from 0: of those that address the criterion the best.
    /// None where every document is silent.
    pub document: Option<usize>,
    /// Whether the set meets it: in the upper half of the tiers, and no document denies it.
    #[serde(default)]
    pub is_met: bool,
    /// The places of the documents that deny what the best one states.
    #[serde(default)]
    pub contradicted_by: Vec<usize>,
    /// What limits the score, and why; empty where nothing does.
    #[serde(default)]
    pub caps: Vec<AppliedCap>,
}

/// Criteria of one group taken together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CategoryVerdict {
    /// The group.
    pub category: String,
    /// The weighted mean of its verdicts; none if none has a score. A mean has no tier.
    pub score: Option<f64>,
    /// Criteria in it.
    pub criteria: usize,
    /// Those with a score.
    pub scored: usize,
    /// Those that are met.
    #[serde(default)]
    pub met: usize,
}

/// All verdicts for a set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetReport {
    /// One for each criterion, in the order of the set.
    pub verdicts: Vec<SetVerdict>,
    /// The weighted mean of those with a score. A mean has no tier: it would hide what is not met.
    pub score: Option<f64>,
    /// By group, in the order of their names; empty where no criterion names one.
    pub categories: Vec<CategoryVerdict>,
    /// Verdicts with a score.
    pub scored: usize,
    /// Criteria that are met.
    #[serde(default)]
    pub met: usize,
    /// How many verdicts lie in each tier, the lowest first.
    pub tiers: Vec<usize>,
}

/// The verdicts for a set of documents.
pub fn set_report(criteria: &[Documents<'_>], rubric: &Rubric) -> SetReport {
    let verdicts: Vec<SetVerdict> = criteria.iter().map(|one| verdict(one, rubric)).collect();
    let mut by_category: BTreeMap<&str, Vec<&SetVerdict>> = BTreeMap::new();
    for one in &verdicts {
        if let Some(category) = &one.category {
            by_category.entry(category).or_default().push(one);
        }
    }
    let categories = by_category.into_iter().map(|(category, own)| {
        let score = weighted_mean(own.iter().filter_map(|one| Some((one.score?, one.weight))));
        CategoryVerdict {
            category: category.to_owned(),
            score,
            criteria: own.len(),
            scored: own.iter().filter(|one| one.score.is_some()).count(),
            met: own.iter().filter(|one| one.is_met).count(),
        }
    });
    let score = weighted_mean(verdicts.iter().filter_map(|one| Some((one.score?, one.weight))));
    let mut tiers = vec![0; rubric.tiers().len()];
    for score in verdicts.iter().filter_map(|one| one.score) {
        tiers[rubric.tier(score) - 1] += 1;
    }
    SetReport {
        score,
        categories: categories.collect(),
        scored: tiers.iter().sum(),
        met: verdicts.iter().filter(|one| one.is_met).count(),
        tiers,
        verdicts,
    }
}

/// The mean of values by their weights; none without any weight.
pub(crate) fn weighted_mean(values: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let (sum, weights) = values.into_iter().fold((0.0, 0.0), |(sum, weights), (value, weight)| {
        (sum + value * weight, weights + weight)
    });
    (weights > 0.0).then(|| sum / weights)
}

/// A criterion is met from this score on: in the upper half of the tiers; of an odd number the
/// middle one is not met.
pub fn met_from(rubric: &Rubric) -> f64 {
    let tiers = rubric.tiers();
    f64::from(tiers[tiers.len().div_ceil(2)].min)
}

/// A document denies a criterion below this score: one that denies part of a requirement and
/// meets the rest does not contradict the others.
pub fn denied_below(rubric: &Rubric) -> f64 {
    rubric.tiers().get(1).map_or(100.0, |tier| f64::from(tier.min))
}

/// The score of a criterion that one document meets and another denies.
pub fn contradicted(score: f64) -> (f64, Vec<AppliedCap>) {
    apply(score, vec![Cap::when(true, CONTRADICTED_MAX, CONTRADICTED_BECAUSE)])
}

fn verdict(one: &Documents<'_>, rubric: &Rubric) -> SetVerdict {
    // A document that is silent never decides: it gives a score only where all are.
    let mut best: Option<(Option<usize>, f64)> = None;
    for (place, found) in one.found.iter().enumerate() {
        let (this, score) = match found {
            Found::Scored(score) | Found::Denied(score) => (Some(place), *score),
            Found::Silent(score) => (None, *score),
            _ => continue,
        };
        let is_better = |(known, best): (Option<usize>, f64)| match (this, known) {
            (Some(_), None) => true,
            (None, Some(_)) => false,
            _ => score > best,
        };
        if best.is_none_or(is_better) {
            best = Some((this, score));
        }
    }
    let is_met = best.is_some_and(|(_, score)| score >= met_from(rubric));
    let denies =
        |found: &Found| matches!(found, Found::Denied(score) if *score < denied_below(rubric));
    let denying = one.found.iter().enumerate().filter(|(_, found)| is_met && denies(found));
    let contradicted_by: Vec<usize> = denying.map(|(place, _)| place).collect();
    let (score, caps) = match best {
        Some((_, score)) if !contradicted_by.is_empty() => {
            let (score, caps) = contradicted(score);
            (Some(score), caps)
        }
        best => (best.map(|(_, score)| score), Vec::new()),
    };
    SetVerdict {
        criteria_id: one.criteria_id.to_owned(),
        category: one.category.map(ToOwned::to_owned),
        weight: one.weight,
        outcome: outcome(one.found),
        score,
        status: score.map(|score| rubric.status(score)),
        document: best.and_then(|(place, _)| place),
        is_met: is_met && contradicted_by.is_empty(),
        contradicted_by,
        caps,
    }
}

fn outcome(found: &[Found]) -> SetOutcome {
    let any = |wanted: Found| found.contains(&wanted);
    if found.iter().any(|one| matches!(one, Found::Scored(_) | Found::Denied(_) | Found::Silent(_)))
    {
        SetOutcome::Scored
    } else if any(Found::NeedsInformation) {
        SetOutcome::NeedsInformation
    } else if any(Found::Failed) {
        SetOutcome::Failed
    } else if any(Found::Pending) || found.is_empty() {
        SetOutcome::Pending
    } else {
        SetOutcome::NotApplicable
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_found() -> impl Strategy<Value = Found> {
        prop_oneof![
            (0.0..=100.0).prop_map(Found::Scored),
            (0.0..=20.0).prop_map(Found::Denied),
            (0.0..=20.0).prop_map(Found::Silent),
            Just(Found::NotApplicable),
            Just(Found::NeedsInformation),
            Just(Found::Failed),
        ]
    }

    proptest! {
        #[test]
        fn order_and_company_of_documents_change_no_score(
            (found, shuffled) in proptest::collection::vec(any_found(), 1..6)
                .prop_flat_map(|found| (Just(found.clone()), Just(found).prop_shuffle())),
            silent in 0.0..=20.0,
        ) {
            let of = |found: &[Found]| {
                set_report(&[criterion("A", None, 1.0, found)], &Rubric::default())
            };
            let (one, other) = (of(&found), of(&shuffled));
            prop_assert_eq!((one.score, one.met, one.scored), (other.score, other.met, other.scored));
            // Beside a document that is about the criterion, a silent one changes nothing.
            if one.verdicts[0].document.is_some() {
                let beside = of(&[found.as_slice(), &[Found::Silent(silent)]].concat());
                prop_assert_eq!(&one.verdicts, &beside.verdicts);
            }
        }
    }

    fn criterion<'a>(
        criteria_id: &'a str,
        category: Option<&'a str>,
        weight: f64,
        found: &'a [Found],
    ) -> Documents<'a> {
        Documents { criteria_id, category, weight, found }
    }

    #[test]
    fn the_best_document_decides_and_what_has_no_score_is_in_no_mean() {
        use Found::{Failed, NeedsInformation, NotApplicable, Pending, Scored};
        let all = [
            criterion("A", Some("Access"), 3.0, &[Scored(20.0), Scored(90.0), NotApplicable]),
            criterion("B", Some("Audit"), 1.0, &[Scored(10.0), Failed]),
            criterion("C", Some("Audit"), 9.0, &[NotApplicable, NotApplicable]),
            criterion("D", None, 1.0, &[NotApplicable, NeedsInformation]),
            criterion("E", None, 1.0, &[Failed, NotApplicable]),
            criterion("F", None, 1.0, &[Pending, NotApplicable]),
            criterion("G", None, 0.0, &[Scored(50.0), Scored(50.0)]),
        ];
        let report = set_report(&all, &Rubric::default());
        let outcomes: Vec<SetOutcome> = report.verdicts.iter().map(|one| one.outcome).collect();
        let expected = [
            SetOutcome::Scored,
            SetOutcome::Scored,
            SetOutcome::NotApplicable,
            SetOutcome::NeedsInformation,
            SetOutcome::Failed,
            SetOutcome::Pending,
            SetOutcome::Scored,
        ];
        assert_eq!(outcomes, expected);
        assert_eq!((report.verdicts[0].score, report.verdicts[0].document), (Some(90.0), Some(1)));
        assert_eq!(report.verdicts[6].document, Some(0), "of two alike the first");
        // (3 x 90 + 1 x 10 + 0 x 50) / 4
        assert_eq!((report.score, report.scored), (Some(70.0), 3));
        assert_eq!(report.tiers, [1, 0, 1, 0, 1]);
        let by: Vec<(&str, Option<f64>, usize)> = report
            .categories
            .iter()
            .map(|one| (one.category.as_str(), one.score, one.criteria))
            .collect();
        assert_eq!(by, [("Access", Some(90.0), 1), ("Audit", Some(10.0), 2)]);
        assert_eq!(set_report(&[], &Rubric::default()).score, None);
    }

    #[test]
    fn a_silent_document_never_decides() {
        use Found::{Denied, Scored, Silent};
        let all = [
            criterion("A", None, 1.0, &[Silent(18.0), Scored(12.0)]),
            criterion("B", None, 1.0, &[Silent(3.0), Silent(7.0)]),
            criterion("C", None, 1.0, &[Silent(9.0), Denied(0.0)]),
        ];
        let report = set_report(&all, &Rubric::default());
        let by: Vec<_> = report.verdicts.iter().map(|one| (one.document, one.score)).collect();
        assert_eq!(by, [(Some(1), Some(12.0)), (None, Some(7.0)), (Some(1), Some(0.0))]);
    }

    #[test]
    fn what_a_document_denies_is_not_met_and_scores_60_at_most() {
        use Found::{Denied, Scored};
        let all = [
            criterion("A", None, 1.0, &[Scored(94.6), Denied(3.0), Scored(0.0), Denied(20.9)]),
            criterion("B", None, 1.0, &[Scored(60.9), Denied(0.0)]),
            criterion("C", None, 1.0, &[Scored(61.0), Denied(0.0)]),
            criterion("D", None, 1.0, &[Scored(90.0), Denied(21.0)]),
            criterion("E", None, 1.0, &[Denied(5.0)]),
        ];
        let report = set_report(&all, &Rubric::default());
        let by: Vec<(Option<f64>, bool, &[usize])> = report
            .verdicts
            .iter()
            .map(|one| (one.score, one.is_met, one.contradicted_by.as_slice()))
            .collect();
        let expected: [(Option<f64>, bool, &[usize]); 5] = [
            (Some(60.0), false, &[1, 3]),
            (Some(60.9), false, &[]),
            (Some(60.0), false, &[1]),
            (Some(90.0), true, &[]),
            (Some(5.0), false, &[]),
        ];
        assert_eq!(by, expected);
        assert_eq!(report.verdicts[0].document, Some(0), "who states it is still named");
        assert_eq!(report.verdicts[0].caps[0].because, CONTRADICTED_BECAUSE);
        assert_eq!((report.met, report.scored), (1, 5));
    }

    #[test]
    fn what_is_contradicted_is_not_met_where_60_is_a_high_score() {
        use Found::{Denied, Scored};
        let tier = |min, max, label: &str| crate::compliance::Tier {
            min,
            max,
            label: label.to_owned(),
            ..Rubric::default().tiers()[0].clone()
        };
        let rubric = Rubric::new(vec![tier(0, 29, "low"), tier(30, 100, "high")]).unwrap();
        let all = [criterion("A", None, 1.0, &[Scored(90.0), Denied(3.0)])];
        let verdict = set_report(&all, &rubric).verdicts.remove(0);
        assert_eq!((verdict.score, verdict.is_met), (Some(60.0), false));
    }
}
