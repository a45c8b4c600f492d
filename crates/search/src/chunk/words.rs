//! Runs of words with overlap: the chunks of the reference figures.

use std::ops::Range;

/// Windows of `size` words every `step` words; the last one ends with the text.
///
/// Words stand between white space as Python's `str.split` sees it. A window never
/// starts once another has reached the end, so no passage lies inside the one before.
pub(super) fn ranges(text: &str, size: usize, step: usize) -> Vec<Range<usize>> {
    let words: Vec<Range<usize>> = words(text).collect();
    let mut ranges = Vec::new();
    let mut first = 0;
    while first < words.len() {
        let last = (first + size).min(words.len()) - 1;
        ranges.push(words[first].start..words[last].end);
        if last + 1 == words.len() {
            break;
        }
        first += step;
    }
    ranges
}

/// The byte ranges of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(|character| !is_space(character))?;
        let length = text[start..].find(is_space).unwrap_or(text.len() - start);
        rest = start + length;
        Some(start..rest)
    })
}

/// White space as Python's `str.split` sees it, and a byte order mark, which is no word.
fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, size: usize, step: usize) -> Vec<&str> {
        ranges(text, size, step).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn windows_overlap_by_half_and_the_last_one_ends_with_the_text() {
        assert_eq!(cut(" a b\nc  d e f g ", 4, 2), ["a b\nc  d", "c  d e f", "e f g"]);
    }

    #[test]
    fn no_window_starts_once_the_end_is_reached() {
        assert_eq!(cut("a b c d", 4, 2), ["a b c d"]);
        assert_eq!(cut("a b c d e f", 4, 2), ["a b c d", "c d e f"]);
    }

    #[test]
    fn a_text_without_words_has_no_windows() {
        assert!(cut(" \n\u{feff}", 4, 2).is_empty());
    }
}
