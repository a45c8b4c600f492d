//! One sentence each, as NLTK's Punkt finds them.

use std::ops::Range;

use assize_text::sentences;

/// The sentences of a text without the white space around them.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let trimmed = |range: Range<usize>| {
        let sentence = &text[range.clone()];
        let start = range.start + (sentence.len() - sentence.trim_start().len());
        start..start + sentence.trim().len()
    };
    sentences(text).map(trimmed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_does_not_end_a_sentence() {
        let text = " Dr. Smith paid (in full.)\n\nHe left. ";
        let cut: Vec<&str> = ranges(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(cut, ["Dr. Smith paid (in full.)", "He left."]);
    }
}
