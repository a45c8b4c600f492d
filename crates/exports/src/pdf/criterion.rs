//! One block for each row: status, scores, override, sections, citations, ledger.

use super::paper::{Paper, Place};
use super::style::{BLACK, BODY, FINE, GREY, LABEL, MARGIN, NAME, SMALL, STRONG, WARNING, WIDTH};
use super::table::{badge, cut};
use crate::colour::Rgb;
use crate::report::{
    Citation, LedgerLine, Override, Report, Row, Section, SectionValue, State, Tier,
};
use crate::text;

/// How far citations, ledgers and lists stand in.
const INDENT: f32 = 14.0;
/// How far each step of a ledger stands in.
const STEP: f32 = 12.0;
/// How a ledger ends a limit that lowered nothing.
const IDLE: &str = "(did not apply)";
/// Length of the scale of scores.
const SCALE: f32 = 150.0;

/// White above and below the text of a panel.
const PADDING: f32 = 4.0;

/// Draws all blocks.
pub(super) fn draw(paper: &mut Paper, report: &Report) {
    paper.part("Criteria");
    for row in &report.rows {
        block(paper, row, &report.rubric);
    }
}

fn block(paper: &mut Paper, row: &Row, rubric: &[Tier]) {
    paper.need(110.0);
    paper.space(8.0);
    paper.rows.push((paper.page(), paper.y));
    paper.mark(1, &format!("{} – {}", row.criteria_id, row.document));
    let y = paper.y;
    paper.fill((MARGIN, y), (WIDTH, 0.8), GREY);
    paper.y -= 5.0;
    heading(paper, row);
    paper.paragraph(&row.requirement, BODY, Place::default());
    paper.space(3.0);
    scores(paper, row, rubric);
    if !row.state.reason().is_empty() {
        paper.labelled("Reason:", row.state.reason(), BODY.ink(WARNING), Place::default());
    }
    if !row.contradicted_by.is_empty() {
        let by = row.contradicted_by.join(", ");
        paper.labelled("Contradicted by:", &by, BODY.ink(WARNING), Place::default());
    }
    if row.current_override.is_some() || !row.override_history.is_empty() {
        override_panel(paper, row);
    }
    sections(paper, &row.sections);
    citations(paper, &row.citations);
    ledger(paper, &row.ledger);
    paper.space(8.0);
}

/// The criterion and its document at the left, the status at the right.
fn heading(paper: &mut Paper, row: &Row) {
    let baseline = paper.y - NAME.size * 1.05;
    let right = MARGIN + WIDTH - 150.0;
    badge(paper, row, (right, baseline), 150.0);
    let name = cut(paper, &row.criteria_id, NAME, 150.0);
    paper.put(MARGIN, baseline, &name, NAME);
    let left = MARGIN + paper.width(&name, NAME) + 8.0;
    let document = cut(paper, &row.document, SMALL, right - left - 10.0);
    paper.put(left, baseline, &document, SMALL);
    paper.y -= NAME.leading() + 2.0;
}

/// The numbers in words, and where they stand on the scale of tiers.
fn scores(paper: &mut Paper, row: &Row, rubric: &[Tier]) {
    let named = |name: &str, score: Option<f64>| {
        score.map(|score| format!("{name} {}", text::score(score)))
    };
    let confidence = row.ai_confidence.map(|sure| format!("(confidence {sure})"));
    let ai = named("judge", row.ai_score)
        .map(|ai| ai + &confidence.map(|sure| format!(" {sure}")).unwrap_or_default());
    let made = row.current_override.as_ref().and_then(|made| made.score);
    let parts = [named("Effective score", row.effective_score), ai, named("override", made)];
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join("  ·  ");
    if line.is_empty() {
        paper.paragraph("No score.", STRONG, Place::default());
        return;
    }
    paper.need(STRONG.leading());
    let baseline = paper.y - STRONG.size * 1.05;
    scale(paper, row, rubric, (MARGIN + WIDTH - SCALE, baseline));
    paper.paragraph(&line, STRONG, Place { right: SCALE + 16.0, ..Place::default() });
}

/// The tiers from 0 to 100; a full stroke for the effective score, a thin one for the judge's.
fn scale(paper: &mut Paper, row: &Row, rubric: &[Tier], (x, low): (f32, f32)) {
    let at = |score: f32| x + SCALE * score.clamp(0.0, 100.0) / 100.0;
    for tier in rubric {
        let (from, to) = (f32::from(tier.min), f32::from(tier.max) + 1.0);
        let from = if tier.min == 0 { at(0.0) } else { at(from) };
        let to = if tier.max >= 100 { at(100.0) } else { at(to) };
        paper.fill((from, low), (to - from - 0.6, 6.0), Rgb::read(&tier.colour).tint());
    }
    let strokes = [(row.ai_score, 1.0, 8.0, GREY), (row.effective_score, 2.4, 11.0, BLACK)];
    for (score, width, height, ink) in strokes {
        let Some(score) = score.filter(|score| score.is_finite()) else { continue };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a place on paper needs no more digits"
        )]
        let middle = at(score as f32);
        paper.fill((middle - width / 2.0, low + 3.0 - height / 2.0), (width, height), ink);
    }
}

/// The override that counts, and those before it: also where all were taken back.
fn override_panel(paper: &mut Paper, row: &Row) {
    let place = Place { indent: 9.0, right: 6.0, panel: true };
    paper.space(4.0);
    paper.need(BODY.leading() * 3.0);
    padding(paper);
    if let Some(made) = &row.current_override {
        paper.labelled("Override:", &instead(row, made), BODY, place);
        paper.labelled("Reason:", &made.why, BODY, place);
        for section in &made.sections {
            let name = format!("{} (override):", section.name);
            paper.labelled(&name, &text::value(&section.value), BODY, place);
        }
    } else {
        paper.labelled("No override is in effect.", "", BODY, place);
    }
    for earlier in row.override_history.iter().rev() {
        paper.labelled("Earlier:", &text::override_line(earlier), SMALL, place);
    }
    padding(paper);
    paper.space(3.0);
}

/// What a person says instead of the judge, and who and when.
fn instead(row: &Row, made: &Override) -> String {
    let said = |score: Option<f64>, state: &State| {
        score.map_or_else(|| state.words().to_lowercase(), text::score)
    };
    let line = if made.score.is_some() || made.state.is_some() {
        let ai = said(row.ai_score, &row.state);
        format!("{} instead of the judge's {ai}", said(made.score, row.effective_state()))
    } else {
        "score unchanged, sections edited".to_owned()
    };
    format!("{line}, by {}, {}", made.who, made.when)
}

/// The rim of a panel, above and below its text.
fn padding(paper: &mut Paper) {
    paper.panel(PADDING);
    paper.y -= PADDING;
}

fn sections(paper: &mut Paper, sections: &[Section]) {
    for section in sections {
        paper.need(LABEL.leading() + BODY.leading() * 2.0);
        paper.space(4.0);
        paper.paragraph(&section.name, LABEL, Place::default());
        match &section.value {
            SectionValue::List(entries) => {
                for entry in entries {
                    bullet(paper, "•", entry);
                }
            }
            other => paper.paragraph(&text::value(other), BODY, Place::default()),
        }
    }
}

fn bullet(paper: &mut Paper, sign: &str, entry: &str) {
    paper.need(BODY.leading());
    let baseline = paper.y - BODY.size * 1.05;
    paper.put(MARGIN + 3.0, baseline, sign, BODY);
    paper.paragraph(entry, BODY, Place { indent: INDENT, ..Place::default() });
}

fn citations(paper: &mut Paper, citations: &[Citation]) {
    if citations.is_empty() {
        return;
    }
    paper.need(LABEL.leading() + BODY.leading() * 2.0);
    paper.space(4.0);
    paper.paragraph("Citations", LABEL, Place::default());
    for (number, citation) in (1..).zip(citations) {
        let (sign, place) = (format!("{number}."), text::place(citation));
        if citation.found {
            bullet(paper, &sign, &format!("“{}” ({place})", citation.quote));
        } else {
            bullet(paper, &sign, &format!("“{}”", citation.quote));
            let indent = Place { indent: INDENT, ..Place::default() };
            paper.paragraph(&place, LABEL.ink(WARNING), indent);
        }
    }
}

fn ledger(paper: &mut Paper, lines: &[LedgerLine]) {
    if lines.is_empty() {
        return;
    }
    paper.need(LABEL.leading() + SMALL.leading() * 2.0);
    paper.space(4.0);
    paper.paragraph("Ledger", LABEL, Place::default());
    // Limits that did not apply are many and say little: one paragraph holds them.
    let (idle, told): (Vec<&LedgerLine>, Vec<&LedgerLine>) =
        lines.iter().partition(|line| line.text.ends_with(IDLE));
    for line in told {
        paper.need(FINE.leading());
        let baseline = paper.y - FINE.size * 1.05;
        if let Some(value) = line.value {
            paper.put_right(MARGIN + WIDTH, baseline, &text::number(value, 4), FINE);
        }
        let indent = f32::from(line.depth.min(12)) * STEP;
        paper.paragraph(&line.text, FINE, Place { indent, right: 60.0, panel: false });
    }
    if !idle.is_empty() {
        let limits = idle.iter().map(|line| line.text.trim_end_matches(IDLE).trim());
        let limits: Vec<&str> = limits.map(|text| text.trim_start_matches("cap").trim()).collect();
        let words = format!("Limits that did not apply: {}.", limits.join("; "));
        paper.paragraph(&words, FINE, Place { right: 60.0, ..Place::default() });
    }
}
