//! The checks at the edge that every statistic shares.

use crate::error::StatsError;

/// Refuses fewer than `needed` values, and any that is not finite.
pub(crate) fn values(values: &[f64], needed: usize) -> Result<(), StatsError> {
    count(values.len(), needed)?;
    if values.iter().all(|value| value.is_finite()) { Ok(()) } else { Err(StatsError::NotFinite) }
}

/// Refuses fewer than `needed` of anything.
pub(crate) fn count(found: usize, needed: usize) -> Result<(), StatsError> {
    if found < needed { Err(StatsError::TooFew { needed, found }) } else { Ok(()) }
}

/// Refuses two lists of different length.
pub(crate) fn lengths(left: usize, right: usize) -> Result<(), StatsError> {
    if left == right { Ok(()) } else { Err(StatsError::Unpaired { left, right }) }
}

/// Refuses two lists that differ in length, are too short or hold what is not finite.
pub(crate) fn pair(left: &[f64], right: &[f64], needed: usize) -> Result<(), StatsError> {
    lengths(left.len(), right.len())?;
    values(left, needed)?;
    values(right, needed)
}

/// Refuses a confidence level that is not between 0 and 1.
pub(crate) fn level(level: f64) -> Result<(), StatsError> {
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(StatsError::Invalid("the level must lie between 0 and 1"))
    }
}

/// Refuses a table without rows or columns, with rows of different length, or with a
/// value that is not finite; gives its number of columns.
pub(crate) fn table(rows: &[Vec<f64>], needed: (usize, usize)) -> Result<usize, StatsError> {
    count(rows.len(), needed.0)?;
    let columns = rows.first().map_or(0, Vec::len);
    for row in rows {
        lengths(columns, row.len())?;
        values(row, needed.1)?;
    }
    Ok(columns)
}

/// Passes a result on only if it is a number.
pub(crate) fn finite(value: f64) -> Result<f64, StatsError> {
    if value.is_finite() { Ok(value) } else { Err(StatsError::NotFinite) }
}
