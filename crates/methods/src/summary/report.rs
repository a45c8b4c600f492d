//! What both frameworks print alike: a score with its caps, or the reason for none.

use std::borrow::Cow;

use assize_score::cap::AppliedCap;
use assize_score::{CapState, Explained, How};
use serde::Serialize;

use super::evidence::Segment;
use super::labels::Overlap;
use super::metrics::{Scored, Unscored};
use super::refusal::Refusal;

/// A whole scorecard, or the refusal that takes its place: `{"error":"<reason>"}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Scorecard<R> {
    /// The five metric objects.
    Scored(Box<R>),
    /// One field: why there is none.
    Refused(Refusal),
}

impl<R> From<Result<R, Refusal>> for Scorecard<R> {
    fn from(result: Result<R, Refusal>) -> Self {
        match result {
            Ok(report) => Self::Scored(Box::new(report)),
            Err(refusal) => Self::Refused(refusal),
        }
    }
}

/// The end of every metric object: the score, and what held it down.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// The score; `null` when there is none, which is not zero.
    pub overall_score: Option<f64>,
    /// Why there is no score; left out when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<&'static str>,
    /// Every cap that was considered, in the order in which they were.
    pub caps: Vec<CapLine>,
}

/// A cap that was considered, on which number, and what it did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CapLine {
    /// The number it was put on: the metric, or one of its two part scores.
    pub on: String,
    /// The highest value it allows.
    pub at_most: f64,
    /// Why.
    pub because: String,
    /// What it did.
    pub state: CapState,
    /// The number before the caps that were considered together with this one.
    pub before: f64,
    /// The number after them.
    pub after: f64,
}

impl Overall {
    /// The end of a metric object.
    pub fn of(scored: &Scored<Explained>) -> Self {
        match scored {
            Ok(explained) => Self {
                overall_score: Some(explained.value),
                unscored: None,
                caps: caps_of(explained),
            },
            Err(Unscored(because)) => {
                Self { overall_score: None, unscored: Some(because), caps: Vec::new() }
            }
        }
    }
}

/// Every cap in the workings of a score, the innermost first.
pub fn caps_of(explained: &Explained) -> Vec<CapLine> {
    let mut lines = Vec::new();
    collect(explained, &mut lines);
    lines
}

fn collect(explained: &Explained, lines: &mut Vec<CapLine>) {
    match &explained.how {
        How::Given => {}
        How::Computed { inputs, .. } => inputs.iter().for_each(|input| collect(input, lines)),
        How::Rounded { before, .. } => collect(before, lines),
        How::Capped { caps, before } => {
            collect(before, lines);
            lines.extend(caps.iter().map(|cap| line(cap, explained, before)));
        }
    }
}

fn line(cap: &AppliedCap, after: &Explained, before: &Explained) -> CapLine {
    CapLine {
        on: Cow::clone(&after.name).into_owned(),
        at_most: cap.at_most,
        because: Cow::clone(&cap.because).into_owned(),
        state: cap.state,
        before: before.value,
        after: after.value,
    }
}

/// A segment with the label that follows from its overlap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentLine<'a> {
    /// The segment as the judge gave it.
    #[serde(flatten)]
    pub segment: &'a Segment,
    /// High, some or none.
    pub label: Overlap,
}

impl<'a> From<&'a Segment> for SegmentLine<'a> {
    fn from(segment: &'a Segment) -> Self {
        Self { segment, label: segment.label() }
    }
}
