//! A small data set as a table: changed by hand, and run again as a new version.

use maud::{Markup, html};

use super::parts::{crumbs, head, plain, sentence};

/// What is edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataTable {
    /// The heading.
    pub title: String,
    /// What comes of it, in a sentence.
    pub about: &'static str,
    /// The pages above: name and address.
    pub above: Vec<(String, String)>,
    /// Where it is sent.
    pub action: String,
    /// Field and heading of each column; the first is short.
    pub columns: [(&'static str, &'static str); 3],
    /// The rows, as somebody typed them.
    pub rows: Vec<[String; 3]>,
    /// Which version this began from; may be empty.
    pub etag: String,
    /// What the new run is called; none where nothing is run at once.
    pub name: Option<String>,
    /// What the button says.
    pub button: &'static str,
    /// Why it was not kept.
    pub problem: Option<String>,
}

/// The whole content. A row without any text is left out.
pub fn content(table: &DataTable) -> Markup {
    let above: Vec<(&str, String)> =
        table.above.iter().map(|(name, to)| (name.as_str(), to.clone())).collect();
    html! {
        (crumbs(&above, &table.title))
        (head(&table.title, &html! { (table.about) }, &html! {}))
        form class="stack" method="post" action=(table.action) {
            input type="hidden" name="etag" value=(table.etag);
            @if let Some(problem) = &table.problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            section class="box" {
                header { h2 { (table.rows.len()) " rows" } div class="chips" {
                    button class="button" name="act" value="add" formnovalidate { "+ Add row" }
                    button class="button main" name="act" value="save" { (table.button) }
                } }
                div class="in stack" {
                    @if let Some(name) = &table.name { div class="field" { label for="name" { "Name of the new run" } input id="name" name="name" maxlength="100" value=(plain(name)); } }
                    @for (place, cells) in table.rows.iter().enumerate() { (row(table, place, cells)) }
                    p class="sub" { "To remove a row, empty its fields." }
                }
            }
        }
    }
}

fn row(table: &DataTable, place: usize, cells: &[String; 3]) -> Markup {
    let [(short, heading), long @ ..] = &table.columns;
    html! {
        fieldset class="data-row" {
            legend { "Row " (place + 1) }
            div class="field" { label for={ (short) "-" (place) } { (heading) } input id={ (short) "-" (place) } name=(short) value=(cells[0]) maxlength="200"; }
            @for ((field, heading), text) in long.iter().zip(&cells[1..]) {
                div class="field" { label for={ (field) "-" (place) } { (heading) } textarea id={ (field) "-" (place) } name=(field) rows="3" { (text) } }
            }
        }
    }
}
