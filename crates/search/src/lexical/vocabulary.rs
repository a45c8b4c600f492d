//! Terms and their numbers.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Numbers for terms, given in the order in which terms first turn up.
///
/// All terms stand in one text: a corpus has so many that a piece of memory for each would take
/// longer than counting them.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    ids: HashTable<u32>,
    text: String,
    /// Where each term ends.
    ends: Vec<usize>,
}

impl Vocabulary {
    /// The number of a term, a new one if it was never seen.
    pub(crate) fn intern(&mut self, term: &str) -> u32 {
        if let Some(id) = self.find(term) {
            return id;
        }
        let id = u32::try_from(self.ends.len()).expect("fewer than four billion distinct terms");
        self.text.push_str(term);
        self.ends.push(self.text.len());
        let (text, ends) = (&self.text, &self.ends);
        self.ids.insert_unique(hash(term), id, |id| hash(at(text, ends, *id)));
        id
    }

    /// The number of a term, if it was ever seen.
    pub fn find(&self, term: &str) -> Option<u32> {
        self.ids.find(hash(term), |id| self.term(*id) == term).copied()
    }

    /// The term with this number.
    pub(crate) fn term(&self, id: u32) -> &str {
        at(&self.text, &self.ends, id)
    }

    /// All terms, in the order of their numbers.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end])
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was ever interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn hash(term: &str) -> u64 {
    FxBuildHasher.hash_one(term)
}

fn at<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = id.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[id]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_has_one_number_however_many_there_are() {
        let mut vocabulary = Vocabulary::default();
        let terms: Vec<String> = (0..5_000).map(|number| format!("t{number}")).collect();
        let numbers: Vec<u32> = terms.iter().map(|term| vocabulary.intern(term)).collect();
        assert_eq!(vocabulary.intern(""), 5_000, "an empty term is one like any other");
        assert!(numbers.iter().copied().eq(0..5_000));
        for (term, number) in terms.iter().zip(numbers) {
            assert_eq!((vocabulary.intern(term), vocabulary.term(number)), (number, &**term));
        }
        assert!(vocabulary.terms().eq(terms.iter().map(String::as_str).chain([""])));
        assert_eq!((vocabulary.find("t5000"), vocabulary.len()), (None, 5_001));
    }
}
