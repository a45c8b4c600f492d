//! Words of a sentence, as NLTK 3.10's `NLTKWordTokenizer` cuts them.
//!
//! The original rewrites the sentence some thirty times to put spaces where words
//! end. Nothing it does is ever undone, so one walk from left to right gives the same
//! words: `scan` stops at the characters that end a piece, and `piece` takes the
//! clitics and contractions off what lies between. Only the order of two rewrites can
//! be seen in the result, and it is kept as `Gap`.

mod ascii;
mod piece;
mod scan;

/// Receives the tokens of a sentence in order.
pub(crate) trait Sink {
    /// A token of ASCII letters and digits only.
    fn plain(&mut self, token: &str);
    /// Any other token.
    fn other(&mut self, token: &str);
}

/// When a gap after a piece was made: the original splits a closing apostrophe from a
/// piece twice, once before and once after these later gaps exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    Early,
    Late,
}

/// Passes each token of one sentence to `each`, in order.
///
/// Double quotes are passed as ` `` ` or `''`, by the side they stand on.
pub(crate) fn for_each_token(sentence: &str, each: impl FnMut(&str)) {
    scan::scan(sentence, &mut All(each));
}

/// Passes each token of one sentence to a sink that wants to know the plain ones.
pub(crate) fn scan_into(sentence: &str, sink: &mut impl Sink) {
    scan::scan(sentence, sink);
}

/// The tokens of one sentence.
///
/// ```
/// # use assize_text::treebank::tokenize;
/// let tokens = tokenize("\"I can't,\" he said (twice).");
/// assert_eq!(tokens, ["``", "I", "ca", "n't", ",", "''", "he", "said", "(", "twice", ")", "."]);
/// ```
pub fn tokenize(sentence: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for_each_token(sentence, |token| tokens.push(token.to_owned()));
    tokens
}

struct All<F>(F);

impl<F: FnMut(&str)> Sink for All<F> {
    fn plain(&mut self, token: &str) {
        (self.0)(token);
    }

    fn other(&mut self, token: &str) {
        (self.0)(token);
    }
}

#[cfg(test)]
mod tests;
