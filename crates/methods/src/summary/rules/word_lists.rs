//! The few English words whose job is known: stop words, negations, number words.

/// Words that hold sentences together; sorted, so that they can be searched.
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

/// Words that deny what stands beside them; sorted.
const NEGATIONS: [&str; 11] = [
    "hardly", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere",
    "without",
];

/// Cardinal numbers as words, sorted. `one` is left out: it is a pronoun as often.
const NUMBER_WORDS: [(&str, &str); 28] = [
    ("eight", "8"),
    ("eighteen", "18"),
    ("eighty", "80"),
    ("eleven", "11"),
    ("fifteen", "15"),
    ("fifty", "50"),
    ("five", "5"),
    ("forty", "40"),
    ("four", "4"),
    ("fourteen", "14"),
    ("hundred", "100"),
    ("nine", "9"),
    ("nineteen", "19"),
    ("ninety", "90"),
    ("seven", "7"),
    ("seventeen", "17"),
    ("seventy", "70"),
    ("six", "6"),
    ("sixteen", "16"),
    ("sixty", "60"),
    ("ten", "10"),
    ("thirteen", "13"),
    ("thirty", "30"),
    ("three", "3"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("two", "2"),
    ("zero", "0"),
];

/// Whether a lowercase English word says little by itself.
pub(super) fn is_stop(lower: &str) -> bool {
    STOP_WORDS.binary_search(&lower).is_ok()
}

/// Whether a lowercase English word denies.
pub(super) fn is_negation(lower: &str) -> bool {
    NEGATIONS.binary_search(&lower).is_ok()
}

/// The digits of a lowercase English number word.
pub(super) fn number_word(lower: &str) -> Option<&'static str> {
    let found = NUMBER_WORDS.binary_search_by_key(&lower, |(word, _)| word).ok()?;
    Some(NUMBER_WORDS[found].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_so_that_searching_finds_every_word() {
        assert!(STOP_WORDS.is_sorted() && NEGATIONS.is_sorted() && NUMBER_WORDS.is_sorted());
        assert_eq!(number_word("ninety"), Some("90"));
        assert_eq!(number_word("one"), None);
    }
}
