//! The results of one run in every form: lines, table, JSON, JSON lines, CSV.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use assize_engine::retrieval::report::Summary;
use assize_engine::retrieval::scoreboard::{Row, Scoreboard};
use assize_engine::retrieval::sureness::Sureness;
use assize_page::number;
use serde_json::{Map, Value, json};

use super::args::Format;
use crate::output::data;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{one_line, quiet};

const RULE: &str = "==========================";

/// The forms of a file with every query's values.
pub(super) enum PerQuery {
    Csv,
    JsonLines,
    Json,
}

/// The form that a file's name asks for.
pub(super) fn per_query_form(path: &Path) -> Result<PerQuery> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => Ok(PerQuery::Csv),
        Some("jsonl") => Ok(PerQuery::JsonLines),
        Some("json") => Ok(PerQuery::Json),
        _ => bail!("--per-query {}: the name must end in .csv, .jsonl or .json", path.display()),
    }
}

/// One run's results.
pub(crate) struct Results<'a> {
    pub(crate) summaries: Vec<Summary>,
    /// One for each value of the field that the user named.
    pub(crate) groups: Vec<Group>,
    pub(crate) board: &'a Scoreboard,
    pub(crate) sureness: &'a Sureness,
}

/// The queries that share a value of a field.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) queries: usize,
    pub(crate) summaries: Vec<Summary>,
}

impl Results<'_> {
    /// The results in one form.
    pub(crate) fn rendered(&self, format: Format) -> String {
        match format {
            Format::Plain => self.plain(),
            Format::Table => self.table(),
            Format::Json => data::pretty(&self.json()),
            Format::Jsonl => self.json_lines(),
            Format::Csv => self.csv(),
        }
    }

    /// The form of the scorer that ours replaces, to the byte.
    fn plain(&self) -> String {
        let mut text = format!("Evaluation Results:\n{RULE}\n");
        for summary in &self.summaries {
            let _ = writeln!(text, "{}: {:.4}", summary.name, summary.value);
        }
        let _ = writeln!(text, "num_examples: {:.4}\n{RULE}", self.board.rows.len() as f64);
        text
    }

    fn table(&self) -> String {
        let with_intervals = self.summaries.iter().any(|summary| summary.interval.is_some());
        let mut headings = vec![words("measure"), numbers("value")];
        if with_intervals {
            headings.push(words(format!("{} interval", number::percent(self.sureness.level))));
        }
        let rows = self.summaries.iter().map(|summary| {
            let value = if summary.count {
                format!("{:.0}", summary.value)
            } else {
                number::score(summary.value)
            };
            let interval = summary.interval.map(|(low, high)| format!("[{low:.4}, {high:.4}]"));
            vec![summary.name.clone(), value, interval.unwrap_or_default()]
        });
        let mut text = table(&headings, rows.collect());
        let mut remark = number::counted(self.board.rows.len(), "query", "queries");
        if with_intervals {
            let _ =
                write!(remark, "; bootstrap over queries, {} resamples", self.sureness.resamples);
        }
        let _ = writeln!(text, "{}", quiet(&remark));
        if !self.groups.is_empty() {
            let _ = write!(text, "\n{}", self.group_table());
        }
        text
    }

    fn group_table(&self) -> String {
        let mut headings = vec![words("group"), numbers("queries")];
        headings.extend(self.summaries.iter().map(|summary| numbers(summary.name.as_str())));
        let rows = self.groups.iter().map(|group| {
            let values = group.summaries.iter().map(|summary| number::score(summary.value));
            [one_line(&group.name, 60), group.queries.to_string()]
                .into_iter()
                .chain(values)
                .collect()
        });
        table(&headings, rows.collect())
    }

    fn json(&self) -> Value {
        let mut whole = json!({
            "measures": data::summaries(&self.summaries),
            "num_examples": self.board.rows.len(),
            "confidence": self.sureness.level,
            "notices": self.board.notices,
        });
        if !self.groups.is_empty() {
            let groups = self.groups.iter().map(|group| {
                let measures = data::summaries(&group.summaries);
                let entry = json!({ "measures": measures, "num_examples": group.queries });
                (group.name.clone(), entry)
            });
            whole["groups"] = Value::Object(groups.collect());
        }
        whole
    }

    /// Names and values alone, as the scorer that ours replaces writes them.
    pub(super) fn flat_json(&self) -> String {
        let values =
            self.summaries.iter().map(|summary| (summary.name.clone(), json!(summary.value)));
        let mut flat: Map<String, Value> = values.collect();
        flat.insert("num_examples".to_owned(), json!(self.board.rows.len() as f64));
        data::pretty(&Value::Object(flat))
    }

    /// Every query's values, in the form that the file's name asks for.
    pub(super) fn per_query(&self, path: &Path) -> Result<String> {
        Ok(match per_query_form(path)? {
            PerQuery::Csv => self.query_csv(),
            PerQuery::JsonLines => self.json_lines(),
            PerQuery::Json => {
                let rows: Vec<Value> = self.board.rows.iter().map(|row| self.query(row)).collect();
                data::pretty(&Value::Array(rows))
            }
        })
    }

    fn json_lines(&self) -> String {
        let mut text = String::new();
        for row in &self.board.rows {
            let _ = writeln!(text, "{}", self.query(row));
        }
        text
    }

    fn query(&self, row: &Row) -> Value {
        let mut object = Map::new();
        object.insert("query".to_owned(), json!(row.query));
        for (column, value) in self.board.columns.iter().zip(&row.values) {
            object.insert(column.name.clone(), json!(value));
        }
        Value::Object(object)
    }

    fn query_csv(&self) -> String {
        let mut header = vec!["query"];
        header.extend(self.board.columns.iter().map(|column| column.name.as_str()));
        let rows = self.board.rows.iter().map(|row| {
            let values = row.values.iter().map(ToString::to_string);
            std::iter::once(row.query.clone()).chain(values).collect()
        });
        data::csv(&header, rows)
    }

    fn csv(&self) -> String {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let rows = self.summaries.iter().map(|summary| {
            vec![
                summary.name.clone(),
                summary.value.to_string(),
                number(summary.interval.map(|interval| interval.0)),
                number(summary.interval.map(|interval| interval.1)),
            ]
        });
        data::csv(&["measure", "value", "low", "high"], rows)
    }
}
