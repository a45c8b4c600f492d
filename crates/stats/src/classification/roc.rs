//! How well a score ranks what is true above what is not.

use crate::{check, error::StatsError, rank::average_ranks, sum::sum};

/// A limit and how well it separates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// A score at least this high counts as positive.
    pub at: f64,
    /// The mean of the shares of positives and of negatives told right.
    pub balanced_accuracy: f64,
}

/// The probability that a positive item scores above a negative one; a tie is a half.
///
/// Equals the area under the ROC curve.
///
/// Reference: Hanley & `McNeil` (1982), Radiology 143(1).
///
/// ```
/// use assize_stats::classification::roc_auc;
/// // Four pairs: two won, one tied, one lost.
/// let area = roc_auc(&[0.9, 0.4, 0.4, 0.6], &[true, true, false, false])?;
/// assert_eq!(area, 0.625);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn roc_auc(scores: &[f64], positive: &[bool]) -> Result<f64, StatsError> {
    let (positives, negatives) = both_classes(scores, positive)?;
    let ranks = average_ranks(scores);
    let won = sum(ranks.iter().zip(positive).filter(|(_, yes)| **yes).map(|(rank, _)| *rank));
    Ok((won - positives * (positives + 1.0) / 2.0) / (positives * negatives))
}

/// The limit with the best balanced accuracy; of equals, the highest.
///
/// Only the scores themselves are tried. Chosen and judged on the same items it flatters:
/// choose on some, judge on others.
///
/// Reference: Youden (1950), Cancer 3(1).
///
/// ```
/// use assize_stats::classification::best_threshold;
/// let best = best_threshold(&[0.9, 0.7, 0.6, 0.2], &[true, true, false, false])?;
/// assert_eq!((best.at, best.balanced_accuracy), (0.7, 1.0));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn best_threshold(scores: &[f64], positive: &[bool]) -> Result<Threshold, StatsError> {
    let (positives, negatives) = both_classes(scores, positive)?;
    let mut best = Threshold { at: f64::NAN, balanced_accuracy: f64::NEG_INFINITY };
    for (at, hits, alarms) in limits(scores, positive) {
        let accuracy = f64::midpoint(hits / positives, 1.0 - alarms / negatives);
        if accuracy > best.balanced_accuracy {
            best = Threshold { at, balanced_accuracy: accuracy };
        }
    }
    Ok(best)
}

/// Where a limit finds so many of the positives, and how many of what it finds are positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecallPoint {
    /// The limit: a score at least this high counts as positive.
    pub at: f64,
    /// The share of the positives that it finds.
    pub recall: f64,
    /// The share of what it finds that is positive.
    pub precision: f64,
}

/// Precision and recall at every limit from the highest score down, and the average precision: that
/// at each limit, weighted with the recall it adds.
///
/// Reference: Buckley & Voorhees (2000), SIGIR; the example is that of scikit-learn's
/// `average_precision_score`.
///
/// ```
/// use assize_stats::classification::precision_recall;
/// let scores = [0.1, 0.4, 0.35, 0.8];
/// let (curve, average) = precision_recall(&scores, &[false, false, true, true])?;
/// assert_eq!((curve[0].recall, curve[0].precision), (0.5, 1.0));
/// assert!((average - 5.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn precision_recall(
    scores: &[f64],
    positive: &[bool],
) -> Result<(Vec<RecallPoint>, f64), StatsError> {
    let (positives, _) = both_classes(scores, positive)?;
    let (mut curve, mut average, mut before) = (Vec::new(), 0.0, 0.0);
    for (at, hits, alarms) in limits(scores, positive) {
        let (recall, precision) = (hits / positives, hits / (hits + alarms));
        average += (recall - before) * precision;
        before = recall;
        curve.push(RecallPoint { at, recall, precision });
    }
    Ok((curve, average))
}

/// Every limit from the highest score down, with the positives and negatives that reach it.
fn limits(scores: &[f64], positive: &[bool]) -> Vec<(f64, f64, f64)> {
    let mut items: Vec<(f64, bool)> =
        scores.iter().copied().zip(positive.iter().copied()).collect();
    items.sort_by(|left, right| right.0.total_cmp(&left.0));
    let (mut hits, mut alarms) = (0.0, 0.0);
    let group = |group: &[(f64, bool)]| {
        let yes = group.iter().filter(|(_, yes)| *yes).count();
        hits += yes as f64;
        alarms += (group.len() - yes) as f64;
        (group[0].0, hits, alarms)
    };
    items.chunk_by(|left, right| left.0 == right.0).map(group).collect()
}

/// How many positives and negatives there are; both are needed.
fn both_classes(scores: &[f64], positive: &[bool]) -> Result<(f64, f64), StatsError> {
    check::lengths(scores.len(), positive.len())?;
    check::values(scores, 2)?;
    let positives = positive.iter().filter(|yes| **yes).count();
    if positives == 0 || positives == positive.len() {
        return Err(StatsError::Constant);
    }
    Ok((positives as f64, (positive.len() - positives) as f64))
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_class_alone_cannot_be_told_apart() {
        assert_eq!(roc_auc(&[1.0, 2.0], &[true, true]), Err(StatsError::Constant));
        assert_eq!(best_threshold(&[1.0, 2.0], &[false, false]), Err(StatsError::Constant));
        assert!(precision_recall(&[1.0, 2.0], &[true, true]).is_err());
        assert!(roc_auc(&[], &[]).is_err());
    }

    #[test]
    fn equal_scores_are_a_coin_toss() {
        assert_eq!(roc_auc(&[0.5; 4], &[true, false, true, false]), Ok(0.5));
        let best = best_threshold(&[0.5; 4], &[true, false, true, false]).unwrap();
        assert_eq!((best.at, best.balanced_accuracy), (0.5, 0.5));
        let (curve, average) = precision_recall(&[0.5; 4], &[true, false, false, false]).unwrap();
        assert_eq!((curve.len(), average), (1, 0.25));
    }

    proptest! {
        #[test]
        fn the_area_is_the_share_of_pairs_won(
            items in prop::collection::vec((0..6_u8, any::<bool>()), 2..30),
        ) {
            let scores: Vec<f64> = items.iter().map(|item| f64::from(item.0)).collect();
            let positive: Vec<bool> = items.iter().map(|item| item.1).collect();
            if let Ok(area) = roc_auc(&scores, &positive) {
                let (mut won, mut all) = (0.0, 0.0);
                for (high, _) in items.iter().filter(|item| item.1) {
                    for (low, _) in items.iter().filter(|item| !item.1) {
                        all += 1.0;
                        won += match high.cmp(low) {
                            Ordering::Greater => 1.0,
                            Ordering::Equal => 0.5,
                            Ordering::Less => 0.0,
                        };
                    }
                }
                prop_assert!((area - won / all).abs() < 1e-12);
                let turned: Vec<f64> = scores.iter().map(|score| -score).collect();
                prop_assert!((roc_auc(&turned, &positive).unwrap() + area - 1.0).abs() < 1e-12);
                prop_assert!(best_threshold(&scores, &positive).unwrap().balanced_accuracy >= 0.5);
            }
        }
    }
}
