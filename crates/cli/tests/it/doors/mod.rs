//! The same request through every door gives the same bytes, and the same refusal.
//!
//! A case is a line of `cases/doors/options.json`: the options of a request that are not its
//! defaults. The library, HTTP and MCP take it as it is; the flags of the command line are made of
//! it, and so are the arguments of Python (`python/tests/test_doors.py`). A new option joins by a
//! line in that file.

mod cases;
mod compliance;
mod council;
mod fields;
mod figures;
mod lifecycle;
mod mutated;
mod refusals;
mod states;
mod stored;

use std::fs;
use std::path::Path;

use assize_wire::text::{line, pretty};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::mcp_client::Client;
use crate::serve::Server;
use crate::support::{Said, assize, examples};

/// All doors, open over one folder.
pub(crate) struct Doors {
    pub(crate) folder: TempDir,
    pub(crate) server: Server,
    mcp: Client,
}

impl Doors {
    pub(crate) fn open(serving: &[&str], tools: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), serving);
        let mcp = Client::greeted(folder.path(), tools);
        Self { folder, server, mcp }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file for the command line.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.folder.path().join(name), text).unwrap();
        self.path(name)
    }

    /// A request to the server; its status and body.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = self.server.ask("POST", path, &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// What the command printed, what the server answered and what the tool handed back are what
    /// the library gives, to the byte.
    pub(crate) fn the_same(&mut self, library: &impl Serialize, asked: &Asking<'_>) {
        let answers = self.answers(asked);
        if let Some(difference) = answers.difference(library) {
            panic!("{} {difference}\nlibrary: {}", asked.options, line(library));
        }
    }

    /// What each door answers.
    fn answers(&mut self, asked: &Asking<'_>) -> Answers {
        let words: Vec<&str> = asked.command.iter().map(String::as_str).collect();
        let said = assize(&words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
        let served = asked.http.as_ref().map(|(path, body)| {
            let (status, text) = self.server.ask("POST", path, &body.to_string());
            assert_eq!(status, 200, "{path} {}: {text}", asked.options);
            text
        });
        let (tool, arguments) = &asked.mcp;
        self.mcp.found(tool, arguments);
        Answers { printed: said.stdout, served, sent: self.mcp.sent.clone() }
    }

    /// Every door refuses, and says this of the field as it spells it: `{field}` stands for it.
    pub(crate) fn refused(&mut self, words: &str, asked: &Asking<'_>) {
        let typed: Vec<&str> = asked.command.iter().map(String::as_str).collect();
        let Said { code, stderr, .. } = assize(&typed);
        assert_eq!(code, 2, "{typed:?}: {stderr}");
        assert!(stderr.contains(words), "{typed:?}: {stderr}");
        if let Some((path, body)) = &asked.http {
            let (status, answer) = self.post(path, body);
            assert!((400..500).contains(&status), "{path} {}: {answer}", asked.options);
            let detail = answer["detail"].as_str().unwrap();
            assert!(detail.contains(words), "{path} {}: {detail}", asked.options);
        }
        let (tool, arguments) = &asked.mcp;
        let refused = self.mcp.refused(tool, arguments);
        assert!(refused.contains(words), "{tool} {}: {refused}", asked.options);
    }
}

/// What the doors answered to one request, as it came.
#[derive(Debug, Clone)]
struct Answers {
    printed: String,
    served: Option<String>,
    sent: String,
}

impl Answers {
    /// The first door whose answer is not what the library gives.
    fn difference(&self, library: &impl Serialize) -> Option<String> {
        let Self { printed, served, sent } = self;
        if *printed != pretty(library) {
            return Some(format!("command line: {printed}"));
        }
        if let Some(served) = served.as_ref().filter(|served| **served != line(library)) {
            return Some(format!("HTTP: {served}"));
        }
        let content = format!("\"structuredContent\":{}", line(library));
        (!sent.contains(&content)).then(|| format!("MCP: {sent}"))
    }
}

/// One request, as each door takes it.
pub(crate) struct Asking<'a> {
    pub(crate) options: &'a Value,
    pub(crate) command: Vec<String>,
    pub(crate) http: Option<(&'static str, Value)>,
    pub(crate) mcp: (&'static str, Value),
}

/// A retrieval run with its gold, as values and as files.
pub(crate) struct Run {
    pub(crate) predictions: Value,
    pub(crate) gold: Value,
    pub(crate) files: [String; 2],
}

impl Run {
    /// Passages and their gold snippets.
    pub(crate) fn passages() -> Self {
        let path = |name: &str| examples().join(name).to_str().unwrap().to_owned();
        let files = [path("retrieval/keyword.json"), path("retrieval/gold.json")];
        let [predictions, gold] = files.each_ref().map(|path| read(path.as_ref()));
        Self { predictions, gold, files }
    }

    /// Documents with scores, ties among them, two levels of relevance, one document that nobody
    /// judged and one query that the run does not answer.
    pub(crate) fn ranked(doors: &Doors) -> Self {
        let predictions = json!({
            "q1": {"a": 2.0, "b": 2.0, "c": 1.0, "unjudged": 3.0},
            "q2": {"a": 0.5, "d": 0.5, "b": 0.25},
            "q3": {"c": 1.0},
        });
        let gold = json!({
            "q1": {"a": 1, "b": 2, "c": 0}, "q2": {"d": 2, "b": 1, "a": 0}, "q3": {"a": 1},
            "q4": {"a": 1},
        });
        let files = [
            doors.write("ranked.json", &predictions.to_string()),
            doors.write("qrels.json", &gold.to_string()),
        ];
        Self { predictions, gold, files }
    }

    pub(crate) fn asking<'a>(&self, options: &'a Value) -> Asking<'a> {
        let mut command = vec!["score".to_owned()];
        command.extend(self.files.clone());
        command.extend(flags(options));
        command.extend(["--format", "json"].map(ToOwned::to_owned));
        let content = json!({"predictions": self.predictions, "gold": self.gold});
        let mut body = content.clone();
        body["settings"] = options.clone();
        Asking {
            options,
            command,
            http: Some(("/api/v1/score/retrieval", body)),
            mcp: ("retrieval_score", joined(&content, options)),
        }
    }
}

/// The bad summary of the samples with its article.
pub(crate) fn summary(options: &Value) -> Asking<'_> {
    let text = |name: &str| fs::read_to_string(examples().join(name)).unwrap();
    let content = json!({
        "article": text("summary/article.txt"), "summary": text("summary/bad.txt"), "explain": true,
    });
    let command = ["summary", "score", "--article", "summary/article.txt", "--summary"];
    let mut command: Vec<String> = command.iter().map(ToString::to_string).collect();
    command.extend(["summary/bad.txt", "--explain", "--format", "json"].map(ToOwned::to_owned));
    command.extend(flags(options));
    let body = joined(&content, options);
    Asking {
        options,
        command,
        http: Some(("/api/v1/score/summary", body.clone())),
        mcp: ("summary_score", body),
    }
}

/// The cases of a kind.
pub(crate) fn options(kind: &str) -> Vec<Value> {
    cases("options.json", kind)
}

/// Options of a kind that are refused, and what is said of them.
fn refusals(kind: &str) -> Vec<(Value, String)> {
    let case = |case| serde_json::from_value(case).unwrap();
    cases("refusals.json", kind).into_iter().map(case).collect()
}

fn cases(file: &str, kind: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/doors");
    read(&folder.join(file))[kind].as_array().unwrap().clone()
}

pub(crate) fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn joined(content: &Value, options: &Value) -> Value {
    let mut all: Map<String, Value> = content.as_object().unwrap().clone();
    all.extend(options.as_object().unwrap().clone());
    Value::Object(all)
}

/// Options as they are typed: `{"ndcg_ideal": "gold"}` is `--ndcg-ideal gold`.
fn flags(options: &Value) -> Vec<String> {
    let mut flags = Vec::new();
    for (name, value) in options.as_object().unwrap() {
        let flag = match name.as_str() {
            "relevance_level" => "--level".to_owned(),
            name => format!("--{}", name.replace('_', "-")),
        };
        let word = |value: &Value| match value {
            Value::String(text) => match text.as_str() {
                "best_sentence" => "sentence".to_owned(),
                "whole_article" => "literal".to_owned(),
                text => text.to_owned(),
            },
            other => other.to_string(),
        };
        match value {
            Value::Bool(true) => flags.push(flag),
            // What is a switch or a word is typed with `=`.
            other if name == "safety_gate" => flags.push(format!("{flag}={}", word(other))),
            Value::Object(weights) if name == "weights" => {
                let each = weights.iter().map(|(name, weight)| format!("{name}={weight}"));
                flags.extend([flag, each.collect::<Vec<_>>().join(",")]);
            }
            Value::Array(list) => {
                flags.push(flag);
                flags.push(list.iter().map(word).collect::<Vec<_>>().join(","));
            }
            Value::Object(map) => {
                for (field, column) in map {
                    flags.extend([flag.clone(), format!("{field}={}", word(column))]);
                }
            }
            other => flags.extend([flag, word(other)]),
        }
    }
    flags
}
