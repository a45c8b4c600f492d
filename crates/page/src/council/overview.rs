//! The ranking, the reviewers and the dimensions at a glance.

use assize_methods::council::verdict::{AnswerVerdict, Cell as Reviewed, ReviewerVerdict};
use assize_methods::council::{CouncilVerdict, Dimension};
use maud::{Markup, html};

use super::words::{place, score, signed};
use super::{Place, Profile, dimensions, ranking as places};
use crate::plots::{Cell, Matrix, matrix};

const BEST: f64 = 10.0;
const WORST_MARK: f64 = 1.0;

/// The answers in their order, those without a place last.
pub(super) fn order(verdict: &CouncilVerdict) -> Vec<usize> {
    let unranked = (0..verdict.answers.len()).filter(|index| !verdict.ranking.contains(index));
    verdict.ranking.iter().copied().chain(unranked).collect()
}

/// The letter of an answer on this page, by its place in the order.
pub(super) fn letter(index: usize) -> String {
    let letter = u32::try_from(index).ok().and_then(|index| char::from_u32(u32::from('A') + index));
    letter.filter(char::is_ascii_uppercase).map_or_else(|| (index + 1).to_string(), String::from)
}

pub(super) fn ranking(verdict: &CouncilVerdict) -> Markup {
    let rows: Vec<Place> = order(verdict)
        .into_iter()
        .map(|index| {
            let answer = &verdict.answers[index];
            Place {
                rank: place(answer),
                name: answer.model.clone(),
                score: answer.score.as_ref().map(|score| score.value),
                interval: answer.interval.map(|range| (range.low, range.high)),
                note: note(answer),
                is_failed: answer.gate_passed == Some(false),
                leads_to: format!("answer-{index}"),
            }
        })
        .collect();
    html! {
        h2 { "Ranking" }
        (places(&rows, BEST))
        (uncertainty(verdict))
    }
}

fn note(answer: &AnswerVerdict) -> String {
    if let Some(reason) = &answer.missing {
        return reason.clone();
    }
    let moved: Vec<&str> = answer.moved.iter().take(2).map(|moved| moved.words.as_str()).collect();
    moved.join("; ")
}

fn uncertainty(verdict: &CouncilVerdict) -> Markup {
    let uncertainty = &verdict.uncertainty;
    let Some(same) = uncertainty.same_winner else { return html! {} };
    let names = |winners: &[usize]| {
        let named = winners.iter().filter_map(|index| verdict.answers.get(*index));
        named.map(|answer| answer.model.as_str()).collect::<Vec<_>>().join(" and ")
    };
    html! {
        p class="small" {
            "Whiskers show the 95 % interval when reviewers are resampled. The same answer wins in " (format!("{:.0}", same * 100.0)) " % of "
            (uncertainty.resamples) " resamples. "
            @if uncertainty.methods_agree { "All counting methods agree on the winner." }
        }
        @if !uncertainty.methods_agree {
            details class="folded panel" {
                summary { "Other counting methods pick a different winner" }
                table { tbody { @for (method, winners) in &uncertainty.winners { tr { td { (method.name()) } td { (names(winners)) } } } } }
            }
        }
    }
}

pub(super) fn reviewers(verdict: &CouncilVerdict) -> Markup {
    if verdict.reviewers.is_empty() {
        return html! {};
    }
    let order = order(verdict);
    let columns = order.iter().map(|index| html! { (verdict.answers[*index].model) }).collect();
    let row = |(reviewer, cells): (&ReviewerVerdict, &Vec<Option<Reviewed>>)| {
        let cell = |index: &usize| cells.get(*index).and_then(Option::as_ref).map(shown);
        (
            html! { (reviewer.model) },
            order.iter().map(|index| cell(index).unwrap_or_default()).collect(),
        )
    };
    let rows = verdict.reviewers.iter().zip(&verdict.table).map(row).collect();
    let scale = (WORST_MARK, BEST);
    let marks = Matrix { corner: "reviewer".to_owned(), columns, rows, scale, places: 2 };
    html! {
        h2 { "Scores by reviewer" }
        (matrix(&marks))
        p class="small" { "Scores after the accuracy ceiling. Each reviewer saw the answers without names and in a different order." }
        (conduct(verdict))
    }
}

fn shown(cell: &Reviewed) -> Cell {
    let mut notes = Vec::new();
    if cell.own {
        notes.push("own answer".to_owned());
    } else if let Some(reason) = &cell.not_counted {
        notes.push(reason.clone());
    }
    let overall = cell.overall.as_ref().map(|overall| overall.value);
    if let (Some(base), Some(overall)) = (cell.base, overall)
        && score(base) != score(overall)
    {
        notes.push(format!("{} before the ceiling", score(base)));
    }
    let marks: Vec<String> =
        cell.marks.iter().map(|(dimension, mark)| format!("{dimension} {mark}")).collect();
    let title = format!("{}. {}", marks.join(", "), cell.notes);
    let class = if cell.not_counted.is_none() { "" } else { "uncounted" };
    Cell { value: overall, class, note: notes.join(", "), title }
}

/// How the reviewers behaved.
fn conduct(verdict: &CouncilVerdict) -> Markup {
    let percent = |value: Option<f64>| {
        value.map_or("–".to_owned(), |value| format!("{:.0} %", value * 100.0))
    };
    html! {
        div class="scroll" tabindex="0" { table {
            thead { tr { th { "reviewer" } th class="n" { "counted" } th class="n" { "leniency" } th class="n" { "single score only" } th class="n" { "wrong totals" } th class="n" { "own ranking (tau)" } } }
            tbody { @for reviewer in &verdict.reviewers { tr {
                td dir="auto" { (reviewer.model) }
                td class="n" { (reviewer.reviews_counted) }
                td class="n" { (reviewer.leniency.map_or("–".to_owned(), signed)) }
                td class="n" { (percent(reviewer.fallback_rate)) }
                td class="n" { (percent(reviewer.miscalculation_rate)) }
                td class="n" { (reviewer.stated_ranking_tau.map_or("–".to_owned(), signed)) }
            } } }
        } }
        @for reviewer in &verdict.reviewers {
            @if let Some((_, because)) = &reviewer.abstained { p class="warn" { b { (reviewer.model) } " abstained: " (because) } }
            @if reviewer.truncated { p class="small" { (reviewer.model) ": the reply was cut off." } }
            @if !reviewer.repairs.is_empty() { p class="small" { (reviewer.model) ": repaired before reading: " (reviewer.repairs.join(", ")) "." } }
        }
    }
}

pub(super) fn dimension_plot(verdict: &CouncilVerdict) -> Markup {
    let counting: Vec<Dimension> =
        verdict.profile.weights.counting().map(|(dimension, _)| dimension).collect();
    let profiles: Vec<Profile> = order(verdict)
        .into_iter()
        .enumerate()
        .map(|(position, index)| {
            let answer = &verdict.answers[index];
            let marks = counting.iter().map(|dimension| answer.marks.get(dimension).copied());
            Profile { letter: letter(position), name: answer.model.clone(), marks: marks.collect() }
        })
        .filter(|profile| profile.marks.iter().any(Option::is_some))
        .collect();
    if profiles.is_empty() {
        return html! {};
    }
    let names: Vec<String> = counting.iter().map(ToString::to_string).collect();
    html! {
        h2 { "Dimensions" }
        (dimensions(&names, &profiles, WORST_MARK, BEST))
    }
}
