//! A report of tables as one page: what it says first, then table after table.

use maud::{Markup, html};

use crate::page;

/// One table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What it shows.
    pub title: String,
    /// Its columns, and whether each holds numbers.
    pub headings: Vec<(String, bool)>,
    /// Its rows, a cell for each column.
    pub rows: Vec<Vec<String>>,
    /// What to know about it.
    pub note: String,
}

/// The whole page; `drawn` stands below the tables.
pub fn render(title: &str, lead: &[String], sheets: &[Sheet], drawn: Option<&Markup>) -> String {
    let class = |is_number: bool| is_number.then_some("n");
    let content = html! {
        h1 { (title) }
        @for line in lead { p { (line) } }
        @for sheet in sheets {
            h2 { (sheet.title) }
            @if !sheet.rows.is_empty() {
                div class="scroll" tabindex="0" { table {
                    thead { tr { @for (name, number) in &sheet.headings { th class=[class(*number)] { (name) } } } }
                    tbody { @for row in &sheet.rows { tr {
                        @for ((_, number), cell) in sheet.headings.iter().zip(row) {
                            td class=[class(*number)] { (cell) }
                        }
                    } } }
                } }
            }
            @if !sheet.note.is_empty() { p class="quiet" { (sheet.note) } }
        }
        @if let Some(drawn) = drawn { (drawn) }
    };
    page(title, &content)
}
