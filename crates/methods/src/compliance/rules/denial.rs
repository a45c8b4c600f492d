//! Which words of a sentence are denied: "does not **review accounts**".

use super::lexicon::{Lexicon, Term};
use super::words::{is_denial, is_stop, words};

/// "No" and the like reach over so many words with content, and not beyond their clause.
const REACH: usize = 2;

/// After one of these, "not" denies its whole clause: "records **are not** kept".
const AUXILIARIES: [&str; 22] = [
    "am", "are", "be", "been", "can", "could", "did", "do", "does", "had", "has", "have", "is",
    "may", "might", "must", "shall", "should", "was", "were", "will", "would",
];

/// Words that deny the whole of what follows them in their clause.
const WHOLE: [&str; 14] = [
    "aren't", "can't", "cannot", "doesn't", "don't", "isn't", "lack", "lacked", "lacking", "lacks",
    "never", "wasn't", "weren't", "won't",
];

/// Words that do the same with "to"; "failed logins" denies nothing.
const FAILING: [&str; 4] = ["fail", "failed", "failing", "fails"];

/// Words that begin a clause of their own.
const CLAUSE_WORDS: [&str; 18] = [
    "although", "because", "but", "except", "however", "if", "instead", "since", "so", "than",
    "that", "unless", "until", "when", "where", "which", "while", "who",
];

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
    let mut reader = Reader { said: Said::default(), clause: 0, scope: Scope::None };
    let mut before = String::new();
    for word in words(text) {
        let lower = word.text.to_lowercase().replace('’', "'");
        if word.begins_clause || CLAUSE_WORDS.contains(&lower.as_str()) {
            reader.begin_clause();
        }
        reader.take(&lower, &before, lexicon);
        before = lower;
    }
    let mut said = reader.said;
    // False comes before true, so that of the same term the plain one is kept.
    said.terms.sort_unstable();
    said.terms.dedup_by_key(|marked| marked.term);
    said
}

/// How far a denial still reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    None,
    /// Over so many words with content.
    Words(usize),
    /// To the end of the clause or to its next predicate; and whether it has denied a word yet.
    Clause(bool),
}

struct Reader {
    said: Said,
    /// Where the terms of this clause begin.
    clause: usize,
    scope: Scope,
}

impl Reader {
    fn begin_clause(&mut self) {
        self.clause = self.said.terms.len();
        self.scope = Scope::None;
    }

    fn take(&mut self, lower: &str, before: &str, lexicon: &Lexicon) {
        let is_failing = lower == "to" && FAILING.contains(&before);
        if WHOLE.contains(&lower) || is_failing || (lower == "not" && is_auxiliary(before)) {
            self.deny_clause();
            return;
        }
        if is_denial(lower) {
            self.scope = Scope::Words(REACH);
            return;
        }
        let is_after_denial = is_denial(before) || WHOLE.contains(&before);
        if is_after_denial && HARMLESS.contains(&lower) {
            self.allow_clause();
        }
        if self.scope == Scope::Clause(true) && (is_auxiliary(lower) || lower == "and") {
            self.begin_clause();
        }
        let is_denied = self.scope != Scope::None;
        if let Some(term) = lexicon.term(lower) {
            self.said.terms.push(Marked { term, is_denied });
        }
        if !is_stop(lower) && is_denied {
            self.said.denies = true;
            self.scope = match self.scope {
                Scope::Words(left) if left > 1 => Scope::Words(left - 1),
                Scope::Clause(_) => Scope::Clause(true),
                _ => Scope::None,
            };
        }
    }

    /// Denies what the clause said before, and what it goes on to say.
    fn deny_clause(&mut self) {
        for marked in &mut self.said.terms[self.clause..] {
            marked.is_denied = true;
        }
        self.scope = Scope::Clause(false);
    }

    /// Takes a denial back that turned out to be none: "is not only".
    fn allow_clause(&mut self) {
        for marked in &mut self.said.terms[self.clause..] {
            marked.is_denied = false;
        }
        self.scope = Scope::None;
    }
}

fn is_auxiliary(lower: &str) -> bool {
    AUXILIARIES.contains(&lower)
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
    fn a_denied_predicate_denies_its_clause() {
        let all = ["team", "review", "accounts", "quarterly"];
        assert_eq!(denied("The team does not review accounts quarterly"), all);
        assert_eq!(
            denied("Records are not kept for 12 months"),
            ["Records", "kept", "12", "months"]
        );
        assert_eq!(denied("It fails to report incidents"), ["fails", "report", "incidents"]);
        assert!(denied("Failed logins are recorded").is_empty());
        assert_eq!(denied("We never share keys and always rotate passwords"), ["share", "keys"]);
    }

    #[test]
    fn a_denial_of_a_thing_reaches_over_that_thing() {
        assert_eq!(denied("No reviews take place"), ["reviews", "take"]);
        assert_eq!(denied("Accounts not used recently are disabled today"), ["used", "recently"]);
    }

    #[test]
    fn a_denial_stays_in_its_clause() {
        assert_eq!(denied("If not used , accounts expire"), ["used"]);
        assert_eq!(denied("Accounts that are not needed are removed"), ["needed"]);
    }

    #[test]
    fn limits_and_additions_are_no_denials() {
        for text in ["no later than friday", "not only owners review", "not limited to servers"] {
            assert!(denied(text).is_empty(), "{text}");
        }
    }
}
