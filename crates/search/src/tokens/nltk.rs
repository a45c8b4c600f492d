//! Lowercase NLTK words that are alphanumeric and no stop words.

use super::stop_words::NLTK;

/// Gives the words of a text to `sink`.
pub(super) fn each(text: &str, sink: &mut dyn FnMut(&str)) {
    let text = text.to_lowercase();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        if !word.is_empty() && word.chars().all(char::is_alphanumeric) && !NLTK.contains(word) {
            sink(word);
        }
    }
}
