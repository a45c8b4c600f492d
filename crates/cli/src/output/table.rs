//! Tables for people: aligned, quiet lines, understood without colour.

use std::io::{self, IsTerminal};

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// One column: its heading, and whether it holds numbers.
#[derive(Debug, Clone)]
pub(crate) struct Heading {
    text: String,
    number: bool,
}

impl Heading {
    /// What stands above the column.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds numbers.
    pub(crate) fn is_number(&self) -> bool {
        self.number
    }
}

/// A column of words.
pub(crate) fn words(text: impl Into<String>) -> Heading {
    Heading { text: text.into(), number: false }
}

/// A column of numbers, aligned to the right.
pub(crate) fn numbers(text: impl Into<String>) -> Heading {
    Heading { text: text.into(), number: true }
}

/// A rule under the headings and nothing else.
const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The table as text, with a line end; on a terminal it keeps to the terminal's width.
pub(crate) fn table(headings: &[Heading], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    if io::stdout().is_terminal()
        && let Some((width, _)) = terminal_size::terminal_size()
    {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.0);
    }
    let cell = |text: &str, heading: &Heading| {
        let alignment = if heading.number { CellAlignment::Right } else { CellAlignment::Left };
        Cell::new(text).set_alignment(alignment)
    };
    table.set_header(headings.iter().map(|heading| cell(&heading.text, heading)));
    for row in rows {
        table.add_row(row.iter().zip(headings).map(|(text, heading)| cell(text, heading)));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    format!("{}\n", lines.join("\n"))
}
