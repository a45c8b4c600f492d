//! Queries in groups, by a field of their gold tests.

use std::collections::BTreeMap;

use serde_json::Value;
use thiserror::Error;

use super::scoreboard::Scoreboard;
use crate::input::{InputError, Source};

/// Why queries could not be grouped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GroupError {
    /// The gold could not be read as text.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The gold is not JSON throughout.
    #[error("the gold cannot be searched for the field")]
    Json(#[from] serde_json::Error),
    /// No test has the field.
    #[error("none of the gold tests of the scored queries has a field `{field}`")]
    NoField {
        /// What was asked for.
        field: String,
    },
}

/// The group of a test that lacks the field.
pub(crate) const NO_GROUP: &str = "(none)";

/// A scoreboard for each value of a field, in the order of the values.
///
/// `field` is a key of the gold tests, or a path such as `meta.topic`.
pub fn by_field(
    board: &Scoreboard,
    gold: &Source,
    field: &str,
) -> Result<BTreeMap<String, Scoreboard>, GroupError> {
    let groups = groups_of_queries(gold, field)?;
    let mut occurrences: BTreeMap<&str, usize> = BTreeMap::new();
    let mut boards: BTreeMap<String, Scoreboard> = BTreeMap::new();
    for row in &board.rows {
        // The same query text may stand for several tests; they pair by occurrence.
        let occurrence = occurrences.entry(&row.query).or_default();
        let group = groups.get(&row.query).and_then(|groups| groups.get(*occurrence));
        *occurrence += 1;
        let group = group.map_or(NO_GROUP, String::as_str);
        let board = boards.entry(group.to_owned()).or_insert_with(|| Scoreboard {
            columns: board.columns.clone(),
            ..Scoreboard::default()
        });
        board.rows.push(row.clone());
    }
    if boards.keys().all(|group| group == NO_GROUP) {
        return Err(GroupError::NoField { field: field.to_owned() });
    }
    Ok(boards)
}

/// The groups of each query text, one for each test with gold snippets.
fn groups_of_queries(
    gold: &Source,
    field: &str,
) -> Result<BTreeMap<String, Vec<String>>, GroupError> {
    let whole: Value = serde_json::from_str(gold.text()?)?;
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let tests = whole.get("tests").unwrap_or(&whole).as_array();
    for test in tests.into_iter().flatten() {
        let snippets = test.get("snippets").and_then(Value::as_array);
        let query = test.get("query").and_then(Value::as_str);
        if let (Some(query), Some(snippets)) = (query, snippets)
            && !snippets.is_empty()
        {
            groups.entry(query.to_owned()).or_default().push(group(test, field));
        }
    }
    Ok(groups)
}

fn group(test: &Value, field: &str) -> String {
    let found = field.split('.').try_fold(test, |value, key| value.get(key));
    match found {
        None | Some(Value::Null) => NO_GROUP.to_owned(),
        Some(Value::String(name)) => name.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::scoreboard::Row;

    #[test]
    fn a_repeated_query_goes_to_the_group_of_its_occurrence() {
        let gold = Source::in_memory(
            "gold.json",
            r#"{"tests": [
                {"query": "a", "meta": {"topic": "x"}, "snippets": [{"answer": "1"}]},
                {"query": "a", "meta": {"topic": "skipped"}, "snippets": []},
                {"query": "a", "meta": {"topic": "y"}, "snippets": [{"answer": "2"}]},
                {"query": "b", "snippets": [{"answer": "3"}]}
            ]}"#,
        );
        let row = |query: &str, value| Row { query: query.to_owned(), values: vec![value] };
        let rows = vec![row("a", 1.0), row("a", 0.0), row("b", 0.5)];
        let board = Scoreboard { rows, ..Scoreboard::default() };
        let groups = by_field(&board, &gold, "meta.topic").unwrap();
        let values: Vec<(&str, f64)> =
            groups.iter().map(|(name, board)| (name.as_str(), board.rows[0].values[0])).collect();
        assert_eq!(values, [(NO_GROUP, 0.5), ("x", 1.0), ("y", 0.0)]);
    }
}
