//! A report of tables that a person reads in a terminal, a README, a paper or a browser.
//!
//! What is in it is decided once; every form shows the same cells.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use assize_page::{Markup, tables};
use assize_wire::text::pretty;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::table::{Heading, table};
use super::terminal::{quiet, strong};
use super::{data, files};

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tables for the terminal
    Table,
    /// Markdown tables
    Markdown,
    /// LaTeX tables
    Latex,
    /// One line per cell: table, row, column, value
    Csv,
    /// One JSON object
    Json,
    /// A self-contained HTML page
    Html,
}

/// Where a report goes, and how it is printed.
#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Output format [default: from the extension of --output, otherwise table]
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ReportArguments {
    /// Refuses an output that cannot be written or is one of the inputs, before work begins.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<()> {
        let written = ["txt", "md", "tex", "csv", "json", "html"];
        files::check_ending(self.output.as_deref(), &written)?;
        files::check(self.output.as_deref(), inputs)
    }

    /// Writes the tables, or for programs all that was found.
    pub(crate) fn write(&self, tables: &Report, found: &impl Serialize) -> Result<()> {
        let text = match self.form() {
            Form::Json => pretty(found),
            form => tables.render(form),
        };
        self.put(&text)
    }

    /// Writes a text to the file, or prints it.
    pub(crate) fn put(&self, text: &str) -> Result<()> {
        files::write(self.output.as_deref().unwrap_or(Path::new("-")), text)
    }

    /// The form asked for, or the one that the output's name asks for.
    pub(crate) fn form(&self) -> Form {
        let ending = self.output.as_deref().and_then(|path| path.extension()?.to_str());
        self.format.unwrap_or(match ending {
            Some("md") => Form::Markdown,
            Some("tex") => Form::Latex,
            Some("csv") => Form::Csv,
            Some("json") => Form::Json,
            Some("html" | "htm") => Form::Html,
            _ => Form::Table,
        })
    }
}

/// What is reported.
#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    /// What it is about.
    pub(crate) title: String,
    /// What should be known first, a sentence or two each.
    pub(crate) lead: Vec<String>,
    /// The tables.
    pub(crate) sheets: Vec<Sheet>,
    /// What a browser shows below them.
    pub(crate) drawn: Option<Markup>,
}

/// One table.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    /// What it shows.
    pub(crate) title: String,
    /// Its columns.
    pub(crate) headings: Vec<Heading>,
    /// Its rows, a cell for each column.
    pub(crate) rows: Vec<Vec<String>>,
    /// What to know about it.
    pub(crate) note: String,
}

/// The widest line of prose in a terminal.
const LINE_CHARACTERS: usize = 78;

impl Report {
    /// The report in every form but JSON, which has more in it than tables.
    fn render(&self, form: Form) -> String {
        match form {
            Form::Table | Form::Json => self.text(),
            Form::Markdown => self.markdown(),
            Form::Latex => self.latex(),
            Form::Csv => self.csv(),
            Form::Html => self.html(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", strong(&self.title));
        for line in &self.lead {
            text.push_str(&wrapped(line));
        }
        for sheet in &self.sheets {
            let _ = write!(text, "\n{}\n", strong(&sheet.title));
            if !sheet.rows.is_empty() {
                text.push_str(&table(&sheet.headings, sheet.rows.clone()));
            }
            if !sheet.note.is_empty() {
                text.push_str(&quiet(&wrapped(&sheet.note)));
            }
        }
        text
    }

    fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let mut text = format!("# {}\n", self.title);
        for line in &self.lead {
            let _ = writeln!(text, "\n{line}");
        }
        for sheet in &self.sheets {
            let _ = writeln!(text, "\n## {}", sheet.title);
            if !sheet.rows.is_empty() {
                let names: Vec<String> = sheet.headings.iter().map(|h| cell(h.text())).collect();
                let rule: Vec<&str> = sheet
                    .headings
                    .iter()
                    .map(|heading| if heading.is_number() { "---:" } else { "---" })
                    .collect();
                let _ = writeln!(text, "\n| {} |\n| {} |", names.join(" | "), rule.join(" | "));
                for row in &sheet.rows {
                    let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
                    let _ = writeln!(text, "| {} |", cells.join(" | "));
                }
            }
            if !sheet.note.is_empty() {
                let _ = writeln!(text, "\n{}", sheet.note);
            }
        }
        text
    }

    fn latex(&self) -> String {
        let mut text = String::from("% needs \\usepackage{booktabs}\n");
        for line in &self.lead {
            let _ = writeln!(text, "% {line}");
        }
        for sheet in self.sheets.iter().filter(|sheet| !sheet.rows.is_empty()) {
            let columns: String = sheet
                .headings
                .iter()
                .map(|heading| if heading.is_number() { 'r' } else { 'l' })
                .collect();
            let line = |cells: &mut dyn Iterator<Item = &str>| {
                cells.map(typeset).collect::<Vec<_>>().join(" & ")
            };
            let _ = writeln!(text, "\n% {}", sheet.title);
            let _ = writeln!(text, "\\begin{{tabular}}{{{columns}}}\n\\toprule");
            let names = line(&mut sheet.headings.iter().map(Heading::text));
            let _ = writeln!(text, "{names} \\\\\n\\midrule");
            for row in &sheet.rows {
                let _ = writeln!(text, "{} \\\\", line(&mut row.iter().map(String::as_str)));
            }
            text.push_str("\\bottomrule\n\\end{tabular}\n");
            if !sheet.note.is_empty() {
                let _ = writeln!(text, "% {}", sheet.note);
            }
        }
        text
    }

    fn csv(&self) -> String {
        let mut rows = Vec::new();
        for sheet in &self.sheets {
            for row in &sheet.rows {
                for (heading, cell) in sheet.headings.iter().zip(row).skip(1) {
                    let column = heading.text().to_owned();
                    rows.push(vec![sheet.title.clone(), row[0].clone(), column, cell.clone()]);
                }
            }
        }
        data::csv(&["table", "row", "column", "value"], rows)
    }

    fn html(&self) -> String {
        let sheet = |sheet: &Sheet| tables::Sheet {
            title: sheet.title.clone(),
            headings: sheet
                .headings
                .iter()
                .map(|heading| (heading.text().to_owned(), heading.is_number()))
                .collect(),
            rows: sheet.rows.clone(),
            note: sheet.note.clone(),
        };
        let sheets: Vec<tables::Sheet> = self.sheets.iter().map(sheet).collect();
        tables::render(&self.title, &self.lead, &sheets, self.drawn.as_ref())
    }
}

/// Prose in lines that fit a terminal.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > LINE_CHARACTERS {
            let _ = writeln!(lines, "{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(lines, "{line}");
    lines
}

/// A cell for LaTeX: Greek letters by their signs, and minus signs that are no hyphens.
fn typeset(text: &str) -> String {
    if let "rho" | "tau" | "alpha" | "kappa" = text {
        return format!("$\\{text}$");
    }
    let mut safe = String::new();
    for (place, word) in text.split(' ').enumerate() {
        let (bracket, number) = word.split_at(usize::from(word.starts_with(['[', '('])));
        let after = number
            .strip_prefix(['-', '−'])
            .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        safe.push_str(if place > 0 { " " } else { "" });
        safe.push_str(bracket);
        match after {
            Some(rest) => safe.extend(["$-$", &escaped(rest)]),
            None => safe.push_str(&escaped(number)),
        }
    }
    safe
}

/// Text without the characters that LaTeX reads as commands.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '–' => safe.push_str("--"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(character);
            }
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::table::{numbers, words};
    use super::*;

    fn report() -> Report {
        let sheet = Sheet {
            title: "Judges".to_owned(),
            headings: vec![words("judge"), numbers("value")],
            rows: vec![vec!["a_b|c".to_owned(), "0.5".to_owned()]],
            note: "One note.".to_owned(),
        };
        let (title, lead) = ("Report".to_owned(), vec!["First.".to_owned()]);
        Report { title, lead, sheets: vec![sheet], drawn: None }
    }

    #[test]
    fn every_form_shows_the_same_cell_and_escapes_it() {
        let shown = |form| report().render(form);
        assert!(shown(Form::Table).contains("a_b|c"));
        assert!(shown(Form::Markdown).contains("| a_b\\|c | 0.5 |"));
        assert!(shown(Form::Latex).contains("a\\_b|c & 0.5 \\\\"));
        assert_eq!(shown(Form::Csv), "table,row,column,value\nJudges,a_b|c,value,0.5\n");
        assert!(shown(Form::Html).contains("<td class=\"n\">0.5</td>"));
    }

    #[test]
    fn latex_has_greek_letters_and_minus_signs() {
        assert_eq!(typeset("rho"), "$\\rho$");
        assert_eq!(typeset("-0.308"), "$-$0.308");
        assert_eq!(typeset("[-0.1, 0.2]"), "[$-$0.1, 0.2]");
        assert_eq!(typeset("a_b-1 −2"), "a\\_b-1 $-$2");
    }

    #[test]
    fn prose_keeps_to_eighty_columns() {
        let text = wrapped(&"word ".repeat(60));
        assert!(text.lines().all(|line| line.len() <= 78), "{text}");
    }
}
