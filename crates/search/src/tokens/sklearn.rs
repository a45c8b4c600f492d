//! The words scikit-learn's vectorisers see: `(?u)\b\w\w+\b` in lower case.

use super::stop_words::SKLEARN;

/// Gives the words of a text to `sink`.
pub(super) fn each(text: &str, sink: &mut dyn FnMut(&str)) {
    let text = text.to_lowercase();
    for word in text.split(|character| !is_word(character)) {
        if word.chars().nth(1).is_some() && !SKLEARN.contains(word) {
            sink(word);
        }
    }
}

/// `\w` of Python: letters, digits and the underscore.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use crate::tokens::Tokenizer;

    /// From `TfidfVectorizer(stop_words="english").build_analyzer()`.
    #[test]
    fn words_of_one_letter_and_stop_words_are_left_out() {
        let terms = Tokenizer::Sklearn.terms("The Non-Disclosure of A_1's café (x) cannot END.");
        assert_eq!(terms, ["non", "disclosure", "a_1", "café", "end"]);
    }
}
