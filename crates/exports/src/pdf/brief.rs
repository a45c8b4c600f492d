//! Two pages for who decides: verdicts for the set, distribution, the weakest, what is open.
//!
//! Every list has a fixed number of lines, so that two pages are enough for any run; how many
//! are left out is said below each.

use super::overview::{accuracy_lines, bar};
use super::paper::{Paper, Place};
use super::style::{BODY, FIGURE, LABEL, MARGIN, PALE, SMALL, STRONG, WIDTH};
use super::table::{cut, tinted};
use super::title;
use crate::colour::Rgb;
use crate::report::{Report, SetVerdict, State, Status};
use crate::summary::Summary;
use crate::text;

/// Lines of the lists.
const CATEGORIES_MAX: usize = 6;
const DOCUMENTS_MAX: usize = 6;
const WEAKEST_MAX: usize = 12;
const CONTRADICTED_MAX: usize = 4;
const OPEN_MAX: usize = 6;
const NOTICED_MAX: usize = 3;
/// The height of a line.
const LINE: f32 = 18.0;

/// Draws both pages.
pub(super) fn draw(paper: &mut Paper, report: &Report, summary: &Summary) {
    title::draw_brief(paper, report);
    verdict(paper, report);
    distribution(paper, report);
    categories(paper, report);
    documents(paper, report, summary);
    paper.turn();
    weakest(paper, report);
    open(paper, report);
    if let Some(accuracy) = &report.accuracy {
        accuracy_lines(paper, accuracy);
    }
    let note = "The full report and the other exports contain all results, with quotes and how \
        each score was computed.";
    paper.space(8.0);
    paper.paragraph(note, SMALL, Place::default());
}

/// The one number, what it is of, and who approved it.
pub(super) fn verdict(paper: &mut Paper, report: &Report) {
    paper.part("Verdict for the set");
    let set = &report.set;
    let figure = set.score.map_or_else(|| "no score".to_owned(), |score| text::number(score, 1));
    let baseline = paper.y - FIGURE.size * 0.95;
    paper.put(MARGIN, baseline, &figure, FIGURE);
    let indent = paper.width(&figure, FIGURE) + 16.0;
    let place = Place { indent, ..Place::default() };
    let scored = set.verdicts.iter().filter(|one| one.score.is_some()).count();
    let all = set.verdicts.len();
    paper.labelled(
        &set.met(),
        &format!("the mean of {scored} criteria of {all}, by their weights"),
        BODY,
        place,
    );
    let note = "Each criterion is decided by its best document, unless another denies it. \
        Criteria that do not apply or have no score are not averaged.";
    paper.paragraph(note, SMALL, place);
    let approval = if report.approval.is_empty() { "Not approved." } else { &report.approval };
    paper.paragraph(approval, SMALL, place);
    paper.space(6.0);
}

/// How many criteria lie in each tier.
fn distribution(paper: &mut Paper, report: &Report) {
    paper.part("Criteria by tier");
    let count = |tier: usize| {
        let of = |one: &&SetVerdict| {
            one.status.as_ref().is_some_and(|status| usize::from(status.tier) == tier)
        };
        report.set.verdicts.iter().filter(of).count()
    };
    let counts: Vec<usize> = (1..=report.rubric.len()).map(count).collect();
    let unscored = report.set.verdicts.iter().filter(|one| one.score.is_none()).count();
    let longest = counts.iter().copied().max().unwrap_or(0).max(unscored).max(1);
    for (tier, rows) in report.rubric.iter().zip(&counts).rev() {
        let range = format!("{}–{}", tier.min, tier.max);
        bar(paper, &tier.label, &range, (*rows, longest), Rgb::read(&tier.colour));
    }
    if unscored > 0 {
        bar(paper, "No score", "", (unscored, longest), Rgb::read("grey"));
    }
}

fn categories(paper: &mut Paper, report: &Report) {
    let all = &report.set.categories;
    if all.is_empty() {
        return;
    }
    paper.part("By category");
    let mut weakest: Vec<_> = all.iter().collect();
    let of = |score: Option<f64>| score.unwrap_or(f64::INFINITY);
    weakest.sort_by(|left, right| of(left.score).total_cmp(&of(right.score)));
    for one in weakest.iter().take(CATEGORIES_MAX) {
        let scored = format!("{} of {} criteria met", one.met, one.criteria);
        line(paper, (&one.category, &scored), one.score, (None, &State::Pending));
    }
    left_out(paper, all.len(), CATEGORIES_MAX, "categories with higher scores");
}

fn documents(paper: &mut Paper, report: &Report, summary: &Summary) {
    paper.part("Documents");
    for of in summary.documents.iter().take(DOCUMENTS_MAX) {
        let best = report.set.verdicts.iter().filter(|one| one.document == of.document).count();
        let note =
            format!("decides {best} {}; {} without a score", criteria(best), of.mean.unscored);
        line(paper, (&of.document, &note), of.mean.mean, (None, &State::Scored));
    }
    left_out(paper, summary.documents.len(), DOCUMENTS_MAX, "documents");
}

/// The criteria that are not met, the lowest scores first.
fn weakest(paper: &mut Paper, report: &Report) {
    paper.part("Weakest criteria");
    let mut scored: Vec<&SetVerdict> =
        report.set.verdicts.iter().filter(|one| one.score.is_some() && !one.is_met).collect();
    if scored.is_empty() && report.set.score.is_some() {
        paper.paragraph("Every criterion with a score is met.", BODY, Place::default());
    }
    let of = |one: &SetVerdict| one.score.unwrap_or(f64::INFINITY);
    scored.sort_by(|left, right| of(left).total_cmp(&of(right)));
    for one in scored.iter().take(WEAKEST_MAX) {
        let about = beside(one);
        line(paper, (&one.criteria_id, &about), one.score, (one.status.as_ref(), &one.state));
    }
    left_out(paper, scored.len(), WEAKEST_MAX, "criteria that are not met");
}

/// What somebody has to look at: what is not met, denied or without a score, quotes that are not
/// there.
fn open(paper: &mut Paper, report: &Report) {
    paper.part("Open findings");
    let verdicts = &report.set.verdicts;
    let open = verdicts.iter().filter(|one| one.score.is_some() && !one.is_met).count();
    let contradicted: Vec<&SetVerdict> =
        verdicts.iter().filter(|one| !one.contradicted_by.is_empty()).collect();
    let missing: usize = report
        .rows
        .iter()
        .map(|row| row.citations.iter().filter(|one| one.is_missing()).count())
        .sum();
    let without: Vec<&SetVerdict> = verdicts
        .iter()
        .filter(|one| one.score.is_none() && one.state != State::NotApplicable)
        .collect();
    let note = format!(
        "{open} {} open, {} of them contradicted; {} no score; {missing} {} in {} document{}.",
        if open == 1 { "criterion is" } else { "criteria are" },
        contradicted.len(),
        counted(without.len(), "has", "have"),
        if missing == 1 { "quote is not" } else { "quotes are not" },
        if missing == 1 { "its" } else { "their" },
        if missing == 1 { "" } else { "s" },
    );
    paper.paragraph(&note, BODY, Place::default());
    noticed(paper, report);
    paper.space(4.0);
    for one in contradicted.iter().take(CONTRADICTED_MAX) {
        let denied = one.contradiction().unwrap_or_default();
        line(paper, (&one.criteria_id, &denied), one.score, (one.status.as_ref(), &one.state));
    }
    left_out(paper, contradicted.len(), CONTRADICTED_MAX, "contradicted criteria");
    for one in without.iter().take(OPEN_MAX) {
        line(paper, (&one.criteria_id, &beside(one)), None, (None, &one.state));
    }
    left_out(paper, without.len(), OPEN_MAX, "criteria without a score");
}

/// What readers must know about documents: hidden text, text that speaks to the judge.
fn noticed(paper: &mut Paper, report: &Report) {
    let all = report.documents.iter().flat_map(|document| {
        document.findings.iter().map(move |finding| (document.name.as_str(), finding))
    });
    let all: Vec<(&str, &String)> = all.collect();
    for (document, finding) in all.iter().take(NOTICED_MAX) {
        // Two lines at most, so that the report stays two pages long.
        let words = cut(paper, &format!("{document}: {finding}"), BODY, 2.0 * WIDTH - 40.0);
        paper.paragraph(&words, BODY, Place::default());
    }
    left_out(paper, all.len(), NOTICED_MAX, "findings on documents");
}

fn criteria(count: usize) -> &'static str {
    if count == 1 { "criterion" } else { "criteria" }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What a criterion requires, and which document decides.
fn beside(one: &SetVerdict) -> String {
    let first = one.requirement.lines().next().unwrap_or_default();
    if one.document.is_empty() { first.to_owned() } else { format!("{first} · {}", one.document) }
}

/// A name, what stands beside it, its score and its status; always one line.
fn line(
    paper: &mut Paper,
    (name, note): (&str, &str),
    score: Option<f64>,
    (status, state): (Option<&Status>, &State),
) {
    let baseline = paper.y - 12.0;
    // Where no status follows, a long name may have its place.
    let (wide, narrow) =
        if status.is_none() && score.is_some() { (286.0, 160.0) } else { (118.0, 206.0) };
    let name = cut(paper, name, STRONG, wide);
    paper.put(MARGIN, baseline, &name, STRONG);
    let note = cut(paper, note, SMALL, narrow);
    paper.put(MARGIN + wide + 6.0, baseline, &note, SMALL);
    if status.is_some() || score.is_none() {
        tinted(paper, (status, state), (MARGIN + 336.0, baseline), 122.0);
    }
    let score = score.map_or_else(|| "–".to_owned(), |score| text::number(score, 1));
    paper.put_right(MARGIN + WIDTH, baseline, &score, STRONG);
    paper.y -= LINE;
    let lower = paper.y;
    paper.fill((MARGIN, lower), (WIDTH, 0.5), PALE);
}

fn left_out(paper: &mut Paper, all: usize, shown: usize, what: &str) {
    if all > shown {
        paper.space(2.0);
        paper.paragraph(&format!("and {} more {what}", all - shown), LABEL, Place::default());
    }
}
