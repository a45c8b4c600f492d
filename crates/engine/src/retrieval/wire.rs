//! Scores and comparisons in the shapes that programs outside see.

use assize_wire::retrieval as shape;
use assize_wire::{Entries, number};

use super::compare::{Comparison, ComparisonOptions, Correction, Pair, Test};
use super::report::Summary;
use super::request::ScoreReport;
use super::scoreboard::Scoreboard;

/// What a comparison is about, for people.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// The heading.
    pub title: String,
    /// What was done, one sentence an entry.
    pub lead: Vec<String>,
    /// Further tables.
    pub tables: Vec<shape::Table>,
}

impl ScoreReport {
    /// One run's results; with every query's values if they are asked for.
    pub fn to_wire(&self, with_queries: bool) -> shape::Score {
        let groups = self.groups.iter().map(|group| {
            let measures = measures(&group.summaries);
            (group.name.clone(), shape::Group { measures, num_examples: group.queries })
        });
        shape::Score {
            measures: measures(&self.summaries),
            num_examples: self.board.rows.len(),
            confidence: self.uncertainty.level,
            judged: self.board.judged,
            notices: self.board.notices.clone(),
            groups: groups.collect(),
            queries: with_queries.then(|| self.board.to_wire()),
        }
    }

    /// Names and values alone.
    pub fn to_flat(&self) -> shape::FlatScore {
        let values = self.summaries.iter().map(|summary| (summary.name.clone(), summary.value));
        shape::FlatScore { values: values.collect(), num_examples: self.board.rows.len() as f64 }
    }
}

impl Scoreboard {
    /// Every query's values.
    pub fn to_wire(&self) -> Vec<shape::QueryValues> {
        let rows = self.rows.iter().map(|row| {
            let names = self.columns.iter().map(|column| column.name.clone());
            let values = names.zip(row.values.iter().copied()).collect();
            shape::QueryValues { query: row.query.clone(), values }
        });
        rows.collect()
    }
}

impl Comparison {
    /// Runs and pairs; differences below `alpha` after correction are marked.
    pub fn to_wire(
        &self,
        options: &ComparisonOptions,
        alpha: f64,
        setting: Setting,
    ) -> shape::Comparison {
        let runs = self
            .runs
            .iter()
            .map(|run| shape::Run { name: run.name.clone(), scores: measures(&run.scores) });
        shape::Comparison {
            title: setting.title,
            lead: setting.lead,
            queries: self.queries,
            method: self.method(options),
            alpha,
            runs: runs.collect(),
            pairs: self.pairs.iter().map(|pair| self.pair(pair, options, alpha)).collect(),
            tables: setting.tables,
            is_all_pairs: options.all_pairs,
            notices: self.notices.clone(),
        }
    }

    fn pair(&self, pair: &Pair, options: &ComparisonOptions, alpha: f64) -> shape::Pair {
        let (run, baseline) = (&self.runs[pair.run], &self.runs[pair.baseline]);
        shape::Pair {
            measure: run.scores[pair.measure].name.clone(),
            run: run.name.clone(),
            baseline: baseline.name.clone(),
            difference: pair.difference,
            interval: pair.interval.map(|(low, high)| shape::Interval { low, high }),
            wins: pair.wins,
            ties: pair.ties,
            losses: pair.losses,
            p: pair.p,
            effect: pair.effect,
            mark: mark(pair, alpha),
            moved: pair.moved.clone(),
            values: (run.scores[pair.measure].value, baseline.scores[pair.measure].value),
            deciding: options.test.p_value(&pair.p),
            differences: pair.differences.clone(),
        }
    }

    /// How the p-values were computed, as a sentence.
    fn method(&self, options: &ComparisonOptions) -> String {
        let test = match options.test {
            Test::Randomization => "randomisation test",
            Test::T => "paired t test",
            Test::Wilcoxon => "Wilcoxon signed rank test",
            Test::Bootstrap => "paired bootstrap",
        };
        let correction = match options.correction {
            Some(Correction::BenjaminiHochberg) => "corrected after Benjamini and Hochberg",
            Some(_) => "corrected after Holm",
            None => "not corrected",
        };
        format!(
            "{}; two-sided {test}, {correction} over {}; intervals at {}",
            number::counted(self.queries, "query", "queries"),
            number::counted(self.pairs.len(), "comparison", "comparisons"),
            number::percent(options.uncertainty.level),
        )
    }
}

/// Whether a difference is one after correction, and in which direction.
fn mark(pair: &Pair, alpha: f64) -> shape::Mark {
    match pair.p.corrected {
        Some(p) if p < alpha && pair.difference > 0.0 => shape::Mark::Better,
        Some(p) if p < alpha && pair.difference < 0.0 => shape::Mark::Worse,
        _ => shape::Mark::None,
    }
}

/// Measures by name.
pub fn measures(summaries: &[Summary]) -> shape::Measures {
    let measure = |summary: &Summary| {
        let (low, high) = summary.interval.unzip();
        let value = summary.value;
        (summary.name.clone(), shape::Measure { value, low, high, is_count: summary.count })
    };
    Entries(summaries.iter().map(measure).collect())
}
