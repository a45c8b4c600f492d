//! How much of one text's tokens another has: as sets, or as bags that count repeats.

use crate::tokens::for_each_alnum_token;

/// The alphanumeric tokens of a text with their counts, ready to be compared.
#[derive(Debug, Clone, Default)]
pub struct TokenBag {
    /// All distinct tokens, one after the other.
    letters: String,
    /// Sorted by hash, then by token, each token once.
    tokens: Vec<Token>,
    total: usize,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    hash: u64,
    start: usize,
    end: usize,
    count: usize,
}

/// The counts that overlap measures are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Tokens in both.
    pub shared: usize,
    /// Tokens in the left one.
    pub left: usize,
    /// Tokens in the right one.
    pub right: usize,
}

impl TokenBag {
    /// The tokens of a text; see [`alnum_tokens`](crate::alnum_tokens).
    pub fn of(text: &str) -> Self {
        let mut bag = Self::default();
        for_each_alnum_token(text, |token| bag.push(token));
        bag.sort();
        bag
    }

    /// The pairs of neighbouring tokens of a text, as tokens of their own.
    pub fn of_pairs(text: &str) -> Self {
        let mut bag = Self::default();
        let mut pair = String::new();
        for_each_alnum_token(text, |token| {
            pair.push_str(token);
            if pair.contains(' ') {
                bag.push(&pair);
            }
            // The second of this pair is the first of the next.
            pair.clear();
            pair.push_str(token);
            pair.push(' ');
        });
        bag.sort();
        bag
    }

    /// How many tokens there are, repeats included.
    pub fn total(&self) -> usize {
        self.total
    }

    /// How many different tokens there are.
    pub fn distinct(&self) -> usize {
        self.tokens.len()
    }

    /// The overlap as sets: a repeated token counts once.
    ///
    /// ```
    /// # use assize_text::overlap::TokenBag;
    /// let overlap = TokenBag::of("the cat and the dog").as_sets(&TokenBag::of("The dog, the fox"));
    /// assert_eq!((overlap.shared, overlap.left, overlap.right), (2, 4, 3));
    /// assert_eq!(overlap.jaccard(), 0.4);
    /// ```
    pub fn as_sets(&self, other: &Self) -> Overlap {
        let shared = self.common(other).count();
        Overlap { shared, left: self.distinct(), right: other.distinct() }
    }

    /// The overlap as bags: a token counts as often as both have it.
    pub fn as_bags(&self, other: &Self) -> Overlap {
        let shared = self.common(other).map(|(left, right)| left.count.min(right.count)).sum();
        Overlap { shared, left: self.total, right: other.total }
    }

    /// How often a token, in lower case, occurs.
    pub fn count(&self, token: &str) -> usize {
        let order = (hash(token), token);
        let found =
            self.tokens.binary_search_by(|probe| (probe.hash, self.token(*probe)).cmp(&order));
        found.map_or(0, |index| self.tokens[index].count)
    }

    fn push(&mut self, token: &str) {
        let start = self.letters.len();
        self.letters.push_str(token);
        let end = self.letters.len();
        self.tokens.push(Token { hash: hash(token), start, end, count: 1 });
        self.total += 1;
    }

    /// Brings the tokens in order and adds up repeats.
    fn sort(&mut self) {
        let letters = &self.letters;
        let order = |token: &Token| (token.hash, &letters[token.start..token.end]);
        self.tokens.sort_unstable_by(|one, other| order(one).cmp(&order(other)));
        self.tokens.dedup_by(|token, kept| {
            let same = order(token) == order(kept);
            kept.count += if same { token.count } else { 0 };
            same
        });
    }

    fn token(&self, token: Token) -> &str {
        &self.letters[token.start..token.end]
    }

    /// The tokens that both have, from either side.
    fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Token, Token)> + 'a {
        let mut right = other.tokens.iter().copied().peekable();
        self.tokens.iter().filter_map(move |left| {
            let key = (left.hash, self.token(*left));
            while right.next_if(|token| (token.hash, other.token(*token)) < key).is_some() {}
            right
                .next_if(|token| (token.hash, other.token(*token)) == key)
                .map(|token| (*left, token))
        })
    }
}

impl Overlap {
    /// Shared tokens among all; 0 when there are none at all.
    pub fn jaccard(self) -> f64 {
        share(self.shared, self.left + self.right - self.shared)
    }

    /// The share of the left one's tokens that the right one has; 0 when it has none.
    pub fn containment(self) -> f64 {
        share(self.shared, self.left)
    }

    /// The harmonic mean of both containments. Two empty texts agree: 1, as in `SQuAD`.
    pub fn f1(self) -> f64 {
        if self.left + self.right == 0 {
            1.0
        } else {
            share(2 * self.shared, self.left + self.right)
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A fixed mix of a token's bytes: it only brings tokens in some order quickly.
fn hash(token: &str) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    token.as_bytes().chunks(8).fold(token.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_count_repeats_and_sets_do_not() {
        let left = TokenBag::of("a a a b");
        let right = TokenBag::of("A a c");
        assert_eq!(left.as_bags(&right), Overlap { shared: 2, left: 4, right: 3 });
        assert_eq!(left.as_sets(&right), Overlap { shared: 1, left: 2, right: 2 });
        assert_eq!((left.count("a"), left.count("b"), left.count("c")), (3, 1, 0));
    }

    #[test]
    fn measures_follow_their_formulas() {
        let overlap = Overlap { shared: 2, left: 4, right: 6 };
        assert_eq!(overlap.jaccard(), 0.25);
        assert_eq!(overlap.containment(), 0.5);
        assert_eq!(overlap.f1(), 0.4);
    }

    #[test]
    fn empty_texts_share_nothing_and_agree_in_f1() {
        let empty = TokenBag::of(" … ");
        let overlap = empty.as_sets(&empty);
        assert_eq!((overlap.jaccard(), overlap.containment(), overlap.f1()), (0.0, 0.0, 1.0));
        assert_eq!(empty.as_sets(&TokenBag::of("x")).f1(), 0.0);
    }

    #[test]
    fn pairs_are_neighbours_in_order() {
        let pairs = TokenBag::of_pairs("to be, or not to be");
        assert_eq!(pairs.total(), 5);
        assert_eq!(pairs.distinct(), 4);
        assert_eq!((pairs.count("to be"), pairs.count("be to")), (2, 0));
    }
}
