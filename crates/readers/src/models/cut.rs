//! A text that is longer than a model reads is cut behind a sentence, and whoever asked is told.

use assize_text::punkt;

/// No token stands for more bytes than this in any but made-up texts; what lies behind is not
/// looked at, so that a text of any size costs the same.
const BYTES_PER_TOKEN_MAX: usize = 64;

/// As many whole sentences from the beginning of a text as `fits` allows; of a first sentence
/// that does not fit, as many words; of a first word, as many characters. The whole text if it
/// fits.
pub(super) fn to_fit(text: &str, tokens_max: usize, fits: impl Fn(&str) -> bool) -> &str {
    if is_looked_at_whole(text, tokens_max) && fits(text) {
        return text;
    }
    let text = &text[..ends_of(text, tokens_max)];
    let sentences = punkt::sentences(text).map(|sentence| sentence.end);
    let words = || {
        let starts = text.char_indices().filter(|(_, one)| one.is_whitespace());
        starts.map(|(at, _)| at).collect::<Vec<_>>()
    };
    let characters = || text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
    longest(text, &sentences.collect::<Vec<_>>(), &fits)
        .or_else(|| longest(text, &words(), &fits))
        .or_else(|| longest(text, &characters(), &fits))
        .unwrap_or("")
}

/// Whether a text is short enough for all of it to be looked at.
pub(super) fn is_looked_at_whole(text: &str, tokens_max: usize) -> bool {
    ends_of(text, tokens_max) == text.len()
}

/// The longest beginning that ends at one of these bytes and fits: longer texts have more tokens.
fn longest<'t>(text: &'t str, ends: &[usize], fits: &impl Fn(&str) -> bool) -> Option<&'t str> {
    let count = ends.partition_point(|end| fits(&text[..*end]));
    let end = *ends.get(count.checked_sub(1)?)?;
    (end > 0).then(|| &text[..end])
}

/// Where to stop looking: behind the last character within so many tokens of the largest kind.
fn ends_of(text: &str, tokens_max: usize) -> usize {
    text.floor_char_boundary(tokens_max.saturating_mul(BYTES_PER_TOKEN_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a text has at most so many words.
    fn words(most: usize) -> impl Fn(&str) -> bool {
        move |text| text.split_whitespace().count() <= most
    }

    #[test]
    fn a_text_ends_behind_the_last_sentence_that_fits() {
        let text = "One two. Three four five. Six.";
        assert_eq!(to_fit(text, 100, words(6)), text);
        assert_eq!(to_fit(text, 100, words(5)), "One two. Three four five.");
        assert_eq!(to_fit(text, 100, words(4)), "One two.");
        assert_eq!(to_fit(text, 100, words(1)), "One");
        assert_eq!(to_fit("", 100, words(0)), "");
    }

    #[test]
    fn a_word_that_does_not_fit_is_cut_between_characters() {
        assert_eq!(to_fit("äöü", 100, |text| text.chars().count() <= 2), "äö");
        assert_eq!(to_fit("abc", 100, |_| false), "");
    }

    #[test]
    fn a_text_of_ten_megabytes_is_not_read_to_its_end() {
        let text = "word ".repeat(2_000_000);
        let longest = std::cell::Cell::new(0);
        let found = to_fit(&text, 512, |part| {
            longest.set(longest.get().max(part.len()));
            part.len() < 1_000
        });
        assert!(found.len() < 1_000 && longest.get() <= 512 * BYTES_PER_TOKEN_MAX);
    }
}
