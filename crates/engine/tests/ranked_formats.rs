//! The same judgements and the same run in every format give the same scoreboard.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use assize_engine::retrieval::ranked::{
    Columns, Duplicates, Format, Qrels, RankedOptions, Reading, Run, explain, score, score_file,
};
use assize_engine::retrieval::scoreboard::{Aggregate, Scoreboard};
use assize_methods::retrieval::ranked::Measure;

/// Query 1: d1 and d3 are relevant; query 2: d2, highly. Query 9 is in the qrels alone.
const QRELS: &str = "1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n2 0 d2 2\n9 0 d1 1\n";

/// Query 1: d2, d1, x. Query 2: d2 at rank 2. Query 3 was never judged.
const RUN: &str = "1 Q0 d2 1 3 t\n1 Q0 d1 2 2.5 t\n1 Q0 x 3 1 t\n2 Q0 y 1 0.9 t\n2 Q0 d2 2 0.8 t\n3 Q0 d1 1 1 t\n";

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for the test") }
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, content).expect("the folder is writable");
        path
    }
}

fn measures() -> Vec<Measure> {
    let names = ["map", "mrr", "p@2", "recall@10", "num_ret"];
    names.map(|name| name.parse().expect("a measure")).to_vec()
}

fn board(qrels: &Qrels, run: &std::path::Path) -> Scoreboard {
    let options = RankedOptions::default();
    score_file(run, &Reading::default(), qrels, &measures(), &options).expect("the run is read")
}

fn qrels(files: &Files, name: &str, content: &str) -> Qrels {
    Qrels::load(&files.write(name, content), &Reading::default()).expect("the qrels are read")
}

/// By hand. Query 1: AP (1/2) / 2, RR 1/2, P@2 1/2, recall 1/2. Query 2: AP, RR and P@2 1/2,
/// recall 1.
#[test]
fn a_small_run_has_the_values_worked_out_by_hand() {
    let files = Files::new();
    let board = board(&qrels(&files, "qrels", QRELS), &files.write("run", RUN));
    let rows: Vec<(&str, &[f64])> =
        board.rows.iter().map(|row| (row.query.as_str(), row.values.as_slice())).collect();
    let expected: [(&str, &[f64]); 2] =
        [("1", &[0.25, 0.5, 0.5, 0.5, 3.0]), ("2", &[0.5, 0.5, 0.5, 1.0, 2.0])];
    assert_eq!(rows, expected);
    assert_eq!(board.columns[4].aggregate, Aggregate::Sum);
    let notices = [
        "1 query in the run has no judgements and is skipped: 3",
        "1 query in the qrels is not in the run and is skipped: 9",
    ];
    assert_eq!(board.notices, notices);
}

/// What follows the tag is passed over, as `trec_eval` does, but not in silence.
#[test]
fn a_line_with_more_than_six_fields_is_remarked_on() {
    let files = Files::new();
    let qrels = qrels(&files, "qrels", QRELS);
    let plain = board(&qrels, &files.write("plain", RUN));
    let surplus = "the run has lines with more than six fields; what follows the tag is ignored";
    // In order, every line alike, and with a query that comes again.
    let runs = [
        RUN.replace("d1 2 2.5 t", "d1 2 2.5 t x y"),
        RUN.replace(" t\n", " t x\n"),
        format!("3 Q0 d9 1 1 t more\n{RUN}"),
    ];
    for run in runs {
        let board = board(&qrels, &files.write("run", &run));
        assert_eq!(board.rows, plain.rows, "{run}");
        assert_eq!(board.notices.last().map(String::as_str), Some(surplus), "{run}");
        assert_eq!(board.notices.len(), plain.notices.len() + 1, "{run}");
    }
}

#[test]
fn every_format_of_qrels_says_the_same() {
    let files = Files::new();
    let run = files.write("run", RUN);
    let expected = board(&qrels(&files, "qrels.trec", QRELS), &run);
    let beir = "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td2\t0\n1\td3\t1\n2\td2\t2\n9\td1\t1\n";
    let csv = "relevance,query_id,doc_id\n1,1,d1\n0,1,d2\n1,1,d3\n2,2,d2\n1,9,d1\n";
    let json = r#"{"1": {"d1": 1, "d2": 0, "d3": 1}, "2": {"d2": 2}, "9": {"d1": 1}}"#;
    let lines = r#"{"query-id": "1", "corpus-id": "d1", "score": 1}
{"query-id": "1", "corpus-id": "d2", "score": 0}
{"query-id": "1", "corpus-id": "d3", "score": 1}
{"query-id": "2", "corpus-id": "d2", "score": 2}
{"query-id": 9, "corpus-id": "d1", "score": 1}
"#;
    for (name, content) in [("a.tsv", beir), ("b.csv", csv), ("c.json", json), ("d.jsonl", lines)] {
        assert_eq!(board(&qrels(&files, name, content), &run), expected, "{name}");
        let marked = format!("\u{feff}{content}");
        assert_eq!(board(&qrels(&files, name, &marked), &run), expected, "{name} with a mark");
    }
}

#[test]
fn every_format_of_a_run_says_the_same() {
    let files = Files::new();
    let qrels = qrels(&files, "qrels", QRELS);
    let expected = board(&qrels, &files.write("run.trec", RUN));
    let csv = "query_id,doc_id,score\n1,d2,3\n1,d1,2.5\n1,x,1\n2,y,.9\n2,d2,.8\n3,d1,1\n";
    let ranks = "qid\tdocid\trank\n1\td2\t1\n1\td1\t2\n1\tx\t3\n2\ty\t1\n2\td2\t2\n3\td1\t1\n";
    let json = r#"{"1": {"d2": 3, "d1": 2.5, "x": 1}, "2": {"y": 0.9, "d2": 0.8}, "3": {"d1": 1}}"#;
    let lists = r#"{"1": ["d2", "d1", "x"], "2": ["y", "d2"], "3": ["d1"]}"#;
    let lines = r#"{"qid": 1, "results": ["d2", "d1", "x"]}
{"qid": 2, "results": [{"doc_id": "y", "score": 0.9}, {"doc_id": "d2", "score": 0.8}]}
{"qid": 3, "docid": "d1", "score": 1}
"#;
    let mixed = "2 Q0 d2 2 0.8 t\n1 Q0 x 3 1 t\n3 Q0 d1 1 1 t\n2 Q0 y 1 0.9 t\n1 Q0 d1 2 2.5 t\n1 Q0 d2 1 3 t";
    let texts = [
        ("a.csv", csv),
        ("b.tsv", ranks),
        ("c.json", json),
        ("d.json", lists),
        ("e.jsonl", lines),
        ("f", mixed),
    ];
    for (name, content) in texts {
        assert_eq!(board(&qrels, &files.write(name, content)), expected, "{name}");
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(RUN.as_bytes()).unwrap();
    assert_eq!(board(&qrels, &files.write("run.gz", gzip.finish().unwrap())), expected);
    let zstd = zstd::encode_all(RUN.as_bytes(), 1).unwrap();
    assert_eq!(board(&qrels, &files.write("run.zst", zstd)), expected);
}

#[test]
fn a_stated_format_and_stated_columns_are_followed() {
    let files = Files::new();
    let name = |name: &str| Some(name.to_owned());
    let columns = Columns {
        query: name("topic number"),
        document: name("id"),
        value: name("gain"),
        rank: None,
    };
    let reading = Reading { format: Some(Format::Table), columns };
    let path = files.write("odd.txt", "id;topic number;gain\nd1;1;1\n");
    let qrels = Qrels::load(&path, &reading).unwrap();
    assert_eq!(qrels.queries().collect::<Vec<_>>(), ["1"]);
}

#[test]
fn bad_input_is_answered_with_its_place() {
    let files = Files::new();
    let judged = qrels(&files, "qrels", QRELS);
    let run = |content: &str| {
        let path = files.write("run", content);
        let options = RankedOptions::default();
        let error =
            score_file(&path, &Reading::default(), &judged, &measures(), &options).unwrap_err();
        error.to_string().replace(&path.display().to_string(), "run")
    };
    let cases = [
        (
            "1 Q0 d1 1 2.5 t\n1 Q0 d2 2 nan t\n",
            "run:2:11: expected a score that is a number, found `nan`",
        ),
        ("1 Q0 d1 1 2.5 t\n1 Q0 d2 2\n", "run:2:10: expected a score, found the end of the line"),
        ("1 Q0 d1 1 2 t\n1 Q0 d1 2 1 t\n", "run:2: document `d1` appears twice for query `1`"),
        ("", "run: is empty"),
        ("\n# nothing\n\n\n", "run: contains no retrieved documents"),
        (
            "7 Q0 d1 1 2 t\n",
            "no query of the run has judgements; the run has query `7`, the judgements have `1`",
        ),
    ];
    for (content, message) in cases {
        assert_eq!(run(content), message);
    }
    let load = |content: &str| {
        let path = files.write("bad", content);
        let error = Qrels::load(&path, &Reading::default()).unwrap_err();
        error.to_string().replace(&path.display().to_string(), "bad")
    };
    assert_eq!(load("1 0 d1 1\n1 0 d1 0\n"), "bad:2: document `d1` appears twice for query `1`");
    let message = "bad:3:8: expected a level of relevance that is a whole number, found `high`";
    assert_eq!(load("1 0 d1 1\n# note\n1 0 d2 high\n"), message);
    let folder = Qrels::load(files.folder.path(), &Reading::default()).unwrap_err().to_string();
    assert!(folder.ends_with("is a directory, expected a file"), "{folder}");
}

#[test]
fn a_run_may_be_told_to_keep_the_better_of_two() {
    let files = Files::new();
    let qrels = qrels(&files, "qrels", QRELS);
    let path = files.write("run", "1 Q0 d1 1 2 t\n1 Q0 d1 2 1 t\n1 Q0 d3 3 .5 t\n");
    let options = RankedOptions { duplicates: Duplicates::KeepBest, ..RankedOptions::default() };
    let board = score_file(&path, &Reading::default(), &qrels, &measures(), &options).unwrap();
    assert_eq!(board.rows[0].values, [1.0, 1.0, 1.0, 1.0, 2.0]);
}

#[test]
fn unanswered_queries_count_with_zero_when_asked() {
    let files = Files::new();
    let qrels = qrels(&files, "qrels", QRELS);
    let options = RankedOptions { all_queries: true, ..RankedOptions::default() };
    let path = files.write("run", RUN);
    let board = score_file(&path, &Reading::default(), &qrels, &measures(), &options).unwrap();
    assert_eq!(board.rows[2].query, "9");
    assert_eq!(board.rows[2].values, [0.0; 5]);
}

#[test]
fn one_query_is_explained_by_the_formulas_that_score_it() {
    let qrels = Qrels::from_judgements([("q", "a", 1), ("q", "b", 0), ("q", "c", 1)]).unwrap();
    let run = Run::from_scores("r", [("q", "b", 3.0), ("q", "a", 2.0)]);
    let options = RankedOptions::default();
    let all = Measure::parse_all("all_trec").unwrap();
    let verdict = explain(&run, &qrels, "q", &all, &options).unwrap();
    let board = score(&run, &qrels, &all, &options).unwrap();
    for ((name, outcome), value) in verdict.scores.iter().zip(&board.rows[0].values) {
        assert_eq!(outcome.value(), Some(*value), "{name}");
    }
    let ledger = "\
map: 0.2500  = part / whole
  precision at relevant ranks: 0.5000  = sum
    precision: 0.5000  = part / whole
      relevant so far: 1
      rank: 2
  relevant: 2
";
    assert_eq!(verdict.score("map").unwrap().to_string(), ledger);
    let error = explain(&run, &qrels, "p", &all, &options).unwrap_err();
    assert_eq!(error.to_string(), "query `p` is not in the qrels");
}
