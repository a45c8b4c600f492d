//! Runs over time: which series there are, and a measure over the runs of one.

use assize_wire::runs::Difference;
use assize_wire::workplace::{SeriesPoint, SeriesRow, SeriesView, SetupChange};
use maud::{Markup, html};

use super::address::{address, encoded};
use super::parts::{Places, crumbs, empty, figure, grouped, head, plain, stats, verdict_class};
use super::runs::{run_address, run_title};
use crate::plots::{Moment, over_time};

/// Where a series is looked at.
pub(crate) fn series_address(id: &str) -> String {
    format!("/series/{}", encoded(id))
}

/// Every series.
pub fn list(all: &[SeriesRow]) -> Markup {
    let sub = html! { "Runs of one criteria set, one tag, or one name that counts on (nightly 1, nightly 2) form a series." };
    html! {
        (head("Over time", &sub, &html! {}))
        section class="box" {
            @if all.is_empty() { (empty("No series yet", "Run the same criteria set twice, or give runs a common tag: --tag nightly on the command line, or Edit on the page of a run.", &html! { a class="button" href="/runs" { "Runs" } })) }
            @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                thead { tr { th scope="col" { "Series" } th scope="col" { "What its runs share" } th class="n" scope="col" { "Runs" } th scope="col" { "Latest run" } th class="n" scope="col" { "Mean" } } }
                tbody { @for row in all { tr data-row {
                    td class="name" { a class="main" href=(series_address(&row.id)) { bdi { (plain(&row.name)) } } }
                    td class="sub" data-name="What its runs share" { (row.kind) ", " (row.latest.run.instrument) }
                    td class="n" data-name="Runs" { (row.runs) }
                    td data-name="Latest run" { a href=(run_address(&row.latest.run.instrument, row.latest.run.number)) { "#" (row.latest.run.number) } span class="sub" { " " (row.latest.run.created_at.format("%-d %b %Y")) } }
                    td class="n" data-name="Mean" { @match &row.latest.figure { Some(found) => { span class="sub" { (found.name.replace('_', " ")) " " } (figure(&row.latest.run.instrument, found)) } None => "–" } }
                } } }
            } } }
        }
    }
}

/// One series.
pub fn content(found: &SeriesView) -> Markup {
    let here = series_address(&found.id);
    let numbers: Vec<String> = found.points.iter().map(|one| one.run.number.to_string()).collect();
    let newest: Vec<(&str, &str)> =
        numbers.iter().rev().take(8).map(|number| ("run", number.as_str())).collect();
    let acts = html! {
        a class="button" href=(address(&format!("{here}/table.csv"), &[("measure", &found.measure)])) { "CSV" }
        @if newest.len() > 1 { a class="button" href=(address("/compare", &newest)) { "Leaderboard" } }
    };
    let sub = html! { (found.points.len()) " runs of one " (found.kind) ". Each is compared with the run before it over the items of both, as on the compare page." @if found.older > 0 { " " (grouped(found.older as u64)) " older runs are not shown." } };
    html! {
        (crumbs(&[("Over time", "/series".to_owned())], &found.name))
        (head(&found.name, &sub, &acts))
        div class="stack" {
            (at_a_glance(found))
            section class="box" id="chart" {
                header { h2 { (title(found)) ", 95 % intervals" } (measures(found, &here)) }
                div class="in scroll" tabindex="0" { (chart(found)) p class="sub" { "Vertical lines: the setup changed. Dashed: the baseline, #" (found.baseline) ". Red: clearly worse than the run before." } }
            }
            section class="box" id="runs" { header { h2 { "Runs" } } (table(found)) }
        }
    }
}

fn title(found: &SeriesView) -> String {
    format!("Mean {}", found.measure.replace('_', " "))
}

fn measures(found: &SeriesView, here: &str) -> Markup {
    html! {
        form class="row" method="get" action=(here) {
            label class="inline" for="measure" { "Measure" }
            select id="measure" name="measure" { @for name in &found.measures { option value=(name) selected[*name == found.measure] { (name.replace('_', " ")) } } }
            button class="button small" { "Show" }
        }
    }
}

/// One number format for all of a series.
fn places(found: &SeriesView) -> Places {
    let instrument = found.points.first().map_or("", |one| one.run.instrument.as_str());
    Places::for_figures(instrument, found.points.iter().map(|one| &one.figure))
}

fn at_a_glance(found: &SeriesView) -> Markup {
    let Some(last) = found.points.last() else { return html! {} };
    let places = places(found);
    let step = |step: Option<&Difference>| {
        html! { @match step {
            Some(step) => { (places.difference(step.difference)) " " small { (clearly(step)) } },
            None => "–",
        } }
    };
    let fell = html! { @match &last.step {
        Some(step) => { (step.worse) " " small { "of " (step.worse + step.same + step.better) } },
        None => "–",
    } };
    stats(&[
        ("Now".to_owned(), figure(&last.run.instrument, &last.figure)),
        (format!("Since the baseline, #{}", found.baseline), step(found.since_baseline.as_ref())),
        ("Since the run before".to_owned(), step(last.step.as_ref())),
        ("Items that fell since the run before".to_owned(), fell),
    ])
}

/// `clearly better`, `clearly worse`, `no clear difference`.
fn clearly(step: &Difference) -> String {
    if step.is_clear() { format!("clearly {}", step.verdict()) } else { step.verdict().to_owned() }
}

fn chart(found: &SeriesView) -> Markup {
    let places = places(found);
    let moment = |one: &SeriesPoint| {
        let marks: Vec<&str> = one.changes.iter().map(|change| change.what.as_str()).collect();
        Some(Moment {
            name: format!("#{}", one.run.number),
            value: one.figure.value?,
            interval: one.figure.interval,
            mark: marks.join(", "),
            is_worse: is_fall(one),
        })
    };
    let moments: Vec<Moment> = found.points.iter().filter_map(moment).collect();
    let base = found.points.iter().find(|one| one.run.number == found.baseline);
    let ends = moments.first().zip(moments.last());
    let fell = moments.iter().filter(|one| one.is_worse).count();
    let said = ends.map_or_else(String::new, |(first, last)| {
        format!(
            "{} of {} runs, from {} to {}; {fell} clearly worse than the run before. The table below has all numbers.",
            title(found),
            moments.len(),
            places.number(first.value),
            places.number(last.value)
        )
    });
    html! {
        @if moments.is_empty() { (empty("Nothing to draw", "No run of this series has this measure.", &html! {})) }
        @else { (over_time(&moments, base.and_then(|one| one.figure.value), &said)) }
    }
}

fn is_fall(one: &SeriesPoint) -> bool {
    one.step.as_ref().is_some_and(|step| step.verdict() == "worse")
}

fn table(found: &SeriesView) -> Markup {
    let places = places(found);
    html! {
        div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
            thead { tr { th scope="col" { "Run" } th scope="col" { "Date" } th class="n" scope="col" { "Mean" } th class="n" scope="col" { "95 % interval" } th class="n" scope="col" { "Mean − baseline’s" } th scope="col" { "Since the run before" } th scope="col" { "Changed" } } }
            tbody { @for (place, one) in found.points.iter().enumerate().rev() { tr data-row {
                td class="name" { a class="main" href=(run_address(&one.run.instrument, one.run.number)) { "#" (one.run.number) " " bdi { (run_title(&one.run)) } } @if one.run.number == found.baseline { " " span class="badge" { "baseline" } } }
                td class="sub" data-name="Date" { time datetime=(one.run.created_at.to_rfc3339()) { (one.run.created_at.format("%-d %b %Y, %H:%M")) } }
                td class="n" data-name="Mean" { (one.figure.value.map_or("–".to_owned(), |value| places.number(value))) }
                td class="n" data-name="95 % interval" { @match one.figure.interval { Some((low, high)) => { "[" (places.number(low)) ", " (places.number(high)) "]" } None => "–" } }
                td class="n" data-name="Mean − baseline’s" { (one.since_baseline.map_or("–".to_owned(), |value| places.difference(value))) }
                td data-name="Since the run before" { @match (&one.step, place.checked_sub(1)) {
                    (Some(step), Some(before)) => { (places.difference(step.difference)) " " (against(step, found.points[before].run.number, one.run.number)) }
                    _ => "–",
                } }
                td class="sub" data-name="Changed" { (setup(one)) }
            } } }
        } }
    }
}

/// What the test says, as a link to where it is seen item by item.
fn against(step: &Difference, before: i64, number: i64) -> Markup {
    let query = [("base", &*before.to_string()), ("with", &*number.to_string())];
    html! { a class=(verdict_class(step)) href=(address("/compare", &query)) { (clearly(step)) } }
}

fn setup(one: &SeriesPoint) -> String {
    let words: Vec<String> =
        one.changes.iter().map(|SetupChange { words, .. }| plain(words)).collect();
    let judge = one.run.judge.as_deref().map(plain).unwrap_or_default();
    if words.is_empty() { judge } else { words.join("; ") }
}

#[cfg(test)]
mod tests {
    use assize_wire::runs::RunEntry;
    use assize_wire::workplace::Figure;

    use super::super::tests::{HOSTILE, harmless, run};
    use super::*;

    #[test]
    fn a_series_shows_its_fall_in_the_chart_and_in_the_table() {
        let step = |difference: f64, p: f64| Difference {
            measure: "score".into(),
            first: 70.0,
            second: 70.0 + difference,
            difference,
            interval: None,
            p_randomization: Some(p),
            p_corrected: Some(p),
            better: 1,
            same: 2,
            worse: 9,
            moved: Vec::new(),
        };
        let point = |number: i64, mean: f64, step: Option<Difference>| SeriesPoint {
            run: RunEntry { number, ..run() },
            figure: Figure {
                name: "score".into(),
                value: Some(mean),
                interval: Some((mean - 2.0, mean + 2.0)),
                scored: 12,
                unscored: 0,
            },
            since_baseline: Some(mean - 70.0),
            changes: vec![SetupChange { what: HOSTILE.into(), words: HOSTILE.into() }],
            step,
        };
        let points = vec![
            point(1, 70.0, None),
            point(2, 62.5, Some(step(-7.5, 0.001))),
            point(3, 63.0, None),
        ];
        let found = SeriesView {
            id: "tag-compliance-a/b?".into(),
            name: HOSTILE.into(),
            kind: "tag".into(),
            measure: "score".into(),
            measures: vec!["score".into(), HOSTILE.into()],
            points,
            older: 4,
            baseline: 1,
            since_baseline: Some(step(-7.0, 0.2)),
        };
        let html = harmless(&content(&found));
        assert!(
            html.contains("clearly worse")
                && html.contains("−7.5")
                && html.contains("class=\"fell\"")
        );
        assert!(html.contains("no clear difference") && html.contains("[60.5, 64.5]"));
        assert!(html.contains("/series/tag-compliance-a%2Fb%3F/table.csv?measure=score"));
    }
}
