//! The gate's second stage: a linear model over the words of an answer.
//!
//! Rules find what somebody thought of. This finds what reads like the harmful answers that
//! people labelled: every word, pair of words and group of three to five letters of a word has a
//! weight in a table of hashes, and an answer whose weights sum above a threshold fails.
//! `scripts/train_gate.py` makes the table; docs/guide/gate.md says what it was trained and
//! measured on. Text in the table cannot be read back out of it.

use std::sync::LazyLock;

use serde::Deserialize;

/// Places in the table. Fewer share places with more words; more buys nothing on held-out data.
pub(crate) const BUCKETS: usize = 1 << 18;

/// An answer is looked at in stretches of so many words, and the worst one counts: what is
/// harmful in a long answer must not be thinned out by the rest.
pub(crate) const WORDS_MAX: usize = 600;

/// A stretch shorter than this at the end is part of the one before it.
const WORDS_MIN: usize = 150;

/// A word longer than this is cut: nobody writes one, and time must not depend on it.
const WORD_BYTES_MAX: usize = 40;

/// What groups of letters count beside words.
const GROUPS_SHARE: f64 = 0.5;

/// In an explanation a word shares the weight of its groups of letters with other words.
const GROUP_SHARE: f64 = 4.0;

/// Groups of letters are taken from the beginning of a word, and are so long.
const GROUPED_CHARACTERS_MAX: usize = 24;
const GROUP_LENGTHS: [usize; 3] = [3, 4, 5];

static BUILT_IN: LazyLock<Model> = LazyLock::new(|| {
    let about: About = toml::from_str(include_str!("../../defaults/gate/learned.toml"))
        .expect("the file is part of the program and tested");
    Model {
        table: include_bytes!("../../defaults/gate/learned.bin"),
        step: about.step,
        bias: about.bias,
        rates: about.rates,
    }
});

/// What stands beside the table.
#[derive(Debug, Deserialize)]
struct About {
    step: f64,
    bias: f64,
    /// Target false-positive rates of both stages together, rising, and the threshold for each.
    rates: Vec<(f64, f64)>,
}

/// A table of weights with what is needed to use it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// A signed number of steps for each place: what was learned, times how rare it is.
    table: &'static [u8; BUCKETS],
    /// What one step is worth.
    step: f64,
    /// What an answer starts with.
    bias: f64,
    /// What the threshold is for a target rate.
    rates: Vec<(f64, f64)>,
}

/// What stood out in an answer: a word or two, with its bytes and its part of the score.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) weight: f64,
}

impl Model {
    /// The one that comes with the gate.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// The threshold at which rules and this stage together failed at most this share of the
    /// harmless answers of every source that was left out; `None` for a rate below the lowest one
    /// that was measured.
    pub(crate) fn threshold_at(&self, rate: f64) -> Option<f64> {
        let fits = self.rates.iter().take_while(|(known, _)| *known <= rate);
        fits.last().map(|(_, threshold)| *threshold)
    }

    /// How much a folded text reads like a harmful answer; the worst of its stretches.
    pub fn score(&self, folded: &str) -> f64 {
        self.worst(folded).map_or(f64::NEG_INFINITY, |(score, _)| score)
    }

    /// The score, and the words that made it.
    fn worst<'t>(&self, folded: &'t str) -> Option<(f64, Vec<Word<'t>>)> {
        let words = words(folded);
        let scored = stretches(&words).map(|stretch| (self.of(stretch), stretch));
        let worst = scored.max_by(|one, other| one.0.total_cmp(&other.0))?;
        Some((worst.0, worst.1.to_vec()))
    }

    fn of(&self, words: &[Word<'_>]) -> f64 {
        let mut told = Tally::new();
        each_feature(words, |bucket| told.add(bucket, self));
        let mut spelled = Tally::new();
        let mut distinct: Vec<&str> = words.iter().map(|word| word.text).collect();
        distinct.sort_unstable();
        distinct.dedup();
        for word in distinct {
            each_group(word, |bucket| spelled.add(bucket, self));
        }
        self.bias + self.step * (told.scaled() + GROUPS_SHARE * spelled.scaled())
    }

    fn steps(&self, bucket: usize) -> i8 {
        self.table[bucket].cast_signed()
    }

    /// The phrases of the worst stretch that weigh most, heaviest first.
    pub(super) fn phrases(&self, folded: &str, most: usize) -> Vec<Phrase> {
        let Some((_, words)) = self.worst(folded) else { return Vec::new() };
        let weight = |bucket: usize| f64::from(self.steps(bucket)) * self.step;
        let mut phrases = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let mut alone = weight(bucket_of(&[word.text]));
            each_group(word.text, |bucket| alone += weight(bucket) / GROUP_SHARE);
            phrases.push(Phrase { start: word.start, end: word.end(), weight: alone });
            if let Some(next) = words.get(index + 1) {
                let both = weight(bucket_of(&[word.text, next.text]));
                phrases.push(Phrase { start: word.start, end: next.end(), weight: alone + both });
            }
        }
        phrases.retain(|phrase| phrase.weight > 0.0);
        phrases.sort_by(|one, other| {
            other.weight.total_cmp(&one.weight).then(one.start.cmp(&other.start))
        });
        let mut kept: Vec<Phrase> = Vec::new();
        for phrase in phrases {
            let text = &folded[phrase.start..phrase.end];
            let known = |other: &Phrase| {
                (phrase.start < other.end && other.start < phrase.end)
                    || folded[other.start..other.end] == *text
            };
            if !kept.iter().any(known) {
                kept.push(phrase);
            }
            if kept.len() == most {
                break;
            }
        }
        kept
    }
}

/// A sum of weights, each place once.
struct Tally {
    seen: Seen,
    total: i64,
    places: u32,
}

impl Tally {
    fn new() -> Self {
        Self { seen: Seen::new(), total: 0, places: 0 }
    }

    fn add(&mut self, bucket: usize, model: &Model) {
        if self.seen.is_new(bucket) {
            self.total += i64::from(model.steps(bucket));
            self.places += 1;
        }
    }

    /// Over the root of how many there are, so that length alone moves nothing.
    fn scaled(&self) -> f64 {
        self.total as f64 / f64::from(self.places.max(1)).sqrt()
    }
}

/// The place of every group of letters in a word, its edges included.
fn each_group(word: &str, mut put: impl FnMut(usize)) {
    let letters = word.chars().take(GROUPED_CHARACTERS_MAX);
    let letters: Vec<char> = [' '].into_iter().chain(letters).chain([' ']).collect();
    for length in GROUP_LENGTHS {
        for group in letters.windows(length) {
            let mut bytes = [0; 4];
            let hash = group.iter().fold(begun(GROUP_KIND), |hash, letter| {
                letter.encode_utf8(&mut bytes).bytes().fold(hash, hashed)
            });
            put(placed(hash));
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    start: usize,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Runs of letters and digits.
fn words(folded: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, letter) in folded.char_indices().chain([(folded.len(), ' ')]) {
        match (letter.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(Word { text: &folded[from..at], start: from });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// Stretches of words; what is left over belongs to the last.
fn stretches<'a, 't>(words: &'a [Word<'t>]) -> impl Iterator<Item = &'a [Word<'t>]> {
    let count = words.len();
    let starts = (0..count).step_by(WORDS_MAX);
    starts.filter(move |start| *start == 0 || count - start >= WORDS_MIN).map(move |start| {
        let next = start + WORDS_MAX;
        let end = if count.saturating_sub(next) < WORDS_MIN { count } else { next };
        &words[start..end]
    })
}

/// The place of every word, and of every word with the one after it.
fn each_feature(words: &[Word<'_>], mut put: impl FnMut(usize)) {
    for (index, word) in words.iter().enumerate() {
        put(bucket_of(&[word.text]));
        if let Some(next) = words.get(index + 1) {
            put(bucket_of(&[word.text, next.text]));
        }
    }
}

fn bucket_of(words: &[&str]) -> usize {
    let bytes = words.iter().flat_map(|word| word.bytes().take(WORD_BYTES_MAX).chain([b' ']));
    placed(bytes.fold(begun(WORD_KIND), hashed))
}

/// What every hash begins with: words and pairs are one kind of feature, groups of letters another.
const WORD_KIND: u8 = 1;
const GROUP_KIND: u8 = 2;

/// FNV-1a, folded to the size of the table: short, and the same everywhere.
fn begun(kind: u8) -> u64 {
    hashed(0xcbf2_9ce4_8422_2325, kind)
}

fn hashed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

fn placed(hash: u64) -> usize {
    let folded = hash ^ (hash >> 32);
    usize::try_from(folded % BUCKETS as u64).unwrap_or(0)
}

/// Which places were met already.
struct Seen(Vec<u64>);

impl Seen {
    fn new() -> Self {
        Self(vec![0; BUCKETS / 64])
    }

    fn is_new(&mut self, bucket: usize) -> bool {
        let (word, bit) = (&mut self.0[bucket / 64], 1 << (bucket % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_that_comes_with_the_gate_can_be_read() {
        let model = Model::built_in();
        assert!(model.step > 0.0 && model.bias.is_finite());
        assert!(model.score("").is_infinite() && model.score("hello").is_finite());
    }

    /// Scores by `scripts/train_gate.py` with the same table: what it trained on is what is
    /// looked up here.
    #[test]
    fn the_training_script_and_the_gate_see_the_same_features() {
        for (text, expected) in [
            ("To bake bread, mix flour and water.", -5.010_147_835_699_959),
            ("Don't worry — the café’s “naïve” waiter-bot said: it's ﬁne!", -4.249_478_739_670_246),
            (&*"word ".repeat(700), -4.631_274_255_418_377),
        ] {
            let found = Model::built_in().score(&crate::gate::Gate::built_in().folded(text));
            assert!((found - expected).abs() < 1e-9, "{text:.30}: {found}");
        }
    }

    #[test]
    fn features_are_counted_once() {
        let text = "one two one two";
        let mut places = Vec::new();
        each_feature(&words(text), |bucket| places.push(bucket));
        // one, "one two", two, "two one", one, "one two", two.
        assert_eq!(places.len(), 7);
        let mut seen = Seen::new();
        places.retain(|bucket| seen.is_new(*bucket));
        assert_eq!(places.len(), 4);
    }

    #[test]
    fn a_long_answer_is_as_bad_as_its_worst_stretch() {
        let count = |number: usize| stretches(&words(&"word ".repeat(number))).count();
        assert_eq!((count(0), count(1), count(600), count(700), count(750)), (0, 1, 1, 1, 2));
        let lengths = |number: usize| -> Vec<usize> {
            stretches(&words(&"word ".repeat(number))).map(<[Word<'_>]>::len).collect()
        };
        assert_eq!(lengths(1_340), [600, 740]);
        assert_eq!(lengths(1_350), [600, 600, 150]);
    }

    #[test]
    fn one_letter_of_a_script_without_spaces_does_not_panic() {
        let text = "如何".repeat(1_000);
        assert!(Model::built_in().score(&text).is_finite());
    }
}
