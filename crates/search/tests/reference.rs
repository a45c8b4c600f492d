//! The reference figures on contractnli. Run by `cargo xtask test --data DIR`.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::{
    Gold, Pair, Passage, PassageOptions, Predictions, Test, score,
};
use assize_search::corpus::{Limits, read_folder};
use assize_search::dense::StaticTable;
use assize_search::{Chunking, Collection, Method, Options, Prediction, Retriever, Stem};

struct Reference {
    folder: PathBuf,
    gold: String,
    collection: Arc<Collection>,
}

fn reference() -> Reference {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let folder = PathBuf::from(data).join("retrieval/contractnli");
    let gold = fs::read_to_string(folder.join("benchmark.json")).expect("the benchmark");
    let (corpus, report) =
        read_folder(&folder.join("corpus"), Limits::default()).expect("the corpus");
    assert!(report.remarks.is_empty(), "{report}");
    Reference { folder, gold, collection: Collection::new(corpus, Chunking::default()).into() }
}

impl Reference {
    fn tests(&self) -> Vec<Test<'_>> {
        let Gold(tests) = serde_json::from_str(&self.gold).expect("gold");
        tests
    }

    fn predictions(&self, method: Method, stem: Stem) -> String {
        self.predictions_for(method, stem, str::to_owned)
    }

    /// What is found when every query is put in another form.
    fn predictions_for(&self, method: Method, stem: Stem, put: fn(&str) -> String) -> String {
        let options = Options { stem, ..Options::default() };
        let (collection, table) = (Arc::clone(&self.collection), Arc::new(StaticTable));
        let retriever = Retriever::with(collection, method, options, table).expect("compiled in");
        let tests = self.tests();
        let queries: Vec<String> = tests.iter().map(|test| put(&test.query)).collect();
        let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
        let answers = retriever.search_all(&queries, 10).expect("no network is needed");
        let predictions: Vec<Prediction<'_>> = queries
            .iter()
            .zip(&answers)
            .map(|(query, answer)| Prediction::new(query, answer, &self.collection))
            .collect();
        serde_json::to_string(&predictions).expect("JSON")
    }

    /// Mean recall@10 and nDCG@10 over all 977 queries.
    fn figures(&self, method: Method, stem: Stem, ndcg_clipped: bool) -> (f64, f64) {
        self.figures_of(&self.predictions(method, stem), ndcg_clipped)
    }

    fn figures_of(&self, predictions: &str, ndcg_clipped: bool) -> (f64, f64) {
        let Predictions(predictions) = serde_json::from_str(predictions).expect("ours");
        let options = PassageOptions { ndcg_clipped, ..PassageOptions::default() };
        let mut counter = OverlapCounter::default();
        let tests = self.tests();
        let (mut recall, mut ndcg) = (0.0, 0.0);
        for (test, prediction) in tests.iter().zip(&predictions) {
            let retrieved = &prediction.retrieved_passages;
            let pair = Pair { query: &test.query, retrieved, gold: &test.snippets };
            let measured = score(&pair, &options, &mut counter);
            recall += measured.recall;
            ndcg += measured.ndcg;
        }
        let count = tests.len() as f64;
        (recall / count, ndcg / count)
    }
}

/// The published nDCG is the bare formula, not held at 1.
#[test]
fn tfidf_and_bm25_reproduce_their_reference_figures() {
    let reference = reference();
    for (method, recall, ndcg) in [(Method::TfIdf, 31.41, 22.68), (Method::Bm25, 51.37, 43.43)] {
        let found = reference.figures(method, Stem::None, false);
        let near = (found.0 * 100.0 - recall).abs() < 1.0 && (found.1 * 100.0 - ndcg).abs() < 1.0;
        assert!(near, "{method}: {found:?} instead of {recall} % and {ndcg} %");
    }
}

#[test]
fn bm25_ranks_the_very_passages_of_the_reference_run() {
    let reference = reference();
    let theirs = reference.folder.join("bm25_predictions_100.json");
    let theirs = fs::read_to_string(theirs).expect("the reference run");
    let Predictions(theirs) = serde_json::from_str(&theirs).expect("the reference run");
    let ours = reference.predictions(Method::Bm25, Stem::None);
    let Predictions(ours) = serde_json::from_str(&ours).expect("ours");
    let words =
        |passage: &Passage<'_>| passage.text().split_whitespace().collect::<Vec<_>>().join(" ");
    for (theirs, ours) in theirs.iter().zip(&ours) {
        let theirs: Vec<String> = theirs.retrieved_passages.iter().map(words).collect();
        let ours: Vec<String> = ours.retrieved_passages.iter().map(words).collect();
        assert_eq!(ours, theirs);
    }
}

#[test]
fn hybrid_finds_nearly_all_golds_and_ranks_them_high() {
    let reference = reference();
    let (recall, ndcg) = reference.figures(Method::Hybrid, Stem::English, true);
    assert!(recall >= 0.98 && ndcg >= 0.91, "recall {recall}, ndcg {ndcg}");
}

#[test]
fn hybrid_finds_nearly_as_much_in_lower_case_and_the_same_with_any_sign() {
    let reference = reference();
    let found =
        |put: fn(&str) -> String| reference.predictions_for(Method::Hybrid, Stem::English, put);
    let (upper, lower) = (found(str::to_owned), found(str::to_lowercase));
    let figures = |predictions: &str| reference.figures_of(predictions, true);
    let ((recall, ndcg), (recall_lower, ndcg_lower)) = (figures(&upper), figures(&lower));
    assert!(recall - recall_lower < 0.03, "{recall} and {recall_lower} in lower case");
    assert!(ndcg - ndcg_lower < 0.03, "{ndcg} and {ndcg_lower} in lower case");
    // Every query reads `Consider NAME; QUESTION`: the sign behind the name says nothing.
    let passages = |text: &str| -> Vec<Vec<Passage<'static>>> {
        let Predictions(all) = serde_json::from_str(text).expect("ours");
        let owned = |passage: &Passage<'_>| Passage::of_text(passage.text().to_owned());
        all.iter().map(|one| one.retrieved_passages.iter().map(owned).collect()).collect()
    };
    let expected = passages(&upper);
    for put in [|query: &str| query.replacen(';', ",", 1), |query: &str| query.replacen(';', "", 1)]
    {
        assert!(passages(&found(put)) == expected, "another sign changes what is found");
    }
}

/// From bm25s 0.3.16 with `PyStemmer` 3.1.0 on the same passages.
#[test]
fn stemmed_bm25_has_the_figure_of_bm25s() {
    let reference = reference();
    let (_, ndcg) = reference.figures(Method::Bm25, Stem::English, true);
    assert!((ndcg - 0.400_538).abs() < 1e-6, "ndcg {ndcg}");
}
