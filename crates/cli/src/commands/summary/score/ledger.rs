//! A scorecard for the terminal: scores, what was found, and how each number was computed.

use std::fmt::Write;

use assize_methods::summary::evidence::{Claim, KeyPoint, QuestionAnswer, Quote};
use assize_methods::summary::{Evidence, Metric};
use assize_page::summary::words;
use assize_wire::summary::Card;

use crate::output::terminal::{one_line, quiet, strong};

/// How many characters of a quotation a line shows.
const QUOTE_CHARACTERS_MAX: usize = 96;

/// How many cells a bar has.
const BAR_CELLS: usize = 20;

/// The scorecard of a pair, with its ledgers if they are asked for.
pub(crate) fn scorecard(card: &Card<'_>, ledgers: bool) -> String {
    let mut text = String::new();
    for metric in Metric::ALL {
        score_line(&mut text, card, metric);
    }
    evidence(&mut text, card.evidence);
    for finding in &card.verdict.findings {
        let _ = writeln!(text, "note: {}", one_line(&finding.message, 160));
    }
    if ledgers {
        let _ = writeln!(text, "\n{}", strong("Ledger"));
        for (_, outcome) in &card.verdict.scores {
            let _ = writeln!(text, "{outcome}");
        }
    }
    let method = &card.verdict.method;
    let (name, version, judges) = (&method.name, method.version, &card.judges);
    let by = format!("method {name}, version {version}; judge {judges}");
    let _ = writeln!(text, "{}", quiet(&by));
    text
}

fn score_line(text: &mut String, card: &Card<'_>, metric: Metric) {
    let score = *card.scores.get(metric);
    let shown = score.map_or("–".to_owned(), |score| format!("{score:.2}"));
    // A score of 10 fills the bar; rounding half up keeps 0.26 of a cell from showing.
    let filled =
        (0..BAR_CELLS).filter(|cell| score.unwrap_or(0.0) * 2.0 > *cell as f64 + 0.5).count();
    let bar = format!("{}{}", "█".repeat(filled), "·".repeat(BAR_CELLS - filled));
    let (name, uncertainty) = (words::metric(metric), card.uncertainty(metric));
    let space = if uncertainty.is_empty() { "" } else { "  " };
    let line = format!("{name:<16}{shown:>6}  {bar}{space}{uncertainty}  {}", card.remark(metric));
    let _ = writeln!(text, "{}", line.trim_end());
}

fn evidence(text: &mut String, evidence: &Evidence) {
    if let Some(found) = &evidence.hallucination {
        let _ = writeln!(text, "\n{}", strong("Claims of the summary"));
        for (index, claim) in found.claims.iter().enumerate() {
            claim_lines(text, index + 1, claim);
        }
        if let Some(certainty) = found.certainty() {
            let _ = writeln!(text, "     {certainty}");
        }
        question_lines(
            text,
            "Questions about the claims, answered from the article",
            &found.questions,
        );
    }
    if let Some(found) = &evidence.coverage {
        let _ = writeln!(text, "\n{}", strong("Key points of the article"));
        for (index, point) in found.key_points.iter().enumerate() {
            key_point_lines(text, index + 1, point);
        }
        question_lines(
            text,
            "Questions about the article, answered from the summary",
            &found.questions,
        );
    }
    if let Some(found) = &evidence.relevance {
        let _ = writeln!(
            text,
            "\n{} {}",
            strong("Theme"),
            one_line(&found.theme, QUOTE_CHARACTERS_MAX)
        );
    }
    if let Some(found) = &evidence.alignment {
        for deviation in &found.deviations {
            let (drift, kind) = (words::drift(deviation.drift).0, words::deviation(deviation.kind));
            let _ = writeln!(
                text,
                "{drift} drift of {kind}: {}",
                one_line(&deviation.note, QUOTE_CHARACTERS_MAX)
            );
        }
    }
    if let Some(found) = &evidence.bias_toxicity {
        let _ = writeln!(text, "{} {}", strong("Tone"), words::tone(found.tone));
        for issue in &found.issues {
            let quoted = if issue.is_asserted() { "" } else { " (quoted from the article)" };
            let words = one_line(&issue.in_summary.text, QUOTE_CHARACTERS_MAX);
            let _ = writeln!(text, "{}: “{words}”{quoted}", words::issue(issue.kind).0);
        }
    }
}

fn claim_lines(text: &mut String, number: usize, claim: &Claim) {
    let (label, _) = words::support(claim.support);
    let _ =
        writeln!(text, "{number:>3}  {label:<17} {}", one_line(&claim.text, QUOTE_CHARACTERS_MAX));
    if !claim.note.is_empty() {
        let _ = writeln!(text, "{:23}{}", "", one_line(&claim.note, QUOTE_CHARACTERS_MAX));
    }
    quote_line(text, claim.in_article.as_ref());
}

fn key_point_lines(text: &mut String, number: usize, point: &KeyPoint) {
    let (label, _) = words::coverage(point.coverage);
    let _ =
        writeln!(text, "{number:>3}  {label:<17} {}", one_line(&point.text, QUOTE_CHARACTERS_MAX));
}

/// What was asked, the answer that was expected and the one that was found: a score of 0 is
/// understood only with them.
fn question_lines(text: &mut String, title: &str, questions: &[QuestionAnswer]) {
    if questions.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", strong(title));
    for (index, question) in questions.iter().enumerate() {
        let (label, _) = words::answer(question.answer);
        let asked = one_line(&question.question, QUOTE_CHARACTERS_MAX);
        let _ = writeln!(text, "{:>3}  {label:<17} {asked}", index + 1);
        let gold = one_line(&question.gold, QUOTE_CHARACTERS_MAX);
        let given = match &question.given {
            Some(given) => format!("“{}”", one_line(given, QUOTE_CHARACTERS_MAX)),
            None => "nothing".to_owned(),
        };
        let _ = writeln!(text, "{:23}{}", "", quiet(&format!("expected “{gold}”, found {given}")));
    }
}

fn quote_line(text: &mut String, quote: Option<&Quote>) {
    if let Some(quote) = quote {
        let place = match quote.span {
            Some(span) => format!("article {}–{}", span.start(), span.end()),
            None => "not found in the article".to_owned(),
        };
        let line = format!("{place}: “{}”", one_line(&quote.text, QUOTE_CHARACTERS_MAX));
        let _ = writeln!(text, "{:23}{}", "", quiet(&line));
    }
}
