//! Draws page after page: finds the fonts and drawings that the instructions name.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId};

use super::drawing::{Drawing, Piece, numbers};
use super::fonts::{Font, follow, number};
use super::matrix::Matrix;
use super::visible::{Rectangle, Unseen};
use super::{explain, too_slow};
use crate::error::DocumentError;
use crate::limits::Limits;

/// How many steps one file may take to draw, over all its pages.
const STEPS_MAX: usize = 50_000_000;
/// How often the clock is looked at, in steps.
const STEPS_FOR_A_LOOK: usize = 4096;
/// How deep the tree of pages may be.
const TREE_DEEP_MAX: usize = 64;
/// How deep drawings may lie in one another.
const FORMS_DEEP_MAX: usize = 12;

/// How much of what nobody can see is shown, in bytes.
const SAMPLE_BYTES: usize = 80;

/// Draws page after page; fonts are read once.
pub(super) struct Pen<'d> {
    document: &'d Document,
    fonts: BTreeMap<*const Dictionary, Rc<Font>>,
    page_bytes_max: usize,
    steps: usize,
    /// How much text the pages before had together, in bytes.
    text_bytes: usize,
    started: Instant,
    limits: &'d Limits,
    /// Text that nobody can see, by why.
    pub(super) unseen: BTreeMap<Unseen, Hidden>,
}

/// Text that is left out because nobody can see it.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    pub(super) count: usize,
    /// How it begins.
    pub(super) sample: String,
}

/// What a page or a drawing on it has to work with.
struct Sheet<'d> {
    resources: Vec<&'d Dictionary>,
    depth: usize,
}

impl<'d> Pen<'d> {
    pub(super) fn new(document: &'d Document, limits: &'d Limits, page_bytes_max: usize) -> Self {
        let (fonts, started) = (BTreeMap::new(), Instant::now());
        let unseen = BTreeMap::new();
        Self { document, fonts, page_bytes_max, steps: 0, text_bytes: 0, started, limits, unseen }
    }

    /// Every piece of text on a page, in the order in which it is drawn.
    pub(super) fn page(&mut self, page: ObjectId) -> Result<Vec<Piece>, DocumentError> {
        let content = self.document.get_page_content_with_limit(page, self.page_bytes_max);
        let content = content.map_err(|error| explain(&error))?;
        let mut drawing = Drawing::new();
        let sheet = Sheet { resources: self.resources(page), depth: 0 };
        self.draw(&content, &sheet, &mut drawing)?;
        self.text_bytes += drawing.text_bytes;
        let page = self.page_box(page);
        Ok(self.seen(drawing, page))
    }

    /// The pieces that a person can see; the others are counted. Where all text lies without
    /// ink over a picture, it is what was recognised in a scan, and is read.
    fn seen(&mut self, drawing: Drawing, page: Option<Rectangle>) -> Vec<Piece> {
        let Drawing { pieces, surface, .. } = drawing;
        let why = |(number, piece): (usize, &Piece)| {
            surface.unseen((number, piece.place, piece.size), piece.ink, page)
        };
        let reasons: Vec<Option<Unseen>> = pieces.iter().enumerate().map(why).collect();
        let has_text = |piece: &Piece| !piece.text.trim().is_empty();
        let is_recognised = surface.has_pictures
            && pieces.iter().zip(&reasons).all(|(piece, why)| {
                !has_text(piece) || matches!(why, Some(Unseen::NoInk | Unseen::Covered))
            });
        let mut seen = Vec::with_capacity(pieces.len());
        for (piece, why) in pieces.into_iter().zip(reasons) {
            match why.filter(|_| !is_recognised) {
                None => seen.push(piece),
                Some(_) if !has_text(&piece) => {}
                Some(why) => {
                    let hidden = self.unseen.entry(why).or_default();
                    hidden.count += 1;
                    if hidden.sample.len() < SAMPLE_BYTES {
                        hidden.sample.push_str(&piece.text);
                        hidden.sample.push(' ');
                    }
                }
            }
        }
        seen
    }

    /// The part of the sheet that is shown.
    fn page_box(&self, page: ObjectId) -> Option<Rectangle> {
        let document = self.document;
        let above =
            |node: &&'d Dictionary| node.get_deref(b"Parent", document).ok()?.as_dict().ok();
        let nodes =
            || std::iter::successors(document.get_dictionary(page).ok(), above).take(TREE_DEEP_MAX);
        let found = |name: &'static [u8]| {
            let mut boxes = nodes().filter_map(|node| {
                let array = node.get_deref(name, document).ok()?.as_array().ok()?;
                numbers::<4>(array)
            });
            boxes.next()
        };
        let [x, y, right, top] = found(b"CropBox").or_else(|| found(b"MediaBox"))?;
        let ordered = [x.min(right), y.min(top), x.max(right), y.max(top)];
        ordered.iter().all(|side| side.is_finite()).then_some(Rectangle(ordered))
    }

    /// What a page and those it hangs on give it to work with, the nearest first.
    fn resources(&self, page: ObjectId) -> Vec<&'d Dictionary> {
        let document = self.document;
        let above =
            |node: &&'d Dictionary| node.get_deref(b"Parent", document).ok()?.as_dict().ok();
        std::iter::successors(document.get_dictionary(page).ok(), above)
            .take(TREE_DEEP_MAX)
            .filter_map(|node| node.get_deref(b"Resources", document).ok()?.as_dict().ok())
            .collect()
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
            // Four bytes are the most that a code point takes.
            let text_bytes = (self.text_bytes + drawing.text_bytes) / 4;
            if drawing.is_overfull() || text_bytes > self.limits.code_points_max {
                let reason = format!("more text than {} characters", self.limits.code_points_max);
                return Err(DocumentError::TooLarge(reason));
            }
            match operation.operator.as_str() {
                "Tf" => self.take_font(&operation, sheet, drawing),
                "Do" => self.draw_form(&operation, sheet, drawing)?,
                "gs" => self.take_alpha(&operation, sheet, drawing),
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

    /// How much the ink covers, from a named set of settings.
    fn take_alpha(&self, operation: &Operation, sheet: &Sheet<'d>, drawing: &mut Drawing) {
        let name = operation.operands.first().and_then(|name| name.as_name().ok());
        let settings = name.and_then(|name| self.find(sheet, b"ExtGState", name)?.as_dict().ok());
        let alpha = settings.and_then(|settings| number(settings.get(b"ca").ok()?));
        if let Some(alpha) = alpha {
            drawing.state.ink.alpha = alpha;
        }
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
        let kind = form.dict.get(b"Subtype").and_then(Object::as_name).ok();
        if kind != Some(b"Form") {
            drawing.surface.has_pictures |= kind == Some(b"Image");
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
