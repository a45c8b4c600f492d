//! Searches for a better prompt, rubric or judge: candidates side by side, and promoting one.

use assize_methods::compliance::optimize::Comparison;
use assize_wire::number::{p_or_dash, signed};
use assize_wire::workplace::{CandidateView, OnKeys, SearchChoices, SearchPage, SearchRow};
use maud::{Markup, html};

use super::admin::prompts::diff;
use super::parts::{crumbs, empty, head, plain, select, sentence, state};

const PATH: &str = "/optimise";

/// All searches, and a form to begin one.
pub fn list(
    searches: &[SearchRow],
    choices: &SearchChoices,
    problem: Option<&str>,
    can_write: bool,
) -> Markup {
    html! {
        (head("Optimisation", &html! { "Candidates are tuned on one part of the truth keys and tested on the rest. A candidate is promoted only if it does better on the held-out keys." }, &html! {}))
        div class="stack" {
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            section class="box" {
                header { h2 { "Searches" } }
                @if searches.is_empty() { (empty("No searches yet", "A search needs a criteria set, documents and at least six truth keys for them.", &html! { a class="button" href="/truth-keys" { "Truth keys" } })) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                    thead { tr { th scope="col" { "Started" } th scope="col" { "Criteria" } th scope="col" { "Documents" } th class="n" scope="col" { "Candidates" } th scope="col" { "Status" } th scope="col" { "Outcome" } } }
                    tbody { @for one in searches { (row(one)) } }
                } } }
            }
            @if can_write { (form(choices)) }
        }
    }
}

fn row(one: &SearchRow) -> Markup {
    html! {
        tr data-row {
            th scope="row" { a class="main" href={ (PATH) "/" (one.id) } { (one.created_at.format("%-d %b %Y, %H:%M:%S")) } }
            td dir="auto" { (plain(&one.criteria_set)) } td dir="auto" { (plain(&one.document_set)) }
            td class="n" data-name="Candidates" { (one.candidates) } td { (state(&one.state)) }
            td class="long sub" { @if let Some(name) = &one.promoted { "Promoted: " b { (plain(name)) } ". " } (sentence(one.because.as_deref().unwrap_or(""))) }
        }
    }
}

fn form(choices: &SearchChoices) -> Markup {
    html! {
        section class="box" id="new" {
            header { h2 { "Start a search" } span class="sub" { "The current setup is always the first candidate" } }
            form class="in stack" method="post" action=(PATH) {
                div class="grid-2" {
                    (select("criteria", "Criteria set", &choices.criteria_sets, None))
                    (select("documents", "Document set with truth keys", &choices.document_sets, None))
                }
                fieldset {
                    legend { "Judges" }
                    div class="chips" {
                        label class="chip" { input type="checkbox" name="judge" value="rules" checked; "rules" }
                        @for judge in &choices.judges { label class="chip" { input type="checkbox" name="judge" value=(judge); bdi { (plain(judge)) } } }
                    }
                    p class="hint" { "The first is the one in use." }
                    details { summary class="sub" { "Other models" } div class="field" { label for="judges" { "Models, one per line" } textarea id="judges" name="judges" rows="2" placeholder="provider/model" {} } }
                }
                @if !choices.templates.is_empty() { fieldset {
                    legend { "Prompts to try in addition to the set’s own" }
                    div class="chips" { @for title in &choices.templates { label class="chip" { input type="checkbox" name="template" value=(title); bdi { (plain(title)) } } } }
                    p class="hint" { "Prompts are tried with models only; the rule judge has no prompt." }
                } }
                @if !choices.criteria_sets.is_empty() { fieldset {
                    legend { "Rubrics to try in addition to the set’s own" }
                    div class="chips" { @for set in &choices.criteria_sets { label class="chip" { input type="checkbox" name="rubric" value=(set); "from " bdi { (plain(set)) } } } }
                } }
                div class="row" {
                    div class="field" { label for="hold_out" { "Share of keys to hold out" } input class="num" id="hold_out" name="hold_out" type="number" min="0.1" max="0.9" step="any" value="0.4"; }
                    div class="field" { label for="proposer" { "Model that proposes prompts (optional)" } input id="proposer" name="proposer" list="proposers" maxlength="200"; datalist id="proposers" { @for judge in &choices.judges { option value=(judge) {} } } }
                    div class="field" { label for="proposals" { "Maximum proposals" } input class="num" id="proposals" name="proposals" type="number" min="1" max="20" value="2"; }
                }
                label class="inline" { input type="checkbox" name="promote" value="yes"; "Promote the winner automatically" }
                div { button class="button main" { "Start search" } }
            }
        }
    }
}

/// One search. While it works, it asks for itself again.
pub fn content(found: &SearchPage, can_write: bool, is_admin: bool) -> Markup {
    let search = &found.search;
    let here = format!("{PATH}/{}", search.id);
    let is_live = matches!(search.state.as_str(), "running" | "planned");
    let set = format!("/admin/org/eval/criteria-sets/{}", found.criteria_set_id);
    let sub = html! {
        (search.created_at.format("%-d %B %Y, %H:%M UTC")) " · " bdi { (plain(&search.document_set)) } " with " a href=(set) { bdi { (plain(&search.criteria_set)) } }
        " · " (found.keys.0) " truth keys to tune on, " (found.keys.1) " held out"
        @if let Some((who, most)) = &found.proposer { " · " (plain(who)) " proposes up to " (most) }
    };
    html! {
        (crumbs(&[("Optimisation", PATH.to_owned())], &search.criteria_set))
        (head(&format!("Search for {}", search.criteria_set), &sub, &html! {}))
        div class="stack" id="search" hx-get=[is_live.then_some(&here)] hx-trigger=[is_live.then_some("every 2s")] hx-select=[is_live.then_some("#search")] hx-swap=[is_live.then_some("outerHTML")] {
            (verdict(found, &here, can_write, is_admin))
            section class="box" id="candidates" {
                header { h2 { "Candidates" } span class="sub" { "Accuracy = 1 − |score − truth key| / 100, averaged over the keys" } }
                div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Candidate" } th class="n" scope="col" { "Tune" } th class="n" scope="col" { "vs. in use" } th class="n" scope="col" { "Corrected p" } th class="n" scope="col" { "Held out" } th class="n" scope="col" { "vs. in use" } th class="n" scope="col" { "p" } } }
                    tbody { @for (place, one) in found.candidates.iter().enumerate() { (candidate(one, place == 0)) } }
                } }
            }
            @for one in found.candidates.iter().filter(|one| !one.diff.is_empty()) {
                section class="box" { header { h2 { "Prompt changes in " bdi { (plain(&one.name)) } } @if let Some(parent) = &one.parent { span class="sub" { "based on " (plain(parent)) } } } div class="in" { (diff(&one.diff)) } }
            }
        }
    }
}

fn verdict(found: &SearchPage, here: &str, can_write: bool, is_admin: bool) -> Markup {
    let search = &found.search;
    html! {
        section class="box" id="verdict" {
            header { h2 { "Outcome" } (state(&search.state)) }
            div class="in stack" {
                @match (&search.because, &found.failure) {
                    (Some(because), _) => p { (sentence(because)) },
                    (None, Some(failure)) => p class="bad" { (plain(failure)) },
                    (None, None) => p class="sub" { "No outcome yet. " noscript { "Reload the page to see the progress." } },
                }
                @if let Some(name) = &search.promoted { p { span class="badge good" { "promoted" } " " bdi { (plain(name)) } " is used for new runs of this set." } }
                @if let Some(winner) = &found.winner {
                    @if is_admin { form class="row" method="post" action={ (here) "/promote" } { button class="button main" { "Promote " (plain(winner)) } span class="sub" { "New runs of this set will use it; finished runs are not affected." } } }
                    @else { p class="sub" { "An administrator can promote " bdi { (plain(winner)) } "." } }
                }
                @if can_write && matches!(search.state.as_str(), "stopped" | "failed") { form method="post" action={ (here) "/resume" } { button class="button main" { "Resume" } } }
            }
        }
    }
}

fn candidate(one: &CandidateView, is_in_use: bool) -> Markup {
    html! {
        tr {
            th scope="row" {
                @match one.run { Some(run) => a class="main" href={ "/eval/" (run) } { bdi { (plain(&one.name)) } }, None => bdi { (plain(&one.name)) } }
                @if is_in_use { " " span class="badge" { "in use" } } @if one.is_promoted { " " span class="badge good" { "promoted" } }
            }
            td class="n" data-name="Tune" { (mean(&one.tune)) } (beside(one.tuned.as_ref(), is_in_use))
            td class="n" data-name="Held out" { (mean(&one.hold_out)) } (beside(one.decided.as_ref(), is_in_use))
        }
    }
}

/// A gain is good, a loss bad, and none neither.
fn tone(gain: f64) -> &'static str {
    match gain {
        gain if gain > 0.0 => "good",
        gain if gain < 0.0 => "bad",
        _ => "",
    }
}

fn mean(on: &OnKeys) -> Markup {
    html! { @match on.mean {
        Some(mean) => { (format!("{mean:.3}")) " " span class="sub" { @if on.scored < on.of { (on.scored) " of " (on.of) } @else { "n = " (on.of) } } }
        None => span class="sub" { "–" },
    } }
}

fn beside(one: Option<&Comparison>, is_in_use: bool) -> Markup {
    html! { @match one {
        _ if is_in_use => { td class="n sub" { "" } td class="n sub" { "" } }
        Some(one) => {
            td class={ "n " (one.difference.map_or("", tone)) } data-name="Difference" { (one.difference.map_or("–".to_owned(), |value| signed(value, 3))) }
            td class="n" data-name="p" { (p_or_dash(one.p)) }
        }
        None => { td class="n sub" data-name="Difference" { "–" } td class="n sub" data-name="p" { "–" } }
    } }
}
