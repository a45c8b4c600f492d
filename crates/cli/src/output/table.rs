//! Tables for people: aligned, quiet lines, understood without colour.

mod zero;

use std::io::{self, IsTerminal};

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};

/// One column: its heading, and whether it holds numbers.
#[derive(Debug, Clone)]
pub(crate) struct Heading {
    text: String,
    number: bool,
    room: Room,
}

/// What becomes of a column when there is no room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// It goes before others do, the first such column first.
    GoesFirst,
    /// It goes when those are gone, the last such column first.
    Goes,
    /// It stays.
    Stays,
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
        Self { text, ..self.clone() }
    }

    /// Where there is no room for all columns, this one is left out before others.
    pub(crate) fn goes_first(self) -> Self {
        Self { room: Room::GoesFirst, ..self }
    }

    /// It decides what a reader makes of the row, and is never left out.
    pub(crate) fn stays(self) -> Self {
        Self { room: Room::Stays, ..self }
    }

    /// Whether it holds numbers.
    pub(crate) fn is_number(&self) -> bool {
        self.number
    }
}

/// A column of words.
pub(crate) fn words(text: impl Into<String>) -> Heading {
    Heading { text: text.into(), number: false, room: Room::Goes }
}

/// A column of numbers, aligned to the right.
pub(crate) fn numbers(text: impl Into<String>) -> Heading {
    Heading { text: text.into(), number: true, room: Room::Goes }
}

/// Columns by their headings, `judge | #score`: a `#` makes one a column of numbers.
pub(crate) fn columns(headings: &str) -> Vec<Heading> {
    let heading = |text: &str| text.strip_prefix('#').map_or_else(|| words(text), numbers);
    headings.split('|').map(|text| heading(text.trim())).collect()
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
/// broken: then a column of words is folded, the last one first, and where that is not enough
/// columns are left out and named below: those that go first, then the last ones.
pub(crate) fn within(
    width: Option<usize>,
    headings: &[Heading],
    mut rows: Vec<Vec<String>>,
) -> String {
    zero::unsigned(headings, &mut rows);
    let natural = widths(headings, &rows);
    let Some(width) = width.filter(|width| total(&natural, GAP) > *width) else {
        let columns = natural.into_iter().enumerate().collect();
        return drawn(&Layout { columns, is_close: false }, headings, &rows);
    };
    let two_lines: Vec<Heading> = headings.iter().map(Heading::on_two_lines).collect();
    let natural = widths(&two_lines, &rows);
    let columns = fit(width, &two_lines, &natural, &longest_words(&two_lines, &rows));
    drawn(&Layout { columns, is_close: true }, &two_lines, &rows)
}

/// How a table is set.
struct Layout {
    /// The columns that are shown, each with its width without its gap.
    columns: Vec<(usize, usize)>,
    /// Whether columns are set closer than they would be with room to spare.
    is_close: bool,
}

fn drawn(layout: &Layout, headings: &[Heading], rows: &[Vec<String>]) -> String {
    let &Layout { ref columns, is_close } = layout;
    let mut table = Table::new();
    table.load_style(STYLE);
    let cell = |text: &str, heading: &Heading| {
        let alignment = if heading.number { CellAlignment::Right } else { CellAlignment::Left };
        Cell::new(text).set_alignment(alignment)
    };
    table.set_header(columns.iter().map(|(at, _)| cell(&headings[*at].text, &headings[*at])));
    for row in rows {
        let cells = columns.iter().filter_map(|(at, _)| Some((row.get(*at)?, &headings[*at])));
        table.add_row(cells.map(|(text, heading)| cell(text, heading)));
    }
    if is_close {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        for (place, (column, (_, width))) in table.column_iter_mut().zip(columns).enumerate() {
            // Nothing stands before the first column.
            let gap = if place == 0 { 0 } else { CLOSE_GAP };
            column.set_padding((u16::from(place > 0), 0));
            let cells = u16::try_from(width + gap).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(cells)));
        }
    }
    let mut lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    let is_left_out = |at: &usize| !columns.iter().any(|(shown, _)| shown == at);
    let left_out = (0..headings.len()).filter(is_left_out);
    let left_out = left_out.map(|at| headings[at].text.replace('\n', ""));
    let left_out: Vec<String> = left_out.filter(|name| !name.is_empty()).collect();
    if !left_out.is_empty() {
        lines.push(format!("not shown at this width: {}", left_out.join(", ")));
    }
    format!("{}\n", lines.join("\n"))
}

/// A blank on each side of what a column holds.
const GAP: usize = 2;

/// A blank before what a column holds, except the first.
const CLOSE_GAP: usize = 1;

/// What joins two columns.
const JOIN: usize = 1;

/// A column of words is not folded below this, or every line has a word.
const FOLDED_MIN: usize = 12;

/// How wide a table is.
fn total(widths: &[usize], gap: usize) -> usize {
    widths.iter().map(|width| width + gap).sum::<usize>() + JOIN * widths.len().saturating_sub(1)
}

/// Which columns set close are shown in a width, and how wide each is without its gap.
fn fit(
    width: usize,
    headings: &[Heading],
    natural: &[usize],
    words: &[usize],
) -> Vec<(usize, usize)> {
    let mut shown: Vec<(usize, usize)> = natural.iter().copied().enumerate().collect();
    loop {
        let widths: Vec<usize> = shown.iter().map(|(_, width)| *width).collect();
        let excess = (total(&widths, CLOSE_GAP) - CLOSE_GAP).saturating_sub(width);
        if excess == 0 {
            return shown;
        }
        let least = |at: usize| words[at].max(FOLDED_MIN).min(natural[at]);
        let narrower =
            shown.iter_mut().rev().find(|(at, width)| !headings[*at].number && *width > least(*at));
        if let Some((at, width)) = narrower {
            *width = width.saturating_sub(excess).max(least(*at));
        } else if let Some(place) = next_to_go(headings, &shown) {
            shown.remove(place);
            // Whatever was folded for a column that goes is given back.
            for (at, width) in &mut shown {
                *width = natural[*at];
            }
        } else {
            return shown;
        }
    }
}

/// The place of the column that is left out next; the first column says what a row is about.
fn next_to_go(headings: &[Heading], shown: &[(usize, usize)]) -> Option<usize> {
    let mut places = 1..shown.len();
    let is = |place: usize, room: Room| headings[shown[place].0].room == room;
    let first = places.clone().find(|place| is(*place, Room::GoesFirst));
    first.or_else(|| places.rfind(|place| is(*place, Room::Goes)))
}

/// How wide each column is when nothing is folded.
fn widths(headings: &[Heading], rows: &[Vec<String>]) -> Vec<usize> {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let columns = headings.iter().enumerate();
    let lines = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    columns
        .map(|(column, heading)| {
            // An empty column is drawn as wide as one letter.
            cells(column)
                .map(|text| lines(text))
                .max()
                .unwrap_or(0)
                .max(lines(&heading.text))
                .max(1)
        })
        .collect()
}

/// How wide the longest word of each column is, which is never broken; nor is an interval.
fn longest_words(headings: &[Heading], rows: &[Vec<String>]) -> Vec<usize> {
    let longest = |text: &str| {
        if text.starts_with('[') && text.ends_with(']') {
            return Some(text.chars().count());
        }
        text.split_whitespace().map(|word| word.chars().count()).max()
    };
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
        assert!(text.ends_with("not shown at this width: reason, seconds\n"), "{text}");
    }

    #[test]
    fn what_goes_first_goes_before_what_decides() {
        let headings = [
            words("measure"),
            words("interval").goes_first(),
            numbers("win/tie/loss").goes_first(),
            numbers("corrected").stays(),
            numbers("effect"),
            words("").stays(),
        ];
        let row = ["recall@10", "[-0.1667, +0.5000]", "3/2/1", "0.500", "+0.41", "▲"];
        let rows = vec![row.map(str::to_owned).to_vec()];
        let text = within(Some(56), &headings, rows.clone());
        assert!(text.ends_with("not shown at this width: interval\n"), "{text}");
        let text = within(Some(36), &headings, rows.clone());
        assert!(text.contains("▲") && text.contains("+0.41"), "{text}");
        assert!(text.ends_with("not shown at this width: interval, win/tie/loss\n"), "{text}");
        // However narrow it is, what decides is shown.
        let text = within(Some(5), &headings, rows);
        let below = "not shown at this width: interval, win/tie/loss, effect\n";
        assert!(text.contains("corrected") && text.ends_with(below), "{text}");
    }

    /// Seven columns of 68 letters and twelve between them.
    #[test]
    fn an_interval_is_never_broken() {
        let headings = [
            words("measure"),
            words("run"),
            words("against"),
            numbers("difference"),
            words("interval").goes_first(),
            numbers("corrected").stays(),
            numbers("effect"),
        ];
        let interval = "[-0.0311, 0.5635]";
        let row = ["exact_match", "semantic", "keyword", "+0.2840", interval, "0.625", "+0.68"];
        let rows = vec![row.map(str::to_owned).to_vec()];
        let text = within(Some(80), &headings, rows.clone());
        assert_eq!((widest(&text), text.lines().count()), (80, 3), "{text}");
        assert!(text.contains(interval), "{text}");
        // Rather none than half of one.
        let text = within(Some(79), &headings, rows);
        assert!(text.ends_with("not shown at this width: interval\n"), "{text}");
    }

    #[test]
    fn an_empty_column_keeps_to_the_width() {
        let headings = [words("measure"), numbers("value"), words("").stays(), words("interval")];
        let row = ["recall@10", "0.7083", "", "from 0.1 to 0.2"].map(str::to_owned).to_vec();
        for width in 21..=46 {
            let text = within(Some(width), &headings, vec![row.clone()]);
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("not ")).collect();
            assert!(widest(&lines.join("\n")) <= width, "{width}:\n{text}");
        }
    }

    #[test]
    fn a_column_without_a_name_leaves_no_comma() {
        let headings = [words("id"), numbers("score"), words("")];
        let row = ["a-long-identifier", "0.7083", "▲"].map(str::to_owned).to_vec();
        let text = within(Some(20), &headings, vec![row]);
        assert!(text.ends_with("not shown at this width: score\n"), "{text}");
    }

    #[test]
    fn a_long_heading_of_numbers_takes_two_lines_before_a_column_goes() {
        let headings = [words("id"), numbers("hallucination"), numbers("bias_toxicity")];
        let row = ["barrier", "10.00", "8.50"].map(str::to_owned).to_vec();
        let text = within(Some(32), &headings, vec![row]);
        assert_eq!(widest(&text), 32, "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "id       hallucination     bias_");
        assert_eq!(lines[1], "                        toxicity");
        assert_eq!(lines[3], "barrier          10.00      8.50");
    }

    #[test]
    fn a_table_that_fits_is_as_it_is_without_a_terminal() {
        assert_eq!(sample(Some(200)), sample(None));
    }
}
