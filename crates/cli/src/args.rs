//! The commands and their help; each command's own arguments stand in its file.

use clap::{Parser, Subcommand};

use crate::commands::{
    accuracy, audit, bench_retrieval, check, compare, completions, config, council, criteria, db,
    demo, doctor, documents, evaluate, export, fuse, index, init, judges, man, mcp, measures,
    models, optimize, reference, retrieve, runs, score, serve, summary, tokens, truth, users,
    worker,
};
use crate::database_args::ShowArguments;

/// Measures what AI systems produce, and shows how each number was computed.
#[derive(Debug, Parser)]
#[command(
    name = "assize",
    version,
    about,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "\
First steps:
  assize demo                    bundled samples, with one score explained
  assize score RUN GOLD          score a retrieval run
  assize init && assize check    propose checks for this folder, and run them
  assize serve --demo            the samples in the browser

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
    /// Build or update an index of a folder of texts on disk
    Index(index::Arguments),
    /// Run every retrieval method on a benchmark and compare them
    BenchRetrieval(Box<bench_retrieval::Arguments>),
    /// Look at the files of a folder and write an assize.toml with checks for them
    Init(init::Arguments),
    /// Run the checks of assize.toml: one PASS or FAIL for everything that is required
    Check(Box<check::Arguments>),
    /// Fuse several ranked runs into one
    Fuse(fuse::Arguments),
    /// List the measures and how they are written
    Measures(measures::Arguments),
    /// Score summaries against their articles, and compare scores with people's ratings
    #[command(subcommand)]
    Summary(summary::Arguments),
    /// Rank answers by a council of models, and check answers for safety
    #[command(subcommand)]
    Council(council::Arguments),
    /// Compare any number of judges with any number of raters
    #[command(subcommand)]
    Judges(judges::Arguments),
    /// Evaluate documents against criteria: scores, labels, checked citations
    Evaluate(Box<evaluate::Arguments>),
    /// Criteria sets: import, show, rubric, response structure, prompt templates
    #[command(subcommand)]
    Criteria(Box<criteria::Arguments>),
    /// Document sets: add, list, show
    #[command(subcommand)]
    Documents(Box<documents::Arguments>),
    /// Saved runs: list, show, compare, resume, rescore, export
    #[command(subcommand)]
    Runs(Box<runs::Arguments>),
    /// What analysts would have answered: import, template, list
    #[command(subcommand)]
    Truth(Box<truth::Arguments>),
    /// How close an evaluation comes to what analysts say
    Accuracy(Box<accuracy::Arguments>),
    /// Look for a better prompt, rubric or judge, decided on keys it was not tuned on
    Optimize(Box<optimize::Arguments>),
    /// Write an evaluation to a file: XLSX, CSV, JSON, PDF, OSCAL
    Export(Box<export::Arguments>),
    /// List models that can judge, and test whether they answer
    #[command(subcommand)]
    Models(models::Arguments),
    /// Show the configuration that takes effect, and where each value comes from
    #[command(subcommand)]
    Config(config::Arguments),
    /// Manage the database: migrate, check, back up, restore, export, import, prune, erase
    #[command(subcommand)]
    Db(db::Arguments),
    /// Work on queued runs, beside any number of other workers
    Worker(worker::Arguments),
    /// Show what each worker is doing, and how much is queued
    Workers(ShowArguments),
    /// Serve council, summary and retrieval scoring as MCP tools
    Mcp(mcp::Arguments),
    /// Serve the API and the pages over HTTP
    Serve(serve::Arguments),
    /// User accounts: add, list, role, disable, reset
    #[command(subcommand)]
    Users(users::Arguments),
    /// API tokens: make, list, revoke
    #[command(subcommand)]
    Tokens(tokens::Arguments),
    /// Who changed what: verify the chain, export it
    Audit(audit::Arguments),
    /// Check configuration, database, providers, clock and permissions, and say what to do
    Doctor(doctor::Arguments),
    /// Score bundled samples of all four instruments, offline
    Demo(demo::Arguments),
    /// Print shell completions
    Completions(completions::Arguments),
    /// Write the manual pages into a folder
    Man(man::Arguments),
    /// Print a page of the reference as Markdown
    #[command(hide = true)]
    Reference {
        #[arg(value_enum, default_value_t = reference::Page::Cli)]
        page: reference::Page,
    },
}
