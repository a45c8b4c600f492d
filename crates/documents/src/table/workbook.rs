//! What a workbook says about itself: its sheets, its strings, where they are.

use std::collections::BTreeMap;

use super::TableError;
use super::numbers::Shapes;
use crate::archive::Archive;
use crate::error::DocumentError;
use crate::xml::{Step, XmlProblem, walk};

pub(super) const KIND: &str = "XLSX";

/// A workbook but for the cells of its sheets.
pub(super) struct Workbook {
    pub(super) strings: Vec<String>,
    pub(super) shapes: Shapes,
    sheets: Vec<Sheet>,
}

struct Sheet {
    name: String,
    part: String,
    is_shown: bool,
}

impl Workbook {
    pub(super) fn read(archive: &mut Archive<'_>) -> Result<Self, TableError> {
        let Some(book) = archive.part("xl/workbook.xml")? else {
            return Err(what_else(archive).into());
        };
        let links = match archive.part("xl/_rels/workbook.xml.rels")? {
            Some(xml) => links(&xml).map_err(damaged)?,
            None => BTreeMap::new(),
        };
        let (sheets, from_1904) = sheets(&book, &links).map_err(damaged)?;
        let strings = match archive.part("xl/sharedStrings.xml")? {
            Some(xml) => strings(&xml).map_err(damaged)?,
            None => Vec::new(),
        };
        let mut shapes = match archive.part("xl/styles.xml")? {
            Some(xml) => Shapes::read(&xml).map_err(damaged)?,
            None => Shapes::default(),
        };
        shapes.from_1904 = from_1904;
        Ok(Self { strings, shapes, sheets })
    }

    /// The name and the part of the sheet that is asked for, or of the first that is shown.
    pub(super) fn sheet(&self, wanted: Option<&str>) -> Result<(&str, &str), TableError> {
        let found = match wanted {
            Some(name) => self.sheets.iter().find(|sheet| sheet.name.eq_ignore_ascii_case(name)),
            None => self.sheets.iter().find(|sheet| sheet.is_shown).or(self.sheets.first()),
        };
        let missing = || TableError::NoSuchSheet {
            wanted: wanted.unwrap_or("1").to_owned(),
            known: self.sheets.iter().map(|sheet| sheet.name.clone()).collect(),
        };
        found.map(|sheet| (sheet.name.as_str(), sheet.part.as_str())).ok_or_else(missing)
    }

    /// The sheets that are shown besides this one: name and part.
    pub(super) fn others_shown(&self, part: &str) -> Vec<(&str, &str)> {
        let others = self.sheets.iter().filter(|sheet| sheet.is_shown && sheet.part != part);
        others.map(|sheet| (sheet.name.as_str(), sheet.part.as_str())).collect()
    }
}

pub(super) fn damaged(detail: String) -> TableError {
    DocumentError::damaged(KIND, detail).into()
}

fn what_else(archive: &Archive<'_>) -> DocumentError {
    let what = if archive.has("xl/workbook.bin") {
        "a binary workbook"
    } else if archive.has("word/document.xml") {
        "a DOCX"
    } else if archive.has("content.xml") {
        "an OpenDocument file"
    } else {
        "a ZIP archive"
    };
    DocumentError::Unsupported(what, "CSV or XLSX to import it")
}

/// The parts that a workbook refers to, by the name of the link.
fn links(xml: &[u8]) -> Result<BTreeMap<String, String>, XmlProblem> {
    let mut links = BTreeMap::new();
    walk(xml, |step| {
        if let Step::Open(element) = step
            && let (Some(id), Some(target)) = (element.attribute("Id"), element.attribute("Target"))
        {
            let part = match target.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None => format!("xl/{target}"),
            };
            links.insert(id, part);
        }
        Ok::<(), XmlProblem>(())
    })?;
    Ok(links)
}

/// The sheets in their order, and whether days are counted from 1904.
fn sheets(xml: &[u8], links: &BTreeMap<String, String>) -> Result<(Vec<Sheet>, bool), XmlProblem> {
    let mut sheets = Vec::new();
    let mut from_1904 = false;
    walk(xml, |step| {
        let Step::Open(element) = step else { return Ok(()) };
        match element.name {
            "workbookPr" => {
                let value = element.attribute("date1904");
                from_1904 = matches!(value.as_deref(), Some("1" | "true"));
            }
            "sheet" => {
                let number = sheets.len() + 1;
                let link = element.attribute("id").and_then(|id| links.get(&id).cloned());
                let part = link.unwrap_or_else(|| format!("xl/worksheets/sheet{number}.xml"));
                let name = element.attribute("name").unwrap_or_default();
                let state = element.attribute("state");
                let is_table = part.contains("worksheets/");
                let is_shown = is_table && state.is_none_or(|state| state == "visible");
                sheets.push(Sheet { name, part, is_shown });
            }
            _ => {}
        }
        Ok::<(), XmlProblem>(())
    })?;
    Ok((sheets, from_1904))
}

/// The strings that cells refer to by number.
fn strings(xml: &[u8]) -> Result<Vec<String>, XmlProblem> {
    let mut strings = Vec::new();
    let mut current = String::new();
    let (mut in_text, mut in_phonetic) = (false, false);
    walk(xml, |step| {
        match step {
            Step::Open(element) => match element.name {
                "si" => current.clear(),
                "t" => in_text = !in_phonetic,
                // How a Japanese word is read aloud is no part of it.
                "rPh" => in_phonetic = true,
                _ => {}
            },
            Step::Text(text) if in_text => current.push_str(text),
            Step::Close("t") => in_text = false,
            Step::Close("rPh") => in_phonetic = false,
            Step::Close("si") => strings.push(std::mem::take(&mut current)),
            _ => {}
        }
        Ok::<(), XmlProblem>(())
    })?;
    Ok(strings)
}
