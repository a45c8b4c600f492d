//! A statement of the summary beside what the article says about it.

use std::ops::Range;

use super::contradiction::{Contradiction, contradiction};
use super::doubts::{Doubt, DoubtedWord, doubts};
use super::evidence_sentence::{Best, Finder};
use super::fragments::{fragments, verbatim_at};
use super::index::Index;
use super::kinds::Kinds;
use super::meanings::{Meaning, Meanings};
use super::names::Names;
use super::numbers::Numbers;
use super::order::common_sequence;
use super::pieces;
use super::read::Read;
use super::reading::{Reading, Sentence};
use super::roles;
use super::soft_recall::Holdings;
use super::vocabulary::{Stem, Vocabulary};
use super::windows::Windows;

/// What is known before any statement is looked at.
pub(super) struct Sources<'a> {
    /// The article.
    pub article: &'a Reading<'a>,
    /// Its index.
    pub index: &'a Index,
    /// The words of both texts.
    pub vocabulary: &'a Vocabulary,
    /// The article's numbers.
    pub numbers: &'a Numbers,
    /// The article's names.
    pub names: &'a Names<'a>,
    /// What the words of both texts mean.
    pub meanings: &'a Meanings,
    /// Of which kind the words of both texts are.
    pub kinds: &'a Kinds,
    /// The words of the article that have a meaning or a kind.
    pub comparable: &'a [Stem],
    /// What the words of the article mean.
    pub article_meaning: &'a Meaning,
    /// What the summary holds.
    pub holdings: &'a Holdings,
    /// Whether the summary is written without capitals.
    pub has_no_capitals: bool,
}

impl Sources<'_> {
    /// Whether the summary holds a stem anywhere.
    pub(super) fn summary_holds(&self, stem: Stem) -> bool {
        self.holdings.holds(stem)
    }
}

/// A statement and what was found out about it.
pub(super) struct Statement {
    /// The statement in the summary.
    pub sentence: Sentence,
    /// The sentence of the article that comes nearest.
    pub best: Best,
    /// The sentences of the article in which its facts are looked for.
    pub windows: Windows,
    /// How it is put together from the article's words.
    pub measures: Measures,
    /// What in it the nearest sentence contradicts, and the position of the word in the
    /// summary at which it does.
    pub contradiction: Option<(Contradiction, usize)>,
    /// What in it speaks against it.
    pub doubts: Vec<DoubtedWord>,
    /// Its facts, in order.
    pub facts: Vec<Sentence>,
    /// What a reader says, if one was asked.
    pub read: Option<Read>,
}

/// How a statement is put together; shares from 0 to 1 but for the counts of bigrams.
pub(super) struct Measures {
    /// Held by the best single sentence, and by the best two in a row: the mean of both.
    pub best: f64,
    /// Held by the article.
    pub held: f64,
    /// Bigrams that the article holds.
    pub known_bigrams: usize,
    /// All bigrams.
    pub bigrams: usize,
    /// Seams between pieces copied from different places.
    pub seams: f64,
    /// In the same order in the best sentence.
    pub ordered: f64,
}

impl Measures {
    /// The share of the statement that is copied: by the nearest sentence, word for word,
    /// and for the rest by the article as a whole.
    pub(super) fn copied(&self) -> f64 {
        self.best * f64::midpoint(self.best, self.bigram_share()) + (1.0 - self.best) * self.held
    }

    /// How well it is copied, without bands.
    pub(super) fn soft(&self) -> f64 {
        (1.0 - self.seams + self.held + self.ordered) / 3.0
    }

    /// The share of its pairs of words that the article has.
    pub(super) fn bigram_share(&self) -> f64 {
        if self.bigrams == 0 { self.held } else { self.known_bigrams as f64 / self.bigrams as f64 }
    }
}

impl Statement {
    /// Reads a statement against the article.
    pub(super) fn read(
        summary: &Reading,
        sentence: Sentence,
        sources: &Sources,
        finder: &mut Finder,
    ) -> Self {
        let stems: Vec<Stem> = summary.stems_of(&sentence).collect();
        let facts = pieces::facts(summary, &sentence, sources.vocabulary);
        if let Some(place) = verbatim_at(&stems, sources.index) {
            return Self::copied(sentence, facts, place, stems.len(), sources);
        }
        let index = sources.index;
        let distinct = distinct(&stems);
        let best = finder.best(&distinct, index);
        let windows = Windows::of(finder.windows(), sources.article, sources.meanings);
        let evidence = sources.article.sentences.get(best.sentence);
        let evidence: Vec<Stem> =
            evidence.map_or_else(Vec::new, |sentence| sources.article.stems_of(sentence).collect());
        let (ordered, pairs) = common_sequence(&stems, &evidence, |stem| index.rarity(stem));
        let known = |pair: &&[Stem]| index.holds_bigram(pair[0], pair[1]);
        let measures = Measures {
            best: f64::midpoint(best.share, best.share_of_two),
            held: held(&distinct, index),
            known_bigrams: stems.windows(2).filter(known).count(),
            bigrams: stems.len().saturating_sub(1),
            seams: (fragments(&stems, index) - 1) as f64 / stems.len() as f64,
            ordered: ordered / weight(&stems, index),
        };
        let exchanged = || {
            let at = roles::exchanged_at(&stems, &evidence, sources)?;
            Some((Contradiction::Roles, at))
        };
        let contradiction = contradiction(&stems, &evidence, &pairs, sources).or_else(exchanged);
        let contradiction = contradiction.map(|(kind, at)| (kind, sentence.words.start + at));
        let doubts = doubts(summary, &sentence, &windows, sources);
        Self { sentence, best, windows, measures, contradiction, doubts, facts, read: None }
    }

    /// A statement that the article has word for word: there is nothing to doubt.
    fn copied(
        sentence: Sentence,
        facts: Vec<Sentence>,
        place: usize,
        words: usize,
        sources: &Sources,
    ) -> Self {
        let article = sources.article;
        let best = Best { sentence: article.sentence_at(place), share: 1.0, share_of_two: 1.0 };
        let bigrams = words.saturating_sub(1);
        let measures = Measures {
            best: 1.0,
            held: 1.0,
            known_bigrams: bigrams,
            bigrams,
            seams: 0.0,
            ordered: 1.0,
        };
        let windows = Windows::of(vec![best.sentence], article, sources.meanings);
        let (contradiction, doubts) = (None, Vec::new());
        Self { sentence, best, windows, measures, contradiction, doubts, facts, read: None }
    }

    /// Takes the prejudices that begin within it, at these positions, for inventions.
    pub(super) fn doubt_prejudices(&mut self, invented: &[usize]) {
        let within = invented.iter().filter(|at| self.sentence.words.contains(*at));
        let doubt = Doubt::Stereotype;
        self.doubts.extend(within.map(|at| DoubtedWord { at: *at, doubt }));
    }

    /// Whether something in it is against what the article says, or not in it at all.
    pub(super) fn is_denied(&self) -> bool {
        self.contradiction.is_some() || self.doubts.iter().any(|found| found.doubt.is_decisive())
    }

    /// The same, but for opposites: whether a word is meant as one depends on the rest of the
    /// sentence, and a reader sees that better.
    pub(super) fn is_surely_denied(&self) -> bool {
        let is_sure =
            |found: &DoubtedWord| found.doubt.is_decisive() && found.doubt != Doubt::Opposite;
        self.contradiction.is_some() || self.doubts.iter().any(is_sure)
    }

    /// The same, but only where it turns round what the article says.
    pub(super) fn is_contradicted(&self) -> bool {
        let turns = |found: &DoubtedWord| found.doubt.is_contradiction();
        self.contradiction.is_some() || self.doubts.iter().any(turns)
    }

    /// Whether one of these words is against what the article says, or not in it at all.
    pub(super) fn denies(&self, words: &Range<usize>) -> bool {
        let is_within = |found: &DoubtedWord| found.doubt.is_strong() && words.contains(&found.at);
        self.contradiction.is_some_and(|(_, at)| words.contains(&at))
            || self.doubts.iter().any(is_within)
    }

    /// What in one of its facts the nearest sentence contradicts.
    pub(super) fn contradiction_of(&self, fact: &Sentence) -> Option<Contradiction> {
        let (kind, at) = self.contradiction?;
        fact.words.contains(&at).then_some(kind)
    }

    /// The doubts about one of its facts.
    pub(super) fn doubts_about<'a>(
        &'a self,
        fact: &'a Sentence,
    ) -> impl Iterator<Item = Doubt> + 'a {
        let is_within = |found: &&DoubtedWord| fact.words.contains(&found.at);
        self.doubts.iter().filter(is_within).map(|found| found.doubt)
    }
}

/// Each stem once, in the order of first sight.
fn distinct(stems: &[Stem]) -> Vec<Stem> {
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
