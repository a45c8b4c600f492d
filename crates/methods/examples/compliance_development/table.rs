//! One line for each judge and set: error, rank correlation, and what is called met.

use assize_methods::compliance::read::Stated;
use assize_stats::correlation::spearman;

use super::set::Expected;
use super::{Pair, baseline};

/// From here on a criterion counts as met, from there on people say that it is, and up to here that it
/// is absent or denied.
const MET: f64 = 61.0;
const SURELY_MET: f64 = 81.0;
const ABSENT: f64 = 20.0;

/// The names of the columns.
pub(crate) const HEAD: &str = "                                pairs undecided    MAE  Spearman  absent called met        met called met  of those decided";

/// Prints the judge, word overlap and the best constant for a set.
pub(crate) fn print(name: &str, pairs: &[Pair]) {
    let scored: Vec<(&Pair, f64)> = pairs
        .iter()
        .filter_map(|pair| match pair.expected {
            Expected::Score(score) => Some((pair, score)),
            Expected::NotApplicable => None,
        })
        .collect();
    let expected: Vec<f64> = scored.iter().map(|(_, expected)| *expected).collect();
    // A pair that is wrongly called not applicable counts as a score of 0.
    let judged: Vec<Option<f64>> = scored
        .iter()
        .map(|(pair, _)| match pair.stated {
            Stated::Score { given } => Some(given),
            Stated::NotApplicable => Some(0.0),
            Stated::NeedsInformation => None,
        })
        .collect();
    let overlap: Vec<Option<f64>> = scored.iter().map(|(pair, _)| Some(pair.overlap)).collect();
    let decided = |found: &[Option<f64>]| -> Vec<Option<f64>> {
        found.iter().zip(&judged).map(|(found, judged)| judged.and(*found)).collect()
    };
    let constant = vec![Some(baseline::median(&expected)); expected.len()];
    println!("{}", line(name, "judge", &judged, &expected));
    println!("{}", line("", "word overlap", &overlap, &expected));
    if judged.contains(&None) {
        println!("{}", line("", "overlap, decided", &decided(&overlap), &expected));
    }
    println!("{}", line("", "best constant", &constant, &expected));
    let apart = pairs.iter().filter(|pair| pair.expected == Expected::NotApplicable);
    let right = apart.clone().filter(|pair| pair.stated == Stated::NotApplicable).count();
    let wrong = scored.iter().filter(|(pair, _)| pair.stated == Stated::NotApplicable).count();
    println!("{:<14} not applicable: {right} of {} found, {wrong} wrongly", "", apart.count());
}

fn line(name: &str, judge: &str, found: &[Option<f64>], expected: &[f64]) -> String {
    let both: Vec<(f64, f64)> = found
        .iter()
        .zip(expected)
        .filter_map(|(found, expected)| Some(((*found)?, *expected)))
        .collect();
    let error = both.iter().map(|(found, expected)| (found - expected).abs()).sum::<f64>();
    let error = error / both.len().max(1) as f64;
    let (ours, theirs): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    let rank = spearman(&ours, &theirs).map_or("–".to_owned(), |rank| format!("{rank:.3}"));
    let called = |is_inside: &dyn Fn(f64) -> bool| {
        let inside: Vec<Option<f64>> = found
            .iter()
            .zip(expected)
            .filter(|(_, expected)| is_inside(**expected))
            .map(|(found, _)| *found)
            .collect();
        let met = inside.iter().filter(|found| found.is_some_and(|found| found >= MET)).count();
        let share =
            |all: usize| format!("{:.1} % of {all}", 100.0 * met as f64 / all.max(1) as f64);
        [share(inside.len()), share(inside.iter().flatten().count())]
    };
    let [absent, _] = called(&|expected| expected <= ABSENT);
    let [surely, decided] = called(&|expected| expected >= SURELY_MET);
    let undecided = found.iter().filter(|found| found.is_none()).count();
    let undecided = 100.0 * undecided as f64 / found.len().max(1) as f64;
    format!(
        "{name:<14} {judge:<16} {:>5} {undecided:>7.1} % {error:>6.1} {rank:>9}  {absent:>17} {surely:>21} {decided:>17}",
        found.len(),
    )
}
