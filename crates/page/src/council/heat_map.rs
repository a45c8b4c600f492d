//! Every reviewer's score of every answer, shaded by its height.

use maud::{Markup, html};

use crate::bars::heat;

/// One reviewer's score of one answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// The score; `None` when there is none.
    pub value: Option<f64>,
    /// Whether it counts; a reviewer's view of its own answer may not.
    pub is_counted: bool,
    /// A word beneath the number; may be empty.
    pub note: String,
    /// What shows on hovering.
    pub title: String,
}

/// Reviewers down, answers across.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HeatMap {
    /// What stands in the corner.
    pub corner: String,
    /// The answers.
    pub columns: Vec<String>,
    /// The reviewers with their cells, one for each column.
    pub rows: Vec<(String, Vec<Cell>)>,
}

/// The table, shaded on a scale from `low` to `high`.
pub(crate) fn heat_map(map: &HeatMap, low: f64, high: f64) -> Markup {
    html! {
        div class="scroll" tabindex="0" {
            table class="heat" {
                thead { tr { th { (map.corner) } @for column in &map.columns { th class="n" scope="col" dir="auto" { (column) } } } }
                tbody {
                    @for (name, cells) in &map.rows {
                        tr { th scope="row" dir="auto" { (name) } @for cell in cells { (square(cell, low, high)) } }
                    }
                }
            }
        }
    }
}

fn square(cell: &Cell, low: f64, high: f64) -> Markup {
    let title = Some(cell.title.as_str()).filter(|title| !title.is_empty());
    let class = if cell.is_counted { "n" } else { "n uncounted" };
    html! {
        @match cell.value {
            Some(value) => td class={ (class) " " (heat((value - low) / (high - low))) } title=[title] {
                (format!("{value:.2}"))
                @if !cell.note.is_empty() { span class="cell-note" { (cell.note) } }
            },
            None => td class="n unscored" title=[title] { "–" @if !cell.note.is_empty() { span class="cell-note" { (cell.note) } } },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_shaded_by_its_height_and_what_does_not_count_is_marked() {
        let counted = Cell { value: Some(10.0), is_counted: true, ..Cell::default() };
        let own = Cell { value: Some(1.0), note: "own".to_owned(), ..Cell::default() };
        let map = HeatMap {
            corner: "reviewer".to_owned(),
            columns: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()],
            rows: vec![("r".to_owned(), vec![counted, own, Cell::default()])],
        };
        let html = heat_map(&map, 1.0, 10.0).into_string();
        assert!(html.contains("n h10") && html.contains("uncounted h0"));
        assert_eq!(html.matches("uncounted").count(), 1);
        assert_eq!(html.matches("unscored").count(), 1);
    }
}
