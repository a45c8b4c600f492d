//! How well the article backs a claim, as a number and as a label.

use super::contradiction::{Contradiction, contradiction};
use super::evidence_sentence::{Best, Finder};
use super::fragments::fragments;
use super::index::Index;
use super::numbers::Numbers;
use super::order::common_sequence;
use super::reading::{Reading, Sentence};
use super::vocabulary::{Stem, Vocabulary, Word};
use crate::summary::labels::Support;

/// A claim is supported from here on …
const SUPPORTED_FROM: f64 = 0.95;
/// … if this share of it stands in the same order in one sentence of the article.
const ORDERED_MIN: f64 = 0.85;
/// A claim is partly supported from here on …
const PARTIAL_FROM: f64 = 0.70;
/// … or if it invents no name and no number and the article holds this share of it.
const HELD_MIN: f64 = 0.60;
/// What each invented number or name costs.
const INVENTION_COST: f64 = 0.1;
/// Inventions beyond these cost no more.
const INVENTIONS_MAX: usize = 2;
/// What each invented number costs without bands.
const INVENTED_NUMBER_COST: f64 = 0.2;
/// What each invented name costs without bands.
const INVENTED_NAME_COST: f64 = 0.1;
/// Invented names beyond these cost no more without bands.
const INVENTED_NAMES_MAX: usize = 3;
/// The support that is left to a claim the article contradicts, at most.
const CONTRADICTED_SUPPORT: f64 = 0.3;

/// What is known before any claim is looked at.
pub(super) struct Sources<'a> {
    /// The article.
    pub article: &'a Reading<'a>,
    /// Its index.
    pub index: &'a Index,
    /// The words of both texts.
    pub vocabulary: &'a Vocabulary,
    /// The article's numbers.
    pub numbers: &'a Numbers,
}

/// What was found out about a claim.
pub(super) struct Assessment {
    /// The label.
    pub support: Support,
    /// The support without bands, 0 to 1.
    pub soft: f64,
    /// The sentence of the article that comes nearest.
    pub best: Best,
    /// What in the claim the article contradicts.
    pub contradiction: Option<Contradiction>,
    /// Positions in the claim of numbers and names that the article lacks.
    pub inventions: Vec<usize>,
}

/// The measures of a claim that its support is made of; all but the last two are shares.
struct Measures {
    /// Held by the best single sentence, and by the best two in a row: the mean of both.
    best: f64,
    /// Held by the article.
    held: f64,
    /// Bigrams that the article holds.
    bigrams: f64,
    /// Seams between pieces copied from different places.
    seams: f64,
    /// In the same order in the best sentence.
    ordered: f64,
    invented_numbers: usize,
    invented_names: usize,
}

/// Assesses one claim of the summary.
pub(super) fn assess(
    summary: &Reading,
    claim: &Sentence,
    sources: &Sources,
    finder: &mut Finder,
) -> Assessment {
    let words = summary.words_of(claim);
    let stems: Vec<Stem> = words.iter().map(|word| word.stem).collect();
    let index = sources.index;
    let distinct = distinct(&stems);
    let best = finder.best(&distinct, index);
    let evidence = sources.article.sentences.get(best.sentence);
    let evidence: Vec<Stem> =
        evidence.map_or_else(Vec::new, |sentence| sources.article.stems_of(sentence).collect());
    let (ordered, pairs) = common_sequence(&stems, &evidence, |stem| index.rarity(stem));
    let numbers = invented_numbers(words, sources);
    let names = invented_names(summary, claim, sources);
    let measures = Measures {
        best: f64::midpoint(best.share, best.share_of_two),
        held: held(&distinct, index),
        bigrams: bigrams_held(&stems, index),
        seams: (fragments(&stems, index) - 1) as f64 / stems.len() as f64,
        ordered: ordered / weight(&stems, index),
        invented_numbers: numbers.len(),
        invented_names: names.len(),
    };
    let contradiction = contradiction(&stems, &evidence, &pairs, sources);
    let mut inventions = numbers;
    inventions.extend(names);
    inventions.sort_unstable();
    let mut support = measures.label();
    let mut soft = measures.soft();
    if contradiction.is_some() {
        support = Support::Unsupported;
        soft = soft.min(CONTRADICTED_SUPPORT);
    }
    Assessment { support, soft, best, contradiction, inventions }
}

impl Measures {
    fn label(&self) -> Support {
        let inventions = self.invented_numbers + self.invented_names;
        let copied = self.best * (self.best + self.bigrams) / 2.0 + (1.0 - self.best) * self.held;
        let score = copied - INVENTION_COST * inventions.min(INVENTIONS_MAX) as f64;
        if score >= SUPPORTED_FROM && self.ordered >= ORDERED_MIN {
            Support::Supported
        } else if score >= PARTIAL_FROM || (inventions == 0 && self.held >= HELD_MIN) {
            Support::Partial
        } else {
            Support::Unsupported
        }
    }

    fn soft(&self) -> f64 {
        let copied = (1.0 - self.seams + self.held + self.ordered) / 3.0;
        let cost = INVENTED_NUMBER_COST * self.invented_numbers.min(INVENTIONS_MAX) as f64
            + INVENTED_NAME_COST * self.invented_names.min(INVENTED_NAMES_MAX) as f64;
        (copied - cost).clamp(0.0, 1.0)
    }
}

/// Each stem once, in the order of first sight.
pub(super) fn distinct(stems: &[Stem]) -> Vec<Stem> {
    let mut seen: Vec<Stem> = Vec::with_capacity(stems.len());
    for &stem in stems {
        if !seen.contains(&stem) {
            seen.push(stem);
        }
    }
    seen
}

fn weight(stems: &[Stem], index: &Index) -> f64 {
    stems.iter().map(|stem| index.rarity(*stem)).sum()
}

fn held(distinct: &[Stem], index: &Index) -> f64 {
    let known: f64 =
        distinct.iter().filter(|stem| index.holds(**stem)).map(|stem| index.rarity(*stem)).sum();
    known / weight(distinct, index)
}

fn bigrams_held(stems: &[Stem], index: &Index) -> f64 {
    if stems.len() < 2 {
        return f64::from(u8::from(stems.iter().all(|stem| index.holds(*stem))));
    }
    let known = stems.windows(2).filter(|pair| index.holds_bigram(pair[0], pair[1])).count();
    known as f64 / (stems.len() - 1) as f64
}

/// Positions of numbers that the article lacks.
fn invented_numbers(words: &[Word], sources: &Sources) -> Vec<usize> {
    let is_invented = |at: &usize| {
        let stem = words[*at].stem;
        sources.vocabulary.kind(stem).is_number
            && !sources.index.holds(stem)
            && !sources.numbers.know(words, *at, sources.vocabulary)
    };
    (0..words.len()).filter(is_invented).collect()
}

/// Positions of capitalised words within the sentence that the article lacks.
fn invented_names(summary: &Reading, claim: &Sentence, sources: &Sources) -> Vec<usize> {
    let words = summary.words_of(claim);
    let is_invented = |at: &usize| {
        let word = words[*at];
        word.capital
            && !sources.index.holds(word.stem)
            && sources.vocabulary.is_content(word.stem)
            && follows_in_sentence(summary, claim.words.start + at)
    };
    (0..words.len()).filter(is_invented).collect()
}

/// Whether a word follows another one without a mark between them that asks for a capital.
fn follows_in_sentence(summary: &Reading, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| summary.words[before]) else { return false };
    let (end, start) = (before.bytes().end, summary.words[at].bytes().start);
    end <= start
        && !summary.text[end..start].contains(['.', '!', '?', ':', '"', '“', '\n', '*', '|'])
}
