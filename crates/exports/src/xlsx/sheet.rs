//! What all sheets share: cells that are safe, headers, formats.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Worksheet, XlsxError};

use crate::colour::Rgb;
use crate::report::Status;
use crate::text::{looks_like_formula, plain};

/// Characters (UTF-16 units) that fit into a cell.
const CELL_MAX: usize = 32_767;
/// What stands at the end of a text that did not fit.
const CUT_NOTE: &str = " […cut: the rest is in the JSON export]";
/// Rows of a sheet, header included; the last is kept for a note.
const ROWS_MAX: u32 = 1_048_576;

/// A column: its heading and its width in characters.
pub(super) type Column<'a> = (&'a str, f64);

/// A sheet that is filled from top to bottom.
pub(super) struct Sheet<'a> {
    /// The sheet itself, for what is special.
    pub(super) of: &'a mut Worksheet,
    /// The row that is written next.
    pub(super) row: u32,
    left_out: usize,
    formats: Formats,
}

/// The formats, made once: rows are many.
struct Formats {
    text: Format,
    quoted: Format,
    number: Format,
    header: Format,
    title: Format,
    label: Format,
}

impl Formats {
    fn new() -> Self {
        let top = Format::new().set_align(FormatAlign::Top);
        let text = top.clone().set_text_wrap();
        Self {
            quoted: text.clone().set_quote_prefix(),
            number: top.set_num_format("0.##"),
            header: text
                .clone()
                .set_bold()
                .set_background_color(Color::RGB(0x001F_2937))
                .set_font_color(Color::White)
                .set_border_bottom(FormatBorder::Thin),
            title: Format::new().set_bold().set_font_size(16),
            label: text.clone().set_bold(),
            text,
        }
    }
}

impl<'a> Sheet<'a> {
    /// A sheet with that name and those column widths.
    pub(super) fn new(
        of: &'a mut Worksheet,
        name: &str,
        widths: &[f64],
    ) -> Result<Self, XlsxError> {
        of.set_name(name)?.set_landscape().set_print_fit_to_pages(1, 0);
        for (column, width) in (0..).zip(widths) {
            of.set_column_width(column, *width)?;
        }
        Ok(Self { of, row: 0, left_out: 0, formats: Formats::new() })
    }

    /// A sheet that is one table: its header stays in sight and is printed on every page.
    pub(super) fn table(
        of: &'a mut Worksheet,
        name: &str,
        columns: &[Column],
    ) -> Result<Self, XlsxError> {
        let widths: Vec<_> = columns.iter().map(|(_, width)| *width).collect();
        let mut sheet = Self::new(of, name, &widths)?;
        sheet.header(&columns.iter().map(|(heading, _)| *heading).collect::<Vec<_>>())?;
        sheet.of.set_freeze_panes(1, 0)?.set_repeat_rows(0, 0)?;
        Ok(sheet)
    }

    /// Ends a table: filters on its header, and a note if rows were left out.
    pub(super) fn finish(mut self, columns: usize) -> Result<(), XlsxError> {
        let last_column = u16::try_from(columns.saturating_sub(1)).unwrap_or(u16::MAX);
        let last_row = self.row.saturating_sub(1).max(1);
        self.of.autofilter(0, 0, last_row, last_column)?;
        if self.left_out > 0 {
            let note = format!("{} more rows: see the JSON export", self.left_out);
            self.row = ROWS_MAX - 1;
            self.text(0, &note)?;
        }
        Ok(())
    }

    /// Whether another row fits; counts it as left out if not.
    pub(super) fn has_room(&mut self) -> bool {
        let room = self.row < ROWS_MAX - 1;
        self.left_out += usize::from(!room);
        room
    }

    /// A row of headings.
    pub(super) fn header(&mut self, headings: &[&str]) -> Result<(), XlsxError> {
        for (column, heading) in (0..).zip(headings) {
            self.of.write_string_with_format(
                self.row,
                column,
                fit(heading),
                &self.formats.header,
            )?;
        }
        self.row += 1;
        Ok(())
    }

    /// A large line.
    pub(super) fn title(&mut self, text: &str) -> Result<(), XlsxError> {
        self.of.write_string_with_format(self.row, 0, fit(text), &self.formats.title)?;
        self.row += 1;
        Ok(())
    }

    /// A text in bold.
    pub(super) fn label(&mut self, column: u16, text: &str) -> Result<(), XlsxError> {
        self.of.write_string_with_format(self.row, column, fit(text), &self.formats.label)?;
        Ok(())
    }

    /// A text that is never calculated; nothing for an empty one.
    pub(super) fn text(&mut self, column: u16, text: &str) -> Result<(), XlsxError> {
        if text.is_empty() {
            return Ok(());
        }
        let text = fit(text);
        let format =
            if looks_like_formula(&text) { &self.formats.quoted } else { &self.formats.text };
        self.of.write_string_with_format(self.row, column, text, format)?;
        Ok(())
    }

    /// A number; nothing where there is none, words where it is not one.
    pub(super) fn number(
        &mut self,
        column: u16,
        value: Option<impl Into<f64>>,
    ) -> Result<(), XlsxError> {
        match value.map(Into::into) {
            Some(value) if value.is_finite() => {
                self.of.write_number_with_format(self.row, column, value, &self.formats.number)?;
            }
            Some(_) => self.text(column, "not a number")?,
            None => {}
        }
        Ok(())
    }

    pub(super) fn count(&mut self, column: u16, count: usize) -> Result<(), XlsxError> {
        self.number(column, Some(count as f64))
    }

    /// A score on the tint of its tier.
    pub(super) fn score(
        &mut self,
        column: u16,
        score: f64,
        status: Option<&Status>,
    ) -> Result<(), XlsxError> {
        let Some(status) = status.filter(|_| score.is_finite()) else {
            return self.number(column, Some(score));
        };
        let tint = Color::RGB(Rgb::read(&status.colour).tint().number());
        let format = self.formats.number.clone().set_background_color(tint);
        self.of.write_number_with_format(self.row, column, score, &format)?;
        Ok(())
    }

    /// A status on the tint of its tier.
    pub(super) fn status(&mut self, column: u16, status: &Status) -> Result<(), XlsxError> {
        let tint = Color::RGB(Rgb::read(&status.colour).tint().number());
        let format = self.formats.text.clone().set_background_color(tint).set_bold();
        let text = fit(&status.label);
        let format = if looks_like_formula(&text) { format.set_quote_prefix() } else { format };
        self.of.write_string_with_format(self.row, column, text, &format)?;
        Ok(())
    }
}

/// The text without control characters, cut to what a cell holds.
fn fit(text: &str) -> String {
    let text = plain(text);
    if text.encode_utf16().count() <= CELL_MAX {
        return text;
    }
    let mut room = CELL_MAX - CUT_NOTE.encode_utf16().count();
    let kept = text.chars().take_while(|character| {
        let fits = character.len_utf16() <= room;
        room = room.saturating_sub(character.len_utf16());
        fits
    });
    let mut cut: String = kept.collect();
    cut.push_str(CUT_NOTE);
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_exactly_is_not_cut() {
        assert_eq!(fit(&"a".repeat(CELL_MAX)).len(), CELL_MAX);
    }

    #[test]
    fn a_text_that_is_too_long_ends_with_a_note_within_the_limit() {
        for text in ["a".repeat(CELL_MAX + 1), "𝄞".repeat(CELL_MAX / 2 + 1)] {
            let cut = fit(&text);
            assert!(cut.ends_with(CUT_NOTE));
            assert!((CELL_MAX - 1..=CELL_MAX).contains(&cut.encode_utf16().count()));
        }
    }
}
