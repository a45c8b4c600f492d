//! A sentence taken apart: its words with their denials, its predicate and its quantities.

use super::denial;
use super::lists::LISTS;
use super::quantity::{Quantity, quantities};
use super::tokens::{Token, is_auxiliary, tokens};
use super::units::spelled;
use super::verbs::{is_finite, is_order};
use super::words::{has_meaning, stem};

/// A predicate stands within so many words of its auxiliary verb.
const PREDICATE_NEAR: usize = 3;

/// A word of a sentence that means something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meant {
    pub lower: String,
    pub stem: String,
    /// The place among all words.
    pub place: usize,
    pub is_denied: bool,
    /// Whether the word alone is denied, and not its clause.
    pub is_local: bool,
}

/// What a sentence says.
#[derive(Debug, Clone, Default)]
pub(super) struct Sentence {
    pub words: Vec<Meant>,
    pub quantities: Vec<Quantity>,
    /// Where the predicate stands: the first word that means something after the auxiliary verb, or
    /// the first verb.
    pub predicate: Option<usize>,
    /// Whether it begins with a word that points back: "they", "the list".
    pub points_back: bool,
    /// Whether those who do or must do it are others than the authors.
    pub is_of_outsiders: bool,
}

impl Sentence {
    pub(super) fn read(text: &str) -> Self {
        let text = spelled(text);
        let mut tokens = tokens(&text);
        denial::take_harmless(&mut tokens);
        let denied = denial::denied(&tokens);
        let quantities = quantities(&mut tokens);
        let words: Vec<Meant> = tokens
            .iter()
            .zip(&denied)
            .enumerate()
            .filter(|(_, (token, _))| !token.is_counted && has_meaning(&token.lower))
            .map(|(place, (token, denied))| Meant {
                lower: token.lower.clone(),
                stem: stem(&token.lower),
                place,
                is_denied: denied.is_denied,
                is_local: denied.is_local,
            })
            .collect();
        let first = tokens.first().map_or("", |token| token.lower.as_str());
        let (predicate, points_back) =
            (predicate(&tokens, &words), LISTS.pointing.has(first) && first != "the");
        let is_of_outsiders =
            predicate.and_then(|at| agent(&tokens, at)).is_some_and(|one| LISTS.outsiders.has(one));
        Self { words, quantities, predicate, points_back, is_of_outsiders }
    }
}

/// What the subject of a predicate is, by the last word of its noun: **accounts** for "customer
/// accounts will be closed", **suppliers** for "suppliers of the bank must encrypt".
fn agent<'t>(tokens: &'t [Token<'_>], predicate: usize) -> Option<&'t str> {
    let clause = tokens.get(predicate)?.clause;
    let own = tokens[..predicate].iter().filter(|token| token.clause == clause);
    let noun = own.take_while(|token| !LISTS.attaching.has(&token.lower));
    let is_noun = |token: &&Token<'_>| {
        !is_auxiliary(&token.lower) && has_meaning(&token.lower) && !token.lower.ends_with("ly")
    };
    noun.filter(is_noun).last().map(|token| token.lower.as_str())
}

/// Where the predicate of a sentence stands, if it says something.
fn predicate(tokens: &[Token<'_>], words: &[Meant]) -> Option<usize> {
    // "Disable accounts that **have** been idle": the verb of another clause is not ours.
    let first = tokens.first().map_or(0, |token| token.clause);
    let is_own = |token: &Token<'_>| is_auxiliary(&token.lower) && token.clause == first;
    let orders = tokens.first().is_some_and(|token| is_order(&token.lower, true));
    let auxiliary = tokens.iter().position(is_own).or_else(|| {
        let any = tokens.iter().position(|token| is_auxiliary(&token.lower));
        any.filter(|_| !orders)
    });
    let Some(auxiliary) = auxiliary else {
        let lower = |at: usize| tokens[at].lower.as_str();
        let is_verb = |at: &usize| match *at {
            0 => orders,
            at => is_finite(lower(at), at),
        };
        return (0..tokens.len()).find(is_verb);
    };
    let next = words.iter().map(|word| word.place).find(|place| *place > auxiliary)?;
    let between = &tokens[auxiliary..next];
    let is_adjunct = between.iter().any(|token| LISTS.adjuncts.has(&token.lower));
    (between.len() <= PREDICATE_NEAR && !is_adjunct).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predicate_of(text: &str) -> Option<String> {
        let read = Sentence::read(text);
        let place = read.predicate?;
        read.words.into_iter().find(|word| word.place == place).map(|word| word.lower)
    }

    #[test]
    fn the_predicate_is_what_is_done() {
        let expected = [
            ("Backups are made every night.", "made"),
            ("Review user accounts every quarter.", "review"),
            ("The access team reviews privileges monthly.", "reviews"),
            ("Disable accounts that have been idle.", "disable"),
        ];
        for (text, word) in expected {
            assert_eq!(predicate_of(text).as_deref(), Some(word), "{text}");
        }
        assert_eq!(predicate_of("The control of access"), None);
    }

    #[test]
    fn who_does_it_is_told_from_others() {
        assert!(Sentence::read("Suppliers must encrypt data.").is_of_outsiders);
        assert!(!Sentence::read("We require suppliers to encrypt data.").is_of_outsiders);
        assert!(Sentence::read("Suppliers of the bank must encrypt data.").is_of_outsiders);
        assert!(Sentence::read("Our contractors and suppliers also encrypt data.").is_of_outsiders);
        assert!(!Sentence::read("Customer accounts will be closed after 90 days.").is_of_outsiders);
        let headed = "For customers using our provider, idle accounts are closed after 90 days.";
        assert!(!Sentence::read(headed).is_of_outsiders);
    }
}
