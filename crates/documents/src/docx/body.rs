//! Walks the text of a Word document: paragraphs, rows of tables, notes.

use std::collections::BTreeMap;

use super::colours::{Ground, Theme, WHITE, numbered};
use super::frame::{Frame, PageSize};
use super::look::{Look, Unseen};
use super::numbering::Numbering;
use super::styles::{Styles, heading_of_outline};
use super::{KIND, damaged};
use crate::blocks::{Blocks, HiddenText, Parts};
use crate::error::{DocumentError, Result};
use crate::limits::Limits;
use crate::xml::{Element, Step, walk};

/// Elements whose content is not part of the text as it stands: the copy of a drawing for older
/// programs, and what properties were before a tracked change.
const SKIPPED: [&str; 8] = [
    "Fallback",
    "rPrChange",
    "pPrChange",
    "tcPrChange",
    "trPrChange",
    "tblPrChange",
    "tblPrExChange",
    "sectPrChange",
];

/// What was deleted or moved away.
const DELETED: [&str; 2] = ["del", "moveFrom"];

/// Rows that are not higher than this are not seen, in twentieths of a point.
const ROW_HEIGHT_MIN: f64 = 40.0;

/// What stands between two cells of a row.
const BETWEEN_CELLS: &str = " | ";

/// The text as it is walked.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    theme: &'a Theme,
    numbering: Numbering,
    page: PageSize,
    blocks: Blocks,
    /// Paragraphs that are open: one in another where a text box hangs on a paragraph.
    open: Vec<Open>,
    /// Rows of tables that are open; tables can lie in tables.
    rows: Vec<Row>,
    /// What is behind the tables and cells that are open; the page is behind all of them.
    grounds: Vec<Ground>,
    /// Whose properties are open.
    properties: Option<Owner>,
    /// Drawings that are open, and whether the offset of the last one is.
    frames: Vec<Frame>,
    in_offset: bool,
    /// How many of the text boxes that are open are outside the page.
    off_page: usize,
    skipping: usize,
    deleting: usize,
    /// Whether text that is deleted is open.
    in_deleted_text: bool,
    /// The number that each note was given, by its kind and identifier.
    notes: BTreeMap<(String, String), usize>,
    hidden: HiddenText<Unseen>,
    runs: usize,
    comments: usize,
    /// Whether the colour of the page is shown.
    pub(super) shows_background: bool,
}

/// What properties belong to that are no paragraph's or run's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Table,
    Row,
    Cell,
}

/// A row of a table that is open.
#[derive(Default)]
struct Row {
    cells: Vec<String>,
    /// Why nobody sees it.
    unseen: Option<Unseen>,
}

/// A paragraph that is open.
struct Open {
    text: String,
    style: String,
    /// What the paragraph itself says about its level in the outline.
    outline: Option<String>,
    number: Option<String>,
    number_level: Option<usize>,
    in_run: bool,
    in_text: bool,
    /// How letters look by the style of the paragraph, by that of the run, and by the run itself.
    look: Look,
    run_style: Look,
    run: Look,
    /// What is behind the paragraph by its style and by itself, and behind that.
    style_ground: Ground,
    ground: Option<Ground>,
    behind: Ground,
    /// Why nobody sees any of it.
    unseen: Option<Unseen>,
}

/// So that problems of the XML become errors of the document.
struct Failure(DocumentError);

impl From<String> for Failure {
    fn from(detail: String) -> Self {
        Self(damaged(detail))
    }
}

impl From<DocumentError> for Failure {
    fn from(error: DocumentError) -> Self {
        Self(error)
    }
}

impl<'a> Body<'a> {
    pub(super) fn new(
        (styles, theme): (&'a Styles, &'a Theme),
        numbering: Numbering,
        page: PageSize,
        limits: &Limits,
    ) -> Self {
        Self {
            styles,
            theme,
            numbering,
            page,
            blocks: Blocks::new(limits),
            open: Vec::new(),
            rows: Vec::new(),
            grounds: vec![Ground::Is(WHITE)],
            properties: None,
            frames: Vec::new(),
            in_offset: false,
            off_page: 0,
            skipping: 0,
            deleting: 0,
            in_deleted_text: false,
            notes: BTreeMap::new(),
            hidden: HiddenText::default(),
            runs: 0,
            comments: 0,
            shows_background: false,
        }
    }

    /// Reads the main part.
    pub(super) fn read(&mut self, xml: &[u8]) -> Result<()> {
        if xml.is_empty() {
            return Err(DocumentError::damaged(KIND, "it has no text"));
        }
        walk(xml, |step| self.step(step).map_err(Failure)).map_err(|failure| failure.0)
    }

    /// Whether the text so far refers to notes of this kind.
    pub(super) fn has_notes(&self, kind: &str) -> bool {
        self.notes.keys().any(|(known, _)| known == kind)
    }

    /// Reads the notes that the text refers to, each after its number in brackets.
    pub(super) fn read_notes(&mut self, xml: &[u8], kind: &str) -> Result<()> {
        let mut label = None;
        walk(xml, |step| {
            match &step {
                Step::Open(element) if element.name == kind => {
                    let id = element.attribute("id").unwrap_or_default();
                    label = self.notes.get(&(kind.to_owned(), id)).copied();
                    return Ok(());
                }
                Step::Close(name) if *name == kind => label = None,
                // Word keeps the lines above the notes as notes of their own.
                _ if label.is_none() => return Ok(()),
                _ => {}
            }
            let begins = matches!(&step, Step::Open(element) if element.name == "p");
            self.step(step)?;
            if let (true, Some(number), Some(open)) = (begins, label, self.open.last_mut()) {
                open.text = format!("[{number}] ");
            }
            Ok::<(), Failure>(())
        })
        .map_err(|failure| failure.0)
    }

    pub(super) fn finish(self) -> Parts {
        let mut parts = self.blocks.finish();
        self.hidden.tell(&mut parts);
        parts.left_out("comments", self.comments);
        parts
    }

    fn step(&mut self, step: Step<'_>) -> Result<()> {
        match step {
            Step::Open(element) if SKIPPED.contains(&element.name) => self.skipping += 1,
            Step::Close(name) if SKIPPED.contains(&name) => {
                self.skipping = self.skipping.saturating_sub(1);
            }
            _ if self.skipping > 0 => {}
            Step::Open(element) if DELETED.contains(&element.name) => self.begin_deletion(),
            Step::Close(name) if DELETED.contains(&name) => {
                self.deleting = self.deleting.saturating_sub(1);
            }
            Step::Open(element) if self.deleting > 0 => {
                self.in_deleted_text = matches!(element.name, "delText" | "t");
            }
            Step::Close(_) if self.deleting > 0 => self.in_deleted_text = false,
            Step::Text(text) if self.deleting > 0 => {
                if self.in_deleted_text {
                    self.hidden.add(Unseen::Deleted, self.runs, text);
                }
            }
            Step::Open(element) => self.open(&element),
            Step::Close(name) => self.close(name)?,
            Step::Text(text) if self.in_offset => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.take_offset(text);
                }
            }
            Step::Text(text) => {
                if self.open.last().is_some_and(|open| open.in_text) {
                    self.add(text);
                }
            }
        }
        Ok(())
    }

    /// Text that is deleted, or the mark of a row that is.
    fn begin_deletion(&mut self) {
        if self.properties == Some(Owner::Row) {
            self.hide_row(Unseen::Deleted);
        }
        self.deleting += 1;
        self.runs += 1;
    }

    fn hide_row(&mut self, why: Unseen) {
        if let Some(row) = self.rows.last_mut() {
            row.unseen = row.unseen.or(Some(why));
        }
    }

    fn open(&mut self, element: &Element<'_>) {
        match element.name {
            "p" => self.begin_paragraph(),
            "tbl" => self.grounds.push(self.ground()),
            "tblPr" | "tblPrEx" => self.properties = Some(Owner::Table),
            "trPr" => self.properties = Some(Owner::Row),
            "tcPr" => self.properties = Some(Owner::Cell),
            "tr" => {
                let unseen = self.rows.last().and_then(|row| row.unseen);
                self.rows.push(Row { unseen, ..Row::default() });
            }
            "tc" => {
                self.grounds.push(self.ground());
                if let Some(row) = self.rows.last_mut() {
                    row.cells.push(String::new());
                }
            }
            "background" if self.shows_background => {
                let colour = element.attribute("color").and_then(|colour| numbered(&colour));
                if let Some(colour) = colour {
                    self.grounds[0] = Ground::Is(colour);
                }
            }
            "anchor" => self.frames.push(Frame::of_drawing(element)),
            "shape" | "rect" | "roundrect" | "oval" => self.frames.push(Frame::of_shape(element)),
            "posOffset" => self.in_offset = true,
            "txbxContent" => {
                let is_off = self.frames.last().is_some_and(|frame| frame.is_unseen(self.page));
                self.off_page += usize::from(is_off || self.off_page > 0);
            }
            "commentReference" => self.comments += 1,
            "footnoteReference" => self.refer("footnote", element),
            "endnoteReference" => self.refer("endnote", element),
            _ if self.properties.is_some() => self.take_property(element),
            _ => self.take(element),
        }
    }

    /// What is behind a paragraph that begins here.
    fn ground(&self) -> Ground {
        self.grounds.last().copied().unwrap_or(Ground::Is(WHITE))
    }

    fn begin_paragraph(&mut self) {
        let (look, style_ground) = self.styles.paragraph(None);
        let off_page = (self.off_page > 0).then_some(Unseen::OffPage);
        self.open.push(Open {
            text: String::new(),
            style: String::new(),
            outline: None,
            number: None,
            number_level: None,
            in_run: false,
            in_text: false,
            look,
            run_style: Look::default(),
            run: Look::default(),
            style_ground,
            ground: None,
            behind: self.ground(),
            unseen: off_page.or_else(|| self.rows.last()?.unseen),
        });
    }

    /// Takes a property of a table, a row or a cell.
    fn take_property(&mut self, element: &Element<'_>) {
        match element.name {
            "hidden" if element.is_on() => self.hide_row(Unseen::Row),
            "trHeight" => {
                let is_exact = element.attribute("hRule").as_deref() == Some("exact");
                let height = element.attribute("val").and_then(|height| height.parse::<f64>().ok());
                if is_exact && height.is_some_and(|height| height < ROW_HEIGHT_MIN) {
                    self.hide_row(Unseen::Row);
                }
            }
            "shd" | "tblStyle" => {
                let ground = if element.name == "shd" {
                    self.theme.ground(element)
                } else {
                    // Which cells a style colours is not worked out.
                    let style = element.attribute("val").unwrap_or_default();
                    let colours = self.styles.colours_cells(&style);
                    if colours { Ground::Unknown } else { Ground::Clear }
                };
                if let Some(behind) = self.grounds.last_mut() {
                    *behind = ground.or(*behind);
                }
            }
            _ => {}
        }
    }

    /// Takes a property or a piece of a paragraph.
    fn take(&mut self, element: &Element<'_>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.take(element);
        }
        let Some(open) = self.open.last_mut() else { return };
        let value = || element.attribute("val");
        match element.name {
            "r" => {
                open.in_run = true;
                (open.run_style, open.run) = (Look::default(), Look::default());
                self.runs += 1;
            }
            "t" => open.in_text = open.in_run,
            "tab" | "ptab" if open.in_run => self.add("\t"),
            "br" | "cr" if open.in_run => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "rStyle" if open.in_run => {
                open.run_style = self.styles.look(&value().unwrap_or_default());
            }
            _ if open.in_run => open.run.take(element, self.theme),
            "shd" => open.ground = Some(self.theme.ground(element)),
            "framePr" => {
                let is_off = Frame::of_paragraph(element).is_unseen(self.page);
                open.unseen = open.unseen.or(is_off.then_some(Unseen::OffPage));
            }
            "pStyle" => {
                open.style = value().unwrap_or_default();
                (open.look, open.style_ground) = self.styles.paragraph(Some(&open.style));
            }
            "outlineLvl" => open.outline = value(),
            "numId" => open.number = value(),
            "ilvl" => open.number_level = value().and_then(|level| level.parse().ok()),
            _ => {}
        }
    }

    /// Adds text to the paragraph that is open, or to what is hidden.
    fn add(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else { return };
        match open.unseen() {
            Some(why) => self.hidden.add(why, self.runs, text),
            None => open.text.push_str(text),
        }
    }

    fn refer(&mut self, kind: &str, element: &Element<'_>) {
        let key = (kind.to_owned(), element.attribute("id").unwrap_or_default());
        let next = self.notes.len() + 1;
        let number = *self.notes.entry(key).or_insert(next);
        self.add(&format!("[{number}]"));
    }

    fn close(&mut self, name: &str) -> Result<()> {
        match name {
            "tbl" | "tc" => {
                self.grounds.pop();
            }
            "tblPr" | "tblPrEx" | "trPr" | "tcPr" => self.properties = None,
            "anchor" | "shape" | "rect" | "roundrect" | "oval" => {
                self.frames.pop();
            }
            "posOffset" => self.in_offset = false,
            "txbxContent" => self.off_page = self.off_page.saturating_sub(1),
            "p" => {
                if let Some(open) = self.open.pop() {
                    self.paragraph(&open)?;
                }
            }
            "tr" => {
                let cells = self.rows.pop().unwrap_or_default().cells;
                let shown: Vec<&str> = cells.iter().map(|cell| cell.trim()).collect();
                let shown: Vec<&str> = shown.into_iter().filter(|cell| !cell.is_empty()).collect();
                self.emit(&shown.join(BETWEEN_CELLS), None)?;
            }
            "r" | "t" => {
                if let Some(open) = self.open.last_mut() {
                    open.in_text = false;
                    open.in_run &= name == "t";
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn paragraph(&mut self, open: &Open) -> Result<()> {
        if open.text.trim().is_empty() {
            return Ok(());
        }
        let styled = self.styles.number(&open.style);
        let list = open.number.clone().or_else(|| Some(styled.as_ref()?.0.clone()));
        let level = open.number_level.or_else(|| Some(styled.as_ref()?.1)).unwrap_or(0);
        // List 0 means: no list, whatever the style says.
        let label = match list.filter(|list| list != "0") {
            Some(list) => self.numbering.next(&list, level),
            None => String::new(),
        };
        let heading = match &open.outline {
            Some(level) => heading_of_outline(level),
            None => self.styles.heading(&open.style),
        };
        self.emit(&format!("{label}{}", open.text.trim()), heading)
    }

    /// Adds a paragraph to the cell that is open, or else to the text.
    fn emit(&mut self, text: &str, heading: Option<u8>) -> Result<()> {
        match self.rows.last_mut().and_then(|row| row.cells.last_mut()) {
            Some(cell) => {
                if !cell.is_empty() {
                    cell.push('\n');
                }
                cell.push_str(text);
                Ok(())
            }
            None => self.blocks.push(text, heading),
        }
    }
}

impl Open {
    /// Why text that is added now is not seen.
    fn unseen(&self) -> Option<Unseen> {
        let look = self.run.or(self.run_style).or(self.look);
        let ground = self.ground.unwrap_or(self.style_ground).or(self.behind);
        self.unseen.or_else(|| look.unseen(ground))
    }
}
