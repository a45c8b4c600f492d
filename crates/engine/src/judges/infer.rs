//! What people would say of all items, from a few of their labels and the scores of a judge.

use assize_stats::distribution::student::two_sided_quantile;
use assize_stats::interval::prediction_powered::FITTED;
use assize_stats::interval::{PredictionPowered, prediction_powered_mean, t_interval};
use assize_stats::resample::Generator;
use assize_stats::summary::mean;
use serde::Serialize;

use super::items::Items;
use crate::thresholds::{Figure, Relation, Requirement, Rule, is_met};

/// Fewer labels than this do not show how a judge errs.
pub(crate) const LABELS_MIN: usize = 10;
/// Raters who are further apart than this share of what was said contradict each other.
const CONTRADICTION: f64 = 0.5;
/// No more labels than this are proposed.
const LABELS_MAX: usize = 1_000_000;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inference {
    /// How sure intervals are.
    pub level: f64,
    /// The share of items for which this holds, instead of the mean.
    pub share: Option<(Relation, f64)>,
    /// How wide the interval should become.
    pub width: Option<f64>,
    /// How many items to label next are named.
    pub next: usize,
    /// Where chance begins.
    pub seed: u64,
}

/// A mean and where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean, or the share.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inferred {
    /// The judge.
    pub judge: String,
    /// How many items the judge scored.
    pub items: usize,
    /// How many of them are labelled.
    pub labels: usize,
    /// The judge's own mean, which says nothing about how far it is off.
    pub judged: f64,
    /// The mean of the labels alone.
    pub labelled: Option<Estimate>,
    /// The mean that people would give, by the labels and the judge; none with too few labels.
    pub corrected: Option<Estimate>,
    /// How much the judge counts, from 0 to 1.
    pub weight: Option<f64>,
    /// How many labels alone would give an interval as narrow.
    pub worth: Option<usize>,
    /// How many labels there must be for the width that was asked for, those given included.
    pub needed: Option<usize>,
    /// Items to label next, drawn at random.
    pub next: Vec<String>,
    /// What else to know.
    pub notices: Vec<String>,
}

/// Items that are labelled and judged, and those that are only judged.
#[derive(Default)]
struct Parted {
    labels: Vec<f64>,
    judged: Vec<f64>,
    others: Vec<f64>,
    open: Vec<String>,
    unjudged: usize,
}

impl Parted {
    fn new(items: &Items, scores: &[Option<f64>], asked: &Inference) -> Self {
        let counted = |value: f64| match asked.share {
            Some((relation, bound)) => f64::from(u8::from(is_met(value, relation, bound))),
            None => value,
        };
        let mut parted = Self::default();
        for ((id, score), label) in items.ids.iter().zip(scores).zip(items.truth()) {
            match (score, label) {
                (Some(score), Some(label)) => {
                    parted.labels.push(counted(label));
                    parted.judged.push(counted(*score));
                }
                (Some(score), None) => {
                    parted.others.push(counted(*score));
                    parted.open.push(id.clone());
                }
                (None, _) => parted.unjudged += 1,
            }
        }
        parted
    }
}

/// Two systems on the same items as one: how much more the first is given than the second, by the
/// judge and by the raters, item by item.
pub fn difference(one: &Items, other: &Items) -> Result<Items, String> {
    if one.ids != other.ids {
        return Err("the two systems are not judged on the same items".to_owned());
    }
    let minus = |one: &[Option<f64>], other: &[Option<f64>]| {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| Some((*one)? - (*other)?)).collect::<Vec<_>>()
    };
    let ((name, first), (_, second)) =
        one.judges.first().zip(other.judges.first()).ok_or("there is no judge")?;
    let labels = minus(&one.truth(), &other.truth());
    Ok(Items::labelled(one.ids.clone(), (name, minus(first, second)), labels))
}

/// Corrects the mean of the first judge by what the raters say.
pub fn infer(items: &Items, asked: &Inference) -> Result<Inferred, String> {
    let (judge, scores) = items.judges.first().ok_or("there is no judge")?;
    let Parted { labels, judged, others, mut open, unjudged } = Parted::new(items, scores, asked);
    let all: Vec<f64> = judged.iter().chain(&others).copied().collect();
    let own = mean(&all).map_err(|_| format!("{judge} scored no item"))?;
    let mut found = Inferred {
        judge: judge.clone(),
        items: all.len(),
        labels: labels.len(),
        judged: own,
        labelled: None,
        corrected: None,
        weight: None,
        worth: None,
        needed: None,
        next: Vec::new(),
        notices: Vec::new(),
    };
    if unjudged > 0 {
        found.notices.push(format!("items that the judge did not score are left out: {unjudged}"));
    }
    found.notices.extend(contradictions(items));
    if let Ok(interval) = t_interval(&labels, asked.level) {
        let value = mean(&labels).map_err(|error| error.to_string())?;
        found.labelled = Some(Estimate { value, low: interval.low, high: interval.high });
    }
    Generator::new(asked.seed).shuffle(&mut open);
    open.truncate(asked.next);
    found.next = open;
    if labels.len() < LABELS_MIN {
        found.notices.push(format!(
            "{} labels are too few to say how the judge errs; label at least {LABELS_MIN} items, \
             drawn at random",
            labels.len()
        ));
        return Ok(found);
    }
    if others.is_empty() {
        found.notices.push("every item is labelled: the labels alone are the answer".to_owned());
        return Ok(found);
    }
    let powered = prediction_powered_mean(&labels, &judged, &others, asked.level)
        .map_err(|error| error.to_string())?;
    let PredictionPowered { estimate, interval, weight, .. } = powered;
    found.corrected = Some(Estimate { value: estimate, low: interval.low, high: interval.high });
    found.weight = Some(weight);
    found.worth = worth(&labels, interval.width(), asked.level);
    if let Some(width) = asked.width {
        found.needed = needed(&powered, width, asked.level, all.len());
        if found.needed.is_none() {
            found.notices.push(format!(
                "no number of labels gives an interval of width {width} with these items: judge \
                 more items"
            ));
        }
    }
    Ok(found)
}

/// `>= 7`, read as requirements are.
pub fn share_bound(text: &str) -> Result<(Relation, f64), String> {
    match format!("value {text}").parse::<Requirement>() {
        Ok(Requirement { figure: Figure::Mean(_), rule: Rule::Bound(relation, bound) }) => {
            Ok((relation, bound))
        }
        _ => Err(format!("`{text}` is no bound; write one such as \">= 7\"")),
    }
}

/// How many labels alone would give an interval of this width, if they vary as these do.
fn worth(labels: &[f64], width: f64, level: f64) -> Option<usize> {
    let deviation = assize_stats::summary::deviation(labels).ok()?;
    let is_enough = |count: usize| {
        let count = count as f64;
        2.0 * two_sided_quantile(1.0 - level, count - 1.0) * deviation / count.sqrt() <= width
    };
    smallest(2, LABELS_MAX, is_enough)
}

/// How many labels make the interval as narrow as is asked for, among so many items.
fn needed(found: &PredictionPowered, width: f64, level: f64, items: usize) -> Option<usize> {
    let is_enough = |count: usize| {
        let labels = count as f64;
        let error = (found.imputed + found.residual / labels).sqrt();
        2.0 * two_sided_quantile(1.0 - level, labels - FITTED as f64) * error <= width
    };
    smallest(LABELS_MIN, items.min(LABELS_MAX), is_enough)
}

/// The smallest number for which something holds that holds for all larger ones.
fn smallest(from: usize, to: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    if to < from || !holds(to) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// What is said where raters contradict each other about an item.
fn contradictions(items: &Items) -> Option<String> {
    let said = items.raters.iter().flat_map(|(_, ratings)| ratings.iter().flatten());
    let ends = |(low, high): (f64, f64), value: &f64| (low.min(*value), high.max(*value));
    let (low, high) = said.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    let is_contradicted = |index: &usize| {
        let ratings = items.raters.iter().filter_map(|(_, ratings)| ratings[*index].as_ref());
        let (lowest, highest) = ratings.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
        highest - lowest > CONTRADICTION * (high - low)
    };
    let count = (0..items.ids.len()).filter(is_contradicted).count();
    (count > 0).then(|| {
        format!("items whose raters are far apart: {count}; the mean of the raters counts")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Inference = Inference { level: 0.95, share: None, width: None, next: 3, seed: 42 };

    /// A judge that is one too high on each of 40 items, of which the first `labelled` have labels
    /// from 1 to 5.
    fn items(labelled: usize) -> Items {
        let label = |place: usize| (place % 5 + 1) as f64;
        Items {
            ids: (0..40).map(|place| format!("i{place}")).collect(),
            judges: vec![("j".to_owned(), (0..40).map(|place| Some(label(place) + 1.0)).collect())],
            raters: vec![(
                "r".to_owned(),
                (0..40).map(|place| (place < labelled).then(|| label(place))).collect(),
            )],
            ..Items::default()
        }
    }

    #[test]
    fn the_judge_is_corrected_by_how_far_it_is_off() {
        let found = infer(&items(20), &ASKED).unwrap();
        assert_eq!((found.items, found.labels, found.judged), (40, 20, 4.0));
        let corrected = found.corrected.unwrap();
        assert!((corrected.value - 3.0).abs() < 1e-12, "{found:?}");
        let labelled = found.labelled.unwrap();
        assert!(corrected.high - corrected.low < labelled.high - labelled.low, "{found:?}");
        assert!(found.worth.unwrap() > 20, "{found:?}");
        assert_eq!(found.next.len(), 3);
        assert!(found.next.iter().all(|id| id[1..].parse::<usize>().unwrap() >= 20), "{found:?}");
    }

    #[test]
    fn too_few_labels_are_told_and_leave_their_own_mean() {
        let found = infer(&items(5), &ASKED).unwrap();
        assert_eq!((found.labelled.unwrap().value, found.corrected), (3.0, None));
        assert!(found.notices[0].contains("5 labels are too few"), "{found:?}");
    }

    /// Ratings go from 1 to 5. A second rater who is 2 off is not far apart, one who is 3 off is.
    #[test]
    fn raters_that_contradict_each_other_are_counted() {
        let second = |off: f64| {
            let mut items = items(20);
            let mut ratings = vec![None; 40];
            ratings[0] = items.raters[0].1[0].map(|label| label + off);
            items.raters.push(("s".to_owned(), ratings));
            infer(&items, &ASKED).unwrap().notices
        };
        assert_eq!(second(2.0), [""; 0]);
        assert_eq!(
            second(3.0),
            ["items whose raters are far apart: 1; the mean of the raters counts"]
        );
    }

    /// The more labels, the narrower: what is said to be needed is enough, and one less is not.
    #[test]
    fn the_labels_that_are_needed_give_the_width() {
        let width = |width: f64| {
            let asked = Inference { width: Some(width), ..ASKED };
            infer(&items(20), &asked).unwrap()
        };
        let now = width(1.0).corrected.unwrap();
        let now = now.high - now.low;
        assert_eq!(width(now * 1.0001).needed, Some(20));
        assert!(width(now * 0.9).needed.unwrap() > 20);
        let impossible = width(1e-6);
        assert_eq!(impossible.needed, None);
        assert!(impossible.notices.iter().any(|one| one.contains("judge more items")));
    }

    /// The second system is two lower for people and three lower for the judge.
    #[test]
    fn a_difference_is_corrected_like_a_mean() {
        let one = items(20);
        let lower = |values: &[Option<f64>], by: f64| {
            values.iter().map(|value| value.map(|value| value - by)).collect::<Vec<_>>()
        };
        let other = Items {
            judges: vec![("k".to_owned(), lower(&one.judges[0].1, 3.0))],
            raters: vec![("r".to_owned(), lower(&one.raters[0].1, 2.0))],
            ..one.clone()
        };
        let found = infer(&difference(&one, &other).unwrap(), &ASKED).unwrap();
        assert_eq!((found.labels, found.judged), (20, 3.0));
        assert!((found.corrected.unwrap().value - 2.0).abs() < 1e-12, "{found:?}");
        let fewer = Items { ids: vec!["x".to_owned()], ..one.clone() };
        assert!(difference(&one, &fewer).is_err());
    }

    #[test]
    fn a_share_is_a_mean_of_yes_and_no() {
        let asked = Inference { share: Some((Relation::AtLeast, 4.0)), ..ASKED };
        let found = infer(&items(20), &asked).unwrap();
        // Labels of 4 and 5: two of five. The judge says 4 or more of three of five.
        assert_eq!((found.labelled.unwrap().value, found.judged), (0.4, 0.6));
    }
}
