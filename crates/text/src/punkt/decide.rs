//! Whether a mark ends a sentence, from the words around it.

use std::borrow::Cow;

use super::parameters::{
    ABBREVIATION, ANY_LOWER, ANY_UPPER, BEGIN_LOWER, COLLOCATES, MIDDLE_UPPER, STARTER,
    are_collocated, known_after, known_before,
};
use super::words::Words;
use crate::python::{is_lower, is_regex_digit, is_regex_word, is_upper, lower, strip};

/// The type of every numeric word.
const NUMBER: &str = "##number##";

/// Whether a sentence ends within the text, before its last word.
pub(super) fn contains_break(text: &str) -> bool {
    if memchr::memchr(b'\n', text.as_bytes()).is_none() {
        return breaks_between(Words::new(text));
    }
    let lines = text.split('\n').filter(|line| !strip(line).is_empty());
    breaks_between(lines.flat_map(Words::new))
}

fn breaks_between<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut words = words.map(WordVerdict::by_type);
    let Some(mut current) = words.next() else { return false };
    for next in words {
        current.reconsider(&next);
        if current.ends_sentence {
            return true;
        }
        current = next;
    }
    false
}

/// A word with what is thought of it so far.
struct WordVerdict<'a> {
    word: &'a str,
    ends_sentence: bool,
    is_abbreviation: bool,
    is_ellipsis: bool,
    /// What is known of the type without its full stop, if it has one.
    known: u16,
}

/// What the case of a word says about it beginning a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Starts {
    Yes,
    No,
    Unknown,
}

impl<'a> WordVerdict<'a> {
    /// The first judgement, from the word alone.
    fn by_type(word: &'a str) -> Self {
        let mut judged = Self {
            word,
            ends_sentence: false,
            is_abbreviation: false,
            is_ellipsis: false,
            known: 0,
        };
        if matches!(word, "." | "?" | "!") {
            judged.ends_sentence = true;
        } else if word.len() > 1 && word.bytes().all(|byte| byte == b'.') {
            judged.is_ellipsis = true;
        } else if let Some(stem) = word.strip_suffix('.') {
            let stem = lower(stem);
            judged.known = known_before(&stem);
            judged.is_abbreviation = judged.known & ABBREVIATION != 0
                || stem.rsplit_once('-').is_some_and(|(_, last)| is_abbreviation(last));
            judged.ends_sentence = !judged.is_abbreviation;
        }
        judged
    }

    /// The second judgement, in the light of the next word.
    fn reconsider(&mut self, next: &WordVerdict) {
        if !self.word.ends_with('.') {
            return;
        }
        let is_initial = is_initial(self.word);
        let is_number = is_numeric(self.word);
        let is_special = is_initial || is_number || self.is_abbreviation || self.is_ellipsis;
        if !is_special && self.known & COLLOCATES == 0 {
            return;
        }
        let word_type = without_period(word_type(self.word));
        let next_type = next.type_in_sentence();
        if are_collocated(&word_type, &next_type) {
            self.ends_sentence = false;
            return;
        }
        let starts = next.starts(&next_type);
        if (self.is_abbreviation || self.is_ellipsis) && !is_initial {
            let starter = next.is_capitalized() && known_after(&next_type) & STARTER != 0;
            if starts == Starts::Yes || starter {
                self.ends_sentence = true;
                return;
            }
        }
        let always_capitalized = next.is_capitalized() && known_after(&next_type) & ANY_LOWER == 0;
        match starts {
            Starts::No if is_initial || is_number => self.ends_sentence = false,
            Starts::Unknown if is_initial && always_capitalized => self.ends_sentence = false,
            _ => {}
        }
    }

    /// Whether the word begins a sentence, as far as its case tells.
    fn starts(&self, word_type: &str) -> Starts {
        if matches!(self.word, ";" | ":" | "," | "." | "!" | "?") {
            return Starts::No;
        }
        let known = known_after(word_type);
        if self.is_capitalized() && known & ANY_LOWER != 0 && known & MIDDLE_UPPER == 0 {
            return Starts::Yes;
        }
        let is_small = self.word.chars().next().is_some_and(is_lower);
        if is_small && (known & ANY_UPPER != 0 || known & BEGIN_LOWER == 0) {
            return Starts::No;
        }
        Starts::Unknown
    }

    fn is_capitalized(&self) -> bool {
        self.word.chars().next().is_some_and(is_upper)
    }

    /// The type of the word, without the full stop if that ends a sentence.
    fn type_in_sentence(&self) -> Cow<'a, str> {
        let word_type = word_type(self.word);
        if self.ends_sentence { without_period(word_type) } else { word_type }
    }
}

fn is_abbreviation(word: &str) -> bool {
    known_before(word) & ABBREVIATION != 0
}

/// The word in lower case, or one type for all numbers.
fn word_type(word: &str) -> Cow<'_, str> {
    if is_numeric(word) { Cow::Borrowed(NUMBER) } else { lower(word) }
}

/// The type without a full stop at its end, unless that is all of it.
fn without_period(word_type: Cow<'_, str>) -> Cow<'_, str> {
    if word_type.len() == 1 || !word_type.ends_with('.') {
        return word_type;
    }
    match word_type {
        Cow::Borrowed(word) => Cow::Borrowed(&word[..word.len() - 1]),
        Cow::Owned(mut word) => {
            word.pop();
            Cow::Owned(word)
        }
    }
}

/// A minus, a point or comma (both may be missing), a digit, then digits and `,.-`.
fn is_numeric(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word);
    let word = word.strip_prefix(['.', ',']).unwrap_or(word);
    word.starts_with(is_regex_digit)
        && word.chars().all(|c| matches!(c, ',' | '.' | '-') || is_regex_digit(c))
}

/// One letter and a full stop.
fn is_initial(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| is_regex_word(c) && !is_regex_digit(c)) && chars.as_str() == "."
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: the regular expressions of `PunktToken` in NLTK 3.10.4.
    #[test]
    fn numbers_and_initials_are_recognised() {
        for number in ["5", "-5.", ".5", "-,5", "1,000.50", "3-4-", "٣."] {
            assert!(is_numeric(number), "{number}");
        }
        for other in ["-", ".", "--5", "5a", "$5", "..5", ""] {
            assert!(!is_numeric(other), "{other}");
        }
        assert!(is_initial("j.") && is_initial("É.") && is_initial("_."));
        assert!(!is_initial("5.") && !is_initial("jr.") && !is_initial(".") && !is_initial(".."));
    }
}
