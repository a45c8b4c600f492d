//! A section of the report: a table with a title and a sentence, for terminal and page.

use assize_methods::council::verdict::Range;
use maud::{Markup, html};

#[derive(Debug, Default)]
pub struct Section {
    /// What it asks.
    pub title: &'static str,
    /// What the table says, in a sentence; may be empty.
    pub remark: String,
    /// The headings; the first column holds words, those marked with `~` too.
    pub headings: Vec<&'static str>,
    /// One cell for each heading.
    pub rows: Vec<Vec<String>>,
}

impl Section {
    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.remark.is_empty()
    }

    /// The section of a page.
    pub(super) fn html(&self) -> Markup {
        let is_words =
            |index: usize| self.headings.get(index).is_some_and(|name| name.starts_with('~'));
        let class = |index: usize| match index {
            0 => "",
            index if is_words(index) => "whole",
            _ => "n",
        };
        html! {
            @if !self.is_empty() {
                h3 { (self.title) }
                @if !self.rows.is_empty() {
                    div class="scroll" tabindex="0" { table {
                        thead { tr { @for (index, name) in self.headings.iter().enumerate() { th class=(class(index)) { (name.trim_start_matches('~')) } } } }
                        tbody { @for row in &self.rows { tr { @for (index, text) in row.iter().enumerate() { td class=(class(index)) { (text) } } } } }
                    } }
                }
                @if !self.remark.is_empty() { p class="small" { (self.remark) } }
            }
        }
    }
}

/// A number with three decimals, or a dash.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| minus(&format!("{value:.3}")))
}

/// A share in per cent, or a dash.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.0} %", share * 100.0))
}

/// An interval, or nothing.
pub(super) fn range(range: Option<Range>) -> String {
    range.map_or(String::new(), |range| minus(&format!("{:.2} – {:.2}", range.low, range.high)))
}

/// A real minus, as wide as a digit.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// What an effect amounts to.
pub(super) fn finding(found: Option<bool>, unknown: Option<&str>) -> String {
    match (found, unknown) {
        (_, Some(because)) => because.to_owned(),
        (Some(true), None) => "found".to_owned(),
        (Some(false), None) => "not found".to_owned(),
        (None, None) => "too few to tell".to_owned(),
    }
}
