//! One line for each set and part.

use std::collections::BTreeMap;

use assize_stats::classification::roc_auc;
use assize_stats::correlation::spearman;

use super::Scored;
use super::set::Rating;

/// A perfect summary with this score or less is called bad.
const BAD: f64 = 3.0;

/// The names of the columns.
pub(crate) const HEAD: &str = "set              part rows  figure                 Twin   Judge  best ROUGE   perfect <= 3: Twin  Judge  (perfect)   relevance";

/// Prints the figures of a set.
pub(crate) fn print(name: &str, part: &str, rows: &[Scored]) {
    let Some(first) = rows.first() else { return };
    let kind = match first.rating {
        Rating::Label(_) => "AUC",
        Rating::Pooled(..) => "Spearman, pooled",
        Rating::Within(..) => "Spearman by document",
    };
    let of = |value: &dyn Fn(&Scored) -> f64| figure(rows, value, &|row| Some(row.rating.value()));
    let best = (0..3).map(|which| of(&move |row| row.rouge[which])).fold(f64::NAN, f64::max);
    let perfect: Vec<&Scored> = rows.iter().filter(|row| row.rating.is_perfect()).collect();
    let bad = |value: &dyn Fn(&Scored) -> f64| {
        let bad = perfect.iter().filter(|row| value(row) <= BAD).count();
        100.0 * bad as f64 / perfect.len().max(1) as f64
    };
    let relevance = figure(rows, &|row| row.relevance, &|row| row.relevance_rating);
    println!(
        "{name:<16} {part:<4} {:>4}  {kind:<20} {:>6.3}  {:>6.3}  {best:>10.3}   {:>17.1} % {:>4.1} %  ({:>3})  {relevance:>10.3}",
        rows.len(),
        of(&|row| row.twin),
        of(&|row| row.judge),
        bad(&|row| row.twin),
        bad(&|row| row.judge),
        perfect.len(),
    );
}

/// How well a value follows what people say; not a number where they say nothing.
fn figure(
    rows: &[Scored],
    value: &dyn Fn(&Scored) -> f64,
    people: &dyn Fn(&Scored) -> Option<f64>,
) -> f64 {
    let rated: Vec<(&Scored, f64)> =
        rows.iter().filter_map(|row| Some((row, people(row)?))).collect();
    let ours: Vec<f64> = rated.iter().map(|(row, _)| value(row)).collect();
    let theirs: Vec<f64> = rated.iter().map(|(_, rating)| *rating).collect();
    match rows.first().map(|row| row.rating) {
        Some(Rating::Label(_)) => {
            let good: Vec<bool> = theirs.iter().map(|rating| *rating >= 1.0).collect();
            roc_auc(&ours, &good).unwrap_or(f64::NAN)
        }
        Some(Rating::Pooled(..)) => spearman(&ours, &theirs).unwrap_or(f64::NAN),
        _ => {
            let mut documents: BTreeMap<&str, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
            for ((row, rating), score) in rated.iter().zip(&ours) {
                let (ours, theirs) = documents.entry(&row.document).or_default();
                ours.push(*score);
                theirs.push(*rating);
            }
            let varies =
                |values: &[f64]| values.iter().any(|value| (value - values[0]).abs() > 0.0);
            let found: Vec<f64> = documents
                .values()
                .filter(|(_, theirs)| theirs.len() > 2 && varies(theirs))
                .map(|(ours, theirs)| spearman(ours, theirs).unwrap_or(0.0))
                .collect();
            found.iter().sum::<f64>() / found.len() as f64
        }
    }
}
