//! Judges against raters for a spreadsheet: every figure in full, an interval as two columns, and
//! both judges of a difference in the name of its row.

use assize_engine::judges::{Bench, Combination, Figure, Judge, Leaning, Pair, Slice, Worst};

use crate::output::report::{Report, Sheet};
use crate::output::table::{Heading, numbers, words};

/// One figure of a row; `None` where there is none.
type Cell = (&'static str, Option<f64>);

/// All figures, with what is missing left out.
pub(super) fn report(found: &Bench) -> Report {
    let judges = |title: &str, cells: fn(&Judge) -> Vec<Cell>| {
        let rows = found.judges.iter().map(|judge| (judge.name.clone(), cells(judge)));
        sheet(title, &rows.collect::<Vec<_>>())
    };
    let pair = |pair: &Pair| (format!("{} minus {}", pair.first, pair.second), of_pair(pair));
    let mixed = |one: &Combination| (one.name.clone(), of_combination(one));
    let far = |one: &Worst| (format!("{}: {}", one.id, one.judge), of_worst(one));
    let sheets = vec![
        judges("Agreement", agreement),
        judges("Distance", distance),
        judges("Yes or no", binary),
        sheet("Agreement by slice", &by_slice(found)),
        sheet("Bias", &leanings(found)),
        judges("Cost and consistency", effort),
        sheet(
            "Differences between judges",
            &found.versus.pairs.iter().map(pair).collect::<Vec<_>>(),
        ),
        sheet("Combinations of judges", &found.combinations.iter().map(mixed).collect::<Vec<_>>()),
        sheet("Largest disagreements", &found.worst.iter().map(far).collect::<Vec<_>>()),
    ];
    Report {
        title: String::new(),
        lead: Vec::new(),
        sheets: sheets.into_iter().flatten().collect(),
        drawn: None,
    }
}

fn agreement(judge: &Judge) -> Vec<Cell> {
    let within = judge.within_groups.unwrap_or_default();
    let mut cells = vec![("n", Some(judge.count as f64))];
    cells.extend(with_ends("rho", &judge.spearman));
    cells.extend([
        ("within", within.value),
        ("tau", judge.kendall.value),
        ("r", judge.pearson.value),
    ]);
    cells
}

fn distance(judge: &Judge) -> Vec<Cell> {
    let scale = judge.scale;
    vec![
        ("error", judge.error),
        ("bias", judge.bias),
        ("same tier", judge.same_tier),
        ("kappa", judge.kappa),
        ("curve", judge.calibrated_error),
        ("values", Some(judge.granularity as f64)),
        ("missing", Some(judge.unscored as f64)),
        ("judge scale low", scale.map(|scale| scale.judge.low)),
        ("judge scale high", scale.map(|scale| scale.judge.high)),
        ("rater scale low", scale.map(|scale| scale.raters.low)),
        ("rater scale high", scale.map(|scale| scale.raters.high)),
    ]
}

fn binary(judge: &Judge) -> Vec<Cell> {
    let named = |name, figure: Option<Figure>| (name, figure.and_then(|figure| figure.value));
    let (auc, balanced) = (judge.auc, judge.balanced_accuracy);
    vec![
        named("AUC", auc),
        ("AUC low", auc.and_then(|figure| figure.low)),
        ("AUC high", auc.and_then(|figure| figure.high)),
        named("balanced", balanced),
        ("balanced low", balanced.and_then(|figure| figure.low)),
        ("balanced high", balanced.and_then(|figure| figure.high)),
    ]
}

fn effort(judge: &Judge) -> Vec<Cell> {
    let steady = judge.steadiness.as_ref();
    vec![
        ("seconds", judge.seconds),
        ("dollars", judge.dollars),
        ("samples", steady.map(|steady| steady.samples as f64)),
        ("spread", steady.map(|steady| steady.spread)),
        ("right", steady.and_then(|steady| steady.right)),
        ("pass^k", steady.and_then(|steady| steady.always_right)),
    ]
}

fn by_slice(found: &Bench) -> Vec<(String, Vec<Cell>)> {
    let row = |judge: &Judge, slice: &Slice| {
        let mut cells = vec![("n", Some(slice.count as f64))];
        cells.extend(with_ends("rho", &slice.spearman));
        cells.extend([("error", slice.error), ("bias", slice.bias)]);
        (format!("{}: {}", slice.name, judge.name), cells)
    };
    let rows = |judge: &'_ Judge| -> Vec<_> {
        judge.slices.iter().map(|slice| row(judge, slice)).collect()
    };
    found.judges.iter().flat_map(rows).collect()
}

fn leanings(found: &Bench) -> Vec<(String, Vec<Cell>)> {
    let row = |judge: &Judge, one: &Leaning| {
        let mut cells = vec![("n", Some(one.count as f64))];
        cells.extend(with_ends("by", &one.by));
        (format!("{}: {}", judge.name, one.with), cells)
    };
    let rows =
        |judge: &'_ Judge| -> Vec<_> { judge.leanings.iter().map(|one| row(judge, one)).collect() };
    found.judges.iter().flat_map(rows).collect()
}

fn of_pair(pair: &Pair) -> Vec<Cell> {
    let mut cells = with_ends("Spearman", &pair.difference).to_vec();
    cells.extend([("p", pair.p), ("corrected", pair.p_corrected)]);
    cells
}

fn of_combination(one: &Combination) -> Vec<Cell> {
    let mut cells = vec![("n", Some(one.count as f64))];
    cells.extend(with_ends("Spearman", &one.spearman));
    cells.extend([
        ("minus best", one.less_best.value),
        ("minus best low", one.less_best.low),
        ("minus best high", one.less_best.high),
    ]);
    cells
}

fn of_worst(one: &Worst) -> Vec<Cell> {
    vec![("judge score", Some(one.said)), ("rater mean", Some(one.raters))]
}

fn with_ends(name: &'static str, figure: &Figure) -> [Cell; 3] {
    [(name, figure.value), ("low", figure.low), ("high", figure.high)]
}

/// A table of the columns in which some row has something; `None` where none has.
fn sheet(title: &str, rows: &[(String, Vec<Cell>)]) -> Option<Sheet> {
    let columns = rows.first()?.1.len();
    let has_some = |column: &usize| rows.iter().any(|(_, cells)| cells[*column].1.is_some());
    let kept: Vec<usize> = (0..columns).filter(has_some).collect();
    let mut headings: Vec<Heading> = vec![words("row")];
    headings.extend(kept.iter().map(|column| numbers(rows[0].1[*column].0)));
    let row = |(name, cells): &(String, Vec<Cell>)| {
        let shown = kept.iter().map(|column| cells[*column].1.map(in_full).unwrap_or_default());
        std::iter::once(name.clone()).chain(shown).collect()
    };
    let rows = rows.iter().map(row).collect();
    let found = Sheet { title: title.to_owned(), headings, rows, note: String::new() };
    (!kept.is_empty()).then_some(found)
}

/// All places that a number has; at least three of a fraction.
fn in_full(value: f64) -> String {
    let text = value.to_string();
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    if places < 3 { format!("{value:.3}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_all_their_places() {
        assert_eq!(in_full(1.0), "1.000");
        assert_eq!(in_full(0.123_456_789_012), "0.123456789012");
    }

    #[test]
    fn columns_without_a_figure_are_left_out() {
        let found = sheet("t", &[("a".to_owned(), vec![("x", Some(0.5)), ("y", None)])]);
        assert_eq!(found.unwrap().rows, [["a", "0.500"]]);
        assert!(sheet("t", &[]).is_none());
    }
}
