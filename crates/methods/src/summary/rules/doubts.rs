//! What in a statement speaks against it, word by word: a number or a name that the
//! article lacks, a denial or an opposite where its windows have none.
//!
//! How far each can be trusted was measured on rated summaries; see the guide.

use super::names::is_ordinary;
use super::nearby::{Instead, instead_of};
use super::numbers::is_scaled;
use super::prefixes::opposites;
use super::reading::{Reading, Sentence};
use super::statement::Sources;
use super::vocabulary::{Stem, Word};
use super::windows::Windows;

/// A denial belongs to the first word of content that follows it so closely.
const DENIAL_REACH: usize = 3;
/// A word is denied by a denial that stands so closely before it.
const DENIED_WITHIN: usize = 4;
/// Words around an opposite that must have something in common with those around …
const CLAIM_REACH: usize = 3;
/// … the word in the article that it is the opposite of.
const ARTICLE_REACH: usize = 4;

/// The highest count that may follow from what is named.
const COUNT_MAX: f64 = 10.0;

/// Words that limit what is said to one thing …
const LIMITING: [&str; 4] = ["exclusively", "merely", "only", "solely"];
/// … and those by which the article may do so.
const LIMITED: [&str; 9] =
    ["alone", "exclusive", "exclusively", "just", "merely", "only", "simply", "sole", "solely"];
/// Words before `only` that make it count: the only goal, an only child.
const COUNTING: [&str; 8] = ["a", "an", "her", "his", "its", "our", "the", "their"];

/// Why a word of a statement speaks against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// A number that the article does not have.
    Number,
    /// A name that the article does not have.
    Name,
    /// A word that is no ordinary one, in a summary without capitals: most likely a name.
    Unknown,
    /// A denial, and nothing is denied where the article speaks of it.
    Denial,
    /// The opposite of a word in the article, among the same words.
    Opposite,
    /// Another word of the same kind than the article has among the same words.
    Another,
    /// `only`, and nothing is limited where the article speaks of it.
    Limit,
    /// An ordinary word with a capital: perhaps a name.
    PerhapsName,
    /// A small count in words that the article does not have: what is counted may be named.
    PerhapsNumber,
    /// A prejudice that the article does not have.
    Stereotype,
    /// The opposite of a word in the article, among other words.
    PerhapsOpposite,
    /// A denial of a word that the article has without one.
    PerhapsDenial,
}

impl Doubt {
    /// Whether it is enough to call the fact unsupported.
    pub(super) fn is_strong(self) -> bool {
        match self {
            Self::Number
            | Self::Name
            | Self::Unknown
            | Self::Denial
            | Self::Opposite
            | Self::Another
            | Self::Limit
            | Self::Stereotype => true,
            Self::PerhapsName
            | Self::PerhapsNumber
            | Self::PerhapsOpposite
            | Self::PerhapsDenial => false,
        }
    }

    /// Whether it is enough to call the whole statement unsupported.
    pub(super) fn is_decisive(self) -> bool {
        self.is_strong() && self != Self::Unknown
    }

    /// Whether it turns the meaning of the article round, rather than adding to it.
    pub(super) fn is_contradiction(self) -> bool {
        matches!(self, Self::Denial | Self::Opposite | Self::Another | Self::Limit)
    }
}

/// A doubt and the word it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DoubtedWord {
    /// The position of the word in the summary.
    pub at: usize,
    /// Why.
    pub doubt: Doubt,
}

/// All doubts about a statement, in the order of its words.
pub(super) fn doubts(
    summary: &Reading,
    statement: &Sentence,
    windows: &Windows,
    sources: &Sources,
) -> Vec<DoubtedWord> {
    let look = Look { summary, statement, windows, sources };
    let of_word = |at: usize| look.at(at).map(|doubt| DoubtedWord { at, doubt });
    statement.words.clone().filter_map(of_word).collect()
}

struct Look<'a, 's> {
    summary: &'a Reading<'a>,
    statement: &'a Sentence,
    windows: &'a Windows,
    sources: &'a Sources<'s>,
}

impl Look<'_, '_> {
    fn at(&self, at: usize) -> Option<Doubt> {
        let word = self.summary.words[at];
        let kind = self.sources.vocabulary.kind(word.stem);
        if kind.is_number {
            let is_open = self.is_small_count(word) && !self.is_counted_otherwise(at);
            let doubt = if is_open { Doubt::PerhapsNumber } else { Doubt::Number };
            return (!self.knows_number(at)).then_some(doubt);
        }
        if !self.sources.vocabulary.is_english() {
            return None;
        }
        if kind.is_negation {
            return self.denial(at);
        }
        if self.limits(at) {
            return Some(Doubt::Limit);
        }
        match instead_of(self.summary, self.statement, at, self.sources) {
            Some(Instead::Opposite) => return Some(Doubt::Opposite),
            Some(Instead::Another) => return Some(Doubt::Another),
            None => {}
        }
        if kind.is_stop || self.windows.holds(word.stem) {
            return None;
        }
        // A word that stands elsewhere in the article may still be the opposite of what is said
        // where it speaks of this.
        if self.sources.index.holds(word.stem) {
            return self.opposite(at, word).filter(|doubt| *doubt == Doubt::Opposite);
        }
        self.name(at, word).or_else(|| self.opposite(at, word))
    }

    fn knows_number(&self, at: usize) -> bool {
        let Sources { index, vocabulary, numbers, .. } = self.sources;
        let words = &self.summary.words[self.statement.words.clone()];
        let place = at - self.statement.words.start;
        let stands_there = index.holds(words[place].stem) && !is_scaled(words, place, vocabulary);
        // The 19 of Covid-19 where the article only says Covid.
        let belongs_to_name = place > 0
            && self.summary.gap_before(at) == "-"
            && words[place - 1].capital
            && index.holds(words[place - 1].stem);
        stands_there || belongs_to_name || numbers.know(words, place, vocabulary)
    }

    /// Whether a number is a count up to ten, written in letters: `two friends`.
    fn is_small_count(&self, word: Word) -> bool {
        let value: Option<f64> = self.sources.vocabulary.text(word.stem).parse().ok();
        word.is_spelled && value.is_some_and(|value| value <= COUNT_MAX)
    }

    /// Whether the article counts the same thing by another number: `six months`.
    fn is_counted_otherwise(&self, at: usize) -> bool {
        let Sources { article, index, vocabulary, .. } = self.sources;
        let next = self.summary.words[at + 1..self.statement.words.end].first();
        next.is_some_and(|counted| {
            let mut before = index.positions_of(counted.stem).iter().filter_map(|place| {
                let place = usize::try_from(*place).ok()?.checked_sub(1)?;
                article.words.get(place)
            });
            before.any(|word| vocabulary.kind(word.stem).is_number)
        })
    }

    fn denial(&self, at: usize) -> Option<Doubt> {
        let Sources { article, index, vocabulary, .. } = self.sources;
        let words = &self.summary.words;
        let is_before_number = words[at + 1..self.statement.words.end]
            .first()
            .is_some_and(|next| vocabulary.kind(next.stem).is_number);
        if is_before_number || self.windows.sentences.is_empty() {
            return None;
        }
        let denies = |word: &Word| vocabulary.kind(word.stem).is_negation;
        let in_windows = self.windows.sentences.iter().map(|number| &article.sentences[*number]);
        if !in_windows.clone().any(|sentence| article.words_of(sentence).iter().any(denies)) {
            return Some(Doubt::Denial);
        }
        let target = words[at + 1..self.statement.words.end]
            .iter()
            .take(DENIAL_REACH)
            .find(|word| vocabulary.is_content(word.stem))?;
        let mut places = self.windows.positions_of(target.stem, article, index).peekable();
        places.peek()?;
        let is_denied = |place: usize| {
            article.words[place.saturating_sub(DENIED_WITHIN)..place].iter().any(denies)
        };
        (!places.any(is_denied)).then_some(Doubt::PerhapsDenial)
    }

    /// Whether a word limits what is said to one thing, and none does so in the windows.
    /// `The only goal` counts and does not limit.
    fn limits(&self, at: usize) -> bool {
        let Sources { article, vocabulary, .. } = self.sources;
        let is_among = |reading: &Reading, word: &Word, list: &[&str]| {
            let written = &reading.text[word.bytes()];
            list.iter().any(|word| word.eq_ignore_ascii_case(written))
        };
        let words = &self.summary.words[self.statement.words.clone()];
        let place = at - self.statement.words.start;
        let counts = place.checked_sub(1).is_some_and(|before| {
            let before = vocabulary.text(words[before].stem);
            COUNTING.contains(&before)
        });
        if counts || !is_among(self.summary, &words[place], &LIMITING) {
            return false;
        }
        let limits = |word: &Word| is_among(article, word, &LIMITED);
        let mut sentences = self.windows.sentences.iter().map(|number| &article.sentences[*number]);
        !self.windows.sentences.is_empty()
            && !sentences.any(|sentence| article.words_of(sentence).iter().any(limits))
    }

    fn name(&self, at: usize, word: Word) -> Option<Doubt> {
        let Sources { vocabulary, names, has_no_capitals, .. } = self.sources;
        let is_name = word.capital && self.summary.follows_in_sentence(at);
        if !(is_name || *has_no_capitals) || names.know(self.summary, at) {
            return None;
        }
        let lower = self.summary.text[word.bytes()].to_lowercase();
        match (is_name, is_ordinary(&lower, vocabulary, vocabulary.text(word.stem))) {
            (true, false) => Some(Doubt::Name),
            (false, false) => Some(Doubt::Unknown),
            (true, true) => Some(Doubt::PerhapsName),
            (false, true) => None,
        }
    }

    /// A word that the article lacks, whose opposite stands in the windows and not in the
    /// summary; nothing like the word itself stands there.
    fn opposite(&self, at: usize, word: Word) -> Option<Doubt> {
        let Sources { article, meanings, .. } = self.sources;
        let (stem, meaning) = (word.stem, &self.windows.meaning);
        let turned = self.turned_by_syllable(word);
        let is_opposite = turned.is_some() || meaning.has_opposite(stem, meanings);
        if !is_opposite || meaning.has_like(stem, meanings) {
            return None;
        }
        let own = around(self.summary, at, CLAIM_REACH, self.sources);
        let mut found = None;
        for number in &self.windows.sentences {
            for place in article.sentences[*number].words.clone() {
                let other = article.words[place].stem;
                let turns = turned == Some(other) || meanings.are_opposites(stem, other);
                if !turns || self.sources.summary_holds(other) {
                    continue;
                }
                let theirs = around(article, place, ARTICLE_REACH, self.sources);
                let is_same =
                    |left: &Stem| theirs.iter().any(|right| meanings.are_alike(*left, *right));
                if own.iter().any(is_same) {
                    return Some(Doubt::Opposite);
                }
                found = Some(Doubt::PerhapsOpposite);
            }
        }
        found
    }

    /// The word in the windows that differs from this one by a syllable that denies it.
    fn turned_by_syllable(&self, word: Word) -> Option<Stem> {
        let lower = self.summary.text[word.bytes()].to_lowercase();
        let known = |other: &String| self.sources.vocabulary.known(other);
        opposites(&lower).iter().filter_map(known).find(|stem| self.windows.holds(*stem))
    }
}

/// The words of content around a position, without it and without numbers.
fn around(reading: &Reading, at: usize, reach: usize, sources: &Sources) -> Vec<Stem> {
    let range = at.saturating_sub(reach)..(at + reach + 1).min(reading.words.len());
    let is_content = |stem: &Stem| {
        let kind = sources.vocabulary.kind(*stem);
        !kind.is_stop && !kind.is_number
    };
    range.filter(|other| *other != at).map(|at| reading.words[at].stem).filter(is_content).collect()
}
