//! What was found, with labels and quotes: claims, key points, segments, questions.

use assize_methods::summary::Evidence;
use assize_methods::summary::evidence::{QuestionAnswer, Quote};
use assize_methods::summary::labels::{Answer, Coverage, Support};
use assize_wire::summary::Card;
use maud::{Markup, html};

use super::words::{self, Label};

/// The claims of the summary with what backs them.
pub(super) fn claims(evidence: &Evidence, anchor: &str) -> Markup {
    let Some(found) = &evidence.hallucination else { return html! {} };
    html! {
        h3 { "Claims in the summary" }
        @if let Some(certainty) = found.certainty() { p class="quiet" { (certainty) } }
        @if found.claims.is_empty() { p class="quiet" { "No claims were found." } }
        ol class="findings side" {
            @for (index, claim) in found.claims.iter().enumerate() {
                @let number = format!("c{}", index + 1);
                li id={ (anchor) "-" (number) } {
                    (head(&number, words::support(claim.support), &claim.text))
                    @if !claim.note.is_empty() { p { (claim.note) } }
                    (quoted(backing(claim.support), claim.in_article.as_ref(), &format!("{anchor}-a-{number}")))
                }
            }
        }
    }
}

/// The key points of the article, and how much of each the summary says.
pub(super) fn key_points(evidence: &Evidence, anchor: &str) -> Markup {
    let Some(found) = &evidence.coverage else { return html! {} };
    html! {
        h3 { "Key points in the article" }
        ol class="findings side" {
            @for (index, point) in found.key_points.iter().enumerate() {
                @let number = format!("k{}", index + 1);
                li id={ (anchor) "-" (number) } {
                    (head(&number, words::coverage(point.coverage), &point.text))
                    p class="quote" {
                        @if point.in_article.as_ref().is_some_and(|quote| quote.span.is_some()) { a href={ "#" (anchor) "-a-" (number) } { "in the article" } }
                        @if let Some(quote) = &point.in_summary { " · " (taken_up(point.coverage)) " “" bdi { (quote.text) } "”" }
                    }
                }
            }
        }
    }
}

/// Alignment, relevance, wording, questions and what else was noticed.
pub(super) fn others(card: &Card<'_>, anchor: &str) -> Markup {
    let evidence = card.evidence;
    html! {
        (alignment(evidence))
        (relevance(evidence))
        (wording(evidence, anchor))
        @if let Some(found) = &evidence.coverage { (questions("Questions about the article, answered from the summary", &found.questions)) }
        @if let Some(found) = &evidence.hallucination { (questions("Questions about the claims, answered from the article", &found.questions)) }
        @if !card.verdict.findings.is_empty() {
            h3 { "Other findings" }
            ul class="findings side" { @for finding in &card.verdict.findings { li { (finding.message) " " span class="small" { (finding.code) } } } }
        }
    }
}

/// How a claim's quote from the article stands to it.
fn backing(support: Support) -> &'static str {
    match support {
        Support::Supported => "supported by the article",
        Support::Partial => "partly supported by the article",
        Support::Unsupported => "closest match in the article",
    }
}

/// How a key point's quote from the summary stands to it.
fn taken_up(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Fully => "stated as",
        Coverage::Partial => "partly stated as",
        Coverage::Not => "closest match in the summary",
    }
}

fn alignment(evidence: &Evidence) -> Markup {
    let Some(found) = &evidence.alignment else { return html! {} };
    let title = match found.deviations.len() {
        0 => "Intent, stance and tone: preserved".to_owned(),
        1 => "Intent, stance and tone: 1 deviation".to_owned(),
        count => format!("Intent, stance and tone: {count} deviations"),
    };
    let list = html! {
        ul class="findings" {
            li { "The article: " bdi { (found.intent) } p class="small" { "stance: " bdi { (found.stance) } " · tone: " bdi { (found.tone) } } }
            @for deviation in &found.deviations {
                li {
                    (label(words::drift(deviation.drift))) "drift in " (words::deviation(deviation.kind)) ": " bdi { (deviation.note) }
                    (quoted("summary", deviation.in_summary.as_ref(), ""))
                    (quoted("article", deviation.in_article.as_ref(), ""))
                }
            }
        }
    };
    folded(&title, !found.deviations.is_empty(), &list)
}

fn relevance(evidence: &Evidence) -> Markup {
    let Some(found) = &evidence.relevance else { return html! {} };
    let list = html! {
        ul class="findings" {
            li { "Theme: " bdi { (found.theme) } }
            @for segment in &found.segments {
                li {
                    (label(words::overlap(segment.label()))) span class="number" { (format!("{:.2}", segment.overlap)) }
                    bdi { (segment.in_summary.text) }
                    (quoted("closest match in the article", segment.in_article.as_ref(), ""))
                }
            }
        }
    };
    folded(&format!("Theme and {} segments", found.segments.len()), false, &list)
}

fn wording(evidence: &Evidence, anchor: &str) -> Markup {
    let Some(found) = &evidence.bias_toxicity else { return html! {} };
    let tone = words::tone(found.tone);
    let title = match found.issues.len() {
        0 => format!("Tone: {tone}; no wording issues"),
        1 => format!("Tone: {tone}; 1 wording issue"),
        count => format!("Tone: {tone}; {count} wording issues"),
    };
    let list = html! {
        ul class="findings" {
            @for (index, issue) in found.issues.iter().enumerate() {
                li id={ (anchor) "-i" (index + 1) } {
                    (head(&format!("i{}", index + 1), words::issue(issue.kind), &issue.in_summary.text))
                    @if !issue.is_asserted() { p class="quote" { "Quoted from the article, so it does not lower the score." } }
                }
            }
            @if found.issues.is_empty() { li class="quiet" { "The tone is “unclear” where no rule applies. Word lists cannot detect stereotypes." } }
        }
    };
    folded(&title, !found.issues.is_empty(), &list)
}

fn questions(title: &str, questions: &[QuestionAnswer]) -> Markup {
    if questions.is_empty() {
        return html! {};
    }
    let correct = questions.iter().filter(|question| question.answer == Answer::Correct).count();
    let list = html! {
        ol class="findings" {
            @for question in questions {
                li {
                    (label(words::answer(question.answer))) bdi { (question.question) }
                    p class="quote" { "expected “" bdi { (question.gold) } "” · found " @match &question.given { Some(given) => { "“" bdi { (given) } "”" } None => "nothing" } }
                }
            }
        }
    };
    folded(&format!("{title}: {correct} of {} correct", questions.len()), false, &list)
}

/// A list that unfolds.
fn folded(title: &str, open: bool, list: &Markup) -> Markup {
    html! { details class="side folded" open[open] { summary { (title) } (list) } }
}

fn head(number: &str, of: Label, text: &str) -> Markup {
    html! { span class="number" { (number) } (label(of)) bdi { (text) } }
}

fn label((words, tone): Label) -> Markup {
    html! { span class={ "label " (tone) } { (words) } }
}

fn quoted(where_: &str, quote: Option<&Quote>, leads_to: &str) -> Markup {
    let Some(quote) = quote else { return html! {} };
    html! {
        p class="quote" {
            @match quote.span {
                Some(_) if !leads_to.is_empty() => { a href={ "#" (leads_to) } { (where_) } ": “" bdi { (quote.text) } "”" }
                Some(_) => { (where_) ": “" bdi { (quote.text) } "”" }
                None => { (where_) span class="bad" { " (not found there)" } ": “" bdi { (quote.text) } "”" }
            }
        }
    }
}
