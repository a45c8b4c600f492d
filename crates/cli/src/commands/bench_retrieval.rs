//! `assize bench-retrieval`: every method on one benchmark, compared.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use assize_engine::input::Source;
use assize_engine::retrieval::passages::{Measures, ScoreOptions, read_gold};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::retrieval::wire::Setting;
use assize_engine::retrieve::characters::{CUT_OFFS, Point};
use assize_engine::retrieve::{Entrant, ask, enter, notes, queries_in};
use assize_methods::retrieval::passages::{PassageOptions, Test};
use assize_search::{Collection, Method, Retriever};
use assize_wire::retrieval::{Table, TableRow};
use clap::Args;

use super::compare::args::Comparing;
use super::retrieve::corpus::{
    ChunkArguments, MeaningArguments, WordArguments, indexed, queries, say,
};
use crate::exit::Done;
use crate::output::progress::Stage;
use crate::output::report::Form;
use crate::output::{files, terminal};

const NOTES: &str = "\
Marks: ▲ significantly better and ▼ significantly worse than the first method after correction, at the level
set by --alpha.";

/// Run every retrieval method on a benchmark and compare them.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// JSON with `tests`: queries and their gold snippets
    pub(crate) benchmark: PathBuf,
    /// The folder of text files, read recursively
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: PathBuf,
    /// The methods to compare; the first is the baseline
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "tfidf,bm25,dense,hybrid"
    )]
    pub(crate) methods: Vec<Method>,
    #[command(flatten)]
    pub(crate) cut: ChunkArguments,
    #[command(flatten)]
    pub(crate) words: WordArguments,
    #[command(flatten)]
    pub(crate) meaning: MeaningArguments,
    /// Number of top passages to score
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) k: u32,
    /// Also compute character precision and recall at 1, 2, 4, … 64 passages
    #[arg(long)]
    pub(crate) spans: bool,
    /// Let nDCG exceed 1 when several passages match one gold snippet, as the reference does
    #[arg(long)]
    pub(crate) ndcg_unclipped: bool,
    /// Save the results of each method to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) runs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
    #[command(flatten)]
    pub(crate) uncertainty: Uncertainty,
}

/// Runs every method and shows the comparison.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    arguments.comparing.check(&[&arguments.benchmark])?;
    ensure!(arguments.methods.len() > 1, "a comparison needs at least two methods");
    arguments.refuse_folder()?;
    let gold = Source::open(&arguments.benchmark)?;
    let tests = read_gold(&gold)?;
    let embedder = arguments.meaning.embedder()?;
    let collection = arguments.cut.collection(&arguments.corpus)?;
    say(&notes::on_benchmark(&tests, collection.corpus()));
    let mut entrants = Vec::new();
    for method in &arguments.methods {
        let started = Instant::now();
        let retriever = indexed(&collection, (*method, arguments.words.options()), &embedder)?;
        let ready = started.elapsed();
        let entrant = entered(arguments, (*method, ready), &retriever, (&gold, &tests))?;
        entrants.push((*method, entrant));
    }
    if let Some(folder) = &arguments.runs {
        keep(folder, &entrants)?;
    }
    let setting = arguments.setting(&collection, &entrants);
    let boards = entrants.into_iter().map(|(method, one)| (method.to_string(), one.board));
    arguments.comparing.show(boards.collect(), setting, &arguments.uncertainty)
}

/// One method asked and scored; how long it took is said.
fn entered(
    arguments: &Arguments,
    (method, ready): (Method, Duration),
    retriever: &Retriever,
    benchmark: (&Source, &[Test<'_>]),
) -> Result<Entrant> {
    let collection = retriever.collection();
    let asked = Instant::now();
    let queries = queries(benchmark.1);
    let stage = Stage::of(queries.len(), format!("{method}: answering queries"));
    let depth = arguments.depth();
    let answers = ask(retriever, &queries, depth, &mut |done| stage.advance_to(done))?;
    drop(stage);
    terminal::remark(&format!(
        "{method}: {} passages indexed in {:.2} s, {} queries answered in {:.2} s",
        collection.passages().len(),
        ready.as_secs_f64(),
        queries.len(),
        asked.elapsed().as_secs_f64()
    ));
    let notes = notes::on_answers(&queries, &answers);
    say(&notes.into_iter().map(|note| format!("{method}: {note}")).collect::<Vec<_>>());
    if let Some(identified) = notes::on_routes(benchmark.1, &answers, collection.corpus()) {
        terminal::remark(&format!("{method}: {identified}"));
    }
    Ok(enter(collection, &answers, benchmark, &arguments.score_options())?)
}

fn keep(folder: &Path, entrants: &[(Method, Entrant)]) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("could not create the folder {}", folder.display()))?;
    for (method, entrant) in entrants {
        files::write(&folder.join(format!("{method}.json")), &entrant.predictions)?;
    }
    Ok(())
}

impl Arguments {
    /// BEIR judges documents, and what is compared here are passages.
    fn refuse_folder(&self) -> Result<()> {
        let folder = self.benchmark.display();
        ensure!(
            queries_in(&self.benchmark) == self.benchmark,
            "{folder}: a BEIR folder has no gold snippets, which this command needs (JSON with \
             `tests`); instead, run `assize retrieve {folder} --corpus {folder} -o run.trec` for \
             each method and `assize compare {folder} RUN RUN`"
        );
        Ok(())
    }

    fn depth(&self) -> usize {
        let k = usize::try_from(self.k).unwrap_or(usize::MAX);
        if self.spans { k.max(CUT_OFFS[CUT_OFFS.len() - 1]) } else { k }
    }

    fn score_options(&self) -> ScoreOptions {
        let k = usize::try_from(self.k).ok().and_then(NonZeroUsize::new);
        let k = k.unwrap_or(NonZeroUsize::MIN);
        ScoreOptions {
            passages: PassageOptions {
                k,
                ndcg_clipped: !self.ndcg_unclipped,
                ..PassageOptions::default()
            },
            measures: Measures::Text,
            ..ScoreOptions::default()
        }
    }

    /// The folder's own name.
    fn corpus_name(&self) -> String {
        let name = self.corpus.file_name().unwrap_or(self.corpus.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn setting(&self, collection: &Collection, entrants: &[(Method, Entrant)]) -> Setting {
        let lead = format!(
            "{} files split by {} into {} passages; the first {} passages of each query count.",
            collection.corpus().documents().len(),
            collection.chunking(),
            collection.passages().len(),
            self.k
        );
        let mut lead = vec![lead];
        if self.comparing.output.form() == Form::Html {
            lead.extend(self.methods.iter().map(|method| format!("{method}: {}", about(*method))));
        }
        Setting {
            title: format!("{} retrieval methods on {}", entrants.len(), self.corpus_name()),
            lead,
            tables: if self.spans { characters(entrants) } else { Vec::new() },
        }
    }
}

/// Precision and recall of characters as two tables.
fn characters(entrants: &[(Method, Entrant)]) -> Vec<Table> {
    let curves: Option<Vec<(String, &Vec<Point>)>> = entrants
        .iter()
        .map(|(method, entrant)| Some((method.to_string(), entrant.characters.as_ref()?)))
        .collect();
    let Some(curves) = curves else {
        terminal::notice("--spans needs gold with `file_path` and `span`; skipped");
        return Vec::new();
    };
    let row = |run: &String, points: &[Point], value: fn(&Point) -> f64| {
        let columns = CUT_OFFS.iter().map(|k| format!("@{k}"));
        TableRow { run: run.clone(), values: columns.zip(points.iter().map(value)).collect() }
    };
    let table = |title: &str, note: &str, value: fn(&Point) -> f64| Table {
        title: title.to_owned(),
        note: note.to_owned(),
        runs: curves.iter().map(|(run, points)| row(run, points, value)).collect(),
    };
    vec![
        table(
            "Character precision",
            "Share of the retrieved characters that is gold; overlaps count once.",
            |point| point.precision,
        ),
        table("Character recall", "Share of the gold characters that was retrieved.", |point| {
            point.recall
        }),
    ]
}

fn about(method: Method) -> &'static str {
    match method {
        Method::TfIdf => "words and word pairs weighted by rarity, compared by cosine.",
        Method::Bm25 => "stems weighted by rarity, frequency and passage length.",
        Method::Dense => "cosine similarity of embeddings: meaning, not exact words.",
        Method::Hybrid => {
            "BM25 on stems combined with embeddings; in a document named by the query, also terms \
             of likely answers."
        }
    }
}
