//! Tables for people: aligned, quiet lines, understood without colour.

use std::io::{self, IsTerminal};

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};

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

    /// The same on two lines above numbers, broken behind its first underscore or blank.
    fn on_two_lines(&self) -> Self {
        let text = match self.text.find(['_', ' ']).filter(|_| self.number) {
            Some(place) => format!("{}\n{}", &self.text[..=place], &self.text[place + 1..]),
            None => self.text.clone(),
        };
        Self { text, number: self.number }
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
    let is_terminal = io::stdout().is_terminal();
    let width = is_terminal.then(terminal_size::terminal_size).flatten();
    within(width.map(|(width, _)| usize::from(width.0)), headings, rows)
}

/// The same for a given width; without one, as wide as it gets.
///
/// What is too wide is first set closer, with headings of numbers on two lines. A number is never
/// broken: then a column of words is folded, the last one first, and where that is not enough the
/// last columns are left out and named below.
fn within(width: Option<usize>, headings: &[Heading], rows: Vec<Vec<String>>) -> String {
    let natural = widths(headings, &rows);
    let Some(width) = width.filter(|width| total(&natural, GAP) > *width) else {
        let shown = headings.len();
        return drawn(&Layout { shown, folded: natural, is_close: false }, headings, rows);
    };
    let two_lines: Vec<Heading> = headings.iter().map(Heading::on_two_lines).collect();
    let natural = widths(&two_lines, &rows);
    let (shown, folded) = fit(width, &two_lines, &natural, &longest_words(&two_lines, &rows));
    drawn(&Layout { shown, folded, is_close: true }, &two_lines, rows)
}

/// How a table is set.
struct Layout {
    /// How many columns there are.
    shown: usize,
    /// How wide each is without its gap.
    folded: Vec<usize>,
    /// Whether columns are set closer than they would be with room to spare.
    is_close: bool,
}

fn drawn(layout: &Layout, headings: &[Heading], rows: Vec<Vec<String>>) -> String {
    let &Layout { shown, ref folded, is_close } = layout;
    let mut table = Table::new();
    table.load_style(STYLE);
    let cell = |text: &str, heading: &Heading| {
        let alignment = if heading.number { CellAlignment::Right } else { CellAlignment::Left };
        Cell::new(text).set_alignment(alignment)
    };
    let headings_shown = &headings[..shown];
    table.set_header(headings_shown.iter().map(|heading| cell(&heading.text, heading)));
    for row in rows {
        table.add_row(row.iter().zip(headings_shown).map(|(text, heading)| cell(text, heading)));
    }
    if is_close {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        for (column, width) in table.column_iter_mut().zip(folded) {
            column.set_padding((1, 0));
            let cells = u16::try_from(width + CLOSE_GAP).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(cells)));
        }
    }
    let mut lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    if shown < headings.len() {
        let left_out = headings[shown..].iter().map(|heading| heading.text.replace('\n', ""));
        let left_out: Vec<String> = left_out.collect();
        lines.push(format!("not shown in this width: {}", left_out.join(", ")));
    }
    format!("{}\n", lines.join("\n"))
}

/// A blank on each side of what a column holds.
const GAP: usize = 2;

/// A blank before what a column holds.
const CLOSE_GAP: usize = 1;

/// What joins two columns.
const JOIN: usize = 1;

/// A column of words is not folded below this, or every line has a word.
const FOLDED_MIN: usize = 12;

/// How wide a table is.
fn total(widths: &[usize], gap: usize) -> usize {
    widths.iter().map(|width| width + gap).sum::<usize>() + JOIN * widths.len().saturating_sub(1)
}

/// How many columns set close are shown in a width, and how wide each is without its gap.
fn fit(
    width: usize,
    headings: &[Heading],
    natural: &[usize],
    words: &[usize],
) -> (usize, Vec<usize>) {
    let mut widths = natural.to_vec();
    while total(&widths, CLOSE_GAP) > width {
        let excess = total(&widths, CLOSE_GAP) - width;
        let narrower = |column: &usize| {
            let least = words[*column].max(FOLDED_MIN).min(natural[*column]);
            !headings[*column].number && widths[*column] > least
        };
        if let Some(column) = (0..widths.len()).rev().find(narrower) {
            let least = words[column].max(FOLDED_MIN).min(natural[column]);
            widths[column] = widths[column].saturating_sub(excess).max(least);
        } else if widths.len() > 1 {
            // Whatever was folded for a column that goes is given back.
            let shown = widths.len() - 1;
            widths = natural[..shown].to_vec();
        } else {
            break;
        }
    }
    (widths.len(), widths)
}

/// How wide each column is when nothing is folded.
fn widths(headings: &[Heading], rows: &[Vec<String>]) -> Vec<usize> {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let columns = headings.iter().enumerate();
    let lines = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    columns
        .map(|(column, heading)| {
            cells(column).map(|text| lines(text)).max().unwrap_or(0).max(lines(&heading.text))
        })
        .collect()
}

/// How wide the longest word of each column is, which is never broken.
fn longest_words(headings: &[Heading], rows: &[Vec<String>]) -> Vec<usize> {
    let longest = |text: &str| text.split_whitespace().map(|word| word.chars().count()).max();
    let columns = headings.iter().enumerate();
    columns
        .map(|(column, heading)| {
            let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
            cells.chain([heading.text()]).filter_map(longest).max().unwrap_or(0)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(width: Option<usize>) -> String {
        let headings = [words("id"), numbers("score"), words("reason"), numbers("seconds")];
        let row = ["a-long-identifier", "0.7083", "nothing in the text says so at all", "12.5"];
        within(width, &headings, vec![row.map(str::to_owned).to_vec()])
    }

    fn widest(text: &str) -> usize {
        text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    #[test]
    fn without_a_width_nothing_is_folded() {
        assert!(sample(None).contains("nothing in the text says so at all"));
        assert_eq!(sample(None).lines().count(), 3);
    }

    #[test]
    fn words_are_folded_and_numbers_are_whole() {
        let text = sample(Some(60));
        assert!(widest(&text) <= 60, "{text}");
        assert!(text.contains("0.7083") && text.contains("12.5"), "{text}");
        assert!(text.lines().count() > 3, "{text}");
    }

    #[test]
    fn what_does_not_fit_is_left_out_from_the_end_and_named() {
        let text = sample(Some(36));
        assert!(widest(text.lines().next().unwrap()) <= 36, "{text}");
        assert!(text.contains("0.7083") && !text.contains("12.5"), "{text}");
        assert!(text.ends_with("not shown in this width: reason, seconds\n"), "{text}");
    }

    #[test]
    fn a_long_heading_of_numbers_takes_two_lines_before_a_column_goes() {
        let headings = [words("id"), numbers("hallucination"), numbers("bias_toxicity")];
        let row = ["barrier", "10.00", "8.50"].map(str::to_owned).to_vec();
        let text = within(Some(33), &headings, vec![row]);
        assert_eq!(widest(&text), 33, "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " id       hallucination     bias_");
        assert_eq!(lines[1], "                         toxicity");
        assert_eq!(lines[3], " barrier          10.00      8.50");
    }

    #[test]
    fn a_table_that_fits_is_as_it_is_without_a_terminal() {
        assert_eq!(sample(Some(200)), sample(None));
    }
}
