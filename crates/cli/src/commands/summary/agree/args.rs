//! The arguments of `assize summary agree`.

use std::path::PathBuf;

use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::summary::SummaryRequest;
use assize_engine::summary::agreement::{ConstantGroups, Options};
use clap::Args;

use crate::commands::summary::args::FieldArguments;
use crate::output::shown::OutputArguments;

const NOTES: &str = "\
With --group, correlations are computed within each group and averaged; a group whose scores or ratings do not
vary counts as 0 (`--constant-groups skip` leaves it out). Guide: docs/guide/summary.md";

/// Compare scores with human ratings of the same summaries.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// File of pairs with human ratings
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// JSON scorecards that `summary score` wrote for these pairs, by any judge
    #[arg(long, value_name = "FILE", conflicts_with_all = ["framework", "judge", "overlap"])]
    pub(crate) scores: Option<PathBuf>,
    /// The score to compare: one of the five metrics, `METRIC.continuous`, or another number in a
    /// metric's object
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: String,
    /// Field with the human rating; a list of ratings is averaged
    #[arg(long, value_name = "FIELD")]
    pub(crate) human: String,
    /// Field to group pairs by, usually the article
    #[arg(long, value_name = "FIELD")]
    pub(crate) group: Option<String>,
    /// Also report agreement for each value of this field, usually the system
    #[arg(long, value_name = "FIELD")]
    pub(crate) by: Option<String>,
    /// How to treat a group whose scores or ratings do not vary
    #[arg(long, value_enum, default_value_t = ConstantGroups::Zero, requires = "group")]
    pub(crate) constant_groups: ConstantGroups,
    /// Rating at or above which a summary is good; adds balanced accuracy and AUC
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
    /// Score at or above which a summary is predicted good [default: chosen by cross-validation]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(crate) cut: Option<f64>,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) judging: SummaryRequest,
    #[command(flatten)]
    pub(crate) fields: FieldArguments,
    #[command(flatten)]
    pub(crate) uncertainty: Uncertainty,
}

impl Arguments {
    /// The settings that the engine takes.
    pub(crate) fn options(&self) -> Options {
        Options {
            uncertainty: self.uncertainty.clone(),
            constant_groups: self.constant_groups,
            threshold: self.threshold,
            cut: self.cut,
        }
    }
}
