//! A scripted server that fills in our forms. It judges nothing: it finds everything said and
//! supported, except for claims with a word it was told to refuse.

use assize_injector::{Injector, Request, Script};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// A server with its runtime.
pub(crate) struct Clerk {
    pub(crate) runtime: Runtime,
    pub(crate) server: Injector,
}

impl Clerk {
    pub(crate) fn start(script: Script) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(Injector::start(script)).unwrap();
        Self { runtime, server }
    }

    pub(crate) fn url(&self) -> String {
        self.server.base_url()
    }

    pub(crate) fn die(&mut self) {
        self.runtime.block_on(self.server.die());
    }
}

/// Fills in every form; claims that hold `refused` are unsupported.
pub(crate) fn forms(refused: &'static str) -> Script {
    Script::answering(move |request| fill_in(request, refused).to_string())
}

/// The filled-in form.
pub(crate) fn fill_in(request: &Request, refused: &str) -> Value {
    let question = request.body["messages"][1]["content"].as_str().unwrap();
    if question.contains("Report what a reader has to know") {
        read_article(question)
    } else if question.contains("Report what it says") {
        read_summary(question)
    } else if question.contains("from the article alone") {
        let count = listed(question, "claim_questions", 'Q').len();
        json!({"answers": answers(count, &exhibit(question, "article"))})
    } else if question.contains("Are you ready?") {
        json!({"word": "ready"})
    } else {
        label(question, refused)
    }
}

fn read_article(question: &str) -> Value {
    let sentences = sentences(&exhibit(question, "article"));
    let points: Vec<Value> =
        sentences.iter().take(4).map(|text| json!({"point": text, "quote": text})).collect();
    let mut form = json!({
        "key_points": points, "theme": sentences[0], "intent": "report", "stance": "none",
        "tone": "plain",
    });
    if question.contains("\"questions\"") {
        form["questions"] = questions(&sentences);
    }
    form
}

fn read_summary(question: &str) -> Value {
    let text = exhibit(question, "summary");
    let sentences = sentences(&text);
    let claims: Vec<Value> =
        sentences.iter().take(10).map(|text| json!({"claim": text, "quote": text})).collect();
    let mut form = json!({"claims": claims});
    if question.contains("\"questions\"") {
        let count = listed(question, "article_questions", 'Q').len();
        form["questions"] = questions(&sentences);
        form["answers"] = answers(count, &text);
    }
    form
}

fn label(question: &str, refused: &str) -> Value {
    let summary = sentences(&exhibit(question, "summary"));
    let points = listed(question, "key_points", 'K');
    let points: Vec<Value> = (1..=points.len())
        .map(|n| json!({"id": format!("K{n}"), "label": "fully", "quote": summary[0]}))
        .collect();
    let claims: Vec<Value> = (1..)
        .zip(listed(question, "claims", 'C'))
        .map(|(n, claim)| {
            let is_false = claim.contains(refused) || claim.contains("Orvandel");
            let label = if is_false { "unsupported" } else { "Supported" };
            json!({"id": format!("C{n}"), "label": label, "quote": claim})
        })
        .collect();
    let right = |place: &str, letter: char| -> Vec<Value> {
        (1..=listed(question, place, letter).len())
            .map(|n| json!({"id": format!("{letter}{n}"), "label": "correct"}))
            .collect()
    };
    let mut form = json!({
        "key_points": points, "claims": claims, "deviations": [], "tone": "neutral", "issues": [],
    });
    if question.contains("\"article_answers\"") {
        form["article_answers"] = json!(right("article_answers", 'A'));
        form["claim_answers"] = json!(right("claim_answers", 'B'));
    }
    form
}

fn questions(sentences: &[String]) -> Value {
    let all: Vec<Value> = (0..6)
        .map(|n| {
            let text = &sentences[n % sentences.len()];
            json!({"question": format!("What is said at {n}?"), "answer": text, "quote": text})
        })
        .collect();
    json!(all)
}

fn answers(count: usize, text: &str) -> Value {
    let quote = &sentences(text)[0];
    let one = |n| json!({"id": format!("Q{n}"), "answer": "it is said", "quote": quote});
    json!((1..=count).map(one).collect::<Vec<_>>())
}

/// What stands between the markers of a place.
pub(crate) fn exhibit(question: &str, place: &str) -> String {
    let Some((_, rest)) = question.split_once(&format!("<<<begin {place} ")) else {
        return String::new();
    };
    let (_, rest) = rest.split_once(">>>\n").unwrap();
    rest.split_once(&format!("\n<<<end {place} ")).unwrap().0.to_owned()
}

fn listed(question: &str, place: &str, letter: char) -> Vec<String> {
    let lines = exhibit(question, place);
    let item = |line: &str| {
        let (id, text) = line.split_once(": ")?;
        id.strip_prefix(letter)?.parse::<usize>().ok()?;
        Some(text.to_owned())
    };
    lines.lines().filter_map(item).collect()
}

fn sentences(text: &str) -> Vec<String> {
    let all = text.split_inclusive(". ").map(|part| part.trim().to_owned());
    all.filter(|part| !part.is_empty()).collect()
}
