//! What is found in replies as models write them, and as enemies do.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use super::*;
use crate::schema::fields;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[derive(Debug, PartialEq, Deserialize)]
struct Claims {
    claims: Vec<Claim>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Claim {
    text: String,
    label: Label,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Label {
    Supported,
    Unsupported,
}

fn value(reply: &str) -> Result<Value, ReplyError> {
    read(reply)
}

#[test]
fn an_object_is_found_in_prose_and_in_fences() {
    for reply in [
        r#"{"a":1}"#,
        "Sure! Here it is:\n```json\n{\"a\": 1}\n```\nAnything else?",
        "<think>Maybe {x}? Or [1]?</think>{\"a\":1}",
        "\u{feff}{\"a\":1}\r\n",
        "{see below} {{nothing}} {\"a\":1} :-} ]",
        "{\"a\": } no, rather {\"a\":1}",
    ] {
        assert_eq!(value(reply), Ok(json(r#"{"a": 1}"#)), "{reply}");
    }
}

#[test]
fn the_last_complete_object_wins() {
    assert_eq!(value(r#"{"a":1} I was wrong: {"a":2}"#), Ok(json(r#"{"a": 2}"#)));
    let formats = r#"The form is {"claims": [...]}. My answer: {"claims": []}"#;
    assert_eq!(value(formats), Ok(json(r#"{"claims": []}"#)));
}

#[test]
fn a_draft_does_not_stand_in_for_a_final_answer_that_breaks_off() {
    let reply = r#"Draft: {"claims": []} Final: {"claims": [{"text": "a"}, {"te"#;
    assert_eq!(value(reply), Err(ReplyError::BreaksOff));
}

#[test]
fn nothing_inside_a_broken_object_is_taken_for_the_answer() {
    let quotes = r#"{"claims": [{"text": "He said "no" twice", "label": "supported"}, {"x": 1}]}"#;
    let error = value(quotes).unwrap_err();
    assert!(error.to_string().contains("double quotes inside a text"), "{error}");
    let backslash = r#"{"a": "\alpha {\"b\": 1}", "c": {"d": 1}}"#;
    let expected = "the JSON object is broken at line 1, column 8: \
                    a backslash in a text must be doubled";
    assert_eq!(value(backslash).unwrap_err().to_string(), expected);
}

#[test]
fn what_breaks_off_is_never_completed_wherever_it_breaks() {
    let whole = r#"{"a": [1, {"b": "x\n"}, true, -2.5e3], "c": null}"#;
    assert!(value(whole).is_ok());
    for end in 1..whole.len() {
        assert_eq!(value(&whole[..end]), Err(ReplyError::BreaksOff), "{}", &whole[..end]);
    }
}

#[test]
fn only_what_has_one_meaning_is_repaired() {
    let reply = "{\"a\": [1, 2,], \"b\": \"two\nlines\", \"c\": None, \"d\": \"it\\'s\",\n}";
    let found = find(reply).unwrap();
    let value: Value = serde_json::from_str(&found.json).unwrap();
    assert_eq!(value, json(r#"{"a": [1, 2], "b": "two\nlines", "c": null, "d": "it's"}"#));
    let repairs = [
        Repair::TrailingComma,
        Repair::ControlCharacter,
        Repair::PythonWord,
        Repair::Apostrophe,
        Repair::TrailingComma,
    ];
    assert_eq!(found.repairs, repairs);
}

#[test]
fn what_has_two_meanings_is_not_repaired() {
    for reply in [
        r#"{"a": 1 "b": 2}"#,
        r#"{"a": [1 2]}"#,
        r#"{"a": (1)}"#,
        r#"{"a": NaN}"#,
        r#"{"a": 1, b: 2}"#,
        r#"{"a": 'one'}"#,
        r#"{"a": 1,, "b": 2}"#,
        r#"{"a": [1}"#,
        r#"{"a": 01}"#,
        r#"{"a": 1.2.3}"#,
        r#"{"a": "\ud800"}"#,
    ] {
        let error = value(reply).unwrap_err();
        assert!(matches!(error, ReplyError::Broken { .. }), "{reply}: {error}");
    }
}

#[test]
fn what_is_missing_or_wrong_is_said_with_its_place() {
    let problem = |reply: &str| read::<Claims>(reply).unwrap_err().to_string();
    assert_eq!(problem("{}"), "missing field `claims`");
    assert_eq!(problem(r#"{"claims": [{"text": "a"}]}"#), "at `claims[0]`: missing field `label`");
    assert_eq!(
        problem(r#"{"claims": [{"text": "a", "label": "maybe"}]}"#),
        "at `claims[0].label`: unknown variant `maybe`, expected `supported` or `unsupported`"
    );
    assert_eq!(
        problem(r#"{"claims": 7}"#),
        "at `claims`: invalid type: integer `7`, expected a sequence"
    );
    assert_eq!(problem(r#"{"claims": [], "claims": []}"#), "duplicate field `claims`");
}

#[test]
fn replies_without_an_object_say_so() {
    assert_eq!(value(""), Err(ReplyError::Empty));
    assert_eq!(value(" \n"), Err(ReplyError::Empty));
    assert_eq!(value("I cannot help with that [1]."), Err(ReplyError::NoObject));
    assert_eq!(value(r#"[{"a": 1}, {"a": 2}]"#), Err(ReplyError::List));
}

#[test]
fn hostile_replies_of_a_megabyte_are_read_in_linear_time() {
    let begun = Instant::now();
    for unit in [
        "{",
        "{\"a\":",
        "[{",
        "{\"a\":[{\"b\":\"\\",
        "{\"a\" x",
        "{\"a\":x}",
        "\"{\\\"",
        "{\"a\":1}",
    ] {
        let _ = value(&unit.repeat(1_000_000 / unit.len()));
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn answers_nested_without_end_are_refused() {
    let reply = format!("{{\"a\": {}{}}}", "[".repeat(500), "]".repeat(500));
    let error = value(&reply).unwrap_err().to_string();
    assert!(error.contains("nested too deeply"), "{error}");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~é\\n\\t\"{}\\[\\]]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[a-c\"{]{0,3}", inner, 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_object_is_found_as_it_was_written(
        inner in any_json(), before in "[ -z\\n]{0,20}", after in "[ -z]{0,20}", pretty: bool,
    ) {
        let object = fields([("answer", inner)]);
        let text = if pretty { format!("{object:#}") } else { object.to_string() };
        // A bracket right before the object would make a list of it.
        let before = before.replace('[', "(");
        let reply = format!("{before}\n{text}\n{after}");
        prop_assert_eq!(value(&reply), Ok(object));
    }

    #[test]
    fn no_reply_makes_it_panic(reply in "[\\[\\]{}\",:\\\\ a1\\n]{0,200}") {
        let _ = value(&reply);
    }
}
