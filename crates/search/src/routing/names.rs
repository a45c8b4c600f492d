//! What file names say: words, words run together, and initials.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};

use memchr::memmem;
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
    by_letters: BTreeMap<String, Vec<u32>>,
    /// The letters of all names that are no numbers, one a line, and where each begins.
    lines: String,
    starts: Vec<(usize, u32)>,
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
    /// The same of the name as it stands, with `%20` and the like.
    literal: String,
}

impl Names {
    /// The names of these documents.
    pub(super) fn new(documents: &[Document]) -> Self {
        let mut all = Self {
            documents: documents.iter().map(|document| Name::of(document.name())).collect(),
            by_stem: FxHashMap::default(),
            by_letters: BTreeMap::new(),
            lines: String::new(),
            starts: Vec::new(),
            endings: documents.iter().filter_map(ending).collect(),
        };
        for (name, document) in all.documents.iter().zip(0..) {
            for stem in &name.stems {
                all.by_stem.entry(stem.clone()).or_default().push(document);
            }
            for letters in BTreeSet::from([&name.squashed, &name.content, &name.literal]) {
                if !letters.is_empty() {
                    all.by_letters.entry(letters.clone()).or_default().push(document);
                }
            }
            if !is_number(&name.squashed) {
                all.starts.push((all.lines.len(), document));
                all.lines.push_str(&name.squashed);
                all.lines.push('\n');
            }
        }
        all
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
        let pieces: Vec<String> =
            words.iter().map(|word| squashed(without_possessive(word.text))).collect();
        let mut found = Vec::new();
        let mut first = 0;
        while first < words.len() {
            let longest = self.longest_spelt(query, &words[first..], &pieces[first..], is_name);
            let Some(mut spelt) = longest else {
                first += 1;
                continue;
            };
            spelt.words = first..first + spelt.words.end;
            first = spelt.words.end;
            found.push(spelt);
        }
        found
    }

    /// The longest name that begins with the first of some words.
    fn longest_spelt(
        &self,
        query: &str,
        words: &[Word<'_>],
        pieces: &[String],
        is_name: &dyn Fn(&Word<'_>) -> bool,
    ) -> Option<Spelt> {
        let (mut letters, mut content, mut told) = (String::new(), String::new(), 0);
        let mut longest = None;
        for (last, (word, piece)) in words.iter().zip(pieces).enumerate() {
            // A word with an apostrophe stands there with each of its parts.
            if last == 0 || words[last - 1].bytes != word.bytes {
                letters.push_str(piece);
                if word.stem.is_some() {
                    content.push_str(piece);
                    told += 1;
                }
            }
            if !self.begins_name(&letters) && !self.begins_name(&content) {
                break;
            }
            let by_letters = |letters: &String| self.by_letters.get(letters);
            let Some(documents) = by_letters(&letters).or_else(|| by_letters(&content)) else {
                continue;
            };
            let bytes = words[0].bytes.start..word.bytes.end.max(words[0].bytes.start);
            let has_ending = self.has_ending(&query[bytes.end..]);
            let is_sure = has_ending || is_quoted(query, &bytes);
            let is_plain = !is_number(&content) && (told > 1 || told == 1 && is_name(word));
            if is_sure || is_plain {
                let (letters, documents) = (letters.clone(), documents.clone());
                // The ending belongs to the name, and goes with it.
                let end = (last + 1 + usize::from(has_ending)).min(words.len());
                longest = Some(Spelt { letters, words: 0..end, documents, is_sure });
            }
        }
        longest
    }

    fn begins_name(&self, letters: &str) -> bool {
        let mut from =
            self.by_letters.range::<str, _>((Bound::Included(letters), Bound::Unbounded));
        from.next().is_some_and(|(name, _)| name.starts_with(letters))
    }

    /// Whether a text goes on with the ending of a file.
    fn has_ending(&self, rest: &str) -> bool {
        let Some(rest) = rest.strip_prefix('.') else { return false };
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        self.endings.contains(&rest[..end].to_lowercase())
    }

    /// The documents whose name holds a term, and how well it fits, in order.
    pub(super) fn fits(&self, term: &str) -> Vec<(u32, f64)> {
        let exact = self.by_stem.get(term).map(Vec::as_slice).unwrap_or_default();
        let mut fits: Vec<(u32, f64)> = exact.iter().map(|document| (*document, 1.0)).collect();
        let is_long = term.chars().nth(INSIDE_LETTERS_MIN - 1).is_some();
        if is_long && self.documents.len() <= INSIDE_DOCUMENTS_MAX {
            for place in memmem::find_iter(self.lines.as_bytes(), term) {
                let line = self.starts.partition_point(|(start, _)| *start <= place) - 1;
                let document = self.starts[line].1;
                if exact.binary_search(&document).is_err()
                    && fits.last().is_none_or(|(last, _)| *last != document)
                {
                    fits.push((document, INSIDE_WEIGHT));
                }
            }
            fits.sort_by_key(|(document, _)| *document);
        }
        fits
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
        let literal = squashed(name);
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
            literal,
        }
    }
}

/// The ending of a file's name.
fn ending(document: &Document) -> Option<String> {
    let ending = document.path.rsplit_once('.')?.1.to_lowercase();
    (!document.is_record()).then_some(ending)
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
        let name = "TabunKitchen%20Investments%252FNDA_v2.txt";
        let names = Names::new(&["a.txt", name].map(|path| Document::new(path, String::new())));
        for term in ["tabun", "kitchen", "invest", "nda", "v2", "tabunkitchen"] {
            assert_eq!(names.fits(term), [(1, 1.0)], "{term}");
        }
        assert_eq!(names.fits("nkit"), [(1, INSIDE_WEIGHT)]);
        assert!(names.fits("nki").is_empty() && names.fits("cafe").is_empty());
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
    fn a_file_name_is_spelt_as_it_stands_on_the_disk_and_its_ending_goes_with_it() {
        let path = "Tabun%20Kitchen-NDA.txt";
        let names = Names::new(&["a.txt", path].map(|path| Document::new(path, String::new())));
        let query = format!("In \"{path}\", who pays?");
        let words = super::super::words::words(&query);
        let spelt = names.spelt(&query, &words, &|_| false);
        assert_eq!(spelt.len(), 1, "{spelt:?}");
        assert_eq!((&spelt[0].documents[..], spelt[0].is_sure), (&[1][..], true));
        let spelt_words: Vec<&str> =
            words[spelt[0].words.clone()].iter().map(|word| word.text).collect();
        assert_eq!(spelt_words.last(), Some(&"txt"), "{spelt_words:?}");
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
