//! A run in one line a measure: its value, and how sure that value is.

use rayon::prelude::*;

use super::scoreboard::{Aggregate, Column, Scoreboard};
use super::uncertainty::Uncertainty;

/// One measure of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The measure's name.
    pub name: String,
    /// The run's value.
    pub value: f64,
    /// The interval of a mean; counts and geometric means have none.
    pub interval: Option<(f64, f64)>,
    /// Whether the value is a count, shown without decimals.
    pub count: bool,
}

/// The value of each measure with its interval.
pub(crate) fn summarize(board: &Scoreboard, uncertainty: &Uncertainty) -> Vec<Summary> {
    let summary = |(index, column): (usize, &Column)| {
        let values: Vec<f64> = board.column(index).collect();
        let interval = match column.aggregate {
            Aggregate::Mean => uncertainty.of_mean(&values),
            Aggregate::Sum | Aggregate::GeometricMean => None,
        };
        let value = column.aggregate.of(&values);
        Summary { name: column.name.clone(), value, interval, count: column.count }
    };
    let columns = &board.columns;
    // Means alone are quicker than to wake another thread for them.
    if uncertainty.resamples == 0 {
        return columns.iter().enumerate().map(summary).collect();
    }
    columns.par_iter().enumerate().map(summary).collect()
}
