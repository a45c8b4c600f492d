//! What is printed keeps to the schema in the docs, checked by a validator that is not ours.

use std::path::Path;

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use super::{PAIRS, score};
use crate::support::file;

/// Everything that does not keep to the schema.
fn breaches(documents: &[Value]) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/reference/summary-score.schema.json");
    let text = std::fs::read_to_string(path).unwrap();
    let mut compiler = Compiler::new();
    compiler.add_resource("schema.json", serde_json::from_str(&text).unwrap()).unwrap();
    let mut schemas = Schemas::new();
    let schema = compiler.compile("schema.json", &mut schemas).unwrap();
    let checked = |document| match schemas.validate(document, schema) {
        Ok(()) => None,
        Err(error) => Some(format!("{error:#}")),
    };
    documents.iter().filter_map(checked).collect()
}

fn printed(input: &str, more: &[&str]) -> Vec<Value> {
    let said = score(input, &[&["--format", "jsonl"], more].concat());
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn scorecards_of_both_frameworks_keep_to_the_schema() {
    for framework in ["twin-lock", "judge-lock"] {
        for more in [&["--framework", framework][..], &["--framework", framework, "--explain"]] {
            let cards = printed(PAIRS, more);
            assert_eq!(cards.len(), 6);
            assert_eq!(breaches(&cards), [] as [String; 0]);
        }
    }
}

#[test]
fn errors_and_missing_scores_keep_to_the_schema() {
    let (_folder, path) = file(
        "errors.jsonl",
        "{\"id\": 1, \"article\": \"a\", \"summary\": \"\"}\n\
         {\"id\": 2, \"article\": \"\", \"summary\": \"b\"}\n\
         {\"id\": 3}\nnot json\n[]\n\
         {\"id\": 4, \"article\": \"It rained on Mull.\", \"summary\": \"Why?\"}\n",
    );
    for framework in ["twin-lock", "judge-lock"] {
        let cards = printed(&path, &["--framework", framework]);
        assert_eq!(cards.len(), 6);
        assert!(cards[..5].iter().all(|card| card["error"].is_string()));
        assert_eq!(breaches(&cards), [] as [String; 0]);
    }
}

/// A schema that takes everything would prove nothing.
#[test]
fn the_schema_refuses_what_is_wrong() {
    let card = printed(PAIRS, &[]).remove(0);
    let spoiled = |spoil: fn(&mut Value)| {
        let mut card = card.clone();
        spoil(&mut card);
        breaches(&[card]).len()
    };
    assert_eq!(spoiled(|_| {}), 0);
    assert_eq!(spoiled(|card| card["coverage"]["overall_score"] = json!(10.5)), 1);
    assert_eq!(spoiled(|card| card["coverage"]["overall_score"] = json!(null)), 1);
    assert_eq!(spoiled(|card| card["method"]["name"] = json!("judge-lock")), 1);
    assert_eq!(spoiled(|card| card["hallucination"]["claims"][0]["support"] = json!("maybe")), 1);
    assert_eq!(spoiled(|card| card["surplus"] = json!(1)), 1);
    assert_eq!(spoiled(|card| drop(card.as_object_mut().unwrap().remove("relevance"))), 1);
    assert_eq!(breaches(&[json!({ "error": "no_such_reason" })]).len(), 1);
}
