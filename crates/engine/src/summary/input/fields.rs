//! Which fields of a record hold the article, the summary and what else is asked for.

use serde_json::Value;

use super::{Place, RecordError};

/// A field by its name, or a field within a field: `human.consistency`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    /// The field of this name or dotted path.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As the user wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value there: by the whole name if there is such a field, else step by step.
    pub fn find<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        find(value, &self.0)
    }

    /// The text there.
    pub fn text<'v>(&self, value: &'v Value, place: Place) -> Result<&'v str, RecordError> {
        match self.find(value) {
            Some(Value::String(text)) => Ok(text),
            other => Err(self.wrong(place, other, "text")),
        }
    }

    /// The words or number there as a name; `None` where there is nothing.
    pub fn name(&self, value: &Value, place: Place) -> Result<Option<String>, RecordError> {
        match self.find(value) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(scalar @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(scalar.to_string())),
            other => Err(self.wrong(place, other, "a name or a number")),
        }
    }

    /// The number there: a number, a number in quotes, yes or no, or the mean of a list of
    /// numbers; `None` where there is nothing.
    pub fn number(&self, value: &Value, place: Place) -> Result<Option<f64>, RecordError> {
        match self.find(value) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(found) => match number(found) {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(place, Some(found), "a number")),
            },
        }
    }

    fn wrong(&self, place: Place, found: Option<&Value>, expected: &str) -> RecordError {
        let problem = match found {
            None => "is missing".to_owned(),
            Some(found) => format!("is {}, expected {expected}", kind(found)),
        };
        RecordError::Field { place, field: self.0.clone(), problem }
    }
}

fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    if let Some(found) = value.get(path) {
        return Some(found);
    }
    // The dot may belong to a name: each place to cut is tried, the longest name first.
    path.rmatch_indices('.').find_map(|(dot, _)| find(value.get(&path[..dot])?, &path[dot + 1..]))
}

fn number(value: &Value) -> Option<f64> {
    let found = match value {
        Value::Number(number) => number.as_f64()?,
        Value::Bool(yes) => f64::from(u8::from(*yes)),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => 1.0,
            "false" | "no" => 0.0,
            text => text.parse().ok()?,
        },
        Value::Array(items) if !items.is_empty() => {
            let numbers: Option<Vec<f64>> = items.iter().map(number).collect();
            assize_stats::summary::mean(&numbers?).ok()?
        }
        _ => return None,
    };
    found.is_finite().then_some(found)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The fields of a pair.
#[derive(Debug, Clone)]
pub struct Fields {
    /// The source.
    pub article: Path,
    /// What is judged.
    pub summary: Path,
    /// What the pair is called.
    pub id: Path,
}

impl Fields {
    /// The names of the columns, by which the header of a table is found.
    pub fn columns(&self) -> Vec<String> {
        [&self.article, &self.summary, &self.id].map(|path| path.as_str().to_owned()).to_vec()
    }

    /// Puts another column in the place of a field; false if there is no such field.
    pub fn map(&mut self, field: &str, column: &str) -> bool {
        let place = match field {
            "article" => &mut self.article,
            "summary" => &mut self.summary,
            "id" => &mut self.id,
            _ => return false,
        };
        *place = Path::new(column);
        true
    }
}

impl Default for Fields {
    fn default() -> Self {
        Self { article: Path::new("article"), summary: Path::new("summary"), id: Path::new("id") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    const PLACE: Place = Place::Line(3);

    #[test]
    fn a_dotted_path_reaches_into_fields_and_a_dotted_name_stands_for_itself() {
        let nested = json(r#"{"human": {"consistency": 4.5}}"#);
        let flat = json(r#"{"human.consistency": "4.5"}"#);
        let mixed = json(r#"{"a.b": {"c": 4.5}}"#);
        assert_eq!(Path::new("human.consistency").number(&nested, PLACE), Ok(Some(4.5)));
        assert_eq!(Path::new("human.consistency").number(&flat, PLACE), Ok(Some(4.5)));
        assert_eq!(Path::new("a.b.c").number(&mixed, PLACE), Ok(Some(4.5)));
        assert_eq!(Path::new("human.fluency").number(&nested, PLACE), Ok(None));
    }

    #[test]
    fn what_is_wrong_with_a_field_names_line_and_field() {
        let record = json(r#"{"article": 7, "human": {"consistency": "high"}}"#);
        let article = Path::new("article").text(&record, PLACE).unwrap_err().to_string();
        assert_eq!(article, "malformed_record: line 3: field `article` is a number, expected text");
        let summary = Path::new("summary").text(&record, PLACE).unwrap_err().to_string();
        assert_eq!(summary, "malformed_record: line 3: field `summary` is missing");
        assert!(Path::new("human.consistency").number(&record, PLACE).is_err());
    }

    #[test]
    fn several_ratings_count_as_their_mean() {
        let record = json(r#"{"ratings": [1, 2, "6"], "label": true, "nan": "NaN", "none": []}"#);
        assert_eq!(Path::new("ratings").number(&record, PLACE), Ok(Some(3.0)));
        assert_eq!(Path::new("label").number(&record, PLACE), Ok(Some(1.0)));
        assert!(Path::new("nan").number(&record, PLACE).is_err());
        assert!(Path::new("none").number(&record, PLACE).is_err());
    }
}
