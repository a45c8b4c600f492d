//! `assize init`, then `assize check`, as a newcomer tries them.

use std::fs;
use std::path::Path;

use crate::support::{assize, examples};

fn folder(samples: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in samples {
        fs::copy(examples().join(from), folder.path().join(to)).unwrap();
    }
    folder
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

#[test]
fn init_and_check_make_a_table_and_reports_for_three_samples() {
    let folder = folder(&[
        ("retrieval/keyword.json", "keyword.json"),
        ("retrieval/gold.json", "gold.json"),
        ("ecosystem/ragas-v2.jsonl", "ragas.jsonl"),
        ("summary/pairs.jsonl", "pairs.jsonl"),
    ]);
    let place = text(folder.path());
    let shown = assize(&["init", &place, "--print"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(!folder.path().join("assize.toml").exists(), "only shown");
    let said = assize(&["init", &place, "--workflow"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("gold.json: gold for retrieval"), "{}", said.stderr);
    assert!(said.stdout.contains("3 checks written"), "{}", said.stdout);
    let config = folder.path().join("assize.toml");
    let written = fs::read_to_string(&config).unwrap();
    assert_eq!(written, shown.stdout);
    let workflow = folder.path().join(".github/workflows/assize.yml");
    assert!(fs::read_to_string(&workflow).unwrap().contains("uses: actions/checkout"));
    assert_eq!(assize(&["init", &place]).code, 2, "nothing is overwritten");
    assert_eq!(fs::read_to_string(&config).unwrap(), written);
    let (junit, markdown) = (text(&folder.path().join("j.xml")), text(&folder.path().join("s.md")));
    let config = text(&config);
    let flags = ["--junit", &junit, "--markdown", &markdown];
    let said = assize(&[&["check", "--config", &config], &flags[..]].concat());
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    for word in ["keyword.json", "ragas.jsonl", "pairs.jsonl", "recall@10", "PASS: 3 of 3"] {
        assert!(said.stdout.contains(word), "{word}: {}", said.stdout);
    }
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    assert!(fs::read_to_string(junit).unwrap().contains("failures=\"0\""));
    assert!(fs::read_to_string(markdown).unwrap().starts_with("### assize check: PASS (3 of 3)"));
}

#[test]
fn documents_with_criteria_and_answers_are_proposed_too() {
    let folder = folder(&[
        ("compliance/access-policy.md", "access-policy.md"),
        ("compliance/criteria.csv", "criteria.csv"),
        ("council/gate.jsonl", "gate.jsonl"),
        ("council/run.json", "council.json"),
    ]);
    let said = assize(&["init", &text(folder.path())]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let config = folder.path().join("assize.toml");
    let written = fs::read_to_string(&config).unwrap();
    for part in [
        "evaluate = { criteria = \"criteria.csv\", documents = [\"access-policy.md\"] }",
        "gate = { input = \"gate.jsonl\" }",
        "council = { run = \"council.json\" }",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let said = assize(&["check", "--config", &text(&config)]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
}

#[test]
fn columns_of_another_name_are_mapped_and_a_doubt_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let article = "The bridge at Oban opened in 1932. It cost nine million pounds to build. \
                   It is painted grey every seven years. Trains cross it twice a day in summer.";
    let table = format!(
        "document,text,highlights\n\"{article}\",\"{article}\",The bridge at Oban opened in 1932.\n\
         \"{article}\",\"{article}\",It is painted grey every seven years.\n"
    );
    fs::write(folder.path().join("pairs.csv"), table).unwrap();
    let place = text(folder.path());
    let said = assize(&["init", &place]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("the article could be `document`, `text`"), "{}", said.stderr);
    let written = fs::read_to_string(folder.path().join("assize.toml")).unwrap();
    assert!(
        written.contains("map = { article = \"document\", summary = \"highlights\" }"),
        "{written}"
    );
    let refused = assize(&["init", &place, "--print", "--map", "article=texts"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("no column `texts`"), "{}", refused.stderr);
    let chosen = assize(&["init", &place, "--print", "--map", "article=text"]);
    assert!(chosen.stdout.contains("article = \"text\""), "{}", chosen.stdout);
}

#[test]
fn a_run_that_answers_too_little_is_written_and_fails() {
    let folder =
        folder(&[("retrieval/keyword.json", "run.json"), ("retrieval/gold.json", "gold.json")]);
    let run = folder.path().join("run.json");
    let mut answers: Vec<serde_json::Value> =
        serde_json::from_str(&fs::read_to_string(&run).unwrap()).unwrap();
    answers.truncate(2);
    fs::write(&run, serde_json::to_string(&answers).unwrap()).unwrap();
    assert_eq!(assize(&["init", &text(folder.path())]).code, 0);
    let config = folder.path().join("assize.toml");
    assert!(fs::read_to_string(&config).unwrap().contains("only 2 of 6 have an answer"));
    let said = assize(&["check", "--config", &text(&config)]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("only 2 of 6 queries are answered"), "{}", said.stdout);
}

#[test]
fn a_folder_with_nothing_of_ours_says_what_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.rs"), "fn main() {}").unwrap();
    let said = assize(&["init", &text(folder.path())]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("no recognised files"), "{}", said.stderr);
}

#[test]
fn tables_are_recognised_and_what_is_not_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("hits.csv", "query_id,doc_id,score\nq1,d1,0.9\nq1,d2,0.4\n");
    write("binary.csv", "query_id,doc_id,relevance\nq1,d1,1\n");
    write("graded.csv", "query_id,doc_id,relevance\nq1,d1,3\n");
    write("odd.csv", "x,y\n1,2\n");
    let said = assize(&["init", &text(folder.path())]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("hits.csv: a retrieval run"), "{}", said.stderr);
    assert!(said.stderr.contains("odd.csv: not recognised (no known columns"), "{}", said.stderr);
    let note = "hits.csv: two gold files match (graded.csv, binary.csv); using graded.csv";
    assert!(said.stderr.contains(note), "{}", said.stderr);
    let written = fs::read_to_string(folder.path().join("assize.toml")).unwrap();
    assert!(written.contains("gold = \"graded.csv\""), "{written}");
    assert!(!written.contains("(p < "), "{written}");
    assert_eq!(assize(&["check", "--config", &text(&folder.path().join("assize.toml"))]).code, 0);
}

/// A BEIR folder without a run: five records, and a question about each of three.
#[test]
fn a_bare_beir_folder_gets_a_check_that_searches() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("qrels")).unwrap();
    let records = [
        ("d1", "Harbours", "The harbour master assigns every ship a berth."),
        ("d2", "Orchards", "Apple trees are pruned in late winter."),
        ("d3", "Glass", "A furnace melts sand and soda into glass."),
        ("d4", "Bees", "A colony survives the winter on stored honey."),
        ("d5", "Roofs", "Slate roofs last for a century."),
    ];
    let record = |(id, title, text): &(&str, &str, &str)| {
        serde_json::json!({"_id": id, "title": title, "text": text}).to_string() + "\n"
    };
    write("corpus.jsonl", &records.iter().map(record).collect::<String>());
    let queries = [
        ("q1", "who assigns berths"),
        ("q2", "when are apple trees pruned"),
        ("q3", "what melts sand"),
    ];
    let query =
        |(id, text): &(&str, &str)| serde_json::json!({"_id": id, "text": text}).to_string() + "\n";
    write("queries.jsonl", &queries.iter().map(query).collect::<String>());
    write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq3\td3\t1\n");
    let place = text(folder.path());
    let said = assize(&["init", &place]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1 check written"), "{}{}", said.stdout, said.stderr);
    let config = folder.path().join("assize.toml");
    let written = fs::read_to_string(&config).unwrap();
    assert!(written.contains("retrieve = { queries = \"queries.jsonl\", corpus = \"corpus.jsonl\", qrels = \"qrels/test.tsv\" }"), "{written}");
    let reports = ["s.md", "c.json", "c.html"].map(|name| text(&folder.path().join(name)));
    let [markdown, json, html] = &reports;
    let flags = ["--markdown", markdown, "--json", json, "--html", html];
    let check = || assize(&[&["check", "--config", &text(&config)], &flags[..]].concat());
    let said = check();
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("PASS: 1 of 1"), "{}", said.stdout);
    // Each query finds all five documents, of which its own is judged.
    let judged = "judged: 3 of 15 retrieved documents";
    assert!(said.stderr.contains(judged), "{}", said.stderr);
    for report in &reports {
        let report = fs::read_to_string(report).unwrap();
        assert!(report.contains(judged), "{report}");
    }
    // A corpus that loses what is asked for fails.
    let without: String = records.iter().skip(1).map(record).collect();
    write("corpus.jsonl", &without);
    let said = check();
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
}

/// Every query retrieves documents that others were judged for: a true zero, which no bound can
/// guard. That nothing is proposed for disjoint files is tested with the other doors.
#[test]
fn a_folder_of_zeros_gets_no_check() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("run.csv", "query_id,doc_id,score\nq1,d2,0.9\nq2,d1,0.4\n");
    write("qrels.csv", "query_id,doc_id,relevance\nq1,d1,1\nq2,d2,1\n");
    let said = assize(&["init", &text(folder.path())]);
    assert_eq!(said.code, 2, "{}", said.stdout);
    let because = "run.csv: its scores are so low that a run of zeros would pass any check of them";
    assert!(said.stderr.contains(because), "{}", said.stderr);
    assert!(!folder.path().join("assize.toml").exists());
}
