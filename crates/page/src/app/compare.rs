//! Two or more runs: paired tests, what moved, what has no score on one side.

use assize_wire::number::{difference, p_or_dash};
use assize_wire::runs::{Comparison, Difference, RunEntry};
use maud::{Markup, html};

use super::address::address;
use super::compared::item_address;
use super::parts::{crumbs, empty, head, number, plain};
use super::runs::{run_address, run_title};

/// Below this corrected p a difference is called one.
const ALPHA: f64 = 0.05;

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompareQuery {
    /// Only items that got worse, better, or all that moved: `worse`, `better`, empty.
    pub show: String,
}

/// Nothing is chosen yet: which runs there are.
pub fn choose(runs: &[RunEntry], with: Option<i64>) -> Markup {
    // The latest beside the one of its instrument that came before it.
    let second = with.or_else(|| runs.first().map(|run| run.number)).unwrap_or_default();
    let instrument = runs.iter().find(|run| run.number == second).map(|run| &run.instrument);
    let mut others = runs.iter().filter(|run| run.number != second);
    let first = others.find(|run| Some(&run.instrument) == instrument).map(|run| run.number);
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "Compare"))
        (head("Compare runs", &html! { "Both must be of one instrument and share items." }, &html! {}))
        section class="box" {
            @if runs.len() < 2 { (empty("There is nothing to compare", "Comparing needs two runs of one instrument.", &html! { a class="button" href="/runs" { "Runs" } })) }
            @else { form class="in row" method="get" action="/compare" {
                @for (name, words) in [("base", "Baseline"), ("with", "Compared with it")] {
                    div class="field" { label for=(name) { (words) } select id=(name) name=(name) {
                        @for run in runs { option value=(run.number) selected[Some(run.number) == if name == "with" { Some(second) } else { first }] { "#" (run.number) " " (run_title(run)) " (" (run.instrument) ")" } }
                    } }
                }
                button class="button main" { "Compare" }
            } }
        }
    }
}

/// The whole content: the baseline, and each other run with what came of it.
pub fn content(base: &RunEntry, others: &[(RunEntry, Comparison)], query: &CompareQuery) -> Markup {
    let names: Vec<String> = others.iter().map(|(run, _)| run_title(run)).collect();
    let title = format!("{} against {}", names.join(", "), run_title(base));
    let swap = others.first().filter(|_| others.len() == 1).map(|(run, _)| run.number);
    let acts = html! { @if let Some(other) = swap { a class="button" href=(address("/compare", &[("base", &other.to_string()), ("with", &base.number.to_string())])) { "Swap" } } };
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "Compare"))
        (head(&title, &html! { "Paired randomisation test, corrected over the measures; 95 % intervals. Baseline: " a href=(run_address(&base.instrument, base.number)) { "#" (base.number) } "." }, &acts))
        div class="stack" { @for (run, found) in others { (one(base, run, found, query)) } }
    }
}

fn one(base: &RunEntry, run: &RunEntry, found: &Comparison, query: &CompareQuery) -> Markup {
    let widest = found
        .measures
        .iter()
        .filter_map(|one| one.interval)
        .flat_map(|(low, high)| [low.abs(), high.abs()])
        .fold(0.0, f64::max);
    html! {
        section class="box" {
            header {
                h2 { "#" (run.number) " " (run_title(run)) }
                span class="sub" { (found.scored_in_both) " items scored by both" @if found.only_first > 0 { " · " (found.only_first) " only in the baseline" } @if found.only_second > 0 { " · " (found.only_second) " only here" } }
            }
            div class="scroll" tabindex="0" { table class="list" {
                thead { tr { th scope="col" { "Measure" } th class="n" scope="col" { "#" (base.number) } th class="n" scope="col" { "#" (run.number) } th class="n" scope="col" { "Difference" } th scope="col" { "With its interval" } th class="n" scope="col" { "p, corrected" } th scope="col" { "Verdict" } th class="n" scope="col" { "better / same / worse" } } }
                tbody { @for measure in &found.measures { (measure_row(measure, widest)) } }
            } }
        }
        (moved(base.number, run, found, query))
        (one_sided(found))
    }
}

fn measure_row(one: &Difference, widest: f64) -> Markup {
    let is_clear = one.p_corrected.is_some_and(|p| p < ALPHA);
    let (class, words) = match (is_clear, one.difference > 0.0) {
        (true, true) => ("badge good", "better"),
        (true, false) => ("badge bad", "worse"),
        (false, _) => ("badge", "no clear difference"),
    };
    html! {
        tr {
            th scope="row" { (one.measure.replace('_', " ")) }
            td class="n" { (number(one.first)) } td class="n" { (number(one.second)) } td class="n best" { (difference(one.difference)) }
            td { (whisker(one, widest)) }
            td class="n" { (p_or_dash(one.p_corrected)) } td { span class=(class) { (words) } }
            td class="n sub" { (one.better) " / " (one.same) " / " (one.worse) }
        }
    }
}

/// The difference with its interval around the line of none.
fn whisker(one: &Difference, widest: f64) -> Markup {
    let Some((low, high)) = one.interval.filter(|_| widest > 0.0) else {
        return html! { span class="sub" { "–" } };
    };
    let at = |value: f64| format!("{:.1}", 100.0 + value / widest * 92.0);
    let class = match () {
        () if low > 0.0 => "up",
        () if high < 0.0 => "down",
        () => "quiet",
    };
    let said = format!(
        "difference {}, from {} to {}",
        difference(one.difference),
        difference(low),
        difference(high)
    );
    html! {
        svg class={ "whiskers " (class) } viewBox="0 0 200 22" width="200" height="22" role="img" aria-label=(said) {
            title { (said) }
            line class="axis" x1="100" x2="100" y1="2" y2="20" {}
            line class="range" x1=(at(low)) x2=(at(high)) y1="11" y2="11" {}
            circle class="dot" cx=(at(one.difference)) cy="11" r="5" {}
        }
    }
}

fn moved(base: i64, run: &RunEntry, found: &Comparison, query: &CompareQuery) -> Markup {
    let mut rows: Vec<(&str, &str, f64, f64)> = found
        .measures
        .iter()
        .flat_map(|one| {
            one.moved.iter().map(|moved| {
                (moved.subject.as_str(), one.measure.as_str(), moved.before, moved.after)
            })
        })
        .filter(|(.., before, after)| match query.show.as_str() {
            "worse" => after < before,
            "better" => after > before,
            _ => after != before,
        })
        .collect();
    // What got worse comes first: it is what a person has to look at.
    rows.sort_by(|left, right| {
        (left.3 - left.2).total_cmp(&(right.3 - right.2)).then(left.0.cmp(right.0))
    });
    let chip = |word: &str, words: &str| {
        super::parts::chip(
            words,
            &address(
                "/compare",
                &[("base", &base.to_string()), ("with", &run.number.to_string()), ("show", word)],
            ),
            query.show == word,
        )
    };
    html! {
        section class="box" id="moved" {
            header { div class="chips" { h2 { "Items that moved most" } (chip("", "All")) (chip("worse", "Worse")) (chip("better", "Better")) } span class="sub" { "open one to see what changed in its text" } }
            @if rows.is_empty() { (empty("Nothing moved", "Both runs give the same value to every item that is shown.", &html! {})) }
            @else { div class="scroll" tabindex="0" { table class="list" data-keys="rows" {
                thead { tr { th scope="col" { "Item" } th scope="col" { "Measure" } th class="n" scope="col" { "before" } th class="n" scope="col" { "after" } th class="n" scope="col" { "Change" } } }
                tbody { @for (subject, measure, before, after) in rows {
                    tr data-row { th scope="row" dir="auto" { a class="main" href=(item_address(base, run.number, subject)) { (plain(subject)) } } td class="sub" { (measure) } td class="n" { (number(before)) } td class="n" { (number(after)) } td class={ "n best " (if after < before { "bad" } else { "good" }) } { (difference(after - before)) } }
                } }
            } } }
        }
    }
}

fn one_sided(found: &Comparison) -> Markup {
    html! {
        @if !found.became_unscored.is_empty() || !found.became_scored.is_empty() {
            section class="box" {
                header { h2 { "Scored on one side only" } span class="sub" { "in no figure above" } }
                div class="in" { ul class="attention" {
                    @for one in &found.became_unscored { li { bdi { (plain(&one.subject)) } span class="sub" { "has no score any more: " (plain(&one.reason)) } } }
                    @for subject in &found.became_scored { li { bdi { (plain(subject)) } span class="sub" { "had none and has one now" } } }
                } }
            }
        }
    }
}
