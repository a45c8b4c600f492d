//! Two or more runs: paired tests, what moved, what has no score on one side.

use assize_wire::number::{counted, difference, p_or_dash};
use assize_wire::runs::{Comparison, Difference, RunEntry};
use maud::{Markup, html};

use super::address::address;
use super::compared::item_address;
use super::parts::{crumbs, empty, head, number, plain, sentence};
use super::runs::{run_address, run_title};

/// Below this corrected p a difference is called one.
const ALPHA: f64 = 0.05;

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompareQuery {
    /// Only items that got worse, better, or all that moved: `worse`, `better`, empty.
    pub show: String,
}

/// Fewer than two are chosen: which runs there are; `problem` is why two could not be compared.
pub fn choose(runs: &[RunEntry], chosen: Option<i64>, problem: Option<&str>) -> Markup {
    let pair = suggested(runs, chosen);
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "Compare"))
        (head("Compare runs", &html! { "Choose two runs of the same instrument that share items." }, &html! {}))
        @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
        section class="box" {
            @if runs.len() < 2 { (empty("Nothing to compare yet", "You need at least two runs of the same instrument.", &html! { a class="button" href="/runs" { "Runs" } })) }
            @else { form class="in row" method="get" action="/compare" {
                @for ((name, words), place) in [("base", "Baseline"), ("with", "Compare with")].into_iter().zip(pair) {
                    div class="field" { label for=(name) { (words) } select id=(name) name=(name) {
                        @for run in runs { option value=(run.number) selected[Some(run.number) == place] { "#" (run.number) " " (run_title(run)) " (" (run.instrument) ")" } }
                    } }
                }
                button class="button main" { "Compare" }
            } }
        }
    }
}

/// A baseline and what is held against it: the run that is chosen, or else the latest, beside one
/// of its instrument. That is the marked baseline, or else the next older, or else the next newer.
fn suggested(runs: &[RunEntry], chosen: Option<i64>) -> [Option<i64>; 2] {
    let one = match chosen {
        Some(number) => runs.iter().find(|run| run.number == number),
        None => runs.first(),
    };
    let Some(one) = one else { return [None, None] };
    let others =
        || runs.iter().filter(|run| run.instrument == one.instrument && run.number != one.number);
    let marked = others().find(|run| run.baseline);
    let older = || others().filter(|run| run.number < one.number).max_by_key(|run| run.number);
    let newer = || others().min_by_key(|run| run.number);
    let Some(other) = marked.or_else(older).or_else(newer) else {
        return [None, Some(one.number)];
    };
    let mut pair = [one, other];
    pair.sort_by_key(|run| (!run.baseline, run.number));
    pair.map(|run| Some(run.number))
}

/// `#2 vs #1`.
pub fn title(base: &RunEntry, others: &[(RunEntry, Comparison)]) -> String {
    let numbers: Vec<String> = others.iter().map(|(run, _)| format!("#{}", run.number)).collect();
    format!("{} vs #{}", numbers.join(", "), base.number)
}

/// The whole content: the baseline, and each other run with what came of it.
pub fn content(base: &RunEntry, others: &[(RunEntry, Comparison)], query: &CompareQuery) -> Markup {
    let swap = others.first().filter(|_| others.len() == 1).map(|(run, _)| run.number);
    let acts = html! { @if let Some(other) = swap { a class="button" href=(address("/compare", &[("base", &other.to_string()), ("with", &base.number.to_string())])) { "Swap" } } };
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "Compare"))
        (head(&title(base, others), &html! { "Paired randomisation test with p-values corrected for multiple measures, and 95 % intervals. Baseline: " a href=(run_address(&base.instrument, base.number)) { "#" (base.number) " " bdi { (run_title(base)) } } "." }, &acts))
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
                span class="sub" { (counted(found.scored_in_both, "item", "items")) " scored in both runs" @if found.only_first > 0 { " · " (found.only_first) " only in the baseline" } @if found.only_second > 0 { " · " (found.only_second) " only in this run" } }
            }
            div class="scroll" tabindex="0" { table class="list" {
                thead { tr { th scope="col" { "Measure" } th class="n" scope="col" { "#" (base.number) } th class="n" scope="col" { "#" (run.number) } th class="n" scope="col" { "Difference" } th scope="col" { "Interval" } th class="n" scope="col" { "Corrected p" } th scope="col" { "Verdict" } th class="n" scope="col" { "Better / same / worse" } } }
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
            td { (whisker(one, widest, is_clear)) }
            td class="n" { (p_or_dash(one.p_corrected)) } td { span class=(class) { (words) } }
            td class="n sub" { (one.better) " / " (one.same) " / " (one.worse) }
        }
    }
}

/// The difference with its interval around the line of none.
fn whisker(one: &Difference, widest: f64, is_clear: bool) -> Markup {
    let Some((low, high)) = one.interval.filter(|_| widest > 0.0) else {
        return html! { span class="sub" { "–" } };
    };
    let at = |value: f64| format!("{:.1}", 100.0 + value / widest * 92.0);
    // Coloured by the corrected test, as the verdict beside it: the interval is not corrected.
    let class = match (is_clear, one.difference > 0.0) {
        (true, true) => "up",
        (true, false) => "down",
        (false, _) => "quiet",
    };
    let said = format!(
        "difference {}, interval {} to {}",
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
            header { div class="chips" { h2 { "Largest changes" } (chip("", "All")) (chip("worse", "Worse")) (chip("better", "Better")) } span class="sub" { "Open an item to see what changed in its text" } }
            @if rows.is_empty() { (empty("No changes", "Both runs give these items the same scores.", &html! {})) }
            @else { div class="scroll" tabindex="0" { table class="list" data-keys="rows" {
                thead { tr { th scope="col" { "Item" } th scope="col" { "Measure" } th class="n" scope="col" { "Before" } th class="n" scope="col" { "After" } th class="n" scope="col" { "Change" } } }
                tbody { @for (subject, measure, before, after) in rows {
                    tr data-row { th scope="row" dir="auto" { a class="main" href=(item_address(base, run.number, subject)) { (plain(subject)) } } td class="sub" { (measure.replace('_', " ")) } td class="n" { (number(before)) } td class="n" { (number(after)) } td class={ "n best " (if after < before { "bad" } else { "good" }) } { (difference(after - before)) } }
                } }
            } } }
        }
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
    use super::super::tests::run;
    use super::*;

    fn of(number: i64, instrument: &str, baseline: bool) -> RunEntry {
        RunEntry { number, instrument: instrument.to_owned(), baseline, ..run() }
    }

    #[test]
    fn the_older_run_is_the_baseline_unless_another_is_marked() {
        let runs =
            [of(4, "summary", false), of(2, "compliance", false), of(1, "compliance", false)];
        assert_eq!(suggested(&runs, Some(1)), [Some(1), Some(2)]);
        assert_eq!(suggested(&runs, Some(2)), [Some(1), Some(2)]);
        assert_eq!(suggested(&runs, None), [None, Some(4)], "no other of its instrument");
        assert_eq!(suggested(&[], None), [None, None]);
        let marked =
            [of(3, "compliance", true), of(2, "compliance", false), of(1, "compliance", false)];
        assert_eq!(suggested(&marked, Some(1)), [Some(3), Some(1)]);
    }
}
