//! What the `text` crate does for this method, under the names used here.
//!
//! A stand-in until the tokenizer is there; it splits on white space and punctuation.

use std::borrow::Cow;

/// Lowercase, white space collapsed, stripped.
pub(crate) fn for_matching(text: &str) -> Cow<'_, str> {
    let words: Vec<_> = text.split_whitespace().collect();
    Cow::Owned(words.join(" ").to_lowercase())
}

/// Lowercase and stripped.
pub(crate) fn lower_strip(text: &str) -> Cow<'_, str> {
    Cow::Owned(text.trim().to_lowercase())
}

/// Calls `visit` with every alphanumeric word token.
pub(crate) fn for_each_alnum_token(text: &str, mut visit: impl FnMut(&str)) {
    let lower = for_matching(text);
    for token in lower.split(|letter: char| !letter.is_alphanumeric()) {
        if !token.is_empty() {
            visit(token);
        }
    }
}
