//! A comparison as one self-contained page with plots.

use assize_wire::number::{difference, effect, interval, p_or_dash, score};
use assize_wire::retrieval::{Comparison, Mark, Pair, Table};
use maud::{Markup, html};

use crate::page;
use crate::plots::{Estimate, differences, intervals};

/// The whole page.
pub fn render(comparison: &Comparison) -> String {
    let content = html! {
        h1 { (comparison.title) }
        @for line in &comparison.lead { p { (line) } }
        p class="quiet" { (comparison.method) "." }
        h2 { "Runs" }
        div class="scroll" tabindex="0" { (runs(comparison)) }
        p class="small" { "▲ better and ▼ worse than the first run, with a corrected p below " (comparison.alpha) ". The best value in each column is bold." }
        (interval_plots(comparison))
        @for table in &comparison.tables { (further(table)) }
        h2 { "Pairs" }
        div class="scroll" tabindex="0" { (pairs(comparison)) }
        h2 { "Query by query" }
        p class="small" { "Each bar is the difference for one query, sorted; above the line the run is better. The queries that changed most are listed below." }
        @for pair in &comparison.pairs { (pair_panel(pair)) }
    };
    page(&comparison.title, &content)
}

fn further(found: &Table) -> Markup {
    html! {
        h2 { (found.title) }
        div class="scroll" tabindex="0" { table {
            thead { tr { th { "run" } @for column in found.columns() { th class="n" { (column) } } } }
            tbody {
                @for row in &found.runs {
                    tr {
                        td { (row.run) }
                        @for (column, (_, value)) in row.values.0.iter().enumerate() {
                            td class="n" { span class=(if found.is_best(column, *value) { "best" } else { "" }) { (score(*value)) } }
                        }
                    }
                }
            }
        } }
        p class="small" { (found.note) }
    }
}

fn runs(comparison: &Comparison) -> Markup {
    html! {
        table {
            thead { tr { th { "run" } @for measure in comparison.measures() { th class="n" { (measure) } } } }
            tbody {
                @for (index, run) in comparison.runs.iter().enumerate() {
                    tr {
                        td { (run.name) }
                        @for (column, (measure, score)) in run.scores.0.iter().enumerate() {
                            td class="n" {
                                span class=(if comparison.is_best(score.value, column) { "best" } else { "" }) { (score.shown()) }
                                " " (mark(comparison.mark_against_first(index, measure)))
                                div class="small" { (interval(score.interval())) }
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

fn interval_plots(comparison: &Comparison) -> Markup {
    let measures = comparison.measures();
    html! {
        div class="two" {
            @for (index, measure) in measures.iter().enumerate() {
                @let estimates: Vec<Estimate> = estimates(comparison, index);
                @if !estimates.is_empty() {
                    figure {
                        h3 { (measure) }
                        (intervals(&estimates, false))
                    }
                }
            }
        }
        figcaption { "Dots are means over queries, lines are bootstrap intervals. Overlapping lines do not mean that two runs are equal: the paired tests below are more sensitive." }
    }
}

fn estimates(comparison: &Comparison, measure: usize) -> Vec<Estimate> {
    let runs = comparison.runs.iter();
    runs.filter_map(|run| {
        let (_, score) = run.scores.0.get(measure)?;
        let (low, high) = score.interval()?;
        Some(Estimate { name: run.name.clone(), value: score.value, low, high })
    })
    .collect()
}

fn pairs(comparison: &Comparison) -> Markup {
    let several = comparison.is_all_pairs;
    html! {
        table {
            thead { tr {
                th { "measure" } th { "run" } @if several { th { "compared with" } }
                th class="n" { "difference" } th class="n" { "interval" } th class="n" { "win/tie/loss" } th class="n" { "corrected p" } th class="n" { "effect" }
                th class="n" { "randomisation" } th class="n" { "t" } th class="n" { "Wilcoxon" } th class="n" { "bootstrap" }
            } }
            tbody {
                @for pair in &comparison.pairs {
                    tr {
                        td { (pair.measure) } td { (pair.run) } @if several { td { (pair.baseline) } }
                        td class="n" { (difference(pair.difference)) " " (mark(pair.mark)) }
                        td class="n" { (interval(pair.ends())) }
                        td class="n" { (pair.wins) "/" (pair.ties) "/" (pair.losses) }
                        td class="n" { (p_or_dash(pair.p.corrected)) } td class="n" { (effect(pair.effect)) }
                        td class="n" { (p_or_dash(pair.p.randomization)) } td class="n" { (p_or_dash(pair.p.t)) }
                        td class="n" { (p_or_dash(pair.p.wilcoxon)) } td class="n" { (p_or_dash(pair.p.bootstrap)) }
                    }
                }
            }
        }
        @if !several { p class="small" { "Compared with " (comparison.runs.first().map_or("", |run| &run.name)) ", the first run. Effect is the mean difference divided by the standard deviation of the differences." } }
    }
}

fn pair_panel(pair: &Pair) -> Markup {
    if pair.moved.is_empty() && pair.wins + pair.losses == 0 {
        return html! { div class="panel quiet" { (pair.measure) ": " (pair.run) " and " (pair.baseline) " give the same value on every query." } };
    }
    html! {
        details class="panel" open {
            summary { (pair.measure) ": " (pair.run) " compared with " (pair.baseline) }
            (differences(&pair.differences))
            @if !pair.moved.is_empty() {
                div class="scroll" tabindex="0" { table {
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
