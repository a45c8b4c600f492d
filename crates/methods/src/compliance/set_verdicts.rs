//! What holds for a set of documents: one verdict for each criterion, and what they come to.
//!
//! A requirement that one document of a set meets is met by the set: the best document decides.
//! What does not apply and what has no score is in no mean.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tiers::{Rubric, Status};

/// What came of one document under a criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Found {
    /// A score.
    Scored(f64),
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
    /// The best score.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// The place of the document that decides, from 0.
    pub document: Option<usize>,
}

/// Criteria of one group taken together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CategoryVerdict {
    /// The group.
    pub category: String,
    /// The weighted mean of its verdicts; none if none has a score.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// Criteria in it.
    pub criteria: usize,
    /// Those with a score.
    pub scored: usize,
}

/// All verdicts for a set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetReport {
    /// One for each criterion, in the order of the set.
    pub verdicts: Vec<SetVerdict>,
    /// The weighted mean of those with a score.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// By group, in the order of their names; empty where no criterion names one.
    pub categories: Vec<CategoryVerdict>,
    /// Verdicts with a score.
    pub scored: usize,
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
            status: score.map(|score| rubric.status(score)),
            score,
            criteria: own.len(),
            scored: own.iter().filter(|one| one.score.is_some()).count(),
        }
    });
    let score = weighted_mean(verdicts.iter().filter_map(|one| Some((one.score?, one.weight))));
    let mut tiers = vec![0; rubric.tiers().len()];
    for score in verdicts.iter().filter_map(|one| one.score) {
        tiers[rubric.tier(score) - 1] += 1;
    }
    SetReport {
        score,
        status: score.map(|score| rubric.status(score)),
        categories: categories.collect(),
        scored: tiers.iter().sum(),
        tiers,
        verdicts,
    }
}

/// The mean of values by their weights; none without any weight.
pub fn weighted_mean(values: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let (sum, weights) = values.into_iter().fold((0.0, 0.0), |(sum, weights), (value, weight)| {
        (sum + value * weight, weights + weight)
    });
    (weights > 0.0).then(|| sum / weights)
}

fn verdict(one: &Documents<'_>, rubric: &Rubric) -> SetVerdict {
    let mut best: Option<(usize, f64)> = None;
    for (place, found) in one.found.iter().enumerate() {
        if let Found::Scored(score) = found
            && best.is_none_or(|(_, known)| *score > known)
        {
            best = Some((place, *score));
        }
    }
    let any = |wanted: Found| one.found.contains(&wanted);
    let outcome = if best.is_some() {
        SetOutcome::Scored
    } else if any(Found::NeedsInformation) {
        SetOutcome::NeedsInformation
    } else if any(Found::Failed) {
        SetOutcome::Failed
    } else if any(Found::Pending) || one.found.is_empty() {
        SetOutcome::Pending
    } else {
        SetOutcome::NotApplicable
    };
    SetVerdict {
        criteria_id: one.criteria_id.to_owned(),
        category: one.category.map(ToOwned::to_owned),
        weight: one.weight,
        outcome,
        score: best.map(|(_, score)| score),
        status: best.map(|(_, score)| rubric.status(score)),
        document: best.map(|(place, _)| place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
