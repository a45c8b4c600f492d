//! The commands and their help; each command's own arguments stand in its file.

use clap::{Parser, Subcommand};

use crate::commands::{
    bench_retrieval, compare, council, fuse, index, mcp, measures, models, retrieve, score, summary,
};

/// Measures what AI systems produce, and shows how it came to every number.
#[derive(Debug, Parser)]
#[command(
    name = "assize",
    version,
    about,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "\
First steps:
  assize demo                              a bundled sample, scored, with its ledger
  assize score predictions.json gold.json  score a retrieval run
  assize bench-retrieval gold.json --corpus DIR   retrievers on a folder of texts, compared
  assize score --help                      all of its switches, with examples

Exit codes: 0 fine · 1 a threshold you set was missed · 2 wrong usage or bad input · 3 a judge,
provider or database failed · 130 interrupted"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score a retrieval run against its gold standard
    Score(Box<score::Arguments>),
    /// Compare runs on the same gold standard, with intervals and paired tests
    Compare(Box<compare::Arguments>),
    /// Retrieve passages from a folder of texts for the queries of a benchmark
    Retrieve(Box<retrieve::Arguments>),
    /// Keep an index of a folder of texts on disk, brought up to date by each run
    Index(index::Arguments),
    /// Run every retrieval method on a benchmark and compare them
    BenchRetrieval(Box<bench_retrieval::Arguments>),
    /// Fuse several ranked runs into one
    Fuse(fuse::Arguments),
    /// List the measures and how they are written
    Measures(measures::Arguments),
    /// Score summaries against their articles, and hold scores against people's ratings
    Summary(summary::Arguments),
    /// Hold a council of models over answers, and check answers for safety
    Council(council::Arguments),
    /// List models that can judge, and test whether they answer
    Models(models::Arguments),
    /// Offer council, summary and retrieval scoring to other programs as tools
    Mcp(mcp::Arguments),
    /// Score a bundled sample and show the ledger
    Demo,
    /// Print the help of every command as Markdown
    #[command(hide = true)]
    Reference,
}
