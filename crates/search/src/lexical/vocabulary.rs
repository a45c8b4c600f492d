//! Terms and their numbers.

use rustc_hash::FxHashMap;

/// Numbers for terms, given in the order in which terms first turn up.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    ids: FxHashMap<Box<str>, u32>,
    terms: Vec<Box<str>>,
}

impl Vocabulary {
    /// The number of a term, a new one if it was never seen.
    pub(crate) fn intern(&mut self, term: &str) -> u32 {
        if let Some(id) = self.ids.get(term) {
            return *id;
        }
        let id = u32::try_from(self.terms.len()).expect("fewer than four billion distinct terms");
        self.ids.insert(term.into(), id);
        self.terms.push(term.into());
        id
    }

    /// The number of a term, if it was ever seen.
    pub fn find(&self, term: &str) -> Option<u32> {
        self.ids.get(term).copied()
    }

    /// The term with this number.
    pub fn term(&self, id: u32) -> &str {
        &self.terms[id as usize]
    }

    /// All terms, in the order of their numbers.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(AsRef::as_ref)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether nothing was ever interned.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}
