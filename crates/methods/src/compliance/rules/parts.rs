//! An obligation taken apart: "passwords have twelve characters **and are changed**" is two.

use std::ops::Range;

use super::lists::LISTS;
use super::tokens::is_auxiliary;
use super::verbs::is_finite;
use super::words::{Word, words};

/// A predicate must stand within so many words for a part to begin.
const AHEAD: usize = 7;

/// A part has at least so many words.
const WORDS_MIN: usize = 3;

/// So many words of what stands before are looked at for a verb: longer ones are no sentence.
const LOOKED_AT: usize = 100;

/// Words that stand for the subject of the part before.
const PRONOUNS: [&str; 6] = ["it", "they", "which", "who", "this", "these"];

/// One part of an obligation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The subject that it shares with the part before it; empty if it has its own.
    pub subject: String,
    pub text: String,
}

/// The parts of an obligation; one if it cannot be taken apart.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let words: Vec<Word<'_>> = words(text).collect();
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let mut found: Vec<Part> = Vec::new();
    let mut start = 0;
    let (mut subject, mut verb) = (String::new(), "");
    for at in 1..words.len() {
        let follows_and = lower[at - 1] == "and";
        if !(follows_and || words[at].begins_clause) || lower[at] == "and" {
            continue;
        }
        let Some(begins) = begins(&words, &lower, start..at, !subject.is_empty()) else { continue };
        let end = words[at - 1 - usize::from(follows_and)].bytes.end;
        let own = format!("{verb}{}", &text[words[start].bytes.start..end]);
        found.push(Part { subject: subject.clone(), text: own });
        verb = if matches!(begins, Begins::Participle) { "are " } else { "" };
        subject = match begins {
            Begins::Anew => String::new(),
            _ if subject.is_empty() => subject_of(text, &words[start..], &lower[start..]),
            _ => subject,
        };
        start = at;
    }
    let text = words.get(start).map_or(text, |word| &text[word.bytes.start..]);
    found.push(Part { subject, text: format!("{verb}{}", text.trim()) });
    found
}

enum Begins {
    /// With a subject of its own.
    Anew,
    SameSubject,
    /// The same, and the verb is shared as well: "are made daily and **stored**".
    Participle,
}

/// Whether a part begins at the end of a range of words that are a part themselves.
fn begins(
    words: &[Word<'_>],
    lower: &[String],
    before: Range<usize>,
    has_subject: bool,
) -> Option<Begins> {
    let at = before.end;
    let skipped = usize::from(["then", "also"].contains(&lower[at].as_str()));
    let first = lower.get(at + skipped)?;
    let is_participle = LISTS.participles.has(first)
        || (first.ends_with("ed")
            && first.len() > 4
            && !lower[at..].iter().take(3).any(|word| is_auxiliary(word)));
    // What stands before is looked at last: it is the same again for every word of a long text.
    let looked_at = || lower[before.clone()].iter().take(LOOKED_AT);
    let is_verb =
        |(at, word): (usize, &String)| is_auxiliary(word) || at > 0 && is_finite(word, at);
    let has_verb = || before.len() >= WORDS_MIN && looked_at().enumerate().any(is_verb);
    // After "are made daily" a participle goes on with the same subject, and so does the next.
    if is_participle && (has_subject || looked_at().any(|word| is_form_of_be(word)) && has_verb()) {
        return Some(Begins::Participle);
    }
    if lower.len() - at < WORDS_MIN {
        return None;
    }
    if is_auxiliary(first) || PRONOUNS.contains(&first.as_str()) {
        return has_verb().then_some(Begins::SameSubject);
    }
    let mut near = (at..lower.len()).take(AHEAD).take_while(|place| {
        *place == at || !words[*place].begins_clause && !is_subordinate(&lower[*place])
    });
    let starts_plainly =
        !is_subordinate(first) && !["including", "in", "at", "or"].contains(&first.as_str());
    let begins = starts_plainly && near.any(|place| is_auxiliary(&lower[place])) && has_verb();
    begins.then_some(Begins::Anew)
}

fn is_form_of_be(word: &str) -> bool {
    ["are", "be", "been", "is", "was", "were"].contains(&word)
}

fn is_subordinate(word: &str) -> bool {
    [
        "after", "as", "before", "if", "so", "than", "that", "unless", "until", "when", "where",
        "while",
    ]
    .contains(&word)
}

/// What stands before the predicate.
fn subject_of(text: &str, words: &[Word<'_>], lower: &[String]) -> String {
    let end = lower.iter().position(|word| is_auxiliary(word)).unwrap_or(0);
    match (words.first(), end.checked_sub(1).map(|last| &words[last])) {
        (Some(first), Some(last)) => text[first.bytes.start..last.bytes.end].to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String)> {
        parts(text).into_iter().map(|part| (part.subject, part.text)).collect()
    }

    fn expected(parts: &[(&str, &str)]) -> Vec<(String, String)> {
        parts.iter().map(|(subject, text)| ((*subject).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn two_predicates_are_two_parts() {
        assert_eq!(
            found("Passwords have at least twelve characters and are changed when known."),
            expected(&[
                ("", "Passwords have at least twelve characters"),
                ("Passwords", "are changed when known."),
            ])
        );
        assert_eq!(
            found("Each user has an account; shared accounts are prohibited."),
            expected(&[("", "Each user has an account"), ("", "shared accounts are prohibited.")])
        );
        assert_eq!(
            found("Backups are made daily, encrypted and stored off-site."),
            expected(&[
                ("", "Backups are made daily"),
                ("Backups", "are encrypted"),
                ("Backups", "are stored off-site."),
            ])
        );
    }

    #[test]
    fn what_has_one_predicate_stays_whole() {
        for text in [
            "Records must be encrypted, including on portable devices.",
            "Users are registered by name, place and date of birth.",
            "Define and document the types of accounts",
            "",
        ] {
            assert_eq!(parts(text).len(), 1, "{text}");
        }
    }
}
