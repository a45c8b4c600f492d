//! A run in one line a measure: its value, and how sure that value is.

use rayon::prelude::*;

use super::scoreboard::{Aggregate, Scoreboard};
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
pub fn summarize(board: &Scoreboard, uncertainty: &Uncertainty) -> Vec<Summary> {
    let columns = board.columns.par_iter().enumerate().map(|(index, column)| {
        let values: Vec<f64> = board.column(index).collect();
        let interval = match column.aggregate {
            Aggregate::Mean => uncertainty.of_mean(&values),
            Aggregate::Sum | Aggregate::GeometricMean => None,
        };
        let value = column.aggregate.of(&values);
        Summary { name: column.name.clone(), value, interval, count: column.count }
    });
    columns.collect()
}
