//! Words and phrases that mean the same, from `defaults/compliance/concepts.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use super::words;

const FILE: &str = include_str!("../../../defaults/compliance/concepts.toml");

/// The tables whose concepts say little about what a rule is about: verbs that always do, and
/// nouns that do where the word has no other meaning.
const WEAK: &str = "weak";
const VAGUE: &str = "vague";

/// A gap in a phrase stands for at most so many words.
const GAP_MAX: usize = 3;

/// Words of so few letters are their own stem.
const SHORT_LETTERS: usize = 3;

/// Words that the stemmer would take for others ("authority" for "authorise", "policy" for
/// "police"), or does not know to be the same.
const APART: [(&str, &str); 21] = [
    ("accountability", "accountable"),
    ("accountable", "accountable"),
    ("authorities", "authority"),
    ("authority", "authority"),
    ("business", "business"),
    ("businesses", "business"),
    ("goes", "go"),
    ("gone", "go"),
    ("information", "information"),
    ("informational", "information"),
    ("outsider", "outsider"),
    ("outsiders", "outsider"),
    ("police", "police"),
    ("policies", "policy"),
    ("policy", "policy"),
    ("production", "production"),
    ("terminal", "terminal"),
    ("terminals", "terminal"),
    ("universities", "university"),
    ("university", "university"),
    ("went", "go"),
];

/// The number of a stem in the table of stems.
pub(super) type Stem = u32;

/// The number of a concept.
pub(super) type Concept = u32;

/// A phrase found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// What it means.
    pub concept: Concept,
    /// The first word.
    pub start: usize,
    /// The word after the last.
    pub end: usize,
    /// Whether it says the contrary of the concept.
    pub is_contrary: bool,
    /// Whether it is a single word.
    pub is_word: bool,
    /// Whether it says more than the concept, so that a requirement does not mean that by it.
    pub is_narrower: bool,
}

struct Phrase {
    /// Stems; none for a gap.
    slots: Vec<Option<Stem>>,
    concept: Concept,
    is_contrary: bool,
    is_narrower: bool,
}

/// All concepts, with the stems of their phrases.
pub(super) struct Concepts {
    /// The stems of all phrases; a lexicon adds its own after them.
    pub stems: FxHashMap<Box<str>, Stem>,
    names: Vec<Box<str>>,
    is_weak: Vec<bool>,
    is_vague: Vec<bool>,
    phrases: FxHashMap<Stem, Vec<Phrase>>,
}

impl Concepts {
    /// The concepts that come with the program.
    pub(super) fn standard() -> &'static Self {
        static STANDARD: LazyLock<Concepts> = LazyLock::new(|| {
            let tables: BTreeMap<String, BTreeMap<String, String>> =
                toml::from_str(FILE).expect("the file that is compiled in is tested");
            Concepts::of(&tables)
        });
        &STANDARD
    }

    fn of(tables: &BTreeMap<String, BTreeMap<String, String>>) -> Self {
        let mut concepts = Self {
            stems: FxHashMap::default(),
            names: Vec::new(),
            is_weak: Vec::new(),
            is_vague: Vec::new(),
            phrases: FxHashMap::default(),
        };
        let stemmer = Stemmer::create(Algorithm::English);
        for (table, entries) in tables {
            for (name, phrases) in entries {
                let concept = u32::try_from(concepts.names.len()).unwrap_or(u32::MAX);
                concepts.names.push(name.as_str().into());
                concepts.is_weak.push(table == WEAK || table == VAGUE);
                concepts.is_vague.push(table == VAGUE);
                for phrase in phrases.split('|') {
                    concepts.add(phrase.trim(), concept, &stemmer);
                }
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
        for phrases in concepts.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.slots.len()));
        }
        concepts
    }

    fn add(&mut self, phrase: &str, concept: Concept, stemmer: &Stemmer) {
        let is_contrary = phrase.starts_with('-');
        let is_narrower = phrase.starts_with('+');
        let mut slots = Vec::new();
        for part in phrase.trim_start_matches(['-', '+', ' ']).split(' ') {
            if part == "*" {
                slots.push(None);
                continue;
            }
            for word in words::words(part) {
                let stem = stem(stemmer, &word.text.to_lowercase());
                let next = u32::try_from(self.stems.len()).unwrap_or(u32::MAX);
                slots.push(Some(*self.stems.entry(stem.into()).or_insert(next)));
            }
        }
        if let Some(Some(first)) = slots.first().copied() {
            let phrase = Phrase { slots, concept, is_contrary, is_narrower };
            self.phrases.entry(first).or_default().push(phrase);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The concept of a name.
    pub(super) fn named(&self, name: &str) -> Option<Concept> {
        let place = self.names.iter().position(|known| **known == *name)?;
        u32::try_from(place).ok()
    }

    /// What a concept is called.
    pub(super) fn name(&self, concept: Concept) -> &str {
        &self.names[concept as usize]
    }

    /// Whether a concept says little about what a rule is about.
    pub(super) fn is_weak(&self, concept: Concept) -> bool {
        self.is_weak[concept as usize]
    }

    /// Whether it does so only where a word has no meaning of its own.
    pub(super) fn is_vague(&self, concept: Concept) -> bool {
        self.is_vague[concept as usize]
    }

    /// The phrases that begin at a word of a text given as stems, the longest first.
    pub(super) fn at(
        &self,
        text: &[Option<Stem>],
        start: usize,
    ) -> impl Iterator<Item = Found> + '_ {
        let phrases =
            text[start].and_then(|stem| self.phrases.get(&stem)).map_or(&[][..], |all| all);
        let rest: Vec<Option<Stem>> = text[start..].iter().take(MOST_WORDS).copied().collect();
        phrases.iter().filter_map(move |phrase| {
            let length = matched(&phrase.slots, &rest)?;
            Some(Found {
                concept: phrase.concept,
                start,
                end: start + length,
                is_contrary: phrase.is_contrary,
                is_word: phrase.slots.len() == 1,
                is_narrower: phrase.is_narrower,
            })
        })
    }
}

/// More words than the longest phrase with its gaps.
const MOST_WORDS: usize = 16;

/// How many words of a text the slots of a phrase take up, if they match its beginning.
fn matched(slots: &[Option<Stem>], text: &[Option<Stem>]) -> Option<usize> {
    match slots.split_first() {
        None => Some(0),
        Some((Some(wanted), rest)) => {
            let (first, text) = text.split_first()?;
            (*first == Some(*wanted)).then_some(())?;
            matched(rest, text).map(|length| length + 1)
        }
        Some((None, rest)) => (0..=GAP_MAX.min(text.len()))
            .find_map(|gap| matched(rest, &text[gap..]).map(|length| length + gap)),
    }
}

/// The stem of a word in lower case.
pub(super) fn stem(stemmer: &Stemmer, lower: &str) -> String {
    let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(lower);
    let bare = bare.trim_end_matches(['\'', '’']);
    if let Ok(place) = APART.binary_search_by_key(&bare, |(word, _)| word) {
        return APART[place].1.to_owned();
    }
    if bare.len() <= SHORT_LETTERS || !bare.is_ascii() {
        return bare.to_owned();
    }
    stemmer.stem(&american(bare)).into_owned()
}

/// Endings that are written in two ways, the longest first.
const SPELLINGS: [(&str, &str); 12] = [
    ("isations", "izations"),
    ("isation", "ization"),
    ("ising", "izing"),
    ("ised", "ized"),
    ("ises", "izes"),
    ("ise", "ize"),
    ("ours", "ors"),
    ("our", "or"),
    ("centres", "centers"),
    ("centre", "center"),
    ("licence", "license"),
    ("programme", "program"),
];

/// Beginnings of words that end so and are never written otherwise.
const NEVER_OTHERWISE: [&str; 24] = [
    "adv", "appra", "compr", "comprom", "dev", "disgu", "enterpr", "exc", "exerc", "expert",
    "franch", "merchand", "no", "otherw", "prec", "prem", "prom", "ra", "rev", "r", "superv",
    "surpr", "telev", "w",
];

/// A word in one of its spellings.
fn american(word: &str) -> std::borrow::Cow<'_, str> {
    let found = SPELLINGS.iter().find_map(|(ending, other)| {
        let start = word.strip_suffix(ending)?;
        let is_fixed =
            NEVER_OTHERWISE.contains(&start) || ending.starts_with("our") && start.len() < 4;
        (!is_fixed).then(|| format!("{start}{other}"))
    });
    found.map_or(std::borrow::Cow::Borrowed(word), std::borrow::Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, bool)> {
        let concepts = Concepts::standard();
        let stemmer = Stemmer::create(Algorithm::English);
        let stems: Vec<Option<Stem>> = words::words(text)
            .map(|word| concepts.stems.get(&*stem(&stemmer, &word.text.to_lowercase())).copied())
            .collect();
        (0..stems.len())
            .filter_map(|start| concepts.at(&stems, start).next())
            .map(|found| (concepts.name(found.concept).to_owned(), found.is_contrary))
            .collect()
    }

    #[test]
    fn phrases_are_matched_by_stems_and_over_gaps() {
        assert!(found("They confirm it on their phone").contains(&("second_factor".into(), false)));
        assert!(found("two-factor authentication")[0] == ("second_factor".into(), false));
        assert!(found("gates left unlocked").contains(&("lock".into(), true)));
    }

    #[test]
    fn every_concept_has_a_phrase_and_a_name_of_its_own() {
        let concepts = Concepts::standard();
        let mut names = concepts.names.clone();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), concepts.len());
        let with_phrase = |concept: Concept| {
            concepts.phrases.values().flatten().any(|phrase| phrase.concept == concept)
        };
        assert!((0..).take(concepts.len()).all(with_phrase));
        let longest = |phrase: &Phrase| {
            let gaps = phrase.slots.iter().filter(|slot| slot.is_none()).count();
            phrase.slots.len() + gaps * (GAP_MAX - 1)
        };
        assert!(concepts.phrases.values().flatten().all(|phrase| longest(phrase) <= MOST_WORDS));
        assert!(APART.is_sorted_by_key(|(word, _)| *word));
    }
}
