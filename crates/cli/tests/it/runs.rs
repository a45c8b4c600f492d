//! `assize runs …` from the outside: a retrieval run, a summary run, a council and a compliance
//! run, saved, listed, shown, compared, rescored, exported and deleted, on both databases.

use std::process::{Command, Stdio};

use assize_testbed::Postgres;
use serde_json::{Value, json};

use crate::clerk::{Clerk, forms};
use crate::support::{Said, assize, examples};

/// A database to work with.
struct Base {
    database: String,
    folder: tempfile::TempDir,
    _server: Option<Postgres>,
}

impl Base {
    fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("assize.db").to_str().unwrap().to_owned();
        Self { database, folder, _server: None }
    }

    fn postgres() -> Self {
        let server = Postgres::start();
        let folder = tempfile::tempdir().unwrap();
        Self { database: server.database(), folder, _server: Some(server) }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn said(&self, arguments: &[&str]) -> Said {
        assize(&[arguments, &["--database", &self.database]].concat())
    }

    fn fine(&self, arguments: &[&str]) -> String {
        let said = self.said(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.stderr);
        said.stdout
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let text = self.fine(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&text).unwrap()
    }

    fn saves(&self, arguments: &[&str], number: u32) {
        let said = self.said(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.stderr);
        assert!(said.stderr.contains(&format!("saved as run #{number}")), "{}", said.stderr);
    }
}

const SCORE: [&str; 3] = ["score", "retrieval/keyword.json", "retrieval/gold.json"];
const OTHER: [&str; 3] = ["score", "retrieval/semantic.json", "retrieval/gold.json"];
const PAIRS: [&str; 4] = ["summary", "score", "--input", "summary/pairs.jsonl"];

fn retrieval(base: &Base) {
    base.saves(&[&SCORE[..], &["--save", "--name", "keyword"]].concat(), 1);
    base.saves(&[&OTHER[..], &["--save"]].concat(), 2);
    let taken = base.said(&[&SCORE[..], &["--name", "keyword"]].concat());
    assert_eq!(taken.code, 2, "{}", taken.stderr);
    assert!(taken.stderr.contains("named `keyword` already"), "{}", taken.stderr);
    let shown = base.json(&["runs", "show", "keyword"]);
    assert_eq!((shown["number"].as_i64(), shown["items"].as_i64()), (Some(1), Some(6)));
    let measured = assize(&[&SCORE[..], &["--format", "json"]].concat());
    let measured: Value = serde_json::from_str(&measured.stdout).unwrap();
    let mean = |view: &Value, name: &str| {
        let means = view["means"].as_array().unwrap();
        means.iter().find(|mean| mean["measure"] == name).unwrap()["mean"].as_f64().unwrap()
    };
    let recall = measured["measures"]["recall@10"]["value"].as_f64().unwrap();
    assert!((mean(&shown, "recall@10") - recall).abs() < 1e-12, "{measured}");
    // With another k the stored files give what the files themselves give.
    base.fine(&["runs", "rescore", "1", "--k", "1"]);
    let fresh = assize(&[&SCORE[..], &["--format", "json", "--k", "1"]].concat());
    let fresh: Value = serde_json::from_str(&fresh.stdout).unwrap();
    let again = base.json(&["runs", "show", "1"]);
    assert_eq!(again["version"], 2);
    let recall = fresh["measures"]["recall@1"]["value"].as_f64().unwrap();
    assert!((mean(&again, "recall@1") - recall).abs() < 1e-12);
    assert_eq!(
        mean(&base.json(&["runs", "show", "1", "--version", "1"]), "recall@10"),
        mean(&shown, "recall@10")
    );
    let compared = base.json(&["runs", "compare", "1", "2", "--first-version", "1"]);
    assert_eq!(compared["shared"], 6);
    let shared = compared["measures"].as_array().unwrap();
    assert!(shared.iter().any(|one| one["measure"] == "recall@10"), "{compared}");
    assert_eq!(compared["became_unscored"].as_array().unwrap().len(), 0);
}

fn summaries(base: &Base) {
    let evidence = base.path("evidence.jsonl");
    let strict = ["--framework", "judge-lock", "--save", "--evidence-out", &evidence];
    base.saves(&[&PAIRS[..], &strict].concat(), 3);
    let shown = base.json(&["runs", "show", "3"]);
    assert_eq!((shown["instrument"].as_str(), shown["items"].as_i64()), (Some("summary"), Some(6)));
    assert_eq!(shown["page"][0]["subject"], "barrier-good");
    // The same evidence by another framework is what that framework says of the pairs.
    let told = base.fine(&["runs", "rescore", "3", "--framework", "twin-lock"]);
    assert!(told.contains("\nmethod twin-lock "), "{told}");
    let direct = assize(&[&PAIRS[..], &["--format", "jsonl"]].concat());
    let again = base.json(&["runs", "show", "3"]);
    for (line, item) in direct.stdout.lines().zip(again["page"].as_array().unwrap()) {
        let card: Value = serde_json::from_str(line).unwrap();
        assert_eq!(item["subject"], card["id"]);
        assert!(item["scores"].as_object().unwrap().values().all(Value::is_f64), "{item}");
    }
    // A label that a person corrects: every claim of the second pair is unsupported.
    let text = std::fs::read_to_string(&evidence).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    for claim in lines[0]["evidence"]["hallucination"]["claims"].as_array_mut().unwrap() {
        claim["support"] = "unsupported".into();
    }
    let corrected = base.path("corrected.jsonl");
    std::fs::write(&corrected, lines[0].to_string()).unwrap();
    base.fine(&["runs", "rescore", "3", "--framework", "twin-lock", "--evidence", &corrected]);
    let score = |version: &str| {
        let view = base.json(&["runs", "show", "3", "--version", version]);
        view["page"][0]["scores"]["hallucination"].as_f64().unwrap()
    };
    assert!(score("3") < score("2"), "{} {}", score("3"), score("2"));
    let compared = base.json(&["runs", "compare", "3", "3", "--first-version", "2"]);
    let moved: Vec<&Value> = compared["measures"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|measure| measure["moved"].as_array().unwrap())
        .collect();
    assert!(!moved.is_empty() && moved.iter().all(|one| one["subject"] == "barrier-good"));
}

fn councils(base: &Base) {
    let reviewers = std::fs::read_to_string(examples().join("council/reviewers.txt")).unwrap();
    let review = ["council", "review", "council/answers.json", "--reviewers", reviewers.trim()];
    let more = ["--replay", "council/recorded.jsonl", "--save"];
    base.saves(&[&review[..], &more].concat(), 4);
    let shown = base.json(&["runs", "show", "4"]);
    assert_eq!((shown["instrument"].as_str(), shown["items"].as_i64()), (Some("council"), Some(4)));
    base.fine(&["runs", "rescore", "4", "--safety-gate", "--reason", "the gate afterwards"]);
    let gated = base.json(&["runs", "show", "4"]);
    assert_eq!(gated["versions"][0]["reason"], "the gate afterwards");
    let careless = |view: &Value| {
        let page = view["page"].as_array().unwrap();
        let item = page.iter().find(|item| item["subject"] == "careless").unwrap();
        item["scores"]["score"].as_f64().unwrap()
    };
    assert_eq!(careless(&gated), 0.0);
    assert!(careless(&shown) > 0.0);
}

fn evaluations(base: &Base) {
    let policy = "compliance/access-policy.md";
    base.fine(&["evaluate", policy, "--criteria", "compliance/criteria.csv"]);
    base.fine(&["evaluate", policy, "--criteria", "criteria"]);
    let compared = base.fine(&["runs", "compare", "5", "6"]);
    assert!(compared.contains("no changes"), "{compared}");
    let rubric = base.path("rubric.json");
    let tiers = r#"{"tiers": [{"min": 0, "max": 49, "label": "No", "description": "no"},
        {"min": 50, "max": 100, "label": "Yes", "description": "yes"}]}"#;
    std::fs::write(&rubric, tiers).unwrap();
    base.fine(&["runs", "rescore", "5", "--rubric", &rubric]);
    let view = base.json(&["runs", "show", "5", "--version", "2"]);
    assert_eq!(view["configuration"]["rubric"]["tiers"][1]["label"], "Yes");
}

fn the_rest(base: &Base) {
    let list = base.json(&["runs", "list"]);
    let seen: Vec<(i64, &str)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["number"].as_i64().unwrap(), run["instrument"].as_str().unwrap()))
        .collect();
    let kinds = ["compliance", "compliance", "council", "summary", "retrieval", "retrieval"];
    assert_eq!(seen, [6, 5, 4, 3, 2, 1].into_iter().zip(kinds).collect::<Vec<_>>());
    let wide = base.fine(&["runs", "list"]);
    assert!(wide.lines().all(|line| line.chars().count() <= 80), "{wide}");
    assert_eq!(base.json(&["runs", "list", "--limit", "2", "--before", "4"])[0]["number"], 3);
    assert_eq!(base.json(&["runs", "list", "--instrument", "council"])[0]["number"], 4);
    base.fine(&["runs", "rename", "2", "semantic"]);
    let refused = base.said(&["runs", "rename", "2", "12"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    base.fine(&["runs", "tag", "semantic", "nightly"]);
    assert_eq!(base.json(&["runs", "list", "--tag", "nightly"])[0]["name"], "semantic");
    base.fine(&["runs", "baseline", "2"]);
    let against = base.json(&["runs", "compare", "1"]);
    assert_eq!(against["runs"][0], "#2");
    for format in ["jsonl", "json", "csv"] {
        let text = base.fine(&["runs", "export", "3", "--format", format, "--version", "1"]);
        assert!(text.contains("barrier-good"), "{text}");
        // The same bytes when it is written once more.
        assert_eq!(text, base.fine(&["runs", "export", "3", "--format", format, "--version", "1"]));
    }
    let csv = base.fine(&["runs", "export", "3", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 7, "{csv}");
    let kept = base.said(&["runs", "delete", "3"]);
    assert_eq!(kept.code, 2, "{}", kept.stderr);
    for number in ["1", "3", "4", "5"] {
        base.fine(&["runs", "delete", number, "--yes"]);
    }
    assert_eq!(base.json(&["runs", "list"]).as_array().unwrap().len(), 2);
    let gone = base.said(&["runs", "show", "3"]);
    assert_eq!(gone.code, 2, "{}", gone.stderr);
    assert!(gone.stderr.contains("no run `3`"), "{}", gone.stderr);
    // Numbers are not given out again.
    base.saves(&[&SCORE[..], &["--save"]].concat(), 7);
    assert_eq!(base.said(&["db", "check"]).code, 0);
}

fn the_whole_way(base: &Base) {
    retrieval(base);
    summaries(base);
    councils(base);
    evaluations(base);
    the_rest(base);
}

#[test]
fn every_instrument_goes_the_whole_way_on_sqlite() {
    the_whole_way(&Base::sqlite());
}

#[test]
fn every_instrument_goes_the_whole_way_on_postgres() {
    the_whole_way(&Base::postgres());
}

#[test]
fn nothing_is_written_unless_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let samples = examples();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    };
    let file = |name: &str| samples.join(name).to_str().unwrap().to_owned();
    let score = ["score", &file("retrieval/keyword.json"), &file("retrieval/gold.json")];
    run(&score);
    run(&["summary", "score", "--input", &file("summary/pairs.jsonl")]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    std::fs::write(folder.path().join("assize.toml"), "[run]\nsave = true\n").unwrap();
    assert!(run(&score).contains("saved as run #1"));
}

/// Twin-Lock asks no questions, and Judge-Lock counts them: three of five metrics would be empty.
#[test]
fn evidence_without_what_a_framework_counts_is_not_rescored_by_it() {
    let base = Base::sqlite();
    let evidence = base.path("evidence.jsonl");
    base.saves(&[&PAIRS[..], &["--save", "--evidence-out", &evidence]].concat(), 1);
    let lacks = "twin-lock evidence lacks the questions that judge-lock needs; \
                 score the pairs again with that framework";
    for framework in ["judge-lock", "judge-lock-ultra"] {
        let refused = base.said(&["runs", "rescore", "1", "--framework", framework]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(
            refused.stderr.contains(&lacks.replace("judge-lock", framework)),
            "{}",
            refused.stderr
        );
    }
    let shown = base.json(&["runs", "show", "1"]);
    assert_eq!((&shown["version"], shown["versions"].as_array().unwrap().len()), (&1.into(), 0));
    let corrected = ["--framework", "judge-lock", "--evidence", &evidence];
    let refused = base.said(&[&["runs", "rescore", "1"][..], &corrected].concat());
    assert!(refused.stderr.contains(lacks), "{}", refused.stderr);
    let refused = assize(&["summary", "rescore", &evidence, "--framework", "judge-lock"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{}", refused.stderr);
    assert!(refused.stderr.contains(lacks), "{}", refused.stderr);
}

/// Scores that are computed again from an evidence file are equal to the bit.
#[test]
fn an_evidence_file_gives_the_same_scores_without_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let evidence = folder.path().join("evidence.jsonl");
    let evidence = evidence.to_str().unwrap();
    for framework in ["twin-lock", "judge-lock"] {
        let more = ["--framework", framework, "--evidence-out", evidence, "--format", "jsonl"];
        let direct = assize(&[&PAIRS[..], &more].concat());
        assert_eq!(direct.code, 0, "{}", direct.stderr);
        let again = assize(&["summary", "rescore", evidence, "--format", "jsonl"]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        for (card, scored) in direct.stdout.lines().zip(again.stdout.lines()) {
            let card: Value = serde_json::from_str(card).unwrap();
            let scored: Value = serde_json::from_str(scored).unwrap();
            for metric in ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"] {
                let first = card.pointer(&format!("/{metric}/overall/overall_score"));
                let first = first.or_else(|| card.pointer(&format!("/{metric}/overall_score")));
                let first = first.and_then(Value::as_f64);
                assert!(first.is_some(), "{metric} in {card}");
                assert_eq!(scored["scores"][metric].as_f64(), first, "{metric}");
            }
        }
        assert_eq!(again.stdout.lines().count(), 6);
    }
    let refused = assize(&["summary", "rescore", "summary/article.txt"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("line 1"), "{}", refused.stderr);
}

fn shared_summaries(base: &Base) {
    let clerk = Clerk::start(forms("nothing").after(std::time::Duration::from_millis(10)));
    let url = clerk.url();
    let judge = ["--judge", "local/tiny", "--endpoint", &url];
    let stopped = base.said(&[&PAIRS[..], &judge, &["--save", "--budget", "1 tokens"]].concat());
    assert_eq!(stopped.code, 3, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("saved as run #1"), "{}", stopped.stderr);
    assert_eq!(clerk.server.seen(), 0);
    let resume = || {
        Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(["runs", "resume", "1", "--endpoint", &url, "--database", &base.database])
            // A budget is that of the run's life: only a larger one lets it go on.
            .args(["--budget", "10M tokens"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for process in [resume(), resume()] {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let seen = clerk.server.seen();
    assert_eq!(base.json(&["runs", "show", "1"])["state"], "done");
    // Everything was asked once: the same pairs without a run ask nothing more.
    base.fine(&[&PAIRS[..], &judge].concat());
    assert_eq!(clerk.server.seen(), seen);
}

#[test]
fn two_processes_share_summaries_that_a_model_judges_on_sqlite() {
    shared_summaries(&Base::sqlite());
}

#[test]
fn two_processes_share_summaries_that_a_model_judges_on_postgres() {
    shared_summaries(&Base::postgres());
}

fn concurrent_imports(base: &Base) {
    base.fine(&["db", "migrate"]);
    let start = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(arguments)
            .args(["--database", &base.database])
            .current_dir(examples())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let import = ["criteria", "import", "compliance/criteria.csv", "--name", "shared"];
    let imports: Vec<_> = (0..4).map(|_| start(&import)).collect();
    let add = ["documents", "add", "compliance/access-policy.md", "--set", "policies"];
    let adds: Vec<_> = (0..4).map(|_| start(&add)).collect();
    let (mut added, mut documents) = (0, 0);
    for process in imports {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        added += usize::from(String::from_utf8(output.stdout).unwrap().contains("10 added"));
    }
    for process in adds {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        documents += usize::from(String::from_utf8(output.stdout).unwrap().contains("added"));
    }
    assert_eq!((added, documents), (1, 1));
    // A used name is a new version, and says so.
    let path = base.path("access-policy.md");
    std::fs::write(&path, "# Access\n\nNobody has access to anything any more.\n").unwrap();
    let said = base.fine(&["documents", "add", &path, "--set", "policies"]);
    assert!(said.contains("version 2 of access-policy.md"), "{said}");
    // What is refused leaves nothing behind, not even an empty set.
    let broken = base.path("broken.pdf");
    std::fs::write(&broken, "%PDF-1.7 and nothing more").unwrap();
    assert_eq!(base.said(&["documents", "add", &broken, "--set", "none"]).code, 2);
    let evaluate = ["evaluate", &broken, "--criteria", "compliance/criteria.csv"];
    assert_eq!(base.said(&evaluate).code, 2);
    let sets = base.fine(&["documents", "list"]);
    assert!(!sets.contains("none") && !sets.contains("broken"), "{sets}");
    let criteria = base.json(&["criteria", "list"]);
    assert_eq!(criteria.as_array().unwrap().len(), 1, "{criteria}");
    assert_eq!(base.said(&["db", "check"]).code, 0);
}

#[test]
fn imports_at_the_same_time_do_not_race_on_sqlite() {
    concurrent_imports(&Base::sqlite());
}

#[test]
fn imports_at_the_same_time_do_not_race_on_postgres() {
    concurrent_imports(&Base::postgres());
}

/// Rules ask nobody, so that nothing but the run is needed to go on with one.
#[test]
fn a_summary_run_by_rules_goes_on_by_rules() {
    let base = Base::sqlite();
    let pairs = base.path("pairs.jsonl");
    let article = "The ferry to Mull was late on Monday. Nobody was hurt.";
    let lines = [("good", "The ferry was late."), ("bad", "...")]
        .map(|(id, summary)| json!({"id": id, "article": article, "summary": summary}).to_string());
    std::fs::write(&pairs, lines.join("\n")).unwrap();
    let saved = base.said(&["summary", "score", "--input", &pairs, "--save"]);
    assert!(saved.stderr.contains("saved as run #1"), "{}", saved.stderr);
    assert_eq!(base.json(&["runs", "show", "1"])["unscored"], 1);
    base.fine(&["runs", "retry", "1", "--unscored", "--queue"]);
    assert_eq!(base.json(&["runs", "show", "1"])["done"], 1);
    let said = base.said(&["runs", "resume", "1"]);
    assert_eq!(said.code, 3, "it has no words and still no score: {}", said.stderr);
    assert!(said.stderr.contains("1 judged"), "{}", said.stderr);
    let run = base.json(&["runs", "show", "1"]);
    assert_eq!(
        (&run["state"], &run["done"], &run["unscored"]),
        (&json!("done"), &json!(2), &json!(1))
    );

    base.fine(&["runs", "retry", "1", "--unscored", "--queue"]);
    let said = base.said(&["worker", "--until-idle"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(base.json(&["runs", "show", "1"])["state"], "done");
    base.saves(&[&SCORE[..], &["--save"]].concat(), 2);
    let said = base.said(&["runs", "resume", "2"]);
    assert!(said.stderr.contains("saved only when finished"), "{}", said.stderr);
}
