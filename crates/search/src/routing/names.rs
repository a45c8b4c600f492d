//! What file names say: words, words run together, and initials.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

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
/// A name of fewer words is not told from a word of the question.
const WHOLE_NAME_WORDS_MIN: usize = 2;

/// The names of documents, ready to be compared with.
#[derive(Debug, Clone)]
pub(super) struct Names {
    names: Vec<Name>,
    by_stem: FxHashMap<String, Vec<u32>>,
}

#[derive(Debug, Clone)]
struct Name {
    stems: BTreeSet<String>,
    /// The words of the name, run together or apart, whichever way a query may write them.
    words: [BTreeSet<String>; 2],
    /// Letters and digits in lower case, all run together.
    squashed: String,
}

impl Names {
    /// The names of these documents.
    pub(super) fn new(documents: &[Document]) -> Self {
        let names: Vec<Name> = documents.iter().map(|document| Name::of(document.name())).collect();
        let mut by_stem: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (name, document) in names.iter().zip(0..) {
            for stem in &name.stems {
                by_stem.entry(stem.clone()).or_default().push(document);
            }
        }
        Self { names, by_stem }
    }

    /// The documents whose name holds a term, and how well it fits, in order.
    pub(super) fn fits(&self, term: &str) -> Vec<(u32, f64)> {
        let long = term.chars().nth(INSIDE_LETTERS_MIN - 1).is_some();
        if long && self.names.len() <= INSIDE_DOCUMENTS_MAX {
            let fits =
                self.names.iter().zip(0..).map(|(name, document)| (document, name.fit(term)));
            return fits.filter(|(_, fit)| *fit > 0.0).collect();
        }
        let documents = self.by_stem.get(term).map(Vec::as_slice).unwrap_or_default();
        documents.iter().map(|document| (*document, 1.0)).collect()
    }

    /// Whether the name of a document holds this very term.
    pub(super) fn holds(&self, document: u32, term: &str) -> bool {
        self.names[document as usize].stems.contains(term)
    }

    /// Whether the terms hold the whole name of a document.
    pub(super) fn is_whole(&self, document: u32, terms: &FxHashSet<&str>) -> bool {
        let whole = |words: &BTreeSet<String>| {
            words.len() >= WHOLE_NAME_WORDS_MIN
                && words.iter().all(|word| terms.contains(word.as_str()))
        };
        self.names[document as usize].words.iter().any(whole)
    }
}

impl Name {
    fn of(name: &str) -> Self {
        let name = percent_decoded(&percent_decoded(name)).replace(['_', '+'], " ");
        let stems = |text: &str| -> BTreeSet<String> {
            Tokenizer::Stems.terms(text).into_iter().filter(|stem| !is_number(stem)).collect()
        };
        let words = [stems(&name), stems(&apart(&name))];
        let letters = name.chars().filter(|character| character.is_alphanumeric());
        Self {
            stems: words.iter().flatten().cloned().collect(),
            words,
            squashed: letters.flat_map(char::to_lowercase).collect(),
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

/// Whether a term is a bare number: a year or a version, which names nothing by itself.
pub(super) fn is_number(term: &str) -> bool {
    term.chars().all(char::is_numeric)
}

/// `Boston Consulting Group` may be filed as `bcg`.
pub(super) fn initials(text: &str) -> Vec<String> {
    let mut runs = vec![String::new()];
    for word in text.split(' ') {
        match (word.chars().next(), runs.last_mut()) {
            (Some(first), Some(run)) if first.is_uppercase() => run.extend(first.to_lowercase()),
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
        assert_eq!(initials("between Boston Consulting Group and Other Party"), ["bcg"]);
    }
}
