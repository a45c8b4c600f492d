//! Words of two letters or more, stemmed or not, with or without stop words.
//!
//! The pattern is the usual one of search libraries, `(?u)\b\w\w+\b` in lower case, so that
//! scores can be held against theirs.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use super::sklearn::is_word;
use super::stop_words::{LUCENE, NLTK};

/// Stems remembered by each thread; beyond this the memory is emptied, not grown.
const REMEMBERED_MAX: usize = 1 << 18;

thread_local! {
    /// One memory for each list of stop words: whether a word is one never hangs on the text.
    static REMEMBERED: RefCell<[Stems; 3]> = RefCell::default();
}

/// Words and their stems; a stop word has none.
type Stems = FxHashMap<Box<str>, Option<Box<str>>>;

/// How endings are taken off words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stem {
    /// By the Snowball stemmer for English.
    #[default]
    English,
    /// Not at all.
    None,
}

/// Words that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopWords {
    /// The 33 words that Lucene and bm25s leave out.
    #[default]
    English,
    /// The 198 words of NLTK.
    Nltk,
    None,
}

/// Gives the stems of a text's words to `sink`.
pub(super) fn each(text: &str, stop_words: StopWords, sink: &mut dyn FnMut(&str)) {
    let text = text.to_lowercase();
    let stemmer = Stemmer::create(Algorithm::English);
    REMEMBERED.with_borrow_mut(|remembered| {
        let remembered = &mut remembered[stop_words as usize];
        for word in text.split(|character| !is_word(character)) {
            if word.chars().nth(1).is_none() {
                continue;
            }
            if let Some(known) = remembered.get(word) {
                if let Some(stem) = known {
                    sink(stem);
                }
                continue;
            }
            let stem =
                (!stop_words.hold(word)).then(|| stemmer.stem(word).into_owned().into_boxed_str());
            if let Some(stem) = &stem {
                sink(stem);
            }
            if remembered.len() >= REMEMBERED_MAX {
                remembered.clear();
            }
            remembered.insert(word.into(), stem);
        }
    });
}

impl StopWords {
    fn hold(self, word: &str) -> bool {
        match self {
            Self::English => LUCENE.contains(word),
            Self::Nltk => NLTK.contains(word),
            Self::None => false,
        }
    }
}

impl fmt::Display for Stem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::English => "english",
            Self::None => "none",
        })
    }
}

impl fmt::Display for StopWords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::English => "english",
            Self::Nltk => "nltk",
            Self::None => "none",
        })
    }
}

impl FromStr for Stem {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "english" => Ok(Self::English),
            "none" => Ok(Self::None),
            _ => Err(format!("`{text}` is not a stemmer; use english or none")),
        }
    }
}

impl FromStr for StopWords {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "english" => Ok(Self::English),
            "nltk" => Ok(Self::Nltk),
            "none" => Ok(Self::None),
            _ => Err(format!("`{text}` is not a list of stop words; use english, nltk or none")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Tokenizer;

    /// From `bm25s.tokenize(text, stopwords=…, stemmer=Stemmer.Stemmer("english"))`.
    #[test]
    fn terms_are_those_of_bm25s() {
        let text = "The Owner's non-disclosure of a_1 isn't DISCLOSED by 5 owners, x.";
        let terms = |stop_words| Tokenizer::Words(stop_words).terms(text);
        let expected = ["owner", "non", "disclosur", "a_1", "isn", "disclos", "owner"];
        assert_eq!(terms(StopWords::English), expected);
        assert_eq!(
            terms(StopWords::Nltk),
            ["owner", "non", "disclosur", "a_1", "disclos", "owner"]
        );
        assert_eq!(terms(StopWords::None)[..3], ["the", "owner", "non"]);
    }

    #[test]
    fn every_choice_is_read_back_from_its_name() {
        for stem in [Stem::English, Stem::None] {
            assert_eq!(stem.to_string().parse(), Ok(stem));
        }
        for words in [StopWords::English, StopWords::Nltk, StopWords::None] {
            assert_eq!(words.to_string().parse(), Ok(words));
        }
        assert!("latin".parse::<Stem>().is_err() && "all".parse::<StopWords>().is_err());
    }
}
