//! What the article says where it speaks of this: the words around a word tell the place.
//!
//! An article may say that one thing rose and another fell, or name two days. A statement
//! that the first one fell is laid beside every place that has its word, or one for the same,
//! and beside every place that has the opposite, or another of its kind; the place that shares
//! more of the words around it is the one that is meant.

use super::reading::{Reading, Sentence};
use super::statement::Sources;
use super::vocabulary::Stem;

/// So many words on either side of the statement's word are looked for …
const CLAIM_REACH: usize = 5;
/// … among so many on either side of the article's.
const ARTICLE_REACH: usize = 7;
/// So many different words of content must stand around both: fewer do not tell a place.
const SHARED_MIN: usize = 3;
/// They weigh at least this share of all that stand around the statement's, by rarity.
const SHARED_SHARE: f64 = 0.5;
/// What stands around a place that says the same weighs less than this share of them.
const RIVAL_SHARE: f64 = 0.8;
/// A denial so closely before a word turns it round.
const DENIED_WITHIN: usize = 4;
/// So many places of one word are looked at.
const PLACES_MAX: usize = 32;

/// Little words that have an opposite all the same.
const DIRECTIONS: [&str; 4] = ["above", "below", "down", "up"];

/// What stands in the article in the place of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instead {
    /// Its opposite.
    Opposite,
    /// Another word of its kind.
    Another,
}

/// What the article has in the place of the word at a position of the summary; `None` where it
/// has the word itself, or does not speak of this.
pub(super) fn instead_of(
    summary: &Reading,
    statement: &Sentence,
    at: usize,
    sources: &Sources,
) -> Option<Instead> {
    let Sources { meanings, kinds, vocabulary, .. } = sources;
    let stem = summary.words[at].stem;
    let is_little = vocabulary.kind(stem).is_stop && !DIRECTIONS.contains(&vocabulary.text(stem));
    let (has_meaning, has_kind) = (meanings.knows(stem), kinds.knows(stem));
    if is_little || !(has_meaning || has_kind) || is_denied(summary, statement, at, sources) {
        return None;
    }
    let own = around(summary, statement, at, CLAIM_REACH, sources);
    if own.len() < SHARED_MIN {
        return None;
    }
    let place = Place { own: &own, sources };
    let opposite = |other| meanings.are_opposites(stem, other);
    let alike = |other| meanings.are_alike(stem, other);
    if has_meaning && place.is_taken(opposite, alike) {
        return Some(Instead::Opposite);
    }
    let rival = |other| kinds.are_rivals(stem, other) && !meanings.are_alike(stem, other);
    let same = |other| kinds.are_same(stem, other);
    (has_kind && place.is_taken(rival, same)).then_some(Instead::Another)
}

/// A place that is looked for in the article.
struct Place<'a, 's> {
    /// The words around it in the statement.
    own: &'a [Stem],
    sources: &'a Sources<'s>,
}

impl Place<'_, '_> {
    /// Whether the article has one kind of word there, and nowhere as clearly the other.
    fn is_taken(&self, by: impl Fn(Stem) -> bool, not_by: impl Fn(Stem) -> bool) -> bool {
        let index = self.sources.index;
        let all: f64 = self.own.iter().map(|stem| index.rarity(*stem)).sum();
        let shared = |wanted: &dyn Fn(Stem) -> bool| {
            let places = self.sources.comparable.iter().filter(|other| wanted(**other));
            places.map(|other| self.nearest(*other)).fold(0.0, f64::max)
        };
        let taken = shared(&by);
        taken > 0.0 && taken >= SHARED_SHARE * all && shared(&not_by) < RIVAL_SHARE * taken
    }

    /// The most of the words around the statement's that stand around a word of the article,
    /// by rarity; nothing where they are too few to tell.
    fn nearest(&self, stem: Stem) -> f64 {
        let Sources { article, index, .. } = self.sources;
        let shared = |position: &u32| {
            let at = *position as usize;
            let sentence = &article.sentences[article.sentence_at(at)];
            if is_denied(article, sentence, at, self.sources) {
                return 0.0;
            }
            let theirs = around(article, sentence, at, ARTICLE_REACH, self.sources);
            let both = self.own.iter().filter(|stem| theirs.contains(stem));
            let weight: f64 = both.clone().map(|stem| index.rarity(*stem)).sum();
            if both.count() < SHARED_MIN { 0.0 } else { weight }
        };
        index.positions_of(stem).iter().take(PLACES_MAX).map(shared).fold(0.0, f64::max)
    }
}

/// The different words of content around a position within its sentence, without it.
fn around(
    reading: &Reading,
    sentence: &Sentence,
    at: usize,
    reach: usize,
    sources: &Sources,
) -> Vec<Stem> {
    let from = at.saturating_sub(reach).max(sentence.words.start);
    let to = (at + reach + 1).min(sentence.words.end);
    let mut found: Vec<Stem> = Vec::with_capacity(2 * reach);
    for place in (from..to).filter(|place| *place != at) {
        let stem = reading.words[place].stem;
        if sources.vocabulary.is_content(stem) && !found.contains(&stem) {
            found.push(stem);
        }
    }
    found
}

fn is_denied(reading: &Reading, sentence: &Sentence, at: usize, sources: &Sources) -> bool {
    let from = at.saturating_sub(DENIED_WITHIN).max(sentence.words.start);
    reading.words[from..at].iter().any(|word| sources.vocabulary.kind(word.stem).is_negation)
}
