//! Words of a query that may name a document, and what they say for each document.
//!
//! A word is looked at when the corpus or the query writes it as a name, when no other
//! document has it and this one has it in name and opening, or when the file name has its neighbour too. Every match is worth the
//! rarity of its word among documents: once for the file name, half for the opening words,
//! and up to half again for the text.

use std::collections::BTreeMap;

use assize_score::Working;
use assize_score::arithmetic::sum;
use assize_score::float::ln;
use rustc_hash::FxHashSet;

use super::Router;
use super::names::{Spelt, initials, is_number};
use super::texts::Holder;
use super::words::Word;

/// What the complete name of a document is worth, against one word of it.
const SPELT_WEIGHT: f64 = 1.0;
/// The same in quotes or with the file's ending: nothing is stronger.
const SURE_WEIGHT: f64 = 4.0;
/// Where no file name fits, so many of the names in a query must stand in the document.
const NAMES_SHARE: f64 = 0.6;
/// A party is named more than once.
const MENTIONS_MIN: u32 = 2;
/// What a word in the opening is worth, against one in the file name.
const OPENING_WEIGHT: f64 = 0.5;
/// What a word that fills the text is worth, against one in the file name.
const TEXT_WEIGHT: f64 = 0.5;
/// Occurrences at which a word in the text is worth half of that.
const TEXT_HALF: f64 = 1.2;

/// What one word says for one document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) term: String,
    rarity: f64,
    /// How often the text holds it.
    times: u32,
    by_name: f64,
    by_opening: f64,
    by_text: f64,
}

impl Part {
    fn value(&self) -> f64 {
        self.explained::<f64>()
    }

    fn explained<N: Working>(&self) -> N {
        let Self { by_name, by_opening, by_text, .. } = *self;
        let inputs = [
            N::given("by the file name", by_name),
            N::given("by the opening words", by_opening),
            N::given("by the text", by_text),
        ];
        N::computed("word", "sum", by_name + by_opening + by_text, inputs).named(self.term.clone())
    }
}

/// What a query says for each document that it may name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Evidence {
    parts: BTreeMap<u32, Vec<Part>>,
    /// What all names of the query would be worth that could tell one document from others.
    names: f64,
}

impl Evidence {
    /// Looks every word of a query up in the names and texts of all documents.
    pub(super) fn of(router: &Router, words: &[Word<'_>], spelt: &[Spelt]) -> Self {
        let stems: FxHashSet<&str> = words.iter().filter_map(|word| word.stem.as_deref()).collect();
        let mut evidence = Self::default();
        for candidate in candidates(router, words) {
            candidate.weigh(router, &stems, &mut evidence);
        }
        for name in spelt {
            let weight = if name.is_sure { SURE_WEIGHT } else { SPELT_WEIGHT };
            for document in name.documents.iter().filter(|document| router.has_name(**document)) {
                evidence.parts.entry(*document).or_default().push(Part {
                    term: name.letters.clone(),
                    rarity: rarity(name.documents.len(), router.count),
                    times: 0,
                    by_name: weight * rarity(name.documents.len(), router.count),
                    by_opening: 0.0,
                    by_text: 0.0,
                });
            }
        }
        evidence
    }

    /// The documents with evidence and how much, strongest first.
    pub(super) fn ranked(&self) -> Vec<(u32, f64)> {
        let mut ranked: Vec<(u32, f64)> =
            self.parts.iter().map(|(document, parts)| (*document, total(parts))).collect();
        ranked.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        ranked
    }

    /// The words that speak for a document.
    pub(super) fn parts(&self, document: u32) -> &[Part] {
        self.parts.get(&document).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether what speaks for a document can be a name of it: its own, or the names in the query,
    /// standing where documents name their parties; only most of them, if not only once. A name
    /// that happens to occur in a text is none of the document.
    pub(super) fn is_enough(&self, document: u32) -> bool {
        let parts = self.parts(document);
        let spoken: f64 = parts.iter().map(|part| part.rarity).sum();
        let in_opening = parts.iter().filter(|part| part.by_opening > 0.0);
        let mentions: u32 = in_opening.map(|part| part.times).sum();
        self.is_by_name(document)
            || mentions >= MENTIONS_MIN && spoken >= NAMES_SHARE * self.names
            || mentions > 0 && spoken >= self.names
    }

    /// Whether a file name speaks for a document.
    pub(super) fn is_by_name(&self, document: u32) -> bool {
        self.parts(document).iter().any(|part| part.by_name > 0.0)
    }

    /// How strongly the query names one document, with workings if the caller wants them.
    pub(super) fn explain<N: Working>(&self, document: u32) -> N {
        sum("evidence", self.parts(document).iter().map(Part::explained).collect())
    }
}

fn total(parts: &[Part]) -> f64 {
    parts.iter().map(Part::value).sum()
}

/// A word that may name a document.
struct Candidate<'a> {
    term: String,
    /// Whether the corpus or the query writes it as a name.
    is_name: bool,
    /// Whether it counts as a name that the query holds. Initials do not: they stand for others.
    may_be_name: bool,
    neighbours: Vec<&'a str>,
}

fn candidates<'a>(router: &Router, words: &'a [Word<'_>]) -> Vec<Candidate<'a>> {
    let content: Vec<(&Word<'_>, &str)> =
        words.iter().filter_map(|word| Some((word, word.stem.as_deref()?))).collect();
    let mut found: Vec<Candidate<'a>> = Vec::new();
    for (index, (word, stem)) in content.iter().enumerate() {
        let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        let neighbours = beside.filter_map(|place| Some(content.get(place)?.1));
        let is_name = !is_number(stem) && router.is_name(word);
        let may_be_name = is_name || !is_number(stem) && router.texts.may_be_name(stem, word);
        match found.iter_mut().find(|candidate| candidate.term == *stem) {
            Some(known) => {
                known.is_name |= is_name;
                known.may_be_name |= may_be_name;
                known.neighbours.extend(neighbours);
            }
            None => found.push(Candidate {
                term: (*stem).to_owned(),
                is_name,
                may_be_name,
                neighbours: neighbours.collect(),
            }),
        }
    }
    for term in initials(words, &|word| router.is_name(word)) {
        if !found.iter().any(|candidate| candidate.term == term) {
            let (is_name, may_be_name, neighbours) = (true, false, Vec::new());
            found.push(Candidate { term, is_name, may_be_name, neighbours });
        }
    }
    found
}

impl Candidate<'_> {
    fn weigh(self, router: &Router, stems: &FxHashSet<&str>, evidence: &mut Evidence) {
        let holders = router.texts.holders(&self.term);
        // What more than half of the documents have tells none of them from the others.
        if holders.len() * 2 > router.count {
            return;
        }
        let fits = router.names.fits(&self.term);
        let held = |document: u32| {
            let place = holders.binary_search_by_key(&document, |holder| holder.document);
            place.ok().map(|place| holders[place])
        };
        let mut documents: Vec<(u32, f64, Option<Holder>)> =
            fits.iter().map(|(document, fit)| (*document, *fit, held(*document))).collect();
        let only_in_name = documents.iter().filter(|(_, _, holder)| holder.is_none()).count();
        let count = holders.len() + only_in_name;
        if count * 2 > router.count {
            return;
        }
        // A text speaks for its document only by names.
        if self.is_name {
            let is_fitting = |document: u32| {
                fits.binary_search_by_key(&document, |(fitting, _)| *fitting).is_ok()
            };
            let others = holders.iter().filter(|holder| !is_fitting(holder.document));
            documents.extend(others.map(|holder| (holder.document, 0.0, Some(*holder))));
        }
        let rarity = rarity(count, router.count);
        if self.may_be_name {
            evidence.names += rarity;
        }
        for (document, fit, holder) in &documents {
            let whole = *fit > 0.0 && router.names.is_whole(*document, stems);
            let beside = |other: &&str| router.names.holds(*document, other);
            // A word of no other document that stands in name and opening is a name, too, even if
            // nobody writes it as one.
            let only = count == 1 && holder.is_some_and(|holder| holder.opening);
            let in_name = *fit > 0.0
                && router.has_name(*document)
                && (self.is_name
                    || whole
                    || !is_number(&self.term) && (only || self.neighbours.iter().any(beside)));
            // A document of one passage is as long as its opening: that is content, no name.
            let in_text = holder.filter(|_| self.is_name && router.long[*document as usize]);
            let part = Part {
                term: self.term.clone(),
                rarity,
                times: in_text.map_or(0, |holder| holder.times),
                by_name: if in_name { fit * rarity } else { 0.0 },
                by_opening: in_text
                    .filter(|holder| holder.opening)
                    .map_or(0.0, |_| OPENING_WEIGHT * rarity),
                by_text: in_text.map_or(0.0, |holder| {
                    let times = f64::from(holder.times);
                    TEXT_WEIGHT * rarity * times / (times + TEXT_HALF)
                }),
            };
            if part.value() > 0.0 {
                evidence.parts.entry(*document).or_default().push(part);
            }
        }
    }
}

/// What a word is worth that so many of all documents have.
pub(super) fn rarity(holding: usize, all: usize) -> f64 {
    let (holding, all) = (holding as f64, all as f64);
    ln(1.0 + (all - holding + 0.5) / (holding + 0.5))
}
