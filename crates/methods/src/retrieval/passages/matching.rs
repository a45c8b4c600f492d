//! Which passage matches which gold: the only place that decides relevance.
//!
//! Two texts match when, made alike, one holds the other. A blank text would be held by
//! every other one, so it matches nothing; it is counted, and the caller says so.

use std::borrow::Cow;

use memchr::memmem::{self, Finder};

use super::input::Passage;
use super::options::{PassageOptions, Whitespace};
use assize_text::{for_matching, lower_strip};

/// By which rule a passage matches a gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The texts are the same.
    Equal,
    /// The gold stands inside the passage.
    GoldInPassage,
    /// The passage stands inside the gold.
    PassageInGold,
}

/// One passage that matches one gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The passage's rank, from 1.
    pub rank: usize,
    /// The gold's index, from 0.
    pub gold: usize,
    /// Why they match.
    pub rule: Rule,
}

/// Everything that recall and nDCG need to know about one query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// The matches among the top k, by rank and then by gold.
    pub matches: Vec<Match>,
    /// How many golds there are, blank ones included.
    pub gold_count: usize,
    /// The ranks of blank passages among the top k, from 1.
    pub blank_ranks: Vec<usize>,
    /// The indices of blank golds, from 0.
    pub blank_golds: Vec<usize>,
    /// How many of the top k repeat a passage that also stands elsewhere among them.
    pub repeated_passages: usize,
}

impl Matches {
    /// The best-ranked match of one gold.
    pub fn first_of(&self, gold: usize) -> Option<Match> {
        self.matches.iter().find(|found| found.gold == gold).copied()
    }

    /// The matches of each relevant passage, by rank.
    pub fn by_rank(&self) -> impl Iterator<Item = &[Match]> {
        self.matches.chunk_by(|left, right| left.rank == right.rank)
    }
}

/// Holds the top k passages against all golds.
pub fn matches(
    retrieved: &[Passage<'_>],
    gold: &[Passage<'_>],
    options: &PassageOptions,
) -> Matches {
    let top = &retrieved[..retrieved.len().min(options.k.get())];
    let alike = |passage| made_alike(passage, options.whitespace);
    let passages: Vec<Cow<'_, str>> = top.iter().map(alike).collect();
    let golds: Vec<Cow<'_, str>> = gold.iter().map(alike).collect();
    let finders: Vec<Finder<'_>> = golds.iter().map(|gold| Finder::new(gold.as_bytes())).collect();

    let mut found = Matches { gold_count: gold.len(), ..Matches::default() };
    found.blank_golds.extend(positions_of_blank(&golds));
    found.blank_ranks.extend(positions_of_blank(&passages).map(|index| index + 1));
    for (index, passage) in passages.iter().enumerate() {
        for (gold, finder) in finders.iter().enumerate() {
            if let Some(rule) = rule(passage, finder) {
                found.matches.push(Match { rank: index + 1, gold, rule });
            }
        }
    }
    found.repeated_passages = repeated(passages);
    found
}

/// The rule by which a passage matches the gold that `gold` looks for, if any does.
fn rule(passage: &str, gold: &Finder<'_>) -> Option<Rule> {
    let (passage, needle) = (passage.as_bytes(), gold.needle());
    if passage.is_empty() || needle.is_empty() {
        return None;
    }
    let (matched, rule) = match passage.len().cmp(&needle.len()) {
        std::cmp::Ordering::Equal => (passage == needle, Rule::Equal),
        std::cmp::Ordering::Greater => (gold.find(passage).is_some(), Rule::GoldInPassage),
        std::cmp::Ordering::Less => (memmem::find(needle, passage).is_some(), Rule::PassageInGold),
    };
    matched.then_some(rule)
}

fn made_alike<'a>(passage: &'a Passage<'_>, whitespace: Whitespace) -> Cow<'a, str> {
    match whitespace {
        Whitespace::Collapse => for_matching(passage.text()),
        Whitespace::Strip => lower_strip(passage.text()),
    }
}

fn positions_of_blank(texts: &[Cow<'_, str>]) -> impl Iterator<Item = usize> {
    let blank = |(index, text): (usize, &Cow<'_, str>)| text.is_empty().then_some(index);
    texts.iter().enumerate().filter_map(blank)
}

/// How many texts are the same as another one before them; blank ones do not count.
fn repeated(mut texts: Vec<Cow<'_, str>>) -> usize {
    texts.sort_unstable();
    texts.windows(2).filter(|pair| !pair[0].is_empty() && pair[0] == pair[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(retrieved: &[&'static str], gold: &[&'static str]) -> Matches {
        let passages = |texts: &[&'static str]| -> Vec<Passage<'static>> {
            texts.iter().copied().map(Passage::of_text).collect()
        };
        matches(&passages(retrieved), &passages(gold), &PassageOptions::default())
    }

    #[test]
    fn each_direction_of_containment_has_its_rule() {
        let found = matched(&["The party shall pay.", "party", "PARTY shall"], &["party  shall"]);
        let rules: Vec<_> = found.matches.iter().map(|found| (found.rank, found.rule)).collect();
        let expected = [(1, Rule::GoldInPassage), (2, Rule::PassageInGold), (3, Rule::Equal)];
        assert_eq!(rules, expected);
    }

    #[test]
    fn blank_texts_match_nothing_and_are_counted() {
        let found = matched(&["alpha", " \n "], &["", "beta"]);
        assert_eq!(found.matches, []);
        assert_eq!((found.blank_ranks, found.blank_golds), (vec![2], vec![0]));
    }

    #[test]
    fn what_stands_below_rank_k_is_not_looked_at() {
        let mut retrieved = vec!["x"; 10];
        retrieved.push("alpha");
        assert_eq!(matched(&retrieved, &["alpha"]).matches, []);
    }

    #[test]
    fn the_same_passage_three_times_is_two_repetitions() {
        let found = matched(&["Alpha", "beta", "alpha ", "ALPHA", "", ""], &["beta"]);
        assert_eq!(found.repeated_passages, 2);
    }

    #[test]
    fn only_white_space_inside_tells_collapse_from_strip() {
        let (passage, gold) = ([Passage::of_text("alpha\nbeta")], [Passage::of_text("alpha beta")]);
        let strip = PassageOptions { whitespace: Whitespace::Strip, ..PassageOptions::default() };
        assert_eq!(matches(&passage, &gold, &strip).matches.len(), 0);
        assert_eq!(matches(&passage, &gold, &PassageOptions::default()).matches.len(), 1);
    }
}
