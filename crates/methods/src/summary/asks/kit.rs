//! What all questions share: their standing words, schemas, and labels in any spelling.

use serde::de::value::StringDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, IntoDeserializer};
use serde_json::Value;

use crate::ask::{ReplyError, Result};
use crate::schema;

/// The standing instruction of every question.
pub(super) const SYSTEM: &str = include_str!("../../../prompts/summary/shared/system.txt");

/// An object with these fields, all of them required.
pub(super) fn object(fields: Vec<(&'static str, Value)>) -> Value {
    schema::object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A list of so many.
pub(super) fn list(items: &Value, least: usize, most: usize) -> Value {
    schema::fields([
        ("type", "array".into()),
        ("items", items.clone()),
        ("minItems", least.into()),
        ("maxItems", most.into()),
    ])
}

pub(super) fn text() -> Value {
    schema::of_type("string")
}

pub(super) fn text_or_null() -> Value {
    schema::of_types(&["string", "null"])
}

/// One of these words.
pub(super) fn one_of(words: &[&str]) -> Value {
    schema::one_of(words)
}

/// A label however the model spells it: `Fully`, `strong slur`, `Partially`.
pub(super) fn label<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<T, D::Error> {
    let said = String::deserialize(deserializer)?;
    let mut word = said.trim().to_lowercase().replace([' ', '-'], "_");
    if word == "partially" {
        "partial".clone_into(&mut word);
    }
    let word: StringDeserializer<D::Error> = word.into_deserializer();
    T::deserialize(word)
}

/// Words, or none if nothing was said; models write `"null"` where null was meant.
pub(super) fn words<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let said = Option::<String>::deserialize(deserializer)?;
    Ok(said.filter(|said| {
        let is_null = said.trim().eq_ignore_ascii_case("null");
        !is_null && said.chars().any(char::is_alphanumeric)
    }))
}

/// Brings what was said under `id`s into the order of a list, each exactly once.
pub(super) fn in_order<T>(
    name: &str,
    letter: char,
    count: usize,
    said: Vec<(String, T)>,
) -> Result<Vec<T>> {
    let mut slots: Vec<Option<T>> = (0..count).map(|_| None).collect();
    for (id, value) in said {
        match place(&id, letter, count).map(|at| &mut slots[at]) {
            None => {
                let problem =
                    format!("`{name}` has an entry with the id `{id}`, which was not listed");
                return Err(ReplyError::Rule(problem));
            }
            Some(Some(_)) => {
                return Err(ReplyError::Rule(format!("`{name}` has the id `{id}` twice")));
            }
            Some(slot) => *slot = Some(value),
        }
    }
    let missing: Vec<String> = (1..)
        .zip(&slots)
        .filter(|(_, slot)| slot.is_none())
        .map(|(number, _)| format!("{letter}{number}"))
        .collect();
    if missing.is_empty() {
        return Ok(slots.into_iter().flatten().collect());
    }
    Err(ReplyError::Rule(format!("`{name}` has no entry for {}", missing.join(", "))))
}

/// Which of so many items an id names: `C1` or `1` is the first.
pub(super) fn place(id: &str, letter: char, count: usize) -> Option<usize> {
    let number = id.trim().trim_start_matches(letter).parse::<usize>().ok()?;
    number.checked_sub(1).filter(|place| *place < count)
}

/// A list with an id on each line.
pub(super) fn listed<'a>(letter: char, items: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<String> = (1..)
        .zip(items)
        .map(|(number, item)| format!("{letter}{number}: {}", on_one_line(item)))
        .collect();
    if lines.is_empty() { "(none)".to_owned() } else { lines.join("\n") }
}

/// The same on one line, so that no item can pass for two.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::labels::Coverage;

    #[derive(Debug, serde::Deserialize)]
    struct Said {
        #[serde(deserialize_with = "label")]
        label: Coverage,
        #[serde(default, deserialize_with = "words")]
        quote: Option<String>,
    }

    #[test]
    fn labels_are_read_in_any_spelling_and_unknown_ones_name_the_choice() {
        let read = |json: &str| serde_json::from_str::<Said>(json);
        assert_eq!(read(r#"{"label": "Partially"}"#).unwrap().label, Coverage::Partial);
        assert_eq!(read(r#"{"label": " FULLY ", "quote": " – "}"#).unwrap().quote, None);
        assert_eq!(read(r#"{"label": "fully", "quote": "null"}"#).unwrap().quote, None);
        let problem = read(r#"{"label": "mostly"}"#).unwrap_err().to_string();
        assert!(problem.contains("`not`, `partial`, `fully`"), "{problem}");
    }

    #[test]
    fn every_listed_id_is_needed_once_and_no_other() {
        let said = |ids: &[&str]| ids.iter().map(|id| ((*id).to_owned(), 0)).collect();
        let problem =
            |ids: &[&str]| in_order::<u8>("claims", 'C', 3, said(ids)).unwrap_err().to_string();
        assert_eq!(problem(&["C1"]), "`claims` has no entry for C2, C3");
        assert_eq!(problem(&["C1", "C1"]), "`claims` has the id `C1` twice");
        assert!(problem(&["C4"]).contains("not listed"));
        assert!(problem(&["C0"]).contains("not listed"));
        let both = vec![("C2".to_owned(), 'b'), ("1".to_owned(), 'a')];
        assert_eq!(in_order("claims", 'C', 2, both).unwrap(), ['a', 'b']);
    }

    #[test]
    fn an_item_stays_on_its_line() {
        assert_eq!(listed('K', ["a\nK2: b"].into_iter()), "K1: a K2: b");
    }
}
