//! Bags turned round: for each term the texts that hold it.

use crate::lexical::{Bags, Vocabulary};

/// One text that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    pub text: u32,
    /// How often it holds the term.
    pub times: u32,
}

/// For each term the texts that hold it, in order.
#[derive(Debug, Clone)]
pub struct Postings {
    /// The terms.
    pub vocabulary: Vocabulary,
    entries: Vec<Posting>,
    /// Where each term's postings begin; one more than there are terms.
    starts: Vec<usize>,
    lengths: Vec<u32>,
    length_mean: f64,
}

impl Postings {
    /// Turns bags round.
    pub fn of(bags: &Bags) -> Self {
        let mut starts = vec![0_usize; bags.vocabulary.len() + 1];
        for text in 0..bags.len() {
            for count in bags.bag(text) {
                starts[count.term as usize + 1] += 1;
            }
        }
        for term in 1..starts.len() {
            starts[term] += starts[term - 1];
        }
        let mut next = starts.clone();
        let total = starts.last().copied().unwrap_or(0);
        let mut entries = vec![Posting { text: 0, times: 0 }; total];
        for text in 0..bags.len() {
            for count in bags.bag(text) {
                let place = &mut next[count.term as usize];
                let text = u32::try_from(text).expect("fewer than four billion texts");
                entries[*place] = Posting { text, times: count.times };
                *place += 1;
            }
        }
        let lengths = bags.lengths().to_vec();
        let total: f64 = lengths.iter().map(|length| f64::from(*length)).sum();
        let length_mean = if lengths.is_empty() { 0.0 } else { total / lengths.len() as f64 };
        Self { vocabulary: bags.vocabulary.clone(), entries, starts, lengths, length_mean }
    }

    /// The texts that hold a term.
    pub fn with(&self, term: u32) -> &[Posting] {
        &self.entries[self.starts[term as usize]..self.starts[term as usize + 1]]
    }

    /// How many texts hold each term, in the order of terms.
    pub(crate) fn frequencies(&self) -> impl Iterator<Item = usize> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// How often a text holds a term.
    pub(crate) fn times(&self, term: u32, text: usize) -> u32 {
        let postings = self.with(term);
        let found = postings.binary_search_by_key(&text, |posting| posting.text as usize);
        found.map_or(0, |place| postings[place].times)
    }

    /// How many texts there are.
    pub fn texts(&self) -> usize {
        self.lengths.len()
    }

    /// How many terms a text has, repetitions included.
    pub fn length(&self, text: usize) -> f64 {
        f64::from(self.lengths[text])
    }

    pub(crate) fn length_mean(&self) -> f64 {
        self.length_mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Tokenizer;

    #[test]
    fn a_term_knows_its_texts_and_how_often_they_hold_it() {
        let texts = ["beta alpha beta", "gamma", "beta"];
        let postings = Postings::of(&Bags::of(3, |index| texts[index], Tokenizer::Sklearn));
        let beta = postings.vocabulary.find("beta").unwrap();
        let expected = [Posting { text: 0, times: 2 }, Posting { text: 2, times: 1 }];
        assert_eq!(postings.with(beta), expected);
        assert_eq!((postings.times(beta, 0), postings.times(beta, 1)), (2, 0));
        assert_eq!(postings.length_mean(), 5.0 / 3.0);
    }
}
