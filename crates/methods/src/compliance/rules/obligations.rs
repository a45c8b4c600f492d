//! A requirement taken apart: each item of its lists is an obligation of its own.

use assize_text::sentences;

/// Labels are at most so long: `(iii)`, `12.`.
const LABEL_LENGTH_MAX: usize = 6;

/// A sentence with fewer words goes with the one before it.
const WORDS_MIN: usize = 3;

/// No sentence ends with these.
const ABBREVIATIONS: [&str; 4] = ["e.g.", "i.e.", "incl.", "approx."];

/// One thing that must be so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// What introduces the list that it stands in; empty outside a list.
    pub lead: String,
    /// What must be so.
    pub text: String,
}

/// The obligations of a requirement: the innermost items of its lists, each with what leads up
/// to it; without a list, its sentences.
///
/// ```
/// # use assize_methods::compliance::rules::obligations;
/// let found = obligations("Notify managers when:\na. users leave; and\nb. accounts expire.");
/// let texts: Vec<&str> = found.iter().map(|obligation| obligation.text.as_str()).collect();
/// assert_eq!(texts, ["users leave; and", "accounts expire."]);
/// assert_eq!(found[1].lead, "Notify managers when:");
/// ```
pub fn obligations(requirement: &str) -> Vec<Obligation> {
    let lines = lines(requirement);
    if lines.is_empty() {
        return Vec::new();
    }
    if lines.iter().all(|line| line.label.is_none()) {
        return sentences_of(requirement);
    }
    let mut found = Vec::new();
    // The items that are open, outermost first: the kind of their label, and their words.
    let mut open: Vec<(Label, String)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let label = line.label.unwrap_or(Label::None);
        if let Some(level) = open.iter().position(|(other, _)| *other == label) {
            open.truncate(level);
        }
        let next =
            lines.get(index + 1).map_or(Label::None, |next| next.label.unwrap_or(Label::None));
        let is_lead = next != label
            && !open.iter().any(|(other, _)| *other == next)
            && index + 1 < lines.len();
        if is_lead {
            open.push((label, line.text.to_owned()));
            continue;
        }
        let lead: Vec<&str> = open.iter().map(|(_, text)| text.as_str()).collect();
        found.push(Obligation {
            lead: lead.join(" ").trim().to_owned(),
            text: line.text.to_owned(),
        });
    }
    found.retain(|obligation| obligation.text.contains(char::is_alphanumeric));
    found
}

/// The kind of label that begins an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    None,
    LetterDot,
    DigitDot,
    LetterParen,
    DigitParen,
    Bullet,
}

struct Line<'t> {
    label: Option<Label>,
    text: &'t str,
}

/// The lines of a requirement, also where several items stand on one.
fn lines(requirement: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    for line in requirement.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut rest = line;
        while let Some(cut) = inline_label(rest) {
            found.push(labelled(&rest[..cut]));
            rest = &rest[cut..];
        }
        found.push(labelled(rest));
    }
    found.retain(|line| line.text.contains(char::is_alphanumeric));
    found
}

fn labelled(line: &str) -> Line<'_> {
    let line = line.trim();
    match label(line) {
        Some((label, length)) => Line { label: Some(label), text: line[length..].trim() },
        None => Line { label: None, text: line },
    }
}

/// Where the next item begins within a line: after `;` or `:`, with a label.
fn inline_label(line: &str) -> Option<usize> {
    line.match_indices([';', ':']).find_map(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        let start = rest.trim_start();
        let start =
            ["and ", "or "].iter().find_map(|word| start.strip_prefix(word)).unwrap_or(start);
        let (label, _) = label(start)?;
        (label != Label::Bullet).then(|| line.len() - start.len())
    })
}

/// The label that a line begins with, and its length.
fn label(line: &str) -> Option<(Label, usize)> {
    if let Some(bullet) = line.chars().next().filter(|first| "-*•–".contains(*first)) {
        let length = bullet.len_utf8();
        return line[length..].starts_with(' ').then_some((Label::Bullet, length));
    }
    let mut first = line.char_indices().take_while(|(at, _)| *at <= LABEL_LENGTH_MAX);
    let (end, _) = first.find(|(_, letter)| letter.is_whitespace())?;
    let word = &line[..end];
    let (inner, is_paren) = match word.strip_suffix(')') {
        Some(inner) => (inner.strip_prefix('(').unwrap_or(inner), true),
        None => (word.strip_suffix('.')?, false),
    };
    let is_digits = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = inner.len() == 1 && inner.bytes().all(|byte| byte.is_ascii_alphabetic());
    match (is_digits, is_letter, is_paren) {
        (true, _, true) => Some((Label::DigitParen, end)),
        (true, _, false) => Some((Label::DigitDot, end)),
        (_, true, true) => Some((Label::LetterParen, end)),
        (_, true, false) => Some((Label::LetterDot, end)),
        _ => None,
    }
}

/// The sentences of a requirement without lists; those cut at semicolons.
fn sentences_of(requirement: &str) -> Vec<Obligation> {
    let mut found: Vec<Obligation> = Vec::new();
    let parts = sentences(requirement).flat_map(|range| requirement[range].split_inclusive(';'));
    for part in parts.map(str::trim).filter(|part| part.contains(char::is_alphanumeric)) {
        match found.last_mut() {
            Some(last)
                if part.split_whitespace().count() < WORDS_MIN
                    || ABBREVIATIONS.iter().any(|short| last.text.ends_with(short)) =>
            {
                last.text.extend([" ", part]);
            }
            _ => found.push(Obligation { lead: String::new(), text: part.to_owned() }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(requirement: &str) -> Vec<(String, String)> {
        obligations(requirement).into_iter().map(|found| (found.lead, found.text)).collect()
    }

    #[test]
    fn nested_items_carry_everything_that_leads_up_to_them() {
        let text = "a. Develop and share:\n  1. A policy that:\n    (a) has a scope; and\n    \
                    (b) follows the law; and\n  2. Procedures;\nb. Review it.";
        let expected = [
            ("Develop and share: A policy that:", "has a scope; and"),
            ("Develop and share: A policy that:", "follows the law; and"),
            ("Develop and share:", "Procedures;"),
            ("", "Review it."),
        ];
        let expected = expected.map(|(lead, text)| (lead.to_owned(), text.to_owned()));
        assert_eq!(found(text), expected);
    }

    #[test]
    fn items_on_one_line_are_told_apart() {
        let texts: Vec<String> =
            found("Disable accounts when they: (a) have expired; or (b) are idle.")
                .into_iter()
                .map(|(_, text)| text)
                .collect();
        assert_eq!(texts, ["have expired; or", "are idle."]);
    }

    #[test]
    fn without_a_list_sentences_are_obligations() {
        let texts = found("Review logs weekly; report findings to the owner. Keep them.");
        let expected = ["Review logs weekly;", "report findings to the owner. Keep them."];
        assert_eq!(texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_abbreviation_ends_no_sentence() {
        assert_eq!(found("Transfers are covered, e.g. Standard clauses are signed.").len(), 1);
    }

    #[test]
    fn nothing_and_marks_alone_oblige_to_nothing() {
        for text in ["", " ", "---", "a. ;"] {
            assert!(obligations(text).is_empty(), "{text}");
        }
    }
}
