//! What the second round changed.

use std::fmt::Write;

use assize_methods::council::CouncilVerdict;
use assize_page::council::words::score;

use crate::output::table::{numbers, table, words};
use crate::output::terminal::{one_line, strong};

const NAME_CHARACTERS_MAX: usize = 40;

/// How many marks moved, towards whom, and whether the winner is another; empty where there was
/// one round.
pub(super) fn revision(verdict: &CouncilVerdict) -> String {
    let Some(revision) = &verdict.revision else { return String::new() };
    let [marks, moved, towards, away] = revision.totals();
    let mut text = format!("\n{}\n", strong("Second round"));
    let _ = writeln!(
        text,
        "{moved} of {marks} marks moved: {towards} towards the mean of the other reviewers, {away} \
         away from it."
    );
    let names = |answers: &[usize]| -> String {
        let names = answers.iter().map(|answer| verdict.answers[*answer].model.as_str());
        let names: Vec<String> = names.map(|name| one_line(name, NAME_CHARACTERS_MAX)).collect();
        if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
    };
    let winners = verdict.winners();
    let _ = if winners == revision.first_winners {
        writeln!(text, "The winner is the same as after the first round.")
    } else {
        let (before, after) = (names(&revision.first_winners), names(&winners));
        writeln!(text, "The winner changed from {before} to {after}.")
    };
    let headings = ["first score", "now", "marks raised", "lowered"].map(numbers);
    let headings: Vec<_> = [words("answer")].into_iter().chain(headings).collect();
    let shown = |value: Option<f64>| value.map_or("–".to_owned(), score);
    let row = |(answer, revised): (&assize_methods::council::verdict::AnswerVerdict, &_)| {
        let revised: &assize_methods::council::rounds::RevisedAnswer = revised;
        vec![
            one_line(&answer.model, NAME_CHARACTERS_MAX),
            shown(revised.first_score),
            shown(answer.score.as_ref().map(|score| score.value)),
            revised.raised.to_string(),
            revised.lowered.to_string(),
        ]
    };
    let rows = verdict.answers.iter().zip(&revision.answers).map(row).collect();
    text.push_str(&table(&headings, rows));
    text
}
