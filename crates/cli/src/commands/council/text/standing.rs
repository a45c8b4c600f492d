//! Who came in which place, and how sure that is.

use std::fmt::Write;

use assize_methods::council::verdict::AnswerVerdict;
use assize_methods::council::{CouncilVerdict, Dimension};
use assize_page::council::words::{place, score};

use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, quiet, strong};

const NAME_CHARACTERS_MAX: usize = 40;
const REASON_CHARACTERS_MAX: usize = 100;

/// The answers in their order, those without a place last.
pub(super) fn ranking(verdict: &CouncilVerdict) -> String {
    let has_strength = verdict.answers.iter().any(|answer| answer.strength.is_some());
    let mut headings = columns("#rank | answer | #score | 95 %");
    if has_strength {
        headings.push(numbers(verdict.aggregation.name()));
    }
    headings.extend(columns("#before caps | #reviews | "));
    let unranked = (0..verdict.answers.len()).filter(|index| !verdict.ranking.contains(index));
    let order = verdict.ranking.iter().copied().chain(unranked);
    let rows = order.filter_map(|index| {
        let answer = verdict.answers.get(index)?;
        let shown = |value: Option<f64>| value.map_or("–".to_owned(), score);
        let mut row = vec![
            place(answer),
            one_line(&answer.model, NAME_CHARACTERS_MAX),
            shown(answer.score.as_ref().map(|score| score.value)),
            answer.interval.map_or(String::new(), |range| {
                format!("{} – {}", score(range.low), score(range.high))
            }),
        ];
        if has_strength {
            row.push(answer.strength.map_or("–".to_owned(), |value| format!("{value:.3}")));
        }
        row.extend([shown(answer.base), answer.reviews_counted.to_string(), remark(answer)]);
        Some(row)
    });
    table(&headings, rows.collect())
}

fn remark(answer: &AnswerVerdict) -> String {
    if let Some(reason) = &answer.missing {
        return one_line(reason, REASON_CHARACTERS_MAX);
    }
    let mut remarks = Vec::new();
    if answer.gate_passed == Some(false) {
        remarks.push("fails the safety gate".to_owned());
    }
    if answer.rank.is_none() {
        remarks.push("no review counts".to_owned());
    }
    if answer.reviews_holistic > 0 {
        remarks.push(format!("{} with only an overall score", answer.reviews_holistic));
    }
    remarks.join("; ")
}

/// The marks of all reviewers taken together, dimension by dimension.
pub(super) fn marks(verdict: &CouncilVerdict) -> String {
    let counting: Vec<_> = verdict.profile.weights.counting().collect();
    let mut headings = vec![words("answer")];
    headings.extend(counting.iter().map(|(dimension, _)| numbers(dimension.name())));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for answer in verdict.ranking.iter().filter_map(|index| verdict.answers.get(*index)) {
        let mark = |(dimension, _): &(Dimension, f64)| {
            answer.marks.get(dimension).map_or("–".to_owned(), |mark| format!("{mark:.1}"))
        };
        let mut row = vec![one_line(&answer.model, NAME_CHARACTERS_MAX)];
        row.extend(counting.iter().map(mark));
        rows.push(row);
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut weights = vec!["weight".to_owned()];
    weights.extend(counting.iter().map(|(_, weight)| weight.to_string()));
    rows.push(weights);
    format!("\n{}\n{}", strong("Mean marks"), table(&headings, rows))
}

/// How often the same answer wins, and whether other ways of counting agree.
pub(super) fn uncertainty(verdict: &CouncilVerdict) -> String {
    let uncertainty = &verdict.uncertainty;
    let mut text = String::new();
    let Some(same) = uncertainty.same_winner else { return text };
    let line = format!(
        "The same answer wins in {:.0} % of {} resamples of the reviewers.",
        same * 100.0,
        uncertainty.resamples
    );
    let _ = writeln!(text, "{}", quiet(&line));
    if uncertainty.methods_agree {
        let _ = writeln!(text, "{}", quiet("All aggregation methods agree on the winner."));
        return text;
    }
    let _ = writeln!(text, "Aggregation methods disagree on the winner; see the findings below.");
    text
}
