//! `assize summary score --judge PROVIDER/MODEL`, against a scripted server.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use assize_injector::{Fault, When};
use serde_json::{Value, json};

use crate::clerk::{Clerk, forms};
use crate::support::{Said, assize, interrupt};

const ARTICLE: &str = "The bridge at Oban opened in 1932. It cost nine million pounds to build. \
    It is painted grey every seven years. The ferries across the sound stopped that year. \
    Trains cross it twice a day in summer. Nobody has ever lived on the bridge itself.";

/// Two sentences of the article; number by number another article, so that no two are alike.
pub(crate) fn pairs(count: usize) -> String {
    let pair = |number: usize| {
        let article = format!("{ARTICLE} It is the bridge of number {number} in the list.");
        let summary = format!(
            "The bridge at Oban opened in 1932. It is the bridge of number {number} in the list."
        );
        json!({"id": number, "article": article, "summary": summary}).to_string()
    };
    (0..count).map(|number| pair(number) + "\n").collect()
}

pub(crate) struct Fixture {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clerk: Clerk,
}

impl Fixture {
    pub(crate) fn new(clerk: Clerk, count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("pairs.jsonl"), pairs(count)).unwrap();
        Self { folder, clerk }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn arguments(&self, more: &[&str]) -> Vec<String> {
        let (input, store) = (self.path("pairs.jsonl"), self.path("kept.db"));
        let url = self.clerk.url();
        let all = ["summary", "score", "--input", &input, "--database", &store, "--endpoint", &url];
        let all = all.iter().chain(&["--format", "jsonl"]).chain(more);
        all.map(|text| (*text).to_owned()).collect()
    }

    pub(crate) fn score(&self, more: &[&str]) -> Said {
        let all = self.arguments(more);
        assize(&all.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

pub(crate) fn lines(said: &Said) -> Vec<Value> {
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const MODEL: [&str; 2] = ["--judge", "local/clerk"];

/// Everything said is supported and nothing drifts: ten. Relevance is the mean of what the labels of
/// its segments are worth: 1 for high, a half for some, nothing below.
#[test]
fn a_model_labels_and_the_arithmetic_is_ours() {
    let fixture = Fixture::new(Clerk::start(forms("nothing")), 1);
    let said = fixture.score(&MODEL);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let card = &lines(&said)[0];
    for metric in ["coverage", "alignment", "hallucination", "bias_toxicity"] {
        assert_eq!(card[metric]["overall_score"], 10.0, "{metric}: {card}");
    }
    let segments = card["relevance"]["segments"].as_array().unwrap();
    let worth = |segment: &Value| match segment["label"].as_str() {
        Some("high") => 1.0,
        Some("some") => 0.5,
        other => panic!("copied word for word, and {other:?}: {card}"),
    };
    let mean = segments.iter().map(worth).sum::<f64>() / segments.len() as f64;
    assert_eq!(card["relevance"]["overall_score"], 10.0 * mean, "{card}");
    assert_eq!(card["judge"]["judges"], json!(["local/clerk"]));
    assert_eq!(card["judge"]["exchanges"].as_array().unwrap().len(), 3);
}

/// The first pair is copied, so the rules decide all of it; of the second, which is told in
/// other words, a model is asked once, and what it says counts.
#[test]
fn a_model_decides_only_what_the_rules_cannot() {
    let told = "Workers give the bridge a new coat every seven years.";
    let score = |refused| {
        let fixture = Fixture::new(Clerk::start(forms(refused)), 1);
        let path = fixture.path("pairs.jsonl");
        let other = json!({"id": "told", "article": ARTICLE, "summary": told}).to_string();
        std::fs::write(&path, pairs(1) + &other + "\n").unwrap();
        let said = fixture.score(&["--judge", "rules+local/clerk"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        lines(&said)
    };
    let asked = |card: &Value| card["judge"]["exchanges"].as_array().map_or(0, Vec::len);
    let cards = score("nothing");
    assert_eq!(cards[0]["judge"]["judges"], json!(["rules", "local/clerk"]));
    assert_eq!([asked(&cards[0]), asked(&cards[1])], [0, 1], "{cards:?}");
    let claims = cards[1]["hallucination"]["claims"].as_array().unwrap();
    assert!(claims.iter().all(|claim| claim["confidence"] == "high"), "{claims:?}");
    assert_eq!(cards[1]["hallucination"]["overall_score"], 10.0);
    let refused = score("Workers");
    assert!(refused[1]["hallucination"]["overall_score"].as_f64().unwrap() < 10.0);
    assert_eq!(refused[0], cards[0], "what the rules decide is no model's business");
}

/// One request for a pair, whatever the rules would have decided. One of two claims unsupported: f = 0.5,
/// 10 - round(7) = 3.
#[test]
fn one_question_is_one_request() {
    let fixture = Fixture::new(Clerk::start(forms("1932")), 1);
    let said = fixture.score(&[&MODEL[..], &["--questions", "one"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let card = &lines(&said)[0];
    assert_eq!(card["judge"]["exchanges"].as_array().unwrap().len(), 1, "{card}");
    assert_eq!(fixture.clerk.server.seen(), 1);
    assert_eq!(card["hallucination"]["overall_score"], 3.0, "{card}");
    let claims = card["hallucination"]["claims"].as_array().unwrap();
    assert!(claims.iter().all(|claim| claim["note"] == "decided by the model"), "{claims:?}");
}

/// One of two claims unsupported: f = 0.5, 10 - round(7) = 3; coverage and relevance at 4.
#[test]
fn an_unsupported_claim_is_counted_and_caps() {
    let fixture = Fixture::new(Clerk::start(forms("1932")), 1);
    let card = lines(&fixture.score(&MODEL)).remove(0);
    assert_eq!(card["hallucination"]["overall_score"], 3.0);
    assert_eq!(card["coverage"]["overall_score"], 4.0);
    assert_eq!(card["relevance"]["overall_score"], 4.0);
}

#[test]
fn a_second_run_sends_nothing_and_a_replay_gives_the_same_bytes_without_a_network() {
    let mut fixture = Fixture::new(Clerk::start(forms("1932")), 3);
    let transcript = fixture.path("transcript.jsonl");
    let judge_lock = [&MODEL[..], &["--framework", "judge-lock"]].concat();
    let first = fixture.score(&[&judge_lock[..], &["--record", &transcript]].concat());
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!(fixture.clerk.server.seen(), 4 * 3);
    let second = fixture.score(&judge_lock);
    assert_eq!((second.stdout.as_str(), fixture.clerk.server.seen()), (first.stdout.as_str(), 12));
    fixture.clerk.die();
    let replayed = fixture.score(&["--framework", "judge-lock", "--replay", &transcript]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &first.stdout), "{}", replayed.stderr);
    let foreign = fixture.score(&["--framework", "twin-lock", "--replay", &transcript]);
    assert_eq!(foreign.code, 3);
    assert!(foreign.stderr.contains("not in the recording"), "{}", foreign.stderr);
}

#[test]
fn broken_replies_leave_their_items_unscored_and_the_exit_code_says_so() {
    let is_fourth = |request: &assize_injector::Request| {
        request.body["messages"][1]["content"].as_str().unwrap().contains("number 3 in")
    };
    let script = forms("nothing").with(When::matching(is_fourth), Fault::CutMessage);
    let fixture = Fixture::new(Clerk::start(script), 10);
    let said = fixture.score(&MODEL);
    assert_eq!(said.code, 3);
    let cards = lines(&said);
    assert_eq!(cards.len(), 10);
    for (number, card) in cards.iter().enumerate() {
        assert_eq!(card["error"].is_string(), number == 3, "{card}");
    }
    let error = cards[3]["error"].as_str().unwrap();
    assert!(
        error.starts_with("unscored: local/clerk gave no readable reply in two attempts"),
        "{error}"
    );
    assert!(cards[3]["judge"]["raw_reply"].is_string());
    assert!(said.stderr.contains("1 of 10 records have no score"), "{}", said.stderr);
    assert_eq!(fixture.score(&[&MODEL[..], &["--allow-unscored"]].concat()).code, 0);
}

#[test]
fn a_dry_run_says_what_it_would_take_and_sends_nothing() {
    let fixture = Fixture::new(Clerk::start(forms("nothing")), 2);
    let judge_lock = [&MODEL[..], &["--framework", "judge-lock"]].concat();
    let dry = [&judge_lock[..], &["--dry-run"]].concat();
    let said = fixture.score(&dry);
    assert_eq!((said.code, fixture.clerk.server.seen()), (0, 0), "{}", said.stderr);
    let estimate = &lines(&said)[0];
    assert_eq!((&estimate["calls"], &estimate["kept"]), (&json!(8), &json!(0)));
    fixture.score(&judge_lock);
    let estimate = &lines(&fixture.score(&dry))[0];
    assert_eq!((&estimate["calls"], &estimate["kept"]), (&json!(0), &json!(8)));
    assert_eq!(fixture.clerk.server.seen(), 8);
}

#[test]
fn a_budget_stops_the_run_before_it_is_exceeded_and_the_next_goes_on() {
    let fixture = Fixture::new(Clerk::start(forms("nothing")), 4);
    let careful = [&MODEL[..], &["--concurrency", "1", "--budget", "12000"]].concat();
    let said = fixture.score(&careful);
    assert_eq!(said.code, 3);
    assert!(said.stderr.contains("run the same command again"), "{}", said.stderr);
    let seen = fixture.clerk.server.seen();
    assert!(seen > 0 && seen < 12, "{seen}");
    assert_eq!(fixture.score(&MODEL).code, 0);
    assert_eq!(fixture.clerk.server.seen(), 12);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_was_answered_and_goes_on() {
    let script = forms("nothing").after(Duration::from_millis(150));
    let fixture = Fixture::new(Clerk::start(script), 6);
    let slow = fixture.arguments(&[&MODEL[..], &["--concurrency", "1"]].concat());
    let child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(&slow)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    interrupt(child, || fixture.clerk.server.seen() >= 2);
    let seen = fixture.clerk.server.seen();
    assert!(seen < 18);
    assert_eq!(fixture.score(&MODEL).code, 0);
    assert_eq!(fixture.clerk.server.seen(), 18, "nothing was asked twice");
}

#[test]
fn a_key_stands_in_the_request_and_nowhere_else() {
    const KEY: &str = "sk-do-not-print-this-0123456789";
    let fixture = Fixture::new(Clerk::start(forms("nothing")), 1);
    let config = fixture.path("assize.toml");
    let table = format!(
        "[endpoints.paid]\nbase_url = '{}'\nkey_variable = 'CLERK_KEY'\n",
        fixture.clerk.url()
    );
    std::fs::write(&config, table).unwrap();
    let transcript = fixture.path("transcript.jsonl");
    let more = ["--judge", "paid/clerk", "--config", &config, "--record", &transcript];
    let output = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(fixture.arguments(&more))
        .env("CLERK_KEY", KEY)
        .output()
        .unwrap();
    assert!(output.status.success());
    let authorization = fixture.clerk.server.requests()[0].authorization.clone().unwrap();
    assert_eq!(authorization, format!("Bearer {KEY}"));
    let holds = |bytes: &[u8]| bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
    assert!(!holds(&output.stdout) && !holds(&output.stderr));
    for entry in std::fs::read_dir(Path::new(&transcript).parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        assert!(!holds(&std::fs::read(&path).unwrap()), "{}", path.display());
    }
}

#[test]
fn what_only_models_take_is_refused_for_rules() {
    let said = assize(&["summary", "score", "--input", "summary/pairs.jsonl", "--dry-run"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("choose a model with --judge"), "{}", said.stderr);
}

#[test]
fn the_recording_that_ships_gives_a_verdict_and_says_that_it_is_one() {
    let (article, summary) = ("summary/article.txt", "summary/bad.txt");
    let pair = ["summary", "score", "--article", article, "--summary", summary];
    let replay = ["--framework", "judge-lock", "--replay", "summary/recorded.jsonl"];
    let said = assize(&[&pair[..], &replay, &["--format", "json"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let card: Value = serde_json::from_str(&said.stdout).unwrap();
    assert!(card["hallucination"]["overall_score"].is_number());
    let demo = assize(&["demo", "--all"]);
    assert_eq!(demo.code, 0, "{}", demo.stderr);
    assert!(demo.stdout.contains("RECORDED SAMPLE"), "{}", demo.stdout);
}

/// The reply to the first pair comes for longer than everything else takes; nothing waits for it.
#[test]
fn a_reply_that_trickles_delays_no_other_pair() {
    const PAIRS: u64 = 200;
    let trickle = Fault::Trickle(Duration::from_secs(110));
    let first = When::matching(|request| {
        request.body["messages"][1]["content"].as_str().unwrap().contains("of number 0 in the list")
    });
    let fixture = Fixture::new(Clerk::start(forms("nothing").with(first, trickle)), 200);
    let arguments = fixture.arguments(&["--judge", "local/clerk", "--concurrency", "4"]);
    let begun = std::time::Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Three requests a pair, and one for the first, which stays under way.
    while fixture.clerk.server.seen() < 3 * (PAIRS - 1) + 1 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before all were asked");
        let waited = begun.elapsed().as_secs();
        assert!(waited < 100, "{} requests after {waited} s", fixture.clerk.server.seen());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
