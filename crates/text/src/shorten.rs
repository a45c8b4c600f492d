//! Cutting a text to a number of tokens without breaking a word.

use crate::python::{is_space, strip, strip_end};
use crate::tokens::count_alnum_tokens;

/// The start of the text, in whole words, that is within so many alphanumeric tokens;
/// white space at its ends is left out.
///
/// Words are counted one by one, so an abbreviation that is no token among its
/// neighbours counts as one here: the result may be a word short, never too long.
///
/// ```
/// # use assize_text::shorten::shorten;
/// assert_eq!(shorten("The Parties' duty, if any, ends.", 3), "The Parties' duty,");
/// ```
pub fn shorten(text: &str, tokens_max: usize) -> &str {
    let text = strip(text);
    let ends = word_ends(text);
    let mut words = 0;
    let mut tokens = 0;
    let mut start = 0;
    for end in &ends {
        tokens += count_alnum_tokens(&text[start..*end]);
        if tokens > tokens_max {
            break;
        }
        start = *end;
        words += 1;
    }
    // A word may make more tokens among its neighbours than alone: give them back.
    loop {
        let cut = if words == 0 { "" } else { strip_end(&text[..ends[words - 1]]) };
        let excess = count_alnum_tokens(cut).saturating_sub(tokens_max);
        if excess == 0 {
            return cut;
        }
        words = words.saturating_sub(excess);
    }
}

/// Where each word ends that white space surrounds.
fn word_ends(text: &str) -> Vec<usize> {
    let mut ends: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| is_space(*c))
        .map(|(index, _)| index)
        .filter(|index| !text[..*index].ends_with(is_space))
        .collect();
    ends.extend((!text.is_empty()).then_some(text.len()));
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_within_the_limit_is_kept_whole() {
        assert_eq!(shorten("  two words \n", 2), "two words");
        assert_eq!(shorten("two words", 100), "two words");
    }

    #[test]
    fn words_are_not_broken() {
        assert_eq!(shorten("I can't go", 1), "I");
        assert_eq!(shorten("I can't go", 2), "I can't");
        assert_eq!(shorten("cannot stop", 1), "");
        assert_eq!(shorten("é\u{a0}ü ö", 2), "é\u{a0}ü");
    }

    #[test]
    fn what_has_no_token_is_kept_up_to_the_limit() {
        assert_eq!(shorten("-- a -- b", 1), "-- a --");
        assert_eq!(shorten("", 3), "");
        assert_eq!(shorten("a b", 0), "");
    }
}
