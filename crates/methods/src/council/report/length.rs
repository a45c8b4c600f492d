//! Whether marks go with the length of answers, within questions.

use assize_stats::StatsError;
use assize_stats::correlation::pearson_interval;
use assize_stats::fixed_effects::within;
use serde::{Deserialize, Serialize};

use super::{Case, LEVEL, found};
use crate::council::dimension::Dimension;
use crate::council::verdict::Range;

/// A dimension against the number of words, the level of each question taken out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LengthEffect {
    /// Which dimension.
    pub dimension: Dimension,
    /// Partial correlation, -1 to 1; `None` if it cannot be told.
    pub correlation: Option<f64>,
    /// Where it lies in 95 of 100 cases.
    pub interval: Option<Range>,
    /// Two-sided p value by Student's t.
    pub p: Option<f64>,
    /// How many answers it comes from.
    pub count: usize,
    /// Whether it is there; `None` where too few answers could tell.
    pub found: Option<bool>,
    /// Why it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

pub(super) fn of(cases: &[Case<'_>]) -> Vec<LengthEffect> {
    Dimension::ALL.into_iter().map(|dimension| on(cases, dimension)).collect()
}

fn on(cases: &[Case<'_>], dimension: Dimension) -> LengthEffect {
    let (mut marks, mut lengths, mut questions) = (Vec::new(), Vec::new(), Vec::new());
    for (question, case) in cases.iter().enumerate() {
        for answer in &case.verdict.answers {
            let text = case.record.answers.get(answer.answer).and_then(|answer| answer.text());
            if let (Some(mark), Some(text)) = (answer.marks.get(&dimension), text) {
                marks.push(*mark);
                lengths.push(text.split_whitespace().count() as f64);
                questions.push(question);
            }
        }
    }
    let count = marks.len();
    let mut effect = LengthEffect {
        dimension,
        correlation: None,
        interval: None,
        p: None,
        count,
        found: None,
        unknown: None,
    };
    match within(&marks, &lengths, &[&questions], LEVEL) {
        Err(StatsError::Constant) => {
            effect.unknown = Some("marks or lengths do not vary within the questions".to_owned());
        }
        Err(error) => effect.unknown = Some(error.to_string()),
        Ok(fit) => {
            effect.correlation = Some(fit.correlation);
            effect.p = Some(fit.p);
            effect.found = found(fit.p, count);
            // As many as if the questions had not cost anything.
            let interval = pearson_interval(fit.correlation, fit.degrees + 2, LEVEL).ok();
            effect.interval =
                interval.and_then(|found| Range::inside(found.low, found.high, -1.0, 1.0));
        }
    }
    effect
}
