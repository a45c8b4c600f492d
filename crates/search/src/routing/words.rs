//! The words of a query, where they stand, and what is left when a name is taken out.

use std::ops::{Range, RangeInclusive};

use super::mention::is_name_in_query;
use crate::tokens::stems::each_word;

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: Range<usize>,
    /// Its stem; a stop word has none.
    pub(super) stem: Option<String>,
    /// Whether the query writes it as a name.
    pub(super) is_name: bool,
}

/// The words of a query, in order.
pub(super) fn words(query: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    each_word(query, &mut |text, stem| {
        let start = text.as_ptr() as usize - query.as_ptr() as usize;
        let before = query[..start].trim_end();
        let begins_sentence = before.is_empty() || before.ends_with(['.', '?', '!', ':', ';']);
        words.push(Word {
            text,
            bytes: start..start + text.len(),
            stem: stem.map(str::to_owned),
            is_name: is_name_in_query(text, begins_sentence),
        });
    });
    words
}

/// Words that join the parts of a name: `the lease between A and B`.
const JOINING: [&str; 7] = ["the", "a", "an", "between", "and", "for", "with"];
/// Words that introduce a name and go when it goes: `in the lease of A, …`.
const INTRODUCING: [&str; 22] = [
    "in",
    "under",
    "from",
    "within",
    "per",
    "by",
    "of",
    "at",
    "consider",
    "considering",
    "regarding",
    "concerning",
    "given",
    "about",
    "see",
    "take",
    "review",
    "according",
    "to",
    "for",
    "into",
    "on",
];

/// Words that introduce a question and say nothing about it.
const EMPTY: [&str; 26] = [
    "consider",
    "considering",
    "regarding",
    "concerning",
    "given",
    "about",
    "see",
    "take",
    "review",
    "please",
    "answer",
    "tell",
    "note",
    "follow",
    "following",
    "follows",
    "question",
    "questions",
    "query",
    "document",
    "documents",
    "text",
    "passage",
    "context",
    "general",
    "also",
];

/// A query without a beginning that says nothing, up to a comma, colon or semicolon.
///
/// Such a beginning holds only stop words, words that introduce, and words written as names
/// of which one at least is unknown: it names a document that is not there. What is known to
/// the corpus stays, whatever sign follows it.
pub(super) fn without_introduction<'a>(query: &'a str, unknown: &dyn Fn(&str) -> bool) -> &'a str {
    let Some(end) = query.find([',', ';', ':']) else { return query };
    let rest = query[end + 1..].trim_start();
    let before = words(&query[..end]);
    let empty = |word: &Word<'_>| {
        word.stem.is_none() || EMPTY.iter().any(|one| word.text.eq_ignore_ascii_case(one))
    };
    let names: Vec<&Word<'_>> = before.iter().filter(|word| !empty(word)).collect();
    let is_unknown = |word: &&Word<'_>| word.stem.as_deref().is_some_and(unknown);
    let absent = names.iter().all(|word| word.is_name) && names.iter().any(is_unknown);
    let says_nothing = !before.is_empty() && (names.is_empty() || absent);
    let asks = words(rest).iter().any(|word| word.stem.is_some());
    if says_nothing && asks { rest } else { query }
}

/// A query without the name of the document it was led to.
///
/// Taken out are the words that name it, the capitalised words and words of its name around
/// them, and the word that introduces it. What names a document says nothing about where in
/// it the answer stands. When nothing else is left, the query stays whole.
pub(super) fn without_name(
    query: &str,
    speaks: &dyn Fn(&str) -> bool,
    in_name: &dyn Fn(&str) -> bool,
    is_kind: &dyn Fn(&str) -> bool,
) -> String {
    let words = words(query);
    let naming = Naming { query, words: &words, speaks, in_name, is_kind };
    let mut taken = vec![false; words.len()];
    for index in (0..words.len()).filter(|index| naming.is(*index, speaks)) {
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
struct Naming<'a> {
    query: &'a str,
    words: &'a [Word<'a>],
    speaks: &'a dyn Fn(&str) -> bool,
    in_name: &'a dyn Fn(&str) -> bool,
    /// What kind of document it is: `agreement`.
    is_kind: &'a dyn Fn(&str) -> bool,
}

impl Naming<'_> {
    fn is(&self, index: usize, test: &dyn Fn(&str) -> bool) -> bool {
        self.words[index].stem.as_deref().is_some_and(test)
    }

    /// Whether a word is known to stand in the name, however it is written here.
    fn is_known(&self, index: usize) -> bool {
        self.is(index, self.speaks) || self.is(index, self.in_name)
    }

    fn belongs(&self, index: usize) -> bool {
        self.words[index].is_name || self.is_known(index)
    }

    fn is_one_of(&self, index: usize, list: &[&str]) -> bool {
        list.iter().any(|word| self.words[index].text.eq_ignore_ascii_case(word))
    }

    /// Whether no sign parts a word from the next.
    fn is_joined(&self, index: usize) -> bool {
        let (end, start) = (self.words[index].bytes.end, self.words[index + 1].bytes.start);
        !self.query[end.min(start)..start].contains([',', ';', ':', '.', '?', '!', '(', ')'])
    }

    /// Whether the name goes on to the left over this word: `the lease of Acme`, `the agreement
    /// between Acme and Bolt`, but not `the notice of Acme`.
    fn goes_on(&self, index: usize) -> bool {
        let of = |index: usize| self.is_one_of(index, &["of"]);
        let kind = |index: usize| {
            self.is(index, self.is_kind)
                && (of(index + 1) || self.is_one_of(index + 1, &["between", "with"]))
        };
        self.belongs(index)
            || self.is_one_of(index, &JOINING)
            || kind(index)
            || of(index) && index > 0 && (self.is_known(index - 1) || kind(index - 1))
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
        first..=last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(query: &str) -> String {
        let speaks = |stem: &str| ["acm", "bolt"].contains(&stem);
        let in_name = |stem: &str| ["leas", "acm"].contains(&stem);
        let rest = without_name(query, &speaks, &in_name, &|stem| stem == "agreement");
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
            ["Consider the following; ", "In this document, ", "Question: ", "Given Zorblax; "]
        {
            assert_eq!(rest(&format!("{before}who pays; when?")), "who pays; when?");
        }
        for whole in ["who pays; when?", "Given Acme; who pays?", "a zebra; who pays?", "Consider;"]
        {
            assert_eq!(rest(whole), whole);
        }
    }

    #[test]
    fn a_query_of_nothing_but_a_name_stays_whole() {
        assert_eq!(rest("the Lease of Acme"), "the Lease of Acme");
    }
}
