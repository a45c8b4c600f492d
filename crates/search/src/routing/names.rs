//! What file names say: words, words run together, and initials.

use assize_score::Working;
use assize_score::arithmetic::sum;
use assize_score::float::ln;
use rustc_hash::FxHashSet;

use super::distinct_stems;
use crate::corpus::Corpus;
use crate::tokens::Tokenizer;

/// What a term is worth that a file name only holds inside a longer word.
const INSIDE_WEIGHT: f64 = 0.8;
/// Shorter terms turn up inside longer words by accident.
const INSIDE_LETTERS_MIN: usize = 4;
/// Initials of fewer words are no name.
const INITIALS_MIN: usize = 3;

/// The file names of a corpus, ready to be compared with.
#[derive(Debug, Clone)]
pub struct Names {
    names: Vec<Name>,
}

#[derive(Debug, Clone)]
struct Name {
    stems: FxHashSet<String>,
    /// Letters and digits in lower case, all run together.
    squashed: String,
}

impl Names {
    /// The file names of a corpus.
    pub fn new(corpus: &Corpus) -> Self {
        Self { names: corpus.documents().iter().map(|document| Name::of(&document.path)).collect() }
    }

    /// How well each file name fits a text that may name it.
    pub fn scores(&self, naming: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.names.len()];
        for term in naming_terms(naming) {
            let fits: Vec<f64> = self.names.iter().map(|name| name.fit(&term)).collect();
            let rarity = rarity(&fits);
            for (score, fit) in scores.iter_mut().zip(fits) {
                *score += fit * rarity;
            }
        }
        scores
    }

    /// How well one file name fits, with workings if the caller wants them.
    pub fn score<N: Working>(&self, naming: &str, document: usize) -> N {
        let found = naming_terms(naming).into_iter().filter_map(|term| {
            let fits: Vec<f64> = self.names.iter().map(|name| name.fit(&term)).collect();
            let (fit, rarity) = (fits[document], rarity(&fits));
            (fit > 0.0).then(|| {
                let inputs = [N::given("fit", fit), N::given("rarity", rarity)];
                N::computed("term", "fit * rarity", fit * rarity, inputs).named(term)
            })
        });
        sum("by the file name", found.collect())
    }
}

impl Name {
    fn of(path: &str) -> Self {
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let name = percent_decoded(&percent_decoded(stem)).replace('_', " ");
        let mut stems: FxHashSet<String> = Tokenizer::Stems.terms(&name).into_iter().collect();
        stems.extend(Tokenizer::Stems.terms(&apart(&name)));
        let letters = name.chars().filter(|character| character.is_alphanumeric());
        Self { stems, squashed: letters.flat_map(char::to_lowercase).collect() }
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

/// The terms a text may name a file by: its stems, and initials of capitalised runs.
fn naming_terms(naming: &str) -> Vec<String> {
    let mut terms = distinct_stems(naming);
    for initials in initials(naming) {
        if !terms.contains(&initials) {
            terms.push(initials);
        }
    }
    terms
}

/// `Boston Consulting Group` may be filed as `bcg`.
fn initials(text: &str) -> Vec<String> {
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

/// A term that all names share is worth nothing, one that a single name has the most.
fn rarity(fits: &[f64]) -> f64 {
    let holding = fits.iter().filter(|fit| **fit > 0.0).count() as f64;
    ln(1.0 + (fits.len() as f64 - holding + 0.5) / (holding + 0.5))
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
        let name = Name::of("nda/TabunKitchen%20Investments%252FNDA_v2.txt");
        for term in ["tabun", "kitchen", "invest", "nda", "v2", "tabunkitchen"] {
            assert_eq!(name.fit(term), 1.0, "{term}");
        }
        assert_eq!(name.fit("nkit"), INSIDE_WEIGHT);
        assert_eq!((name.fit("nki"), name.fit("cafe")), (0.0, 0.0));
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
