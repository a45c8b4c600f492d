//! Run against run on the same queries: differences, intervals, paired tests.

mod shared;

pub use assize_stats::correction::Correction;
use assize_stats::correction::adjust;
use assize_stats::paired::{
    cohen_dz, paired_bootstrap, paired_t_test, randomisation_test, wilcoxon,
};
use assize_wire::retrieval::{Moved, PValues};
use rayon::prelude::*;

use super::report::{Summary, summarize};
use super::scoreboard::{Aggregate, Scoreboard};
use super::uncertainty::Uncertainty;

/// Which paired test decides about significance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Test {
    /// Fisher's randomisation test.
    Randomization,
    /// Student's paired t test.
    T,
    /// Wilcoxon's signed rank test.
    Wilcoxon,
    /// The paired bootstrap.
    Bootstrap,
}

impl Test {
    /// The p-value of this test.
    pub(crate) fn p_value(self, p: &PValues) -> Option<f64> {
        match self {
            Self::Randomization => p.randomization,
            Self::T => p.t,
            Self::Wilcoxon => p.wilcoxon,
            Self::Bootstrap => p.bootstrap,
        }
    }
}

/// What a comparison is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonOptions {
    /// The settings of intervals and tests.
    pub uncertainty: Uncertainty,
    /// The test that decides.
    pub test: Test,
    /// The correction of its p-values for the number of comparisons, if any.
    pub correction: Option<Correction>,
    /// Every run against every other, and not only against the first.
    pub all_pairs: bool,
    /// How many of the most moved queries are kept for each pair.
    pub moved_max: usize,
    /// Only the test that decides, and the runs' means without intervals: the other tests cost
    /// four times as much, and a page that does not show them must not wait for them.
    pub is_brief: bool,
}

/// How many of the most moved queries are kept unless the caller says so: they fit a screen.
pub const MOVED: usize = 5;

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self {
            uncertainty: Uncertainty::default(),
            test: Test::Randomization,
            correction: Some(Correction::Holm),
            all_pairs: false,
            moved_max: MOVED,
            is_brief: false,
        }
    }
}

impl ComparisonOptions {
    /// How two stored runs are compared; so many of the most moved subjects are shown.
    pub fn of_runs(moved_max: usize) -> Self {
        Self { moved_max, is_brief: true, ..Self::default() }
    }
}

/// Runs compared on the queries that all of them answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The runs, in the order given.
    pub runs: Vec<RunSummary>,
    /// Every compared pair on every measure.
    pub pairs: Vec<Pair>,
    /// How many queries were compared.
    pub queries: usize,
    /// What the user should know.
    pub notices: Vec<String>,
}

/// One run of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// The run's name.
    pub name: String,
    /// Its measures.
    pub scores: Vec<Summary>,
}

/// One run against another on one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Index of the run that is compared with.
    pub baseline: usize,
    /// Index of the run that is compared.
    pub run: usize,
    /// Index of the measure.
    pub measure: usize,
    /// Mean difference, run minus baseline.
    pub difference: f64,
    /// The interval of the mean difference.
    pub interval: Option<(f64, f64)>,
    /// Queries where the run is better.
    pub wins: usize,
    /// Queries where both are equal.
    pub ties: usize,
    /// Queries where the run is worse.
    pub losses: usize,
    /// The p-value of each test, as far as it is defined for these differences.
    pub p: PValues,
    /// Mean difference in standard deviations of the differences.
    pub effect: Option<f64>,
    /// Each query's difference, in the order of the queries.
    pub differences: Vec<f64>,
    /// The queries that moved most, with both values.
    pub moved: Vec<Moved>,
}

/// Compares runs that were scored with the same measures.
///
/// The first run is the baseline unless every pair is asked for.
pub fn compare(runs: Vec<(String, Scoreboard)>, options: &ComparisonOptions) -> Comparison {
    let (runs, mut notices) = shared::on_shared_measures(runs);
    let (runs, more) = shared::on_shared_queries(runs);
    notices.extend(more);
    let queries = runs.first().map_or(0, |(_, board)| board.rows.len());
    let measured = |(baseline, run): (usize, usize)| {
        let columns = runs[baseline].1.columns.iter().enumerate();
        // A sum or a geometric mean is no mean of differences, so it is not tested.
        let measures = columns
            .filter(|(_, column)| column.aggregate == Aggregate::Mean)
            .map(|(measure, _)| measure);
        let runs = &runs;
        measures.map(move |measure| pair(runs, (baseline, run, measure), options))
    };
    let pairings = pairings(runs.len(), options.all_pairs);
    // One pair has nobody to share the work with: to wake another thread would only take longer.
    let mut pairs: Vec<Pair> = if pairings.len() > 1 {
        pairings.into_par_iter().flat_map_iter(measured).collect()
    } else {
        pairings.into_iter().flat_map(measured).collect()
    };
    correct(&mut pairs, options);
    let of_means = if options.is_brief {
        Uncertainty { resamples: 0, ..options.uncertainty }
    } else {
        options.uncertainty.clone()
    };
    let summaries = runs.into_iter().map(|(name, board)| {
        let scores = summarize(&board, &of_means);
        RunSummary { name, scores }
    });
    Comparison { runs: summaries.collect(), pairs, queries, notices }
}

fn pairings(runs: usize, all: bool) -> Vec<(usize, usize)> {
    let baselines = if all { 0..runs.saturating_sub(1) } else { 0..usize::from(runs > 1) };
    baselines.flat_map(|baseline| (baseline + 1..runs).map(move |run| (baseline, run))).collect()
}

fn pair(
    runs: &[(String, Scoreboard)],
    (baseline, run, measure): (usize, usize, usize),
    options: &ComparisonOptions,
) -> Pair {
    let (before, after) = (&runs[baseline].1, &runs[run].1);
    let old: Vec<f64> = before.column(measure).collect();
    let new: Vec<f64> = after.column(measure).collect();
    let differences: Vec<f64> = new.iter().zip(&old).map(|(new, old)| new - old).collect();
    let count = |wanted: fn(&f64) -> bool| differences.iter().filter(|value| wanted(value)).count();
    Pair {
        baseline,
        run,
        measure,
        difference: Aggregate::Mean.of(&differences),
        interval: options.uncertainty.of_mean(&differences),
        wins: count(|value| *value > 0.0),
        ties: count(|value| *value == 0.0),
        losses: count(|value| *value < 0.0),
        p: tests(&new, &old, options),
        effect: cohen_dz(&new, &old).ok(),
        moved: moved(before, after, measure, options.moved_max),
        differences,
    }
}

/// Every test that is wanted and defined for these values; runs that never differ have none.
fn tests(new: &[f64], old: &[f64], options: &ComparisonOptions) -> PValues {
    let Uncertainty { level, permutations, seed, .. } = options.uncertainty;
    let p = |test: Test| match test {
        Test::Randomization => {
            randomisation_test(new, old, permutations as u64, seed).ok().map(|test| test.p)
        }
        Test::T => paired_t_test(new, old, level).ok().map(|test| test.p),
        Test::Wilcoxon => wilcoxon(new, old).ok().map(|test| test.p),
        Test::Bootstrap => {
            paired_bootstrap(new, old, permutations, level, seed).ok().map(|test| test.p)
        }
    };
    let wanted = |test: Test| if options.is_brief && test != options.test { None } else { p(test) };
    PValues {
        randomization: wanted(Test::Randomization),
        t: wanted(Test::T),
        wilcoxon: wanted(Test::Wilcoxon),
        bootstrap: wanted(Test::Bootstrap),
        corrected: None,
    }
}

/// The queries with the greatest differences, in either direction; ties in input order.
fn moved(before: &Scoreboard, after: &Scoreboard, measure: usize, most: usize) -> Vec<Moved> {
    let mut moved: Vec<Moved> = before
        .rows
        .iter()
        .zip(&after.rows)
        .map(|(old, new)| Moved {
            query: old.query.clone(),
            before: old.values[measure],
            after: new.values[measure],
        })
        .filter(|moved| moved.before != moved.after)
        .collect();
    let size = |moved: &Moved| (moved.after - moved.before).abs();
    moved.sort_by(|left, right| size(right).total_cmp(&size(left)));
    moved.truncate(most);
    moved
}

/// Corrects the deciding test over all pairs and measures of the comparison.
fn correct(pairs: &mut [Pair], options: &ComparisonOptions) {
    let tested: Vec<usize> =
        (0..pairs.len()).filter(|index| options.test.p_value(&pairs[*index].p).is_some()).collect();
    let raw: Vec<f64> =
        tested.iter().filter_map(|index| options.test.p_value(&pairs[*index].p)).collect();
    let corrected = match options.correction {
        Some(correction) => adjust(correction, &raw).expect("p-values lie between 0 and 1"),
        None => raw,
    };
    for (index, value) in tested.into_iter().zip(corrected) {
        pairs[index].p.corrected = Some(value);
    }
}
