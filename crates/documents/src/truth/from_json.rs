//! Truth keys from JSON: a list of objects, alone or under `truth_keys`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::TruthKey;
use super::from_table::{ANALYST_NAMES, DOCUMENT_NAMES, Keys, SCORE_NAMES};
use super::score::parse_score;
use crate::criteria::{CriteriaError, names};
use crate::import::Imported;
use crate::table::plain_name;

/// What the sections may be called.
const SECTIONS_NAMES: [&str; 2] = ["responsesections", "sections"];

/// Takes truth keys from JSON. A bad row is an object of the list, counted from 1.
pub fn from_json(json: &str) -> Result<Imported<TruthKey>, CriteriaError> {
    let file: Value = serde_json::from_str(json)?;
    let list = match &file {
        Value::Object(file) => file.values().find_map(Value::as_array),
        other => other.as_array(),
    };
    let Some(list) = list else {
        let known = file.as_object().map(|file| file.keys().cloned().collect());
        let (wanted, name) = ("list of truth keys", "truth_keys");
        let known = known.unwrap_or_default();
        return Err(CriteriaError::NoColumn { wanted, name, known, near: Vec::new() });
    };
    let mut keys = Keys::new(Imported::new(Vec::new(), Vec::new()));
    for (number, value) in (1..).zip(list) {
        let key = value.as_object().ok_or_else(|| "is not an object".to_owned()).and_then(key);
        keys.add(number, key);
    }
    Ok(keys.finish())
}

fn key(object: &Map<String, Value>) -> Result<TruthKey, String> {
    let plain: BTreeMap<String, &Value> =
        object.iter().map(|(name, value)| (plain_name(name), value)).collect();
    let find = |names: &[&str]| names.iter().find_map(|name| plain.get(*name).copied());
    let text = |names: &[&str]| find(names).map(written).filter(|text| !text.is_empty());
    let sections = find(&SECTIONS_NAMES).and_then(Value::as_object).into_iter().flatten();
    let sections = sections.map(|(key, value)| (key.clone(), written(value)));
    Ok(TruthKey {
        document: text(&DOCUMENT_NAMES).ok_or("the document is missing")?,
        criteria_id: text(names("id")).ok_or("the criterion is missing")?,
        expected: parse_score(&text(&SCORE_NAMES).unwrap_or_default())?,
        sections: sections.filter(|(_, text)| !text.is_empty()).collect(),
        analyst: text(&ANALYST_NAMES),
    })
}

/// A value as a person would write it; a list has a line for each of its values.
fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(values) => values.iter().map(written).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::Expected;

    #[test]
    fn objects_become_keys_and_bad_ones_are_counted() {
        let json = r#"{"truth_keys": [
            {"document": "a.pdf", "criteria_id": "AC-1", "expected_score": 73,
             "response_sections": {"findings": ["one", "two"], "empty": null}, "analyst": "Ada"},
            {"document": "a.pdf", "criteriaId": "AC-2", "score": "73%"},
            {"document": "a.pdf", "criteria_id": "AC-3", "expected_score": null},
            {"document": "a.pdf", "criteria_id": "AC-4", "expected_score": 1e9},
            {"document": "a.pdf", "criteria_id": "ac-1", "expected_score": 5, "analyst": "Ada"},
            7]}"#;
        let imported = from_json(json).unwrap();
        assert_eq!(imported.items[0].sections["findings"], "one\ntwo");
        assert_eq!(imported.items[0].sections.len(), 1);
        assert_eq!(imported.items[1].expected, Expected::Score(73.0));
        let rows: Vec<usize> = imported.bad_rows.iter().map(|bad| bad.row).collect();
        assert_eq!(rows, [4, 5, 6]);
        assert_eq!(imported.items[2].expected, Expected::NotJudged);
    }

    #[test]
    fn a_file_without_a_list_is_refused() {
        assert!(from_json("7").is_err());
        assert!(from_json("{\"a\": 1}").unwrap_err().to_string().contains("`a`"));
        assert_eq!(from_json("[]").unwrap().items, []);
    }
}
