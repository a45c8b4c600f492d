//! `assize check`: what passes, what fails, and that nothing passes by being absent.

use std::fs;
use std::path::Path;

use assize_injector::{Fault, When};
use serde_json::{Value, json};

use crate::clerk::{Clerk, forms};
use crate::summary_model::pairs;
use crate::support::{Said, assize, examples};

/// A folder with samples and a file of checks.
struct Project(tempfile::TempDir);

impl Project {
    fn new(samples: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples {
            let name = Path::new(sample).file_name().unwrap();
            fs::copy(examples().join(sample), folder.path().join(name)).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    /// One check with these lines.
    fn check(&self, lines: &str) -> Said {
        self.write("assize.toml", &format!("[[check]]\nname = \"it\"\n{lines}\n"));
        self.run(&[])
    }

    fn run(&self, more: &[&str]) -> Said {
        let config = self.path("assize.toml");
        assize(&[&["check", "--config", &config], more].concat())
    }
}

const RETRIEVAL: [&str; 2] = ["retrieval/keyword.json", "retrieval/gold.json"];
const SCORE: &str = "score = { run = \"keyword.json\", gold = \"gold.json\" }\n";

/// keyword.json finds .9167 of the gold among the first ten, as `assize score` prints it.
#[test]
fn one_table_and_every_report_say_the_same() {
    let project = Project::new(&RETRIEVAL);
    let said = project.check(&format!("{SCORE}require = [\"recall@10 >= 0.5\", \"R@10 < 0.99\"]"));
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    let files = ["junit.xml", "summary.md", "all.json", "page.html"].map(|name| project.path(name));
    let [junit, markdown, json, html] = &files;
    let flags = ["--junit", junit, "--markdown", markdown, "--json", json, "--html", html];
    project.write(
        "assize.toml",
        &format!(
            "[[check]]\nname = \"good\"\n{SCORE}require = [\"recall@10 >= 0.5\"]\n\
             [[check]]\nname = \"bad\"\n{SCORE}require = [\"recall@10 >= 0.99\"]\n"
        ),
    );
    let said = project.run(&flags);
    assert_eq!(said.code, 1, "{}", said.stderr);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert!(lines[0].starts_with("PASS  good  recall@10 0."), "{}", said.stdout);
    assert!(lines[1].starts_with("FAIL  bad   recall@10 0."), "{}", said.stdout);
    assert_eq!(lines.last(), Some(&"FAIL: 1 of 2 checks pass"));
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    let read = |path: &String| fs::read_to_string(path).unwrap();
    assert!(read(junit).contains("tests=\"2\" failures=\"1\""));
    assert!(read(markdown).starts_with("### assize check: FAIL (1 of 2)"));
    let json: Value = serde_json::from_str(&read(json)).unwrap();
    assert_eq!((&json["passed"], &json["checks"][0]["passed"]), (&false.into(), &true.into()));
    assert_eq!(json["checks"][1]["requirements"][0]["measure"], "recall@10");
    let page = read(html);
    let first = page.find("<h2>").unwrap();
    assert!(page[first..].starts_with("<h2><b class=\"badge bad\">FAIL</b> bad</h2>"), "{page}");
    assert!(!page.contains("<script"), "{page}");
    let only = project.run(&["--only", "good"]);
    assert_eq!(only.code, 0, "{}", only.stdout);
    assert_eq!(project.run(&["--only", "other"]).code, 2);
}

#[test]
fn what_is_missing_fails_unless_it_is_allowed_by_name() {
    let project = Project::new(&RETRIEVAL);
    let answers = fs::read_to_string(project.path("keyword.json")).unwrap();
    let mut answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    answers.truncate(2);
    project.write("keyword.json", &serde_json::to_string(&answers).unwrap());
    let require = format!("{SCORE}require = [\"recall@10 >= 0\"]");
    let said = project.check(&require);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("only 2 of 6 queries are answered"), "{}", said.stdout);
    assert_eq!(project.check(&format!("{require}\nallow = [\"missing\"]")).code, 0);
    let bounded = format!("{SCORE}require = [\"recall@10 >= 0\", \"unscored <= 70%\"]");
    assert_eq!(project.check(&bounded).code, 0);
    for nothing in ["", "[]"] {
        project.write("keyword.json", nothing);
        let said = project.check(&require);
        assert_eq!(said.code, 1, "{nothing:?}: {}{}", said.stdout, said.stderr);
        assert!(said.stdout.starts_with("FAIL"), "{}", said.stdout);
        let said = project.check(&format!("{require}\nallow = [\"empty\"]"));
        assert_eq!(said.code, 0, "{nothing:?}: {}", said.stdout);
    }
    fs::remove_file(project.path("keyword.json")).unwrap();
    let said = project.check(&require);
    assert_eq!(said.code, 2, "{}", said.stdout);
    assert!(said.stdout.contains("could not be run"), "{}", said.stdout);
}

#[test]
fn a_drop_is_judged_against_what_was_kept() {
    let project =
        Project::new(&["retrieval/keyword.json", "retrieval/semantic.json", "retrieval/gold.json"]);
    let compared = "require = [\"ndcg@10 no worse than baseline by 0.02 (p < 0.05)\", \"ndcg@10 no worse than baseline by 0.5\"]";
    let lines = format!("{SCORE}{compared}");
    let said = project.check(&lines);
    assert_eq!(said.code, 1, "there is no baseline yet");
    assert!(said.stdout.contains("has no baseline"), "{}", said.stdout);
    assert!(said.stderr.contains("assize check --update-baseline"), "{}", said.stderr);
    let kept = project.run(&["--update-baseline"]);
    assert_eq!(kept.code, 0, "{}{}", kept.stdout, kept.stderr);
    assert!(kept.stderr.contains("baseline saved to "), "{}", kept.stderr);
    assert_eq!(project.run(&[]).code, 0, "held against itself");
    // Another run, item by item: the p-value is that of a paired test.
    fs::copy(project.path("semantic.json"), project.path("keyword.json")).unwrap();
    let said = project.run(&[]);
    assert!(said.stdout.contains("(baseline "), "{}", said.stdout);
    // Values over another number of queries are not compared.
    let gold = fs::read_to_string(project.path("gold.json")).unwrap();
    let mut gold: Value = serde_json::from_str(&gold).unwrap();
    gold["tests"].as_array_mut().unwrap().truncate(5);
    project.write("gold.json", &gold.to_string());
    let answers = fs::read_to_string(project.path("keyword.json")).unwrap();
    let mut answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    answers.truncate(5);
    project.write("keyword.json", &serde_json::to_string(&answers).unwrap());
    let said = project.run(&[]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("5 items, but the baseline has 6"), "{}", said.stdout);
    let allowed = project.check(&format!("{lines}\nallow = [\"other-items\"]"));
    assert!(!allowed.stdout.contains("the baseline has 6"), "{}", allowed.stdout);
}

/// Two of the six sample summaries invent something; the bounds lie around what is there.
#[test]
fn summaries_are_checked_item_by_item() {
    let project = Project::new(&["summary/pairs.jsonl"]);
    let summary = "summary = { input = \"pairs.jsonl\", framework = \"twin-lock\" }\n";
    let lines = |share: &str| {
        format!(
            "{summary}require = [\"hallucination mean >= 1\", \"share(hallucination < 4) <= {share}\", \"unscored <= 1%\"]"
        )
    };
    assert_eq!(project.check(&lines("50%")).code, 0);
    let said = project.check(&lines("2%"));
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("FAIL"), "{}", said.stdout);
    // A record that cannot be scored fails a check that says nothing about it.
    let text = fs::read_to_string(project.path("pairs.jsonl")).unwrap();
    project.write("pairs.jsonl", &format!("{text}{{\"id\": \"broken\"}}\n"));
    let said = project.check(&format!("{summary}require = [\"hallucination >= 1\"]"));
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("only 6 of 7 items have a score"), "{}", said.stdout);
    let renamed = text.replace("\"article\"", "\"source text\"");
    project.write("pairs.jsonl", &renamed);
    let mapped = "summary = { input = \"pairs.jsonl\", map = { article = \"source text\" } }\n";
    let said = project.check(&format!("{mapped}require = [\"hallucination >= 1\"]"));
    assert_eq!(said.code, 0, "{}", said.stdout);
}

#[test]
fn documents_answers_and_councils_are_checked_too() {
    let project = Project::new(&[
        "compliance/access-policy.md",
        "compliance/criteria.csv",
        "council/gate.jsonl",
        "council/run.json",
    ]);
    project.write(
        "assize.toml",
        "[[check]]\nname = \"policy\"\n\
         evaluate = { criteria = \"criteria.csv\", documents = [\"access-policy.md\"] }\n\
         require = [\"score >= 20\", \"share(score < 1) <= 100%\", \"unscored <= 70%\"]\n\
         [[check]]\nname = \"answers\"\ngate = { input = \"gate.jsonl\" }\n\
         require = [\"recall >= 0.5\", \"false_positive_rate <= 0\", \"passed <= 0.99\"]\n\
         [[check]]\nname = \"council\"\ncouncil = { run = \"run.json\" }\n\
         require = [\"winner >= 1\", \"score <= 10\"]\n",
    );
    let said = project.run(&[]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.ends_with("PASS: 3 of 3 checks pass\n"), "{}", said.stdout);
    assert!(!Path::new(&project.path("assize.db")).exists(), "rules keep nothing");
}

#[test]
fn several_samples_of_a_model_give_a_spread_and_the_chance_that_all_pass() {
    let clerk = Clerk::start(forms("nothing"));
    let project = Project::new(&[]);
    project.write("pairs.jsonl", &pairs(2));
    project.write(
        "assize.toml",
        "[[check]]\nname = \"it\"\nsummary = { input = \"pairs.jsonl\", judge = \"local/clerk\" }\n\
         samples = 3\nrequire = [\"hallucination >= 9\", \"pass^3 >= 0.9\"]\n",
    );
    let (url, database) = (clerk.url(), project.path("kept.db"));
    let json = project.path("all.json");
    let models = ["--endpoint", &url, "--database", &database, "--json", &json];
    let said = project.run(&models);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("3 of 3 samples pass, pass^3 = 1.000"), "{}", said.stdout);
    let all: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let samples = &all["checks"][0]["samples"];
    assert_eq!((&samples["count"], &samples["passed"]), (&3.into(), &3.into()));
    assert_eq!(samples["spread"]["hallucination"]["deviation"], 0.0);
    // Three questions a pair and sample; the second time all replies are in the database.
    assert_eq!(clerk.server.seen(), 3 * 2 * 3);
    assert_eq!(project.run(&models).code, 0);
    assert_eq!(clerk.server.seen(), 3 * 2 * 3);
}

#[test]
fn a_provider_that_fails_ends_with_three_and_a_bad_file_with_two() {
    let project = Project::new(&[]);
    project.write("pairs.jsonl", &pairs(1));
    project.write(
        "assize.toml",
        "[[check]]\nname = \"it\"\nsummary = { input = \"pairs.jsonl\", judge = \"nobody/clerk\" }\n\
         require = [\"hallucination >= 9\"]\n",
    );
    assert_eq!(project.run(&["--database", &project.path("kept.db")]).code, 2);
    let dead = [
        "--database",
        "postgres://ada:hunter2@127.0.0.1:1/assize",
        "--endpoint",
        "nobody=http://127.0.0.1:1/v1",
    ];
    let said = project.run(&dead);
    assert_eq!(said.code, 3, "{}{}", said.stdout, said.stderr);
    assert!(
        !said.stdout.contains("hunter2") && !said.stderr.contains("hunter2"),
        "{}",
        said.stdout
    );
    let refusing = forms("nothing").with(When::Always, Fault::status(401, "no such key"));
    let clerk = Clerk::start(refusing);
    let url = format!("nobody={}", clerk.url());
    let said = project.run(&["--database", &project.path("kept.db"), "--endpoint", &url]);
    assert_eq!(said.code, 3, "{}{}", said.stdout, said.stderr);
    let said = project.check("score = { run = \"a\" }\nrequire = [\"x\"]");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("check `it`"), "{}", said.stderr);
}

/// Five queries that all find their document, then none.
#[test]
fn a_collapse_of_few_queries_fails_in_spite_of_the_test() {
    let project = Project::new(&[]);
    let lines = |document: &str| {
        let lines = (1..=5).map(|query| format!("q{query} Q0 {document} 1 1.0 r\n"));
        lines.collect::<Vec<_>>().concat()
    };
    let judged = (1..=5).map(|query| format!("q{query} 0 good 1\nq{query} 0 bad 0\n"));
    let judged: String = judged.collect();
    project.write("qrels", &judged);
    project.write("run", &lines("good"));
    let require = "require = [\"recall@10 no worse than baseline by 0.02 (p < 0.05)\"]";
    project.check(&format!("score = {{ run = \"run\", gold = \"qrels\" }}\n{require}"));
    assert_eq!(project.run(&["--update-baseline"]).code, 0);
    project.write("run", &lines("bad"));
    let said = project.run(&[]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("drop 1.0000 > 0.0200 (5 items changed: too few for p < 0.05"), "{text}");
}

/// A worse run replaces no baseline, unless somebody says why; then the reason is kept.
#[test]
fn a_baseline_is_replaced_by_a_worse_one_only_for_a_reason() {
    let project =
        Project::new(&["retrieval/keyword.json", "retrieval/semantic.json", "retrieval/gold.json"]);
    let better = fs::read(project.path("semantic.json")).unwrap();
    let worse = fs::read(project.path("keyword.json")).unwrap();
    fs::write(project.path("keyword.json"), better).unwrap();
    project.check(&format!("{SCORE}require = [\"ndcg@10 no worse than baseline by 0.02\"]"));
    assert_eq!(project.run(&["--update-baseline"]).code, 0);
    let kept = || fs::read_to_string(project.path(".assize/baselines/it.json")).unwrap();
    let first = kept();
    fs::write(project.path("keyword.json"), worse).unwrap();
    let (html, markdown, junit) =
        (project.path("a.html"), project.path("a.md"), project.path("a.xml"));
    let said = project.run(&[
        "--update-baseline",
        "--html",
        &html,
        "--markdown",
        &markdown,
        "--junit",
        &junit,
    ]);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("baseline not saved"), "{}", said.stderr);
    assert_eq!(kept(), first);
    // The query that fell furthest, from the result before and the one now.
    let before: Value = serde_json::from_str(&first).unwrap();
    let name = fallen_most(&before, &said.stdout);
    for report in [&html, &markdown, &junit] {
        let text = fs::read_to_string(report).unwrap();
        assert!(text.contains(name.trim_end_matches('…')), "{report}: {name}: {text}");
    }
    assert_eq!(project.run(&["--accept", "  "]).code, 2, "blank words are no reason");
    let said = project.run(&["--accept", "half the index is gone on purpose"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("accepted: half the index is gone on purpose"), "{}", said.stderr);
    assert!(kept().contains("accepted: half the index is gone on purpose"));
    assert_eq!(project.run(&[]).code, 0, "held against what was accepted");
}

/// The first item that is named below a requirement; it must have had this value before.
fn fallen_most(before: &Value, stdout: &str) -> String {
    let line = stdout.lines().find(|line| line.contains(", was ")).expect("an item that fell");
    let (name, values) = line.trim().split_once("  ").unwrap();
    let (_, was) = values.split_once(", was ").unwrap();
    let stem = name.trim_end_matches('…');
    let mut items = before["queries"].as_array().unwrap().iter();
    let item = items.find(|item| item["query"].as_str().unwrap().starts_with(stem)).unwrap();
    assert_eq!(format!("{:.4}", item["ndcg@10"].as_f64().unwrap()), was, "{line}");
    name.to_owned()
}

/// As many queries as before, and half of them others: their means cannot be compared.
#[test]
fn a_baseline_of_other_queries_fails() {
    let project = Project::new(&[]);
    let write = |first: usize| {
        let queries = first..first + 20;
        let run = queries.clone().map(|q| format!("q{q} Q0 d{q} 1 1.0 r\n"));
        let judged = queries.map(|q| format!("q{q} 0 d{q} 1\n"));
        project.write("run", &run.collect::<Vec<_>>().concat());
        project.write("qrels", &judged.collect::<Vec<_>>().concat());
    };
    write(0);
    let lines = "score = { run = \"run\", gold = \"qrels\" }\n\
                 require = [\"recall@10 no worse than baseline by 0.02\"]";
    project.check(lines);
    assert_eq!(project.run(&["--update-baseline"]).code, 0);
    write(10);
    let said = project.run(&[]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("10 of 20 items are not in the baseline, such as `q20`"), "{text}");
    let allowed = project.check(&format!("{lines}\nallow = [\"other-items\"]"));
    assert_eq!(allowed.code, 0, "{}", allowed.stdout);
}

#[test]
fn a_baseline_that_nothing_is_held_against_is_told() {
    let project = Project::new(&RETRIEVAL);
    project.check(&format!("{SCORE}require = [\"recall@10 >= 0.5\"]"));
    let said = project.run(&["--update-baseline"]);
    let note = "no requirement uses the baseline; add \"recall@10 no worse than baseline by …\"";
    assert!(said.stderr.contains(note), "{}", said.stderr);
}

#[test]
fn a_workbook_in_the_place_of_a_run_is_named_and_not_shown() {
    let project = Project::new(&["retrieval/gold.json"]);
    let workbook = [&b"PK\x03\x04xl/workbook.xml\0"[..], &vec![0xfe; 60_000]].concat();
    fs::write(project.path("run.xlsx"), workbook).unwrap();
    project.write("qrels", "q1 0 d1 1\n");
    let junit = project.path("j.xml");
    let lines = "score = { run = \"run.xlsx\", gold = \"qrels\" }\nrequire = [\"map >= 0\"]";
    let said = project.check(lines);
    assert_eq!(said.code, 2, "{}", said.stdout);
    project.run(&["--junit", &junit]);
    let report = fs::read_to_string(junit).unwrap();
    assert!(report.contains("is a workbook; save the sheet as CSV"), "{report}");
    assert!(report.len() < 2_000 && said.stdout.len() < 1_000, "{report}");
}

/// Three planted regressions among a thousand queries: a passage that is gone, one that fell below
/// the cutoff, and one that is cut short.
#[test]
fn lost_passages_of_a_thousand_queries_are_shown_on_a_small_page() {
    const K: usize = 10;
    let project = Project::new(&[]);
    let gold = |query: usize| format!("The answer to question {query} is clause {}.", query * 7);
    let tests: Vec<Value> = (0..1_000)
        .map(|query| json!({"query": format!("question {query}"), "snippets": [gold(query)]}))
        .collect();
    project.write("gold.json", &json!({ "tests": tests }).to_string());
    let filler = |rank: usize| format!("Some passage about nothing, number {rank}.");
    let run = |changed: &dyn Fn(usize, Vec<String>) -> Vec<String>| {
        let predictions: Vec<Value> = (0..1_000)
            .map(|query| {
                let mut passages: Vec<String> = (1..K).map(filler).collect();
                passages.insert(0, gold(query));
                let passages = changed(query, passages);
                json!({"query": format!("question {query}"), "retrieved_passages": passages})
            })
            .collect();
        project.write("run.json", &Value::Array(predictions).to_string());
    };
    run(&|_, passages| passages);
    let lines = "score = { run = \"run.json\", gold = \"gold.json\" }\n\
                 require = [\"recall@10 no worse than baseline by 0.001\"]";
    project.check(lines);
    assert_eq!(project.run(&["--update-baseline"]).code, 0);
    run(&|query, mut passages| {
        match query {
            3 => drop(passages.remove(0)),
            500 => {
                let lost = passages.remove(0);
                passages.extend([filler(K), filler(K + 1), lost]);
            }
            // Cut short and told otherwise: a piece of the gold would still be found.
            998 => passages[0] = "An answer to question 998 is clause".to_owned(),
            _ => {}
        }
        passages
    });
    let page = project.path("page.html");
    let said = project.run(&["--html", &page]);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    let html = fs::read_to_string(page).unwrap();
    for query in [3, 500, 998] {
        assert!(html.contains(&gold(query)), "{query}: {html}");
    }
    assert!(!html.contains(&gold(4)));
    assert!(html.len() < 300_000, "{} bytes", html.len());
}
