//! What generous reading gives, and that it never takes long.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::schema::fields;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn last(reply: &str) -> Option<Value> {
    blocks(reply).found.pop().map(|block| block.value)
}

#[test]
fn what_models_write_instead_of_json_is_read() {
    for reply in [
        r#"{"a": 9, "b": "x"}"#,
        "{'a': 9, 'b': 'x'}",
        "{“a”: 9, “b”: “x”}",
        "{a: 9, b: x}",
        "{\"a\": 9, // the best\n \"b\": \"x\", /* done */}",
        "```JSON\n{\"a\": 9.0, \"b\": \"x\",}\n```",
        "Take {'tis. Then {\"a\": 9, \"b\": \"x\"}",
        "A brace { in prose, {and} another. {\"a\": 9, \"b\": \"x\"} :-}",
    ] {
        let value = last(reply).unwrap();
        assert_eq!((value["a"].as_f64(), value["b"].as_str()), (Some(9.0), Some("x")), "{reply}");
    }
}

#[test]
fn brackets_in_texts_are_text() {
    let reply = r#"{"notes": "a lone } and ```fn {``` and \"quotes\"", "a": 1}"#;
    assert_eq!(last(reply).unwrap()["a"], 1);
}

#[test]
fn an_end_that_breaks_off_costs_only_what_was_begun() {
    let reply = r#"{"e": {"A": {"x": 1}, "B": {"x": 2, "y": "unfin"#;
    let found = blocks(reply).found.pop().unwrap();
    assert!(found.breaks_off());
    assert_eq!(found.value["e"]["A"], json(r#"{"x": 1}"#));
    assert_eq!(found.value["e"]["B"], fields([("x", 2.into()), (INCOMPLETE, true.into())]));
}

#[test]
fn what_is_not_a_number_is_nothing() {
    let found = blocks(r#"{"a": NaN, "b": Infinity}"#).found.pop().unwrap();
    assert_eq!(found.value, json(r#"{"a": null, "b": null}"#));
    assert_eq!(found.repairs, [Repair::NotANumber]);
}

#[test]
fn what_is_broken_is_reported_and_no_part_of_it_is_taken() {
    let reply = r#"{"a": 1} {"b": "he said "no" twice", "c": {"d": 1}} end"#;
    let blocks = blocks(reply);
    assert_eq!(blocks.found.len(), 1);
    assert_eq!(blocks.broken.len(), 1);
}

#[test]
fn escapes_mean_what_they_mean_in_json() {
    let reply = r#"{"a": "\u00e9\ud83d\ude00\n\alpha\ud800x"}"#;
    assert_eq!(last(reply).unwrap()["a"], "é😀\n\\alpha\u{fffd}x");
}

#[test]
fn hostile_replies_of_a_megabyte_are_read_in_linear_time() {
    let begun = Instant::now();
    for unit in
        ["{", "{\"a\":", "[{", "{\"a\" x", "{\"a\":x}", "{a:", "/*{", "{'", "{\"a\":[{\"b\":\"\\"]
    {
        let _ = blocks(&unit.repeat(1_000_000 / unit.len()));
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

proptest! {
    #[test]
    fn no_reply_makes_it_panic(reply in "[\\[\\]{}\"',:/*\\\\ a1é“”\\n]{0,200}") {
        let _ = blocks(&reply);
    }

    #[test]
    fn what_is_json_is_read_as_json(marks in prop::collection::btree_map("[a-z]{1,4}", 0..100_u8, 1..5)) {
        let text = serde_json::to_string(&marks).unwrap();
        let value = last(&text).unwrap();
        for (key, mark) in marks {
            prop_assert_eq!(value[&key].as_f64(), Some(f64::from(mark)));
        }
    }
}
