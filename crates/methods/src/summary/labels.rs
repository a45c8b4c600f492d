//! What a judge may say: closed sets of labels, and what each is worth.
//!
//! Every set is declared from the worst label to the best, so that labels can be
//! compared. Where a label stands for a number, the bands are here and nowhere else.

use assize_score::Bands;
use serde::{Deserialize, Serialize};

/// How much of a key point the summary says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Left out, or less than a quarter of it said.
    Not,
    /// A quarter to three quarters, both edges included.
    Partial,
    /// More than three quarters.
    Fully,
}

impl Coverage {
    /// The label of a covered share, 0 to 1.
    ///
    /// ```
    /// use assize_methods::summary::labels::Coverage;
    /// assert_eq!(Coverage::of_share(0.75), Coverage::Partial);
    /// assert_eq!(Coverage::of_share(0.7501), Coverage::Fully);
    /// ```
    pub fn of_share(share: f64) -> Self {
        *Bands::starting(Self::Not).from(0.25, Self::Partial).above(0.75, Self::Fully).label(share)
    }

    /// What the label adds to recall.
    pub fn worth(self) -> f64 {
        match self {
            Self::Not => 0.0,
            Self::Partial => 0.5,
            Self::Fully => 1.0,
        }
    }
}

/// How well the article backs a claim of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// Not in the article: an extraneous claim, a hallucination.
    Unsupported,
    /// Ambiguous, or in part; lowers the score but triggers no cap.
    Partial,
    /// Fully backed.
    Supported,
}

impl Support {
    /// What the label adds to the unsupported fraction.
    pub(crate) fn unsupported_share(self) -> f64 {
        match self {
            Self::Unsupported => 1.0,
            Self::Partial => 0.5,
            Self::Supported => 0.0,
        }
    }
}

/// How sure a judge is of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The words alone do not decide; the label is the likelier one.
    Low,
    /// Decided.
    High,
}

/// How a summary is put together, which tells what its faults look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Regime {
    /// In words of its own: it errs by adding facts.
    Abstractive,
    /// Between the two.
    Mixed,
    /// Copied together: it errs by splicing pieces that do not belong together.
    Extractive,
}

/// How much of a segment's wording its counterpart in the article shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// Below 0.3.
    None,
    /// From 0.3 on.
    Some,
    /// From 0.8 on.
    High,
}

impl Overlap {
    /// The label of a Jaccard overlap, 0 to 1.
    ///
    /// ```
    /// use assize_methods::summary::labels::Overlap;
    /// assert_eq!(Overlap::of_jaccard(0.795), Overlap::Some);
    /// assert_eq!(Overlap::of_jaccard(0.8), Overlap::High);
    /// ```
    pub fn of_jaccard(jaccard: f64) -> Self {
        *Bands::starting(Self::None).from(0.3, Self::Some).from(0.8, Self::High).label(jaccard)
    }
}

/// Whether a question was answered as its source answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// None that rules can read from the other text; a model that finds none is wrong.
    Unanswered,
    /// Another answer, or none.
    Wrong,
    /// Right in part.
    Partial,
    /// The gold answer.
    Correct,
}

impl Answer {
    /// What the answer adds to the mean over the questions.
    pub fn worth(self) -> f64 {
        match self {
            Self::Unanswered | Self::Wrong => 0.0,
            Self::Partial => 0.5,
            Self::Correct => 1.0,
        }
    }
}

/// How bad the hallucination of a summary is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Half or more of what is claimed has no support.
    Severe,
    /// A quarter or more.
    Moderate,
    /// Less than a quarter.
    Minor,
}

impl Severity {
    /// The severity of an unsupported fraction, 0 to 1.
    pub(crate) fn of_fraction(fraction: f64) -> Self {
        let bands = Bands::starting(Self::Minor).from(0.25, Self::Moderate).from(0.5, Self::Severe);
        *bands.label(fraction)
    }
}

/// In what the summary drifts away from the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviationKind {
    /// It says something else.
    Meaning,
    /// It feels something else.
    Sentiment,
    /// It weighs or frames things in another way.
    Focus,
}

/// How far the summary drifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drift {
    /// The reader is misled.
    Severe,
    /// The reader would notice on a second look.
    Mild,
}

/// How a text speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// It attacks.
    Hostile,
    /// It takes sides.
    Subjective,
    /// Nothing is known; not a fault of the summary.
    Unclear,
    /// It reports.
    Neutral,
}

/// What may be wrong with a wording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// A word that degrades a group of people.
    StrongSlur,
    /// A group of people described by a prejudice.
    Stereotype,
    /// Swearing.
    MildProfanity,
    /// A loaded word where a plain one would do.
    BiasedWording,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_covered_is_partial_and_anything_less_is_not() {
        assert_eq!(Coverage::of_share(0.25), Coverage::Partial);
        assert_eq!(Coverage::of_share(0.2499), Coverage::Not);
    }

    #[test]
    fn overlap_starts_at_three_tenths() {
        assert_eq!(Overlap::of_jaccard(0.3), Overlap::Some);
        assert_eq!(Overlap::of_jaccard(0.2999), Overlap::None);
        assert_eq!(Overlap::of_jaccard(1.0), Overlap::High);
    }

    #[test]
    fn severity_edges_belong_to_the_worse_label() {
        assert_eq!(Severity::of_fraction(0.2499), Severity::Minor);
        assert_eq!(Severity::of_fraction(0.25), Severity::Moderate);
        assert_eq!(Severity::of_fraction(0.4999), Severity::Moderate);
        assert_eq!(Severity::of_fraction(0.5), Severity::Severe);
    }

    #[test]
    fn a_better_label_compares_greater() {
        assert!(Coverage::Fully > Coverage::Partial && Coverage::Partial > Coverage::Not);
        assert!(Support::Supported > Support::Unsupported);
        assert!(Answer::Correct > Answer::Wrong);
    }
}
