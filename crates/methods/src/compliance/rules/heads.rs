//! What a word only tells more about: a "backup dishwasher" is a dishwasher.

use super::tokens::{Token, is_auxiliary};
use super::verbs::{is_certain, is_clear};
use super::words::is_stop;

/// A word so near after an auxiliary verb is a predicate: "is **stored** off-site".
const PREDICATE_WITHIN: usize = 2;

/// The place of the last word of the compound that goes on after a word or phrase, or its own place.
pub(super) fn head(tokens: &[Token<'_>], start: usize, end: usize) -> usize {
    if !may_modify(tokens, start, end) {
        return start;
    }
    let last = (end..tokens.len()).take_while(|at| goes_on(tokens, *at)).last();
    last.unwrap_or(start)
}

/// Whether a word or phrase may only tell more about what follows it: no plural does, no verb, and
/// nothing after an auxiliary verb.
fn may_modify(tokens: &[Token<'_>], start: usize, end: usize) -> bool {
    let before = &tokens[start.saturating_sub(PREDICATE_WITHIN)..start];
    let is_predicate = before.iter().any(|token| is_auxiliary(&token.lower) || token.lower == "to");
    let last = tokens[end - 1].lower.as_str();
    start > 0 && !is_predicate && !is_plural(last) && !is_verb(last)
}

/// Whether a word belongs to the compound that the word before it is part of.
fn goes_on(tokens: &[Token<'_>], at: usize) -> bool {
    let (token, before) = (&tokens[at], &tokens[at - 1]);
    let lower = token.lower.as_str();
    let is_noun = lower.len() > 2
        && lower.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && !is_stop(lower)
        && !is_auxiliary(lower)
        && !is_verb(lower)
        && !["ed", "ly", "ing"].iter().any(|end| lower.ends_with(end));
    is_noun
        && token.clause == before.clause
        && !token.word.begins_clause
        && !is_plural(&before.lower)
}

fn is_verb(lower: &str) -> bool {
    is_certain(lower) || is_clear(lower)
}

fn is_plural(lower: &str) -> bool {
    lower.ends_with('s') && !lower.ends_with("ss") && !lower.ends_with("'s")
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::Lexicon;
    use super::super::tokens::tokens;
    use super::*;

    /// The word that the word at a place tells more about.
    fn of(text: &str, at: usize) -> String {
        let lexicon = Lexicon::of(std::iter::empty());
        let tokens = tokens(text, &lexicon);
        tokens[head(&tokens, at, at + 1)].lower.clone()
    }

    #[test]
    fn the_last_noun_of_a_compound_is_what_it_is() {
        assert_eq!(of("The backup dishwasher is tested", 1), "dishwasher");
        assert_eq!(of("the password reset form is blue", 1), "form");
        assert_eq!(of("the company's laptops are old", 1), "laptops");
    }

    #[test]
    fn verbs_plurals_and_predicates_modify_nothing() {
        assert_eq!(of("The backups run nightly", 1), "backups");
        assert_eq!(of("The data are stored off site", 3), "stored");
        assert_eq!(of("the owner reviews accounts", 2), "reviews");
        assert_eq!(of("the backup is tested", 1), "backup");
    }
}
