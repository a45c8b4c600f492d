//! What pages ask for: figures, filtered and sorted pages of items, criteria by documents.
//!
//! Everything is sorted, filtered and counted in SQL and comes page by page; nothing here reads
//! a document's text.

mod figures;
mod items;
mod kept;
mod lines;
mod matrix;
mod scored;
mod sets;

pub use figures::MeasureFigure;
pub use items::{ItemQuery, ItemSort};
pub(crate) use kept::Kept;
pub use lines::{LineCounts, LineFilter, LineQuery, LineRow, LineSort, Triage};
pub use matrix::{CriterionRow, MatrixCellRow, Names};
pub use scored::{Cell, Scored};
pub use sets::SetUse;

use crate::record::handle;

handle!(Views, views, "What pages ask a store.");

/// A word as a pattern that finds it anywhere, whatever the case of its letters.
fn anywhere(word: &str) -> String {
    let mut pattern = String::from("%");
    for letter in word.to_lowercase().chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_a_pattern_are_letters_in_a_search() {
        assert_eq!(anywhere("AC_2 100%"), "%ac\\_2 100\\%%");
    }
}
