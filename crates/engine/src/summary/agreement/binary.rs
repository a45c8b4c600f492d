//! Good or bad: how well scores tell the two apart.
//!
//! A score becomes a decision by a cut: from it on, a summary is taken as good. The cut
//! that suits the data best flatters itself on that data, so unless the caller gives one
//! it is chosen on four fifths of the groups and tried on the fifth, five times.

use assize_stats::classification::{best_threshold, precision_recall, roc_auc};
use assize_wire::summary::agreement::{Binary, Confusion, PrecisionRecall};

use super::correlation::{estimate, lists, resampled};
use super::{Options, Point};

/// How many parts the data is cut into to choose and try a cut.
const FOLDS: usize = 5;

fn confusion(decisions: impl Iterator<Item = (bool, bool)>) -> Confusion {
    let mut confusion = Confusion::default();
    for (taken, good) in decisions {
        match (taken, good) {
            (true, true) => confusion.good_as_good += 1,
            (false, true) => confusion.good_as_bad += 1,
            (false, false) => confusion.bad_as_bad += 1,
            (true, false) => confusion.bad_as_good += 1,
        }
    }
    confusion
}

fn balanced_accuracy(confusion: Confusion) -> Option<f64> {
    let share = |right: usize, wrong: usize| {
        (right + wrong > 0).then(|| right as f64 / (right + wrong) as f64)
    };
    let good = share(confusion.good_as_good, confusion.good_as_bad)?;
    let bad = share(confusion.bad_as_bad, confusion.bad_as_good)?;
    Some(f64::midpoint(good, bad))
}

/// `None` when ratings are not binary, or all the same.
pub(super) fn measure(
    points: &[Point],
    clusters: &[Vec<usize>],
    options: &Options,
) -> Option<Binary> {
    let good = labels(points, options.threshold)?;
    let count = good.iter().filter(|good| **good).count();
    if count == 0 || count == good.len() {
        return None;
    }
    let (scores, _) = lists(points);
    let all: Vec<usize> = (0..points.len()).collect();
    let cut = options.cut.or_else(|| best_cut(&scores, &good, &all))?;
    let taken = match options.cut {
        Some(cut) => scores.iter().map(|score| *score >= cut).collect(),
        None => held_out_decisions(&scores, &good, clusters)
            .unwrap_or_else(|| scores.iter().map(|score| *score >= cut).collect()),
    };
    let pick = |drawn: &[usize]| confusion(drawn.iter().map(|index| (taken[*index], good[*index])));
    let resample = |statistic: &dyn Fn(&[usize]) -> Option<f64>| {
        let found = resampled(points.len(), clusters, &options.uncertainty, statistic);
        estimate(statistic(&all), found.map(|found| found.interval))
    };
    let (curve, average) = precision_recall(&scores, &good).ok()?;
    Some(Binary {
        // Ratings of 0 and 1 alone are good from 1 on.
        threshold: options.threshold.unwrap_or(1.0),
        good: count,
        bad: good.len() - count,
        auc: resample(&|drawn| auc(&scores, &good, drawn)),
        balanced_accuracy: resample(&|drawn| balanced_accuracy(pick(drawn))),
        cut,
        cross_validated: options.cut.is_none(),
        confusion: pick(&all),
        found: PrecisionRecall {
            curve: curve.iter().map(|at| (at.recall, at.precision)).collect(),
            average,
            share: count as f64 / good.len() as f64,
        },
    })
}

/// Who is called good.
fn labels(points: &[Point], threshold: Option<f64>) -> Option<Vec<bool>> {
    let ratings = points.iter().map(|point| point.human);
    match threshold {
        Some(threshold) => Some(ratings.map(|rating| rating >= threshold).collect()),
        None if ratings.clone().all(|rating| rating == 0.0 || rating == 1.0) => {
            Some(ratings.map(|rating| rating == 1.0).collect())
        }
        None => None,
    }
}

/// The area under the curve of the points drawn.
fn auc(scores: &[f64], good: &[bool], drawn: &[usize]) -> Option<f64> {
    let (scores, good) = drawn_lists(scores, good, drawn);
    roc_auc(&scores, &good).ok()
}

/// The cut with the highest balanced accuracy on some points.
fn best_cut(scores: &[f64], good: &[bool], among: &[usize]) -> Option<f64> {
    let (scores, good) = drawn_lists(scores, good, among);
    best_threshold(&scores, &good).ok().map(|best| best.at)
}

fn drawn_lists(scores: &[f64], good: &[bool], drawn: &[usize]) -> (Vec<f64>, Vec<bool>) {
    drawn.iter().map(|index| (scores[*index], good[*index])).unzip()
}

/// Every point decided by a cut that was chosen without its fold.
fn held_out_decisions(scores: &[f64], good: &[bool], clusters: &[Vec<usize>]) -> Option<Vec<bool>> {
    let mut fold: Vec<usize> = (0..scores.len()).map(|index| index % FOLDS).collect();
    for (number, members) in clusters.iter().enumerate() {
        for index in members {
            fold[*index] = number % FOLDS;
        }
    }
    let mut taken = vec![false; scores.len()];
    for held_out in 0..FOLDS {
        let rest: Vec<usize> = (0..scores.len()).filter(|index| fold[*index] != held_out).collect();
        if rest.len() == scores.len() {
            continue;
        }
        let cut = best_cut(scores, good, &rest)?;
        for index in (0..scores.len()).filter(|index| fold[*index] == held_out) {
            taken[index] = scores[index] >= cut;
        }
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five groups of a good and a bad pair; in four of them the good one scores 8 and the
    /// bad one 2. In the last both score 5, and the cut from the others is 8.
    #[test]
    fn a_pair_is_decided_by_a_cut_that_its_own_group_did_not_choose() {
        let scores = [8.0, 2.0, 8.0, 2.0, 8.0, 2.0, 8.0, 2.0, 5.0, 5.0];
        let good: Vec<bool> = (0..10).map(|index| index % 2 == 0).collect();
        let clusters: Vec<Vec<usize>> = (0..5).map(|n| vec![2 * n, 2 * n + 1]).collect();
        let taken = held_out_decisions(&scores, &good, &clusters).unwrap();
        let mut expected = good.clone();
        expected[8] = false;
        assert_eq!(taken, expected);
    }

    #[test]
    fn balanced_accuracy_does_not_reward_calling_everything_good() {
        let all_good = confusion([(true, true), (true, true), (true, false)].into_iter());
        assert_eq!(balanced_accuracy(all_good), Some(0.5));
    }
}
