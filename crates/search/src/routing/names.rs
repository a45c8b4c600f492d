//! What file names say: words, words run together, and initials.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::Word;
use crate::corpus::Document;
use crate::tokens::Tokenizer;

/// What a term is worth that a file name only holds inside a longer word.
const INSIDE_WEIGHT: f64 = 0.8;
/// Shorter terms turn up inside longer words by accident.
const INSIDE_LETTERS_MIN: usize = 4;
/// Beyond so many documents a term is not looked for inside longer words: every name would
/// have to be searched for every term of every query.
const INSIDE_DOCUMENTS_MAX: usize = 20_000;
/// Initials of fewer words are no name.
const INITIALS_MIN: usize = 3;
/// What people put around a name.
const QUOTES: [char; 9] =
    ['"', '\'', '`', '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}'];
/// A name of fewer words is not told from a word of the question.
const WHOLE_NAME_WORDS_MIN: usize = 2;

/// A place of a query that spells the complete name of documents.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spelt {
    pub(super) letters: String,
    /// Indices of words.
    pub(super) words: Range<usize>,
    pub(super) documents: Vec<u32>,
    /// Whether it can be nothing else: in quotes, or with the file's ending.
    pub(super) is_sure: bool,
}

/// The names of documents, ready to be compared with.
#[derive(Debug, Clone)]
pub(super) struct Names {
    documents: Vec<Name>,
    by_stem: FxHashMap<String, Vec<u32>>,
    /// The documents with a name of these letters.
    by_letters: FxHashMap<String, Vec<u32>>,
    /// The most letters that a name has.
    letters_max: usize,
    /// The endings of file names, in lower case.
    endings: BTreeSet<String>,
}

#[derive(Debug, Clone)]
struct Name {
    stems: BTreeSet<String>,
    /// The words of the name, run together or apart, whichever way a query may write them.
    words: [BTreeSet<String>; 2],
    /// Letters and digits in lower case, all run together.
    squashed: String,
    /// The same without stop words.
    content: String,
}

impl Names {
    /// The names of these documents.
    pub(super) fn new(documents: &[Document]) -> Self {
        let names: Vec<Name> = documents.iter().map(|document| Name::of(document.name())).collect();
        let mut by_stem: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        let mut by_letters: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (name, document) in names.iter().zip(0..) {
            for stem in &name.stems {
                by_stem.entry(stem.clone()).or_default().push(document);
            }
            for letters in BTreeSet::from([&name.squashed, &name.content]) {
                if !letters.is_empty() {
                    by_letters.entry(letters.clone()).or_default().push(document);
                }
            }
        }
        let letters_max = names.iter().map(|name| name.squashed.len()).max().unwrap_or(0);
        let files = documents.iter().filter(|document| !document.is_record());
        let ending = |document: &Document| Some(document.path.rsplit_once('.')?.1.to_lowercase());
        Self {
            documents: names,
            by_stem,
            by_letters,
            letters_max,
            endings: files.filter_map(ending).collect(),
        }
    }

    /// The places of a query that spell the complete name of documents, letter by letter: in
    /// quotes, with the file's ending, or in several words; one word alone must be a name
    /// (`is_name`) to be told from a word of the question. Longer ones go before shorter ones.
    pub(super) fn spelt(
        &self,
        query: &str,
        words: &[Word<'_>],
        is_name: &dyn Fn(&Word<'_>) -> bool,
    ) -> Vec<Spelt> {
        let mut found = Vec::new();
        let mut first = 0;
        while first < words.len() {
            let mut longest = None;
            for last in first..words.len() {
                let bytes =
                    words[first].bytes.start..words[last].bytes.end.max(words[first].bytes.start);
                let content = content(&words[first..=last]);
                if content.len() > self.letters_max {
                    break;
                }
                let letters = squashed(without_possessive(&query[bytes.clone()]));
                let by_letters = |letters: &String| self.by_letters.get(letters);
                let Some(documents) = by_letters(&letters).or_else(|| by_letters(&content)) else {
                    continue;
                };
                let is_sure = is_quoted(query, &bytes) || self.has_ending(&query[bytes.end..]);
                let told = words[first..=last].iter().filter(|word| word.stem.is_some()).count();
                let is_plain =
                    !is_number(&content) && (told > 1 || told == 1 && is_name(&words[last]));
                if is_sure || is_plain {
                    let words = first..last + 1;
                    longest = Some(Spelt { letters, words, documents: documents.clone(), is_sure });
                }
            }
            first = longest.as_ref().map_or(first + 1, |spelt| spelt.words.end);
            found.extend(longest);
        }
        found
    }

    /// Whether a text goes on with the ending of a file.
    fn has_ending(&self, rest: &str) -> bool {
        let Some(rest) = rest.strip_prefix('.') else { return false };
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        self.endings.contains(&rest[..end].to_lowercase())
    }

    /// The documents whose name holds a term, and how well it fits, in order.
    pub(super) fn fits(&self, term: &str) -> Vec<(u32, f64)> {
        let long = term.chars().nth(INSIDE_LETTERS_MIN - 1).is_some();
        if long && self.documents.len() <= INSIDE_DOCUMENTS_MAX {
            let fits =
                self.documents.iter().zip(0..).map(|(name, document)| (document, name.fit(term)));
            return fits.filter(|(_, fit)| *fit > 0.0).collect();
        }
        let documents = self.by_stem.get(term).map(Vec::as_slice).unwrap_or_default();
        documents.iter().map(|document| (*document, 1.0)).collect()
    }

    /// Whether the name of a document holds this very term.
    pub(super) fn holds(&self, document: u32, term: &str) -> bool {
        self.documents[document as usize].stems.contains(term)
    }

    /// Whether the terms hold the whole name of a document.
    pub(super) fn is_whole(&self, document: u32, terms: &FxHashSet<&str>) -> bool {
        let whole = |words: &BTreeSet<String>| {
            words.len() >= WHOLE_NAME_WORDS_MIN
                && words.iter().all(|word| terms.contains(word.as_str()))
        };
        self.documents[document as usize].words.iter().any(whole)
    }
}

impl Name {
    fn of(name: &str) -> Self {
        let name = percent_decoded(&percent_decoded(name)).replace(['_', '+'], " ");
        let stems = |text: &str| -> BTreeSet<String> {
            Tokenizer::Stems.terms(text).into_iter().filter(|stem| !is_number(stem)).collect()
        };
        let words = [stems(&name), stems(&apart(&name))];
        Self {
            stems: words.iter().flatten().cloned().collect(),
            words,
            squashed: squashed(&name),
            content: content(&super::words::words(&name)),
        }
    }

    fn fit(&self, term: &str) -> f64 {
        if self.stems.contains(term) {
            1.0
        } else if term.chars().nth(INSIDE_LETTERS_MIN - 1).is_some() && self.squashed.contains(term)
        {
            INSIDE_WEIGHT
        } else {
            0.0
        }
    }
}

/// The letters and digits of a text in lower case.
fn squashed(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The same of the words that are no stop words.
fn content(words: &[Word<'_>]) -> String {
    let words = words.iter().filter(|word| word.stem.is_some());
    words.map(|word| squashed(without_possessive(word.text))).collect()
}

fn without_possessive(text: &str) -> &str {
    text.strip_suffix("'s").or_else(|| text.strip_suffix("\u{2019}s")).unwrap_or(text)
}

/// Whether a place stands between quotation marks; apostrophes count to the word.
fn is_quoted(query: &str, bytes: &Range<usize>) -> bool {
    let inner = &query[bytes.clone()];
    let after = query[bytes.end..].trim_start_matches(['.', ',']);
    // The ending of a file may stand within the marks.
    let after = after.trim_start_matches(char::is_alphanumeric);
    let (begins, ends) = (inner.starts_with(QUOTES), inner.ends_with(QUOTES));
    (begins || query[..bytes.start].ends_with(QUOTES)) && (ends || after.starts_with(QUOTES))
}

/// Whether a term is a bare number: a year or a version, which names nothing by itself.
pub(super) fn is_number(term: &str) -> bool {
    term.chars().all(char::is_numeric)
}

/// `Boston Consulting Group` may be filed as `bcg`.
pub(super) fn initials(words: &[Word<'_>], is_name: &dyn Fn(&Word<'_>) -> bool) -> Vec<String> {
    let mut runs = vec![String::new()];
    for word in words {
        match (word.text.chars().next(), runs.last_mut()) {
            (Some(first), Some(run)) if first.is_uppercase() || is_name(word) => {
                run.extend(first.to_lowercase());
            }
            _ => runs.push(String::new()),
        }
    }
    runs.retain(|run| run.chars().count() >= INITIALS_MIN);
    runs
}

/// Spaces between words that are only told apart by their capitals.
fn apart(name: &str) -> String {
    let mut parted = String::with_capacity(name.len() + 8);
    let mut lower_before = false;
    for character in name.chars() {
        if lower_before && character.is_uppercase() {
            parted.push(' ');
        }
        lower_before = character.is_lowercase();
        parted.push(character);
    }
    parted
}

/// `%20` and the like as the characters they stand for; what is no UTF-8 stays as it is.
fn percent_decoded(name: &str) -> String {
    let bytes = name.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let escaped = (bytes[index] == b'%')
            .then(|| name.get(index + 1..index + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(escaped.unwrap_or(bytes[index]));
        index += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).unwrap_or_else(|_| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_capitals_part_the_words_of_a_file_name() {
        let name = Name::of("TabunKitchen%20Investments%252FNDA_v2");
        for term in ["tabun", "kitchen", "invest", "nda", "v2", "tabunkitchen"] {
            assert_eq!(name.fit(term), 1.0, "{term}");
        }
        assert_eq!(name.fit("nkit"), INSIDE_WEIGHT);
        assert_eq!((name.fit("nki"), name.fit("cafe")), (0.0, 0.0));
    }

    #[test]
    fn a_whole_name_is_found_whichever_way_its_words_are_parted() {
        let document = Document::new("DataUse-policy_2017.txt", String::new());
        let names = Names::new(&[document]);
        let whole = |terms: &[&str]| names.is_whole(0, &terms.iter().copied().collect());
        assert!(whole(&["polici", "data", "use", "rent"]) && whole(&["dataus", "polici"]));
        assert!(!whole(&["polici", "data"]));
        assert_eq!(names.fits("2017"), [(0, INSIDE_WEIGHT)], "but only inside");
    }

    #[test]
    fn a_broken_escape_stays_as_it_is() {
        assert_eq!(percent_decoded("50%_%zz%4"), "50%_%zz%4");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }

    #[test]
    fn three_capitalised_words_have_initials() {
        let query = super::super::words::words("between Boston Consulting group and Other Party");
        assert_eq!(initials(&query, &|word| word.text == "group"), ["bcg"]);
    }
}
