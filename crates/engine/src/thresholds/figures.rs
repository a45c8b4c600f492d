//! What was measured, in the one form that requirements are checked against.

use std::collections::HashMap;

use crate::retrieval::request::ScoreReport;

/// The numbers of a result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// The mean of each measure; `None` where nothing has a score.
    pub means: Vec<(String, Option<f64>)>,
    /// Every item: what it is called, and its value for each measure in the order of `means`.
    pub items: Vec<(String, Vec<Option<f64>>)>,
    /// All items, those without a score included.
    pub count: usize,
    /// Items without a score.
    pub unscored: usize,
}

impl Figures {
    /// Figures that stand for a whole result, without single items.
    pub fn of_means(means: &[(&str, Option<f64>)]) -> Self {
        let means = means.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        Self { means, ..Self::default() }
    }

    /// The mean of a measure; the outer `None` means that there is no such measure.
    pub fn mean(&self, measure: &str) -> Option<Option<f64>> {
        let mut means = self.means.iter();
        means.find(|(name, _)| name == measure).map(|(_, value)| *value)
    }

    /// The names of all measures.
    pub fn names(&self) -> Vec<&str> {
        self.means.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Each item's name, and how many items before it have the same.
    pub(crate) fn occurrences(&self) -> impl Iterator<Item = (&str, usize)> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        self.items.iter().map(move |(name, _)| {
            let before = seen.entry(name).or_default();
            *before += 1;
            (name.as_str(), *before - 1)
        })
    }

    /// Each item's value of a measure, in order.
    pub fn column(&self, measure: &str) -> Option<Vec<(&str, Option<f64>)>> {
        let place = self.means.iter().position(|(name, _)| name == measure)?;
        let items = self.items.iter();
        let value = |values: &[Option<f64>]| values.get(place).copied().flatten();
        Some(items.map(|(name, values)| (name.as_str(), value(values))).collect())
    }
}

impl From<&ScoreReport> for Figures {
    fn from(report: &ScoreReport) -> Self {
        let means = report.summaries.iter();
        let items = report.board.rows.iter();
        Self {
            means: means.map(|summary| (summary.name.clone(), Some(summary.value))).collect(),
            items: items
                .map(|row| (row.query.clone(), row.values.iter().copied().map(Some).collect()))
                .collect(),
            count: report.board.rows.len() + report.board.unanswered,
            unscored: report.board.unanswered,
        }
    }
}
