//! Word tokens, and the alphanumeric ones that every count is made of.

use crate::normalize::for_matching;
use crate::punkt::sentences;
use crate::python::is_alnum;
use crate::treebank::{Sink, for_each_token, scan_into};

/// All tokens of a text, as NLTK's `word_tokenize` gives them; case is kept.
///
/// ```
/// # use assize_text::word_tokens;
/// assert_eq!(word_tokens("It's $3.50, e.g."), ["It", "'s", "$", "3.50", ",", "e.g", "."]);
/// ```
pub fn word_tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for_each_word_token(text, |token| tokens.push(token.to_owned()));
    tokens
}

/// Passes each token of a text to `each`, in order.
pub fn for_each_word_token(text: &str, mut each: impl FnMut(&str)) {
    for sentence in sentences(text) {
        for_each_token(&text[sentence], &mut each);
    }
}

/// The tokens everything is counted in: lower case, letters and digits only.
///
/// The text is lowered, its white space collapsed, and cut into word tokens; those
/// that Python's `isalnum` refuses are left out, so `and/or` and `co-op` are no tokens.
///
/// ```
/// # use assize_text::alnum_tokens;
/// assert_eq!(alnum_tokens("The Parties' and/or 1 co-op."), ["the", "parties", "1"]);
/// ```
pub fn alnum_tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for_each_alnum_token(text, |token| tokens.push(token.to_owned()));
    tokens
}

/// Passes each of the tokens of [`alnum_tokens`] to `each`, in order.
pub fn for_each_alnum_token(text: &str, each: impl FnMut(&str)) {
    for_each_alnum_token_normalized(&for_matching(text), each);
}

/// As [`for_each_alnum_token`], for a text that is in the form of [`for_matching`].
pub fn for_each_alnum_token_normalized(text: &str, each: impl FnMut(&str)) {
    let mut sink = Alnum(each);
    for sentence in sentences(text) {
        scan_into(&text[sentence], &mut sink);
    }
}

/// How many alphanumeric tokens a text has.
pub fn count_alnum_tokens(text: &str) -> usize {
    let mut count = 0;
    for_each_alnum_token(text, |_| count += 1);
    count
}

struct Alnum<F>(F);

impl<F: FnMut(&str)> Sink for Alnum<F> {
    fn plain(&mut self, token: &str) {
        (self.0)(token);
    }

    fn other(&mut self, token: &str) {
        if is_alnum(token) {
            (self.0)(token);
        }
    }
}
