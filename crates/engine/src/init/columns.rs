//! Which columns of a file of records hold an article and its summary.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::summary::input::{Reading, Records};

/// How many records are shown to whoever decides.
const ROWS: usize = 3;
/// Records without an object are passed over, but not for ever.
const RECORDS_MAX: usize = 20;

/// What the columns may be called, the surest name first.
const ARTICLE: [&str; 9] = [
    "article",
    "document",
    "source",
    "source_text",
    "dialogue",
    "transcript",
    "original",
    "report",
    "text",
];
const SUMMARY: [&str; 7] = [
    "summary",
    "generated_summary",
    "model_summary",
    "highlights",
    "abstract",
    "prediction",
    "output",
];
const ID: [&str; 4] = ["id", "doc_id", "uid", "key"];

/// The columns of a file, and which of them are meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// All of them, in the order of the file.
    pub names: Vec<String>,
    /// The field and the column that holds it, where they have different names.
    pub map: BTreeMap<String, String>,
    /// Columns that could hold the article or the summary as well.
    pub doubtful: Vec<(String, Vec<String>)>,
    /// The first records: a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl Columns {
    /// Whether there is a column for the article and another for the summary.
    pub(crate) fn has_pair(&self) -> bool {
        ["article", "summary"].iter().all(|field| self.column(field).is_some())
    }

    /// The column that holds a field.
    pub fn column(&self, field: &str) -> Option<&str> {
        let mapped = self.map.get(field).map(String::as_str);
        let own = || self.names.iter().find(|name| *name == field).map(String::as_str);
        mapped.or_else(own)
    }

    fn choose(&mut self, field: &str, known: &[&str]) {
        let is_taken = |name: &str| self.map.values().any(|taken| taken == name);
        let mut found: Vec<String> = Vec::new();
        for wanted in known {
            let columns = self.names.iter().filter(|name| plain(name) == *wanted);
            found.extend(columns.filter(|name| !is_taken(name)).cloned());
        }
        let Some(first) = found.first().cloned() else { return };
        if found.len() > 1 && plain(&first) != field {
            self.doubtful.push((field.to_owned(), found));
        }
        if first != field {
            self.map.insert(field.to_owned(), first);
        }
    }
}

/// The columns of a file of records; `None` where it holds none.
pub fn of(path: &Path) -> Option<Columns> {
    let first = read(path, &Reading::default());
    if first.as_ref().is_some_and(Columns::has_pair) {
        return first;
    }
    // Another sheet, or a row below a cover, may be the one with the names that are looked for.
    let wanted = ARTICLE.iter().chain(&SUMMARY).map(|name| (*name).to_owned()).collect();
    read(path, &Reading { wanted, ..Reading::default() }).filter(Columns::has_pair).or(first)
}

fn read(path: &Path, reading: &Reading) -> Option<Columns> {
    let mut columns = Columns::default();
    for record in Records::open_by(path, reading).ok()?.take(RECORDS_MAX) {
        let Ok(Value::Object(fields)) = record.ok()?.value() else { continue };
        if columns.names.is_empty() {
            columns.names = fields.keys().cloned().collect();
        }
        let cell = |name: &String| match fields.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        columns.rows.push(columns.names.iter().map(cell).collect());
        if columns.rows.len() == ROWS {
            break;
        }
    }
    if columns.names.is_empty() {
        return None;
    }
    columns.choose("article", &ARTICLE);
    columns.choose("summary", &SUMMARY);
    columns.choose("id", &ID);
    Some(columns)
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-', '.'], "_")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read_from(name: &str, text: &str) -> Columns {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        of(&path).unwrap()
    }

    #[test]
    fn columns_are_known_by_many_names_and_doubt_is_told() {
        let own = read_from("a.jsonl", "{\"id\": 1, \"article\": \"a\", \"summary\": \"b\"}\n");
        assert!(own.has_pair() && own.map.is_empty());
        let other = read_from("a.csv", "Doc ID,Source Text,Highlights\n1,long,short\n2,x,y\n");
        assert_eq!(other.column("article"), Some("Source Text"));
        assert_eq!(other.column("summary"), Some("Highlights"));
        assert_eq!(other.column("id"), Some("Doc ID"));
        assert_eq!(other.rows, [["1", "long", "short"], ["2", "x", "y"]]);
        let doubt = read_from("a.csv", "document,text,summary\na,b,c\n");
        assert_eq!(
            doubt.doubtful,
            [("article".to_owned(), vec!["document".to_owned(), "text".to_owned()])]
        );
        assert!(!read_from("a.csv", "x,y\n1,2\n").has_pair());
    }

    #[test]
    fn a_cover_above_the_table_hides_no_pair() {
        let text = "Results of,May\nMade by,Ann\nid,article,summary\n1,long,short\n";
        let covered = read_from("a.csv", text);
        assert!(covered.has_pair(), "{:?}", covered.names);
    }
}
