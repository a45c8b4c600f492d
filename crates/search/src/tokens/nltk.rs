//! Lowercase NLTK words that are alphanumeric and no stop words.

use assize_text::for_each_alnum_token;

use super::stop_words::NLTK;

/// Gives the words of a text to `sink`.
pub(super) fn each(text: &str, sink: &mut dyn FnMut(&str)) {
    for_each_alnum_token(text, |word| {
        if !NLTK.contains(word) {
            sink(word);
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::tokens::Tokenizer;

    #[test]
    fn hyphenated_words_and_stop_words_are_left_out() {
        let terms = Tokenizer::Nltk.terms("The Non-Disclosure Agreement doesn't end in 2017.");
        assert_eq!(terms, ["agreement", "end", "2017"]);
    }
}
