//! The results of one run in every form: lines, table, JSON, JSON lines, CSV.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use assize_engine::retrieval::request::ScoreReport;
use assize_wire::number;
use assize_wire::text::{line, pretty};

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
        _ => {
            bail!("--per-query {}: the file name must end in .csv, .jsonl or .json", path.display())
        }
    }
}

/// One run's results.
pub(crate) struct Results<'a>(pub(crate) &'a ScoreReport);

impl Results<'_> {
    /// The results in one form.
    pub(crate) fn rendered(&self, format: Format) -> String {
        match format {
            Format::Plain => self.plain(),
            Format::Table => self.table(),
            Format::Json => pretty(&self.0.to_wire(false)),
            Format::Jsonl => self.json_lines(),
            Format::Csv => self.csv(),
        }
    }

    /// The form of the scorer that ours replaces, to the byte.
    fn plain(&self) -> String {
        let mut text = format!("Evaluation Results:\n{RULE}\n");
        for summary in &self.0.summaries {
            let _ = writeln!(text, "{}: {:.4}", summary.name, summary.value);
        }
        let _ = writeln!(text, "num_examples: {:.4}\n{RULE}", self.0.board.rows.len() as f64);
        text
    }

    fn table(&self) -> String {
        let with_intervals = self.0.summaries.iter().any(|summary| summary.interval.is_some());
        let mut headings = vec![words("measure"), numbers("value")];
        if with_intervals {
            headings.push(words(format!("{} interval", number::percent(self.0.uncertainty.level))));
        }
        let rows = self.0.summaries.iter().map(|summary| {
            let value = if summary.count {
                format!("{:.0}", summary.value)
            } else {
                number::score(summary.value)
            };
            let interval = summary.interval.map(|(low, high)| format!("[{low:.4}, {high:.4}]"));
            vec![summary.name.clone(), value, interval.unwrap_or_default()]
        });
        let mut text = table(&headings, rows.collect());
        let mut remark = number::counted(self.0.board.rows.len(), "query", "queries");
        if with_intervals {
            let _ = write!(
                remark,
                "; bootstrap over queries, {} resamples",
                self.0.uncertainty.resamples
            );
        }
        let _ = writeln!(text, "{}", quiet(&remark));
        if let Some(judged) = &self.0.board.judged {
            let _ = writeln!(text, "{}", quiet(&judged.to_string()));
        }
        if !self.0.groups.is_empty() {
            let _ = write!(text, "\n{}", self.group_table());
        }
        text
    }

    fn group_table(&self) -> String {
        let mut headings = vec![words("group"), numbers("queries")];
        headings.extend(self.0.summaries.iter().map(|summary| numbers(summary.name.as_str())));
        let rows = self.0.groups.iter().map(|group| {
            let values = group.summaries.iter().map(|summary| number::score(summary.value));
            [one_line(&group.name, 60), group.queries.to_string()]
                .into_iter()
                .chain(values)
                .collect()
        });
        table(&headings, rows.collect())
    }

    /// Names and values alone, as the scorer that ours replaces writes them.
    pub(super) fn flat_json(&self) -> String {
        pretty(&self.0.to_flat())
    }

    /// Every query's values, in the form that the file's name asks for.
    pub(super) fn per_query(&self, path: &Path) -> Result<String> {
        Ok(match per_query_form(path)? {
            PerQuery::Csv => self.query_csv(),
            PerQuery::JsonLines => self.json_lines(),
            PerQuery::Json => pretty(&self.0.board.to_wire()),
        })
    }

    fn json_lines(&self) -> String {
        let mut text = String::new();
        for row in self.0.board.to_wire() {
            let _ = writeln!(text, "{}", line(&row));
        }
        text
    }

    fn query_csv(&self) -> String {
        let mut header = vec!["query"];
        header.extend(self.0.board.columns.iter().map(|column| column.name.as_str()));
        let rows = self.0.board.rows.iter().map(|row| {
            let values = row.values.iter().map(ToString::to_string);
            std::iter::once(row.query.clone()).chain(values).collect()
        });
        data::csv(&header, rows)
    }

    fn csv(&self) -> String {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let rows = self.0.summaries.iter().map(|summary| {
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
