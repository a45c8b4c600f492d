//! What is over, or nobody has to do: "nobody **needs to** report", "was kept **until 2019**".

use super::tokens::Token;

/// Words that lift a duty from whoever stands before "to".
const NEEDING: [&str; 6] = ["has", "have", "necessary", "need", "needs", "required"];

/// What ends with a practice is what the sentence says.
const PRACTICES: [&str; 6] = ["arrangement", "duty", "practice", "requirement", "rule", "this"];

/// "Once" before these counts and does not tell of the past: "once **a** year".
const COUNTING: [&str; 8] = ["a", "an", "each", "every", "in", "per", "the", "they"];

/// Whether a sentence says that something was so and is not any more, or need not be done. It
/// then denies all that it says, also where a phrase of it has a meaning of its own: "no longer
/// necessary" alone is what may be removed, "no longer necessary **to**" is no duty.
pub(super) fn is_over(tokens: &[Token<'_>]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let is_past = |at: usize| (0..at).any(|place| ["was", "were"].contains(&word(place)));
    (0..tokens.len()).any(|at| match word(at) {
        "nobody" | "none" => lifts(&word, at + 1),
        "no" if word(at + 1) == "one" => lifts(&word, at + 2),
        "no" if word(at + 1) == "longer" => lifts(&word, at + 2),
        "used" => {
            word(at + 1) == "to"
                && word(at + 2) == "be"
                && !at.checked_sub(1).is_some_and(|before| is_form_of_be(word(before)))
        }
        "until" => is_past(at) && is_year(word(at + 1)),
        "once" => {
            at.checked_sub(1).is_some_and(|before| ["was", "were"].contains(&word(before)))
                && !COUNTING.contains(&word(at + 1))
        }
        "ended" => {
            let first = at.saturating_sub(3);
            (first..at).any(|place| PRACTICES.contains(&word(place)))
        }
        _ => false,
    })
}

fn lifts<'t>(word: &impl Fn(usize) -> &'t str, at: usize) -> bool {
    NEEDING.contains(&word(at)) && word(at + 1) == "to"
}

fn is_form_of_be(word: &str) -> bool {
    ["are", "be", "been", "is", "was", "were"].contains(&word)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn over(text: &str) -> bool {
        is_over(&tokens(text))
    }

    #[test]
    fn what_is_over_is_told_from_what_goes_on() {
        for text in [
            "Nobody needs to report incidents.",
            "No one has to wear a badge.",
            "It is no longer necessary to change passwords.",
            "Logs used to be kept for a year.",
            "Logs were kept for a year until 2019.",
            "Visitors were once escorted.",
            "This practice has ended.",
        ] {
            assert!(over(text), "{text}");
        }
        for text in [
            "Nobody starts before the course.",
            "Rights that are no longer needed are removed.",
            "The key is used to be safe.",
            "Records are kept until 2031.",
            "Alarms were tested once a year.",
            "Accounts are closed when employment has ended.",
        ] {
            assert!(!over(text), "{text}");
        }
    }
}
