//! A report to print: two pages for who decides, or all of it with one block for each criterion.
//!
//! Everything is laid out here, on A4, with a font that is shipped (see
//! `assets/NOTICE.md`). Letters that it has no shape for are boxes on paper, but
//! can still be searched and copied. No clock, no random id: the same bytes.

mod brief;
mod criterion;
mod file;
mod font;
mod overview;
mod paper;
mod style;
mod table;
mod title;
mod wrap;

use std::io::Write;

use paper::Paper;

use crate::{ExportError, Report, Summary};

/// Writes two pages: what holds for the set, how scores are distributed, what is weakest and
/// what is open.
pub fn write_brief(report: &Report, mut out: impl Write) -> Result<(), ExportError> {
    let mut paper = Paper::new();
    brief::draw(&mut paper, report, &Summary::of(report));
    out.write_all(&file::finish(paper, report)?)?;
    Ok(())
}

/// Writes the whole report: every row, with one block for each criterion.
pub fn write(report: &Report, mut out: impl Write) -> Result<(), ExportError> {
    let summary = Summary::of(report);
    let mut paper = Paper::new();
    title::draw(&mut paper, report);
    overview::draw(&mut paper, report, &summary);
    table::draw(&mut paper, report);
    criterion::draw(&mut paper, report);
    out.write_all(&file::finish(paper, report)?)?;
    Ok(())
}
