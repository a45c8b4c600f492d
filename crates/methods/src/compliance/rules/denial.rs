//! Which words of a sentence are denied: "does not **review accounts**".

use super::lexicon::{Lexicon, Term};
use super::words::{is_denial, is_stop, words};

/// A denial reaches over so many words with content, and not beyond its clause.
const REACH: usize = 2;

/// After these a denial denies nothing: "not only", "no later than", "not limited to".
const HARMLESS: [&str; 8] =
    ["only", "later", "less", "more", "limited", "longer", "least", "necessarily"];

/// A term of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marked {
    /// The term.
    pub term: Term,
    /// Whether it is denied wherever it stands.
    pub is_denied: bool,
}

/// What a text says: its terms, each once, and whether anything in it is denied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Said {
    /// Its terms in rising order; one that stands there once plainly is not denied.
    pub terms: Vec<Marked>,
    /// Whether it holds a denial at all, known terms or not.
    pub denies: bool,
}

/// Reads a text.
pub(super) fn read(text: &str, lexicon: &Lexicon) -> Said {
    let mut said = Said::default();
    let mut reach = 0;
    let mut after_denial = false;
    for word in words(text) {
        let lower = word.text.to_lowercase().replace('’', "'");
        if word.begins_clause {
            reach = 0;
        }
        if is_denial(&lower) {
            reach = REACH;
            after_denial = true;
            continue;
        }
        if after_denial && HARMLESS.contains(&lower.as_str()) {
            reach = 0;
        }
        after_denial = false;
        if let Some(term) = lexicon.term(&lower) {
            said.terms.push(Marked { term, is_denied: reach > 0 });
        }
        if !is_stop(&lower) && reach > 0 {
            reach -= 1;
            said.denies = true;
        }
    }
    // False comes before true, so that of the same term the plain one is kept.
    said.terms.sort_unstable();
    said.terms.dedup_by_key(|marked| marked.term);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(text: &str) -> Vec<&str> {
        let parts: [&str; 1] = [text];
        let lexicon = Lexicon::of([parts.as_slice()].into_iter());
        let said = read(text, &lexicon);
        let is_denied = |word: &&str| {
            let term = lexicon.term(&word.to_lowercase());
            said.terms.iter().any(|marked| Some(marked.term) == term && marked.is_denied)
        };
        text.split(' ').filter(is_denied).collect()
    }

    #[test]
    fn what_follows_a_denial_is_denied() {
        assert_eq!(denied("The team does not review accounts quarterly"), ["review", "accounts"]);
        assert_eq!(denied("No reviews take place"), ["reviews", "take"]);
        assert_eq!(denied("It fails to report incidents"), ["report", "incidents"]);
    }

    #[test]
    fn a_denial_ends_with_its_clause() {
        assert_eq!(denied("If not used , accounts expire"), ["used"]);
    }

    #[test]
    fn limits_and_additions_are_no_denials() {
        for text in ["no later than friday", "not only owners review", "not limited to servers"] {
            assert!(denied(text).is_empty(), "{text}");
        }
    }
}
