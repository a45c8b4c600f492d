//! The judge of claims: from a claim and the article's windows to a label, how sure it
//! is, and why.
//!
//! Another judge can stand in the place of [`rule`]: it sees what this one sees, and all
//! that comes after it only reads the [`Ruling`].

use super::contradiction::Contradiction;
use super::doubts::Doubt;
use super::read::Read;
use super::reading::{Reading, Sentence};
use super::regime::Extract;
use super::statement::{Sources, Statement};
use super::vocabulary::Stem;
use super::windows::Windows;
use crate::summary::labels::{Confidence, Support};

/// A statement is supported from this share copied on …
const COPIED_FROM: f64 = 0.95;
/// … if this share of it stands in the same order in one sentence of the article.
const ORDERED_MIN: f64 = 0.85;
/// In an extractive summary, a statement with less than this share copied is spliced.
const SPLICED_BELOW: f64 = 0.7;
/// A statement of which the article holds less than this is about something else.
const FOREIGN_BELOW: f64 = 0.2;
/// A fact is supported if this share of its content is found, weighted by rarity. With
/// less it is not decided: a new word alone is no invention.
const FACT_FROM: f64 = 0.6;
/// Of a fact's content, so much must stand in the windows; the rest anywhere.
const WINDOWS_SHARE: f64 = 0.2;
/// A fact of which so much is found word for word is decided.
const DECIDED_FROM: f64 = 0.95;
/// The support that is left to a statement that is denied, at most.
const DENIED_SUPPORT: f64 = 0.3;

/// What is judged.
pub(super) enum Claim<'a> {
    /// A statement as a whole: is it put together as the article puts it?
    Statement(&'a Statement),
    /// One of its facts: does the article have it?
    Fact(&'a Statement, &'a Sentence),
}

/// The label of a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ruling {
    /// Supported, in part, or not.
    pub support: Support,
    /// Low where the words alone do not decide.
    pub confidence: Confidence,
    /// The support without bands, 0 to 1.
    pub soft: f64,
    /// Why.
    pub why: Why,
}

/// Why a claim got its label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Why {
    /// The article says so.
    Found,
    /// The article says something else in its place.
    Contradicted(Contradiction),
    /// A word of it speaks against it.
    Doubted(Doubt),
    /// It is told in words of its own.
    OwnWords,
    /// It is put together from pieces of the article that do not belong together.
    Spliced,
    /// A reader said so, or left it open.
    Read,
    /// So much of it is found.
    Share(f64),
}

/// Judges a claim by the windows of the article.
pub(super) fn rule(
    claim: &Claim,
    evidence: &Windows,
    summary: &Reading,
    extract: Extract,
    sources: &Sources,
) -> Ruling {
    match claim {
        Claim::Statement(statement) => rule_statement(statement, extract),
        Claim::Fact(statement, fact) => {
            if let Some(contradiction) = statement.contradiction_of(fact) {
                return denied(Why::Contradicted(contradiction), 0.0);
            }
            let is_left = |doubt: &Doubt| statement.read.is_some() && *doubt == Doubt::Opposite;
            let strong =
                statement.doubts_about(fact).find(|doubt| doubt.is_strong() && !is_left(doubt));
            if let Some(doubt) = strong {
                return denied(Why::Doubted(doubt), 0.0);
            }
            if let Some(read) = statement.read.as_ref().filter(|read| read.is_stated()) {
                return rule_read(read, 1.0);
            }
            let is_denied = statement.read.as_ref().is_some_and(Read::is_denied);
            let weak = statement.doubts_about(fact).next();
            let ruling = rule_fact(&Content::of(summary, fact, evidence, sources), weak);
            if is_denied && ruling.support == Support::Supported {
                return Ruling { support: Support::Partial, confidence: Confidence::Low, ..ruling };
            }
            ruling
        }
    }
}

fn rule_statement(statement: &Statement, extract: Extract) -> Ruling {
    let measures = &statement.measures;
    let (copied, soft) = (measures.copied(), measures.soft());
    if let Some((contradiction, _)) = statement.contradiction {
        return denied(Why::Contradicted(contradiction), soft);
    }
    let decisive = statement.doubts.iter().find(|found| found.doubt.is_decisive());
    if let Some(found) = decisive.filter(|_| statement.read.is_none()) {
        return denied(Why::Doubted(found.doubt), soft);
    }
    let soft = if statement.doubts.iter().any(|found| found.doubt.is_strong()) {
        soft.min(DENIED_SUPPORT)
    } else {
        soft
    };
    if copied >= COPIED_FROM && measures.ordered >= ORDERED_MIN {
        let (support, confidence) = (Support::Supported, Confidence::High);
        Ruling { support, confidence, soft, why: Why::Found }
    } else if let Some(read) = &statement.read {
        rule_read(read, soft)
    } else if measures.held < FOREIGN_BELOW {
        let (support, confidence) = (Support::Unsupported, Confidence::Low);
        Ruling { support, confidence, soft, why: Why::Share(measures.held) }
    } else if copied >= SPLICED_BELOW * extract.share() {
        let (support, confidence) = (Support::Partial, Confidence::Low);
        Ruling { support, confidence, soft, why: Why::OwnWords }
    } else {
        let (support, confidence) = (Support::Unsupported, Confidence::Low);
        Ruling { support, confidence, soft, why: Why::Spliced }
    }
}

/// What the reader says; what it leaves open counts in part only if something in the article is
/// about it.
fn rule_read(read: &Read, soft: f64) -> Ruling {
    let label = |support, confidence, soft| Ruling { support, confidence, soft, why: Why::Read };
    if read.is_stated() {
        label(Support::Supported, Confidence::High, soft.max(f64::from(read.shares.stated)))
    } else if read.is_denied() {
        label(Support::Unsupported, Confidence::High, soft.min(DENIED_SUPPORT))
    } else if read.is_about() {
        label(Support::Partial, Confidence::Low, soft)
    } else {
        label(Support::Unsupported, Confidence::Low, soft)
    }
}

fn rule_fact(content: &Content, weak: Option<Doubt>) -> Ruling {
    let found = WINDOWS_SHARE * content.in_windows + (1.0 - WINDOWS_SHARE) * content.in_article;
    let label = |support, confidence, why| Ruling { support, confidence, soft: found, why };
    match weak {
        Some(doubt) => label(Support::Partial, Confidence::Low, Why::Doubted(doubt)),
        None if found < FACT_FROM => {
            label(Support::Partial, Confidence::Low, Why::Share(content.literally))
        }
        None if content.literally >= DECIDED_FROM => {
            label(Support::Supported, Confidence::High, Why::Found)
        }
        None => label(Support::Supported, Confidence::Low, Why::OwnWords),
    }
}

fn denied(why: Why, soft: f64) -> Ruling {
    let (support, confidence) = (Support::Unsupported, Confidence::High);
    Ruling { support, confidence, soft: soft.min(DENIED_SUPPORT), why }
}

/// How much of a fact's content is found, weighted by rarity.
struct Content {
    /// In the windows, in these or like words.
    in_windows: f64,
    /// In the article, in these or like words.
    in_article: f64,
    /// In the article, in these words.
    literally: f64,
}

impl Content {
    fn of(summary: &Reading, fact: &Sentence, windows: &Windows, sources: &Sources) -> Self {
        let Sources { index, vocabulary, meanings, article_meaning, .. } = sources;
        let is_counted =
            |stem: &Stem| vocabulary.is_content(*stem) || vocabulary.kind(*stem).is_negation;
        let stems: Vec<Stem> = summary.stems_of(fact).filter(is_counted).collect();
        let all: f64 = stems.iter().map(|stem| index.rarity(*stem)).sum();
        if all == 0.0 {
            return Self { in_windows: 1.0, in_article: 1.0, literally: 1.0 };
        }
        let share = |is_found: &dyn Fn(Stem) -> bool| {
            let found = stems.iter().filter(|stem| is_found(**stem));
            // A sum of nothing is -0, which nobody wants to read.
            found.map(|stem| index.rarity(*stem)).fold(0.0, |sum, rarity| sum + rarity) / all
        };
        // A number that is nowhere to be found is a doubt by itself.
        let is_number = |stem| vocabulary.kind(stem).is_number;
        Self {
            in_windows: share(&|stem| {
                is_number(stem) || windows.holds(stem) || windows.meaning.has_like(stem, meanings)
            }),
            in_article: share(&|stem| {
                is_number(stem) || index.holds(stem) || article_meaning.has_like(stem, meanings)
            }),
            literally: share(&|stem| is_number(stem) || index.holds(stem)),
        }
    }
}
