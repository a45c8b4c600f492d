//! How the summary speaks: slurs, swearing, insults and loaded words, as whole words.
//!
//! A lexicon finds words, not meanings. Stereotypes are beyond it, and nothing here
//! claims to have looked for them.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::judge::Case;
use super::vocabulary::Word;
use crate::summary::evidence::{BiasToxicityEvidence, Issue};
use crate::summary::labels::{IssueKind, Tone};

/// The lexicon as it is written down: a word and its kind on each line.
const WRITTEN: &str = include_str!("../../../data/wording.txt");

/// What a word is, where it should not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wording {
    Slur,
    Profanity,
    Insult,
    Loaded,
}

impl Wording {
    fn of_name(name: &str) -> Option<Self> {
        match name {
            "slur" => Some(Self::Slur),
            "profanity" => Some(Self::Profanity),
            "insult" => Some(Self::Insult),
            "loaded" => Some(Self::Loaded),
            _ => None,
        }
    }

    fn issue(self) -> IssueKind {
        match self {
            Self::Slur => IssueKind::StrongSlur,
            Self::Profanity => IssueKind::MildProfanity,
            Self::Insult | Self::Loaded => IssueKind::BiasedWording,
        }
    }
}

/// The lexicon by word.
static WORDINGS: LazyLock<HashMap<&'static str, Wording, FixedState>> = LazyLock::new(|| {
    WRITTEN
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(word, kind)| Some((word, Wording::of_name(kind)?)))
        .collect()
});

/// The tone of a summary and its wordings that should not be there.
pub(super) fn evidence(case: &Case) -> BiasToxicityEvidence {
    if !case.vocabulary.is_english() {
        return BiasToxicityEvidence { tone: Tone::Unclear, issues: Vec::new() };
    }
    let mut issues = Vec::new();
    let mut attacks = 0;
    let mut takes_sides = false;
    for word in &case.summary.words {
        let Some(wording) = wording(&case.summary.text[word.bytes()]) else { continue };
        let issue = issue(case, *word, wording);
        if issue.is_asserted() {
            attacks += match wording {
                Wording::Slur => 2,
                Wording::Profanity | Wording::Insult => 1,
                Wording::Loaded => 0,
            };
            takes_sides = true;
        }
        issues.push(issue);
    }
    let tone = match (attacks, takes_sides) {
        (2.., _) => Tone::Hostile,
        (_, true) => Tone::Subjective,
        _ => Tone::Neutral,
    };
    BiasToxicityEvidence { tone, issues }
}

fn issue(case: &Case, word: Word, wording: Wording) -> Issue {
    let in_article = case.index.positions_of(word.stem).first().map(|place| {
        let quoted = case.article.words[*place as usize];
        case.from_article.quote(quoted.bytes())
    });
    Issue { kind: wording.issue(), in_summary: case.from_summary.quote(word.bytes()), in_article }
}

/// What a word is, in any case, alone or in the plural.
fn wording(text: &str) -> Option<Wording> {
    let lower = text.to_ascii_lowercase();
    let find = |word: &str| WORDINGS.get(word).copied();
    find(&lower)
        .or_else(|| find(lower.strip_suffix('s')?))
        .or_else(|| find(lower.strip_suffix("es")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_lexicon_is_read() {
        let lines = WRITTEN.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(WORDINGS.len(), lines);
    }

    #[test]
    fn words_are_compared_whole_in_any_case_and_number() {
        assert_eq!(wording("Bastards"), Some(Wording::Profanity));
        assert_eq!(wording("BITCHES"), Some(Wording::Profanity));
        assert_eq!(wording("assess"), None);
        assert_eq!(wording("Scunthorpe"), None);
    }
}
