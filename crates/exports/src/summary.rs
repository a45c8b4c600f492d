//! The counts and means of a report, each mean with what it leaves out.

use serde::Serialize;

use crate::report::{Report, Row, State};

/// A mean, and how many rows are in it and not in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mean {
    /// Rows with a score.
    pub scored: usize,
    /// Rows without one: never counted as 0.
    pub unscored: usize,
    /// The mean of the effective scores; none if there are none.
    pub mean: Option<f64>,
    /// The mean of the judge's own scores, over the rows where it gave one.
    pub ai_mean: Option<f64>,
    /// Rows with a score of the judge's.
    pub ai_scored: usize,
    /// Rows with an override.
    pub overridden: usize,
}

/// How many rows are in a tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TierCount {
    /// The tier's number, from 1.
    pub tier: u8,
    pub label: String,
    pub rows: usize,
}

/// How many rows have no score, by state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StateCount {
    /// The state's name.
    pub state: &'static str,
    /// Rows in it that have no score.
    pub rows: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentMean {
    /// The document's name.
    pub document: String,
    #[serde(flatten)]
    pub mean: Mean,
}

/// The counts and means of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Over all rows.
    pub overall: Mean,
    /// For each tier of the rubric, lowest first.
    pub tiers: Vec<TierCount>,
    /// For each state, the rows without a score; states without rows are left out.
    pub unscored: Vec<StateCount>,
    /// For each document, in the report's order.
    pub documents: Vec<DocumentMean>,
}

impl Summary {
    /// Counts a report.
    pub fn of(report: &Report) -> Self {
        let tiers = (1..).zip(&report.rubric).map(|(tier, of)| TierCount {
            tier,
            label: of.label.clone(),
            rows: report.rows.iter().filter(|row| tier_of(row) == Some(tier)).count(),
        });
        let documents = report.documents.iter().map(|document| DocumentMean {
            document: document.name.clone(),
            mean: mean(report.rows.iter().filter(|row| row.document == document.name)),
        });
        Self {
            overall: mean(report.rows.iter()),
            tiers: tiers.collect(),
            unscored: unscored(report),
            documents: documents.collect(),
        }
    }
}

fn tier_of(row: &Row) -> Option<u8> {
    row.effective_score.and(row.status.as_ref()).map(|status| status.tier)
}

fn mean<'a>(rows: impl Iterator<Item = &'a Row>) -> Mean {
    let mut count =
        Mean { scored: 0, unscored: 0, mean: None, ai_mean: None, ai_scored: 0, overridden: 0 };
    let (mut sum, mut ai_sum) = (0.0, 0.0);
    for row in rows {
        match row.effective_score {
            Some(score) => {
                count.scored += 1;
                sum += score;
            }
            None => count.unscored += 1,
        }
        if let Some(score) = row.ai_score {
            count.ai_scored += 1;
            ai_sum += score;
        }
        count.overridden += usize::from(row.current_override.is_some());
    }
    count.mean = (count.scored > 0).then(|| sum / count.scored as f64);
    count.ai_mean = (count.ai_scored > 0).then(|| ai_sum / count.ai_scored as f64);
    count
}

fn unscored(report: &Report) -> Vec<StateCount> {
    let reason = String::new();
    let states = [
        State::NotApplicable,
        State::NeedsInformation,
        State::Failed { reason },
        State::Pending,
        State::Scored,
    ];
    let counts = states.iter().map(|state| StateCount {
        state: state.name(),
        rows: report
            .rows
            .iter()
            .filter(|row| {
                row.effective_score.is_none() && row.effective_state().name() == state.name()
            })
            .count(),
    });
    counts.filter(|count| count.rows > 0).collect()
}
