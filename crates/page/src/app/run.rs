//! A run of retrieval or summaries: figures, distribution, items.

use assize_wire::workplace::{ItemsPage, RunPage};
use maud::{Markup, html};

use super::address::address;
use super::parts::{
    Places, chip, crumbs, empty, figure, grouped, head, plain, sentence, state, stats,
};
use super::runs::run_title;
use crate::bars::bar;

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemsQuery {
    /// Part of what items are called.
    pub q: String,
    /// `unscored`, or empty for all.
    pub show: String,
    /// A measure, with `-` before it for the highest first; empty for the order of the run.
    pub sort: String,
    /// The version of the verdicts; empty for the one that counts.
    pub version: String,
}

/// The whole content.
pub fn content(page: &RunPage, query: &ItemsQuery, can_write: bool) -> Markup {
    let run = &page.run;
    let path = format!("/runs/{}", run.number);
    let sub = html! {
        "#" (run.number) " · " (run.instrument) @if let Some(judge) = &run.judge { " · judge " (plain(judge)) } @if let Some(method) = &run.method { " · " (method) }
        " · " (run.created_at.format("%-d %B %Y, %H:%M UTC")) " by " (plain(&run.who)) " " (state(&run.state))
    };
    let figures: Vec<(String, Markup)> = page
        .figures
        .iter()
        .map(|one| (one.name.replace('_', " "), figure(&run.instrument, one)))
        .collect();
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], &run_title(run)))
        (head(&run_title(run), &sub, &acts(run, can_write)))
        div class="stack" {
            (progress(run.number, &run.state, run.done, run.items, None))
            @if run.version < page.latest { div class="notice warn" role="status" { p { "You are viewing version " (run.version) " of the scores; version " (page.latest) " is current. " a href=(path) { "Show the current version" } } } }
            @if let Some(failure) = &run.failure { div class="notice bad" { p { (sentence(failure)) } } }
            (stats(&figures))
            div class="grid-2 wide-left" {
                (distribution(page))
                (about(page))
            }
            (items(&run.instrument, &page.items, &path, query))
        }
    }
}

/// What can be done with a run.
pub fn acts(run: &assize_wire::runs::RunEntry, can_write: bool) -> Markup {
    let number = run.number;
    html! {
        a class="button" href={ "/compare?with=" (number) } { "Compare…" }
        details class="menu" {
            summary class="button" { "Export" }
            div class="list" {
                @for (format, words) in &run.exports { a href={ "/runs/" (number) "/export?format=" (format) } { (words) } }
            }
        }
        @if can_write {
            form method="post" action={ "/runs/" (number) "/baseline" } {
                input type="hidden" name="on" value=(if run.baseline { "no" } else { "yes" });
                button class="button" { @if run.baseline { "Remove as baseline" } @else { "Set as baseline" } }
            }
            @if run.state == "running" { form method="post" action={ "/runs/" (number) "/stop" } { button class="button" { "Stop" } } }
            @if is_worked_on(run) && matches!(run.state.as_str(), "planned" | "stopped" | "failed") {
                form method="post" action={ "/runs/" (number) "/resume" } { button class="button main" { "Resume" } }
            }
            @if can_retry(run) { form method="post" action={ "/runs/" (number) "/retry" } { button class="button" title="Ask the model again about the items without a score" { "Retry unscored (" (grouped(run.unscored.unsigned_abs())) ")" } } }
            details class="menu" {
                summary class="button" { "More" }
                div class="list" {
                    @if run.instrument == "summary" && run.items <= 50 { a href={ "/runs/" (number) "/data" } { "Edit pairs and run again…" } }
                    @if run.state == "done" { a href=(if run.instrument == "council" { format!("/councils/{number}#weights") } else { format!("/runs/{number}/rescore") }) { "Score again…" } }
                    a href={ "/runs/" (number) "/edit" } { "Rename or tag…" }
                    a href={ "/runs/" (number) "/delete" } { "Delete…" }
                }
            }
        }
    }
}

/// Whether somebody works on it; the others are saved when they are done.
fn is_worked_on(run: &assize_wire::runs::RunEntry) -> bool {
    run.instrument != "retrieval"
}

/// Whether a model can be asked anew. Rules would say the same again, and later versions of a run
/// would miss what is retried.
fn can_retry(run: &assize_wire::runs::RunEntry) -> bool {
    let by_model =
        run.instrument == "council" || run.judge.as_deref().is_some_and(|judge| judge != "rules");
    let is_left = !matches!(run.state.as_str(), "running" | "planned");
    is_worked_on(run) && by_model && is_left && run.unscored > 0 && run.version == 1
}

/// How far a run has come; while it runs, it asks for itself again.
pub fn progress(run: i64, state: &str, done: i64, items: i64, seconds_left: Option<u64>) -> Markup {
    let share = if items > 0 { done as f64 / items as f64 } else { 0.0 };
    let poll = format!("/runs/{run}/progress");
    let is_live = state == "running" || state == "planned";
    html! {
        @if is_live || done < items {
            div class="box" id="progress" hx-get=[is_live.then_some(poll)] hx-trigger=[is_live.then_some("every 1s")] hx-swap=[is_live.then_some("outerHTML")] {
                div class="in" role="status" {
                    div class="row between sub" {
                        span { (grouped(done.unsigned_abs())) " of " (grouped(items.unsigned_abs())) " judged" @if !is_live { " · " (state) } }
                        @if let Some(seconds) = seconds_left { span { "about " (duration(seconds)) " left" } }
                        @else if is_live { span { noscript { "Reload the page to see the progress" } } }
                    }
                    (crate::bars::meter(share, "accent"))
                }
            }
        }
    }
}

/// A time in the words of a person.
pub(crate) fn duration(seconds: u64) -> String {
    match seconds {
        0..=59 => format!("{seconds} s"),
        60..=3_599 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{:.1} h", seconds as f64 / 3_600.0),
    }
}

fn distribution(page: &RunPage) -> Markup {
    let most = page.distribution.iter().copied().max().unwrap_or(0);
    let (low, high) = page.range;
    let step = (high - low) / page.distribution.len().max(1) as f64;
    let places = Places::of(&page.run.instrument, [low, high]);
    html! {
        section class="box" {
            header { h2 { "Distribution of " (page.main.replace('_', " ")) } }
            div class="in" {
                @if most == 0 { (empty("Nothing scored yet", "The distribution is shown after the first score.", &html! {})) } @else {
                    table class="hist" { tbody { @for (place, count) in page.distribution.iter().enumerate().rev() {
                        @let from = low + step * place as f64;
                        tr { th scope="row" { (places.number(from)) " to " (places.number(from + step)) } td { (bar(*count as f64 / most as f64, "accent")) } td class="n" { (grouped(*count)) } }
                    } } }
                }
            }
        }
    }
}

fn about(page: &RunPage) -> Markup {
    html! {
        section class="box" {
            header { h2 { "Settings" } }
            div class="in" {
                @if page.settings.is_empty() { p class="sub" { "Default settings." } }
                @else { table class="hist" { tbody { @for (name, value) in &page.settings { tr { th scope="row" { (name) } td { (spoken(&plain(value))) } } } } } }
                @if page.latest > 1 { (versions(page)) }
            }
        }
    }
}

/// Every way in which it was scored; each can be looked at.
fn versions(page: &RunPage) -> Markup {
    let path = format!("/runs/{}", page.run.number);
    let first = (1, "Original scores".to_owned(), String::new());
    let later = page.versions.iter().map(|one| {
        let by =
            format!(" · {}, {}", plain(&one.who), one.created_at.format("%-d %b %Y, %H:%M UTC"));
        (one.version, plain(&one.reason), by)
    });
    html! {
        h3 { "Versions" }
        ol class="timeline" id="versions" { @for (version, reason, by) in std::iter::once(first).chain(later) { li {
            @if version == page.run.version { b aria-current="true" { "Version " (version) } } @else { a href=(address(&path, &[("version", &version.to_string())])) { "Version " (version) } }
            @if version == page.latest { " " span class="badge" { "current" } }
            p dir="auto" { (reason) span class="sub" { (by) } }
        } } }
    }
}

/// `BestSentence`, as a program calls it, is `best sentence`; other values stay as they are.
fn spoken(value: &str) -> String {
    let is_name = value.chars().all(|letter| letter.is_ascii_alphabetic())
        && value.starts_with(|letter: char| letter.is_ascii_uppercase())
        && value.contains(|letter: char| letter.is_ascii_lowercase());
    if !is_name {
        return value.to_owned();
    }
    let mut words = String::with_capacity(value.len() + 4);
    for letter in value.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

/// The items as a table: search, filter, sort and page are in the address.
pub fn items(instrument: &str, page: &ItemsPage, path: &str, query: &ItemsQuery) -> Markup {
    let with = |show: &str, sort: &str| {
        address(
            path,
            &[("version", &query.version), ("q", &query.q), ("show", show), ("sort", sort)],
        )
    };
    let column = |name: &String| {
        let values = page.items.iter().filter_map(|one| one.scores.get(name).copied().flatten());
        Places::of(instrument, values)
    };
    let places: Vec<Places> = page.measures.iter().map(column).collect();
    html! {
        section class="box" id="items" {
            header {
                div class="chips" {
                    form class="chips" method="get" action=(path) role="search" {
                        input type="search" name="q" value=(query.q) placeholder="Search items" aria-label="Search items";
                        @if !query.version.is_empty() { input type="hidden" name="version" value=(query.version); }
                        @if !query.sort.is_empty() { input type="hidden" name="sort" value=(query.sort); }
                        button class="button small" { "Search" }
                    }
                    (chip(&format!("All {}", grouped(page.all.unsigned_abs())), &with("", &query.sort), query.show.is_empty()))
                    (chip(&format!("No score {}", grouped(page.unscored.unsigned_abs())), &with("unscored", &query.sort), query.show == "unscored"))
                }
                p class="keys" { span { kbd { "j" } " " kbd { "k" } " to move" } span { kbd { "↵" } " to open" } }
            }
            @if page.items.is_empty() { (empty("No matching items", "No items in this run match the filter.", &html! { a class="button" href=(path) { "Show all" } })) }
            @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                thead { tr {
                    th class="n" scope="col" { a href=(with(&query.show, "")) { "No." } } th scope="col" { "Item" }
                    @for measure in &page.measures { (sorted_head(measure, query, &with)) }
                    th scope="col" { "Outcome" }
                } }
                tbody { @for item in &page.items {
                    tr data-row {
                        td class="n sub" { (item.position + 1) }
                        td class="name" { a class="main" href={ (path) "/items/" (item.position + 1) } { bdi { (plain(&item.subject)) } } }
                        @for (measure, places) in page.measures.iter().zip(&places) { td class="n" data-name=(measure.replace('_', " ")) { (item.scores.get(measure).copied().flatten().map_or("–".to_owned(), |value| places.number(value))) } }
                        td class="sub" data-name="Outcome" { (plain(item.reason.as_deref().unwrap_or_else(|| item.outcome.as_deref().unwrap_or(&item.state)))) }
                    }
                } }
            } } }
            @if let Some(next) = &page.next {
                div class="pager" { span { "100 per page" } a class="button small" rel="next" href=(address(path, &[("version", &query.version), ("q", &query.q), ("show", &query.show), ("sort", &query.sort), ("after", next)])) { "Next →" } }
            }
        }
    }
}

fn sorted_head(measure: &str, query: &ItemsQuery, with: &dyn Fn(&str, &str) -> String) -> Markup {
    let down = format!("-{measure}");
    // The worst first is what people want to see; the second click turns it around.
    let (sort, next) = match query.sort.as_str() {
        sort if sort == measure => (Some("ascending"), down.as_str()),
        sort if sort == down => (Some("descending"), measure),
        _ => (None, measure),
    };
    html! { th class="n" scope="col" aria-sort=[sort] { a href=(with(&query.show, next)) { (measure.replace('_', " ")) @match sort { Some("ascending") => " ↑", Some(_) => " ↓", None => "" } } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_program_are_shown_as_words() {
        assert_eq!(spoken("BestSentence"), "best sentence");
        assert_eq!(spoken("Twin-Lock 3"), "Twin-Lock 3");
        assert_eq!((spoken("BM"), spoken("")), ("BM".into(), String::new()));
    }
}
