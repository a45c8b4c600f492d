//! Our terms in the form the engine reads them.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::tokens;

/// The name our way of tokenising goes by in the index.
pub(super) const NAME: &str = "assize-stems";

/// Stems without stop words, as in memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Stems {
    terms: Vec<String>,
    token: Token,
}

impl Tokenizer for Stems {
    type TokenStream<'a> = StemStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> StemStream<'a> {
        self.terms = tokens::Tokenizer::Stems.terms(text);
        self.token.reset();
        StemStream { terms: self.terms.iter(), token: &mut self.token }
    }
}

/// The stems of one text.
pub(super) struct StemStream<'a> {
    terms: std::slice::Iter<'a, String>,
    token: &'a mut Token,
}

impl TokenStream for StemStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(term) = self.terms.next() else {
            return false;
        };
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
