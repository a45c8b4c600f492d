//! A sentence as tokens: its words and the clause that each stands in.

use super::lists::LISTS;
use super::words::{Word, words};

/// Of these, those after which the clause around them goes on: "accounts **that** are idle are
/// closed".
const EMBEDDING: [&str; 6] = ["that", "when", "where", "which", "who", "whose"];

/// So many words after "and" are looked at for a predicate.
const AHEAD: usize = 5;

/// One word of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Token<'t> {
    pub word: Word<'t>,
    /// In lower case, with plain apostrophes.
    pub lower: String,
    /// The clause it stands in, from 0.
    pub clause: usize,
    /// Whether a phrase has taken it, so that it is no sign of anything else.
    pub is_taken: bool,
    /// Whether it belongs to a quantity, and is compared with it.
    pub is_counted: bool,
}

/// The tokens of a sentence, with their clauses.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = words(text)
        .map(|word| {
            let lower = word.text.to_lowercase().replace('’', "'");
            Token { word, lower, clause: 0, is_taken: false, is_counted: false }
        })
        .collect();
    number_clauses(&mut tokens);
    tokens
}

/// Whether a word is an auxiliary verb.
pub(super) fn is_auxiliary(lower: &str) -> bool {
    LISTS.auxiliaries.has(lower)
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
        } else if at > 0 && LISTS.clause_words.has(&lower) {
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

/// Whether what follows an "and" has a predicate of its own.
fn begins_another(rest: &[Token<'_>]) -> bool {
    let mut near = rest.iter().take(AHEAD).take_while(|token| !token.word.begins_clause);
    let starts = ["always", "never", "then"];
    rest.first().is_some_and(|token| starts.contains(&token.lower.as_str()))
        || near.any(|token| is_auxiliary(&token.lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Vec<(String, usize)> {
        tokens(text).into_iter().map(|token| (token.lower, token.clause)).collect()
    }

    fn clause_of(text: &str, word: &str) -> usize {
        clauses(text).into_iter().find(|(lower, _)| lower == word).unwrap().1
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
}
