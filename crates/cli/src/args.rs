//! The commands and their help; each command's own arguments stand in its file.

use clap::{Parser, Subcommand};

use crate::commands::{
    accuracy, audit, bench_retrieval, check, compare, completions, config, council, criteria, db,
    demo, doctor, documents, evaluate, export, fuse, index, init, judges, man, mcp, measures,
    models, optimize, readers, reference, retrieve, runs, score, serve, summary, tokens, truth,
    users, verify, worker,
};
use crate::database_args::ShowArguments;

/// How wide help may be: as wide as a terminal that nobody made wider.
pub(crate) const HELP_WIDTH: usize = 80;

/// Measures what AI systems produce, and shows how each number was computed.
#[derive(Debug, Parser)]
#[command(
    name = "assize",
    version,
    about,
    arg_required_else_help = true,
    max_term_width = HELP_WIDTH,
    after_help = "\
First steps:
  assize demo                    bundled samples, with one score explained
  assize score RUN GOLD          score a retrieval run
  assize init && assize check    propose checks for this folder, and run them
  assize serve --demo            the samples in the browser

Exit codes: 0 success · 1 a threshold you set was missed · 2 wrong usage or bad input · 3 a judge, provider or
database failed · 130 interrupted"
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
    /// Retrieve passages from a folder of text files for the queries of a benchmark
    Retrieve(Box<retrieve::Arguments>),
    /// Build or update an on-disk index of a folder of text files
    Index(index::Arguments),
    /// Run every retrieval method on a benchmark and compare them
    BenchRetrieval(Box<bench_retrieval::Arguments>),
    /// Inspect the files in a folder and write an assize.toml with checks for them
    Init(init::Arguments),
    /// Run the checks in assize.toml and report PASS or FAIL for each requirement
    Check(Box<check::Arguments>),
    /// Fuse several ranked runs into one
    Fuse(fuse::Arguments),
    /// List the available measures and their syntax
    Measures(measures::Arguments),
    /// Score summaries against their articles, and compare scores with human ratings
    #[command(subcommand)]
    Summary(summary::Arguments),
    /// Rank answers with a council of models, and check answers for safety
    #[command(subcommand)]
    Council(council::Arguments),
    /// Compare any number of judges with any number of raters
    #[command(subcommand)]
    Judges(judges::Arguments),
    /// Evaluate documents against criteria: scores, labels, checked citations
    Evaluate(Box<evaluate::Arguments>),
    /// Manage criteria sets: import, show, rubric, response structure, prompt templates
    #[command(subcommand)]
    Criteria(Box<criteria::Arguments>),
    /// Manage document sets: add, list, show
    #[command(subcommand)]
    Documents(Box<documents::Arguments>),
    /// Manage saved runs: list, show, compare, resume, rescore, export
    #[command(subcommand)]
    Runs(Box<runs::Arguments>),
    /// Verify an evidence package; nothing but the file is needed
    Verify(verify::Arguments),
    /// Manage truth keys, the scores analysts expect: import, template, list
    #[command(subcommand)]
    Truth(Box<truth::Arguments>),
    /// Measure how closely an evaluation matches the analysts' truth keys
    Accuracy(Box<accuracy::Arguments>),
    /// Search for a better prompt, rubric or judge, validated on held-out truth keys
    Optimize(Box<optimize::Arguments>),
    /// Export an evaluation to a file: XLSX, CSV, JSON, PDF, OSCAL
    Export(Box<export::Arguments>),
    /// List model providers, and test whether a model responds
    #[command(subcommand)]
    Models(models::Arguments),
    /// Manage local models that judges read with: install, list, check, remove, bench
    #[cfg_attr(feature = "readers", command(subcommand))]
    Readers(readers::Arguments),
    /// Show the effective configuration and where each value comes from
    #[command(subcommand)]
    Config(config::Arguments),
    /// Manage the database: migrate, check, back up, restore, export, import, retention, prune, erase
    #[command(subcommand)]
    Db(db::Arguments),
    /// Process queued runs, alongside any number of other workers
    Worker(worker::Arguments),
    /// Show what each worker is doing and how much is queued
    Workers(ShowArguments),
    /// Serve council, summary and retrieval scoring as MCP tools
    Mcp(mcp::Arguments),
    /// Serve the API and the web interface over HTTP
    Serve(serve::Arguments),
    /// Manage user accounts: add, list, role, disable, reset, sign out, remove
    #[command(subcommand)]
    Users(users::Arguments),
    /// Manage API tokens: make, list, revoke
    #[command(subcommand)]
    Tokens(tokens::Arguments),
    /// Verify and export the audit log
    Audit(audit::Arguments),
    /// Check configuration, database, providers, clock and permissions, and suggest fixes
    Doctor(doctor::Arguments),
    /// Score bundled samples of all four instruments, offline
    Demo(demo::Arguments),
    /// Print shell completions
    Completions(completions::Arguments),
    /// Write the manual pages to a folder
    Man(man::Arguments),
    /// Print a page of the reference as Markdown
    #[command(hide = true)]
    Reference {
        #[arg(value_enum, default_value_t = reference::Page::Cli)]
        page: reference::Page,
    },
}
