//! Fences around texts of others. Between them a text stays as it came.

use std::fmt::Write as _;

use crate::template::without_control_words;

/// Fences that only this set of texts has.
#[derive(Debug, Clone)]
pub(crate) struct Fences {
    nonce: String,
    /// How many control words of chat models were made harmless so far.
    pub defused: usize,
}

impl Fences {
    /// Fences for these texts. Their mark is made from the texts, so the same question stays
    /// the same, and nobody can write a text that contains its own hash.
    pub(crate) fn around<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for text in texts {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        let hash = hasher.finalize().to_hex();
        Self { nonce: hash.as_str()[..16].to_owned(), defused: 0 }
    }

    /// A text between its fences.
    pub(crate) fn put(&mut self, name: &str, text: &str) -> String {
        let (text, defused) = without_control_words(text);
        self.defused += defused;
        let mut fenced = String::with_capacity(text.len() + 2 * name.len() + 64);
        // Writing into a string cannot fail.
        let _ = write!(
            fenced,
            "<<<{name} {nonce}>>>\n{text}\n<<<end {name} {nonce}>>>",
            nonce = self.nonce
        );
        fenced
    }
}
