//! Walks the text of a Word document: paragraphs, rows of tables, notes.

use std::collections::BTreeMap;

use super::numbering::Numbering;
use super::styles::{Styles, heading_of_outline};
use super::{KIND, damaged};
use crate::blocks::{Blocks, Parts};
use crate::error::DocumentError;
use crate::limits::Limits;
use crate::xml::{Element, Step, walk};

/// Elements whose content is not part of the text as it stands: what was deleted or
/// moved away, and the copy of a drawing for older programs.
const SKIPPED: [&str; 3] = ["del", "moveFrom", "Fallback"];

/// What stands between two cells of a row.
const BETWEEN_CELLS: &str = " | ";

/// How much of what is hidden is kept to be shown, in bytes.
const SAMPLE_BYTES: usize = 200;

/// Letters smaller than this are not read by people.
const SIZE_MIN_HALF_POINTS: f64 = 6.0;

/// The text as it is walked.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    numbering: Numbering,
    blocks: Blocks,
    /// Paragraphs that are open: one in another where a text box hangs on a paragraph.
    open: Vec<Open>,
    /// Rows of tables that are open, as the cells so far; tables can lie in tables.
    rows: Vec<Vec<String>>,
    /// For each table that is open, whether its cells may have a colour behind them.
    shaded: Vec<bool>,
    skipping: usize,
    /// The number that each note was given, by its kind and identifier.
    notes: BTreeMap<(String, String), usize>,
    deletions: usize,
    hidden: usize,
    /// How the hidden text begins.
    sample: String,
    comments: usize,
}

/// A paragraph that is open.
#[derive(Default)]
struct Open {
    text: String,
    style: String,
    /// What the paragraph itself says about its level in the outline.
    outline: Option<String>,
    number: Option<String>,
    number_level: Option<usize>,
    in_run: bool,
    in_text: bool,
    /// How all runs of the paragraph look, and how the one that is open does.
    all: Look,
    run: Look,
    /// Text of this paragraph that nobody can see.
    hidden: String,
    /// How much of it there was before the run that is open.
    hidden_before: usize,
}

/// What decides whether letters are seen.
#[derive(Default, Clone, Copy)]
struct Look {
    is_hidden: bool,
    is_white: bool,
    /// Whether there is a colour behind them.
    is_shaded: bool,
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
    pub(super) fn new(styles: &'a Styles, numbering: Numbering, limits: &Limits) -> Self {
        Self {
            styles,
            numbering,
            blocks: Blocks::new(limits),
            open: Vec::new(),
            rows: Vec::new(),
            shaded: Vec::new(),
            skipping: 0,
            notes: BTreeMap::new(),
            deletions: 0,
            hidden: 0,
            sample: String::new(),
            comments: 0,
        }
    }

    /// Reads the main part.
    pub(super) fn read(&mut self, xml: &[u8]) -> Result<(), DocumentError> {
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
    pub(super) fn read_notes(&mut self, xml: &[u8], kind: &str) -> Result<(), DocumentError> {
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
        parts.left_out("deletions that are tracked as changes", self.deletions);
        parts.hidden("set as hidden, in white or under 3 points", self.hidden, &self.sample);
        parts.left_out("comments", self.comments);
        parts
    }

    fn step(&mut self, step: Step<'_>) -> Result<(), DocumentError> {
        match step {
            Step::Open(element) if SKIPPED.contains(&element.name) => {
                self.deletions += usize::from(element.name == "del" && self.skipping == 0);
                self.skipping += 1;
            }
            Step::Close(name) if SKIPPED.contains(&name) => {
                self.skipping = self.skipping.saturating_sub(1);
            }
            _ if self.skipping > 0 => {}
            Step::Open(element) => self.open(&element),
            Step::Close(name) => self.close(name)?,
            Step::Text(text) => {
                if let Some(open) = self.open.last_mut().filter(|open| open.in_text) {
                    open.add(text);
                }
            }
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) {
        match element.name {
            "p" => {
                let is_shaded = self.shaded.contains(&true);
                let all = Look { is_shaded, ..Look::default() };
                self.open.push(Open { all, ..Open::default() });
            }
            "tbl" => self.shaded.push(false),
            // What a style of tables colours is not looked up: then white may be on a colour.
            "tblStyle" | "shd" if self.open.is_empty() => {
                if let Some(shaded) = self.shaded.last_mut() {
                    *shaded |= element.name == "tblStyle" || is_coloured(element);
                }
            }
            "pStyle" | "rStyle" if self.is_hidden_by_style(element) => {
                if let Some(open) = self.open.last_mut() {
                    open.take(element);
                    open.run.is_hidden = true;
                    open.all.is_hidden |= element.name == "pStyle";
                }
            }
            "tr" => self.rows.push(Vec::new()),
            "tc" => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            "commentReference" => self.comments += 1,
            "footnoteReference" => self.refer("footnote", element),
            "endnoteReference" => self.refer("endnote", element),
            _ => {
                if let Some(open) = self.open.last_mut() {
                    open.take(element);
                }
            }
        }
    }

    fn is_hidden_by_style(&self, element: &Element<'_>) -> bool {
        element.attribute("val").is_some_and(|style| self.styles.is_hidden(&style))
    }

    fn refer(&mut self, kind: &str, element: &Element<'_>) {
        let key = (kind.to_owned(), element.attribute("id").unwrap_or_default());
        let next = self.notes.len() + 1;
        let number = *self.notes.entry(key).or_insert(next);
        if let Some(open) = self.open.last_mut() {
            open.add(&format!("[{number}]"));
        }
    }

    fn close(&mut self, name: &str) -> Result<(), DocumentError> {
        match name {
            "tbl" => {
                self.shaded.pop();
                Ok(())
            }
            "p" => match self.open.pop() {
                Some(open) => self.paragraph(&open),
                None => Ok(()),
            },
            "tr" => {
                let cells = self.rows.pop().unwrap_or_default();
                let shown: Vec<&str> = cells.iter().map(|cell| cell.trim()).collect();
                let shown: Vec<&str> = shown.into_iter().filter(|cell| !cell.is_empty()).collect();
                self.emit(&shown.join(BETWEEN_CELLS), None)
            }
            "r" | "t" => {
                if let Some(open) = self.open.last_mut() {
                    open.in_text = false;
                    open.in_run &= name == "t";
                    let is_hidden = open.hidden.len() > open.hidden_before;
                    self.hidden += usize::from(name == "r" && is_hidden);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn paragraph(&mut self, open: &Open) -> Result<(), DocumentError> {
        if self.sample.len() < SAMPLE_BYTES {
            self.sample.push_str(&open.hidden);
            self.sample.push(' ');
        }
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
    fn emit(&mut self, text: &str, heading: Option<u8>) -> Result<(), DocumentError> {
        match self.rows.last_mut().and_then(|row| row.last_mut()) {
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
    /// Takes a property or a piece of the text.
    fn take(&mut self, element: &Element<'_>) {
        match element.name {
            "r" => {
                (self.in_run, self.run) = (true, self.all);
                self.hidden_before = self.hidden.len();
            }
            "t" => self.in_text = self.in_run,
            "tab" | "ptab" if self.in_run => self.add("\t"),
            "br" | "cr" if self.in_run => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "shd" if self.in_run => self.run.is_shaded |= is_coloured(element),
            "shd" => self.all.is_shaded |= is_coloured(element),
            "vanish" | "specVanish" | "webHidden" if self.in_run => {
                self.run.is_hidden |= element.is_on();
            }
            "color" if self.in_run => {
                self.run.is_white =
                    element.attribute("val").is_some_and(|val| is_nearly_white(&val));
            }
            "sz" if self.in_run => {
                let size = element.attribute("val").and_then(|val| val.parse::<f64>().ok());
                self.run.is_hidden |= size.is_some_and(|size| size < SIZE_MIN_HALF_POINTS);
            }
            "pStyle" => self.style = element.attribute("val").unwrap_or_default(),
            "outlineLvl" => self.outline = element.attribute("val"),
            "numId" => self.number = element.attribute("val"),
            "ilvl" => self.number_level = element.attribute("val").and_then(|v| v.parse().ok()),
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        let Look { is_hidden, is_white, is_shaded } = self.run;
        if self.in_run && (is_hidden || (is_white && !is_shaded)) {
            self.hidden.push_str(text);
        } else {
            self.text.push_str(text);
        }
    }
}

/// Whether a field has a colour that white letters can be seen on.
fn is_coloured(shading: &Element<'_>) -> bool {
    let fill = shading.attribute("fill").unwrap_or_default();
    !["", "auto"].contains(&fill.as_str()) && !is_nearly_white(&fill)
}

fn is_nearly_white(colour: &str) -> bool {
    let part = |at: usize| u8::from_str_radix(colour.get(at..at + 2)?, 16).ok();
    colour.len() == 6 && [0, 2, 4].iter().all(|at| part(*at).is_some_and(|part| part > 0xe6))
}
