//! The pen on one page: where it is, and every piece of text that it leaves.

use std::rc::Rc;

use lopdf::Object;
use lopdf::content::Operation;

use super::fonts::{Font, number};
use super::matrix::Matrix;
use super::surface::{Clip, Surface};
use super::visible::{Ink, Rectangle, colour};

/// How many pieces of text a page may have.
const PIECES_MAX: usize = 1_000_000;
/// How long one string of a page may be, in bytes: longer ones were never allowed.
const STRING_BYTES_MAX: usize = 65_535;
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
    /// The rectangle it lies in.
    pub(super) place: Rectangle,
    pub(super) ink: Ink,
    /// The smaller of how high and how wide its letters look, as a size.
    pub(super) legible_size: f64,
    pub(super) clip: Option<Clip>,
    /// Whether it is on a layer that is switched off.
    pub(super) is_off: bool,
}

/// A marked part of the page that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarkedPart {
    pub(super) is_artifact: bool,
    /// Whether it belongs to a layer that is switched off.
    pub(super) is_off: bool,
}

/// What `q` keeps and `Q` brings back.
#[derive(Clone)]
pub(super) struct State {
    pub(super) page: Matrix,
    pub(super) font: Option<Rc<Font>>,
    pub(super) size: f64,
    character_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    pub(super) ink: Ink,
    pub(super) clip: Option<Clip>,
}

/// The pen on one page.
pub(super) struct Drawing {
    pub(super) pieces: Vec<Piece>,
    pub(super) state: State,
    pub(super) kept: Vec<State>,
    text: Matrix,
    line: Matrix,
    /// How much text all pieces have together, in bytes.
    pub(super) text_bytes: usize,
    /// The marked parts that are open.
    marked: Vec<MarkedPart>,
    /// How many of them are artifacts, and how many are switched off.
    artifacts: usize,
    off: usize,
    pub(super) surface: Surface,
}

impl Drawing {
    pub(super) fn new() -> Self {
        let state = State {
            page: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            character_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            ink: Ink::PLAIN,
            clip: None,
        };
        let (text, line) = (Matrix::IDENTITY, Matrix::IDENTITY);
        Self {
            pieces: Vec::new(),
            state,
            kept: Vec::new(),
            text,
            line,
            text_bytes: 0,
            marked: Vec::new(),
            artifacts: 0,
            off: 0,
            surface: Surface::default(),
        }
    }

    /// Whether there are more pieces than any page has.
    pub(super) fn is_overfull(&self) -> bool {
        self.pieces.len() >= PIECES_MAX
    }

    pub(super) fn step(&mut self, operation: &Operation) {
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
            "EMC" => self.end_marked(),
            operator => {
                self.paint(operator, operands);
                self.set(operator, operands);
            }
        }
    }

    pub(super) fn begin_marked(&mut self, marked: MarkedPart) {
        self.artifacts += usize::from(marked.is_artifact);
        self.off += usize::from(marked.is_off);
        self.marked.push(marked);
    }

    fn end_marked(&mut self) {
        if let Some(marked) = self.marked.pop() {
            self.artifacts -= usize::from(marked.is_artifact);
            self.off -= usize::from(marked.is_off);
        }
    }

    /// How many marked parts are open.
    pub(super) fn marked_depth(&self) -> usize {
        self.marked.len()
    }

    /// Ends the marked parts that a drawing with a name left open.
    pub(super) fn end_marked_to(&mut self, depth: usize) {
        while self.marked.len() > depth {
            self.end_marked();
        }
    }

    /// Whether what is drawn now is on a layer that is switched off.
    pub(super) fn is_off(&self) -> bool {
        self.off > 0
    }

    /// Colours, and paths that are filled with them or that the pen may not leave.
    fn paint(&mut self, operator: &str, operands: &[Object]) {
        let ink = &mut self.state.ink;
        match operator {
            "g" | "rg" | "k" | "G" | "RG" | "K" => {
                let is_outline = operator.starts_with(char::is_uppercase);
                ink.is_plain[usize::from(is_outline)] = true;
                self.take_colour(operands, is_outline);
            }
            "sc" | "scn" => self.take_colour(operands, false),
            "SC" | "SCN" => self.take_colour(operands, true),
            "f" | "F" | "f*" | "B" | "B*" | "b" | "b*" => self.end_path(true),
            "n" | "S" | "s" => self.end_path(false),
            "m" | "l" | "c" | "v" | "y" | "h" | "re" | "W" | "W*" => {
                let numbers: Vec<f64> = operands.iter().filter_map(number).collect();
                self.surface.draw(operator, &numbers, self.state.page);
            }
            _ => {}
        }
    }

    fn take_colour(&mut self, operands: &[Object], is_outline: bool) {
        let numbers: Vec<f64> = operands.iter().filter_map(number).collect();
        let ink = &mut self.state.ink;
        // A pattern has a name beside its numbers, and no colour that is known.
        let is_plain = ink.is_plain[usize::from(is_outline)] && numbers.len() == operands.len();
        let colour = colour(&numbers).filter(|_| is_plain);
        *(if is_outline { &mut ink.outline } else { &mut ink.colour }) = colour;
    }

    /// From now on, the numbers of a colour are of another space.
    pub(super) fn take_colour_space(&mut self, is_plain: bool, is_outline: bool) {
        let ink = &mut self.state.ink;
        ink.is_plain[usize::from(is_outline)] = is_plain;
        let colour = Ink::PLAIN.colour.filter(|_| is_plain);
        *(if is_outline { &mut ink.outline } else { &mut ink.colour }) = colour;
    }

    fn end_path(&mut self, fills: bool) {
        let fill = Some(self.state.ink).filter(|_| fills && !self.is_off());
        let pieces = self.pieces.len();
        self.state.clip = self.surface.end_path(fill, self.state.clip, pieces);
    }

    /// A picture, where the pen is.
    pub(super) fn show_picture(&mut self, is_whole: bool) {
        if !self.is_off() {
            let State { page, clip, ink, .. } = &self.state;
            let (page, clip) = (*page, *clip);
            let covers = is_whole && ink.is_solid();
            self.surface.picture(page, clip, covers, self.pieces.len());
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
            "Tr" => self.state.ink.mode = whole(value),
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
        let Some(font) = self.state.font.clone().filter(|_| !self.is_overfull()) else { return };
        let bytes = &bytes[..bytes.len().min(STRING_BYTES_MAX)];
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
        let (is_artifact, is_off) = (self.artifacts > 0, self.is_off());
        let legible_size = (size * state.stretch.abs()).min(state.size.abs() * from.height());
        let (ink, clip) = (state.ink, state.clip);
        let place = Rectangle::around((0.0, 0.0), (width, state.size), from);
        self.advance(width);
        let end = start + width * scale;
        if !text.is_empty() && [start, end, height, size].iter().all(|place| place.is_finite()) {
            self.text_bytes += text.len();
            self.pieces.push(Piece {
                text,
                start,
                end,
                height,
                size,
                direction,
                is_artifact,
                place,
                ink,
                legible_size,
                clip,
                is_off,
            });
        }
    }

    fn advance(&mut self, width: f64) {
        self.text = Matrix::moved(width, 0.0).then(self.text);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a cast ends at the ends of its range")]
fn whole(value: f64) -> i64 {
    value as i64
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

pub(super) fn numbers<const N: usize>(objects: &[Object]) -> Option<[f64; N]> {
    let all: Vec<f64> = objects.iter().filter_map(number).collect();
    all.try_into().ok()
}
