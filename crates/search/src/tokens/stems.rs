//! Stems of words, so that `disclosed` finds `disclosure` and `Acme's` finds `Acme`.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};

use super::stop_words::NLTK;

/// Stems remembered by each thread; beyond this the memory is emptied, not grown.
const REMEMBERED_MAX: usize = 1 << 18;

thread_local! {
    static REMEMBERED: RefCell<FxHashMap<Box<str>, Option<Box<str>>>> = RefCell::default();
}

/// Gives the stems of a text's words to `sink`, without stop words and possessives.
pub(super) fn each(text: &str, sink: &mut dyn FnMut(&str)) {
    each_word(text, &mut |_, stem| {
        if let Some(stem) = stem {
            sink(stem);
        }
    });
}

/// Gives every word as it is written, with its stem, to `sink`; a stop word has none.
pub(crate) fn each_word<'a>(text: &'a str, sink: &mut dyn FnMut(&'a str, Option<&str>)) {
    let mut word = String::new();
    REMEMBERED.with_borrow_mut(|remembered| {
        for piece in text.split(|character: char| !is_inner(character)) {
            word.clear();
            word.extend(without_possessive(piece).chars().flat_map(char::to_lowercase));
            for part in word.split(is_apostrophe).filter(|part| !part.is_empty()) {
                if let Some(stem) = remembered.get(part) {
                    sink(piece, stem.as_deref());
                    continue;
                }
                let stem = stem_of(part);
                sink(piece, stem.as_deref());
                if remembered.len() >= REMEMBERED_MAX {
                    remembered.clear();
                }
                remembered.insert(part.into(), stem);
            }
        }
    });
}

/// The stems of a text, each once, in order.
pub(crate) fn distinct_stems(text: &str) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut terms = Vec::new();
    each(text, &mut |term| {
        if seen.insert(term.to_owned()) {
            terms.push(term.to_owned());
        }
    });
    terms
}

/// The stem of a lowercase word, or nothing for a stop word.
fn stem_of(word: &str) -> Option<Box<str>> {
    (!NLTK.contains(word))
        .then(|| Stemmer::create(Algorithm::English).stem(word).into_owned().into_boxed_str())
}

fn is_inner(character: char) -> bool {
    character.is_alphanumeric() || is_apostrophe(character)
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}')
}

/// `Acme's` and `ACME'S` without their ending.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix(['s', 'S']).and_then(|stem| stem.strip_suffix(is_apostrophe)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use crate::tokens::Tokenizer;

    #[test]
    fn possessives_case_and_endings_do_not_matter() {
        let terms =
            Tokenizer::Stems.terms("Does EFCA’s Non-Disclosure disclose o'Neill's parties'?");
        assert_eq!(terms, ["efca", "non", "disclosur", "disclos", "neill", "parti"]);
    }
}
