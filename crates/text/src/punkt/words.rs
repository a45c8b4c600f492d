//! How Punkt cuts a line into words: punctuation splits off, full stops stay.

use crate::python::is_white_space;

/// The words of one line.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_white_space);
        let first = rest.chars().next()?;
        let length = match multi_char_length(rest) {
            0 if may_start(first) => word_length(rest, first),
            0 => first.len_utf8(),
            length => length,
        };
        let (word, rest) = rest.split_at(length);
        self.rest = rest;
        Some(word)
    }
}

/// Characters that cannot stand inside a word.
pub(super) fn is_non_word(c: char) -> bool {
    matches!(c, ')' | '"' | ';' | '}' | ']' | '*' | ':' | '@' | '\'' | '(' | '{' | '[' | '?' | '!')
        || matches!(c, '‘' | '’' | '“' | '”' | '«' | '»')
}

/// Characters that may begin a word.
fn may_start(c: char) -> bool {
    !matches!(c, '(' | '"' | '`' | '{' | '[' | ':' | ';' | '&' | '#' | '*' | '@')
        && !matches!(c, ')' | '}' | ']' | '-' | ',')
}

/// The length of the word at the start of `text`, whose first character is `first`.
fn word_length(text: &str, first: char) -> usize {
    let from = first.len_utf8();
    text[from..]
        .char_indices()
        .map(|(index, c)| (from + index, c))
        .find(|&(index, c)| ends_before(c, &text[index..]))
        .map_or(text.len(), |(index, _)| index)
}

/// Whether a word ends before `rest`, which begins with `c`.
fn ends_before(c: char, rest: &str) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => false,
        '.' | '-' => begins_multi_char(rest),
        ',' => {
            let after = &rest[1..];
            after.chars().next().is_none_or(|c| is_white_space(c) || is_non_word(c))
                || begins_multi_char(after)
        }
        _ => is_white_space(c) || is_non_word(c),
    }
}

/// Whether two hyphens, two dots or three spaced dots come next.
fn begins_multi_char(text: &str) -> bool {
    text.starts_with("--") || text.starts_with("..") || spaced_dots(text, 2).is_some()
}

/// The length of hyphens, dots or spaced dots at the start; 0 if there are not enough.
fn multi_char_length(text: &str) -> usize {
    for mark in ['-', '.'] {
        let run = text.len() - text.trim_start_matches(mark).len();
        if run >= 2 {
            return run;
        }
    }
    spaced_dots(text, usize::MAX).unwrap_or(0)
}

/// The length of a dot followed by two or more of white space and dot, looking at
/// `pairs_max` of them at most.
fn spaced_dots(text: &str, pairs_max: usize) -> Option<usize> {
    let mut rest = text.strip_prefix('.')?;
    let mut pairs = 0;
    while pairs < pairs_max
        && let Some(next) = rest.strip_prefix(is_white_space)
        && let Some(next) = next.strip_prefix('.')
    {
        rest = next;
        pairs += 1;
    }
    (pairs >= 2).then_some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: `PunktLanguageVars().word_tokenize` of NLTK 3.10.4.
    #[test]
    fn words_keep_their_full_stops_and_lose_other_punctuation() {
        let words = |line| Words::new(line).collect::<Vec<_>>();
        assert_eq!(
            words("(b.) e.g., it's -5 a--b"),
            ["(", "b.", ")", "e.g.", ",", "it", "'s", "-", "5", "a", "--", "b"]
        );
        assert_eq!(
            words("wait... . . . so, 1,000,x"),
            ["wait", "...", ". . .", "so", ",", "1,000,x"]
        );
        assert_eq!(words("!! 'a.' , --- -.5"), ["!", "!", "'a.", "'", ",", "---", "-", ".5"]);
        assert_eq!(words("a. . . . ."), ["a", ". . . . ."]);
        assert_eq!(
            words("a,.. a,. . . a,-- a,b"),
            ["a", ",", "..", "a", ",", ". . .", "a", ",", "--", "a,b"]
        );
    }
}
