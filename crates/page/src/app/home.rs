//! The first page: what this is, samples, files, recent runs.

use assize_wire::workplace::{RunRow, SinceBaseline};
use maud::{Markup, html};

use super::address::address;
use super::parts::{Places, empty, head, verdict_class};
use super::runs::{rows, run_label};

/// A sample: the instrument's word, its name, what it does, what the sample holds.
const SAMPLES: [(&str, &str, &str, &str); 4] = [
    (
        "compliance",
        "Compliance",
        "Evaluate policies against criteria: a score from 0 to 100, a label, and quotes checked against the text.",
        "2 policies, 10 criteria",
    ),
    (
        "summary",
        "Summaries",
        "See which claims the article supports, contradicts or does not mention, and score five metrics.",
        "6 pairs",
    ),
    (
        "retrieval",
        "Retrieval",
        "Score retrieved passages against gold passages or relevance judgements, and compare retrievers with paired tests.",
        "2 runs, 6 queries",
    ),
    (
        "council",
        "Councils",
        "Let models review each other’s answers. Assize applies the weights, the accuracy ceiling and the safety gate.",
        "4 answers, recorded",
    ),
];

/// The whole content.
pub fn content(recent: &[RunRow], since: &[SinceBaseline], all: u64, can_write: bool) -> Markup {
    let sub = html! { "Every score comes with its calculation: what was counted, which quotes support it and which caps applied. Nothing leaves this machine unless you choose a model." };
    let acts = html! {
        a class="button" href="/help" { "How it works" }
        @if can_write { a class="button main" href="/runs/new" { "New run" } }
    };
    html! {
        (head("Measure what your AI systems produce", &sub, &acts))
        div class="stack" {
            @if can_write { div class="cards" { @for sample in SAMPLES { (card(sample)) } } }
            @if can_write {
                form class="box dashed" method="get" action="/runs/new" {
                    div class="drop" {
                        b { "Start with your own files" }
                        p class="sub" { "Upload policies and a list of controls, article and summary pairs, or predictions and a gold standard." }
                        button class="button" { "New run with your files" }
                    }
                }
            }
            @if !since.is_empty() { (since_baseline(since)) }
            section class="box" {
                header { h2 { "Recent runs" } @if all > recent.len() as u64 { a href="/runs" { "View all " (all) } } }
                @if recent.is_empty() {
                    (empty("No runs yet", "Try a sample above; it takes a second. Runs saved from the command line with --save also appear here.", &html! {}))
                } @else { (rows(recent, false)) }
            }
        }
    }
}

/// How the latest runs stand to their baselines.
fn since_baseline(all: &[SinceBaseline]) -> Markup {
    html! {
        section class="box" id="since-baseline" {
            header { h2 { "Since the baseline" } a href="/series" { "Over time" } }
            div class="scroll" tabindex="0" { table class="list stack-phone" { tbody { @for one in all {
                @let places = Places::of(&one.run.instrument, [one.step.first, one.step.second]);
                @let query = [("base", &*one.baseline.number.to_string()), ("with", &*one.run.number.to_string())];
                tr {
                    th scope="row" { a class="main" href=(address("/compare", &query)) { bdi { (run_label(&one.run)) } } }
                    td class="sub" { (one.step.measure.replace('_', " ")) " " (places.number(one.step.first)) " → " (places.number(one.step.second)) ", baseline #" (one.baseline.number) }
                    td class="n best" { (places.difference(one.step.difference)) }
                    td { span class=(verdict_class(&one.step)) { (one.step.verdict()) } }
                }
            } } } }
        }
    }
}

fn card((word, name, what, holds): (&str, &str, &str, &str)) -> Markup {
    html! {
        section class="box card" {
            h2 { (name) }
            p class="sub" { (what) }
            form method="post" action="/samples" {
                input type="hidden" name="instrument" value=(word);
                div class="row between" { button class="link" { "Try the sample →" } span class="sub" { (holds) } }
            }
        }
    }
}
