//! Where a text names criteria by their ids, and the same text with those names hidden.
//!
//! A policy that lists `AC-2, AC-3` tells which criteria it means to address: a weak truth.
//! A judge that is measured against it must not see those names, so they are blacked out,
//! letter by letter, and every offset stays true.

use std::collections::BTreeSet;
use std::ops::Range;

/// What stands for a hidden letter; to no judge is it part of a word.
pub(crate) const HIDDEN: char = '█';

/// The ids of criteria, to be found in texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identifiers {
    known: BTreeSet<String>,
}

/// A place where a text names a criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub bytes: Range<usize>,
    /// The ids that it may stand for: `AC-2(1)` names itself and stands below `AC-2`.
    pub id: String,
}

impl Identifiers {
    /// Ids that have both a letter and a digit; a plain number or word would hide too much.
    pub(crate) fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let is_name = |id: &&str| {
            id.contains(|letter: char| letter.is_alphabetic())
                && id.contains(|letter: char| letter.is_numeric())
        };
        Self { known: ids.into_iter().filter(is_name).map(normal).collect() }
    }

    /// Everywhere a text names one of them, in order.
    pub(crate) fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut mentions = Vec::new();
        let mut at = 0;
        while let Some(start) = text[at..].find(char::is_alphanumeric).map(|found| at + found) {
            let word = start..start + word_length(&text[start..]);
            let whole = word.start..word.end + groups_length(&text[word.end..]);
            at = word.end;
            let with_groups = normal(&text[whole.clone()]);
            let alone = normal(text[word.clone()].trim_end_matches('s'));
            if self.known.contains(&with_groups) {
                at = whole.end;
                mentions.push(Mention { bytes: whole, id: with_groups });
            } else if self.known.contains(&alone) {
                at = whole.end;
                mentions.push(Mention { bytes: whole, id: alone });
            }
        }
        mentions
    }

    /// The text with every mention blacked out; it has as many code points as before.
    pub(crate) fn hide(&self, text: &str) -> String {
        let mut hidden = String::with_capacity(text.len());
        let mut at = 0;
        for mention in self.mentions(text) {
            hidden.push_str(&text[at..mention.bytes.start]);
            hidden.extend(text[mention.bytes.clone()].chars().map(|_| HIDDEN));
            at = mention.bytes.end;
        }
        hidden.push_str(&text[at..]);
        hidden
    }
}

/// An id as it is compared: no white space, capital letters.
pub(crate) fn normal(id: &str) -> String {
    id.split_whitespace().collect::<String>().to_uppercase()
}

/// The length of a word of letters, digits and what joins them, in bytes.
fn word_length(text: &str) -> usize {
    let joins = |letter: char| letter.is_alphanumeric() || ['-', '.', '_', '/'].contains(&letter);
    let end = text.find(|letter: char| !joins(letter)).unwrap_or(text.len());
    text[..end].trim_end_matches(|letter: char| !letter.is_alphanumeric()).len()
}

/// The length of groups such as `(1)` and ` (a)` at the beginning of a text, in bytes.
fn groups_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let inner = rest.trim_start_matches(' ');
        let group = inner.strip_prefix('(').and_then(|inner| {
            let end = inner.find(')')?;
            let is_short = end > 0 && end <= 3;
            (is_short && inner[..end].chars().all(char::is_alphanumeric)).then_some(end + 2)
        });
        match group {
            Some(group) => length += rest.len() - inner.len() + group,
            None => return length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let identifiers = Identifiers::of(["AC-2", "AC-2(1)", "AC-20", "ac-3", "7", "Policy"]);
        identifiers.mentions(text).into_iter().map(|mention| mention.id).collect()
    }

    #[test]
    fn ids_are_found_however_they_are_set() {
        assert_eq!(found("See AC-2, AC-2 (1) and AC-3."), ["AC-2", "AC-2(1)", "AC-3"]);
        assert_eq!(found("(ac-2(1))"), ["AC-2(1)"]);
        assert_eq!(found("AC-2(9) and AC-20s"), ["AC-2", "AC-20"]);
    }

    #[test]
    fn parts_of_other_words_and_plain_numbers_are_not_ids() {
        assert!(found("MAC-2 and AC-21 and AC-2a, 7 days, Policy").is_empty());
    }

    #[test]
    fn a_hidden_id_leaves_every_offset_where_it_was() {
        let identifiers = Identifiers::of(["AC-2"]);
        let text = "Ærlig: AC-2 (1) holds.";
        let hidden = identifiers.hide(text);
        assert_eq!(hidden, "Ærlig: ████████ holds.");
        assert_eq!(hidden.chars().count(), text.chars().count());
    }
}
