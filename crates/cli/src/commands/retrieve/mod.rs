//! `assize retrieve`: passages of a folder of texts for the queries of a benchmark.

pub(crate) mod corpus;
mod hits;
mod indexed;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use assize_engine::input::Source;
use assize_engine::retrieval::passages::{QuerySelector, read_gold};
use assize_engine::retrieve::{Benchmark, Format, Found, ask, notes, queries_in, read_benchmark};
use assize_methods::retrieval::passages::Test;
use assize_search::{Method, Prediction};
use clap::Args;

use self::corpus::{ChunkArguments, MeaningArguments, WordArguments, queries, say};
use self::hits::Hits;
use crate::exit::Done;
use crate::output::progress::Stage;
use crate::output::{files, terminal};

const NOTES: &str = "\
The benchmark is JSON with `tests`, each with a `query`; gold snippets in it are never used while searching.
Predictions contain text, file, span in code points, passage number and score.";

/// How many passages are looked at for each document that a run may list.
const PASSAGES_PER_DOCUMENT: usize = 8;

/// Tests, and what their queries are called where the file says so.
type Queries<'a> = (&'a [Test<'a>], Option<&'a [String]>);

/// Retrieve passages from a folder of text files for the queries of a benchmark.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// JSON with `tests` and their queries, as for `assize score`; or queries in BEIR
    /// (`queries.jsonl`, or its folder) or MS MARCO (`id<TAB>text`) format
    #[arg(required_unless_present = "query")]
    pub(crate) benchmark: Option<PathBuf>,
    /// Folder of text files, read recursively; or a file of records (BEIR's corpus.jsonl, MS
    /// MARCO's id<TAB>text)
    #[arg(long, value_name = "PATH", required_unless_present = "index")]
    pub(crate) corpus: Option<PathBuf>,
    /// Search an index built by `assize index` instead (BM25 on stems)
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["corpus", "method", "chunk", "embeddings", "stem", "stop_words"])]
    pub(crate) index: Option<PathBuf>,
    /// Ranking method: tfidf, bm25, dense or hybrid
    #[arg(long, value_name = "NAME", default_value = "hybrid")]
    pub(crate) method: Method,
    #[command(flatten)]
    pub(crate) cut: ChunkArguments,
    #[command(flatten)]
    pub(crate) words: WordArguments,
    #[command(flatten)]
    pub(crate) meaning: MeaningArguments,
    /// How many passages to return for each query
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) k: u32,
    /// Show the hits of one query and how the score of one hit was computed; give the query's
    /// number (1, 2, …), identifier or text, or nothing with --query
    #[arg(long, value_name = "QUERY", num_args = 0..=1, default_missing_value = "")]
    pub(crate) explain: Option<String>,
    /// Show the hits for this query; no benchmark is needed
    #[arg(long, value_name = "TEXT")]
    pub(crate) query: Option<String>,
    /// Which hit to explain
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rank: u32,
    /// Output format: json, jsonl, trec (documents, not passages) or parquet [default: from the
    /// extension of --output, otherwise json]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Write predictions to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Arguments {
    fn k(&self) -> usize {
        usize::try_from(self.k).unwrap_or(usize::MAX)
    }

    fn format(&self) -> Format {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        self.format.unwrap_or_else(|| Format::of_path(path))
    }

    /// Refuses, before the work is done, a name that promises another format.
    fn check_output(&self) -> Result<()> {
        let inputs: Vec<&Path> = self.benchmark.iter().map(PathBuf::as_path).collect();
        files::check(self.output.as_deref(), &inputs)?;
        if self.format.is_some() {
            return Ok(());
        }
        files::check_ending(self.output.as_deref(), &["json", "jsonl", "trec", "parquet"])
    }

    /// Writes what was found as the user wants it.
    fn write(&self, predictions: &[Prediction<'_>], ids: Option<&[String]>) -> Result<Done> {
        let name = if self.index.is_some() { "bm25".to_owned() } else { self.method.to_string() };
        let found = Found { predictions, ids, name: &name, k: self.k() };
        let bytes = found.written(self.format())?;
        files::write(self.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
        Ok(Done::Fine)
    }

    /// How deep to look: a document of several passages may come up several times.
    fn depth(&self, passages: usize, documents: usize) -> usize {
        let deeper = self.format().lists_documents() && passages > documents;
        if deeper { self.k().saturating_mul(PASSAGES_PER_DOCUMENT) } else { self.k() }
    }

    /// The query whose hits are to be shown, if any.
    fn shown(&self, (tests, ids): Queries<'_>) -> Result<Option<(String, String)>> {
        let asked = self.explain.as_deref().filter(|asked| !asked.is_empty());
        if let Some(query) = &self.query {
            ensure!(asked.is_none(), "--explain takes no QUERY when --query is given");
            return Ok(Some(("Query".to_owned(), query.clone())));
        }
        ensure!(
            self.explain.is_none() || asked.is_some(),
            "--explain needs a query: its number in the benchmark, its identifier, its text, or --query TEXT"
        );
        let Some(asked) = asked else { return Ok(None) };
        if let Some(index) = ids.and_then(|ids| ids.iter().position(|id| id == asked)) {
            return Ok(Some((format!("Query {asked}"), tests[index].query.to_string())));
        }
        let selector: QuerySelector = asked.parse()?;
        let index = selector.choose(&queries(tests))?;
        Ok(Some((format!("Query {}", index + 1), tests[index].query.to_string())))
    }
}

/// Retrieves, or shows one query's hits.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    arguments.check_output()?;
    let benchmark = arguments.benchmark.as_deref().map(queries_in);
    let source = benchmark.as_deref().map(Source::open).transpose()?;
    let benchmark = source.map(read_benchmark).transpose()?;
    let tests = benchmark.as_ref().map(|benchmark| read_gold(&benchmark.source)).transpose()?;
    let tests = tests.unwrap_or_default();
    let ids = benchmark.as_ref().and_then(|benchmark: &Benchmark| benchmark.ids.as_deref());
    match &arguments.index {
        Some(folder) => indexed::run(arguments, folder, (&tests, ids)),
        None => in_memory(arguments, (&tests, ids)),
    }
}

fn in_memory(arguments: &Arguments, (tests, ids): Queries<'_>) -> Result<Done> {
    let folder = arguments.corpus.as_deref().context("give the folder of texts with --corpus")?;
    let shown = arguments.shown((tests, ids))?;
    let embedder = arguments.meaning.embedder()?;
    let collection = arguments.cut.collection(folder)?;
    say(&notes::on_benchmark(tests, collection.corpus()));
    let retriever =
        corpus::indexed(&collection, (arguments.method, arguments.words.options()), &embedder)?;
    if let Some((title, query)) = shown {
        let answer = retriever.search(&query, arguments.k())?;
        say(&notes::on_answers(&[&query], std::slice::from_ref(&answer)));
        let rank = arguments.rank as usize;
        let explained = answer.hits.get(rank - 1).filter(|_| arguments.explain.is_some());
        let explained = explained.map(|hit| retriever.explain(&query, hit.passage)).transpose()?;
        let prediction = Prediction::new(&query, &answer, &collection);
        let mut method = format!("{} on {}", arguments.method, collection.chunking());
        if let Some(route) = notes::on_route(&answer, collection.corpus()) {
            let _ = write!(method, "; {route}");
        }
        let asked = arguments.explain.is_some();
        let hits = Hits { title, method, prediction, rank: asked.then_some(rank), explained };
        files::print(&hits.rendered())?;
        return Ok(Done::Fine);
    }
    let queries = queries(tests);
    let stage = Stage::of(queries.len(), format!("{}: answering queries", arguments.method));
    let depth = arguments.depth(collection.passages().len(), collection.corpus().documents().len());
    let answers = ask(&retriever, &queries, depth, &mut |done| stage.advance_to(done))?;
    drop(stage);
    say(&notes::on_answers(&queries, &answers));
    if let Some(identified) = notes::on_routes(tests, &answers, collection.corpus()) {
        terminal::remark(&identified);
    }
    let pairs = queries.iter().zip(&answers);
    let predictions: Vec<Prediction<'_>> =
        pairs.map(|(query, answer)| Prediction::new(query, answer, &collection)).collect();
    arguments.write(&predictions, ids)
}
