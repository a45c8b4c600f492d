//! What all forms of a comparison show, in words and rounded numbers.

use assize_engine::retrieval::compare::{
    Comparison, ComparisonOptions, Correction, Pair, RunSummary, Test,
};
use assize_engine::retrieval::report::Summary;
use assize_page::number;

/// A comparison and how it is to be read.
pub(super) struct View<'a> {
    pub(super) setting: &'a Setting,
    pub(super) comparison: &'a Comparison,
    pub(super) alpha: f64,
    pub(super) options: &'a ComparisonOptions,
}

/// What a comparison is about, and what else is to be shown with it.
#[derive(Debug, Default)]
pub(crate) struct Setting {
    /// The heading.
    pub(crate) title: String,
    /// What was done, one sentence an entry.
    pub(crate) lead: Vec<String>,
    /// Further tables.
    pub(crate) sections: Vec<Section>,
}

/// A table with one row a run.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) note: String,
    /// The headings of the values.
    pub(crate) columns: Vec<String>,
    /// A run and its values.
    pub(crate) rows: Vec<(String, Vec<f64>)>,
}

impl Section {
    /// Whether no other run has a higher value in this column.
    pub(super) fn is_best(&self, column: usize, value: f64) -> bool {
        self.rows.iter().all(|(_, values)| values[column] <= value)
    }
}

impl View<'_> {
    /// The measures' names.
    pub(super) fn measures(&self) -> Vec<&str> {
        let first = self.comparison.runs.first();
        first.map_or(Vec::new(), |run| run.scores.iter().map(|score| score.name.as_str()).collect())
    }

    /// The run's name.
    pub(super) fn run(&self, index: usize) -> &str {
        &self.comparison.runs[index].name
    }

    /// Whether the pair differs after correction, and in which direction.
    pub(super) fn mark(&self, pair: &Pair) -> Mark {
        match pair.corrected {
            Some(p) if p < self.alpha && pair.difference > 0.0 => Mark::Better,
            Some(p) if p < self.alpha && pair.difference < 0.0 => Mark::Worse,
            _ => Mark::None,
        }
    }

    /// The mark of a run on a measure against the first run.
    pub(super) fn mark_against_first(&self, run: usize, measure: usize) -> Mark {
        let mut pairs = self.comparison.pairs.iter();
        let pair =
            pairs.find(|pair| pair.baseline == 0 && pair.run == run && pair.measure == measure);
        pair.map_or(Mark::None, |pair| self.mark(pair))
    }

    /// Whether no other run has a higher value.
    pub(super) fn is_best(&self, run: &RunSummary, measure: usize) -> bool {
        let mut others = self.comparison.runs.iter();
        others.all(|other| other.scores[measure].value <= run.scores[measure].value)
    }

    /// How the p-values came about, as a sentence.
    pub(super) fn method(&self) -> String {
        let test = match self.options.test {
            Test::Randomization => "randomisation test",
            Test::T => "paired t test",
            Test::Wilcoxon => "Wilcoxon signed rank test",
            Test::Bootstrap => "paired bootstrap",
        };
        let correction = match self.options.correction {
            Some(Correction::BenjaminiHochberg) => "corrected after Benjamini and Hochberg",
            Some(_) => "corrected after Holm",
            None => "not corrected",
        };
        format!(
            "{}; two-sided {test}, {correction} over {}; intervals at {}",
            number::counted(self.comparison.queries, "query", "queries"),
            number::counted(self.comparison.pairs.len(), "comparison", "comparisons"),
            number::percent(self.options.sureness.level),
        )
    }
}

/// Whether a difference is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Better,
    Worse,
    None,
}

impl Mark {
    /// The mark as a sign that needs no colour.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Better => "▲",
            Self::Worse => "▼",
            Self::None => "",
        }
    }
}

/// A value, without decimals when it is a count.
pub(super) fn value(summary: &Summary) -> String {
    if summary.count { format!("{:.0}", summary.value) } else { number::score(summary.value) }
}

/// An interval in brackets, or nothing.
pub(super) fn interval(interval: Option<(f64, f64)>) -> String {
    interval.map_or(String::new(), |(low, high)| format!("[{low:.4}, {high:.4}]"))
}

/// A p-value or a dash.
pub(super) fn p(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), number::p_value)
}

/// An effect size or a dash.
pub(super) fn effect(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:+.2}"))
}
