//! The words of a query, where they stand, and what is left when a name is taken out.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use assize_text::word_list;

use super::texts::is_written_as_name;
use crate::tokens::stems::each_word;

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: Range<usize>,
    /// Its stem; a stop word has none.
    pub(super) stem: Option<String>,
    /// Whether the query writes it as a name: with a capital or a digit, and not as its first word.
    /// Signs before it say nothing: they may be there or not.
    pub(super) is_capital: bool,
    /// Whether it has a capital inside or a digit, which no ordinary word has.
    pub(super) is_peculiar: bool,
}

/// The words of a query, in order.
pub(super) fn words(query: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    each_word(query, &mut |text, stem| {
        let start = text.as_ptr() as usize - query.as_ptr() as usize;
        words.push(Word {
            text,
            bytes: start..start + text.len(),
            stem: stem.map(str::to_owned),
            is_capital: is_written_as_name(text) && !words.is_empty(),
            is_peculiar: text.chars().skip(1).any(char::is_uppercase)
                || text.chars().any(char::is_numeric),
        });
    });
    words
}

/// Words that join the parts of a name: `the lease between A and B`.
const JOINING: [&str; 7] = ["the", "a", "an", "between", "and", "for", "with"];
/// Words that introduce a name and go when it goes: `in the lease of A, …`.
static INTRODUCING: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_list(include_str!("../../data/routing_introducing.txt")));

/// Words that introduce a question and say nothing about it.
static EMPTY: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_list(include_str!("../../data/routing_empty.txt")));

/// A query without a beginning that says nothing, whatever signs stand in it.
///
/// Such a beginning holds only stop words, words that introduce, and words written as names that
/// nobody knows: they name a document that is not there. When nothing else is left, the query
/// stays whole.
pub(super) fn without_introduction<'a>(query: &'a str, unknown: &dyn Fn(&str) -> bool) -> &'a str {
    let says_nothing = |word: &Word<'_>| match word.stem.as_deref() {
        None => true,
        Some(stem) => {
            EMPTY.iter().any(|one| word.text.eq_ignore_ascii_case(one))
                || word.is_capital && unknown(stem)
        }
    };
    let words = words(query);
    match words.iter().find(|word| !says_nothing(word)) {
        Some(first) => &query[first.bytes.start..],
        None => query,
    }
}

/// A query without the name of the document it was led to.
///
/// Taken out are the words that name it, the names and words of its name around them, what kind
/// of document it is, and the word that introduces it. What names a document says nothing about
/// where in it the answer stands. When nothing else is left, the query stays whole.
pub(super) fn without_name(naming: &Naming<'_>) -> String {
    let Naming { query, words, .. } = *naming;
    let mut taken = vec![false; words.len()];
    for index in (0..words.len()).filter(|index| naming.is_seed(*index)) {
        taken[naming.around(index)].fill(true);
    }
    let left = (0..words.len()).any(|index| !taken[index] && words[index].stem.is_some());
    if !left {
        return query.to_owned();
    }
    let mut rest = String::with_capacity(query.len());
    let mut from = 0;
    for (word, _) in words.iter().zip(&taken).filter(|(_, taken)| **taken) {
        rest.push_str(&query[from..word.bytes.start.max(from)]);
        from = word.bytes.end.max(from);
    }
    rest.push_str(&query[from..]);
    // What the name left hanging is no part of the question, whichever form it was put in.
    rest.trim_matches(|character: char| !character.is_alphanumeric()).to_owned()
}

/// A query and what makes its words part of a name.
pub(super) struct Naming<'a> {
    pub(super) query: &'a str,
    pub(super) words: &'a [Word<'a>],
    /// The words that are the name of the document, letter by letter.
    pub(super) spelt: &'a [Range<usize>],
    /// Whether a stem spoke for the document.
    pub(super) speaks: &'a dyn Fn(&str) -> bool,
    /// Whether the name of the document holds a stem.
    pub(super) in_name: &'a dyn Fn(&str) -> bool,
    /// What kind of document it is: `agreement`.
    pub(super) is_kind: &'a dyn Fn(&str) -> bool,
    /// Whether a word is a name.
    pub(super) is_name: &'a dyn Fn(&Word<'_>) -> bool,
}

impl Naming<'_> {
    fn is(&self, index: usize, test: &dyn Fn(&str) -> bool) -> bool {
        self.words[index].stem.as_deref().is_some_and(test)
    }

    fn is_spelt(&self, index: usize) -> bool {
        self.spelt.iter().any(|range| range.contains(&index))
    }

    /// Whether the name is here: the same word may stand in the question, too, as `keep` may in
    /// a question about `Keep.txt`.
    fn is_seed(&self, index: usize) -> bool {
        let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        let has_neighbour = || {
            let mut beside = beside.filter(|other| *other < self.words.len());
            beside.any(|other| self.is_known(other) && self.is_joined(index.min(other)))
        };
        self.is_spelt(index)
            || self.spelt.is_empty()
                && self.is(index, self.speaks)
                && ((self.is_name)(&self.words[index]) || has_neighbour())
    }

    /// Whether a word is known to stand in the name, however it is written here.
    fn is_known(&self, index: usize) -> bool {
        self.is(index, self.speaks) || self.is(index, self.in_name)
    }

    fn belongs(&self, index: usize) -> bool {
        (self.is_name)(&self.words[index]) || self.is_known(index) || self.is_spelt(index)
    }

    fn is_one_of(&self, index: usize, list: &[&str]) -> bool {
        list.iter().any(|word| self.words[index].text.eq_ignore_ascii_case(word))
    }

    /// Whether no sign parts a word from the next.
    fn is_joined(&self, index: usize) -> bool {
        let (end, start) = (self.words[index].bytes.end, self.words[index + 1].bytes.start);
        !self.query[end.min(start)..start].contains([',', ';', ':', '.', '?', '!', '(', ')'])
    }

    /// Whether a word says what kind of document is named: `the mutual agreement between Acme`.
    fn is_kind_before(&self, index: usize) -> bool {
        self.is(index, self.is_kind)
            && (self.is_one_of(index + 1, &["of", "between", "with"])
                || self.is_joined(index)
                    && index + 2 < self.words.len()
                    && self.is_kind_before(index + 1))
    }

    /// Whether the name goes on to the left over this word: `the lease of Acme`, `the agreement
    /// between Acme and Bolt`, but not `the notice of Acme`.
    fn goes_on(&self, index: usize) -> bool {
        self.belongs(index)
            || self.is_one_of(index, &JOINING)
            || self.is_kind_before(index)
            || self.is_one_of(index, &["of"])
                && index > 0
                && (self.is_known(index - 1) || self.is_kind_before(index - 1))
    }

    /// The words of the name around one of them.
    fn around(&self, index: usize) -> RangeInclusive<usize> {
        let mut first = index;
        while first > 0 && self.is_joined(first - 1) && self.goes_on(first - 1) {
            first -= 1;
        }
        while first > 0 && self.is_joined(first - 1) && self.is_one_of(first - 1, &INTRODUCING) {
            first -= 1;
        }
        let (mut last, mut place) = (index, index);
        while place + 1 < self.words.len()
            && self.is_joined(place)
            && (self.belongs(place + 1) || self.is_one_of(place + 1, &JOINING))
        {
            place += 1;
            if self.belongs(place) {
                last = place;
            }
        }
        // `Acme's mutual agreement`: its kind goes with it.
        while last + 1 < self.words.len() && self.is_joined(last) && self.is(last + 1, self.is_kind)
        {
            last += 1;
        }
        first..=last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(query: &str) -> String {
        let speaks = |stem: &str| ["acm", "bolt"].contains(&stem);
        let in_name = |stem: &str| ["leas", "acm"].contains(&stem);
        let naming = Naming {
            query,
            words: &words(query),
            spelt: &[],
            speaks: &speaks,
            in_name: &in_name,
            is_kind: &|stem| stem == "agreement",
            is_name: &|word| {
                let ordinary = ["who", "which", "may", "in", "consider", "according"];
                let text = word.text.to_lowercase();
                ["acme", "bolt"].contains(&text.trim_end_matches("'s"))
                    || word.is_capital && !ordinary.contains(&text.as_str())
            },
        };
        let rest = without_name(&naming);
        rest.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_name_goes_with_its_joints_and_what_introduces_it() {
        let expected = [
            ("Consider the Harbour Lease between Acme and Bolt; who pays?", "who pays"),
            ("In the lease between Acme and Bolt, who pays?", "who pays"),
            ("in the lease of acme who pays the fee", "who pays the fee"),
            ("Who pays under the Lease between Acme and Bolt?", "Who pays"),
            (
                "According to Acme's lease, who pays the Receiving Party?",
                "who pays the Receiving Party",
            ),
            ("who pays under the agreement between Acme and Bolt", "who pays"),
            ("Which Party may Acme sue?", "Which Party may sue"),
        ];
        for (query, left) in expected {
            assert_eq!(rest(query), left, "{query}");
        }
    }

    #[test]
    fn a_beginning_that_says_nothing_goes_whatever_sign_ends_it() {
        fn rest(query: &str) -> &str {
            without_introduction(query, &|stem| stem.starts_with('z'))
        }
        for before in
            ["Consider the following", "In this document", "Question", "Given Zorblax", ""]
        {
            for sign in ["; ", ", ", ": ", " "] {
                assert_eq!(rest(&format!("{before}{sign}who pays; when?")), "pays; when?");
            }
        }
        for (query, left) in [
            ("Given Acme; who pays?", "Acme; who pays?"),
            ("a zebra; who pays?", "zebra; who pays?"),
            ("Consider;", "Consider;"),
        ] {
            assert_eq!(rest(query), left);
        }
    }

    #[test]
    fn a_query_of_nothing_but_a_name_stays_whole() {
        assert_eq!(rest("the Lease of Acme"), "the Lease of Acme");
    }
}
