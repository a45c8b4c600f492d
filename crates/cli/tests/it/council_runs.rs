//! Councils as runs: planned, held by whoever works, watched, stopped, killed, resumed, retried and
//! counted again, through the command line and through HTTP.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assize_injector::{Fault, When};
use assize_testbed::Postgres;
use serde_json::{Value, json};

use crate::bench::{
    Bench, HONEST, MEMBERS, REVIEWERS, Wants, council, ranks, score, verdict, wants,
};
use crate::serve::Server;
use crate::support::assize;

const QUESTION: &str = "What is quartz?";
const CHAIR: [&str; 2] = ["--chair", "local/chair"];

/// Three answers, three reviews, one final answer.
const REQUESTS: u64 = 7;

/// How often each participant was asked, by what it is asked for.
fn asked(bench: &Bench) -> BTreeMap<(String, &'static str), usize> {
    let mut asked = BTreeMap::new();
    for request in bench.clerk.server.requests() {
        let stage = match wants(&request) {
            Wants::Answer => "answer",
            Wants::Review => "review",
            Wants::Final => "final",
        };
        let model = request.body["model"].as_str().unwrap().to_owned();
        *asked.entry((model, stage)).or_default() += 1;
    }
    asked
}

pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_mins(2), "waited too long for: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The body that asks the bench's council over HTTP.
fn body(more: &Value) -> Value {
    let mut body = json!({"instrument": "council", "question": QUESTION,
        "members": ["local/plain", "local/grand", "local/wrong"],
        "reviewers": ["local/r1", "local/r2", "local/r3"], "chair": "local/chair"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// A server that knows the bench's models.
fn serve(bench: &Bench, more: &[&str]) -> Server {
    let settings = format!("[endpoints.local]\nbase_url = \"{}\"\n", bench.clerk.url());
    std::fs::write(bench.path("assize.toml"), settings).unwrap();
    let database = bench.path("kept.db");
    let database =
        if more.contains(&"--database") { vec![] } else { vec!["--database", &database] };
    Server::start(bench.folder.path(), &[&database[..], more].concat())
}

pub(crate) fn post(server: &Server, path: &str, body: &Value, expected: u16) -> Value {
    let (status, text) = server.ask("POST", path, &body.to_string());
    assert_eq!(status, expected, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

pub(crate) fn state(server: &Server, run: i64) -> String {
    let run = server.json(&format!("/api/v1/runs/{run}"));
    run["state"].as_str().unwrap().to_owned()
}

/// What the bench's council comes to when nothing goes wrong.
fn undisturbed() -> Value {
    let bench = Bench::new(council(HONEST));
    let said = bench.ask(&[&MEMBERS[..], &REVIEWERS, &CHAIR].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    verdict(&said)
}

#[test]
fn a_council_that_is_killed_and_resumed_pays_for_nothing_twice() {
    let bench = Bench::new(council(HONEST).after(Duration::from_millis(150)));
    let (store, url, run) = (bench.path("kept.db"), bench.clerk.url(), bench.path("run.json"));
    let kept = ["--database", &store, "--endpoint", &url];
    let mut child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(["council", "ask", QUESTION, "--save", "--name", "quartz", "--run", &run])
        .args([&MEMBERS[..], &REVIEWERS, &CHAIR, &kept, &["--concurrency", "1"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The fifth is the second review.
    until("five requests", || bench.clerk.server.seen() >= 5);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = asked(&bench);
    let listed = assize(&["runs", "show", "quartz", "--format", "json", "--database", &store]);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!((&listed["state"], &listed["done"]), (&json!("running"), &json!(0)), "{listed}");

    // The lease of a process that is gone runs out first.
    let resumed = assize(&[&["runs", "resume", "quartz", "--format", "json"][..], &kept].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let view: Value = serde_json::from_str(&resumed.stdout).unwrap();
    assert_eq!((&view["state"], &view["done"]), (&json!("done"), &json!(3)), "{view}");
    // Only what was under way when it was killed is asked again: that reply never came.
    let seen = bench.clerk.server.seen();
    assert!((REQUESTS..=REQUESTS + 1).contains(&seen), "{seen} requests; before: {before:?}");
    let twice: Vec<_> = asked(&bench).into_iter().filter(|(_, times)| *times > 1).collect();
    assert!(
        twice.len() <= 1 && twice.iter().all(|((_, stage), _)| *stage == "review"),
        "{twice:?}"
    );

    let expected = undisturbed();
    for item in view["page"].as_array().unwrap() {
        let model = item["subject"].as_str().unwrap();
        assert_eq!(item["scores"]["score"].as_f64().unwrap(), score(&expected, model), "{model}");
    }
    // A run that is done asks nobody again.
    let bill = assize(&["runs", "bill", "quartz", "--format", "json", "--database", &store]);
    let bill: Value = serde_json::from_str(&bill.stdout).unwrap();
    assert_eq!(bill["models"].as_array().unwrap().len(), 7, "{bill}");
    assert_eq!(bench.clerk.server.seen(), seen);
}

#[test]
fn a_council_is_asked_watched_stopped_resumed_and_counted_again_over_http() {
    watched_stopped_and_resumed(&[]);
}

#[test]
fn a_council_is_stopped_and_resumed_over_http_on_postgresql() {
    let server = Postgres::start();
    watched_stopped_and_resumed(&["--database", &server.database()]);
}

fn watched_stopped_and_resumed(database: &[&str]) {
    let bench = Bench::new(council(HONEST).after(Duration::from_millis(1_500)));
    let server = serve(&bench, database);
    let run = post(&server, "/api/v1/runs", &body(&json!({"name": "quartz"})), 201);
    assert_eq!((&run["number"], &run["items"]), (&json!(1), &json!(3)), "{run}");
    // The answers are asked for; whoever stops now keeps them and pays for no review.
    until("three answers asked for", || bench.clerk.server.seen() >= 3);
    let stopped = post(&server, "/api/v1/runs/1/stop", &json!({}), 200);
    assert_eq!(stopped["state"], "stopped");
    std::thread::sleep(Duration::from_millis(3_500));
    let seen = bench.clerk.server.seen();
    assert!((3..=6).contains(&seen), "{seen}");
    let events = events_of(&server, 1);
    let (_, last) = events.last().unwrap();
    let steps = last["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 7, "{last}");
    let answered = |step: &&Value| step["stage"] == "answer" && step["state"] == "done";
    assert_eq!(steps.iter().filter(answered).count(), 3, "{last}");

    post(&server, "/api/v1/runs/1/resume", &json!({}), 202);
    let events = events_of(&server, 1);
    let (name, last) = events.last().unwrap();
    assert_eq!((name.as_str(), &last["state"]), ("state", &json!("done")), "{last}");
    let over = |step: &Value| step["state"] == "done";
    assert!(last["steps"].as_array().unwrap().iter().all(over), "{last}");
    let busy = |(_, event): &&(String, Value)| {
        event["steps"].as_array().unwrap().iter().any(|step| step["state"] == "asked")
    };
    assert!(events.iter().any(|event| busy(&event)), "nobody was seen at work: {events:?}");
    assert_eq!(bench.clerk.server.seen(), REQUESTS, "{:?}", asked(&bench));

    let view = server.json("/api/v1/runs/1");
    let expected = undisturbed();
    let scores = |view: &Value| -> BTreeMap<String, f64> {
        let items = view["page"].as_array().unwrap().iter();
        let one = |item: &Value| {
            (
                item["subject"].as_str().unwrap().to_owned(),
                item["scores"]["score"].as_f64().unwrap(),
            )
        };
        items.map(one).collect()
    };
    for (model, _) in ranks(&expected) {
        assert_eq!(scores(&view)[&model], score(&expected, &model));
    }
    // Counted again twice: the second keeps what the first changed.
    let weights = json!({"council": {"profile": "classic"}, "reason": "as the seed has it"});
    post(&server, "/api/v1/runs/1/rescore", &weights, 200);
    let classic = scores(&server.json("/api/v1/runs/1"));
    // By hand, classic: grand .35*8 + .25*8 + .20*5 + .20*6 = 7.0.
    assert_eq!(classic["local/grand"], 7.0);
    let mean = json!({"council": {"aggregate": "mean"}});
    post(&server, "/api/v1/runs/1/rescore", &mean, 200);
    let view = server.json("/api/v1/runs/1");
    assert_eq!((&view["version"], scores(&view)["local/grand"]), (&json!(3), 7.0));
    assert_eq!(view["configuration"]["profile"], "classic");
    assert_eq!(bench.clerk.server.seen(), REQUESTS);
}

/// Answers that are there are reviewed; a reviewer that was away is asked again by a retry, and
/// the others are not.
#[test]
fn answers_are_reviewed_over_http_and_a_retry_asks_only_who_was_away() {
    let is_review =
        When::matching(|request| wants(request) == Wants::Review && request.number <= 3);
    let away = Fault::status(400, "not today");
    let bench = Bench::new(council(HONEST).with(is_review, away));
    let server = serve(&bench, &[]);
    let file = std::fs::read_to_string(bench.path("answers.json")).unwrap();
    let answers: Value = serde_json::from_str(&file).unwrap();
    let asked_for = json!({"instrument": "council", "answers": answers,
        "reviewers": ["local/r1", "local/r2"]});
    post(&server, "/api/v1/runs", &asked_for, 201);
    until("the end", || state(&server, 1) == "done");
    let view = server.json("/api/v1/runs/1");
    assert_eq!((&view["done"], &view["unscored"]), (&json!(3), &json!(3)), "{view}");
    let before = bench.clerk.server.seen();
    assert_eq!(before, 2, "{:?}", asked(&bench));
    // The third request is refused too, the fourth is answered.
    let retried = post(&server, "/api/v1/runs/1/retry-unscored", &json!({}), 202);
    assert_eq!(retried["items"], 3, "{retried}");
    until("the end", || state(&server, 1) == "done");
    let view = server.json("/api/v1/runs/1");
    assert_eq!((&view["done"], &view["unscored"]), (&json!(3), &json!(0)), "{view}");
    assert_eq!(bench.clerk.server.seen(), 4);
}

#[test]
fn what_an_operator_does_not_allow_or_nobody_could_mean_is_refused_before_anybody_is_asked() {
    let bench = Bench::new(council(HONEST));
    let server = serve(&bench, &["--allow-model", "local/plain", "--allow-model", "local/grand"]);
    let refused = |more: Value, status: u16, words: &str| {
        let problem = post(&server, "/api/v1/runs", &body(&more), status);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{detail}");
    };
    refused(json!({}), 422, "does not allow the judge `local/wrong`");
    refused(json!({"question": " "}), 400, "the question is empty");
    refused(json!({"members": ["local/plain"]}), 400, "the quorum is 2");
    refused(json!({"gate_patterns": ["/etc/passwd"]}), 400, "only the operator names files");
    refused(
        json!({"answers": [{"model": "a", "text": "b"}]}),
        400,
        "members: the answers are given",
    );
    refused(json!({"record": {}}), 400, "record: a finished council has its question");
    assert_eq!(server.json("/api/v1/runs")["items"], json!([]));
    assert_eq!(bench.clerk.server.seen(), 0);
}

/// The events of a run until the server ends them, by name.
fn events_of(server: &Server, run: i64) -> Vec<(String, Value)> {
    let bytes = server.bytes(&format!("/api/v1/runs/{run}/events"));
    let text = String::from_utf8(bytes).unwrap();
    let mut events = Vec::new();
    for block in text.split("\n\n") {
        let field = |name: &str| {
            block
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .map(|value| value.trim().to_owned())
        };
        if let (Some(name), Some(data)) = (field("event:"), field("data:")) {
            events.push((name, serde_json::from_str(&data).unwrap()));
        }
    }
    events
}

/// The third success metric of the design document.
#[test]
fn a_reader_says_whether_a_council_was_understood() {
    let bench = Bench::new(council(HONEST));
    let store = bench.path("kept.db");
    let saved = bench.ask(&[&MEMBERS[..], &REVIEWERS, &["--save", "--name", "quartz"]].concat());
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let report = |name: &str| {
        let words = ["council", "report", "--stored", name, "--format", "json"];
        let said = assize(&[&words[..], &["--database", &store]].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        serde_json::from_str::<Value>(&said.stdout).unwrap()
    };
    assert_eq!(report("quartz")["readers"], json!({"yes": 0, "partly": 0, "no": 0, "share": null}));
    let server = serve(&bench, &[]);
    let label = |answer: &str| json!([{"position": 0, "measure": "understood", "label": answer}]);
    for answer in ["partly", "yes"] {
        let body = label(answer).to_string();
        let (status, text) = server.ask("PUT", "/api/v1/runs/quartz/labels", &body);
        assert_eq!(status, 200, "{text}");
    }
    let readers = &report("1")["readers"];
    assert_eq!((&readers["yes"], &readers["partly"]), (&json!(1), &json!(0)), "{readers}");
    // Wilson's interval of one in one begins at 1 / (1 + 1.96²).
    let low = readers["share"]["low"].as_f64().unwrap();
    assert!((low - 0.2065).abs() < 1e-3, "{readers}");
    let words = ["council", "report", "--stored", "quartz", "--database", &store];
    let said = assize(&words).stdout;
    assert!(said.contains("1 of 1 reader understood it: 100 % [21 %, 100 %]"), "{said}");
}
