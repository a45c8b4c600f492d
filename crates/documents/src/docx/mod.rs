//! DOCX: the paragraphs of a Word document, with the numbers that Word would show.

mod body;
mod colours;
mod frame;
mod look;
mod numbering;
mod styles;
#[cfg(test)]
mod tests;

use self::body::Body;
use self::colours::Theme;
use self::frame::PageSize;
use self::numbering::Numbering;
use self::styles::Styles;
use crate::archive::Archive;
use crate::blocks::Parts;
use crate::error::DocumentError;
use crate::limits::Limits;

const KIND: &str = "DOCX";

/// Where Word keeps the text.
const MAIN_PART: &str = "word/document.xml";

/// Reads a Word document, or says what else the archive is.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Parts, DocumentError> {
    let mut archive = Archive::open(bytes, KIND, limits)?;
    let main = main_part(&archive).ok_or_else(|| what_else(&archive))?;
    let theme = match archive.part("word/theme/theme1.xml")? {
        Some(xml) => Theme::read(&xml).map_err(damaged)?,
        None => Theme::default(),
    };
    let styles = match archive.part("word/styles.xml")? {
        Some(xml) => Styles::read(&xml, &theme).map_err(damaged)?,
        None => Styles::default(),
    };
    let numbering = match archive.part("word/numbering.xml")? {
        Some(xml) => Numbering::read(&xml).map_err(damaged)?,
        None => Numbering::default(),
    };
    let xml = archive.part(&main)?.unwrap_or_default();
    let page = PageSize::read(&xml).map_err(damaged)?;
    let mut body = Body::new((&styles, &theme), numbering, page, limits);
    // Word has a colour of the page, and a setting that it is shown at all.
    let settings = archive.part("word/settings.xml")?.unwrap_or_default();
    let shows = b"displayBackgroundShape";
    body.shows_background = settings.windows(shows.len()).any(|window| window == shows);
    body.read(&xml)?;
    for (part, note) in [("word/footnotes.xml", "footnote"), ("word/endnotes.xml", "endnote")] {
        if let Some(xml) = archive.part(part)?.filter(|_| body.has_notes(note)) {
            body.read_notes(&xml, note)?;
        }
    }
    Ok(body.finish())
}

/// The part that holds the text; some programs number it.
fn main_part(archive: &Archive<'_>) -> Option<String> {
    if archive.has(MAIN_PART) {
        return Some(MAIN_PART.to_owned());
    }
    let mut names: Vec<String> = archive
        .names()
        .filter(|name| {
            let number = name.strip_prefix("word/document").and_then(|n| n.strip_suffix(".xml"));
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        })
        .collect();
    names.sort();
    names.into_iter().next()
}

/// What an archive is that is no Word document.
fn what_else(archive: &Archive<'_>) -> DocumentError {
    let (what, instead) = if archive.has("xl/workbook.xml") {
        ("a spreadsheet", "DOCX or PDF, or import it as a table")
    } else if archive.has("ppt/presentation.xml") {
        ("a presentation", "PDF")
    } else if archive.has("content.xml") {
        ("an OpenDocument file", "DOCX or PDF")
    } else {
        ("a ZIP archive", "the documents inside it")
    };
    DocumentError::Unsupported(what, instead)
}

fn damaged(detail: String) -> DocumentError {
    DocumentError::damaged(KIND, detail)
}
