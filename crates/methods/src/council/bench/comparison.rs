//! Two answers to one question, what people prefer and what reviewers said of them.

use std::collections::BTreeMap;

use serde::Serialize;

/// Which of two answers is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The first.
    First,
    /// Neither.
    Tie,
    /// The second.
    Second,
}

impl Choice {
    /// The one with the higher mark.
    pub fn by_marks(first: f64, second: f64) -> Self {
        match first.total_cmp(&second) {
            std::cmp::Ordering::Greater => Self::First,
            std::cmp::Ordering::Less => Self::Second,
            std::cmp::Ordering::Equal => Self::Tie,
        }
    }

    /// The same when the answers change places.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Tie => Self::Tie,
            Self::Second => Self::First,
        }
    }

    /// 1 for the first, -1 for the second.
    pub fn sign(self) -> f64 {
        match self {
            Self::First => 1.0,
            Self::Tie => 0.0,
            Self::Second => -1.0,
        }
    }

    /// The class of it in a table of counts.
    pub(super) fn class(self) -> usize {
        match self {
            Self::First => 0,
            Self::Tie => 1,
            Self::Second => 2,
        }
    }

    /// How right it is: 1, or 0, or a half where it does not decide and people do, or decides
    /// where people do not.
    pub fn credit(self, people: Self) -> f64 {
        match (self, people) {
            (said, meant) if said == meant => 1.0,
            (Self::Tie, _) | (_, Self::Tie) => 0.5,
            _ => 0.0,
        }
    }
}

/// One of the two answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Who wrote it; empty if the file does not say.
    pub system: String,
    /// What it says.
    pub text: String,
}

/// What a reviewer said of two answers. Everything is in the order of the comparison, also what
/// was said when they stood the other way round.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Opinion {
    /// A mark for each, given one by one or side by side.
    pub marks: Option<[f64; 2]>,
    /// The one that was preferred, where that was asked instead.
    pub choice: Option<Choice>,
    /// Marks when the answers stood the other way round.
    pub marks_turned: Option<[f64; 2]>,
    /// The choice then.
    pub choice_turned: Option<Choice>,
}

impl Opinion {
    /// What was preferred in the order of the comparison: the choice, else the higher mark.
    pub fn straight(&self) -> Option<Choice> {
        self.choice.or_else(|| self.marks.map(|[first, second]| Choice::by_marks(first, second)))
    }

    /// What was preferred the other way round, in terms of this order.
    pub fn turned(&self) -> Option<Choice> {
        let by_marks = |[first, second]: [f64; 2]| Choice::by_marks(first, second);
        self.choice_turned.or_else(|| self.marks_turned.map(by_marks))
    }

    /// What was preferred over both orders: one that changes with the order is a tie.
    pub fn preferred(&self) -> Option<Choice> {
        match (self.straight(), self.turned()) {
            (Some(one), Some(other)) if one != other => {
                let total = one.sign() + other.sign();
                Some(Choice::by_marks(total, 0.0))
            }
            (one, other) => one.or(other),
        }
    }

    /// How far the first is above the second, in marks where there are any; a bare choice is a
    /// difference of one.
    pub(crate) fn margin(&self) -> Option<f64> {
        let difference = |[first, second]: [f64; 2]| first - second;
        let straight = self.marks.map(difference).or(self.choice.map(Choice::sign));
        let turned = self.marks_turned.map(difference).or(self.choice_turned.map(Choice::sign));
        match (straight, turned) {
            (Some(one), Some(other)) => Some(f64::midpoint(one, other)),
            (one, other) => one.or(other),
        }
    }
}

/// Two answers to one question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    /// What it is called.
    pub id: String,
    /// What was asked.
    pub question: String,
    /// The part of the data set it belongs to; empty if there are none.
    pub part: String,
    /// The answers.
    pub answers: [Candidate; 2],
    /// What people prefer; `None` if nobody was asked.
    pub people: Option<Choice>,
    /// What each reviewer said, by name.
    pub opinions: BTreeMap<String, Opinion>,
}

impl Comparison {
    /// Which half of the questions it belongs to. The same question is in the same half in
    /// every file, so what was learned on one half was never seen in the other.
    pub fn half(&self) -> Half {
        let hash = blake3::hash(self.question.trim().as_bytes());
        if hash.as_bytes()[0].is_multiple_of(2) { Half::Learning } else { Half::Measuring }
    }

    /// What a reviewer prefers.
    pub fn preferred(&self, reviewer: &str) -> Option<Choice> {
        self.opinions.get(reviewer)?.preferred()
    }

    /// How many words the first answer has more than the second.
    pub(crate) fn words_more(&self) -> f64 {
        let words = |answer: &Candidate| answer.text.split_whitespace().count() as f64;
        words(&self.answers[0]) - words(&self.answers[1])
    }
}

/// A half of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// Weights are learned on it.
    Learning,
    /// And measured on this one.
    Measuring,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_that_follows_the_order_is_a_tie() {
        let flips = Opinion {
            choice: Some(Choice::First),
            choice_turned: Some(Choice::Second),
            ..Opinion::default()
        };
        assert_eq!(flips.preferred(), Some(Choice::Tie));
        let leans = Opinion {
            marks: Some([7.0, 7.0]),
            marks_turned: Some([6.0, 8.0]),
            ..Opinion::default()
        };
        assert_eq!(leans.preferred(), Some(Choice::Second));
        assert_eq!(leans.margin(), Some(-1.0));
        assert_eq!(Opinion::default().preferred(), None);
    }

    #[test]
    fn credit_is_half_where_one_side_does_not_decide() {
        assert_eq!(Choice::First.credit(Choice::First), 1.0);
        assert_eq!(Choice::First.credit(Choice::Second), 0.0);
        assert_eq!(Choice::Tie.credit(Choice::Second), 0.5);
        assert_eq!(Choice::First.credit(Choice::Tie), 0.5);
        assert_eq!(Choice::Tie.credit(Choice::Tie), 1.0);
    }
}
