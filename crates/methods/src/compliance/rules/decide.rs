//! The decision on one part of a requirement: stated, in part, denied, silent or undecided.
//!
//! It depends on this part and the statements of this document, and on nothing else.

use assize_score::float;
use assize_text::word_vectors::dot;
use serde::{Deserialize, Serialize};

use super::consulted::Read;
use super::fit::Fit;
use super::overlap::Overlap;
use super::prepared::PreparedPart;
use super::stance::Stance;
use super::statements::Reading;

/// Words are clear from this share on, where subject and action are named and nothing denies it.
pub(super) const CLEAR_SHARE: f64 = 0.65;

/// A statement with so much of a part denies it if it says the contrary.
pub(super) const CONTRARY_SHARE: f64 = 0.5;

/// Without a reader a statement may be about a part from these on: by the table of word vectors, or
/// by its words.
pub(super) const MAY_BE_ABOUT: f64 = 0.25;
const MAY_SHARE: f64 = 0.3;

/// With a reader a statement is about the same thing as a part from here on, so that it can state or
/// deny it.
pub(super) const ABOUT: f64 = 0.45;

/// The reader's part in a decision: `logit(support) = a + b logit(stated) + c nearness + d logit(denied)`.
/// Fitted by logistic regression on the pairs of `cases/compliance` that are tuned on.
pub(super) const SUPPORT: [f64; 4] = [-1.71, 0.67, 4.92, -0.36];

/// From which support on a part is stated, and below which it is silent. Between them people find as
/// many parts met as absent, so that nothing is decided.
pub(super) const STATED_FROM: f64 = 0.8;
pub(super) const SILENT_BELOW: f64 = 0.4;

/// A statement that is not about the same thing states a part only if the reader is as sure by the
/// statement alone, and a far one never: small models take general sentences for much that they do
/// not speak of.
const SURE_ALONE: f64 = 0.9;
const FAR_BELOW: f64 = 0.3;

/// So sure must a reader be of a denial, and so near the statement.
const DENIED_FROM: f64 = 0.8;
const DENIED_NEAR: f64 = 0.5;

/// Statements that are named where nothing is decided.
const NEAREST: usize = 3;

/// What a document says about a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// A statement says it.
    Stated,
    /// A statement says it in part: with another number, as advice, or not surely.
    InPart,
    /// A statement says the contrary.
    Denied,
    /// No statement is about it.
    Silent,
    /// Statements may be about it, and it cannot be told whether they say it.
    Undecided,
}

/// A statement weighed for a part.
#[derive(Debug, Clone)]
pub(super) struct Weighed {
    pub statement: u32,
    /// How near it is: by the encoder, or by the table of word vectors.
    pub nearness: f64,
    pub overlap: Overlap,
    pub read: Option<Read>,
    /// How far it is shown that it states the part, before how it is meant and its numbers count.
    pub support: f64,
    /// The rule that decided against the reader.
    pub rule: Option<&'static str>,
}

impl Weighed {
    /// What it is worth for the part.
    pub(super) fn worth(&self) -> f64 {
        said(self.support) * self.overlap.stance.worth() * self.overlap.fit.worth()
    }
}

/// What was decided about a part.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    pub decision: Decision,
    /// 0 to 1; nothing where it is undecided.
    pub worth: f64,
    /// The statement that says it, or the contrary.
    pub by: Option<Weighed>,
    /// What comes nearest where nothing is decided.
    pub near: Vec<u32>,
}

/// Decides a part with what a reader says about it.
pub(super) fn with_reader(part: &PreparedPart, document: &Reading<'_>, read: &[Read]) -> Decided {
    let overlaps: Vec<Overlap> =
        read.iter().map(|read| Overlap::new(part, document, read.statement)).collect();
    let has_number = !part.quantities.is_empty();
    // A contradiction counts only from a statement about the same thing, and not where it is one of
    // numbers that rules compare.
    let denied = read
        .iter()
        .zip(&overlaps)
        .filter(|(read, overlap)| {
            read.nearness >= ABOUT && !(has_number && overlap.fit != Fit::Unstated)
        })
        .map(|(read, _)| read.denied())
        .fold(0.05, f64::max);
    let weighed = read.iter().zip(overlaps).map(|(read, overlap)| {
        let (support, rule) = support(read, &overlap, denied);
        Weighed {
            statement: read.statement,
            nearness: read.nearness,
            overlap,
            read: Some(read.clone()),
            support,
            rule,
        }
    });
    let weighed: Vec<Weighed> = weighed.collect();
    let best = best(weighed.iter().filter(|one| one.support >= STATED_FROM));
    if let Some(denying) = weighed.iter().find(|one| denies(part, one, best)) {
        return Decided::denied(denying);
    }
    if let Some(best) = best {
        return Decided::stated(best);
    }
    let mut near: Vec<&Weighed> =
        weighed.iter().filter(|one| one.overlap.stance > Stance::Mentioned).collect();
    near.sort_by(|left, right| right.support.total_cmp(&left.support));
    match near.first() {
        Some(nearest) if nearest.support >= SILENT_BELOW => Decided::undecided(&near),
        nearest => Decided::silent(nearest.copied()),
    }
}

/// Whether a statement denies the part and no other states it. A reader's denial does not count
/// where numbers are compared: they are what rules read.
fn denies(part: &PreparedPart, one: &Weighed, best: Option<&Weighed>) -> bool {
    let is_stated_elsewhere = best.is_some_and(|best| best.statement != one.statement);
    let Overlap { is_contrary, share, stance, .. } = one.overlap;
    let by_rule = is_contrary && share >= CONTRARY_SHARE && stance > Stance::Mentioned;
    let by_reader = one.rule.is_none()
        && part.quantities.is_empty()
        && one.nearness >= DENIED_NEAR
        && one.support < STATED_FROM
        && one.read.as_ref().is_some_and(|read| read.denied() >= DENIED_FROM);
    !is_stated_elsewhere && (by_rule || by_reader)
}

/// How far it is shown that a statement states a part, and the rule that overrode the reader.
fn support(read: &Read, overlap: &Overlap, denied: f64) -> (f64, Option<&'static str>) {
    let [a, b, c, d] = SUPPORT;
    let by_reader = logistic(a + b * logit(read.stated()) + c * read.nearness + d * logit(denied));
    if overlap.is_contrary && overlap.share >= CONTRARY_SHARE {
        return (0.0, Some("it denies what the part asks for, or asks for what the part denies"));
    }
    if is_clear(overlap) && read.denied() < DENIED_FROM && by_reader < STATED_FROM {
        return (
            STATED_FROM,
            Some("it has the words of subject and action, and nothing denies it"),
        );
    }
    let is_sure = f64::from(read.shares[0].stated) >= SURE_ALONE && read.nearness >= FAR_BELOW;
    if by_reader >= STATED_FROM && read.nearness < ABOUT && !is_sure {
        return (STATED_FROM.next_down(), Some("it is too far from what the part is about"));
    }
    (by_reader, None)
}

/// Decides a part by words alone: only what is clear.
pub(super) fn by_words(part: &PreparedPart, document: &Reading<'_>) -> Decided {
    let weighed = candidates(part, document);
    if let Some(best) = best(weighed.iter().filter(|one| is_clear(&one.overlap))) {
        return Decided::stated(best);
    }
    let denying = weighed.iter().find(|one| {
        let Overlap { is_contrary, share, names_both, stance, .. } = one.overlap;
        is_contrary && names_both && share >= CLEAR_SHARE && stance > Stance::Mentioned
    });
    if let Some(denying) = denying {
        return Decided::denied(denying);
    }
    let mut near: Vec<&Weighed> = weighed
        .iter()
        .filter(|one| one.overlap.stance > Stance::Mentioned)
        // A statement of one word that means something is about nothing: "To be written."
        .filter(|one| document.statements[one.statement as usize].said.words.len() > 1)
        .filter(|one| one.nearness >= MAY_BE_ABOUT || one.overlap.share >= MAY_SHARE)
        .collect();
    let score = |one: &Weighed| one.nearness + one.overlap.share;
    near.sort_by(|left, right| score(right).total_cmp(&score(left)));
    if near.is_empty() {
        return Decided::silent(best_near(&weighed));
    }
    Decided::undecided(&near)
}

/// Whether the words of a statement say a part beyond doubt: the number may still be another.
fn is_clear(overlap: &Overlap) -> bool {
    overlap.share >= CLEAR_SHARE
        && overlap.names_both
        && !overlap.is_contrary
        && overlap.stance > Stance::Mentioned
}

/// The statements that share a word with a part or point where it points.
fn candidates(part: &PreparedPart, document: &Reading<'_>) -> Vec<Weighed> {
    let mut chosen: Vec<u32> = part
        .words
        .iter()
        .filter_map(|word| document.places.get(&word.stem))
        .flatten()
        .copied()
        .collect();
    let nearness: Vec<f64> = document
        .directions
        .iter()
        .map(|direction| f64::from(dot(direction, &part.direction)))
        .collect();
    chosen.extend((0..).zip(&nearness).filter(|(_, near)| **near >= MAY_BE_ABOUT).map(|one| one.0));
    chosen.sort_unstable();
    chosen.dedup();
    let weigh = |statement: u32| Weighed {
        statement,
        nearness: nearness[statement as usize],
        overlap: Overlap::new(part, document, statement),
        read: None,
        support: 1.0,
        rule: None,
    };
    chosen.into_iter().map(weigh).collect()
}

/// The statement that is worth most; of two alike, the first.
fn best<'w>(mut weighed: impl Iterator<Item = &'w Weighed>) -> Option<&'w Weighed> {
    let better = |left: &&Weighed, right: &&Weighed| {
        left.worth().total_cmp(&right.worth()).then(right.statement.cmp(&left.statement))
    };
    weighed.by_ref().max_by(better)
}

fn best_near(weighed: &[Weighed]) -> Option<&Weighed> {
    weighed.iter().max_by(|left, right| left.nearness.total_cmp(&right.nearness))
}

impl Decided {
    fn stated(best: &Weighed) -> Self {
        let worth = best.worth();
        let is_whole = worth >= said(STATED_FROM);
        let decision = if is_whole { Decision::Stated } else { Decision::InPart };
        Self { decision, worth, by: Some(best.clone()), near: Vec::new() }
    }

    /// With the statements that come nearest.
    fn undecided(near: &[&Weighed]) -> Self {
        let near = near.iter().take(NEAREST).map(|one| one.statement).collect();
        Self { decision: Decision::Undecided, worth: 0.0, by: None, near }
    }

    fn denied(by: &Weighed) -> Self {
        Self { decision: Decision::Denied, worth: 0.0, by: Some(by.clone()), near: Vec::new() }
    }

    fn silent(nearest: Option<&Weighed>) -> Self {
        let near = nearest.map(|one| one.statement).into_iter().collect();
        let worth = nearest.map_or(0.0, |one| SILENT_MOST * one.support.min(SILENT_BELOW));
        Self { decision: Decision::Silent, worth, by: None, near }
    }
}

/// What a part that nothing is about is worth at most, by how near a statement comes.
pub(super) const SILENT_MOST: f64 = 0.2;

/// What the support of a part that is stated is worth: 0.81 to 1.
pub(super) fn said(support: f64) -> f64 {
    0.81 + 0.19 * (support - STATED_FROM).max(0.0) / (1.0 - STATED_FROM)
}

/// Shares are kept this far from 0 and 1, where models are surer than they are right.
const SHARE_MIN: f64 = 0.005;

fn logit(share: f64) -> f64 {
    let share = share.clamp(SHARE_MIN, 1.0 - SHARE_MIN);
    float::ln(share / (1.0 - share))
}

fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + float::exp(-value))
}
