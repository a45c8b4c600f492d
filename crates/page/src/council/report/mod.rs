//! How far councils can be trusted: sections for page and terminal, and the page.

mod bias;
mod section;
mod trust;

use assize_wire::council::{Report, Understood};
use assize_wire::number::counted;
use maud::html;

pub use section::Section;

use super::verdict;
use crate::page;

/// Every section, in the order in which it is read.
pub fn sections(report: &Report) -> Vec<Section> {
    let found = &report.report;
    vec![
        trust::agreement(found),
        trust::stability(found),
        trust::sensitivity(found, &report.verdicts),
        bias::length(found),
        bias::effects(found),
        bias::harshness(found),
        bias::reviewing(found),
        readers(report),
    ]
}

/// The seed's third success metric: whether users understand why answers rank as they do.
fn readers(report: &Report) -> Section {
    Section {
        title: "Did readers understand the ranking?",
        remark: report.readers.as_ref().map(Understood::sentence).unwrap_or_default(),
        ..Section::default()
    }
}

/// What the report is about, in numbers.
pub fn count(report: &Report) -> String {
    let found = &report.report;
    format!(
        "{}, {}, {}",
        counted(found.questions, "question", "questions"),
        counted(found.answers, "answer", "answers"),
        counted(found.reviews, "review", "reviews")
    )
}

/// The page: with the verdict, where there is only one.
pub fn render(report: &Report) -> String {
    let sections = html! {
        h2 { "How reliable is the result?" }
        @for section in sections(report) { (section.html()) }
    };
    match report.verdicts.as_slice() {
        [council] => verdict::render_with(council, &sections),
        _ => page("Council report", &html! { h1 { (count(report)) } (sections) }),
    }
}
