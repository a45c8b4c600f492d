//! Texts made alike, once for each query.

use std::borrow::Cow;

use assize_text::normalize::collapse;
use assize_text::{for_matching, lower_strip};

use super::input::Passage;
use super::options::{PassageOptions, Whitespace};

/// The top k passages and all golds of a query, in the form in which they are matched.
#[derive(Debug, Clone)]
pub struct Alike<'a> {
    /// The top k passages, best first.
    pub passages: Vec<Cow<'a, str>>,
    /// All golds.
    pub golds: Vec<Cow<'a, str>>,
    /// In which form they are.
    pub whitespace: Whitespace,
}

impl<'a> Alike<'a> {
    /// Brings passages and golds to the form that the options ask for.
    pub fn new(
        retrieved: &'a [Passage<'a>],
        gold: &'a [Passage<'a>],
        options: &PassageOptions,
    ) -> Self {
        let form = match options.whitespace {
            Whitespace::Collapse => for_matching,
            Whitespace::Strip => lower_strip,
        };
        let top = &retrieved[..retrieved.len().min(options.k.get())];
        Self {
            passages: top.iter().map(|passage| form(passage.text())).collect(),
            golds: gold.iter().map(|gold| form(gold.text())).collect(),
            whitespace: options.whitespace,
        }
    }

    /// One of these texts in the form in which it is cut into words.
    pub(crate) fn for_words<'b>(&self, text: &'b str) -> Cow<'b, str> {
        match self.whitespace {
            Whitespace::Collapse => Cow::Borrowed(text),
            Whitespace::Strip => collapse(text),
        }
    }
}
