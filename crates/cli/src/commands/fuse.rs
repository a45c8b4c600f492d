//! `assize fuse`: several runs become one.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use assize_engine::input::STANDARD_INPUT;
use assize_engine::retrieval::fuse::{FuseOptions, fuse, notices, write_trec};
use assize_engine::retrieval::ranked::{Reading, Run};
use assize_methods::retrieval::fusion::{Fusion, Method, Norm};
use clap::Args;

use crate::exit::Done;
use crate::output::{files, terminal};

const NOTES: &str = "\
Methods: rrf, combsum, combmnz, isr. Norms, for methods that add scores: none, min-max, max, sum, z, rank,
borda. The result is a TREC run; ties are broken as in `assize score`.";

/// Larger weights say nothing more, and could make a score infinite.
const WEIGHT_MAX: f64 = 1e6;

/// Fuse several ranked runs into one.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Two or more ranked runs
    #[arg(required = true, num_args = 2..)]
    pub(crate) runs: Vec<PathBuf>,
    /// Fusion method
    #[arg(long, default_value = "rrf", value_parser = Method::named)]
    pub(crate) method: Method,
    /// The constant k of rrf; a higher value flattens the top ranks
    #[arg(long, value_name = "K", default_value_t = 60.0)]
    pub(crate) rrf_k: f64,
    /// How scores are normalised before fusion
    #[arg(long, default_value = "min-max", value_parser = Norm::named)]
    pub(crate) norm: Norm,
    /// Weight of each run, separated by commas
    #[arg(long, value_delimiter = ',')]
    pub(crate) weights: Vec<f64>,
    /// How many documents to keep for each query
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Name of the fused run
    #[arg(long, default_value = "fused")]
    pub(crate) name: String,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Reads the runs, fuses them and writes the result.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    ensure!(
        arguments.rrf_k.is_finite() && arguments.rrf_k >= 0.0,
        "--rrf-k must be 0 or more, not {}",
        arguments.rrf_k
    );
    ensure!(
        arguments.weights.iter().all(|weight| weight.abs() <= WEIGHT_MAX),
        "a weight must be between -{WEIGHT_MAX} and {WEIGHT_MAX}"
    );
    let from_input = arguments.runs.iter().filter(|run| run.as_os_str() == STANDARD_INPUT).count();
    ensure!(from_input < 2, "only one of the runs can be read from standard input");
    let inputs: Vec<&Path> = arguments.runs.iter().map(PathBuf::as_path).collect();
    files::check(arguments.output.as_deref(), &inputs)?;
    let method = match arguments.method {
        Method::ReciprocalRank { .. } => Method::ReciprocalRank { k: arguments.rrf_k },
        other => other,
    };
    let options = FuseOptions {
        fusion: Fusion { method, norm: arguments.norm, weights: arguments.weights.clone() },
        depth: arguments.depth.and_then(|depth| usize::try_from(depth).ok()),
        name: arguments.name.clone(),
        ..FuseOptions::default()
    };
    // Weights are checked before a large file is read.
    options.fusion.check(arguments.runs.len())?;
    let reading = Reading::default();
    let runs: Result<Vec<Run>, _> =
        arguments.runs.iter().map(|path| Run::load(path, &reading)).collect();
    let runs = runs?;
    for notice in notices(&runs) {
        terminal::notice(&notice);
    }
    let fused = fuse(&runs, &options)?;
    let mut text = Vec::new();
    write_trec(&fused, &mut text)?;
    match &arguments.output {
        Some(path) => files::write(path, &text)?,
        None => files::print(&text)?,
    }
    Ok(Done::Fine)
}
