//! Retrieval runs: one scored, several compared.

pub mod comparison;
pub mod score;

pub use comparison::{Comparison, Interval, Mark, Moved, PValues, Pair, Run, Table, TableRow};
pub use score::{FlatScore, Group, JudgedShare, Measure, Measures, QueryValues, Score};
