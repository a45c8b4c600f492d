//! `assize mcp` from the outside: the tools, what they refuse, and how the server ends.

use std::fs;

use serde_json::{Value, json};

use crate::clerk::{Clerk, forms};
use crate::mcp_client::Client;
use crate::support::{Said, assize, examples};

const TOOLS: [&str; 7] = [
    "council_review",
    "council_ask",
    "council_rescore",
    "council_compare",
    "council_bench",
    "summary_score",
    "retrieval_score",
];

fn client() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::greeted(folder.path(), &[]);
    (folder, client)
}

fn printed(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}{}", said.stdout, said.stderr))
}

fn example(name: &str) -> String {
    fs::read_to_string(examples().join(name)).unwrap()
}

#[test]
fn every_tool_is_listed_with_what_it_takes_and_what_it_teaches() {
    let (_folder, mut client) = client();
    let answer = client.request("tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    for tool in tools {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert!(tool["description"].as_str().unwrap().len() > 200, "{tool}");
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name} of {}", tool["name"]);
            // Nothing that is the server's own may come from a caller.
            let own = ["endpoint", "config", "store", "replay", "key", "path", "file", "url"];
            assert!(!own.contains(&name.as_str()), "{name}");
        }
        assert!(boon_accepts(schema), "{schema}");
    }
    assert_eq!(client.close().code(), Some(0));
}

/// A schema is one, by the judgement of somebody else's library.
fn boon_accepts(schema: &Value) -> bool {
    let mut compiler = boon::Compiler::new();
    compiler.set_default_draft(boon::Draft::V2020_12);
    compiler.add_resource("schema.json", schema.clone()).unwrap();
    compiler.compile("schema.json", &mut boon::Schemas::new()).is_ok()
}

#[test]
fn a_summary_is_scored_as_the_command_scores_it() {
    let (_folder, mut client) = client();
    let (article, summary) = (example("summary/article.txt"), example("summary/bad.txt"));
    for framework in ["twin-lock", "judge-lock"] {
        let pair = ["--article", "summary/article.txt", "--summary", "summary/bad.txt"];
        let more = ["--framework", framework, "--format", "json", "--explain"];
        let said = assize(&[&["summary", "score"], &pair[..], &more].concat());
        let arguments = json!({
            "article": article, "summary": summary, "framework": framework, "explain": true,
        });
        assert_eq!(client.found("summary_score", &arguments), printed(&said));
    }
}

#[test]
fn a_summary_is_scored_by_a_model_only_if_one_is_named_and_configured() {
    let clerk = Clerk::start(forms("nine million"));
    let folder = tempfile::tempdir().unwrap();
    let url = clerk.url();
    let mut client = Client::greeted(folder.path(), &["--endpoint", &url]);
    let pair = json!({
        "article": example("summary/article.txt"), "summary": example("summary/good.txt"),
    });
    client.found("summary_score", &pair);
    assert_eq!(clerk.server.seen(), 0);
    let mut by_model = pair.clone();
    by_model["judge"] = json!("local/clerk");
    let scored = client.found("summary_score", &by_model);
    assert_eq!(scored["judge"]["judges"], json!(["local/clerk"]));
    assert!(clerk.server.seen() > 0);
    by_model["judge"] = json!("nobody/knows");
    let refused = client.refused("summary_score", &by_model);
    assert!(refused.contains("nobody"), "{refused}");
}

#[test]
fn passages_and_rankings_are_scored_as_the_command_scores_them() {
    let (folder, mut client) = client();
    let json_of = |name: &str| -> Value { serde_json::from_str(&example(name)).unwrap() };
    let (predictions, gold) = (json_of("retrieval/keyword.json"), json_of("retrieval/gold.json"));
    let files = ["retrieval/keyword.json", "retrieval/gold.json", "--format", "json"];
    let said = assize(&[&["score"], &files[..], &["--k", "5"]].concat());
    let arguments = json!({"predictions": predictions, "gold": gold, "k": 5});
    assert_eq!(client.found("retrieval_score", &arguments), printed(&said));

    // Not in the order of the alphabet: intervals depend on the order that was given.
    let run = json!({"q2": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q1": {"d4": 1.5, "d1": 1.0}});
    let qrels = json!({"q2": {"d2": 1, "d3": 2}, "q1": {"d4": 1}});
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("run.json"), run.to_string()).unwrap();
    fs::write(path("qrels.json"), qrels.to_string()).unwrap();
    let measures = ["-m", "ndcg@10,map,p@1", "--format", "json"];
    let said =
        assize(&[&["score", &path("run.json"), &path("qrels.json")], &measures[..]].concat());
    let measures = json!(["ndcg@10", "map", "p@1"]);
    let arguments = json!({"predictions": run, "gold": qrels, "measures": measures});
    let found = client.found("retrieval_score", &arguments);
    assert_eq!(found, printed(&said));
    // By hand: the best of q2 is not relevant, the best of q1 is.
    assert_eq!(found["measures"]["p@1"]["value"], 0.5);
}

#[test]
fn arguments_that_cannot_be_used_are_refused_by_name_and_the_server_goes_on() {
    let (_folder, mut client) = client();
    let answers = json!([{"model": "a", "text": "one"}, {"model": "b", "text": "two"}]);
    let council = |more: (&str, Value)| {
        let mut arguments = json!({
            "question": "Why?", "answers": answers.clone(), "reviewers": ["local/r"],
        });
        arguments[more.0] = more.1;
        arguments
    };
    for (tool, arguments, words) in [
        ("summary_score", json!({"article": "x"}), "requires `summary`"),
        ("summary_score", json!({"article": "x", "summary": 3}), "summary: invalid type"),
        ("summary_score", json!({"article": "", "summary": ""}), "cannot be scored"),
        ("retrieval_score", json!({"predictions": [], "gold": {"tests": []}}), "no query to score"),
        ("retrieval_score", json!({"predictions": "x", "gold": "y"}), "predictions"),
        ("council_review", json!({"question": "Why?"}), "requires `answers`"),
        ("council_review", council(("answers", json!([{"model": "a"}]))), "answers[0]"),
        ("council_review", council(("config", json!("/etc/passwd"))), "has no parameter `config`"),
        ("council_review", council(("profile", json!("/etc/passwd"))), "unknown profile"),
        ("council_review", council(("aggregate", json!("votes"))), "borda"),
        ("council_review", council(("reviewers", json!(["qwen"]))), "reviewers: "),
        ("council_review", council(("safety_score_cap", json!(11))), "must be from 0 to 10"),
        ("council_review", council(("reviewers", json!([]))), "no reviewers"),
        ("council_ask", json!({"question": "Why?", "members": ["local/a"]}), "quorum"),
        ("council_rescore", json!({}), "either `run` or `record`"),
        ("council_rescore", json!({"run": "../../etc/passwd"}), "expected the `id`"),
        ("council_rescore", json!({"run": "0000"}), "no council `0000`"),
        ("council_rescore", json!({"record": {"record": 3}}), "record"),
    ] {
        let refused = client.refused(tool, &arguments);
        assert!(refused.contains(words), "{tool} {arguments}: {refused}");
    }
    let unknown = client.request("tools/call", &json!({"name": "rm", "arguments": {}}));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("council_review"), "{unknown}");
    client.say("this is not JSON");
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    // Whoever sent it is told, and the session goes on.
    let told = client.notices.iter().find(|notice| notice["error"]["code"] == -32700);
    assert!(told.is_some_and(|notice| notice["id"].is_null()), "{:?}", client.notices);
}

#[test]
fn reviewers_and_a_council_are_held_against_people() {
    let (_folder, mut client) = client();
    let one = |number: usize| {
        let (label, right) = (1 + number % 2, number % 10 != 3);
        let marks = if (label == 1) == right { [8, 4] } else { [4, 8] };
        json!({"q": number.to_string(), "a1": "x", "a2": "y", "label": label, "s": {"r": marks}})
    };
    let comparisons: Vec<Value> = (0..40).map(one).collect();
    let found = client.found("council_bench", &json!({"comparisons": comparisons}));
    // 36 of 40.
    assert_eq!(found["all"][0]["agreement"], 0.9);
    assert_eq!(found["best_reviewer"], "r");
    let refused = client.refused("council_bench", &json!({"comparisons": [{"a": 1}]}));
    assert!(refused.contains("unrecognised fields"), "{refused}");
    let refused = client.refused("council_compare", &json!({"runs": ["0000"]}));
    assert!(refused.contains("no council `0000`"), "{refused}");
}

#[test]
fn arguments_that_are_too_long_are_refused_with_both_lengths() {
    let (_folder, mut client) = client();
    let long = "word ".repeat(2 << 20);
    let refused = client.refused("summary_score", &json!({"article": long, "summary": "x"}));
    assert!(refused.contains("8388608") && refused.contains("bytes"), "{refused}");
    client.found("summary_score", &json!({"article": "It rained.", "summary": "It rained."}));
}

#[test]
fn a_message_that_is_too_long_is_answered_with_an_error_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::greeted(folder.path(), &[]);
    client.flood(40 << 20);
    client.say("");
    client.found("summary_score", &json!({"article": "It rained.", "summary": "It rained."}));
    let told = client.notices.iter().any(|notice| notice["error"]["code"] == -32600);
    assert!(told, "{:?}", client.notices);
    assert_eq!(client.close().code(), Some(0));
}

#[test]
fn the_server_ends_when_its_input_does_or_with_a_keystroke() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Client::start(folder.path(), &[]).close().code(), Some(0));
    assert_eq!(Client::greeted(folder.path(), &[]).close().code(), Some(0));
    assert_eq!(Client::greeted(folder.path(), &[]).interrupt().code(), Some(130));
}

#[test]
fn a_faulty_configuration_is_told_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("assize.toml"), "[council]\nqorum = 3\n").unwrap();
    let path = folder.path().join("assize.toml");
    let said = assize(&["mcp", "--config", path.to_str().unwrap()]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("qorum") && said.stdout.is_empty(), "{}", said.stderr);
}
