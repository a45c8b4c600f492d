//! Measures and inks of the printed report.

use super::font::Weight;
use crate::colour::Rgb;

/// Width and height of a page: A4, in points.
pub(super) const PAGE: (f32, f32) = (595.0, 842.0);
/// White around a page.
pub(super) const MARGIN: f32 = 48.0;
/// Width of what is printed.
pub(super) const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// Height of a line, in sizes of its letters.
const LEADING: f32 = 1.38;

/// The ink of text.
pub(super) const BLACK: Rgb = Rgb(0x11, 0x18, 0x27);
/// The ink of what stands beside.
pub(super) const GREY: Rgb = Rgb(0x4B, 0x55, 0x63);
/// The ink of rules and empty bars.
pub(super) const PALE: Rgb = Rgb(0xE5, 0xE7, 0xEB);
/// The ink of what is wrong.
pub(super) const WARNING: Rgb = Rgb(0xB9, 0x1C, 0x1C);
/// The bar beside an override.
pub(super) const PANEL_BAR: Rgb = Rgb(0xB4, 0x53, 0x09);
/// The ground below an override.
pub(super) const PANEL: Rgb = Rgb(0xFE, 0xF6, 0xE4);

/// How letters look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Regular or bold.
    pub(super) weight: Weight,
    /// Size in points.
    pub(super) size: f32,
    /// Colour.
    pub(super) ink: Rgb,
}

impl Style {
    /// The height of a line.
    pub(super) fn leading(self) -> f32 {
        self.size * LEADING
    }

    /// The same in another ink.
    pub(super) fn ink(self, ink: Rgb) -> Self {
        Self { ink, ..self }
    }
}

const fn style(weight: Weight, size: f32, ink: Rgb) -> Style {
    Style { weight, size, ink }
}

/// The report's title.
pub(super) const TITLE: Style = style(Weight::Bold, 21.0, BLACK);
/// A part of the report.
pub(super) const PART: Style = style(Weight::Bold, 13.5, BLACK);
/// A criterion.
pub(super) const NAME: Style = style(Weight::Bold, 11.0, BLACK);
/// Running text.
pub(super) const BODY: Style = style(Weight::Regular, 9.5, BLACK);
/// Words in running text that lead into it.
pub(super) const STRONG: Style = style(Weight::Bold, 9.5, BLACK);
/// What stands beside: places, ledgers, footers.
pub(super) const SMALL: Style = style(Weight::Regular, 8.0, GREY);
/// How a number was computed: for who doubts it.
pub(super) const FINE: Style = style(Weight::Regular, 7.0, GREY);
/// Headings of columns and sections.
pub(super) const LABEL: Style = style(Weight::Bold, 8.0, GREY);
/// The one number that is looked for first.
pub(super) const FIGURE: Style = style(Weight::Bold, 30.0, BLACK);
