//! The accuracy of a run as rows and sentences: every door prints these and adds none.
//!
//! Nothing is measured here. Which figures are named, in what order, with how many places, is said
//! once, so that a page and the command line cannot differ.

use std::fmt::Write as _;

use assize_methods::compliance::accuracy::{AccuracyReport, Disagreement, Estimate, Slice};
use assize_methods::compliance::analysts::{AnalystAgreement, Basis};
use assize_score::float::descending;

use crate::number::{counted, fixed, signed};

/// Documents and criteria that are listed, the least accurate first; the rest is in the JSON.
const SLICES_MAX: usize = 10;

/// A figure beside what analysts reach among themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccuracyFigure {
    /// What it is.
    pub name: String,
    /// What the judge reaches.
    pub judge: String,
    /// The interval of that; empty without one.
    pub interval: String,
    /// What analysts reach among themselves.
    pub analysts: String,
}

/// Accuracy by document, or by criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccuracyBy {
    /// What a row is about.
    pub noun: &'static str,
    /// Name, accuracy, bias, scored, unscored.
    pub rows: Vec<(String, [String; 4])>,
    /// How many more there are, if not all are listed.
    pub rest: Option<String>,
}

/// The headings of the numbers of [`AccuracyBy`].
pub const BY_HEADINGS: [&str; 4] = ["accuracy", "bias", "scored", "unscored"];

/// What the figures rest on.
pub fn lead(report: &AccuracyReport) -> String {
    format!(
        "{}; {} not included.",
        counted(report.scored, "truth key has a score", "truth keys have a score"),
        counted(report.unscored, "has none and is", "have none and are")
    )
}

/// How fine the scores are.
pub fn granularity(report: &AccuracyReport) -> String {
    let found = &report.granularity;
    let mut text = counted(found.distinct, "distinct score", "distinct scores");
    let _ = write!(text, " among {}", found.count);
    if let Some(share) = found.coarse_share {
        // A fraction of a per cent of a few scores says nothing.
        let _ = write!(text, ", {:.0} % exactly 0, 50 or 100", share * 100.0);
    }
    text.push('.');
    text
}

/// Every figure with its interval, beside what analysts reach among themselves.
pub fn figures(report: &AccuracyReport) -> Vec<AccuracyFigure> {
    let people =
        |value: fn(&AnalystAgreement) -> Option<f64>| report.ceiling.as_ref().and_then(value);
    let estimated = |name: &str, estimate: Option<Estimate>, places: usize, people: Option<f64>| {
        let one = estimate?;
        let interval = one.low.zip(one.high);
        let interval = interval
            .map(|(low, high)| format!("[{}, {}]", fixed(low, places), fixed(high, places)));
        Some(AccuracyFigure {
            name: name.to_owned(),
            judge: fixed(one.mean, places),
            interval: interval.unwrap_or_default(),
            analysts: or_dash(people),
        })
    };
    let plain = |name: &str, judge: Option<f64>, people: Option<f64>| {
        judge.or(people)?;
        Some(AccuracyFigure {
            name: name.to_owned(),
            judge: or_dash(judge),
            interval: String::new(),
            analysts: or_dash(people),
        })
    };
    let error = report.calibration.as_ref().map(|one| one.expected_error);
    let mut rows = vec![
        estimated("accuracy", report.overall, 3, people(|one| Some(one.accuracy))),
        estimated("same tier", report.tier_match, 3, people(|one| Some(one.same_tier))),
        estimated("distance, points", report.score_diff, 1, None),
        estimated("bias, points", report.bias, 1, None),
        estimated("mean of all pairs, as analysts would score", report.corrected, 1, None),
    ];
    let sections = report.sections.iter();
    rows.extend(sections.map(|(id, one)| estimated(&format!("section {id}"), Some(*one), 3, None)));
    rows.push(plain("kappa, quadratic", report.kappa, people(|one| one.kappa)));
    rows.push(plain("ICC(2,1)", None, people(|one| one.icc)));
    rows.push(plain("calibration error", error, None));
    rows.into_iter().flatten().collect()
}

/// What the keys rest on, and what waits to be settled; nothing unless several analysts judged the
/// same.
pub fn basis(report: &AccuracyReport) -> Vec<String> {
    let Some(ceiling) = &report.ceiling else { return Vec::new() };
    let Basis { adjudicated, single, averaged, disputed } = report.basis;
    let mut lines = vec![format!(
        "{} analysts judged {} of the same pairs; keys: {adjudicated} adjudicated, {single} by one \
         analyst, {averaged} averaged. What analysts reach among themselves is the most that can \
         be asked of a judge.",
        ceiling.analysts.len(),
        ceiling.pairs
    )];
    if disputed > 0 {
        let of_them = counted(disputed, "average spans", "averages span");
        lines.push(format!("{of_them} different tiers and should be settled."));
    }
    lines
}

/// Criterion, document, score, expected score and their difference, the largest first.
pub fn differences(report: &AccuracyReport) -> Vec<(&Disagreement, [String; 3])> {
    let row = |one: &Disagreement| {
        let Disagreement { score, expected_score, .. } = *one;
        [fixed(score, 1), fixed(expected_score, 1), signed(score - expected_score, 1)]
    };
    report.worst.iter().map(|one| (one, row(one))).collect()
}

/// The same figures by document and by criterion, where there is more than one.
pub fn by(report: &AccuracyReport) -> Vec<AccuracyBy> {
    let all = [("document", &report.by_document), ("criterion", &report.by_criterion)];
    let several = all.into_iter().filter(|(_, slices)| slices.len() > 1);
    several.map(|(noun, slices)| by_noun(noun, slices)).collect()
}

fn by_noun(noun: &'static str, slices: &[Slice]) -> AccuracyBy {
    let mut slices: Vec<&Slice> = slices.iter().collect();
    let accuracy = |slice: &Slice| slice.overall.unwrap_or(f64::INFINITY);
    slices.sort_by(|left, right| {
        descending(accuracy(right), accuracy(left)).then_with(|| left.name.cmp(&right.name))
    });
    let row = |slice: &&Slice| {
        let numbers = [
            or_dash(slice.overall),
            slice.bias.map_or_else(dash, |bias| signed(bias, 1)),
            slice.scored.to_string(),
            slice.unscored.to_string(),
        ];
        (slice.name.clone(), numbers)
    };
    let more = slices.len().saturating_sub(SLICES_MAX);
    AccuracyBy {
        noun,
        rows: slices.iter().take(SLICES_MAX).map(row).collect(),
        rest: (more > 0).then(|| format!("{more} more with smaller differences are in the JSON.")),
    }
}

fn or_dash(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| fixed(value, 3))
}

fn dash() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use assize_methods::compliance::accuracy::AccuracyReport;
    use serde_json::json;

    use super::*;

    fn report(more: &serde_json::Value) -> AccuracyReport {
        let mut all = json!({
            "scored": 3, "unscored": 1,
            "overall": {"mean": 0.85, "low": 0.8, "high": 0.9, "count": 3},
            "score_diff": {"mean": 15.0, "low": null, "high": null, "count": 3},
            "bias": {"mean": -2.5, "low": -5.0, "high": 0.0, "count": 3},
            "tier_match": null, "kappa": null, "tiers": ["No", "Yes"],
            "confusion": [[1, 0], [1, 1]], "sections": {}, "calibration": null,
            "granularity": {"count": 3, "distinct": 1, "coarse_share": 1.0 / 6.0},
            "by_criterion": [], "by_document": [], "worst": [],
        });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn numbers_have_a_real_minus_and_shares_no_noise() {
        let report = report(&json!({}));
        let rows = figures(&report);
        let shown: Vec<[&str; 3]> =
            rows.iter().map(|row| [&*row.name, &*row.judge, &*row.interval]).collect();
        let expected = [
            ["accuracy", "0.850", "[0.800, 0.900]"],
            ["distance, points", "15.0", ""],
            ["bias, points", "−2.5", "[−5.0, 0.0]"],
        ];
        assert_eq!(shown, expected);
        assert_eq!(granularity(&report), "1 distinct score among 3, 17 % exactly 0, 50 or 100.");
        assert_eq!(lead(&report), "3 truth keys have a score; 1 has none and is not included.");
    }

    #[test]
    fn the_least_accurate_come_first_and_the_rest_is_counted() {
        let slice = |place: u32| {
            json!({"name": format!("d{place:02}"), "scored": 1, "unscored": 0,
                "overall": f64::from(place) / 100.0, "bias": -1.0})
        };
        let slices: Vec<_> = (0..12).rev().map(slice).collect();
        let without =
            json!({"name": "none", "scored": 0, "unscored": 2, "overall": null, "bias": null});
        let report = report(&json!({
            "by_document": [slices[0], without],
            "by_criterion": slices,
        }));
        let [documents, criteria] = by(&report).try_into().unwrap();
        assert_eq!(documents.rows[1], ("none".into(), ["–", "–", "0", "2"].map(Into::into)));
        assert_eq!((documents.noun, documents.rest), ("document", None));
        let first: Vec<&str> = criteria.rows.iter().map(|(name, _)| name.as_str()).collect();
        let expected = ["d00", "d01", "d02", "d03", "d04", "d05", "d06", "d07", "d08", "d09"];
        assert_eq!(first, expected);
        let rest = criteria.rest.unwrap();
        assert_eq!(rest, "2 more with smaller differences are in the JSON.");
    }
}
