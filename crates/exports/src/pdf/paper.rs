//! Pages that are filled from top to bottom.

use pdf_writer::{Content, Name, Str};

use super::font::{Font, Weight, compress};
use super::style::{MARGIN, PAGE, PANEL, PANEL_BAR, Style, WIDTH};
use super::wrap;
use crate::colour::Rgb;

/// Where the lowest line may stand: the footer needs its room.
const BOTTOM: f32 = MARGIN + 14.0;
/// Width of the bar beside a panel.
const BAR: f32 = 2.5;

/// A label that takes more of its line than this stands on lines of its own.
const LABEL_SHARE: f32 = 0.7;

/// A place in the report that can be jumped to.
pub(super) struct Mark {
    /// 0 for a part, 1 for what is below it.
    pub(super) level: u8,
    /// What the bookmark says.
    pub(super) title: String,
    /// The page, from 0.
    pub(super) page: usize,
    /// Its upper edge.
    pub(super) top: f32,
}

/// A line of the table that names a row's page, which is known only later.
pub(super) struct Reference {
    /// The page it stands on, from 0.
    pub(super) page: usize,
    /// Its line, from the upper to the lower edge.
    pub(super) edges: (f32, f32),
    /// The base line of the number.
    pub(super) baseline: f32,
    /// The row, from 0.
    pub(super) row: usize,
}

/// Where a paragraph stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// How far from the left margin.
    pub(super) indent: f32,
    /// How much is left free at the right.
    pub(super) right: f32,
    /// Whether it stands on the ground of overrides.
    pub(super) panel: bool,
}

/// The pages so far, and the one that is being filled.
pub(super) struct Paper {
    /// The letters in regular weight.
    pub(super) regular: Font,
    /// The letters in bold.
    pub(super) bold: Font,
    /// Finished pages, deflated.
    pub(super) pages: Vec<Vec<u8>>,
    /// Places that can be jumped to, in order.
    pub(super) marks: Vec<Mark>,
    /// Page and upper edge of each row's block.
    pub(super) rows: Vec<(usize, f32)>,
    /// Numbers of pages that are filled in at the end.
    pub(super) references: Vec<Reference>,
    /// How far down the page is filled, counted from below.
    pub(super) y: f32,
    content: Content,
}

impl Paper {
    /// An empty page.
    pub(super) fn new() -> Self {
        Self {
            regular: Font::new(Weight::Regular),
            bold: Font::new(Weight::Bold),
            pages: Vec::new(),
            marks: Vec::new(),
            rows: Vec::new(),
            references: Vec::new(),
            y: PAGE.1 - MARGIN,
            content: Content::new(),
        }
    }

    /// The number of the page that is being filled, from 0.
    pub(super) fn page(&self) -> usize {
        self.pages.len()
    }

    /// Turns the page.
    pub(super) fn turn(&mut self) {
        let content = std::mem::replace(&mut self.content, Content::new()).finish();
        self.pages.push(compress(content.as_slice()).expect("memory takes every byte"));
        self.y = PAGE.1 - MARGIN;
    }

    /// Turns the page unless so much height is left; says whether it did.
    pub(super) fn need(&mut self, height: f32) -> bool {
        let turned = self.y - height < BOTTOM && self.y < PAGE.1 - MARGIN;
        if turned {
            self.turn();
        }
        turned
    }

    /// Leaves white, except on top of a page.
    pub(super) fn space(&mut self, height: f32) {
        if self.y < PAGE.1 - MARGIN {
            self.y -= height;
        }
    }

    /// A bookmark at this place.
    pub(super) fn mark(&mut self, level: u8, title: &str) {
        let title = wrap::beginning(title);
        self.marks.push(Mark { level, title, page: self.page(), top: self.y });
    }

    /// The heading of a part.
    pub(super) fn part(&mut self, title: &str) {
        self.need(90.0);
        self.space(16.0);
        self.mark(0, title);
        self.paragraph(title, super::style::PART, Place::default());
        self.space(3.0);
    }

    /// How wide a text is.
    pub(super) fn width(&self, text: &str, style: Style) -> f32 {
        let font = self.font(style.weight);
        text.chars().map(|letter| font.width(letter)).sum::<f32>() * style.size
    }

    /// The lines of a text in a width.
    pub(super) fn lines(&self, text: &str, style: Style, width: f32, first: f32) -> Vec<String> {
        let font = self.font(style.weight);
        wrap::lines(&wrap::settable(text), width, first, |letter| font.width(letter) * style.size)
    }

    /// A text of one line, at a place on the page.
    pub(super) fn put(&mut self, x: f32, baseline: f32, text: &str, style: Style) {
        let font = match style.weight {
            Weight::Regular => &mut self.regular,
            Weight::Bold => &mut self.bold,
        };
        show(&mut self.content, font, (x, baseline), (text, style));
    }

    /// A text of one line that ends at a place on the page.
    pub(super) fn put_right(&mut self, right: f32, baseline: f32, text: &str, style: Style) {
        let width = self.width(text, style);
        self.put(right - width, baseline, text, style);
    }

    /// A filled rectangle, by its lower left corner and its size.
    pub(super) fn fill(&mut self, corner: (f32, f32), size: (f32, f32), colour: Rgb) {
        ink(&mut self.content, colour);
        self.content.rect(corner.0, corner.1, size.0, size.1).fill_nonzero();
    }

    /// A paragraph; the page turns where it must.
    pub(super) fn paragraph(&mut self, text: &str, style: Style, place: Place) {
        self.labelled("", text, style, place);
    }

    /// A paragraph with a bold beginning.
    pub(super) fn labelled(&mut self, label: &str, text: &str, style: Style, place: Place) {
        let strong = Style { weight: Weight::Bold, ..style };
        let label = wrap::one_line(label);
        let gap = if label.is_empty() || text.is_empty() { 0.0 } else { style.size * 0.4 };
        let first = self.width(&label, strong) + gap;
        let width = WIDTH - place.indent - place.right;
        if first > width * LABEL_SHARE {
            self.labelled("", &label, strong, place);
            if !text.is_empty() {
                self.labelled("", text, style, place);
            }
            return;
        }
        let x = MARGIN + place.indent;
        for (index, line) in self.lines(text, style, width, first).iter().enumerate() {
            self.need(style.leading());
            if place.panel {
                self.panel(style.leading());
            }
            let baseline = self.y - style.size * 1.05;
            if index == 0 && !label.is_empty() {
                self.put(x, baseline, &label, strong);
            }
            self.put(if index == 0 { x + first } else { x }, baseline, line, style);
            self.y -= style.leading();
        }
    }

    /// The ground of an override, for so much height.
    pub(super) fn panel(&mut self, height: f32) {
        let low = self.y - height - 0.2;
        self.fill((MARGIN, low), (WIDTH, height + 0.4), PANEL);
        self.fill((MARGIN, low), (BAR, height + 0.4), PANEL_BAR);
    }

    fn font(&self, weight: Weight) -> &Font {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }
}

/// Shows a line of text on any content.
pub(super) fn show(
    content: &mut Content,
    font: &mut Font,
    (x, baseline): (f32, f32),
    (text, style): (&str, Style),
) {
    if text.is_empty() {
        return;
    }
    ink(content, style.ink);
    content.begin_text().set_font(Name(font.name.as_bytes()), style.size);
    content.next_line(x, baseline).show(Str(&font.encode(text))).end_text();
}

fn ink(content: &mut Content, Rgb(red, green, blue): Rgb) {
    let part = |byte: u8| f32::from(byte) / 255.0;
    content.set_fill_rgb(part(red), part(green), part(blue));
}
