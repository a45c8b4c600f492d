//! Runs of every instrument: in a list, at a glance, compared, and item by item.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunEntry {
    /// Its number, as in `#12`.
    pub number: i64,
    /// Its name.
    pub name: Option<String>,
    /// Its id.
    pub run: String,
    /// What it measures: `retrieval`, `summary`, `compliance` or `council`.
    pub instrument: String,
    /// What is measured, where it has a name: the document set and the criteria set.
    pub about: Option<String>,
    /// Its state.
    pub state: String,
    /// All its items.
    pub items: i64,
    /// Items with a verdict.
    pub done: i64,
    /// Finished items without a score.
    pub unscored: i64,
    /// Who judges.
    pub judge: Option<String>,
    /// Which method, with its version.
    pub method: Option<String>,
    /// The current version of its verdicts, or the one shown.
    pub version: i64,
    /// Whether it is the baseline of its instrument.
    pub baseline: bool,
    /// Its tags, in order.
    pub tags: Vec<String>,
    /// Who started it.
    pub who: String,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// The approval, if any.
    pub approval: Option<Approval>,
    /// Whether it is archived and hidden from lists.
    pub archived: bool,
    /// The formats it can be exported in, each with its title; for pages.
    #[serde(skip)]
    pub exports: Vec<(&'static str, &'static str)>,
}

/// The approval of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Approval {
    /// Who.
    pub who: String,
    /// When.
    pub at: DateTime<Utc>,
    /// A note; may be empty.
    pub note: String,
    /// The number of overrides, rescores and retries since.
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
    /// A note; may be empty.
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
    /// The 95 % interval of the mean, by percentile bootstrap; none with fewer than two values,
    /// while the run goes on, and for councils.
    pub interval: Option<(f64, f64)>,
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
    /// Its name.
    pub subject: String,
    /// Its state.
    pub state: String,
    /// The outcome, if it is finished.
    pub outcome: Option<String>,
    /// Why it has no score.
    pub reason: Option<String>,
    /// The value of each measure that counts; null without a value.
    pub scores: BTreeMap<String, Option<f64>>,
    /// The judge's value of each measure that a person decided otherwise.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub judged: BTreeMap<String, Option<f64>>,
}

/// An item with the evidence for its scores.
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

/// A version of the verdicts created by rescoring.
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
    /// How steady its judge is, if it was asked several times about each item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<crate::repeats::RepeatFigures>,
    /// The run.
    #[serde(flatten)]
    pub run: RunEntry,
    /// The configuration of the version shown.
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
    /// Subjects that lost their score, with the reason.
    pub became_unscored: Vec<Unscored>,
    /// Subjects that gained a score.
    pub became_scored: Vec<String>,
    /// Measures that both runs have, and no subject in both; for people.
    #[serde(skip)]
    pub unpaired: Vec<String>,
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
    /// The subjects that changed most.
    pub moved: Vec<Moved>,
}

/// Below this corrected p a difference is called one.
const CLEAR_BELOW: f64 = 0.05;

impl Difference {
    /// Whether the corrected test calls it a difference.
    pub fn is_clear(&self) -> bool {
        self.p_corrected.is_some_and(|p| p < CLEAR_BELOW)
    }

    /// The same in words.
    pub fn verdict(&self) -> &'static str {
        match (self.is_clear(), self.difference > 0.0) {
            (true, true) => "better",
            (true, false) => "worse",
            (false, _) => "no clear difference",
        }
    }
}

/// A subject whose value changed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Moved {
    /// The subject.
    pub subject: String,
    /// In the first run.
    pub before: f64,
    /// In the second.
    pub after: f64,
}

/// A subject that lost its score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unscored {
    /// The subject.
    pub subject: String,
    /// Why.
    pub reason: String,
}

/// The progress of a run, as reported while it is processed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunProgress {
    /// Its number, as in `#12`.
    pub number: i64,
    /// Its state.
    pub state: String,
    /// All its items.
    pub items: i64,
    /// Items with a verdict.
    pub done: i64,
    /// Finished items without a score.
    pub unscored: i64,
    /// Which version of its verdicts counts.
    pub version: i64,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// For councils, every participant with how far it has come.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<CouncilStep>,
}

/// A participant of a council in one stage, and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CouncilStep {
    /// The stage: `answer`, `review` or `chair`.
    pub stage: String,
    /// The participant, by its name in the council.
    pub participant: String,
    /// `waiting`, `asked`, `done` or `failed`.
    pub state: String,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A person's decision about an item.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DecisionEntry {
    /// The item's place in the run, from 0.
    pub position: i64,
    /// Which of the decisions about the item, from 1.
    pub sequence: i64,
    /// What kind: `score`, `label` or `comment`.
    pub kind: String,
    /// About what: a measure or a piece of evidence.
    pub target: String,
    /// The outcome that counts from then on, if it is another.
    pub outcome: Option<String>,
    /// The score that counts from then on, if it is another.
    pub score: Option<f64>,
    /// Sections in other words, or other evidence.
    pub value: Option<Value>,
    /// Whether it withdraws an earlier one.
    pub withdrawal: bool,
    /// Whether it is the one that counts.
    pub current: bool,
    /// Who.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Items to be retried.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Retried {
    /// How many are retried.
    pub items: u64,
    /// How many are skipped because they have an override.
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

/// The total cost of a run, by reliability of the figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bill {
    /// The number of the run, as in `#12`.
    pub number: i64,
    /// Its id.
    pub run: String,
    /// Reported by the provider.
    pub certain: BillLine,
    /// Not reported by the provider: our own upper bound.
    pub estimated: BillLine,
    /// No reply was received, but the request may have been billed: an upper bound.
    pub maybe: BillLine,
    /// Requests that cost nothing: rejected, or never delivered.
    pub free_requests: u64,
    /// The total.
    pub total: BillLine,
    /// The total by model.
    pub models: Vec<BillModel>,
    /// The budgets of the run.
    pub budgets: Vec<BillBudget>,
}

/// What one model cost a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BillModel {
    /// The model, as `provider/model`.
    pub model: String,
    /// All requests to it.
    #[serde(flatten)]
    pub total: BillLine,
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

/// The daily spending limits of an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DayBudget {
    /// The day, in UTC.
    pub day: String,
    /// One limit for each unit; empty if there is no limit.
    pub budgets: Vec<BillBudget>,
}

/// The state of a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BillBudget {
    /// What is counted: `tokens` or `nanodollars`.
    pub unit: String,
    /// The limit.
    pub ceiling: u64,
    /// The amount spent or reserved.
    pub spent: u64,
    /// What is left.
    pub left: u64,
}
