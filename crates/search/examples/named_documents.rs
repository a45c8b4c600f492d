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

/// A way to put a question about a named document.
type Form = fn(&str, &str) -> String;

const FORMS: [(&str, Form); 9] = [
    ("Consider X; …", |name, question| format!("Consider {name}; {question}")),
    ("Consider X, …", |name, question| format!("Consider {name}, {question}")),
    ("Consider X …", |name, question| format!("Consider {name} {question}")),
    ("In X, …", |name, question| format!("In {name}, {question}")),
    ("… in X?", |name, question| format!("{} in {name}?", question.trim_end_matches('?'))),
    ("lower case;", |name, question| format!("consider {name}; {question}").to_lowercase()),
    ("lower case,", |name, question| format!("consider {name}, {question}").to_lowercase()),
    ("lower case", |name, question| format!("consider {name} {question}").to_lowercase()),
    ("no name", |_, question| question.to_owned()),
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
    let asked = |test: &Test<'_>| {
        let query = test.query.trim_start_matches("Consider ");
        query.split_once(';').map(|(name, question)| put(name, question.trim()))
    };
    let queries: Vec<String> = tests
        .iter()
        .map(|test| asked(test).ok_or("a query without `;`"))
        .collect::<Result<_, _>>()?;
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
