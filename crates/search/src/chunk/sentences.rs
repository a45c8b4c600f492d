//! One sentence each.

use std::ops::Range;

/// The sentences of a text, trimmed.
///
/// A stand-in until the Punkt splitter of `assize-text` is there: a sentence ends at
/// `.`, `!` or `?` before white space and an upper-case letter, and at an empty line.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (byte, character) in text.char_indices() {
        let end = byte + character.len_utf8();
        let rest = &text[end..];
        let ends = match character {
            '.' | '!' | '?' => {
                let next = rest.trim_start();
                next.len() < rest.len() && next.chars().next().is_some_and(char::is_uppercase)
            }
            '\n' => rest.starts_with('\n'),
            _ => false,
        };
        if ends {
            ranges.push(trimmed(text, start..end));
            start = end;
        }
    }
    ranges.push(trimmed(text, start..text.len()));
    ranges
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..start + slice.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_cut_before_capitals_and_at_empty_lines() {
        let text = "One is 1.5 m. Two\n\nthree? Four";
        let cut: Vec<&str> = ranges(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(cut, ["One is 1.5 m.", "Two", "three?", "Four"]);
    }
}
