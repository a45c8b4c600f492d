//! Retrieves for a benchmark and prints how well and how fast.
//!
//! ```text
//! cargo run --release -p assize-search --example retrieve -- BENCHMARK.json CORPUS \
//!     [--method hybrid] [--chunk words:500/250] [--k 10] [--half tune|report] [--spans] [--output FILE] \
//!     [--form given|in|under|end|none] [--anonymous]
//! ```
//!
//! `--form` puts queries of the kind "Consider X; question" in other words, and `--anonymous`
//! gives files numbers for names: what is found should hang on neither.
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, io};

use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::{Gold, Pair, Passage, PassageOptions, Predictions, Test};
use assize_methods::retrieval::{passages, spans};
use assize_search::benchmark::check_snippet;
use assize_search::corpus::{Limits, read_folder};
use assize_search::{Chunking, Collection, Corpus, Document, Method, Prediction, Retriever};
use sha2::{Digest, Sha256};

/// Cut-offs of LegalBench-RAG.
const CUT_OFFS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

struct Arguments {
    benchmark: String,
    corpus: String,
    method: Method,
    chunking: Chunking,
    k: usize,
    half: Option<u64>,
    spans: bool,
    output: Option<String>,
    form: String,
    anonymous: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let text = fs::read_to_string(&arguments.benchmark)?;
    let Gold(mut tests) = serde_json::from_str(&text)?;
    if let Some(half) = arguments.half {
        tests.retain(|test| half_of(test) == half);
    }
    let started = Instant::now();
    let (corpus, report) = read_folder(Path::new(&arguments.corpus), Limits::default())?;
    let read = started.elapsed();
    print!("{report}");
    check(&tests, &corpus)?;
    let paths: Vec<String> =
        corpus.documents().iter().map(|document| document.path.clone()).collect();
    let corpus = if arguments.anonymous { anonymous(&corpus) } else { corpus };
    let started = Instant::now();
    let retriever = Retriever::new(Collection::new(corpus, arguments.chunking), arguments.method);
    let indexed = started.elapsed();
    let started = Instant::now();
    let depth = if arguments.spans { arguments.k.max(64) } else { arguments.k };
    let queries: Vec<String> =
        tests.iter().map(|test| in_form(&test.query, &arguments.form)).collect();
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let answers = retriever.search_all(&queries, depth)?;
    let searched = started.elapsed();
    let collection = retriever.collection();
    let predictions: Vec<Prediction<'_>> = tests
        .iter()
        .zip(&answers)
        .map(|(test, answer)| Prediction::new(&test.query, answer, collection))
        .collect();
    let written = serde_json::to_string(&predictions)?;
    if let Some(output) = &arguments.output {
        fs::write(output, &written)?;
    }
    println!(
        "{} {}: {} passages of {} files; read {read:.1?}, index {indexed:.1?}, {} queries {searched:.1?}; {} MB at most",
        arguments.method,
        arguments.chunking,
        collection.passages().len(),
        collection.corpus().documents().len(),
        tests.len(),
        peak_megabytes()
    );
    let routed = answers.iter().filter(|answer| answer.route.is_some()).count();
    let right = tests.iter().zip(&answers).filter(|(test, answer)| {
        let gold = test.snippets.iter().filter_map(Passage::location);
        let route = answer.route.as_ref().map(|route| paths[route.document].as_str());
        gold.map(|place| place.comparable_path().into_owned())
            .any(|path| Some(path.as_str()) == route)
    });
    println!(
        "  document named: {routed} of {} queries, the right one: {}",
        tests.len(),
        right.count()
    );
    measure(&written, &tests, &arguments)
}

/// The same texts under numbers for names, in the same order.
fn anonymous(corpus: &Corpus) -> Corpus {
    let documents = corpus.documents().iter().enumerate();
    let numbered = |(number, document): (usize, &Document)| {
        Document::new(&format!("{number:06}.txt"), document.text.clone())
    };
    Corpus::new(documents.map(numbered).collect())
}

/// "Consider X; question" in other words.
fn in_form(query: &str, form: &str) -> String {
    let Some((naming, question)) = query.split_once(';') else {
        return query.to_owned();
    };
    let name = naming.trim().trim_start_matches("Consider ");
    let question = question.trim();
    let mut letters = question.chars();
    let first = letters.next().map(char::to_lowercase).into_iter().flatten().collect::<String>();
    let lower = first + letters.as_str();
    match form {
        "in" => format!("In {name}, {lower}"),
        "under" => format!("under {name} {lower}"),
        "end" => format!("{} in {name}?", question.trim_end_matches('?')),
        "none" => question.to_owned(),
        _ => query.to_owned(),
    }
}

fn check(tests: &[Test<'_>], corpus: &Corpus) -> Result<(), Box<dyn Error>> {
    for test in tests {
        for snippet in &test.snippets {
            let Some(place) = snippet.location() else { continue };
            let span = (usize::try_from(place.span.start())?, usize::try_from(place.span.end())?);
            let remark = check_snippet(corpus, &place.file_path, span, snippet.text.as_deref());
            if let Some(remark) = remark {
                println!("{remark}");
            }
        }
    }
    Ok(())
}

fn measure(written: &str, tests: &[Test<'_>], arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let Predictions(predictions) = serde_json::from_str(written)?;
    let pairs: Vec<Pair<'_>> = predictions
        .iter()
        .zip(tests)
        .map(|(prediction, test)| Pair {
            query: &test.query,
            retrieved: &prediction.retrieved_passages,
            gold: &test.snippets,
        })
        .collect();
    let k = NonZeroUsize::new(arguments.k).ok_or("k is at least 1")?;
    for (reading, clipped) in [("default", true), ("unclipped", false)] {
        let options = PassageOptions { k, ndcg_clipped: clipped, ..PassageOptions::default() };
        let mut totals = [0.0; 4];
        let mut counter = OverlapCounter::default();
        for pair in &pairs {
            let values = passages::score(pair, &options, &mut counter).into_values();
            for (total, value) in totals.iter_mut().zip(values) {
                *total += value;
            }
        }
        let [_, f1, recall, ndcg] = totals.map(|total| total / pairs.len() as f64);
        println!("  f1 {f1:.4}  recall@{k} {recall:.4}  ndcg@{k} {ndcg:.4}  ({reading})");
    }
    if arguments.spans {
        for k in CUT_OFFS {
            let k = NonZeroUsize::new(k).ok_or("k is at least 1")?;
            let options = spans::SpanOptions { k, compat: false };
            let scores = pairs.iter().map(|pair| spans::score(pair, &options));
            let [precision, recall, _] = scores.fold([0.0; 3], |total, values| {
                [total[0] + values[0], total[1] + values[1], total[2] + values[2]]
            });
            let count = pairs.len() as f64;
            let (precision, recall) = (100.0 * precision / count, 100.0 * recall / count);
            println!("  characters at {k}: precision {precision:.2} %, recall {recall:.2} %");
        }
    }
    Ok(())
}

/// Which half a test belongs to: 0, on which weights were chosen, or 1. It hangs on its
/// first gold file, so that no document is in both.
fn half_of(test: &Test<'_>) -> u64 {
    let first = test.snippets.first().and_then(Passage::location);
    let path = first.map(|place| place.comparable_path().into_owned()).unwrap_or_default();
    u64::from(Sha256::digest(path.as_bytes())[0] % 2)
}

/// The most memory the process ever held, where the system tells.
fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) / 1024
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut places = Vec::new();
    let mut arguments = Arguments {
        benchmark: String::new(),
        corpus: String::new(),
        method: Method::Hybrid,
        chunking: Chunking::default(),
        k: 10,
        half: None,
        spans: false,
        output: None,
        form: "given".to_owned(),
        anonymous: false,
    };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value =
            || words.next().ok_or_else(|| io::Error::other(format!("{word} needs a value")));
        match word.as_str() {
            "--method" => arguments.method = value()?.parse()?,
            "--chunk" => arguments.chunking = value()?.parse()?,
            "--k" => arguments.k = value()?.parse()?,
            "--half" => arguments.half = Some(u64::from(value()? == "report")),
            "--form" => arguments.form = value()?,
            "--anonymous" => arguments.anonymous = true,
            "--spans" => arguments.spans = true,
            "--output" => arguments.output = Some(value()?),
            _ => places.push(word),
        }
    }
    let [benchmark, corpus] =
        places.try_into().map_err(|_| "usage: retrieve BENCHMARK.json CORPUS [options]")?;
    Ok(Arguments { benchmark, corpus, ..arguments })
}
