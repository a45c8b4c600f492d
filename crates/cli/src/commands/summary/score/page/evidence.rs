//! What was found, with labels and quotes: claims, key points, segments, questions.

use assize_methods::summary::Evidence;
use assize_methods::summary::evidence::{QuestionAnswer, Quote};
use maud::{Markup, html};

use super::super::card::Card;
use crate::commands::summary::words::{self, Label};

/// The claims of the summary with what backs them.
pub(super) fn claims(evidence: &Evidence, anchor: &str) -> Markup {
    let Some(found) = &evidence.hallucination else { return html! {} };
    html! {
        h3 { "Claims of the summary" }
        @if found.claims.is_empty() { p class="quiet" { "None were found." } }
        ol class="findings side" {
            @for (index, claim) in found.claims.iter().enumerate() {
                @let number = format!("c{}", index + 1);
                li id={ (anchor) "-" (number) } {
                    (head(&number, words::support(claim.support), &claim.text))
                    @if !claim.note.is_empty() { p { (claim.note) } }
                    (quoted("in the article", claim.in_article.as_ref(), &format!("{anchor}-a-{number}")))
                }
            }
        }
    }
}

/// The key points of the article, and how much of each the summary says.
pub(super) fn key_points(evidence: &Evidence, anchor: &str) -> Markup {
    let Some(found) = &evidence.coverage else { return html! {} };
    html! {
        h3 { "Key points of the article" }
        ol class="findings side" {
            @for (index, point) in found.key_points.iter().enumerate() {
                @let number = format!("k{}", index + 1);
                li id={ (anchor) "-" (number) } {
                    (head(&number, words::coverage(point.coverage), &point.text))
                    p class="quote" {
                        @if point.in_article.as_ref().is_some_and(|quote| quote.span.is_some()) { a href={ "#" (anchor) "-a-" (number) } { "in the article" } }
                        @if let Some(quote) = &point.in_summary { " · said as “" bdi { (quote.text) } "”" }
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
        @if let Some(found) = &evidence.coverage { (questions("Asked about the article, answered from the summary", &found.questions)) }
        @if let Some(found) = &evidence.hallucination { (questions("Asked about the claims, answered from the article", &found.questions)) }
        @if !card.verdict.findings.is_empty() {
            h3 { "Noticed" }
            ul class="findings side" { @for finding in &card.verdict.findings { li { (finding.message) " " span class="small" { (finding.code) } } } }
        }
    }
}

fn alignment(evidence: &Evidence) -> Markup {
    let Some(found) = &evidence.alignment else { return html! {} };
    html! {
        h3 { "Intent, stance and tone of the article" }
        ul class="findings side" {
            li { bdi { (found.intent) } p class="small" { "stance: " (found.stance) " · tone: " (found.tone) } }
            @for deviation in &found.deviations {
                li {
                    (label(words::drift(deviation.drift))) "drift of " (words::deviation(deviation.kind)) ": " bdi { (deviation.note) }
                    (quoted("summary", deviation.in_summary.as_ref(), ""))
                    (quoted("article", deviation.in_article.as_ref(), ""))
                }
            }
            @if found.deviations.is_empty() { li class="quiet" { "The summary keeps to them." } }
        }
    }
}

fn relevance(evidence: &Evidence) -> Markup {
    let Some(found) = &evidence.relevance else { return html! {} };
    html! {
        h3 { "Theme and segments" }
        ul class="findings side" {
            li { "Theme: " bdi { (found.theme) } }
            @for segment in &found.segments {
                li {
                    (label(words::overlap(segment.label()))) span class="number" { (format!("{:.2}", segment.overlap)) }
                    bdi { (segment.in_summary.text) }
                    (quoted("nearest in the article", segment.in_article.as_ref(), ""))
                }
            }
        }
    }
}

fn wording(evidence: &Evidence, anchor: &str) -> Markup {
    let Some(found) = &evidence.bias_toxicity else { return html! {} };
    html! {
        h3 { "Tone and wording of the summary" }
        ul class="findings side" {
            li { "Tone: " (words::tone(found.tone)) @if found.issues.is_empty() { ". No wording stood out." } }
            @for (index, issue) in found.issues.iter().enumerate() {
                li id={ (anchor) "-i" (index + 1) } {
                    (head(&format!("i{}", index + 1), words::issue(issue.kind), &issue.in_summary.text))
                    @if !issue.is_asserted() { p class="quote" { "Quoted from the article: it costs nothing." } }
                }
            }
        }
    }
}

fn questions(title: &str, questions: &[QuestionAnswer]) -> Markup {
    html! {
        @if !questions.is_empty() {
            h3 { (title) }
            ol class="findings side" {
                @for question in questions {
                    li {
                        (label(words::answer(question.answer))) bdi { (question.question) }
                        p class="quote" { "expected “" bdi { (question.gold) } "” · found " @match &question.given { Some(given) => { "“" bdi { (given) } "”" } None => "nothing" } }
                    }
                }
            }
        }
    }
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
