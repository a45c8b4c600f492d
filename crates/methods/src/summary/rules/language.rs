//! Which language a text is in, as far as our rules need to know.
//!
//! Counted are the commonest little words of a few languages. The question is only
//! whether English rules apply; nothing is claimed about languages nobody listed.

use std::collections::HashMap;
use std::sync::LazyLock;

use assize_score::Finding;
use foldhash::fast::FixedState;

/// As much of a text is looked at, in bytes.
const SAMPLE_BYTES: usize = 2048;
/// So many words are needed before a text can be called foreign.
const WORDS_MIN: usize = 6;

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// English, or too short to tell.
    English,
    /// Another language, by name.
    Other(&'static str),
}

/// Little words of each language that the others hardly use.
const LITTLE_WORDS: &str = include_str!("../../../data/little_words.txt");
/// How many languages those are.
const LANGUAGES: usize = 9;

/// Each language with its words.
fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    LITTLE_WORDS.lines().filter_map(|line| line.split_once(": "))
}

/// For each little word, one bit for each language that uses it.
static USED_BY: LazyLock<HashMap<&'static str, u16, FixedState>> = LazyLock::new(|| {
    let mut used_by = HashMap::with_hasher(FixedState::default());
    for (language, (_, words)) in languages().enumerate() {
        for word in words.split(' ') {
            *used_by.entry(word).or_insert(0) |= 1_u16 << language;
        }
    }
    used_by
});

/// The language of a text.
pub(super) fn detect(text: &str) -> Language {
    let mut end = text.len().min(SAMPLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let sample = text[..end].to_lowercase();
    let mut counts = [0_usize; LANGUAGES];
    let mut words = 0_usize;
    let mut latin = 0_usize;
    let mut letters = 0_usize;
    for word in sample.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty())
    {
        words += 1;
        letters += word.chars().count();
        latin += word.chars().filter(|letter| (*letter as u32) < 0x250).count();
        let languages = USED_BY.get(word).copied().unwrap_or(0);
        for (language, count) in counts.iter_mut().enumerate() {
            *count += usize::from(languages >> language & 1 == 1);
        }
    }
    if letters >= WORDS_MIN && latin * 2 < letters {
        return Language::Other("a language in another script");
    }
    let (english, others) = (counts[0], &counts[1..]);
    let (best, count) = others.iter().enumerate().fold((0, 0), |best, (number, count)| {
        if *count > best.1 { (number, *count) } else { best }
    });
    if words >= WORDS_MIN && count > english && count * 10 >= words {
        return Language::Other(languages().nth(best + 1).map_or("another", |(name, _)| name));
    }
    Language::English
}

/// The language of a text; of one too short to tell, the language of the other.
pub(super) fn detect_beside(text: &str, other: Language) -> Language {
    let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    if words.take(WORDS_MIN).count() < WORDS_MIN { other } else { detect(text) }
}

/// The code of the finding that the rules know too little of the language of the texts.
pub const LANGUAGE_NOT_ENGLISH: &str = "language_not_english";

/// The finding that a summary is in another language than its article; the rules cannot
/// score such a pair.
pub const LANGUAGES_DIFFER: &str = "languages_differ";

/// What a reader should know about the languages of a pair.
pub(super) fn findings(article: Language, summary: Language) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Language::Other(name) = article {
        let message = format!(
            "the article seems to be in {name}: stems, stop words, number words, denials, \
             opposites, tone and offensive words are English rules and were not applied"
        );
        findings.push(Finding::new(LANGUAGE_NOT_ENGLISH, message));
    }
    if article != summary {
        let message = "article and summary seem to be in different languages: rules cannot \
                       compare them";
        findings.push(Finding::new(LANGUAGES_DIFFER, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart_by_their_little_words() {
        assert_eq!(
            detect("The mayor of the town said that it was not his fault."),
            Language::English
        );
        assert_eq!(
            detect(
                "Der Bürgermeister der Stadt sagte, dass es nicht seine Schuld ist und dass er bleibt."
            ),
            Language::Other("German")
        );
        assert_eq!(
            detect(
                "Le maire de la ville a dit que ce n'est pas sa faute et que les élus sont avec lui."
            ),
            Language::Other("French")
        );
        assert!(matches!(detect("Мэр города сказал, что это не его вина."), Language::Other(_)));
        assert!(matches!(detect("市长说这不是他的错。"), Language::Other(_)));
    }

    #[test]
    fn what_is_too_short_to_tell_is_taken_for_english() {
        assert_eq!(detect("Bonjour"), Language::English);
        assert_eq!(detect(""), Language::English);
    }
}
