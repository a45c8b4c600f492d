//! Segments of a summary: cut at `.`, `;` and line ends.

use crate::punkt::sentences;
use crate::python::{is_alnum_char, is_lower, is_upper};
use crate::span::Span;
use crate::tokens::count_alnum_tokens;

/// The segments of a text, in order, each with the mark that ends it.
///
/// A full stop inside a number or after an abbreviation cuts nothing: whether it ends
/// something is for the sentence model to say. Question and exclamation marks do not
/// cut. What has no letter or digit is no segment.
///
/// ```
/// # use assize_text::segments::segments;
/// let text = "Dr. Li paid $3.50; he left.\nWhy? Unknown.";
/// let found: Vec<&str> = segments(text).iter().map(|span| span.of(text)).collect();
/// assert_eq!(found, ["Dr. Li paid $3.50;", "he left.", "Why? Unknown."]);
/// ```
pub fn segments(text: &str) -> Vec<Span> {
    let mut cuts = cuts_after_sentences(text);
    cuts.extend(cuts_at_marks(text));
    cuts.push(text.len());
    cuts.sort_unstable();
    let mut found = Vec::with_capacity(cuts.len());
    let mut start = 0;
    for cut in cuts {
        if text[start..cut].contains(is_alnum_char) {
            found.push(Span::trimmed(text, start..cut));
            start = cut;
        } else if let Some(last) = found.last_mut() {
            // Marks without a word, such as a closing quote, go with what they follow.
            *last = Span::trimmed(text, last.start()..cut);
            start = cut;
        }
    }
    found
}

/// The segments with at least so many alphanumeric tokens; if none has, the whole text,
/// and nothing if that has no token either.
pub fn segments_of_at_least(text: &str, tokens_min: usize) -> Vec<Span> {
    let mut found = segments(text);
    found.retain(|span| count_alnum_tokens(span.of(text)) >= tokens_min);
    if found.is_empty() && count_alnum_tokens(text) > 0 {
        found.push(Span::trimmed(text, 0..text.len()));
    }
    found
}

/// Where sentences end that end in a full stop.
fn cuts_after_sentences(text: &str) -> Vec<usize> {
    let ends_in_stop = |sentence: &str| {
        sentence
            .trim_end_matches(|c: char| c != '.' && !is_alnum_char(c) && c != '?' && c != '!')
            .ends_with('.')
    };
    sentences(text)
        .filter(|range| ends_in_stop(&text[range.clone()]))
        .map(|range| range.end)
        .collect()
}

/// Where semicolons, line ends and full stops without a space after them cut.
fn cuts_at_marks(text: &str) -> Vec<usize> {
    let marks = memchr::memchr3_iter(b';', b'\n', b'.', text.as_bytes());
    marks
        .filter(|at| text.as_bytes()[*at] != b'.' || is_glued(text, *at))
        .map(|at| at + 1)
        .collect()
}

/// Whether the full stop stands between a word of small letters and a capital, where
/// somebody forgot a space.
fn is_glued(text: &str, stop: usize) -> bool {
    let mut before = text[..stop].chars().rev();
    let small = before.by_ref().take(2).filter(|c| is_lower(*c)).count() == 2;
    small && text[stop + 1..].starts_with(is_upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = segments(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn stops_semicolons_and_line_ends_cut() {
        check("One two. Three four; five\nsix", &["One two.", "Three four;", "five", "six"]);
        check("he went home . she stayed .", &["he went home .", "she stayed ."]);
    }

    #[test]
    fn numbers_and_abbreviations_are_not_cut() {
        check("It rose 2.5 percent, Mr. Fox said.", &["It rose 2.5 percent, Mr. Fox said."]);
        check("The U.S. economy; v. 1.2.3", &["The U.S. economy;", "v. 1.2.3"]);
    }

    #[test]
    fn question_marks_do_not_cut_but_a_forgotten_space_does() {
        check("Why? Nobody knows! Ok.", &["Why? Nobody knows! Ok."]);
        check("He said.The rest", &["He said.", "The rest"]);
    }

    #[test]
    fn closing_quotes_stay_with_their_segment() {
        check("He said \"no.\" (Really.) ;; Yes", &["He said \"no.\"", "(Really.) ;;", "Yes"]);
        check("... \n;", &[]);
    }

    #[test]
    fn short_segments_are_left_out_unless_all_are_short() {
        let text = "Too short. This one has six tokens inside. No.";
        let found = segments_of_at_least(text, 6);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].of(text), "This one has six tokens inside.");
        assert_eq!(
            segments_of_at_least(" A b. C d. ", 6),
            [Span::new(" A b. C d. ", 1..10).unwrap()]
        );
        assert_eq!(segments_of_at_least(" ... ", 6), []);
    }
}
