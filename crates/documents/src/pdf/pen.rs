//! Draws page after page: finds the fonts and drawings that the instructions name.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId};

use super::drawing::{Drawing, MarkedPart, Piece, State, numbers};
use super::fonts::{Font, follow, number};
use super::layers::Layers;
use super::matrix::Matrix;
use super::surface::{Clip, LOOKS_MAX};
use super::visible::{Rectangle, Unseen, unseen};
use super::{explain, too_slow};
use crate::error::{DocumentError, Result};
use crate::limits::Limits;

/// How many steps one file may take to draw, over all its pages.
const STEPS_MAX: usize = 50_000_000;
/// How often the clock is looked at, in steps.
const STEPS_FOR_A_LOOK: usize = 4096;
/// How deep the tree of pages may be.
const TREE_DEEP_MAX: usize = 64;
/// How deep drawings may lie in one another.
const FORMS_DEEP_MAX: usize = 12;

/// Pictures that are this part of their page together are what was scanned.
const SCAN_FROM: f64 = 0.5;

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
    layers: Layers,
    /// Text that nobody can see, by why.
    pub(super) unseen: BTreeMap<Unseen, HiddenText>,
}

/// Text that is left out because nobody can see it.
#[derive(Debug, Default)]
pub(super) struct HiddenText {
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
        let (layers, unseen) = (Layers::read(document), BTreeMap::new());
        Self {
            document,
            fonts,
            page_bytes_max,
            steps: 0,
            text_bytes: 0,
            started,
            limits,
            layers,
            unseen,
        }
    }

    /// Every piece of text on a page, in the order in which it is drawn.
    pub(super) fn page(&mut self, page: ObjectId) -> Result<Vec<Piece>> {
        let content = self.document.get_page_content_with_limit(page, self.page_bytes_max);
        let content = content.map_err(|error| explain(&error))?;
        let mut drawing = Drawing::new();
        let sheet = Sheet { resources: self.resources(page), depth: 0 };
        self.draw(&content, &sheet, &mut drawing)?;
        self.text_bytes += drawing.text_bytes;
        let page = self.page_box(page);
        self.seen(drawing, page)
    }

    /// The pieces that a person can see; the others are counted. Where all text lies without
    /// ink over pictures as large as the page, it is what was recognised in a scan, and is read.
    fn seen(&mut self, drawing: Drawing, page: Option<Rectangle>) -> Result<Vec<Piece>> {
        let Drawing { pieces, surface, .. } = drawing;
        let mut strips = surface.strips();
        let mut reasons: Vec<Option<Unseen>> = Vec::with_capacity(pieces.len());
        for numbered in pieces.iter().enumerate() {
            reasons.push(unseen(numbered, &mut strips, page));
            if strips.looks > LOOKS_MAX {
                let reason = "a page has too much text under too many fields".to_owned();
                return Err(DocumentError::TooLarge(reason));
            }
        }
        let has_text = |piece: &Piece| !piece.text.trim().is_empty();
        let least = page.map_or(f64::MIN_POSITIVE, |page| SCAN_FROM * page.area());
        let is_recognised = surface.picture_area >= least
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
        Ok(seen)
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

    fn draw(&mut self, content: &[u8], sheet: &Sheet<'d>, drawing: &mut Drawing) -> Result<()> {
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
                "gs" => self.take_settings(&operation, sheet, drawing),
                "cs" | "CS" => self.take_colour_space(&operation, sheet, drawing),
                "BMC" | "BDC" => self.begin_marked(&operation, sheet, drawing),
                "BI" => drawing.show_picture(is_whole(&operation)),
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
    fn take_settings(&self, operation: &Operation, sheet: &Sheet<'d>, drawing: &mut Drawing) {
        let name = operation.operands.first().and_then(|name| name.as_name().ok());
        let settings = name.and_then(|name| self.find(sheet, b"ExtGState", name)?.as_dict().ok());
        let Some(settings) = settings else { return };
        let value = |key: &[u8]| settings.get_deref(key, self.document).ok();
        let ink = &mut drawing.state.ink;
        if let Some(alpha) = value(b"ca").and_then(number) {
            ink.alpha = alpha;
        }
        if let Some(alpha) = value(b"CA").and_then(number) {
            ink.outline_alpha = alpha;
        }
        if let Some(mode) = value(b"BM") {
            ink.is_opaque = matches!(mode.as_name(), Ok(b"Normal" | b"Compatible"));
        }
        if let Some(mask) = value(b"SMask") {
            ink.is_opaque &= mask.as_name().is_ok();
        }
    }

    /// Whether the numbers of colours say what they look like: not so those of inks with names.
    fn take_colour_space(&self, operation: &Operation, sheet: &Sheet<'d>, drawing: &mut Drawing) {
        let Some(Ok(name)) = operation.operands.first().map(Object::as_name) else { return };
        let space = self.find(sheet, b"ColorSpace", name);
        let kind = match space {
            Some(Object::Array(parts)) => parts.first().and_then(|kind| kind.as_name().ok()),
            Some(other) => other.as_name().ok(),
            None => Some(name),
        };
        let plain: [&[u8]; 6] =
            [b"DeviceGray", b"DeviceRGB", b"DeviceCMYK", b"CalGray", b"CalRGB", b"ICCBased"];
        let is_plain = kind.is_some_and(|kind| plain.contains(&kind));
        drawing.take_colour_space(is_plain, operation.operator == "CS");
    }

    fn begin_marked(&mut self, operation: &Operation, sheet: &Sheet<'d>, drawing: &mut Drawing) {
        let name = |index: usize| operation.operands.get(index)?.as_name().ok();
        let is_off = name(0) == Some(b"OC")
            && name(1)
                .and_then(|name| self.find_named(sheet, b"Properties", name))
                .is_some_and(|layer| self.layers.hide(layer, self.document));
        drawing.begin_marked(MarkedPart { is_artifact: name(0) == Some(b"Artifact"), is_off });
    }

    /// A drawing with a name, which may hold text like the page itself.
    fn draw_form(
        &mut self,
        operation: &Operation,
        sheet: &Sheet<'d>,
        drawing: &mut Drawing,
    ) -> Result<()> {
        let name = operation.operands.first().and_then(|name| name.as_name().ok());
        let form = name.and_then(|name| self.find(sheet, b"XObject", name)?.as_stream().ok());
        let Some(form) = form.filter(|_| sheet.depth < FORMS_DEEP_MAX) else { return Ok(()) };
        let kind = form.dict.get(b"Subtype").and_then(Object::as_name).ok();
        let layer = form.dict.get(b"OC").ok();
        let is_off = layer.is_some_and(|layer| self.layers.hide(layer, self.document));
        if kind != Some(b"Form") {
            if kind == Some(b"Image") && !is_off {
                drawing.show_picture(!has_holes(&form.dict));
            }
            return Ok(());
        }
        let content = form.get_plain_content_with_limit(self.page_bytes_max);
        let content = content.map_err(|error| explain(&error))?;
        let own = form.dict.get_deref(b"Resources", self.document).and_then(Object::as_dict).ok();
        let resources = own.into_iter().chain(sheet.resources.iter().copied()).collect();
        let before = (drawing.state.clone(), drawing.kept.len(), drawing.marked_depth());
        let matrix = form.dict.get_deref(b"Matrix", self.document).and_then(Object::as_array);
        if let Some(matrix) = matrix.ok().and_then(|matrix| numbers::<6>(matrix)) {
            drawing.state.page = Matrix(matrix).then(drawing.state.page);
        }
        let limits = form.dict.get_deref(b"BBox", self.document).and_then(Object::as_array);
        if let Some(limits) = limits.ok().and_then(|limits| numbers::<4>(limits)) {
            let State { page, clip, .. } = &mut drawing.state;
            *clip = Some(Clip::of_box(limits, *page).within(*clip));
        }
        drawing.begin_marked(MarkedPart { is_artifact: false, is_off });
        self.draw(&content, &Sheet { resources, depth: sheet.depth + 1 }, drawing)?;
        drawing.state = before.0;
        drawing.kept.truncate(before.1);
        drawing.end_marked_to(before.2);
        Ok(())
    }

    /// Something of this kind and name, in the nearest resources that have it.
    fn find(&self, sheet: &Sheet<'d>, kind: &[u8], name: &[u8]) -> Option<&'d Object> {
        Some(follow(self.find_named(sheet, kind, name)?, self.document))
    }

    /// The same, as it is named: perhaps by its number.
    fn find_named(&self, sheet: &Sheet<'d>, kind: &[u8], name: &[u8]) -> Option<&'d Object> {
        sheet.resources.iter().find_map(|resources| {
            let all = resources.get_deref(kind, self.document).and_then(Object::as_dict).ok()?;
            all.get(name).ok()
        })
    }
}

/// Whether a picture that is part of the instructions covers what lies below.
fn is_whole(operation: &Operation) -> bool {
    let picture = operation.operands.first().and_then(|picture| picture.as_stream().ok());
    picture.is_some_and(|picture| !has_holes(&picture.dict))
}

/// Whether something below a picture may be seen through it.
fn has_holes(picture: &Dictionary) -> bool {
    let is_stencil = |key: &[u8]| picture.get(key).and_then(Object::as_bool).unwrap_or(false);
    picture.has(b"SMask")
        || picture.has(b"Mask")
        || picture.has(b"SMaskInData")
        || is_stencil(b"ImageMask")
        || is_stencil(b"IM")
}
