//! A sentence taken apart: its terms with their clauses and denials, and its quantities.

use super::concepts::{Found, Stem};
use super::denial;
use super::lexicon::{Lexicon, Term};
use super::meaning::{Plain, has_meaning};
use super::quantity::{Quantity, quantities};
use super::tokens::{Token, is_auxiliary, tokens};
use super::units::spelled;
use super::verbs::{is_finite, is_order};
use super::words::is_stop;

/// Words after which a sentence says where, when, with whom or for whom.
const ADJUNCTS: [&str; 13] = [
    "after", "at", "before", "by", "during", "for", "from", "in", "on", "to", "until", "when",
    "with",
];

/// A predicate stands within so many words of its auxiliary verb.
const PREDICATE_NEAR: usize = 3;

/// Words that point back to what was said before.
const POINTING: [&str; 14] = [
    "both", "he", "her", "his", "it", "its", "she", "such", "that", "the", "their", "these",
    "they", "this",
];

/// A term of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marked {
    pub term: Term,
    /// The place among the words; terms of one place mean the same thing.
    pub place: usize,
    pub clause: usize,
    /// Whether it is denied.
    pub is_denied: bool,
    /// Whether the word alone is denied, and not its clause.
    pub is_local: bool,
}

/// What a sentence says.
#[derive(Debug, Clone, Default)]
pub(super) struct Sentence {
    /// Its terms in the order of their places.
    pub terms: Vec<Marked>,
    pub quantities: Vec<Quantity>,
    /// Where the predicate stands: the word after the first auxiliary verb that says something,
    /// or the first verb.
    pub predicate: Option<usize>,
    /// Whether it begins with a word that points back: "they", "the list".
    pub points_back: bool,
    /// The places from which on words only say where, with whom or for whom.
    pub adjuncts: Vec<usize>,
    /// Its words that mean something by themselves.
    pub plain: Vec<Plain>,
}

impl Sentence {
    /// Reads what a document says: every meaning that a word can have.
    pub(super) fn said(text: &str, lexicon: &Lexicon) -> Self {
        Self::read(text, lexicon, false)
    }

    /// Reads what a requirement wants: of a phrase, the phrase and not its words.
    pub(super) fn wanted(text: &str, lexicon: &Lexicon) -> Self {
        Self::read(text, lexicon, true)
    }

    fn read(text: &str, lexicon: &Lexicon, is_wanted: bool) -> Self {
        let text = spelled(text);
        let mut tokens = tokens(&text, lexicon);
        denial::take_harmless(&mut tokens);
        let mut phrases = phrases(&tokens, lexicon);
        // A requirement says what it wants; the contrary of something is for documents.
        phrases.retain(|found| {
            !(is_wanted && (found.is_narrower || found.is_contrary && !found.is_word))
        });
        for found in phrases.iter().filter(|found| !found.is_word) {
            tokens[found.start..found.end].iter_mut().for_each(|token| token.is_taken = true);
        }
        let denied = denial::denied(&tokens);
        let quantities = quantities(&mut tokens);
        let mut terms = Vec::new();
        let mut next = 0;
        for (at, token) in tokens.iter().enumerate() {
            if is_wanted && at < next {
                continue;
            }
            let here = || phrases.iter().filter(move |found| found.start == at);
            let longest = here().map(|found| found.end - at).max().unwrap_or(0);
            let marked = |term: Term, is_contrary: bool| Marked {
                term,
                place: at,
                clause: token.clause,
                is_denied: denied[at].is_denied != is_contrary,
                is_local: denied[at].is_local != is_contrary,
            };
            let is_taken = |found: &&Found| !is_wanted || found.end - at == longest;
            let here = || {
                here().filter(|found| {
                    let is_compared = found.is_word && token.is_counted;
                    !is_wanted || !is_compared || lexicon.is_weak(found.concept)
                })
            };
            terms.extend(
                here().filter(is_taken).map(|found| marked(found.concept, found.is_contrary)),
            );
            if longest > 1 && is_wanted {
                next = at + longest;
            } else if let Some(stem) = token.stem.filter(|_| is_content(token)) {
                terms.push(marked(lexicon.term(stem), false));
            }
        }
        let plain = plain(&tokens, &denied, &phrases);
        // "Disable accounts that **have** been idle": the verb of another clause is not ours.
        let first = tokens.first().map_or(0, |token| token.clause);
        let is_own = |token: &Token<'_>| is_auxiliary(&token.lower) && token.clause == first;
        let orders = tokens.first().is_some_and(|token| is_order(&token.lower, true));
        let auxiliary = tokens.iter().position(is_own).or_else(|| {
            let any = tokens.iter().position(|token| is_auxiliary(&token.lower));
            any.filter(|_| !orders)
        });
        let is_adjunct = |(at, token): (usize, &Token<'_>)| {
            (auxiliary.is_some_and(|auxiliary| at > auxiliary)
                && ADJUNCTS.contains(&token.lower.as_str()))
            .then_some(at)
        };
        let adjuncts = tokens.iter().enumerate().filter_map(is_adjunct).collect();
        let first = tokens.first().map_or("", |token| token.lower.as_str());
        Self {
            predicate: predicate(&tokens, &terms, auxiliary),
            points_back: POINTING.contains(&first),
            terms,
            quantities,
            adjuncts,
            plain,
        }
    }
}

/// The words that mean something by themselves. A phrase with a denial in it ("not connected") is
/// something of its own; for words without a list it denies its clause.
fn plain(tokens: &[Token<'_>], denied: &[denial::Denial], phrases: &[Found]) -> Vec<Plain> {
    let denying: Vec<usize> = phrases
        .iter()
        .filter(|found| !found.is_word && denial::denies(&tokens[found.start..found.end]))
        .map(|found| tokens[found.start].clause)
        .collect();
    tokens
        .iter()
        .zip(denied)
        .filter(|(token, _)| !token.is_counted && has_meaning(&token.lower))
        .map(|(token, denied)| Plain {
            lower: token.lower.clone(),
            is_denied: denied.is_denied || denying.contains(&token.clause),
        })
        .collect()
}

/// Where the predicate of a sentence stands, if it says something.
fn predicate(tokens: &[Token<'_>], terms: &[Marked], auxiliary: Option<usize>) -> Option<usize> {
    let Some(auxiliary) = auxiliary else {
        let lower = |at: usize| tokens[at].lower.as_str();
        let is_verb =
            |at: &usize| is_finite(lower(*at), *at) && (*at > 0 || is_order(lower(0), true));
        return (0..tokens.len()).find(is_verb);
    };
    let next = terms.iter().map(|marked| marked.place).find(|place| *place > auxiliary)?;
    let between = &tokens[auxiliary..next];
    let is_adjunct = between.iter().any(|token| ADJUNCTS.contains(&token.lower.as_str()));
    (between.len() <= PREDICATE_NEAR && !is_adjunct).then_some(next)
}

/// Whether a word says what a rule is about; numbers and times are compared apart.
fn is_content(token: &Token<'_>) -> bool {
    let is_number = token.lower.starts_with(|letter: char| letter.is_ascii_digit());
    !is_number && !token.is_counted && token.lower.len() > 1 && !is_stop(&token.lower)
}

/// All phrases of a sentence.
fn phrases(tokens: &[Token<'_>], lexicon: &Lexicon) -> Vec<Found> {
    let stems: Vec<Option<Stem>> = tokens.iter().map(|token| token.stem).collect();
    (0..stems.len()).flat_map(|start| lexicon.concepts.at(&stems, start)).collect()
}
