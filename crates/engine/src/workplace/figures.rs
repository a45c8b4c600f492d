//! Means with their intervals, from sums that the database made.

use assize_stats::distribution::student::two_sided_quantile;
use assize_store::AnyRun;
use assize_store::views::MeasureFigure;
use assize_wire::workplace::Figure;

/// How sure an interval is.
const LEVEL: f64 = 0.95;

/// The measure that a list shows of a run: the first of these that it has, or else its first.
const MAIN: [&str; 5] = ["score", "ndcg@10", "f1", "hallucination", "coverage"];

/// A mean with its interval by Student's t: from sums alone, so that a hundred thousand items
/// need not be fetched to show one number.
pub fn figure(name: &str, count: u64, mean: Option<f64>, squares: Option<f64>, of: u64) -> Figure {
    let interval = mean.zip(squares).filter(|_| count > 1).map(|(mean, squares)| {
        let n = count as f64;
        let variance = ((squares - mean * mean) * n / (n - 1.0)).max(0.0);
        let half = two_sided_quantile(1.0 - LEVEL, n - 1.0) * (variance / n).sqrt();
        (mean - half, mean + half)
    });
    Figure {
        name: name.to_owned(),
        value: mean,
        interval,
        scored: count,
        unscored: of.saturating_sub(count),
    }
}

/// The figures of a run from its measures.
pub fn figures(run: &AnyRun, measures: &[MeasureFigure]) -> Vec<Figure> {
    let done = u64::try_from(run.items_done).unwrap_or_default();
    let one = |measure: &MeasureFigure| {
        figure(&measure.measure, measure.count, measure.mean, measure.squares, done)
    };
    measures.iter().map(one).collect()
}

/// The place of the measure that stands for a run.
pub fn main_measure(names: &[String]) -> Option<usize> {
    let known = MAIN.iter().find_map(|main| names.iter().position(|name| name == main));
    known.or((!names.is_empty()).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_student() {
        // 1, 2, 3, 4, 5: mean 3, deviation 1.5811; t(0.975, 4) = 2.7764; half 1.9632.
        let found = figure("score", 5, Some(3.0), Some(11.0), 6);
        let (low, high) = found.interval.unwrap();
        assert!((low - 1.036_8).abs() < 1e-3 && (high - 4.963_2).abs() < 1e-3, "{low} {high}");
        assert_eq!((found.scored, found.unscored), (5, 1));
        assert_eq!(figure("score", 1, Some(3.0), Some(9.0), 1).interval, None);
        assert_eq!(figure("score", 0, None, None, 2).value, None);
    }

    #[test]
    fn a_list_shows_the_measure_that_people_know() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(main_measure(&names(&["coverage", "hallucination"])), Some(1));
        assert_eq!(main_measure(&names(&["a", "b"])), Some(0));
        assert_eq!(main_measure(&[]), None);
    }
}
