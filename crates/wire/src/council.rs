//! Councils: a verdict with what it is about, and how far several can be trusted.

use assize_methods::council::anchors::Anchors;
use assize_methods::council::report::CouncilReport;
use assize_methods::council::{ByDimension, CouncilVerdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::number::counted;

/// A verdict with what it is about; the verdict's own fields stand at the top.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Council {
    /// What was decided.
    #[serde(flatten)]
    pub verdict: CouncilVerdict,
    /// An id derived from the content: the same council has the same id.
    pub id: String,
    /// What was asked.
    pub question: String,
    /// Who answered, reviewed and wrote.
    pub seats: Seats,
    /// The random seed.
    pub seed: u64,
    /// The result of the chair, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chair: Option<ChairSaid>,
    /// What stands in for a final answer that the chair did not write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialAnswer>,
    /// What asking took, by stage and model; empty where nobody was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<StageUsage>,
    /// The whole evidence as in a council file, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Value>,
    /// What only pages show.
    #[serde(skip)]
    pub shown: Shown,
}

/// What pages show beside the verdict; programs find it in the record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// The text of each answer, where there is one.
    pub texts: Vec<Option<String>>,
    /// What the marks mean, in the words that reviewers were given.
    pub anchors: ByDimension<Anchors>,
}

/// Who sat.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Seats {
    /// Who answered; empty if the answers were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Seat>,
    /// Who reviewed.
    pub reviewers: Vec<Seat>,
    /// Who wrote the final answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chair: Option<Seat>,
}

/// A model under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// What it is called in the verdict.
    pub name: String,
    /// The model, as `provider/model`.
    pub model: String,
    /// Which of several replies of the model it stands for, from 1; 0 when it is the only one.
    pub sample: u32,
}

/// What a participant is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A member answers the question.
    Answer,
    /// A reviewer marks the answers.
    Review,
    /// A reviewer sees the marks of the others and may revise its own.
    Revise,
    /// The chair writes the final answer.
    Chair,
}

impl Stage {
    /// The stage as programs see it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Review => "review",
            Self::Revise => "revise",
            Self::Chair => "chair",
        }
    }
}

/// What one model took in one stage. Replies count whenever they were paid for, so a council that
/// is repeated from stored replies says the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageUsage {
    /// The stage.
    pub stage: Stage,
    /// The model, as `provider/model`.
    pub model: String,
    /// Requests for replies, those that failed for good included.
    pub requests: u64,
    /// Those of them that asked again because a reply could not be read.
    pub repeated: u64,
    /// Tokens of the requests, cached ones included.
    pub input_tokens: u64,
    /// Those of them that the provider had in its cache.
    pub cached_input_tokens: u64,
    /// Tokens of the replies, reasoning included.
    pub output_tokens: u64,
    /// Whether the provider counted all of them; otherwise some are estimated.
    pub counted: bool,
    /// What they cost, in billionths of a dollar; `null` if the price is not known.
    pub price_nanodollars: Option<u64>,
}

/// The result of the chair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum ChairSaid {
    /// The final answer.
    Wrote {
        /// Its text.
        text: String,
        /// The answers that the chair saw, by their number in the record.
        saw: Vec<usize>,
    },
    /// None, and why.
    Failed {
        /// The provider's own words.
        because: String,
    },
    /// Nobody was asked, and why.
    NotAsked {
        /// In words for people.
        because: String,
    },
}

/// What stands in for a final answer that the chair did not write: the answer that ranks first, as it
/// was given. It is not a final answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartialAnswer {
    /// Its number in the record.
    pub answer: usize,
    /// Who gave it.
    pub model: String,
    /// Its text.
    pub text: String,
    /// What it is and why it stands here, in words for people.
    pub note: String,
}

/// Several councils and how far they can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Agreement, stability, bias.
    pub report: CouncilReport,
    /// The councils it is about.
    pub verdicts: Vec<Council>,
    /// Whether readers understood them, for councils that are stored as runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readers: Option<Understood>,
}

/// What readers answered when they were asked whether they understood why the answers of a council
/// rank as they do.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Understood {
    /// Those who did.
    pub yes: usize,
    /// Those who did in part.
    pub partly: usize,
    /// Those who did not.
    pub no: usize,
    /// The share of those who did, with its 95 % interval; none while nobody answered.
    pub share: Option<ShareOfReaders>,
    /// What whoever asks said; for pages.
    #[serde(skip)]
    pub own: Option<String>,
}

/// A share with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShareOfReaders {
    /// The share.
    pub value: f64,
    /// The lower end of the Wilson interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Understood {
    /// How many answered.
    pub fn count(&self) -> usize {
        self.yes + self.partly + self.no
    }

    /// All of it in a sentence.
    pub fn sentence(&self) -> String {
        let Some(ShareOfReaders { value, low, high }) = self.share else {
            return "No reader has answered yet.".to_owned();
        };
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        format!(
            "{} of {} understood it: {} [{}, {}]; {} partly, {} not.",
            self.yes,
            counted(self.count(), "reader", "readers"),
            percent(value),
            percent(low),
            percent(high),
            self.partly,
            self.no
        )
    }
}
