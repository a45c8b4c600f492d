//! The few English words whose job is known: stop words, negations, number words.

use std::collections::HashMap;
use std::sync::LazyLock;

use assize_text::word_list::word_pairs;
use foldhash::fast::FixedState;

/// Words that hold sentences together.
const STOP_WORDS: [&str; 133] = [
    "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
    "but", "by", "can", "could", "d", "did", "do", "does", "doing", "down", "during", "each",
    "few", "for", "from", "had", "has", "have", "having", "he", "her", "here", "hers", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m", "may", "me",
    "might", "more", "most", "mr", "mrs", "ms", "must", "my", "no", "nor", "not", "now", "of",
    "off", "on", "once", "only", "or", "other", "our", "out", "over", "own", "re", "s", "said",
    "same", "say", "says", "shall", "she", "should", "so", "some", "such", "t", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to",
    "too", "under", "until", "up", "us", "ve", "very", "was", "we", "were", "what", "when",
    "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you", "your",
];

/// Words that deny what stands beside them.
const NEGATIONS: [&str; 11] = [
    "hardly", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere",
    "without",
];

/// Cardinal numbers as words. `one` is left out: it is a pronoun as often.
static NUMBER_WORDS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| word_pairs(include_str!("../../../data/number_words.txt")));

/// Months in short. `mar` and `may` are left out: they are other words as often.
static MONTHS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| word_pairs(include_str!("../../../data/months.txt")));

/// A month in full; any other word as it is.
pub(super) fn in_full(lower: &str) -> &str {
    let found = MONTHS.binary_search_by_key(&lower, |(short, _)| short);
    found.map_or(lower, |place| MONTHS[place].1)
}

/// What is known about a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WordFacts {
    /// It says little by itself.
    pub is_stop: bool,
    /// It denies.
    pub is_negation: bool,
    /// Its digits, if it is a number.
    pub digits: Option<&'static str>,
}

/// All tables in one, so that a word is looked up once.
static KNOWN: LazyLock<HashMap<&'static str, WordFacts, FixedState>> = LazyLock::new(|| {
    let mut known: HashMap<_, WordFacts, _> = HashMap::with_hasher(FixedState::default());
    for word in STOP_WORDS {
        known.entry(word).or_default().is_stop = true;
    }
    for word in NEGATIONS {
        known.entry(word).or_default().is_negation = true;
    }
    for (word, digits) in NUMBER_WORDS.iter().copied() {
        known.entry(word).or_default().digits = Some(digits);
    }
    known
});

/// What is known about a lowercase English word.
pub(super) fn known(lower: &str) -> WordFacts {
    KNOWN.get(lower).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_can_be_in_two_tables() {
        let not = known("not");
        assert!(not.is_stop && not.is_negation);
        assert_eq!(known("ninety").digits, Some("90"));
        assert_eq!(known("one"), WordFacts::default());
    }
}
