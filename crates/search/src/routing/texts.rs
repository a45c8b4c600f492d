//! What texts say about names: which documents hold a word, in their opening or anywhere,
//! and whether the corpus writes it as a name.

use assize_text::word_vectors::is_ordinary;
use rayon::prelude::*;

use super::words::Word as Query;
use crate::corpus::Document;
use crate::lexical::Vocabulary;
use crate::tokens::stems::each_word;

/// Words at the start of a document that are likely to hold its title and parties.
const OPENING_WORDS: usize = 400;
/// Documents read together by one thread; fixed, so that nothing depends on threads.
const DOCUMENTS_PER_BATCH: usize = 64;
/// A word that is written with a capital this often is a name wherever it stands.
const CAPITAL_SHARE: f64 = 0.8;
/// The same for a word that the query writes with a capital.
const CAPITAL_SHARE_IN_DOUBT: f64 = 0.5;

/// A document that holds a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holder {
    pub(super) document: u32,
    pub(super) times: u32,
    /// Whether it stands among the opening words.
    pub(super) opening: bool,
}

/// The words of all documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    vocabulary: Vocabulary,
    words: Vec<Word>,
}

#[derive(Debug, Clone, Default)]
struct Word {
    holders: Vec<Holder>,
    times: u64,
    /// How often it begins with a capital, or holds a digit.
    capitals: u64,
}

/// One occurrence while a document is read.
#[derive(Clone, Copy)]
struct Occurrence {
    word: u32,
    opening: bool,
    capital: bool,
}

impl Texts {
    /// Reads every document once, in parallel; the result does not depend on threads.
    pub(super) fn of(documents: &[Document]) -> Self {
        let batches: Vec<Self> = documents
            .par_chunks(DOCUMENTS_PER_BATCH)
            .enumerate()
            .map(|(batch, documents)| {
                let mut texts = Self::default();
                for (index, document) in documents.iter().enumerate() {
                    texts.add(batch * DOCUMENTS_PER_BATCH + index, &document.text);
                }
                texts
            })
            .collect();
        let mut all = Self::default();
        for batch in batches {
            all.append(batch);
        }
        all
    }

    /// The documents that hold a word, in order.
    pub(super) fn holders(&self, stem: &str) -> &[Holder] {
        self.word(stem).map_or(&[], |word| &word.holders)
    }

    /// Whether most documents open with this word, as contracts do with `agreement`.
    pub(super) fn is_common(&self, stem: &str, documents: usize) -> bool {
        let opening = self.holders(stem).iter().filter(|holder| holder.opening).count();
        opening * 2 > documents
    }

    /// Whether a word is a name: the corpus nearly always writes it so, or the query does and
    /// the corpus mostly. A word that the corpus does not have is one if the query writes it so
    /// or it is no ordinary word.
    pub(super) fn is_name(&self, stem: &str, word: &Query<'_>) -> bool {
        let needed = if word.is_capital { CAPITAL_SHARE_IN_DOUBT } else { CAPITAL_SHARE };
        match self.word(stem) {
            _ if word.is_peculiar => true,
            Some(known) => known.capitals as f64 >= needed * known.times as f64,
            None => word.is_capital || !is_ordinary(word.text),
        }
    }

    /// Whether a word may be a name, whichever way the query writes it.
    pub(super) fn may_be_name(&self, stem: &str, word: &Query<'_>) -> bool {
        let is_capital = word.is_capital || self.word(stem).is_some();
        self.is_name(stem, &Query { is_capital, ..word.clone() })
    }

    fn word(&self, stem: &str) -> Option<&Word> {
        Some(&self.words[self.vocabulary.find(stem)? as usize])
    }

    fn add(&mut self, document: usize, text: &str) {
        let document = u32::try_from(document).expect("fewer than four billion documents");
        let mut found = Vec::new();
        let mut joined = Vec::new();
        let mut count = 0;
        let mut before: Option<&str> = None;
        each_word(text, &mut |word, stem| {
            count += 1;
            let opening = count <= OPENING_WORDS;
            let capital = is_written_as_name(word);
            if let Some(stem) = stem {
                found.push(Occurrence { word: self.vocabulary.intern(stem), opening, capital });
            }
            if let Some(before) = before.filter(|_| opening && capital) {
                joined.push(format!("{before}{word}"));
            }
            before = capital.then_some(word);
        });
        // A party called `AG Projects` may be asked for as `AGProjects`.
        each_word(&joined.join(" "), &mut |_, stem| {
            let word = stem.map(|stem| self.vocabulary.intern(stem));
            found.extend(word.map(|word| Occurrence { word, opening: true, capital: true }));
        });
        self.words.resize_with(self.vocabulary.len(), Word::default);
        found.sort_by_key(|occurrence| occurrence.word);
        for same in found.chunk_by(|left, right| left.word == right.word) {
            let word = &mut self.words[same[0].word as usize];
            let times = u32::try_from(same.len()).unwrap_or(u32::MAX);
            let opening = same.iter().any(|occurrence| occurrence.opening);
            word.times += u64::from(times);
            word.capitals += same.iter().filter(|occurrence| occurrence.capital).count() as u64;
            word.holders.push(Holder { document, times, opening });
        }
    }

    fn append(&mut self, batch: Self) {
        for (stem, word) in batch.vocabulary.terms().zip(batch.words) {
            let number = self.vocabulary.intern(stem) as usize;
            if number == self.words.len() {
                self.words.push(word);
            } else {
                let known = &mut self.words[number];
                known.times += word.times;
                known.capitals += word.capitals;
                known.holders.extend(word.holders);
            }
        }
    }
}

/// Whether a word begins with a capital or holds a digit.
pub(super) fn is_written_as_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) || word.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Texts {
        let documents =
            ["Acme pays. The rent of Acme is due.", "The tenant pays AG Projects rent."];
        let document = |text: &str| Document::new(text, text.to_owned());
        Texts::of(&documents.map(document))
    }

    #[test]
    fn a_word_knows_its_documents_and_how_often_they_hold_it() {
        let texts = texts();
        let acme = Holder { document: 0, times: 2, opening: true };
        assert_eq!(texts.holders("acm"), [acme]);
        assert_eq!(texts.holders("rent").len(), 2);
        assert!(texts.holders("the").is_empty() && texts.holders("unknown").is_empty());
    }

    #[test]
    fn a_name_is_what_the_corpus_writes_with_a_capital() {
        let texts = texts();
        let is_name = |text: &str| {
            let query = format!("in {text}");
            let word = &super::super::words::words(&query)[1];
            texts.is_name(word.stem.as_deref().unwrap(), word)
        };
        assert!(is_name("acme") && is_name("Acme") && is_name("rentPay") && is_name("zorblax"));
        assert!(!is_name("rent") && !is_name("Rent") && !is_name("unknown"));
        assert!(texts.is_common("rent", 2) && !texts.is_common("acm", 2));
        assert_eq!(texts.holders("agproject").len(), 1, "capitalised neighbours run together");
    }
}
