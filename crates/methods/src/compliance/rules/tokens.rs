//! A sentence as tokens: its words with their stems and the clause that each stands in.

use super::concepts::Stem;
use super::lexicon::Lexicon;
use super::words::{Word, words};

/// After one of these a clause has its predicate.
pub(super) const AUXILIARIES: [&str; 30] = [
    "am", "are", "aren't", "be", "been", "can", "cannot", "could", "did", "do", "does", "doesn't",
    "don't", "had", "has", "have", "is", "isn't", "may", "might", "must", "shall", "should", "was",
    "wasn't", "were", "weren't", "will", "won't", "would",
];

/// Words that begin a clause of their own.
const CLAUSE_WORDS: [&str; 20] = [
    "although", "because", "but", "except", "however", "if", "instead", "since", "so", "than",
    "that", "unless", "until", "when", "where", "whereas", "which", "while", "who", "whose",
];

/// Of these, those after which the clause around them goes on: "accounts **that** are idle are
/// closed".
const EMBEDDING: [&str; 6] = ["that", "when", "where", "which", "who", "whose"];

/// So many words after "and" are looked at for a predicate.
const AHEAD: usize = 5;

/// A clause without a predicate has at most so many words.
const JOINED_WORDS: usize = 4;

/// One word of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Token<'t> {
    pub word: Word<'t>,
    /// In lower case, with plain apostrophes.
    pub lower: String,
    /// Its stem, if a criterion or a concept uses it.
    pub stem: Option<Stem>,
    /// The clause it stands in, from 0.
    pub clause: usize,
    /// Whether a phrase has taken it, so that it is no sign of anything else.
    pub is_taken: bool,
    /// Whether it belongs to a quantity, and is compared with it.
    pub is_counted: bool,
}

/// The tokens of a sentence, with their clauses.
pub(super) fn tokens<'t>(text: &'t str, lexicon: &Lexicon) -> Vec<Token<'t>> {
    let mut tokens: Vec<Token<'t>> = words(text)
        .map(|word| {
            let lower = word.text.to_lowercase().replace('’', "'");
            let stem = lexicon.stem(&lower);
            Token { word, lower, stem, clause: 0, is_taken: false, is_counted: false }
        })
        .collect();
    number_clauses(&mut tokens);
    join_clauses(&mut tokens);
    tokens
}

/// Whether a word is an auxiliary verb.
pub(super) fn is_auxiliary(lower: &str) -> bool {
    AUXILIARIES.binary_search(&lower).is_ok()
}

fn number_clauses(tokens: &mut [Token<'_>]) {
    let (mut clause, mut last) = (0, 0);
    // The clause around an embedded one, and whether the embedded one has its predicate yet.
    let mut outer: Option<(usize, bool)> = None;
    for at in 0..tokens.len() {
        let lower = tokens[at].lower.clone();
        let is_auxiliary = is_auxiliary(&lower);
        if at > 0 && tokens[at].word.begins_clause {
            last += 1;
            (clause, outer) = (last, None);
        } else if at > 0 && CLAUSE_WORDS.contains(&lower.as_str()) && !is_doing(&tokens[at..]) {
            last += 1;
            outer = EMBEDDING.contains(&lower.as_str()).then_some((clause, false));
            clause = last;
        } else if at > 0 && lower == "and" && begins_another(&tokens[at + 1..]) {
            last += 1;
            (clause, outer) = (last, None);
        } else if let Some((around, has_predicate)) = outer
            && is_auxiliary
        {
            let follows = at > 0 && self::is_auxiliary(&tokens[at - 1].lower);
            if has_predicate && !follows {
                (clause, outer) = (around, None);
            } else {
                outer = Some((around, true));
            }
        }
        tokens[at].clause = clause;
    }
}

/// "… **while preparing** food is forbidden": no clause of its own.
fn is_doing(tokens: &[Token<'_>]) -> bool {
    let [first, next, ..] = tokens else { return false };
    ["when", "while"].contains(&first.lower.as_str()) && next.lower.ends_with("ing")
}

/// Whether what follows an "and" has a predicate of its own.
fn begins_another(rest: &[Token<'_>]) -> bool {
    let mut near = rest.iter().take(AHEAD).take_while(|token| !token.word.begins_clause);
    let starts = ["always", "never", "then"];
    rest.first().is_some_and(|token| starts.contains(&token.lower.as_str()))
        || near.any(|token| is_auxiliary(&token.lower))
}

/// Joins what has no predicate with what it belongs to: "rings**, watches and pins are
/// forbidden**" is one clause.
fn join_clauses(tokens: &mut [Token<'_>]) {
    let count = tokens.iter().map(|token| token.clause + 1).max().unwrap_or(0);
    let mut into: Vec<usize> = (0..count).collect();
    let of = |clause: usize| tokens.iter().filter(move |token| token.clause == clause);
    let has_predicate = |clause: usize| of(clause).any(|token| is_auxiliary(&token.lower));
    // Only a comma joins, and only a few words: after a semicolon something new is said.
    let is_short = |clause: usize| of(clause).count() <= JOINED_WORDS;
    let follows_comma =
        |clause: usize| of(clause).next().is_some_and(|first| first.word.follows_comma);
    let is_bound = |clause: usize| {
        of(clause).next().is_some_and(|first| CLAUSE_WORDS.contains(&first.lower.as_str()))
    };
    for clause in (0..count).rev() {
        if has_predicate(clause) || is_bound(clause) || !is_short(clause) {
            continue;
        }
        let goes_on = |next: usize| {
            let first = of(next).next().map_or("", |first| first.lower.as_str());
            follows_comma(next) || ["and", "or"].contains(&first)
        };
        let joins_next = clause + 1 < count && goes_on(clause + 1) && !is_bound(clause + 1);
        if joins_next && has_predicate(into[clause + 1]) {
            into[clause] = into[clause + 1];
        } else if clause > 0 && follows_comma(clause) && !is_bound(clause - 1) {
            into[clause] = clause - 1;
        }
    }
    for token in tokens {
        // A clause may have gone into one that went into another.
        while into[token.clause] != token.clause {
            token.clause = into[token.clause];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Vec<(String, usize)> {
        let lexicon = Lexicon::of(std::iter::empty());
        tokens(text, &lexicon).into_iter().map(|token| (token.lower, token.clause)).collect()
    }

    fn clause_of(text: &str, word: &str) -> usize {
        clauses(text).into_iter().find(|(lower, _)| lower == word).unwrap().1
    }

    #[test]
    fn a_list_belongs_to_its_predicate() {
        let text = "Rings, watches and pins are forbidden.";
        assert_eq!(clause_of(text, "rings"), clause_of(text, "forbidden"));
    }

    #[test]
    fn the_clause_around_an_embedded_one_goes_on() {
        let text = "Accounts that were not used for 30 days are disabled.";
        assert_eq!(clause_of(text, "accounts"), clause_of(text, "disabled"));
        assert_ne!(clause_of(text, "accounts"), clause_of(text, "used"));
    }

    #[test]
    fn two_predicates_are_two_clauses() {
        let text = "Accounts are personal and shared accounts are not permitted.";
        assert_ne!(clause_of(text, "personal"), clause_of(text, "permitted"));
        assert_eq!(clause_of(text, "shared"), clause_of(text, "permitted"));
    }

    #[test]
    fn the_list_of_auxiliaries_can_be_searched() {
        assert!(AUXILIARIES.is_sorted());
    }
}
