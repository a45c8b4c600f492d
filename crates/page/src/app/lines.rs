//! The results of a compliance run as a table.

use assize_wire::workplace::{Counts, Line, Lines};
use maud::{Markup, html};

use super::address::address;
use super::assign;
use super::parts::{chip, empty, grouped, outcome, plain, score, scorebar};
use crate::bars::badge;

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinesQuery {
    /// Part of a criterion, a requirement or a document's name.
    pub q: String,
    /// Which: `weak`, `decided`, `unscored`, `tier-3`, …; empty for all.
    pub show: String,
    /// `worst`, `best`, `unsure`; empty for the order of the plan.
    pub sort: String,
    /// Whose criteria; empty for everybody's.
    pub who: String,
}

/// Who looks, and what they may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader<'a> {
    /// Their name.
    pub who: &'a str,
    /// Whether they may assign.
    pub can_write: bool,
}

/// The table with its filters.
pub fn table(
    lines: &Lines,
    counts: &Counts,
    path: &str,
    query: &LinesQuery,
    reader: Reader<'_>,
) -> Markup {
    let of = |show: &str, sort: &str, who: &str| {
        address(path, &[("q", &query.q), ("show", show), ("sort", sort), ("who", who)])
    };
    let with = |show: &str, sort: &str| of(show, sort, &query.who);
    let undecided = counts.all.saturating_sub(counts.decided);
    let chips = [
        ("", "All", counts.all),
        ("triage", "Look at first", counts.triage),
        ("weak", "Weak", counts.weak),
        ("undecided", "No decision", undecided),
        ("decided", "Decided", counts.decided),
        ("unscored", "No score", counts.unscored),
        ("unfound", "Quote not found", counts.unfound),
        ("edge", "Near a boundary", counts.edge),
    ];
    // While nobody looks after anything, a column of nothing only takes room.
    let with_assigned = lines.lines.iter().any(|line| line.assignee.is_some());
    let is_known = chips.iter().any(|(word, ..)| *word == query.show);
    html! {
        section class="box" id="lines" {
            header {
                div class="chips" {
                    form class="chips" method="get" action=(path) role="search" {
                        input type="search" name="q" value=(query.q) placeholder="Search criteria" aria-label="Search criteria, requirements and documents";
                        @if !query.show.is_empty() { input type="hidden" name="show" value=(query.show); }
                        @if !query.sort.is_empty() { input type="hidden" name="sort" value=(query.sort); }
                        @if !query.who.is_empty() { input type="hidden" name="who" value=(query.who); }
                        button class="button small" { "Search" }
                    }
                    @for (word, words, count) in chips {
                        @if count > 0 || word.is_empty() || word == query.show { (chip(&format!("{words} {}", grouped(count)), &with(word, &query.sort), query.show == word)) }
                    }
                    (chip("Assigned to me", &of(&query.show, &query.sort, if query.who == reader.who { "" } else { reader.who }), query.who == reader.who))
                    @if !query.who.is_empty() && query.who != reader.who { (chip(&format!("Assigned to {} ×", plain(&query.who)), &of(&query.show, &query.sort, ""), true)) }
                    @if !is_known { (chip(&format!("{} ×", outcome(&query.show).replace('-', " ")), &with("", &query.sort), true)) }
                }
                p class="keys" { span { kbd { "j" } " " kbd { "k" } " to move" } span { kbd { "↵" } " to open" } }
            }
            @if lines.lines.is_empty() { (empty("No matching results", "No results in this run match the filter.", &html! { a class="button" href=(path) { "Show all" } })) }
            @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                thead { tr {
                    th scope="col" { a href=(with(&query.show, "")) { "Criterion" } } th scope="col" { "Requirement" } th scope="col" { "Document" }
                    (sorted("Score", query, &["worst", "best"], &with))
                    th scope="col" { "Status" } (sorted("Confidence", query, &["unsure"], &with)) th class="n" scope="col" { "Citations" } th scope="col" { "Decision" } @if with_assigned { th scope="col" { "Assigned" } }
                } }
                tbody { @for line in &lines.lines { (row(line, path, with_assigned, reader.can_write)) } }
            } } }
            div class="pager" {
                a href=(address(&format!("{path}/lines.csv"), &[("q", &query.q), ("show", &query.show), ("sort", &query.sort), ("who", &query.who)])) { "Download as CSV" }
                @if let Some(next) = &lines.next { a class="button small" rel="next" href=(address(path, &[("q", &query.q), ("show", &query.show), ("sort", &query.sort), ("who", &query.who), ("after", next)])) { "Next →" } }
            }
        }
    }
}

fn sorted(
    words: &str,
    query: &LinesQuery,
    orders: &[&str],
    with: &dyn Fn(&str, &str) -> String,
) -> Markup {
    let place = orders.iter().position(|order| *order == query.sort);
    let next = place.map_or(orders[0], |place| orders[(place + 1) % orders.len()]);
    let sort = place.map(|place| if place == 0 { "ascending" } else { "descending" });
    html! { th scope="col" aria-sort=[sort] { a href=(with(&query.show, next)) { (words) @match sort { Some("ascending") => " ↑", Some(_) => " ↓", None => "" } } } }
}

fn row(line: &Line, path: &str, with_assigned: bool, can_write: bool) -> Markup {
    let (found, all) = line.citations;
    let reason = line.reason.clone().unwrap_or_else(|| outcome(&line.outcome));
    // A short id such as AC-2 does not break at its hyphen; a long one has to break somewhere.
    let is_short = line.criteria_id.chars().count() <= 16;
    html! {
        tr data-row {
            th scope="row" { (assign::tick(&line.criteria_id, can_write)) a class={ "main" @if is_short { " whole" } } href={ (path) "/results/" (line.number) } { bdi { (plain(&line.criteria_id)) } } @if let Some(danger) = line.danger { " " span class="badge warn" { (danger) } } }
            td class="long" dir="auto" { (plain(&line.requirement)) }
            td class="sub doc-name" dir="auto" data-name="Document" { (plain(&line.document)) }
            td data-name="Score" { (scorebar(line.score, line.status.as_ref(), &reason)) }
            td data-name="Status" { @match &line.status { Some(status) => (badge(&status.label, &status.colour)), None => span class="badge" { (outcome(&line.outcome)) } } }
            td class="n" data-name="Confidence" { (line.confidence.map_or("–".to_owned(), |sure| sure.to_string())) }
            td class="n" data-name="Citations" { @if found < all { span class="bad" { (found) " of " (all) } } @else { (all) } }
            td class="sub" data-name="Decision" { @if line.is_decided { "decided" @if let Some(judge) = line.ai_score { " (judge: " (score(judge)) ")" } } }
            @if with_assigned { td class="sub" data-name="Assigned" { @if let Some(name) = &line.assignee { a href=(address(path, &[("who", name)])) { (assign::name(Some(name))) } } } }
        }
    }
}
