//! A comparison as one self-contained page with plots.

use assize_engine::retrieval::compare::Pair;
use assize_page::number::{difference, score};
use assize_page::page;
use assize_page::plots::{Estimate, differences, intervals};
use maud::{Markup, html};

use super::view::{Mark, Section, View, effect, interval, p, value};

/// The whole page.
pub(super) fn render(view: &View<'_>) -> String {
    let content = html! {
        h1 { (view.setting.title) }
        @for line in &view.setting.lead { p { (line) } }
        p class="quiet" { (view.method()) "." }
        h2 { "Runs" }
        div class="scroll" { (runs(view)) }
        p class="small" { "▲ better and ▼ worse than the first run, corrected p below " (view.alpha) ". The best of each column is bold." }
        (interval_plots(view))
        @for section in &view.setting.sections { (further(section)) }
        h2 { "Pairs" }
        div class="scroll" { (pairs(view)) }
        h2 { "Query by query" }
        p class="small" { "Each bar is one query's difference, sorted; above the line the run is better. Below it, the queries that moved most." }
        @for pair in &view.comparison.pairs { (pair_panel(view, pair)) }
    };
    page(&view.setting.title, &content)
}

fn further(section: &Section) -> Markup {
    html! {
        h2 { (section.title) }
        div class="scroll" { table {
            thead { tr { th { "run" } @for column in &section.columns { th class="n" { (column) } } } }
            tbody {
                @for (run, values) in &section.rows {
                    tr {
                        td { (run) }
                        @for (column, value) in values.iter().enumerate() {
                            td class="n" { span class=(if section.is_best(column, *value) { "best" } else { "" }) { (score(*value)) } }
                        }
                    }
                }
            }
        } }
        p class="small" { (section.note) }
    }
}

fn runs(view: &View<'_>) -> Markup {
    html! {
        table {
            thead { tr { th { "run" } @for measure in view.measures() { th class="n" { (measure) } } } }
            tbody {
                @for (index, run) in view.comparison.runs.iter().enumerate() {
                    tr {
                        td { (run.name) }
                        @for (measure, score) in run.scores.iter().enumerate() {
                            td class="n" {
                                span class=(if view.is_best(run, measure) { "best" } else { "" }) { (value(score)) }
                                " " (mark(view.mark_against_first(index, measure)))
                                div class="small" { (interval(score.interval)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn mark(mark: Mark) -> Markup {
    let class = match mark {
        Mark::Better => "good",
        Mark::Worse => "bad",
        Mark::None => return html! {},
    };
    html! { span class=(class) { (mark.sign()) } }
}

fn interval_plots(view: &View<'_>) -> Markup {
    let measures = view.measures();
    html! {
        div class="two" {
            @for (index, measure) in measures.iter().enumerate() {
                @let estimates: Vec<Estimate> = estimates(view, index);
                @if !estimates.is_empty() {
                    figure {
                        h3 { (measure) }
                        (intervals(&estimates, false))
                    }
                }
            }
        }
        figcaption { "A dot is the mean over queries, the line its bootstrap interval. Overlapping lines do not mean that two runs are equal: the paired tests below are sharper." }
    }
}

fn estimates(view: &View<'_>, measure: usize) -> Vec<Estimate> {
    let runs = view.comparison.runs.iter();
    runs.filter_map(|run| {
        let score = &run.scores[measure];
        let (low, high) = score.interval?;
        Some(Estimate { name: run.name.clone(), value: score.value, low, high })
    })
    .collect()
}

fn pairs(view: &View<'_>) -> Markup {
    let measures = view.measures();
    let several = view.options.all_pairs;
    html! {
        table {
            thead { tr {
                th { "measure" } th { "run" } @if several { th { "against" } }
                th class="n" { "difference" } th class="n" { "interval" } th class="n" { "win/tie/loss" } th class="n" { "corrected p" } th class="n" { "effect" }
                th class="n" { "randomisation" } th class="n" { "t" } th class="n" { "Wilcoxon" } th class="n" { "bootstrap" }
            } }
            tbody {
                @for pair in &view.comparison.pairs {
                    tr {
                        td { (measures[pair.measure]) } td { (view.run(pair.run)) } @if several { td { (view.run(pair.baseline)) } }
                        td class="n" { (difference(pair.difference)) " " (mark(view.mark(pair))) }
                        td class="n" { (interval(pair.interval)) }
                        td class="n" { (pair.wins) "/" (pair.ties) "/" (pair.losses) }
                        td class="n" { (p(pair.corrected)) } td class="n" { (effect(pair.effect)) }
                        td class="n" { (p(pair.tests.randomization)) } td class="n" { (p(pair.tests.t)) }
                        td class="n" { (p(pair.tests.wilcoxon)) } td class="n" { (p(pair.tests.bootstrap)) }
                    }
                }
            }
        }
        @if !several { p class="small" { "Against " (view.run(0)) ", the first run. Effect is the mean difference in standard deviations of the differences." } }
    }
}

fn pair_panel(view: &View<'_>, pair: &Pair) -> Markup {
    if pair.moved.is_empty() && pair.wins + pair.losses == 0 {
        return html! { div class="panel quiet" { (view.measures()[pair.measure]) ": " (view.run(pair.run)) " and " (view.run(pair.baseline)) " give the same value on every query." } };
    }
    html! {
        details class="panel" open {
            summary { (view.measures()[pair.measure]) ": " (view.run(pair.run)) " against " (view.run(pair.baseline)) }
            (differences(&pair.differences))
            @if !pair.moved.is_empty() {
                div class="scroll" { table {
                    thead { tr { th class="n" { "change" } th class="n" { "before" } th class="n" { "after" } th { "query" } } }
                    tbody {
                        @for moved in &pair.moved {
                            tr {
                                td class="n" { (difference(moved.after - moved.before)) }
                                td class="n" { (format!("{:.4}", moved.before)) } td class="n" { (format!("{:.4}", moved.after)) }
                                td class="text" { (moved.query) }
                            }
                        }
                    }
                } }
            }
        }
    }
}
