//! Follows the pen over a page, and notes every piece of text with its place.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId};

use super::fonts::{Font, follow, number};
use super::matrix::Matrix;
use super::{explain, too_slow};
use crate::error::DocumentError;
use crate::limits::Limits;

/// How many steps one file may take to draw, over all its pages.
const STEPS_MAX: usize = 50_000_000;
/// How often the clock is looked at, in steps.
const STEPS_FOR_A_LOOK: usize = 4096;
/// How deep drawings may lie in one another.
const FORMS_DEEP_MAX: usize = 12;
/// How many states may be kept for later.
const STATES_MAX: usize = 512;

/// A piece of text that was drawn in one go.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Where it begins and ends along its direction.
    pub(super) start: f64,
    pub(super) end: f64,
    /// How high its line is, across its direction; lines go downwards.
    pub(super) height: f64,
    /// The size of its letters on the page.
    pub(super) size: f64,
    pub(super) direction: (f64, f64),
    /// Whether it belongs to the page and not to the text: running heads, page numbers.
    pub(super) is_artifact: bool,
}

/// Draws page after page; fonts are read once.
pub(super) struct Pen<'d> {
    document: &'d Document,
    fonts: BTreeMap<*const Dictionary, Rc<Font>>,
    page_bytes_max: usize,
    steps: usize,
    started: Instant,
    limits: &'d Limits,
}

/// What a page or a drawing on it has to work with.
struct Sheet<'d> {
    resources: Vec<&'d Dictionary>,
    depth: usize,
}

/// What `q` keeps and `Q` brings back.
#[derive(Clone)]
struct State {
    page: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    character_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
}

/// The pen on one page.
struct Drawing {
    pieces: Vec<Piece>,
    state: State,
    kept: Vec<State>,
    text: Matrix,
    line: Matrix,
    /// For each marked part that is open, whether it is an artifact.
    marked: Vec<bool>,
}

impl<'d> Pen<'d> {
    pub(super) fn new(document: &'d Document, limits: &'d Limits, page_bytes_max: usize) -> Self {
        let (fonts, started) = (BTreeMap::new(), Instant::now());
        Self { document, fonts, page_bytes_max, steps: 0, started, limits }
    }

    /// Every piece of text on a page, in the order in which it is drawn.
    pub(super) fn page(&mut self, page: ObjectId) -> Result<Vec<Piece>, DocumentError> {
        let content = self.document.get_page_content_with_limit(page, self.page_bytes_max);
        let content = content.map_err(|error| explain(&error))?;
        let mut drawing = Drawing::new();
        let sheet = Sheet { resources: self.resources(page), depth: 0 };
        self.draw(&content, &sheet, &mut drawing)?;
        Ok(drawing.pieces)
    }

    fn resources(&self, page: ObjectId) -> Vec<&'d Dictionary> {
        let Ok((own, inherited)) = self.document.get_page_resources(page) else {
            return Vec::new();
        };
        let inherited =
            inherited.into_iter().filter_map(|id| self.document.get_dictionary(id).ok());
        own.into_iter().chain(inherited).collect()
    }

    fn draw(
        &mut self,
        content: &[u8],
        sheet: &Sheet<'d>,
        drawing: &mut Drawing,
    ) -> Result<(), DocumentError> {
        // What cannot be understood ends the page, as it does in viewers.
        for operation in Content::decode_iter(content).map_while(Result::ok) {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS_FOR_A_LOOK)
                && self.started.elapsed() > self.limits.time_max
            {
                return Err(too_slow(self.limits));
            }
            if self.steps > STEPS_MAX {
                let reason = format!("drawing it takes more than {STEPS_MAX} steps");
                return Err(DocumentError::TooLarge(reason));
            }
            match operation.operator.as_str() {
                "Tf" => self.take_font(&operation, sheet, drawing),
                "Do" => self.draw_form(&operation, sheet, drawing)?,
                _ => drawing.step(&operation),
            }
        }
        Ok(())
    }

    fn take_font(&mut self, operation: &Operation, sheet: &Sheet<'d>, drawing: &mut Drawing) {
        let [name, size] = operation.operands.as_slice() else { return };
        drawing.state.size = number(size).unwrap_or(0.0);
        let font = name.as_name().ok().and_then(|name| self.find(sheet, b"Font", name));
        drawing.state.font = font.and_then(|font| font.as_dict().ok()).map(|font| {
            let read = || Rc::new(Font::read(font, self.document));
            Rc::clone(self.fonts.entry(std::ptr::from_ref(font)).or_insert_with(read))
        });
    }

    /// A drawing with a name, which may hold text like the page itself.
    fn draw_form(
        &mut self,
        operation: &Operation,
        sheet: &Sheet<'d>,
        drawing: &mut Drawing,
    ) -> Result<(), DocumentError> {
        let name = operation.operands.first().and_then(|name| name.as_name().ok());
        let form = name.and_then(|name| self.find(sheet, b"XObject", name)?.as_stream().ok());
        let Some(form) = form.filter(|_| sheet.depth < FORMS_DEEP_MAX) else { return Ok(()) };
        if form.dict.get(b"Subtype").and_then(Object::as_name).ok() != Some(b"Form") {
            return Ok(());
        }
        let content = form.get_plain_content_with_limit(self.page_bytes_max);
        let content = content.map_err(|error| explain(&error))?;
        let own = form.dict.get_deref(b"Resources", self.document).and_then(Object::as_dict).ok();
        let resources = own.into_iter().chain(sheet.resources.iter().copied()).collect();
        let before = (drawing.state.clone(), drawing.kept.len(), drawing.marked.len());
        let matrix = form.dict.get_deref(b"Matrix", self.document).and_then(Object::as_array);
        if let Some(matrix) = matrix.ok().and_then(|matrix| numbers::<6>(matrix)) {
            drawing.state.page = Matrix(matrix).then(drawing.state.page);
        }
        self.draw(&content, &Sheet { resources, depth: sheet.depth + 1 }, drawing)?;
        drawing.state = before.0;
        drawing.kept.truncate(before.1);
        drawing.marked.truncate(before.2);
        Ok(())
    }

    /// Something of this kind and name, in the nearest resources that have it.
    fn find(&self, sheet: &Sheet<'d>, kind: &[u8], name: &[u8]) -> Option<&'d Object> {
        sheet.resources.iter().find_map(|resources| {
            let all = resources.get_deref(kind, self.document).and_then(Object::as_dict).ok()?;
            Some(follow(all.get(name).ok()?, self.document))
        })
    }
}

impl Drawing {
    fn new() -> Self {
        let state = State {
            page: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            character_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        let (text, line) = (Matrix::IDENTITY, Matrix::IDENTITY);
        Self { pieces: Vec::new(), state, kept: Vec::new(), text, line, marked: Vec::new() }
    }

    fn step(&mut self, operation: &Operation) {
        let operands = operation.operands.as_slice();
        match operation.operator.as_str() {
            "q" if self.kept.len() < STATES_MAX => self.kept.push(self.state.clone()),
            "Q" => self.state = self.kept.pop().unwrap_or_else(|| self.state.clone()),
            "cm" => {
                if let Some(matrix) = numbers(operands) {
                    self.state.page = Matrix(matrix).then(self.state.page);
                }
            }
            "BT" => self.begin_line(Matrix::IDENTITY),
            "Tm" => {
                if let Some(matrix) = numbers(operands) {
                    self.begin_line(Matrix(matrix));
                }
            }
            "Td" | "TD" => {
                if let Some([x, y]) = numbers(operands) {
                    if operation.operator == "TD" {
                        self.state.leading = -y;
                    }
                    self.begin_line(Matrix::moved(x, y).then(self.line));
                }
            }
            "T*" => self.next_line(),
            "Tj" => self.show_all(operands),
            "TJ" => {
                if let [Object::Array(parts)] = operands {
                    self.show_all(parts);
                }
            }
            "'" => {
                self.next_line();
                self.show_all(operands);
            }
            "\"" => {
                if let [word_space, character_space, text] = operands {
                    self.state.word_space = number(word_space).unwrap_or(0.0);
                    self.state.character_space = number(character_space).unwrap_or(0.0);
                    self.next_line();
                    self.show_all(std::slice::from_ref(text));
                }
            }
            "BMC" | "BDC" => {
                let tag = operands.first().and_then(|tag| tag.as_name().ok());
                self.marked.push(tag == Some(b"Artifact"));
            }
            "EMC" => drop(self.marked.pop()),
            operator => self.set(operator, operands),
        }
    }

    /// The settings that are one number.
    fn set(&mut self, operator: &str, operands: &[Object]) {
        let Some(value) = operands.first().and_then(number) else { return };
        match operator {
            "Tc" => self.state.character_space = value,
            "Tw" => self.state.word_space = value,
            "Tz" => self.state.stretch = value / 100.0,
            "TL" => self.state.leading = value,
            "Ts" => self.state.rise = value,
            _ => {}
        }
    }

    fn begin_line(&mut self, line: Matrix) {
        (self.line, self.text) = (line, line);
    }

    fn next_line(&mut self) {
        self.begin_line(Matrix::moved(0.0, -self.state.leading).then(self.line));
    }

    /// Shows texts, with moves between them in thousandths of the size.
    fn show_all(&mut self, parts: &[Object]) {
        for part in parts {
            match part {
                Object::String(bytes, _) => self.show(bytes),
                other => {
                    let back = number(other).unwrap_or(0.0) / 1000.0 * self.state.size;
                    self.advance(-back * self.state.stretch);
                }
            }
        }
    }

    fn show(&mut self, bytes: &[u8]) {
        let Some(font) = self.state.font.clone() else { return };
        let state = &self.state;
        let mut text = String::new();
        let mut width = 0.0;
        font.each_glyph(bytes, |glyph| {
            push_plain(glyph.text, &mut text);
            let extra = if glyph.is_space { state.word_space } else { 0.0 };
            width += (glyph.width * state.size + state.character_space + extra) * state.stretch;
        });
        let from = Matrix::moved(0.0, state.rise).then(self.text).then(state.page);
        let (scale, direction) = from.direction();
        let (start, height) = from.origin_along(direction);
        let size = (state.size * scale).abs();
        let is_artifact = self.marked.contains(&true);
        self.advance(width);
        let end = start + width * scale;
        if !text.is_empty() && [start, end, height, size].iter().all(|place| place.is_finite()) {
            self.pieces.push(Piece { text, start, end, height, size, direction, is_artifact });
        }
    }

    fn advance(&mut self, width: f64) {
        self.text = Matrix::moved(width, 0.0).then(self.text);
    }
}

/// Adds a text with the letters of a ligature apart, so that words are found.
fn push_plain(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '\u{fb00}' => into.push_str("ff"),
            // Fonts without a code of their own for a ligature often use these two.
            '\u{fb01}' | '\u{f001}' => into.push_str("fi"),
            '\u{fb02}' | '\u{f002}' => into.push_str("fl"),
            '\u{fb03}' => into.push_str("ffi"),
            '\u{fb04}' => into.push_str("ffl"),
            '\u{a0}' => into.push(' '),
            c if c.is_control() => into.push(' '),
            c => into.push(c),
        }
    }
}

fn numbers<const N: usize>(objects: &[Object]) -> Option<[f64; N]> {
    let all: Vec<f64> = objects.iter().filter_map(number).collect();
    all.try_into().ok()
}
