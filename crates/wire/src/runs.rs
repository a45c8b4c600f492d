//! Runs of every instrument: in a list, at a glance, compared, and item by item.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunEntry {
    /// What people call it: `#12`.
    pub number: i64,
    /// What somebody named it.
    pub name: Option<String>,
    /// Its id.
    pub run: String,
    /// What it measures: `retrieval`, `summary`, `compliance` or `council`.
    pub instrument: String,
    /// What is measured, where it has a name: the document set and the criteria set.
    pub about: Option<String>,
    /// How far it has come.
    pub state: String,
    /// All its items.
    pub items: i64,
    /// Those with a verdict.
    pub done: i64,
    /// Those of them without a score.
    pub unscored: i64,
    /// Who judges.
    pub judge: Option<String>,
    /// Which method, with its version.
    pub method: Option<String>,
    /// Which version of its verdicts counts, or is shown.
    pub version: i64,
    /// Whether others are compared with it.
    pub baseline: bool,
    /// Its tags, in order.
    pub tags: Vec<String>,
    /// Who began it.
    pub who: String,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// Who approved it, if anybody did.
    pub approval: Option<Approval>,
    /// Whether lists leave it out.
    pub archived: bool,
}

/// That somebody approved a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Approval {
    /// Who.
    pub who: String,
    /// When.
    pub at: DateTime<Utc>,
    /// What they added; may be empty.
    pub note: String,
    /// What was decided, scored again or tried again since.
    pub changes_since: i64,
}

/// That somebody approved a run or took it back, in its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ApprovalEntry {
    /// Its place in the history, from 1.
    pub sequence: i64,
    /// Whether it takes the approval back.
    pub is_withdrawal: bool,
    /// Who.
    pub who: String,
    /// When.
    pub at: DateTime<Utc>,
    /// What they added; may be empty.
    pub note: String,
}

/// Who looks after a criterion of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Assignment {
    /// The criterion.
    pub criteria_id: String,
    /// Who.
    pub assignee: String,
}

/// The mean of a measure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Mean {
    /// The measure.
    pub measure: String,
    /// Its mean; none if no item has a value.
    pub mean: Option<f64>,
    /// Items with a value.
    pub scored: usize,
    /// Finished items without one.
    pub unscored: usize,
}

/// An item with its scores.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Item {
    /// Its place in the run, from 0.
    pub position: i64,
    /// What people call it.
    pub subject: String,
    /// How far it has come.
    pub state: String,
    /// What came of it, if it is done.
    pub outcome: Option<String>,
    /// Why it has no score.
    pub reason: Option<String>,
    /// The value of each measure; none where it has none.
    pub scores: BTreeMap<String, Option<f64>>,
}

/// An item with all that its scores rest on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExportedItem {
    /// The item.
    #[serde(flatten)]
    pub item: Item,
    /// How the scores were computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Value>,
    /// What they were computed from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Value>,
    /// The keys of the exchanges with models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchanges: Option<Value>,
}

/// A version of the verdicts that a rescore made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Version {
    /// Which one; from 2 on.
    pub version: i64,
    /// What was changed, in words.
    pub reason: String,
    /// By whom.
    pub who: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// A run with its means and a page of its items.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunView {
    /// The run.
    #[serde(flatten)]
    pub run: RunEntry,
    /// What decides its verdicts, in the version that is shown.
    pub configuration: Option<Value>,
    /// The means, measure by measure.
    pub means: Vec<Mean>,
    /// The versions that rescores made.
    pub versions: Vec<Version>,
    /// A page of items.
    pub page: Vec<Item>,
}

/// Two runs compared.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// The two runs, the one compared with first.
    pub runs: Vec<String>,
    /// Subjects that both have.
    pub shared: usize,
    /// Those of them that both score.
    pub scored_in_both: usize,
    /// Subjects of the first that the second does not have.
    pub only_first: usize,
    /// Subjects of the second that the first does not have.
    pub only_second: usize,
    /// Every measure that both have.
    pub measures: Vec<Difference>,
    /// Subjects that had a score and have none, with the reason.
    pub became_unscored: Vec<Unscored>,
    /// Subjects that had none and have one.
    pub became_scored: Vec<String>,
}

/// One measure of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// The measure.
    pub measure: String,
    /// The mean of the first run.
    pub first: f64,
    /// The mean of the second.
    pub second: f64,
    /// Second minus first.
    pub difference: f64,
    /// The interval of the difference.
    pub interval: Option<(f64, f64)>,
    /// The p-value of the randomisation test.
    pub p_randomization: Option<f64>,
    /// The same, corrected for the number of measures.
    pub p_corrected: Option<f64>,
    /// Subjects where the second is better.
    pub better: usize,
    /// Subjects where both are equal.
    pub same: usize,
    /// Subjects where the second is worse.
    pub worse: usize,
    /// The subjects that moved most.
    pub moved: Vec<Moved>,
}

/// A subject whose value moved.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Moved {
    /// The subject.
    pub subject: String,
    /// In the first run.
    pub before: f64,
    /// In the second.
    pub after: f64,
}

/// A subject that has no score any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unscored {
    /// The subject.
    pub subject: String,
    /// Why.
    pub reason: String,
}

/// How far a run has come, as it is told while it is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunProgress {
    /// What people call it: `#12`.
    pub number: i64,
    /// How far it has come.
    pub state: String,
    /// All its items.
    pub items: i64,
    /// Those with a verdict.
    pub done: i64,
    /// Those of them without a score.
    pub unscored: i64,
    /// Which version of its verdicts counts.
    pub version: i64,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// What a person decided about an item beside the judge.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DecisionEntry {
    /// The item's place in the run, from 0.
    pub position: i64,
    /// Which of the decisions about the item, from 1.
    pub sequence: i64,
    /// What kind: `score`, `label`, `section` or `comment`.
    pub kind: String,
    /// About what.
    pub target: String,
    /// What it is to be; none when it is withdrawn.
    pub value: Option<Value>,
    /// Whether it takes an earlier one back.
    pub withdrawal: bool,
    /// Who.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Items that are asked about anew.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Retried {
    /// How many are open again.
    pub items: u64,
    /// How many stay as they are because a person decided about them.
    pub kept: u64,
    /// The run as it is now.
    pub run: RunEntry,
}

/// What somebody says about an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CommentEntry {
    /// The words.
    pub text: String,
    /// Who.
    pub author: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What one person says about one measure of an item.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LabelEntry {
    /// The item's place in the run, from 0.
    pub position: i64,
    /// Who.
    pub rater: String,
    /// About which measure.
    pub measure: String,
    /// The number.
    pub value: Option<f64>,
    /// The word.
    pub label: Option<String>,
    /// What they want to add.
    pub note: Option<String>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What a run has cost in its life, by how sure that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bill {
    /// What people call the run: `#12`.
    pub number: i64,
    /// Its id.
    pub run: String,
    /// The provider counted.
    pub certain: BillLine,
    /// The provider counted nothing, and we did: at most so much.
    pub estimated: BillLine,
    /// No reply came, and it may have been paid for all the same: at most so much.
    pub maybe: BillLine,
    /// Requests that cost nothing: turned away, or never arrived.
    pub free_requests: u64,
    /// All of it together.
    pub total: BillLine,
    /// What the run may spend in its life.
    pub budgets: Vec<BillBudget>,
}

/// One part of a bill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BillLine {
    /// Requests.
    pub requests: u64,
    /// Their tokens, and those of their replies.
    pub tokens: u64,
    /// What they cost in billionths of a dollar, as far as prices are known.
    pub price_nanodollars: u64,
    /// Requests whose price is not known.
    pub unpriced: u64,
}

/// What an organisation may spend in a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DayBudget {
    /// Which day it is, by UTC.
    pub day: String,
    /// The ceilings, one for each unit that somebody set; none: it may spend what it likes.
    pub budgets: Vec<BillBudget>,
}

/// A budget as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BillBudget {
    /// What is counted: `tokens` or `nanodollars`.
    pub unit: String,
    /// What may be spent.
    pub ceiling: u64,
    /// What is spent or set aside.
    pub spent: u64,
    /// What is left.
    pub left: u64,
}
