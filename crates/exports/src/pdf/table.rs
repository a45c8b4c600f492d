//! The table of all rows, each with the page of its block.

use super::paper::{Paper, Reference};
use super::style::{BLACK, BODY, LABEL, MARGIN, PALE, STRONG, Style, WIDTH};
use super::wrap::beginning;
use crate::colour::Rgb;
use crate::report::{Report, Row, State, Status};
use crate::text;

/// Heading, left edge and width of each column; the last three are numbers.
const COLUMNS: [(&str, f32, f32); 6] = [
    ("Criterion", 0.0, 84.0),
    ("Document", 90.0, 126.0),
    ("Status", 222.0, 124.0),
    ("Score", 350.0, 34.0),
    ("Judge", 388.0, 34.0),
    ("Override", 426.0, 40.0),
];
/// Lines of a cell at most; the block has the whole text.
const LINES_MAX: usize = 3;
/// White above and below a line of text.
const PADDING: f32 = 3.0;

pub(super) fn draw(paper: &mut Paper, report: &Report) {
    paper.part("Results");
    header(paper);
    for (index, row) in report.rows.iter().enumerate() {
        line(paper, index, row);
    }
}

fn header(paper: &mut Paper) {
    let baseline = paper.y - LABEL.size * 1.05;
    for (index, (heading, left, width)) in COLUMNS.into_iter().enumerate() {
        if index < 3 {
            paper.put(MARGIN + left, baseline, heading, LABEL);
        } else {
            paper.put_right(MARGIN + left + width, baseline, heading, LABEL);
        }
    }
    paper.put_right(MARGIN + WIDTH, baseline, "Page", LABEL);
    paper.y -= LABEL.leading() + 2.0;
    let y = paper.y;
    paper.fill((MARGIN, y), (WIDTH, 0.8), BLACK);
}

fn line(paper: &mut Paper, index: usize, row: &Row) {
    let cells = [
        wrapped(paper, &row.criteria_id, STRONG, COLUMNS[0].2),
        wrapped(paper, &row.document, BODY, COLUMNS[1].2),
    ];
    let tall = cells.iter().map(Vec::len).max().unwrap_or(1);
    let height = tall as f32 * BODY.leading() + 2.0 * PADDING;
    if paper.need(height) {
        header(paper);
    }
    let upper = paper.y;
    let baseline = upper - PADDING - BODY.size;
    for ((lines, style), (_, left, _)) in cells.iter().zip([STRONG, BODY]).zip(COLUMNS) {
        for (number, text) in lines.iter().enumerate() {
            let baseline = baseline - number as f32 * BODY.leading();
            paper.put(MARGIN + left, baseline, text, style);
        }
    }
    badge(paper, row, (MARGIN + COLUMNS[2].1, baseline), COLUMNS[2].2);
    let made = row.current_override.as_ref();
    let rewritten = made.map(|made| match (made.score, &made.state) {
        (Some(score), _) => text::score(score),
        (None, Some(_)) => "state".to_owned(),
        (None, None) => "text".to_owned(),
    });
    let numbers = [
        (row.effective_score.map(text::score), STRONG),
        (row.ai_score.map(text::score), BODY),
        (rewritten, BODY),
    ];
    for ((number, style), (_, left, width)) in numbers.into_iter().zip(&COLUMNS[3..]) {
        let number = number.unwrap_or_else(|| "–".to_owned());
        paper.put_right(MARGIN + left + width, baseline, &number, style);
    }
    paper.y -= height;
    let (page, lower) = (paper.page(), paper.y);
    paper.references.push(Reference { page, edges: (upper, lower), baseline, row: index });
    paper.fill((MARGIN, lower), (WIDTH, 0.5), PALE);
}

/// A row's status on the tint of its tier; its state in words where it has no score.
pub(super) fn badge(paper: &mut Paper, row: &Row, place: (f32, f32), width: f32) {
    tinted(paper, (row.status.as_ref(), row.effective_state()), place, width);
}

/// A status on the tint of its tier, or a state in words.
pub(super) fn tinted(
    paper: &mut Paper,
    (status, state): (Option<&Status>, &State),
    (x, baseline): (f32, f32),
    width: f32,
) {
    let style = Style { size: 8.5, ..STRONG };
    let (label, colour) = status
        .map_or((state.words(), "grey"), |status| (status.label.as_str(), status.colour.as_str()));
    let label = cut(paper, label, style, width - 12.0);
    let length = paper.width(&label, style) + 12.0;
    let colour = Rgb::read(colour);
    paper.fill((x, baseline - 3.5), (length, 13.0), colour.tint());
    paper.fill((x, baseline - 3.5), (3.0, 13.0), colour);
    paper.put(x + 7.0, baseline, &label, style);
}

/// A text in one line, cut with an ellipsis where it is too long.
pub(super) fn cut(paper: &Paper, text: &str, style: Style, width: f32) -> String {
    let text = beginning(text);
    let mut lines = paper.lines(&text, style, width, 0.0).into_iter();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_none() { first } else { shortened(&first) }
}

/// The lines of a cell, no more than fit.
fn wrapped(paper: &Paper, text: &str, style: Style, width: f32) -> Vec<String> {
    let mut lines = paper.lines(&beginning(text), style, width, 0.0);
    if lines.len() > LINES_MAX {
        lines.truncate(LINES_MAX);
        lines[LINES_MAX - 1] = shortened(&lines[LINES_MAX - 1]);
    }
    lines
}

/// The line with its last letter given up for an ellipsis.
fn shortened(line: &str) -> String {
    let mut letters = line.chars();
    letters.next_back();
    format!("{}…", letters.as_str().trim_end())
}
