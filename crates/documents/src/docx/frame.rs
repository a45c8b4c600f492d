//! Frames and text boxes, and whether they are on the page.

use crate::xml::{Element, Step, XmlProblem, walk};

/// How far a frame may be from what it hangs on and still be on the page, in twentieths of a
/// point: margins are not looked at.
const MARGIN: f64 = 2880.0;

const EMU_IN_A_TWENTIETH: f64 = 635.0;

/// How large the pages are, in twentieths of a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageSize {
    width: f64,
    height: f64,
}

impl PageSize {
    /// The largest page of a document; only looked for where something is placed on pages.
    pub(super) fn read(xml: &[u8]) -> Result<Self, XmlProblem> {
        let mut largest = Self { width: 12_240.0, height: 15_840.0 };
        let has = |name: &[u8]| xml.windows(name.len()).any(|window| window == name);
        if !has(b"framePr") && !has(b"posOffset") && !has(b"margin-") && !has(b"simplePos") {
            return Ok(largest);
        }
        walk(xml, |step| {
            if let Step::Open(element) = step
                && element.name == "pgSz"
            {
                let side = |name| number(element.attribute(name)).unwrap_or(0.0);
                largest.width = largest.width.max(side("w"));
                largest.height = largest.height.max(side("h"));
            }
            Ok::<(), XmlProblem>(())
        })?;
        Ok(largest)
    }
}

/// One side of a frame's place: where it begins, what that counts from, how long it is.
#[derive(Debug, Default, Clone, Copy)]
struct Side {
    at: Option<f64>,
    is_from_page: bool,
    length: f64,
}

impl Side {
    fn is_outside(self, page: f64, margin: f64) -> bool {
        let margin = if self.is_from_page { 0.0 } else { margin };
        self.at.is_some_and(|at| at + self.length <= -margin || at >= page)
    }
}

/// Something that is placed on the page.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Frame {
    across: Side,
    down: Side,
    is_hidden: bool,
    /// Whether the offset that is read is the one downwards.
    reads_down: bool,
}

impl Frame {
    /// A frame around paragraphs.
    pub(super) fn of_paragraph(element: &Element<'_>) -> Self {
        let side = |at, length, anchor| Side {
            at: number(element.attribute(at)),
            is_from_page: element.attribute(anchor).as_deref() == Some("page"),
            length: number(element.attribute(length)).unwrap_or(MARGIN),
        };
        let (across, down) = (side("x", "w", "hAnchor"), side("y", "h", "vAnchor"));
        Self { across, down, ..Self::default() }
    }

    /// A drawing that hangs on a paragraph; its place follows.
    pub(super) fn of_drawing(element: &Element<'_>) -> Self {
        Self { is_hidden: is_true(element, "hidden"), ..Self::default() }
    }

    /// A shape of older programs, with its place as a style.
    pub(super) fn of_shape(element: &Element<'_>) -> Self {
        let style = element.attribute("style").unwrap_or_default();
        let value = |name: &str| {
            let mut pairs = style.split(';').filter_map(|pair| pair.split_once(':'));
            pairs.find_map(|(key, value)| (key.trim() == name).then(|| value.trim().to_owned()))
        };
        let length = |name: &str| value(name).and_then(|value| twentieths(&value));
        let is_placed = value("position").as_deref() == Some("absolute");
        let side = |at: [&str; 2], size: &str| Side {
            at: length(at[0]).or_else(|| length(at[1])).filter(|_| is_placed),
            is_from_page: false,
            length: length(size).unwrap_or(MARGIN),
        };
        Self {
            across: side(["margin-left", "left"], "width"),
            down: side(["margin-top", "top"], "height"),
            is_hidden: value("visibility").as_deref() == Some("hidden"),
            reads_down: false,
        }
    }

    /// Takes what a drawing says about its place.
    pub(super) fn take(&mut self, element: &Element<'_>) {
        let length = |name| number(element.attribute(name)).map(|emu| emu / EMU_IN_A_TWENTIETH);
        match element.name {
            "positionH" | "positionV" => {
                self.reads_down = element.name == "positionV";
                let is_from_page = element.attribute("relativeFrom").as_deref() == Some("page");
                self.side().is_from_page = is_from_page;
            }
            "extent" => {
                self.across.length = length("cx").unwrap_or(MARGIN);
                self.down.length = length("cy").unwrap_or(MARGIN);
            }
            "docPr" => self.is_hidden |= is_true(element, "hidden"),
            _ => {}
        }
    }

    /// Takes the text of an offset.
    pub(super) fn take_offset(&mut self, text: &str) {
        let offset = text.trim().parse::<f64>().ok().filter(|offset| offset.is_finite());
        self.side().at = offset.map(|emu| emu / EMU_IN_A_TWENTIETH);
    }

    fn side(&mut self) -> &mut Side {
        if self.reads_down { &mut self.down } else { &mut self.across }
    }

    /// Whether nobody sees it.
    pub(super) fn is_unseen(&self, page: PageSize) -> bool {
        self.is_hidden
            || self.across.is_outside(page.width, MARGIN)
            // What hangs on a paragraph may be far below the top of the page.
            || self.down.is_outside(page.height, page.height)
    }
}

fn is_true(element: &Element<'_>, attribute: &str) -> bool {
    matches!(element.attribute(attribute).as_deref(), Some("1" | "true" | "on"))
}

fn number(value: Option<String>) -> Option<f64> {
    value?.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A length of a style, in twentieths of a point.
fn twentieths(value: &str) -> Option<f64> {
    let end = value.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(value.len());
    let (length, unit) = value.split_at(end);
    let length = number(Some(length.to_owned()))?;
    Some(match unit {
        "pt" => 20.0 * length,
        "in" => 1440.0 * length,
        "cm" => 1440.0 / 2.54 * length,
        "mm" => 144.0 / 2.54 * length,
        _ => 15.0 * length,
    })
}
