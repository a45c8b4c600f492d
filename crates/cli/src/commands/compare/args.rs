//! What a comparison can be told, whoever asks for it.

use assize_engine::retrieval::compare::{ComparisonOptions, Correction, MOVED, Test};
use assize_engine::retrieval::uncertainty::{Uncertainty, repetitions};
use clap::{Args, ValueEnum};

use crate::output::report::ReportArguments;

/// How runs are compared and shown.
#[derive(Debug, Args)]
pub(crate) struct Comparing {
    /// Compare every pair of runs, not only each run with the first
    #[arg(long)]
    pub(crate) all_pairs: bool,
    /// The paired significance test behind the marks
    #[arg(long, value_enum, default_value_t = Test::Randomization)]
    pub(crate) test: Test,
    /// Correction of p-values for multiple comparisons
    #[arg(long, value_enum, default_value_t = CorrectionName::Holm)]
    pub(crate) correction: CorrectionName,
    /// Mark differences with a corrected p-value below this
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// Number of permutations or resamples of the paired test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = permutations)]
    pub(crate) permutations: usize,
    #[command(flatten)]
    pub(crate) output: ReportArguments,
    /// How many of the queries that changed most to show for each pair [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) moved: Option<usize>,
}

/// A test without any permutation tests nothing.
fn permutations(text: &str) -> Result<usize, String> {
    match repetitions(text)? {
        0 => Err("0 is not 1 or more".to_owned()),
        count => Ok(count),
    }
}

impl Comparing {
    /// The settings that the engine takes.
    pub(super) fn options(&self, uncertainty: &Uncertainty) -> ComparisonOptions {
        ComparisonOptions {
            uncertainty: Uncertainty { permutations: self.permutations, ..uncertainty.clone() },
            test: self.test,
            correction: match self.correction {
                CorrectionName::Holm => Some(Correction::Holm),
                CorrectionName::Bh => Some(Correction::BenjaminiHochberg),
                CorrectionName::None => None,
            },
            all_pairs: self.all_pairs,
            moved_max: self.moved.unwrap_or(MOVED),
            is_brief: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CorrectionName {
    /// Holm
    Holm,
    /// Benjamini and Hochberg
    Bh,
    /// None
    None,
}
