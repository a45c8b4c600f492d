//! Every shape in one small file, written by us.

use std::fs;

use super::*;

fn read_text(text: &str) -> Result<Vec<Comparison>, BenchError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.jsonl");
    fs::write(&path, text).unwrap();
    read(&path, &Reading::default())
}

fn one(text: &str) -> Comparison {
    let mut found = read_text(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

#[test]
fn every_shape_gives_two_answers_and_what_people_prefer() {
    for (text, people) in [
        (r#"{"q":"Why?","a1":"x","a2":"y","label":2,"s":{"r":[0,7.5]}}"#, Choice::Second),
        (r#"{"input":"Why?","output_1":"x","output_2":"y","label":1}"#, Choice::First),
        (
            r#"{"instruction":"Why?","output_1":"x","output_2":"y","generator_1":"m","generator_2":"n","annotator":3,"preference":1}"#,
            Choice::First,
        ),
        (r#"{"question":"Why?","response_A":"x","response_B":"y","label":"B>A"}"#, Choice::Second),
        (
            r#"{"question_id":81,"model_a":"m","model_b":"n","winner":"tie","judge":"expert_2","turn":1,"conversation_a":[{"role":"user","content":"Why?"},{"role":"assistant","content":"x"}],"conversation_b":[{"role":"assistant","content":"y"}]}"#,
            Choice::Tie,
        ),
        (r#"{"prompt":"Why?","response 1":"x","response 2":"y","label":0}"#, Choice::First),
        (
            r#"{"question":"Why?","answers":[{"model":"m","text":"x"},{"model":"n","text":"y"}],"preferred":"n"}"#,
            Choice::Second,
        ),
    ] {
        let found = one(text);
        assert_eq!(found.people, Some(people), "{text}");
        assert_eq!(found.answers[0].text, "x", "{text}");
        assert!(found.question.starts_with("Why?"), "{text}");
    }
}

#[test]
fn zero_is_a_mark_and_what_is_off_the_scale_is_named() {
    let found = one(r#"{"q":"Why?","a1":"x","a2":"y","label":2,"s":{"r":[0,7.5]}}"#);
    assert_eq!(found.opinions["r"].marks, Some([0.0, 7.5]));
    let silent = one(r#"{"q":"Why?","a1":"x","a2":"y","label":2,"s":{"r":[null,7],"t":null}}"#);
    assert!(silent.opinions.is_empty(), "who marks one answer compares nothing");
    let error = read_text(r#"{"q":"Why?","a1":"x","a2":"y","label":2,"s":{"r":[0,75]}}"#);
    assert!(
        error.unwrap_err().to_string().contains("record 1: `r` has the unsupported value [0,75]")
    );
    let error = read_text(r#"{"a":1}"#).unwrap_err().to_string();
    assert!(error.contains("unrecognised fields"), "{error}");
}

#[test]
fn the_other_order_is_the_same_comparison() {
    let row = |first: &str, second: &str, winner: &str| {
        format!(
            r#"{{"question_id":81,"model_a":"{first}","model_b":"{second}","winner":"{winner}","judge":["gpt-4","pair"],"turn":1}}"#
        )
    };
    let text = [row("m", "n", "model_a"), row("n", "m", "model_a")].join("\n");
    let found = one(&text);
    let said = &found.opinions["gpt-4"];
    assert_eq!((said.straight(), said.turned()), (Some(Choice::First), Some(Choice::Second)));
    assert_eq!(said.preferred(), Some(Choice::Tie), "its preference follows the order");
    let judge = r#"{"question":"Why?","response_A":"x","response_B":"y","label":"A>B","judge_model":"j","judgments":[{"decision":"A>B"},{"decision":"B>A"}]}"#;
    // The second was asked with the answers turned round: B is what is A here.
    assert_eq!(one(judge).opinions["j"].preferred(), Some(Choice::First));
}

#[test]
fn three_answers_are_three_comparisons_and_people_vote() {
    let ours = r#"{"question":"Why?","answers":[{"model":"m","text":"x"},{"model":"n","text":"y"},{"model":"o","text":"z"}],"scores":[3,5,5],"ratings":{"r":{"m":4,"n":8,"o":6}}}"#;
    let found = read_text(ours).unwrap();
    let people: Vec<_> = found.iter().map(|one| one.people.unwrap()).collect();
    assert_eq!(people, [Choice::Second, Choice::Second, Choice::Tie]);
    assert_eq!(found[1].opinions["r"].marks, Some([4.0, 6.0]));
    let vote = |judge: &str, side: u8| {
        format!(
            r#"{{"instruction":"Why?","output_1":"x","output_2":"y","generator_1":"m","generator_2":"n","annotator":"{judge}","preference":{side}}}"#
        )
    };
    let votes = [vote("human_1", 1), vote("human_2", 2), vote("human_3", 2), vote("gpt", 1)];
    let found = one(&votes.join("\n"));
    assert_eq!(found.people, Some(Choice::Second));
    assert_eq!(found.opinions.len(), 1);
}

/// The reward models of `JudgeBench` share one `judge_name`; they are five judges, not one.
#[test]
fn reward_models_of_one_file_are_told_apart() {
    let row = |model: &str, decision: &str| {
        format!(
            r#"{{"pair_id":"1","question":"Why?","response_A":"x","response_B":"y","label":"A>B","judge_name":"reward_model","judgments":[{{"judgment":{{"judge_model":"{model}"}},"decision":"{decision}"}}]}}"#
        )
    };
    let both = format!("{}\n{}", row("lab/first", "A>B"), row("lab/second", "B>A"));
    let found = one(&both);
    assert_eq!(found.opinions["lab/first"].choice, Some(Choice::First));
    assert_eq!(found.opinions["lab/second"].choice, Some(Choice::Second));
    let merged = format!("{}\n{}", row("lab/first", "A>B"), row("lab/first", "B>A"));
    let error = read_text(&merged).unwrap_err().to_string();
    assert!(error.contains("record 2") && error.contains("lab/first"), "{error}");
}

fn alpaca_eval(input: &str, preference: &str) -> String {
    format!(
        r#"{{"instruction":"Put this in the past tense.","input":"{input}","output_1":"x","output_2":"y","generator_1":"m","generator_2":"n","annotator":"claude","preference":{preference}}}"#
    )
}

/// The published annotations all have the field `input`, and it is mostly empty; what was asked
/// stands in `instruction`.
#[test]
fn an_input_belongs_to_the_instruction_of_alpaca_eval() {
    let found = one(&alpaca_eval("", "2.0"));
    assert_eq!(found.question, "Put this in the past tense.");
    assert_eq!(found.answers[1].system, "n");
    assert_eq!(found.opinions["claude"].choice, Some(Choice::Second));
    let two = [alpaca_eval("I go.", "1"), alpaca_eval("I see.", "1")].join("\n");
    let found = read_text(&two).unwrap();
    let questions: Vec<&str> = found.iter().map(|one| one.question.as_str()).collect();
    assert_eq!(
        questions,
        ["Put this in the past tense.\n\nI go.", "Put this in the past tense.\n\nI see."]
    );
}

/// 1 to 2 is a preference, also between them; 0 and 1.5 are ties. Annotators that could not be
/// read are published as -1 or null, and have said nothing.
#[test]
fn a_preference_off_the_scale_of_alpaca_eval_is_silence() {
    for (preference, choice) in [
        ("1", Some(Choice::First)),
        ("1.2", Some(Choice::First)),
        ("1.5", Some(Choice::Tie)),
        ("1.7", Some(Choice::Second)),
        ("2", Some(Choice::Second)),
        ("0", Some(Choice::Tie)),
        ("\"2.0\"", Some(Choice::Second)),
        ("-1", None),
        ("0.5", None),
        ("3", None),
        ("null", None),
    ] {
        let found = one(&alpaca_eval("", preference));
        let said = found.opinions.get("claude").and_then(|said| said.choice);
        assert_eq!(said, choice, "{preference}");
    }
}
