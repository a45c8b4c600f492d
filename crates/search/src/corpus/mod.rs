//! A folder of texts, read once and in the same order everywhere.
//!
//! Read in this order: bytes become text ([`decode`]), a folder becomes documents
//! ([`walk`], [`read`]), and what was left out or guessed is said ([`report`]).

pub mod code_points;
pub mod decode;
pub mod document;
pub mod read;
pub mod records;
pub mod report;
pub mod walk;

use std::collections::BTreeMap;

pub use document::Document;
pub(crate) use document::normal_path;
pub use read::{CorpusError, Limits, read_folder};
pub use records::{RecordError, read_records};
pub use report::{Remark, Report};

/// Documents in the order of their paths.
///
/// No two documents share a path, and the order never depends on the file system.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    documents: Vec<Document>,
    by_path: BTreeMap<String, usize>,
}

impl Corpus {
    /// A corpus of these documents; of two with the same path the first is kept.
    pub fn new(mut documents: Vec<Document>) -> Self {
        documents.sort_by(|left, right| left.path.cmp(&right.path));
        documents.dedup_by(|later, earlier| later.path == earlier.path);
        let by_path =
            documents.iter().enumerate().map(|(index, document)| (document.path.clone(), index));
        Self { by_path: by_path.collect(), documents }
    }

    /// A corpus of one text, as the compliance context needs it.
    pub fn of_text(path: &str, text: &str) -> Self {
        Self::new(vec![Document::new(path, text.to_owned())])
    }

    /// All documents, by path.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The index of the document with this path, compared after composing (NFC).
    pub fn find(&self, path: &str) -> Option<usize> {
        self.by_path.get(&normal_path(path)).copied()
    }

    /// How many bytes of text the corpus holds.
    pub fn bytes(&self) -> usize {
        self.documents.iter().map(|document| document.text.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_whichever_way_its_accents_are_written() {
        let corpus = Corpus::of_text("contracts/Cafe\u{301}.txt", "text");
        assert_eq!(corpus.find("contracts/Caf\u{e9}.txt"), Some(0));
        assert_eq!(corpus.find("contracts/Cafe.txt"), None);
    }

    #[test]
    fn documents_stand_in_the_order_of_their_paths() {
        let documents = ["b", "a", "c"].map(|path| Document::new(path, String::new()));
        let corpus = Corpus::new(documents.to_vec());
        let paths: Vec<&str> =
            corpus.documents().iter().map(|document| document.path.as_str()).collect();
        assert_eq!(paths, ["a", "b", "c"]);
    }
}
