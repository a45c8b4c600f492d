//! Which passage matches which gold: the only place that decides relevance.
//!
//! Two texts match when, made alike, one holds the other. A blank text would be held by
//! every other one, so it matches nothing; it is counted, and the caller says so.

use std::borrow::Cow;
use std::cmp::Ordering;

use memchr::memmem::{self, Finder};

use super::alike::Alike;

/// How much of a text is looked for before the whole.
const BEGINNING_BYTES: usize = 32;

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
    pub(crate) fn by_rank(&self) -> impl Iterator<Item = &[Match]> {
        self.matches.chunk_by(|left, right| left.rank == right.rank)
    }
}

/// Compares the passages with all golds.
pub fn matches(texts: &Alike<'_>) -> Matches {
    let golds: Vec<Needle<'_>> = texts.golds.iter().map(|gold| Needle::new(gold)).collect();
    let mut found = Matches { gold_count: golds.len(), ..Matches::default() };
    found.blank_golds.extend(positions_of_blank(&texts.golds));
    found.blank_ranks.extend(positions_of_blank(&texts.passages).map(|index| index + 1));
    for (index, passage) in texts.passages.iter().enumerate() {
        for (gold, needle) in golds.iter().enumerate() {
            if let Some(rule) = rule(passage, needle) {
                found.matches.push(Match { rank: index + 1, gold, rule });
            }
        }
    }
    found.repeated_passages = repeated(&texts.passages);
    found
}

/// The rule by which a passage matches a gold, if any does.
fn rule(passage: &str, gold: &Needle<'_>) -> Option<Rule> {
    if passage.is_empty() || gold.text.is_empty() {
        return None;
    }
    let (matched, rule) = match passage.len().cmp(&gold.text.len()) {
        Ordering::Equal => (passage == gold.text, Rule::Equal),
        Ordering::Greater => (gold.stands_in(passage), Rule::GoldInPassage),
        Ordering::Less => (Needle::new(passage).stands_in(gold.text), Rule::PassageInGold),
    };
    matched.then_some(rule)
}

/// A text to look for in others.
///
/// Preparing a search takes time in the length of what is searched for, and most texts do
/// not even hold its beginning. So that is looked for first, and the whole only where the
/// beginning was found.
struct Needle<'a> {
    text: &'a str,
    beginning: Finder<'a>,
}

impl<'a> Needle<'a> {
    fn new(text: &'a str) -> Self {
        let beginning = &text.as_bytes()[..text.len().min(BEGINNING_BYTES)];
        Self { text, beginning: Finder::new(beginning) }
    }

    fn stands_in(&self, haystack: &str) -> bool {
        let haystack = haystack.as_bytes();
        self.beginning.find(haystack).is_some_and(|at| {
            let rest = &haystack[at..];
            rest.starts_with(self.text.as_bytes())
                || memmem::find(rest, self.text.as_bytes()).is_some()
        })
    }
}

fn positions_of_blank(texts: &[Cow<'_, str>]) -> impl Iterator<Item = usize> {
    let blank = |(index, text): (usize, &Cow<'_, str>)| text.is_empty().then_some(index);
    texts.iter().enumerate().filter_map(blank)
}

/// How many texts are the same as another one before them; blank ones do not count.
fn repeated(texts: &[Cow<'_, str>]) -> usize {
    let mut texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    texts.sort_unstable();
    texts.windows(2).filter(|pair| !pair[0].is_empty() && pair[0] == pair[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::passages::input::Passage;
    use crate::retrieval::passages::options::{PassageOptions, Whitespace};

    fn matched_by(
        options: &PassageOptions,
        retrieved: &[&'static str],
        gold: &[&'static str],
    ) -> Matches {
        let passages = |texts: &[&'static str]| -> Vec<Passage<'static>> {
            texts.iter().copied().map(Passage::of_text).collect()
        };
        matches(&Alike::new(&passages(retrieved), &passages(gold), options))
    }

    fn matched(retrieved: &[&'static str], gold: &[&'static str]) -> Matches {
        matched_by(&PassageOptions::default(), retrieved, gold)
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
        let strip = PassageOptions { whitespace: Whitespace::Strip, ..PassageOptions::default() };
        assert_eq!(matched_by(&strip, &["alpha\nbeta"], &["alpha beta"]).matches.len(), 0);
        assert_eq!(matched(&["alpha\nbeta"], &["alpha beta"]).matches.len(), 1);
    }

    /// The beginning of the gold stands three times in the passage, the gold once.
    #[test]
    fn a_beginning_found_too_early_does_not_hide_the_whole() {
        let beginning = "the receiving party shall not in any case ";
        let gold = [beginning, "sublet"].concat();
        let passage = [beginning, "sell; ", beginning, "give; ", &gold, " the flat"].concat();
        let alike = |whole: &str, part: &str| {
            let texts = [whole, part].map(|text| vec![Passage::of_text(text.to_owned())]);
            matches(&Alike::new(&texts[0], &texts[1], &PassageOptions::default())).matches
        };
        assert_eq!(alike(&passage, &gold)[0].rule, Rule::GoldInPassage);
        assert_eq!(alike(&gold, &passage)[0].rule, Rule::PassageInGold);
        assert_eq!(alike(&passage, &[beginning, "lend"].concat()), []);
    }
}
