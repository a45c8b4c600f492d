//! A scripted council: members that answer, reviewers that mark what they are told to mark.
//!
//! It judges nothing. Which answer is which it finds by a word that stands in no other answer.

use std::collections::BTreeMap;

use assize_injector::{Request, Script};
use serde_json::{Value, json};

use crate::clerk::Clerk;
use crate::support::{Said, assize};

/// What a reviewer gives an answer that holds a word.
pub(crate) type Marks = &'static [(&'static str, [f64; 5])];

pub(crate) const DIMENSIONS: [&str; 5] =
    ["accuracy", "relevance", "completeness", "conciseness", "clarity"];

/// Three answers to one question, each with a word of its own.
pub(crate) const ANSWERS: [(&str, &str); 3] = [
    ("plain", "Quartz is made of silicon and oxygen, in (plain) words."),
    ("grand", "Quartz is a (grand) crystal of silicon and oxygen, and so on and on."),
    ("wrong", "Quartz is frozen water that is (wrong) for thousands of years."),
];

/// `plain` is the best, `wrong` reads best of all and is false.
pub(crate) const HONEST: Marks = &[
    ("(plain)", [9.0, 9.0, 8.0, 9.0, 9.0]),
    ("(grand)", [8.0, 8.0, 8.0, 5.0, 6.0]),
    ("(wrong)", [2.0, 9.0, 9.0, 10.0, 10.0]),
];

pub(crate) const MEMBERS: [&str; 2] = ["--members", "local/plain,local/grand,local/wrong"];
pub(crate) const REVIEWERS: [&str; 2] = ["--reviewers", "local/r1,local/r2,local/r3"];

/// What a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wants {
    Answer,
    Review,
    Final,
}

pub(crate) fn wants(request: &Request) -> Wants {
    let system = request.body["messages"][0]["content"].as_str().unwrap_or_default();
    if system.starts_with("Answer the question") {
        Wants::Answer
    } else if system.starts_with("You write the final answer") {
        Wants::Final
    } else {
        Wants::Review
    }
}

/// Whether a request is a review by a model.
pub(crate) fn reviews(request: &Request, model: &str) -> bool {
    wants(request) == Wants::Review && request.body["model"] == model
}

/// The words in the order in which the answers that hold them stand in a review's question.
pub(crate) fn seen(request: &Request, words: &[&'static str]) -> Vec<&'static str> {
    let question = request.body["messages"][1]["content"].as_str().unwrap_or_default();
    let places: BTreeMap<usize, &'static str> =
        words.iter().filter_map(|word| Some((question.rfind(*word)?, *word))).collect();
    places.into_values().collect()
}

/// Response A, B, … with the marks of the answers that stand there.
pub(crate) fn evaluations(request: &Request, marks: Marks) -> Value {
    let words: Vec<&'static str> = marks.iter().map(|(word, _)| *word).collect();
    let mut evaluations = json!({});
    for (letter, word) in ('A'..).zip(seen(request, &words)) {
        let (_, marks) = marks.iter().find(|(known, _)| *known == word).unwrap();
        let mut entry = json!({"notes": format!("about {word}")});
        for (dimension, mark) in DIMENSIONS.iter().zip(marks) {
            entry[dimension] = json!(mark);
        }
        evaluations[format!("Response {letter}")] = entry;
    }
    evaluations
}

/// A whole ballot as a model would write it.
pub(crate) fn ballot(request: &Request, marks: Marks) -> String {
    json!({"evaluations": evaluations(request, marks)}).to_string()
}

/// Members answer by their names, everyone reviews alike, the chair says what it saw.
pub(crate) fn council(marks: Marks) -> Script {
    reviewing(move |request| match wants(request) {
        Wants::Final => "The council's word.".to_owned(),
        _ => ballot(request, marks),
    })
}

/// Members answer by their names; reviewers and chair say what they are told to.
pub(crate) fn reviewing(review: impl Fn(&Request) -> String + Send + Sync + 'static) -> Script {
    Script::answering(move |request| {
        if wants(request) == Wants::Answer { answer(request) } else { review(request) }
    })
}

/// The answer of the member that a model plays.
pub(crate) fn answer(request: &Request) -> String {
    let model = request.body["model"].as_str().unwrap();
    let known = ANSWERS.iter().find(|(name, _)| *name == model);
    known.map_or_else(|| format!("I am {model}."), |(_, text)| (*text).to_owned())
}

/// A folder with a server and the files of a council.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clerk: Clerk,
}

impl Bench {
    pub(crate) fn new(script: Script) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap(), clerk: Clerk::start(script) };
        bench.supply(&ANSWERS);
        bench
    }

    /// Writes answers for `review`.
    pub(crate) fn supply(&self, answers: &[(&str, &str)]) {
        let answers: Vec<Value> =
            answers.iter().map(|(model, text)| json!({"model": model, "text": text})).collect();
        let file = json!({"question": "What is quartz?", "answers": answers});
        std::fs::write(self.path("answers.json"), file.to_string()).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// `council ask` with the three members, as JSON, kept in `run.json`.
    pub(crate) fn ask(&self, more: &[&str]) -> Said {
        self.run(&["ask", "What is quartz?"], more)
    }

    /// `council review` of the given answers, as JSON, kept in `run.json`.
    pub(crate) fn review(&self, more: &[&str]) -> Said {
        let answers = self.path("answers.json");
        self.run(&["review", &answers], more)
    }

    fn run(&self, what: &[&str], more: &[&str]) -> Said {
        let (store, url) = (self.path("kept.db"), self.clerk.url());
        let run = self.path("run.json");
        let mut all = vec!["council"];
        all.extend(what);
        all.extend(["--database", &store, "--endpoint", &url, "--run", &run]);
        if !more.contains(&"--format") {
            all.extend(["--format", "json"]);
        }
        all.extend(more);
        assize(&all)
    }

    /// A command about the kept run.
    pub(crate) fn kept(&self, command: &str, more: &[&str]) -> Said {
        let run = self.path("run.json");
        assize(&[&["council", command, &run][..], more].concat())
    }
}

/// The verdict that was printed as JSON.
pub(crate) fn verdict(said: &Said) -> Value {
    serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr))
}

/// Models by rank, best first, with ranks.
pub(crate) fn ranks(verdict: &Value) -> Vec<(String, u64)> {
    let answers = verdict["answers"].as_array().unwrap();
    let mut ranks: Vec<(String, u64)> = answers
        .iter()
        .filter_map(|answer| Some((answer["model"].as_str()?.to_owned(), answer["rank"].as_u64()?)))
        .collect();
    ranks.sort_by_key(|(_, rank)| *rank);
    ranks
}

/// What is said of one answer.
pub(crate) fn of<'v>(verdict: &'v Value, model: &str) -> &'v Value {
    let answers = verdict["answers"].as_array().unwrap();
    answers.iter().find(|answer| answer["model"] == model).unwrap()
}

/// The final score of one answer.
pub(crate) fn score(verdict: &Value, model: &str) -> f64 {
    of(verdict, model)["score"]["value"].as_f64().unwrap()
}
