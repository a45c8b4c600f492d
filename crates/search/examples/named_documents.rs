//! How well the default method finds passages when questions name their document in other ways.
//!
//! `cargo run --release -p assize-search --example named_documents BENCHMARK.json CORPUS`, with a
//! benchmark whose questions read `Consider NAME; QUESTION`, as those of LegalBench-RAG do.

#![expect(clippy::print_stdout, reason = "it is what the example is for")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use assize_methods::retrieval::passages::input::{Gold, Test};
use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::{Pair, Passage, PassageOptions, score};
use assize_search::corpus::{Limits, read_folder};
use assize_search::{Chunking, Collection, Corpus, Document, Method, Retriever};

const K: usize = 10;

/// A way to put a question about a named document: its name in the query, the question, its file.
type Form = fn(&str, &str, &str) -> String;

const FORMS: [(&str, Form); 10] = [
    ("Consider X; …", |name, question, _| format!("Consider {name}; {question}")),
    ("Consider X, …", |name, question, _| format!("Consider {name}, {question}")),
    ("Consider X …", |name, question, _| format!("Consider {name} {question}")),
    ("In X, …", |name, question, _| format!("In {name}, {question}")),
    ("… in X?", |name, question, _| format!("{} in {name}?", question.trim_end_matches('?'))),
    ("lower case;", |name, question, _| format!("consider {name}; {question}").to_lowercase()),
    ("lower case,", |name, question, _| format!("consider {name}, {question}").to_lowercase()),
    ("lower case", |name, question, _| format!("consider {name} {question}").to_lowercase()),
    ("In \"FILE\", …", |_, question, file| format!("In \"{file}\", {question}")),
    ("no name", |_, question, _| question.to_owned()),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [benchmark, corpus] = arguments.as_slice() else {
        return Err("usage: named_documents BENCHMARK.json CORPUS".into());
    };
    let text = std::fs::read_to_string(benchmark)?;
    let Gold(tests) = serde_json::from_str(&text)?;
    let corpus = read_folder(Path::new(corpus), Limits::default())?.0;
    let paths: Vec<String> =
        corpus.documents().iter().map(|document| document.path.clone()).collect();
    println!("{:<32} {:>7} {:>7} {:>7} {:>7}", "form", "R@10", "nDCG@10", "right", "wrong");
    let named =
        Retriever::new(Collection::new(corpus.clone(), Chunking::default()), Method::Hybrid);
    for (form, put) in FORMS {
        measure(form, &named, &tests, &paths, put)?;
    }
    given(&named, &tests)?;
    let numbered = corpus.documents().iter().enumerate();
    let numbered = numbered
        .map(|(index, document)| Document::new(&format!("{index:04}.txt"), document.text.clone()));
    let numbered = Corpus::new(numbered.collect());
    let collection = Arc::new(Collection::new(numbered, Chunking::default()));
    let anonymous = Retriever::new(collection, Method::Hybrid);
    for (form, put) in [FORMS[0], FORMS[5]] {
        measure(&format!("{form} numbers as file names"), &anonymous, &tests, &paths, put)?;
    }
    Ok(())
}

fn measure(
    form: &str,
    retriever: &Retriever,
    tests: &[Test<'_>],
    paths: &[String],
    put: Form,
) -> Result<(), Box<dyn Error>> {
    let queries: Vec<String> = tests
        .iter()
        .map(|test| {
            let ((name, question), file) = (parts(test)?, file(test)?);
            let file = file.rsplit('/').next().unwrap_or(file);
            Ok(put(name, question, file))
        })
        .collect::<Result<_, &str>>()?;
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let options = PassageOptions::default();
    let mut counter = OverlapCounter::default();
    let mut sums = BTreeMap::from([("right", 0.0), ("wrong", 0.0), ("recall", 0.0), ("ndcg", 0.0)]);
    let mut add = |key: &'static str, value: f64| *sums.entry(key).or_default() += value;
    for (answer, test) in retriever.search_all(&queries, K)?.iter().zip(tests) {
        let found = answer.hits.iter().map(|hit| retriever.collection().text(hit.passage));
        let passages: Vec<Passage<'_>> = found.map(Passage::of_text).collect();
        let pair = Pair { query: &test.query, retrieved: &passages, gold: &test.snippets };
        let [_, _, recall, ndcg] = score(&pair, &options, &mut counter).into_values();
        add("recall", recall);
        add("ndcg", ndcg);
        let gold = test.snippets.first().and_then(Passage::location);
        if let Some(route) = &answer.route {
            let is_right = gold.is_some_and(|gold| *gold.file_path == *paths[route.document]);
            add(if is_right { "right" } else { "wrong" }, 1.0);
        }
    }
    let count = tests.len() as f64;
    println!(
        "{form:<32} {:>7.4} {:>7.4} {:>7} {:>7}",
        sums["recall"] / count,
        sums["ndcg"] / count,
        sums["right"],
        sums["wrong"]
    );
    Ok(())
}

/// The name of the document and the question, as LegalBench-RAG puts them.
fn parts<'a>(test: &'a Test<'_>) -> Result<(&'a str, &'a str), &'static str> {
    let query = test.query.trim_start_matches("Consider ");
    let (name, question) = query.split_once(';').ok_or("a query without `;`")?;
    Ok((name, question.trim()))
}

/// The file that holds the answer.
fn file<'a>(test: &'a Test<'_>) -> Result<&'a str, &'static str> {
    let gold = test.snippets.iter().find_map(Passage::location).ok_or("gold without a file")?;
    Ok(&gold.file_path)
}

/// What ranking within the document is worth by itself: only the passages of the right document
/// are ranked. BM25 by stems on the question alone is what the default method is held against, to
/// which the document is given by its quoted file name.
fn given(named: &Retriever, tests: &[Test<'_>]) -> Result<(), Box<dyn Error>> {
    let bm25 = Retriever::new(named.collection().clone(), Method::Bm25);
    inside("bm25, document given", &bm25, tests, |question, _| question.to_owned())?;
    inside("hybrid, document given", named, tests, |question, file| {
        format!("In \"{}\", {question}", file.rsplit('/').next().unwrap_or(file))
    })
}

fn inside(
    form: &str,
    retriever: &Retriever,
    tests: &[Test<'_>],
    put: fn(&str, &str) -> String,
) -> Result<(), Box<dyn Error>> {
    let collection = retriever.collection();
    let options = PassageOptions::default();
    let mut counter = OverlapCounter::default();
    let (mut recalls, mut ndcgs) = (0.0, 0.0);
    for test in tests {
        let ((_, question), file) = (parts(test)?, file(test)?);
        let hits = retriever.search(&put(question, file), collection.passages().len())?.hits;
        let passages = hits.iter().map(|hit| hit.passage);
        let inside = passages.filter(|passage| collection.path(*passage) == file).take(K);
        let found: Vec<Passage<'_>> =
            inside.map(|passage| Passage::of_text(collection.text(passage))).collect();
        let pair = Pair { query: &test.query, retrieved: &found, gold: &test.snippets };
        let [_, _, recall, ndcg] = score(&pair, &options, &mut counter).into_values();
        recalls += recall;
        ndcgs += ndcg;
    }
    let count = tests.len() as f64;
    println!("{form:<32} {:>7.4} {:>7.4} {:>7} {:>7}", recalls / count, ndcgs / count, "-", "-");
    Ok(())
}
