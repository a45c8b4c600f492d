//! The reviewer's queue: one result at a time, blind or open, by keys alone.

use assize_methods::compliance::Rubric;
use assize_wire::runs::RunEntry;
use assize_wire::workplace::{Agreement, AssignedRun, ReviewItem, ReviewQueue};
use maud::{Markup, html};

use super::address::address;
use super::parts::{chip, crumbs, empty, grouped, head, plain, score};
use super::result::{marks, one_section, quote};
use super::runs::run_title;
use crate::bars::{meter, swatch};
use crate::document::flowing;

/// Which runs can be reviewed, and those in which `who` looks after something.
pub fn choose(runs: &[RunEntry], assigned: &[AssignedRun], who: &str) -> Markup {
    html! {
        (head("Review queue", &html! { "Rate results one by one without seeing the judge’s score. Agreement is updated with every rating." }, &html! {}))
        @if !assigned.is_empty() { section class="box" {
            header { h2 { "Assigned to you" } }
            ul class="attention in" { @for run in assigned { li { a href=(address(&format!("/eval/{}", run.number), &[("who", who)])) { "#" (run.number) " " bdi { (plain(&run.name)) } } span class="sub" { (grouped(run.criteria)) @if run.criteria == 1 { " criterion" } @else { " criteria" } } } } }
        } }
        section class="box" {
            @if runs.is_empty() { (empty("Nothing to review", "The results of compliance runs appear here.", &html! { a class="button" href="/" { "Home" } })) }
            @else { ul class="attention in" { @for run in runs { li { a href={ "/review?run=" (run.number) } { "#" (run.number) " " bdi { (run_title(run)) } } span class="sub" { (grouped(run.done.unsigned_abs())) @if run.done == 1 { " result" } @else { " results" } } } } } }
        }
    }
}

/// The next item; `after` is the last one that was skipped.
pub fn content(queue: &ReviewQueue, after: Option<i64>) -> Markup {
    let run = queue.run.number.to_string();
    let after = after.map(|number| number.to_string()).unwrap_or_default();
    let mode = |open: &str| address("/review", &[("run", &run), ("open", open), ("after", &after)]);
    let acts = html! { (chip("Blind", &mode(""), queue.is_blind)) (chip("Open", &mode("yes"), !queue.is_blind)) };
    html! {
        (crumbs(&[("Review queue", "/review".to_owned())], &run_title(&queue.run)))
        (head(&format!("Review of {}", run_title(&queue.run)), &html! { (grouped(queue.done)) " of " (grouped(queue.all)) " rated by you" }, &acts))
        div class="stack" {
            (meter(queue.done as f64 / queue.all.max(1) as f64, "accent"))
            @match &queue.item {
                Some(item) => (rate(queue, item, &after)),
                None => section class="box" { (empty("All done", "You have rated every result in this run.", &html! { a class="button" href={ "/eval/" (run) } { "Open run" } })) },
            }
            (agreement(&queue.agreement))
        }
    }
}

fn rate(queue: &ReviewQueue, item: &ReviewItem, after: &str) -> Markup {
    let rubric = Rubric::new(queue.tiers.clone()).unwrap_or_default();
    let open = if queue.is_blind { "" } else { "yes" };
    html! {
        div class="grid-2" {
            section class="box sticky" { header { h2 dir="auto" { (plain(&item.document.name)) } }
                div class="doc" dir="auto" tabindex="0" role="region" aria-label="Document" { (flowing(&item.document.name, &item.document.text, &marks(&item.citations))) } }
            div class="stack" {
                section class="box" {
                    header { h2 { bdi { (plain(&item.criteria_id)) } } @if let Some(judge) = item.ai_score { span class="sub" { "judge: " (score(judge)) } } }
                    form class="in stack" method="post" action="/review" data-review {
                        input type="hidden" name="run" value=(queue.run.number); input type="hidden" name="number" value=(item.number); input type="hidden" name="open" value=(open); input type="hidden" name="after" value=(after);
                        p dir="auto" { (plain(&item.requirement)) }
                        fieldset { legend { "Which tier does this document fall into?" } div class="stack tight" {
                            @for (number, tier) in (1..).zip(&queue.tiers) {
                                button class="button" name="tier" value=(number) data-key=(number) { kbd { (number) } (swatch(&rubric.status(f64::from(tier.min)).colour)) (plain(&tier.label)) span class="sub" { (tier.min) "–" (tier.max) } }
                            }
                        } }
                        div class="row" {
                            div class="field" { label for="score" { "Or enter a score" } input class="num" id="score" name="score" type="number" min="0" max="100" step="any"; }
                            button class="button" name="act" value="score" { "Rate" }
                            a class="button" data-key="s" href=(address("/review", &[("run", &queue.run.number.to_string()), ("open", open), ("after", &item.number.to_string())])) { "Skip " kbd { "s" } }
                        }
                    }
                }
                @if !item.citations.is_empty() { section class="box" { header { h2 { "Passages" } span class="sub" { "quoted by the judge" } } div class="in" { @for (number, cited) in (1..).zip(&item.citations) { (quote(number, cited)) } } } }
                @if !item.sections.is_empty() { section class="box" { header { h2 { "What the judge wrote" } } div class="in" { @for section in &item.sections { (one_section(section, queue.run.judge.as_deref() == Some("rules"))) } } } }
            }
        }
    }
}

fn agreement(found: &Agreement) -> Markup {
    let kappa = |kappa: Option<f64>| {
        kappa.map_or("– (too few ratings)".to_owned(), |kappa| format!("{kappa:.2}"))
    };
    html! {
        section class="box" { header { h2 { "Agreement so far" } }
            div class="in" {
                @if found.rated == 0 { p class="sub" { "Shown after the first ratings." } }
                @else { p class="sub" {
                    (grouped(found.rated)) @if found.rated == 1 { " result rated; " } @else { " results rated; " } (grouped(found.same_tier)) @if found.same_tier == 1 { " rating matches the judge’s tier." } @else { " ratings match the judge’s tier." } " Weighted kappa with the judge: " b { (kappa(found.kappa)) } "; between people: " b { (kappa(found.between)) } "."
                } }
            }
        }
    }
}
