//! The list of runs: filter, page, choose some and compare.

use assize_wire::workplace::{RunRow, Tally};
use maud::{Markup, html};

use super::address::address;
use super::approval::mark;
use super::parts::{chip, empty, figure, grouped, head, plain, state};

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunsQuery {
    /// Only of this instrument; empty for all.
    pub instrument: String,
    /// Only with this tag; empty for all.
    pub tag: String,
}

/// The whole content; `next` is where the next page begins.
pub fn content(
    list: &[RunRow],
    tally: &Tally,
    query: &RunsQuery,
    next: Option<i64>,
    can_write: bool,
) -> Markup {
    let all = [
        ("", "All", tally.all),
        ("compliance", "Compliance", tally.compliance),
        ("summary", "Summaries", tally.summary),
        ("retrieval", "Retrieval", tally.retrieval),
        ("council", "Councils", tally.council),
    ];
    let new = address("/runs/new", &[("instrument", &query.instrument)]);
    let acts = html! { @if can_write { a class="button main" href=(new) { "New run" } } };
    html! {
        (head("Runs", &html! { "Select two or more runs of the same instrument to compare them." }, &acts))
        form class="box" method="get" action="/compare" {
            header {
                div class="chips" {
                    @for (word, words, count) in all {
                        (chip(&format!("{words} {}", grouped(count)), &address("/runs", &[("instrument", word), ("tag", &query.tag)]), query.instrument == word))
                    }
                    @if !query.tag.is_empty() { (chip(&format!("tag: {} ×", query.tag), &address("/runs", &[("instrument", &query.instrument)]), true)) }
                }
                button class="button small" { "Compare selected" }
            }
            @if list.is_empty() {
                (empty("No runs found", "Start a run with your own files, or try a sample on the home page.", &html! { a class="button" href="/" { "Home" } }))
            } @else { (rows(list, true)) }
            (pager(query, next))
        }
    }
}

fn pager(query: &RunsQuery, next: Option<i64>) -> Markup {
    html! {
        @if let Some(next) = next {
            div class="pager" {
                span {}
                a class="button small" rel="next" href=(address("/runs", &[("instrument", &query.instrument), ("tag", &query.tag), ("before", &next.to_string())])) { "Older runs →" }
            }
        }
    }
}

/// Where a run is looked at.
pub fn run_address(instrument: &str, number: i64) -> String {
    match instrument {
        "compliance" => format!("/eval/{number}"),
        "council" => format!("/councils/{number}"),
        _ => format!("/runs/{number}"),
    }
}

/// What a run is called: its name, or else what it is about.
pub fn run_title(row: &assize_wire::runs::RunEntry) -> String {
    let named = row.name.clone().or_else(|| row.about.clone());
    plain(&named.unwrap_or_else(|| format!("{} run #{}", row.instrument, row.number)))
}

/// What a list to choose from shows of a run: number, name, sets and judge, so that no two runs
/// read alike.
pub(crate) fn run_label(run: &assize_wire::runs::RunEntry) -> String {
    let about = run.about.as_deref().filter(|_| run.name.is_some());
    let all = [Some(run_title(run)), about.map(plain), run.judge.as_deref().map(plain)];
    let words: Vec<String> = all.into_iter().flatten().collect();
    format!("#{} {} ({})", run.number, words.join(" · "), run.created_at.format("%-d %b %Y"))
}

/// The table; `choose` adds a box to each row.
pub fn rows(list: &[RunRow], choose: bool) -> Markup {
    html! {
        div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
            thead { tr {
                @if choose { th { span class="hidden-text" { "Select" } } }
                th class="n" scope="col" { "Run" } th scope="col" { "Name" } th scope="col" { "Instrument" } th class="n" scope="col" { "Mean" } th scope="col" { "Items" } th scope="col" { "Judge" } th scope="col" { "Status" } th scope="col" { "Started" }
            } }
            tbody { @for row in list { (line(row, choose)) } }
        } }
    }
}

fn line(row: &RunRow, choose: bool) -> Markup {
    let run = &row.run;
    let title = run_title(run);
    html! {
        tr data-row {
            @if choose { td { input type="checkbox" name="run" value=(run.number) aria-label={ "Select run " (run.number) }; } }
            td class="n sub" { "#" (run.number) }
            td class="name" {
                a class="main" href=(run_address(&run.instrument, run.number)) { bdi { (title) } }
                @if run.baseline { " " span class="badge" { "baseline" } }
                @for tag in &run.tags { " " a class="chip" href=(address("/runs", &[("tag", tag)])) { (plain(tag)) } }
            }
            td data-name="Instrument" { (run.instrument) }
            td class="n" data-name="Mean" { @match &row.figure { Some(found) => { span class="sub" { (found.name.replace('_', " ")) " " } (figure(&row.run.instrument, found)) } None => "–" } }
            td class="sub" data-name="Items" {
                @if run.done < run.items { (grouped(run.done.unsigned_abs())) " of " (grouped(run.items.unsigned_abs())) } @else { (grouped(run.items.unsigned_abs())) }
                @if run.unscored > 0 { ", " (grouped(run.unscored.unsigned_abs())) " unscored" }
            }
            td class="sub" data-name="Judge" { (plain(run.judge.as_deref().unwrap_or("–"))) }
            td data-name="Status" { (state(&run.state)) (mark(run)) }
            td class="sub" data-name="Started" { time datetime=(run.created_at.to_rfc3339()) { (run.created_at.format("%-d %b %Y, %H:%M")) } }
        }
    }
}
