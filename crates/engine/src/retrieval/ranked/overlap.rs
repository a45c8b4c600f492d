//! Whether a run and its judgements speak of the same documents at all.
//!
//! Where identifiers come from two sources (a prefix, another case, another column), every measure
//! is 0 and looks like a result.

use std::collections::BTreeSet;

use super::lists::Lists;

/// Documents of the run that are remembered: enough to tell identifiers of another kind from
/// documents that nobody judged.
const REMEMBERED_MAX: usize = 1_000;

/// What the queries of a run had in common with their judgements.
#[derive(Debug, Default)]
pub(super) struct Overlap {
    /// Whether a judged document was retrieved.
    is_found: bool,
    /// Retrieved documents, as long as none was judged.
    seen: Vec<Vec<u8>>,
}

impl Overlap {
    /// Notes the documents that were retrieved for a query, and how many of them were judged.
    pub(super) fn add<'a>(&mut self, judged: usize, retrieved: impl Iterator<Item = &'a [u8]>) {
        self.is_found |= judged > 0;
        if !self.is_found {
            let free = REMEMBERED_MAX.saturating_sub(self.seen.len());
            self.seen.extend(retrieved.take(free).map(<[u8]>::to_vec));
        }
    }

    /// Adds what came after.
    pub(super) fn append(&mut self, other: Self) {
        self.is_found |= other.is_found;
        let free = REMEMBERED_MAX.saturating_sub(self.seen.len());
        self.seen.extend(other.seen.into_iter().take(free));
    }

    /// A retrieved document and the judged one that is most like it, if no document of the run is
    /// judged for any query.
    pub(super) fn disjoint(&self, qrels: &Lists<i32>) -> Option<Disjoint> {
        // The least and not the first: the order of lines in a run says nothing.
        let first = self.seen.iter().min().filter(|_| !self.is_found)?;
        let items = (0..qrels.len()).flat_map(|query| qrels.items(query));
        let judged: BTreeSet<&[u8]> = items.map(|item| qrels.document(item)).collect();
        if self.seen.iter().any(|document| judged.contains(document.as_slice())) {
            return None;
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let run = text(first);
        for document in &judged {
            let qrels = text(document);
            if let Some(difference) = difference(&run, &qrels) {
                return Some(Disjoint { run, qrels, difference });
            }
        }
        let qrels = judged.first().map(|document| text(document))?;
        Some(Disjoint { run, qrels, difference: "" })
    }
}

/// Identifiers that have nothing in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disjoint {
    /// A document of the run.
    pub run: String,
    /// The judged document that is most like it.
    pub qrels: String,
    /// In what they differ, where that can be told; begins with a separator.
    pub difference: &'static str,
}

/// In what two identifiers differ that may mean the same document.
fn difference(run: &str, qrels: &str) -> Option<&'static str> {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    if run.to_lowercase() == qrels.to_lowercase() {
        Some(": they differ in case")
    } else if run.trim_matches(|char: char| char.is_whitespace() || "\"'".contains(char))
        == qrels.trim_matches(|char: char| char.is_whitespace() || "\"'".contains(char))
    {
        Some(": they differ in spaces or quotes")
    } else if qrels.ends_with(run) {
        Some(": those of the judgements have a prefix")
    } else if run.ends_with(qrels) {
        Some(": those of the run have a prefix")
    } else if qrels.starts_with(run) {
        Some(": those of the judgements have an ending")
    } else if run.starts_with(qrels) {
        Some(": those of the run have an ending")
    } else if !digits(run).is_empty() && digits(run) == digits(qrels) {
        Some(": they share their number, and are written otherwise")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_identifiers_differ_in_is_named() {
        for (run, qrels, words) in [
            ("Doc-1", "doc-1", "case"),
            ("\"doc-1\"", "doc-1", "quotes"),
            ("1", "doc-1", "judgements have a prefix"),
            ("beir/doc-1", "doc-1", "run have a prefix"),
            ("doc-1", "doc-1.txt", "judgements have an ending"),
            ("doc-1#3", "doc-1", "run have an ending"),
            ("d1", "doc-1", "number"),
        ] {
            let found = difference(run, qrels).unwrap_or_default();
            assert!(found.contains(words), "{run} and {qrels}: {found}");
        }
        assert_eq!(difference("a7", "b8"), None);
    }
}
