//! Tests of reading replies.

use proptest::prelude::*;

use super::*;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn structure(json: &Value) -> ResponseStructure {
    ResponseStructure::from_json(Some(json)).unwrap()
}

fn read(reply: &str) -> Assessment {
    read_assessment(reply, Some(&ResponseStructure::default())).unwrap()
}

fn score(reply: &str) -> Stated {
    read(reply).stated
}

fn given(given: f64) -> Stated {
    Stated::Score { given }
}

fn codes(assessment: &Assessment) -> Vec<&str> {
    assessment.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

#[test]
fn a_direct_score_is_parsed_as_the_seed_expects() {
    let response = r#"{
        "score": 73,
        "confidence": 85,
        "justification": "Policy meets most requirements...",
        "non_compliance_findings": "No quarterly review schedule...",
        "recommendations": "Add specific review schedule...",
        "citations": ["Section 3.2"]
    }"#;
    let result = parse_evaluation_response(response, None);
    assert_eq!(result.ai_score_value, Some(73.0));
    assert_eq!(result.ai_confidence, Some(85));
    assert_eq!(result.ai_result["justification"], "Policy meets most requirements...");
    assert_eq!(result.ai_result.len(), 3);
    assert_eq!(result.ai_citations.len(), 1);
    assert_eq!(result.ai_status_id, None);
}

#[test]
fn the_answer_is_found_in_prose_and_fences_and_repaired() {
    let reply = "Here it is:\n```json\n{\"score\": 41.5, \"confidence\": 60,\n \
                 \"explanation\": \"Half of it.\",}\n```\nAnything else?";
    let result = read(reply);
    assert_eq!(result.stated, given(41.5));
    assert_eq!(result.sections["explanation"], "Half of it.");
}

#[test]
fn a_score_is_a_number_or_text_that_can_only_be_one() {
    for (written, expected) in [
        ("73", 73.0),
        ("\"73\"", 73.0),
        ("\"73%\"", 73.0),
        ("\" 73.5 % \"", 73.5),
        ("\"73/100\"", 73.0),
        ("\"73 out of 100\"", 73.0),
        ("\"100\"", 100.0),
        ("0", 0.0),
        ("104.9", 104.9),
        ("-4.9", -4.9),
    ] {
        assert_eq!(score(&format!("{{\"score\": {written}}}")), given(expected), "{written}");
    }
    assert!(codes(&read(r#"{"score": "73%"}"#)).contains(&"score_as_text"));
}

#[test]
fn no_score_is_a_complaint_and_never_zero() {
    for written in
        ["null", "\"high\"", "\"\"", "\"inf\"", "\"NaN\"", "true", "[73]", "{}", "\"7/10\""]
    {
        let reply = format!("{{\"score\": {written}, \"explanation\": \"x\"}}");
        let problem = read_assessment(&reply, None).unwrap_err().to_string();
        assert!(problem.contains("must be a number from 0 to 100"), "{written}: {problem}");
        assert_eq!(parse_evaluation_response(&reply, None).ai_score_value, None);
    }
    let problem = read_assessment("{\"explanation\": \"x\"}", None).unwrap_err().to_string();
    assert!(problem.starts_with("the answer has no \"score\""), "{problem}");
    assert!(read_assessment("I would say 73.", None).is_err());
    // However far outside the scale: it is held at its end.
    for (written, held) in [("-5", 0.0), ("150", 100.0), ("\"-40\"", 0.0), ("1e9", 100.0)] {
        let reply = format!("{{\"score\": {written}}}");
        assert_eq!(parse_evaluation_response(&reply, None).ai_score_value, Some(held), "{written}");
    }
    assert!(read_assessment("", None).is_err());
}

#[test]
fn not_applicable_and_needs_information_are_states_of_their_own() {
    for written in ["N/A", "n.a.", "Not applicable.", "not_applicable"] {
        let reply = format!("{{\"score\": \"{written}\"}}");
        assert_eq!(score(&reply), Stated::NotApplicable, "{written}");
        assert_eq!(parse_evaluation_response(&reply, None).ai_score_value, None);
    }
    for written in ["needs information", "Needs-Information", "insufficient information"] {
        assert_eq!(score(&format!("{{\"score\": \"{written}\"}}")), Stated::NeedsInformation);
    }
    assert_eq!(score(r#"{"score": null, "status": "N/A"}"#), Stated::NotApplicable);
    assert_eq!(score(r#"{"status": "needs_information"}"#), Stated::NeedsInformation);
    let both = read_assessment(r#"{"score": 0, "status": "N/A"}"#, None).unwrap_err();
    assert!(both.to_string().contains("states a score and says that there can be none"));
}

#[test]
fn confidence_is_a_whole_number_within_its_range() {
    let confidence =
        |written: &str| read(&format!("{{\"score\": 1, \"confidence\": {written}}}")).confidence;
    assert_eq!(confidence("85"), Some(85));
    assert_eq!(confidence("85.9"), Some(85));
    assert_eq!(confidence("\"85%\""), Some(85));
    assert_eq!(confidence("0.29"), Some(29));
    assert_eq!(confidence("250"), Some(100));
    assert_eq!(confidence("-1"), Some(0));
    assert_eq!(confidence("\"high\""), None);
    assert_eq!(codes(&read(r#"{"score": 1, "explanation": "x"}"#)), ["confidence_missing"]);
}

#[test]
fn sections_take_the_form_the_structure_says() {
    let structure = structure(&json(
        r#"{"sections": [
        {"id": "why", "type": "text"},
        {"id": "gaps", "type": "list"},
        {"id": "pages", "type": "number"},
        {"id": "note", "type": "text", "required": false}
    ]}"#,
    ));
    let reply = r#"{"score": 5, "confidence": 1, "why": ["a", "b"], "gaps": "- one\n- two",
                    "pages": "12", "Extra": "x", "citations": null}"#;
    let result = read_assessment(reply, Some(&structure)).unwrap();
    assert_eq!(
        Value::Object(result.sections.clone()),
        json(r#"{"why": "a\nb", "gaps": ["one", "two"], "pages": 12.0}"#)
    );
    assert_eq!(codes(&result), ["field_not_asked_for"]);
}

#[test]
fn a_missing_or_empty_required_section_is_a_visible_defect() {
    let structure = structure(&json(
        r#"{"sections": [
        {"id": "why"}, {"id": "gaps", "type": "list"}, {"id": "pages", "type": "number"}
    ]}"#,
    ));
    let reply = r#"{"score": 5, "confidence": 1, "why": " ", "pages": "many"}"#;
    let result = read_assessment(reply, Some(&structure)).unwrap();
    assert!(result.sections.is_empty());
    let expected =
        ["section_missing", "section_missing", "section_not_a_number", "section_missing"];
    assert_eq!(codes(&result), expected);
}

#[test]
fn citations_are_always_a_list() {
    let citations =
        |written: &str| read(&format!("{{\"score\": 1, \"citations\": {written}}}")).citations;
    assert_eq!(citations("\"one\""), ["one"]);
    assert_eq!(citations("[\"one\", \" \", null, 3.2]"), ["one", "3.2"]);
    assert_eq!(citations("[{\"quote\": \"one\", \"page\": 3}]"), ["one"]);
    assert!(citations("null").is_empty());
    assert!(read("{\"score\": 1}").citations.is_empty());
}

#[test]
fn without_a_structure_and_without_text_the_reply_is_the_explanation() {
    let reply = "{\"score\": 12}";
    assert_eq!(parse_evaluation_response(reply, None).ai_result["explanation"], reply);
    let prose = "It is fine, I think.";
    let result = parse_evaluation_response(prose, None);
    assert_eq!(
        (result.ai_score_value, &result.ai_result["explanation"]),
        (None, &Value::from(prose))
    );
}

#[test]
fn a_wrapped_answer_and_other_letter_cases_are_understood() {
    assert_eq!(score(r#"{"evaluation": {"Score": 55, "Explanation": "x"}}"#), given(55.0));
    assert_eq!(read(r#"{"SCORE": 55, "Explanation": "x"}"#).sections["explanation"], "x");
}

proptest! {
    #[test]
    fn any_reply_gives_a_score_in_range_or_none(reply in ".{0,80}", score in any::<f64>()) {
        let wrapped = format!("{{\"score\": {score}, \"x\": {reply:?}}}");
        for reply in [reply.as_str(), &wrapped] {
            let result = parse_evaluation_response(reply, None);
            prop_assert!(result.ai_score_value.is_none_or(|score| (0.0..=100.0).contains(&score)));
        }
    }
}
