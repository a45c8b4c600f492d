//! How far the judges of a panel agree: Krippendorff's alpha for each metric.

use assize_score::rounding::half_up;
use assize_stats::agreement::{Level, krippendorff_alpha};
use serde::Serialize;

use super::vote::{KINDS, Objection, drift};
use crate::summary::asks::Labels;
use crate::summary::labels::{Answer, Coverage, Drift, Support, Tone};
use crate::summary::metrics::FiveMetrics;

/// Below this, Krippendorff advises against even tentative conclusions.
pub(crate) const ALPHA_MIN: f64 = 0.667;

/// How far judges agree on the labels of one metric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// 1 is perfect, 0 is chance; `None` where it cannot be computed: everybody said the same
    /// about everything, or fewer than two judges said anything.
    pub alpha: Option<f64>,
    /// How many things were labelled by two or more.
    pub units: usize,
    /// Whether nobody differed from anybody.
    pub unanimous: bool,
    /// Whether the agreement is too low for the metric to be relied on.
    pub contested: bool,
}

/// One row for each judge, one column for each thing that is labelled.
type Ratings = Vec<Vec<Option<f64>>>;

/// The agreement on each metric. Relevance rests on our own overlaps and on the answers.
pub fn agreement(panel: &[&Labels], objections: &[Objection]) -> FiveMetrics<Agreement> {
    let by_judge = |row: &dyn Fn(usize, &Labels) -> Vec<Option<f64>>| -> Ratings {
        panel.iter().enumerate().map(|(judge, labels)| row(judge, labels)).collect()
    };
    let answers = |list: &[Answer]| list.iter().map(|answer| Some(rank_answer(*answer))).collect();
    FiveMetrics {
        coverage: of(
            &by_judge(&|_, labels| {
                let points = labels.key_points.iter().map(|said| Some(rank_coverage(said.label)));
                let answers: Vec<_> = answers(&labels.article_answers);
                points.chain(answers).collect()
            }),
            Level::Ordinal,
        ),
        alignment: of(
            &by_judge(&|_, labels| {
                KINDS.map(|kind| Some(rank_drift(drift(labels, kind)))).to_vec()
            }),
            Level::Ordinal,
        ),
        hallucination: of(
            &by_judge(&|_, labels| {
                let claims = labels.claims.iter().map(|said| Some(rank_support(said.label)));
                let answers: Vec<_> = answers(&labels.claim_answers);
                claims.chain(answers).collect()
            }),
            Level::Ordinal,
        ),
        relevance: of(&by_judge(&|_, labels| answers(&labels.article_answers)), Level::Ordinal),
        bias_toxicity: of(
            &by_judge(&|judge, labels| {
                let objects =
                    |objection: &Objection| Some(f64::from(u8::from(objection.by[judge])));
                let issues = objections.iter().map(objects);
                std::iter::once(rank_tone(labels.tone)).chain(issues).collect()
            }),
            Level::Nominal,
        ),
    }
}

fn of(ratings: &Ratings, level: Level) -> Agreement {
    let count = ratings.first().map_or(0, Vec::len);
    let unit = |index: usize| ratings.iter().filter_map(move |judge| judge[index]);
    let shared: Vec<usize> = (0..count).filter(|index| unit(*index).count() > 1).collect();
    let is_alike = |index: &usize| {
        let mut all = unit(*index);
        let first = all.next();
        all.all(|other| Some(other) == first)
    };
    let unanimous = !shared.is_empty() && shared.iter().all(is_alike);
    let alpha = krippendorff_alpha(ratings, level).ok().map(|alpha| half_up(alpha, 4));
    let contested = !unanimous && alpha.is_none_or(|alpha| alpha < ALPHA_MIN);
    Agreement { alpha, units: shared.len(), unanimous, contested }
}

// A rating is a place on a scale, worst first.

fn rank_coverage(label: Coverage) -> f64 {
    2.0 * label.worth()
}

fn rank_support(label: Support) -> f64 {
    2.0 - 2.0 * label.unsupported_share()
}

fn rank_answer(label: Answer) -> f64 {
    2.0 * label.worth()
}

fn rank_drift(drift: Option<Drift>) -> f64 {
    match drift {
        Some(Drift::Severe) => 0.0,
        Some(Drift::Mild) => 1.0,
        None => 2.0,
    }
}

/// Names without order; beyond those of an objection. Unclear is an abstention.
fn rank_tone(tone: Tone) -> Option<f64> {
    match tone {
        Tone::Hostile => Some(2.0),
        Tone::Subjective => Some(3.0),
        Tone::Neutral => Some(4.0),
        Tone::Unclear => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two judges, labels (2, 2, 0) and (2, 0, 0), nominal. Coincidences: 2-2 twice, 0-0
    /// twice, 2-0 and 0-2 once each; n = 6 with three of each. Observed disagreement 2/6,
    /// expected 2*3*3/(6*5) = 18/30; alpha = 1 - (2/6)/(18/30) = 4/9.
    #[test]
    fn alpha_is_krippendorffs() {
        let ratings =
            vec![vec![Some(2.0), Some(2.0), Some(0.0)], vec![Some(2.0), Some(0.0), Some(0.0)]];
        let agreement = of(&ratings, Level::Nominal);
        assert_eq!(agreement.alpha, Some(0.4444));
        assert_eq!((agreement.units, agreement.unanimous, agreement.contested), (3, false, true));
    }

    #[test]
    fn judges_who_say_the_same_about_everything_are_unanimous_without_an_alpha() {
        let ratings = vec![vec![Some(2.0), Some(2.0)], vec![Some(2.0), Some(2.0)]];
        let agreement = of(&ratings, Level::Ordinal);
        assert_eq!(agreement.alpha, None);
        assert!(agreement.unanimous && !agreement.contested);
    }

    #[test]
    fn a_judge_alone_agrees_with_nobody() {
        let agreement = of(&vec![vec![Some(2.0)]], Level::Ordinal);
        assert_eq!((agreement.alpha, agreement.units, agreement.contested), (None, 0, true));
    }
}
