//! The upper part of the first page: what this is, about whom, by what method.

use super::paper::{Paper, Place};
use super::style::{BODY, LABEL, MARGIN, PALE, SMALL, TITLE, WIDTH};
use super::table::cut;
use crate::report::Report;

pub(super) fn draw(paper: &mut Paper, report: &Report) {
    let place = Place::default();
    paper.mark(0, &report.title);
    paper.paragraph(&report.organisation, LABEL, place);
    paper.paragraph(&report.title, TITLE, place);
    paper.space(4.0);
    let set = &report.criteria_set;
    paper.labelled(&set.name, &set.description, BODY, place);
    paper.space(6.0);
    for line in [method(report), times(report)] {
        paper.paragraph(&line, SMALL, place);
    }
    paper.space(4.0);
    let y = paper.y;
    paper.fill((MARGIN, y), (WIDTH, 1.0), PALE);
}

/// The same in five lines, whatever its texts are: two pages have no room for more.
pub(super) fn draw_brief(paper: &mut Paper, report: &Report) {
    let place = Place::default();
    paper.mark(0, &report.title);
    let set = &report.criteria_set;
    let about = match (set.name.as_str(), set.description.as_str()) {
        (name, "") => name.to_owned(),
        (name, description) => format!("{name}: {description}"),
    };
    let lines = [
        (report.organisation.clone(), LABEL),
        (report.title.clone(), TITLE),
        (about, BODY),
        (method(report), SMALL),
        (times(report), SMALL),
    ];
    for (text, style) in lines {
        let text = cut(paper, &text, style, WIDTH);
        paper.paragraph(&text, style, place);
        paper.space(2.0);
    }
    let y = paper.y;
    paper.fill((MARGIN, y), (WIDTH, 1.0), PALE);
}

/// Who judged, and by what.
fn method(report: &Report) -> String {
    let method = &report.method;
    let parts = [
        ("Judge", &method.judge),
        ("method", &method.method),
        ("prompt template", &method.template_version),
        ("run", &report.run.id),
    ];
    joined(&parts)
}

fn times(report: &Report) -> String {
    let run = &report.run;
    let parts = [
        ("Started", &run.started_at),
        ("finished", &run.finished_at),
        ("last changed", &report.exported_at),
    ];
    joined(&parts)
}

fn joined(parts: &[(&str, &String)]) -> String {
    let known = parts.iter().filter(|(_, value)| !value.is_empty());
    known.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join("  ·  ")
}
