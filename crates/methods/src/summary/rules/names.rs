//! Names of the summary that the article does not have.
//!
//! A name is known by its capital; where a summary has no capitals, by being no ordinary
//! word of the language.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::LazyLock;

use assize_text::punkt::ordinary_words;
use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::meanings::is_in_table;
use super::reading::Reading;
use super::vocabulary::{SHORT_LETTERS, Vocabulary};

/// Names that agree in so many letters are forms of one: Portugal, Portuguese.
const STEM_LETTERS: usize = 5;
/// The longest abbreviation that is looked for among the names of the article.
const INITIALS_MAX: usize = 6;
/// A shorter one is found anywhere.
const INITIALS_MIN: usize = 3;
/// Endings and beginnings that make a word of a word.
const ENDINGS: [&str; 14] = [
    "ers", "er", "ists", "ist", "less", "ness", "ly", "ing", "ed", "es", "s", "ful", "able", "ism",
];
const BEGINNINGS: [&str; 9] = ["un", "re", "non", "mis", "anti", "pre", "over", "under", "out"];

/// The ordinary words of English and their stems.
static ORDINARY: LazyLock<HashSet<String, FixedState>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut words: HashSet<String, FixedState> = HashSet::default();
    for word in ordinary_words() {
        words.insert(stemmer.stem(word).into_owned());
        words.insert(word.to_owned());
    }
    words
});

/// The names of an article, made out only where a summary has a name of its own.
pub(super) struct Names<'a> {
    article: &'a Reading<'a>,
    forms: OnceCell<Forms<'a>>,
}

/// In which forms an article's names may come again.
struct Forms<'a> {
    /// The first letters of its capitalised words.
    beginnings: HashSet<String, FixedState>,
    /// The initials of its capitalised words in a row.
    initials: HashSet<String, FixedState>,
    abbreviations: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// Of an article.
    pub(super) fn of(article: &'a Reading<'a>) -> Self {
        Self { article, forms: OnceCell::new() }
    }

    /// Whether the article has a name in another form: an abbreviation for its initials,
    /// the initials of an abbreviation, or the same name with another ending.
    pub(super) fn know(&self, summary: &Reading, at: usize) -> bool {
        let forms = self.forms.get_or_init(|| Forms::of(self.article));
        let written = &summary.text[summary.words[at].bytes()];
        let lower = written.to_lowercase();
        let letters = lower.chars().count();
        letters <= 2
            || is_abbreviation(written) && forms.initials.contains(&lower)
            || beginning(&lower).is_some_and(|letters| forms.beginnings.contains(letters))
            || forms.spelled_out(summary, at)
    }
}

impl<'a> Forms<'a> {
    fn of(article: &'a Reading<'a>) -> Self {
        let mut forms = Self {
            beginnings: HashSet::default(),
            initials: HashSet::default(),
            abbreviations: Vec::new(),
        };
        for sentence in &article.sentences {
            let mut run: Vec<char> = Vec::new();
            for word in article.words_of(sentence) {
                let written = &article.text[word.bytes()];
                if !word.capital {
                    // Little words within a name have no initial: Bank of England.
                    if written.len() > SHORT_LETTERS {
                        run.clear();
                    }
                    continue;
                }
                let lower = written.to_lowercase();
                forms.beginnings.extend(beginning(&lower).map(str::to_owned));
                if is_abbreviation(written) {
                    forms.abbreviations.push(written);
                }
                run.extend(lower.chars().next());
                for length in 2..=run.len().min(INITIALS_MAX) {
                    forms.initials.insert(run[run.len() - length..].iter().collect());
                }
            }
        }
        forms.abbreviations.sort_unstable();
        forms.abbreviations.dedup();
        forms
    }

    /// Whether the words around a position spell out an abbreviation of the article.
    fn spelled_out(&self, summary: &Reading, at: usize) -> bool {
        let initial = |at: usize| {
            let word = summary.words.get(at)?;
            summary.text[word.bytes()].chars().next().map(|first| first.to_ascii_uppercase())
        };
        self.abbreviations.iter().filter(|short| short.len() >= INITIALS_MIN).any(|short| {
            (0..short.len()).any(|place| {
                at.checked_sub(place).is_some_and(|from| {
                    short.chars().zip(from..).all(|(letter, at)| initial(at) == Some(letter))
                })
            })
        })
    }
}

/// Whether the whole summary is written without capitals, also where its sentences begin.
pub(super) fn has_no_capitals(summary: &Reading) -> bool {
    !summary.words.iter().any(|word| word.capital)
}

/// Whether a word is an ordinary one of the language, by itself, in another form, or put
/// together from two.
pub(super) fn is_ordinary(lower: &str, vocabulary: &Vocabulary, stem: &str) -> bool {
    if !vocabulary.is_english() || !lower.is_ascii() {
        return false;
    }
    let holds = |word: &str| ORDINARY.contains(word) || is_in_table(word);
    let is_word = |word: &str| word.len() >= SHORT_LETTERS && holds(word);
    is_word(lower)
        || is_word(stem)
        || BEGINNINGS.iter().any(|made| lower.strip_prefix(made).is_some_and(is_word))
        || ENDINGS.iter().any(|made| {
            let rest = lower.strip_suffix(made).filter(|rest| rest.len() > SHORT_LETTERS);
            rest.is_some_and(|rest| holds(rest) || holds(&format!("{rest}e")))
        })
        || (SHORT_LETTERS..lower.len().saturating_sub(SHORT_LETTERS - 1))
            .any(|cut| is_word(&lower[..cut]) && is_word(&lower[cut..]))
}

fn is_abbreviation(written: &str) -> bool {
    (2..=INITIALS_MAX).contains(&written.len())
        && written.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// The first letters of a long enough word.
fn beginning(lower: &str) -> Option<&str> {
    let (end, last) = lower.char_indices().nth(STEM_LETTERS - 1)?;
    Some(&lower[..end + last.len_utf8()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(article: &str, summary: &str, name: &str) -> bool {
        let mut vocabulary = Vocabulary::new(true);
        let article = Reading::of(article, &mut vocabulary);
        let summary = Reading::of(summary, &mut vocabulary);
        let at = summary.words.iter().position(|word| &summary.text[word.bytes()] == name);
        Names::of(&article).know(&summary, at.expect("the summary has the name"))
    }

    #[test]
    fn a_name_is_known_in_its_other_forms() {
        let article = "Doctors of Medecins Sans Frontieres left Portugal, the WHO said.";
        assert!(knows(article, "The MSF left.", "MSF"));
        assert!(knows(article, "The Portuguese clinic closed.", "Portuguese"));
        assert!(knows(article, "The World Health Organization spoke.", "Health"));
        assert!(!knows(article, "The Red Cross left.", "Cross"));
    }

    #[test]
    fn ordinary_words_are_told_from_names() {
        let vocabulary = Vocabulary::new(true);
        let is_ordinary = |word| is_ordinary(word, &vocabulary, word);
        assert!(is_ordinary("survey") && is_ordinary("winless") && is_ordinary("salesman"));
        assert!(!is_ordinary("glasgow") && !is_ordinary("mozart"));
    }
}
