//! What a reviewer said, as it was read.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::dimension::{ByDimension, Dimension};
use super::label::label;

/// A reviewer's reply, read. Answers are known by their seat: 0 is Response A.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ballot {
    /// How many answers were shown.
    #[serde(deserialize_with = "super::limits::seats")]
    pub seats: usize,
    /// What was said of each answer; at most one for each seat, by seat.
    pub reviews: Vec<Review>,
    /// The ranking that the reviewer wrote down: groups of seats, best first; ties share a
    /// group. It counts for nothing, and is compared with the marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated_ranking: Vec<Vec<usize>>,
    /// What had to be put right before the reply could be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// Whether the reply breaks off; only complete reviews are kept.
    #[serde(default)]
    pub truncated: bool,
    /// The scale that the reviewer declared, if it is not 1 to 10: lowest and highest mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<(f64, f64)>,
    /// Whether the reply holds another complete ballot that says something else: nobody knows
    /// which one is meant, so neither counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contradicted: bool,
}

/// Why a ballot with a rival in the same reply does not count.
pub(super) const CONTRADICTED: &str =
    "the reply holds two complete ballots that contradict each other";

/// What a reviewer said of one answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// Which answer: 0 is Response A.
    pub seat: usize,
    /// The marks, 1 to 10.
    #[serde(default)]
    pub marks: ByDimension<Mark>,
    /// The overall score the reviewer wrote down. It counts only where there are no marks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Mark>,
    /// Whether the answer rightly declines; completeness is then not applicable.
    #[serde(default)]
    pub appropriate_refusal: bool,
    /// Its vote, where there is a jury.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vote: Option<bool>,
    /// What the reviewer wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// What stood where a mark should be and is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// Where it says two things at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
}

/// Two things said of one answer where only one can be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    /// About what.
    pub about: About,
    /// Both, in words.
    pub said: String,
}

/// What a review can contradict itself about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// The answer: it is reviewed twice.
    Answer,
    /// The mark of a dimension.
    Dimension(Dimension),
    /// The vote.
    Vote,
    /// The overall score, which is harmless beside marks, since the marks count.
    Overall,
}

/// A mark from 1 to 10.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The mark.
    pub value: f64,
    /// How it was written, where it was not simply a number: `9/10`, `nine`, `90%`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coerced_from: Option<String>,
}

/// Something that stood where a mark should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// The dimension, or `None` for the overall score.
    pub dimension: Option<Dimension>,
    /// What stood there.
    pub said: String,
}

/// What a review rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Marks on the dimensions.
    Rubric,
    /// One score for the whole.
    Holistic,
}

impl Mark {
    /// A mark that was written as a number.
    pub fn plain(value: f64) -> Self {
        Self { value, coerced_from: None }
    }
}

impl Review {
    /// The mark of a dimension.
    pub fn mark(&self, dimension: Dimension) -> Option<f64> {
        self.marks.get(&dimension).map(|mark| mark.value)
    }

    /// Why nothing in it can be believed: it says two things at once.
    pub fn contradiction(&self) -> Option<String> {
        let matters = |said: &&Contradiction| said.about != About::Overall || self.marks.is_empty();
        let found = self.contradictions.iter().find(matters)?;
        let about = match found.about {
            About::Answer => "the answer",
            About::Dimension(dimension) => dimension.name(),
            About::Vote => "its vote",
            About::Overall => "the overall score",
        };
        Some(format!("it says two things about {about}: {}", found.said))
    }

    /// Whether it says something that counts: one thing, and accuracy where there are marks.
    pub(super) fn counts(&self) -> bool {
        if self.contradiction().is_some() {
            return false;
        }
        match self.basis() {
            Some(Basis::Rubric) => self.mark(Dimension::Accuracy).is_some(),
            Some(Basis::Holistic) => true,
            None => false,
        }
    }

    /// Whether each of its marks stands in another review with the same number: 10, 10.0 and
    /// "10" are one number.
    fn is_part_of(&self, other: &Self) -> bool {
        let same = |(dimension, mark): (&Dimension, &Mark)| {
            other.mark(*dimension).is_some_and(|value| value == mark.value)
        };
        let stated = |review: &Self| review.stated.as_ref().map(|mark| mark.value);
        self.marks.iter().all(same) && (!self.marks.is_empty() || stated(self) == stated(other))
    }

    /// What it rests on; `None` if it says nothing that counts.
    pub fn basis(&self) -> Option<Basis> {
        if !self.marks.is_empty() {
            return Some(Basis::Rubric);
        }
        self.stated.as_ref().map(|_| Basis::Holistic)
    }
}

impl Ballot {
    /// Whether it says something that counts of every answer that was shown.
    pub(super) fn is_complete(&self) -> bool {
        !self.truncated && (0..self.seats).all(|seat| self.review(seat).is_some_and(Review::counts))
    }

    /// Whether two ballots say the same of every answer, in numbers and about refusals; words and
    /// ways to write a number do not matter.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let same = |seat| match (self.review(seat), other.review(seat)) {
            (Some(one), Some(other)) => {
                one.appropriate_refusal == other.appropriate_refusal
                    && one.vote == other.vote
                    && one.is_part_of(other)
                    && other.is_part_of(one)
            }
            (one, other) => one.is_none() && other.is_none(),
        };
        (0..self.seats).all(same)
    }

    /// Whether everything it marks stands in another ballot, number by number.
    pub(super) fn is_part_of(&self, other: &Self) -> bool {
        let quoted = |review: &Review| {
            other.review(review.seat).is_some_and(|original| review.is_part_of(original))
        };
        let mut marked = self.reviews.iter().filter(|review| review.basis().is_some()).peekable();
        marked.peek().is_some() && marked.all(quoted)
    }

    /// The review of a seat.
    pub fn review(&self, seat: usize) -> Option<&Review> {
        self.reviews.iter().find(|review| review.seat == seat)
    }

    /// What to ask the reviewer once more for; `None` if nothing is missing that counts.
    /// Accuracy decides the ceiling, so marks without it do not do.
    pub fn complaint(&self) -> Option<String> {
        let mut problems = Vec::new();
        if self.contradicted {
            problems.push(format!("{CONTRADICTED}: give one"));
        }
        if self.truncated {
            problems.push("the reply breaks off before its end".to_owned());
        }
        for seat in 0..self.seats {
            let problem = match self.review(seat) {
                Some(review) => complaint(review),
                None => Some("has no evaluation".to_owned()),
            };
            problems.extend(problem.map(|problem| format!("{} {problem}", label(seat))));
        }
        (!problems.is_empty()).then(|| problems.join("; "))
    }

    /// The rank of each seat in the stated ranking, ties sharing the mean of their ranks, and
    /// those left out sharing the ranks that remain. `None` if nothing was ranked.
    pub fn stated_ranks(&self) -> Option<Vec<f64>> {
        if self.stated_ranking.is_empty() {
            return None;
        }
        let seats = self.seats.min(super::limits::ANSWERS_MAX);
        let listed: BTreeSet<usize> = self.stated_ranking.iter().flatten().copied().collect();
        let unlisted: Vec<usize> = (0..seats).filter(|seat| !listed.contains(seat)).collect();
        let mut ranks = vec![0.0; seats];
        let mut before = 0.0;
        for group in self.stated_ranking.iter().chain([&unlisted]) {
            let size = group.len() as f64;
            for seat in group {
                if let Some(rank) = ranks.get_mut(*seat) {
                    *rank = before + f64::midpoint(1.0, size);
                }
            }
            before += size;
        }
        Some(ranks)
    }
}

/// What is wrong with a review, to be read after its label.
fn complaint(review: &Review) -> Option<String> {
    let said = review.rejected.iter().map(|rejected| {
        let what = rejected.dimension.map_or("overall", Dimension::name);
        format!("{what} is {}", rejected.said)
    });
    let said: Vec<String> = said.collect();
    let hint = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
    if let Some(problem) = review.contradiction() {
        return Some(format!("is unclear: {problem}"));
    }
    match review.basis() {
        None => Some(format!("has no marks from 1 to 10{hint}")),
        Some(Basis::Rubric) if review.mark(Dimension::Accuracy).is_none() => {
            Some(format!("has no accuracy mark from 1 to 10{hint}"))
        }
        Some(_) => None,
    }
}
