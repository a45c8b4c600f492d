//! How the summary speaks: slurs, swearing, insults, loaded words and stereotypes.
//!
//! A lexicon finds words, not meanings. What is quoted is not asserted: words between
//! quotation marks, and words that the article has too. A name is no slur.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::judge::Case;
use super::stereotypes::{is_listed, stereotypes};
use crate::summary::evidence::{BiasToxicityEvidence, Issue};
use crate::summary::labels::{IssueKind, Tone};

/// The lexicon as it is written down: a word, or a few, and their kind on each line.
const WRITTEN: &str = include_str!("../../../data/wording.txt");
/// A word is aimed at people that stand so close to it.
const AIM_REACH: usize = 3;
/// The longest wording of the lexicon, in words.
const WORDING_WORDS_MAX: usize = 5;

/// What a wording is, where it should not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wording {
    Slur,
    Profanity,
    Insult,
    Loaded,
    /// Unfair only where it is said of people.
    Aimed,
    Stereotype,
}

impl Wording {
    fn of_name(name: &str) -> Option<Self> {
        match name {
            "slur" => Some(Self::Slur),
            "profanity" => Some(Self::Profanity),
            "insult" => Some(Self::Insult),
            "loaded" => Some(Self::Loaded),
            "aimed" => Some(Self::Aimed),
            "stereotype" => Some(Self::Stereotype),
            _ => None,
        }
    }

    fn issue(self) -> IssueKind {
        match self {
            Self::Slur => IssueKind::StrongSlur,
            Self::Profanity => IssueKind::MildProfanity,
            Self::Stereotype => IssueKind::Stereotype,
            Self::Insult | Self::Loaded | Self::Aimed => IssueKind::BiasedWording,
        }
    }

    /// How much it attacks somebody; two attacks make a hostile tone.
    fn attack(self) -> usize {
        match self {
            Self::Slur => 2,
            Self::Profanity | Self::Insult | Self::Aimed | Self::Stereotype => 1,
            Self::Loaded => 0,
        }
    }
}

/// The lexicon by wording.
static WORDINGS: LazyLock<HashMap<&'static str, Wording, FixedState>> = LazyLock::new(|| {
    WRITTEN
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(word, kind)| Some((word, Wording::of_name(kind)?)))
        .collect()
});

/// Endings of words for people: `banker`, `activist`.
const PEOPLE_ENDINGS: &[&str] =
    &["ers", "er", "ors", "or", "ists", "ist", "ians", "ian", "men", "man", "ants", "ant"];

/// The tone of a summary and its wordings that should not be there, and the positions of the words
/// at which a prejudice begins that the article does not have.
pub(super) fn evidence(case: &Case) -> (BiasToxicityEvidence, Vec<usize>) {
    let mut invented = Vec::new();
    if !case.vocabulary.is_english() {
        return (BiasToxicityEvidence { tone: Tone::Unclear, issues: Vec::new() }, invented);
    }
    let lower: Vec<String> = (0..case.summary.words.len()).map(|at| spoken(case, at)).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let mut found = wordings(&words);
    found.extend(stereotypes(&words).into_iter().map(|range| (range, Wording::Stereotype)));
    found.sort_by_key(|(range, _)| range.start);
    let quoted = quoted(case.summary.text);
    let mut issues = Vec::new();
    let (mut attacks, mut takes_sides) = (0, false);
    for (range, wording) in found {
        let start = case.summary.words[range.start].bytes().start;
        let is_quoted = quoted.iter().any(|quote| quote.contains(&start));
        let misses = wording == Wording::Aimed && !is_aimed(case, &words, &range);
        if is_quoted || is_name(case, &range) || misses {
            continue;
        }
        let issue = issue(case, &range, wording);
        if issue.is_asserted() {
            attacks += wording.attack();
            takes_sides = true;
            if wording == Wording::Stereotype {
                invented.push(range.start);
            }
        }
        issues.push(issue);
    }
    let tone = match (attacks, takes_sides) {
        (2.., _) => Tone::Hostile,
        (_, true) => Tone::Subjective,
        _ => Tone::Neutral,
    };
    (BiasToxicityEvidence { tone, issues }, invented)
}

/// A word of the summary in small letters; a contraction gives its two words.
fn spoken(case: &Case, at: usize) -> String {
    let word = case.summary.words[at];
    let stem = case.vocabulary.text(word.stem);
    let is_before_not = case.summary.words.get(at + 1).is_some_and(|next| next.start == word.start);
    if stem == "not" || is_before_not {
        return stem.to_owned();
    }
    case.summary.text[word.bytes()].to_lowercase()
}

/// A stretch of the summary's words.
type Stretch = std::ops::Range<usize>;

/// Every wording of the lexicon, the longest at each place.
fn wordings(words: &[&str]) -> Vec<(Stretch, Wording)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (2..=WORDING_WORDS_MAX.min(words.len() - at)).rev().find_map(|length| {
            let wording = WORDINGS.get(words[at..at + length].join(" ").as_str())?;
            Some((at..at + length, *wording))
        });
        match longest.or_else(|| wording(words[at]).map(|wording| (at..at + 1, wording))) {
            Some((range, wording)) => {
                at = range.end;
                found.push((range, wording));
            }
            None => at += 1,
        }
    }
    found
}

/// What a lowercase word is, alone or in the plural.
fn wording(lower: &str) -> Option<Wording> {
    let find = |word: &str| WORDINGS.get(word).copied();
    find(lower).or_else(|| find(lower.strip_suffix('s')?)).or_else(|| {
        find(lower.strip_suffix("es").filter(|one| one.ends_with(['s', 'x', 'z', 'h']))?)
    })
}

/// The bytes between quotation marks.
fn quoted(text: &str) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, mark) in text.char_indices() {
        match (open, mark) {
            (None, '"' | '“' | '„' | '«') => open = Some((at, mark)),
            (Some((start, '"')), '"')
            | (Some((start, '“' | '„')), '”' | '“')
            | (Some((start, '«')), '»') => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// Whether a single word with a capital within a sentence: Frank Dyke is nobody's slur.
fn is_name(case: &Case, range: &Stretch) -> bool {
    range.len() == 1
        && case.summary.words[range.start].capital
        && case.summary.follows_in_sentence(range.start)
}

/// Whether people stand near a wording: by their name, a pronoun, or what they do.
fn is_aimed(case: &Case, words: &[&str], range: &Stretch) -> bool {
    let from = range.start.saturating_sub(AIM_REACH);
    let to = (range.end + AIM_REACH).min(words.len());
    (from..to).filter(|at| !range.contains(at)).any(|at| {
        let word = words[at];
        let is_name = case.summary.words[at].capital && case.summary.follows_in_sentence(at);
        let by_ending = |ending: &&str| word.len() > ending.len() + 2 && word.ends_with(*ending);
        is_name
            || is_listed("person", word)
            || word.strip_suffix('s').is_some_and(|one| is_listed("person", one))
            || PEOPLE_ENDINGS.iter().any(by_ending) && !is_listed("no_person", word)
    })
}

fn issue(case: &Case, range: &Stretch, wording: Wording) -> Issue {
    let words = &case.summary.words[range.clone()];
    let (first, last) = (words[0].bytes().start, words[words.len() - 1].bytes().end);
    // The article has all of these words: then it may well be the one that speaks.
    let is_in_article = words.iter().all(|word| case.index.holds(word.stem));
    let in_article = case
        .index
        .positions_of(words[0].stem)
        .first()
        .filter(|_| is_in_article)
        .map(|place| case.from_article.quote(case.article.words[*place as usize].bytes()));
    let in_summary = case.from_summary.quote(first..last);
    Issue { kind: wording.issue(), in_summary, in_article }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_lexicon_is_read() {
        let lines = WRITTEN.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(WORDINGS.len(), lines);
        let longest = WORDINGS.keys().map(|wording| wording.split(' ').count()).max();
        assert!(longest <= Some(WORDING_WORDS_MAX));
    }

    #[test]
    fn words_are_compared_whole_in_any_number() {
        assert_eq!(wording("bastards"), Some(Wording::Profanity));
        assert_eq!(wording("bitches"), Some(Wording::Slur));
        assert_eq!(wording("assess"), None);
        assert_eq!(wording("scunthorpe"), None);
    }
}
