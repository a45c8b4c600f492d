//! One thing against another, cell by cell, shaded by its height: marks, counts, agreement.

use assize_wire::number::fixed;
use maud::{Markup, html};

use crate::bars::heat;

/// One cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// The value; `None` when there is none.
    pub value: Option<f64>,
    /// What tells it from others: `uncounted`, `agreed`; may be empty.
    pub class: &'static str,
    /// A word beneath the number; may be empty.
    pub note: String,
    /// What shows on hovering.
    pub title: String,
}

/// Rows down, columns across, shaded on one scale.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// What stands in the corner.
    pub corner: String,
    /// What stands above the columns.
    pub columns: Vec<Markup>,
    /// The rows with their cells, one for each column.
    pub rows: Vec<(Markup, Vec<Cell>)>,
    /// The value without a shade, and that with the fullest.
    pub scale: (f64, f64),
    /// Decimals of a value. Of counts, which have none, a zero is a dot.
    pub places: usize,
}

/// The table.
pub fn matrix(found: &Matrix) -> Markup {
    html! {
        div class="scroll" tabindex="0" {
            table class={ "heat" @if found.places == 0 { " confusion" } } {
                thead { tr { th { (found.corner) } @for column in &found.columns { th class="n" scope="col" dir="auto" { (column) } } } }
                tbody {
                    @for (name, cells) in &found.rows {
                        tr { th scope="row" dir="auto" { (name) } @for cell in cells { (square(cell, found)) } }
                    }
                }
            }
        }
    }
}

fn square(cell: &Cell, found: &Matrix) -> Markup {
    let title = Some(cell.title.as_str()).filter(|title| !title.is_empty());
    let class = if cell.class.is_empty() { "n".to_owned() } else { format!("n {}", cell.class) };
    let ((low, high), places) = (found.scale, found.places);
    html! {
        @match cell.value {
            Some(value) if value == 0.0 && places == 0 => td class={ (class) " quiet" } title=[title] { "·" },
            Some(value) => td class={ (class) " " (heat((value - low) / (high - low))) } title=[title] {
                (fixed(value, places))
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
        let counted = Cell { value: Some(10.0), ..Cell::default() };
        let own = Cell {
            value: Some(1.0),
            class: "uncounted",
            note: "own".to_owned(),
            ..Cell::default()
        };
        let found = Matrix {
            corner: "reviewer".to_owned(),
            columns: ["a", "b", "c"].map(|name| html! { (name) }).into(),
            rows: vec![(html! { "r" }, vec![counted, own, Cell::default()])],
            scale: (1.0, 10.0),
            places: 2,
        };
        let html = matrix(&found).into_string();
        assert!(html.contains("n h10") && html.contains("uncounted h0"));
        assert_eq!(html.matches("uncounted").count(), 1);
        assert_eq!(html.matches("unscored").count(), 1);
        let counts = Matrix { places: 0, scale: (0.0, 2.0), ..found };
        assert!(matrix(&counts).into_string().contains(">10<"), "no decimals in a count");
    }
}
