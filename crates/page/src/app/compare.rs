//! Two or more runs: paired tests, what moved, what has no score on one side.

use std::collections::BTreeMap;

use assize_wire::number::{counted, p_or_dash};
use assize_wire::runs::{Comparison, Difference, RunEntry};
use assize_wire::workplace::{Figure, SetupChange};
use maud::{Markup, html};

use super::address::address;
use super::compared::item_address;
use super::parts::{Places, crumbs, empty, figure_with, head, plain, sentence, verdict_class};
use super::runs::{run_address, run_label};
use crate::plots::whisker;

/// Rows of what moved that are shown.
const MOVED_SHOWN: usize = 25;

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompareQuery {
    /// Only items that got worse, better, or all that moved: `worse`, `better`, empty.
    pub show: String,
}

/// Fewer than two are chosen: which pairs are worth it, and which runs there are; `problem` is why
/// two could not be compared.
pub fn choose(
    runs: &[RunEntry],
    pairs: &[[i64; 2]],
    chosen: Option<i64>,
    problem: Option<&str>,
) -> Markup {
    let first = pairs.first().copied();
    let picked = [first.map(|pair| pair[0]).or(chosen), first.map(|pair| pair[1])];
    let entry = |number: i64| runs.iter().find(|run| run.number == number);
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "Compare"))
        (head("Compare runs", &html! { "Two runs of the same instrument that share items, or several from the list of runs." }, &html! {}))
        @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
        div class="stack" {
            @if !pairs.is_empty() { section class="box" id="proposed" {
                header { h2 { "Proposed" } span class="sub" { "The baseline and the newest come first" } }
                ul class="attention in" { @for [base, with] in pairs { @if let (Some(first), Some(second)) = (entry(*base), entry(*with)) {
                    li { a class="main" href=(address("/compare", &[("base", &base.to_string()), ("with", &with.to_string())])) { (run_label(second)) } span class="sub" { "with " (run_label(first)) @if first.baseline { " (baseline)" } } }
                } } }
            } }
            section class="box" {
                @if runs.len() < 2 { (empty("Nothing to compare yet", "You need at least two runs of the same instrument.", &html! { a class="button" href="/runs" { "Runs" } })) }
                @else { form class="in row" method="get" action="/compare" {
                    @for ((name, words), place) in [("base", "Baseline"), ("with", "Compare with")].into_iter().zip(picked) {
                        div class="field" { label for=(name) { (words) } select id=(name) name=(name) required {
                            @if place.is_none() { option value="" { "Choose a run" } }
                            @for run in runs { option value=(run.number) selected[Some(run.number) == place] { (run_label(run)) } }
                        } }
                    }
                    button class="button main" { "Compare" }
                } }
            }
        }
    }
}

/// A run that is held against the baseline.
#[derive(Debug)]
pub struct Compared {
    /// The run.
    pub run: RunEntry,
    /// What came of it.
    pub found: Comparison,
    /// Why items differ.
    pub reasons: BTreeMap<String, Vec<String>>,
    /// What it was set up with otherwise.
    pub changes: Vec<SetupChange>,
}

/// A row of the leaderboard: a run with the means of its measures.
pub type BoardRow = (RunEntry, Vec<Figure>);

/// What moved by one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedRow<'a> {
    /// The item.
    pub subject: &'a str,
    measure: &'a str,
    before: f64,
    after: f64,
    places: Places,
}

/// What moved, what got worse first: it is what a person has to look at. Measures on different
/// scales are put in order by the share of their scale.
pub fn moved_rows<'a>(
    instrument: &str,
    found: &'a Comparison,
    query: &CompareQuery,
) -> Vec<MovedRow<'a>> {
    let mut rows: Vec<MovedRow<'a>> = Vec::new();
    for one in &found.measures {
        let values = one.moved.iter().flat_map(|moved| [moved.before, moved.after]);
        let places = Places::of(instrument, values.chain([one.first, one.second]));
        rows.extend(one.moved.iter().map(|moved| MovedRow {
            subject: &moved.subject,
            measure: &one.measure,
            before: moved.before,
            after: moved.after,
            places,
        }));
    }
    rows.retain(|row| match query.show.as_str() {
        "worse" => row.after < row.before,
        "better" => row.after > row.before,
        _ => row.after != row.before,
    });
    let change = |row: &MovedRow<'_>| (row.after - row.before) / row.places.scale();
    rows.sort_by(|left, right| {
        change(left).total_cmp(&change(right)).then(left.subject.cmp(right.subject))
    });
    if query.show == "better" {
        rows.reverse();
    }
    rows.truncate(MOVED_SHOWN);
    rows
}

/// `#2 vs #1`.
pub fn title(base: &RunEntry, others: &[Compared]) -> String {
    let numbers: Vec<String> = others.iter().map(|one| format!("#{}", one.run.number)).collect();
    format!("{} vs #{}", numbers.join(", "), base.number)
}

/// The whole content: the baseline, and each other run with what came of it.
pub fn content(
    base: &RunEntry,
    others: &[Compared],
    board: &[BoardRow],
    query: &CompareQuery,
) -> Markup {
    let swap = others.first().filter(|_| others.len() == 1).map(|one| one.run.number);
    let acts = html! {
        @if let Some(other) = swap { a class="button" href=(address("/compare", &[("base", &other.to_string()), ("with", &base.number.to_string())])) { "Swap" } }
        a class="button" href="/runs" { "Add a run" }
    };
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "Compare"))
        (head(&title(base, others), &html! { "Paired randomisation test with p-values corrected for multiple measures, and 95 % intervals. Baseline: " a href=(run_address(&base.instrument, base.number)) { bdi { (run_label(base)) } } "." }, &acts))
        div class="stack" {
            @if others.len() > 1 { (leaderboard(base, others, board)) }
            @for one in others { (beside(base, one, query)) }
        }
    }
}

/// Several runs by all measures, the best first, and which differences from the baseline are clear.
fn leaderboard(base: &RunEntry, others: &[Compared], board: &[BoardRow]) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for one in board.iter().flat_map(|(_, figures)| figures) {
        if !names.contains(&one.name.as_str()) {
            names.push(&one.name);
        }
    }
    let against = |run: &RunEntry, name: &str| {
        let compared = others.iter().find(|one| one.run.number == run.number)?;
        compared.found.measures.iter().find(|one| one.measure == name)
    };
    let column = |name: &str| {
        let figures = board.iter().flat_map(|(_, figures)| figures);
        Places::for_figures(&base.instrument, figures.filter(|one| one.name == name))
    };
    html! {
        section class="box" id="leaderboard" {
            header { h2 { "Leaderboard" } span class="sub" { "▲ clearly better, ▼ clearly worse than the baseline, #" (base.number) } }
            div class="scroll" tabindex="0" { table class="list" {
                thead { tr { th scope="col" { "Run" } @for name in &names { th class="n" scope="col" { (name.replace('_', " ")) } } } }
                tbody { @for (run, figures) in board { tr {
                    th scope="row" { a class="main" href=(run_address(&run.instrument, run.number)) { bdi { (run_label(run)) } } @if run.number == base.number { " " span class="badge" { "baseline" } } }
                    @for name in &names { td class="n" {
                        @match figures.iter().find(|one| one.name == *name) { Some(one) => (figure_with(column(name), one)), None => "–" }
                        @match against(run, name).filter(|one| one.is_clear()).map(Difference::verdict) {
                            Some("better") => span class="good" title="clearly better than the baseline" { " ▲" },
                            Some(_) => span class="bad" title="clearly worse than the baseline" { " ▼" },
                            None => {},
                        }
                    } }
                } } }
            } }
        }
    }
}

fn beside(base: &RunEntry, one: &Compared, query: &CompareQuery) -> Markup {
    let Compared { run, found, changes, .. } = one;
    let widest = found
        .measures
        .iter()
        .filter_map(|one| one.interval)
        .flat_map(|(low, high)| [low.abs(), high.abs()])
        .fold(0.0, f64::max);
    html! {
        section class="box" {
            header {
                h2 { (run_label(run)) }
                span class="sub" { (counted(found.scored_in_both, "item", "items")) " scored in both runs" @if found.only_first > 0 { " · " (found.only_first) " only in the baseline" } @if found.only_second > 0 { " · " (found.only_second) " only in this run" } }
            }
            @if !changes.is_empty() { p class="in sub" { "Set up otherwise: " (changes.iter().map(|one| plain(&one.words)).collect::<Vec<_>>().join("; ")) "." } }
            div class="scroll" tabindex="0" { table class="list stack-phone" {
                thead { tr { th scope="col" { "Measure" } th class="n" scope="col" { "#" (base.number) } th class="n" scope="col" { "#" (run.number) } th class="n" scope="col" { "Difference" } th scope="col" { "Interval" } th class="n" scope="col" { "Corrected p" } th scope="col" { "Verdict" } th class="n" scope="col" { "Better / same / worse" } } }
                tbody { @for measure in &found.measures { (measure_row(base, run, measure, widest)) } }
            } }
        }
        (moved(base.number, one, query))
        (one_sided(found))
    }
}

fn measure_row(base: &RunEntry, run: &RunEntry, one: &Difference, widest: f64) -> Markup {
    let places = Places::of(&run.instrument, [one.first, one.second]);
    let name = |run: &RunEntry| format!("#{}", run.number);
    html! {
        tr {
            th scope="row" { (one.measure.replace('_', " ")) }
            td class="n" data-name=(name(base)) { (places.number(one.first)) } td class="n" data-name=(name(run)) { (places.number(one.second)) } td class="n best" data-name="Difference" { (places.difference(one.difference)) }
            td data-name="Interval" { (interval(places, one, widest)) }
            td class="n" data-name="Corrected p" { (p_or_dash(one.p_corrected)) } td { span class=(verdict_class(one)) { (one.verdict()) } }
            td class="n sub" data-name="Better / same / worse" { (one.better) " / " (one.same) " / " (one.worse) }
        }
    }
}

/// The interval of a difference as a drawing and in numbers.
fn interval(places: Places, one: &Difference, widest: f64) -> Markup {
    let Some((low, high)) = one.interval.filter(|_| widest > 0.0) else {
        return html! { span class="sub" { "–" } };
    };
    // Coloured by the corrected test, as the verdict beside it: the interval is not corrected.
    let class = match (one.is_clear(), one.difference > 0.0) {
        (true, true) => "up",
        (true, false) => "down",
        (false, _) => "quiet",
    };
    let [value, from, to] = [one.difference, low, high].map(|value| places.difference(value));
    html! {
        (whisker(one.difference, (low, high), widest, class, &format!("difference {value}, interval {from} to {to}")))
        small class="sub" { "[" (from) ", " (to) "]" }
    }
}

fn moved(base: i64, one: &Compared, query: &CompareQuery) -> Markup {
    let Compared { run, found, reasons, .. } = one;
    let rows = moved_rows(&run.instrument, found, query);
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
            header { div class="chips" { h2 { "What changed, worst first" } (chip("", "All")) (chip("worse", "Worse")) (chip("better", "Better")) } div class="chips" { span class="sub" { "Open an item to see both texts" } a class="button small" href=(address("/compare/moved.csv", &[("base", &base.to_string()), ("with", &run.number.to_string())])) { "CSV of all" } } }
            @if rows.is_empty() { (empty("No changes", "Both runs give these items the same scores.", &html! {})) }
            @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                thead { tr { th scope="col" { "Item" } th scope="col" { "Measure" } th class="n" scope="col" { "Before" } th class="n" scope="col" { "After" } th class="n" scope="col" { "Change" } th scope="col" { "Reason" } } }
                tbody { @for row in rows {
                    tr data-row {
                        th scope="row" dir="auto" { a class="main" href=(item_address(base, run.number, row.subject)) { (plain(row.subject)) } }
                        td class="sub" data-name="Measure" { (row.measure.replace('_', " ")) } td class="n" data-name="Before" { (row.places.number(row.before)) } td class="n" data-name="After" { (row.places.number(row.after)) }
                        td class={ "n best " (if row.after < row.before { "bad" } else { "good" }) } data-name="Change" { (row.places.difference(row.after - row.before)) }
                        td class="sub long" data-name="Reason" dir="auto" { (why(reasons.get(row.subject).map_or(&[], Vec::as_slice))) }
                    }
                } }
            } } }
        }
    }
}

/// The reasons of a change, one a line; a dash where only the number is known.
pub(crate) fn why(reasons: &[String]) -> Markup {
    html! {
        @if reasons.is_empty() { "–" }
        @for (place, reason) in reasons.iter().enumerate() { @if place > 0 { br; } (plain(reason)) }
    }
}

fn one_sided(found: &Comparison) -> Markup {
    html! {
        @if !found.became_unscored.is_empty() || !found.became_scored.is_empty() {
            section class="box" {
                header { h2 { "Scored in only one run" } span class="sub" { "Not included in the figures above" } }
                div class="in" { ul class="attention" {
                    @for one in &found.became_unscored { li { bdi { (plain(&one.subject)) } span class="sub" { "no longer has a score: " (plain(&one.reason)) } } }
                    @for subject in &found.became_scored { li { bdi { (plain(subject)) } span class="sub" { "now has a score" } } }
                } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_wire::runs::Moved;

    use super::*;

    fn measure(name: &str, moved: &[(&str, f64, f64)]) -> Difference {
        let moved = moved.iter().map(|(subject, before, after)| Moved {
            subject: (*subject).to_owned(),
            before: *before,
            after: *after,
        });
        Difference {
            measure: name.to_owned(),
            first: 0.0,
            second: 0.0,
            difference: 0.0,
            interval: None,
            p_randomization: None,
            p_corrected: None,
            better: 0,
            same: 0,
            worse: 0,
            moved: moved.collect(),
        }
    }

    #[test]
    fn the_greatest_loss_comes_first_whatever_the_scale() {
        let measures = vec![
            measure("score", &[("a", 80.0, 75.0), ("b", 20.0, 60.0)]),
            measure("ndcg", &[("c", 0.9, 0.4)]),
        ];
        let found = Comparison {
            runs: vec!["#1".into(), "#2".into()],
            shared: 3,
            scored_in_both: 3,
            only_first: 0,
            only_second: 0,
            measures,
            became_unscored: Vec::new(),
            became_scored: Vec::new(),
            unpaired: Vec::new(),
        };
        let shown = |show: &str| {
            let query = CompareQuery { show: show.to_owned() };
            moved_rows("retrieval", &found, &query)
                .iter()
                .map(|row| row.subject)
                .collect::<Vec<_>>()
        };
        // -0.5 of 1, -5 of 100, +40 of 100
        assert_eq!(shown(""), ["c", "a", "b"]);
        assert_eq!((shown("worse"), shown("better")), (vec!["c", "a"], vec!["b"]));
    }
}
