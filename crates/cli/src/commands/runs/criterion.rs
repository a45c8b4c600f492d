//! One criterion of a run: score, sections, citations, ledger, and what people said.

use std::fmt::Write;

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::compliance::detail::Detail;
use assize_engine::store::{Decision, Run};
use assize_wire::text::pretty;
use serde_json::Value;

use crate::commands::criteria::Format;
use crate::commands::evaluate::report::outcome_words;
use crate::output::terminal::{one_line, quiet, strong};

/// One criterion in full.
pub(super) async fn shown(
    workspace: &Workspace,
    run: &Run,
    (criterion, document): (&str, Option<&str>),
    format: Format,
) -> Result<String> {
    let result = workspace.find_result(run, criterion, document).await?;
    let detail = workspace.detail(run, result).await?;
    Ok(match format {
        Format::Json => pretty(&detail.to_wire()),
        Format::Table => as_text(&detail),
    })
}

fn as_text(detail: &Detail) -> String {
    let Detail { criterion, document, result, .. } = detail;
    let mut text = strong(&format!("{}  {}", criterion.id, one_line(&document.name, 50)));
    let _ = writeln!(text, "\n{}\n", one_line(&criterion.requirement, 600));
    let _ = writeln!(text, "score       {}", detail.score_words());
    if let Some(judge) = detail.judge_words().filter(|_| !detail.history.is_empty()) {
        let _ = writeln!(text, "judge       {judge}");
    }
    if let Some(confidence) = result.ai_confidence {
        let _ = writeln!(text, "confidence  {confidence} of 100");
    }
    if let Some(reason) = &result.reason {
        let _ = writeln!(text, "because     {}", one_line(reason, 300));
    }
    for (name, value) in detail.sections() {
        let _ = writeln!(text, "\n{}\n{}", strong(name), section(value));
    }
    if !detail.citations.is_empty() {
        let _ = writeln!(text, "\n{}", strong("citations"));
    }
    for cited in &detail.citations {
        let mut place = Vec::new();
        place.extend(cited.page.map(|page| format!("page {page}")));
        place.extend(cited.paragraph.map(|paragraph| format!("paragraph {paragraph}")));
        place.extend(cited.start.zip(cited.end).map(|(start, end)| format!("{start}–{end}")));
        place.push(cited.matched.replace('_', " "));
        let quote = one_line(&cited.quote, 400);
        let _ = writeln!(text, "  “{quote}”\n  {}", quiet(&place.join(", ")));
    }
    let ledger = detail.ledger_lines();
    if !ledger.is_empty() {
        let _ = writeln!(text, "\n{}", strong("how the score was computed"));
    }
    for line in ledger {
        let _ = writeln!(
            text,
            "{}{}",
            "  ".repeat(usize::from(line.depth) + 1),
            one_line(&line.text, 300)
        );
    }
    if let Some(raw) = &detail.raw_answer {
        let _ = writeln!(text, "\n{}\n{}", strong("the judge's raw answer"), one_line(raw, 2_000));
    }
    if !detail.history.is_empty() {
        let _ = writeln!(text, "\n{}", strong("history"));
    }
    for entry in &detail.history {
        let _ = writeln!(text, "  {}", entry_words(entry));
    }
    text
}

fn section(value: &Value) -> String {
    match value {
        Value::String(text) => one_line(text, 3_000),
        Value::Array(items) => {
            let item = |item: &Value| {
                format!("- {}", one_line(item.as_str().unwrap_or(&item.to_string()), 500))
            };
            items.iter().map(item).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

fn entry_words(entry: &Decision) -> String {
    let Decision { sequence, change, author, reason, created_at, .. } = entry;
    let what = match (change.is_withdrawal, change.score, change.outcome) {
        (true, ..) => "withdrawn".to_owned(),
        (_, Some(score), _) => format!("{score}"),
        (.., Some(outcome)) => outcome_words(outcome).to_owned(),
        _ => "edited text".to_owned(),
    };
    let at = created_at.format("%Y-%m-%d %H:%M");
    let (author, reason) = (one_line(author, 40), one_line(reason, 300));
    format!("{sequence}. {what} by {author}, {at} UTC: {reason}")
}
