//! How an element looks, as far as it decides whether its text is seen.

use std::fmt;

use super::colour::Colour;
use super::sheet::SCREEN;
use super::values::{
    FONT_SIZE, Ground, Ink, Length, Move, clip_path_leaves_nothing, clips_all, font_size,
    font_size_of_shorthand, functions, ground, ink, share, transform, words,
};

/// Letters smaller than this are not read by people, in pixels: 2 points.
const FONT_SIZE_MIN: f64 = 8.0 / 3.0;

/// What covers less than this of what is behind it is not seen, of 1.
const OPACITY_MIN: f64 = 0.1;

/// What is moved this far to the left or up is not on the screen, in pixels.
const OFF_SCREEN: f64 = -500.0;
/// The same for margins, which also centre boxes as wide as a page.
const OFF_SCREEN_MARGIN: f64 = -2000.0;
/// What is put this far to the right, or down without going with the page, is not seen either.
const FAR_OUT: f64 = 5000.0;

/// Why text is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unseen {
    /// A script, a title: no text of the page at all.
    NoText,
    NotShown,
    Transparent,
    Small,
    Colour,
    Clipped,
    OffScreen,
}

impl Unseen {
    /// In which way, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::NoText => "in elements without text",
            Self::NotShown => "in elements that are not shown",
            Self::Transparent => "that are transparent",
            Self::Small => "under 2 points",
            Self::Colour => "in the colour of what is behind it",
            Self::Clipped => "clipped away, or in boxes without a size",
            Self::OffScreen => "off the screen",
        }
    }
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A declaration that counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Set {
    Display { is_none: bool, is_inline: bool },
    ContentHidden(bool),
    Hidden(bool),
    Opacity(f64),
    FilterOpacity(f64),
    FontSize(Length),
    Zoom(f64),
    Ink(Ink),
    Fill(Ink),
    Ground(Option<Ground>),
    GroundOfText(bool),
    Shadow(bool),
    Clip(bool),
    ClipPath(bool),
    Size([Option<Length>; 2]),
    Cuts(bool),
    Padding(bool),
    Transform(Move),
    Scale(bool),
    Translate(Move),
    Position(Position),
    Offset(usize, Option<Length>),
    Margin(usize, Option<Length>),
    Indent(Length),
}

/// What an offset counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Position {
    #[default]
    Static,
    Relative,
    Absolute,
    Fixed,
}

impl Set {
    /// What a declaration sets; most say nothing about being seen.
    pub(super) fn parse(name: &str, value: &str) -> Option<Self> {
        let length = || Length::parse(value);
        Some(match name {
            "display" => Self::Display {
                is_none: value == "none",
                is_inline: matches!(value, "inline" | "contents"),
            },
            "content-visibility" => Self::ContentHidden(value == "hidden"),
            "visibility" => match value {
                "hidden" | "collapse" => Self::Hidden(true),
                "visible" | "initial" => Self::Hidden(false),
                _ => return None,
            },
            "opacity" => Self::Opacity(share(value)?),
            "filter" => {
                let faded = functions(value).find(|(name, _)| *name == "opacity");
                Self::FilterOpacity(faded.and_then(|(_, by)| share(by.first()?)).unwrap_or(1.0))
            }
            "font-size" => Self::FontSize(font_size(value)?),
            "font" => Self::FontSize(font_size_of_shorthand(value)?),
            "zoom" => Self::Zoom(share(value)?),
            "color" => Self::Ink(ink(value)?),
            "-webkit-text-fill-color" => Self::Fill(ink(value)?),
            "background" | "background-color" => Self::Ground(ground(value)),
            "background-image" if value != "none" => Self::Ground(Some(ground(value)?)),
            "background-clip" | "-webkit-background-clip" => {
                Self::GroundOfText(value.contains("text"))
            }
            "text-shadow" => Self::Shadow(value != "none"),
            "clip" => Self::Clip(clips_all(value)),
            "clip-path" | "-webkit-clip-path" => Self::ClipPath(clip_path_leaves_nothing(value)),
            "width" | "max-width" | "inline-size" | "max-inline-size" => {
                Self::Size([length(), None])
            }
            "height" | "max-height" | "block-size" | "max-block-size" => {
                Self::Size([None, length()])
            }
            "overflow" | "overflow-x" | "overflow-y" => Self::Cuts(value != "visible"),
            "padding" | "padding-top" | "padding-bottom" => Self::Padding(
                words(value)
                    .iter()
                    .any(|side| Length::parse(side).is_some_and(|side| !side.is_flat())),
            ),
            "transform" | "-webkit-transform" => Self::Transform(transform(value)),
            "scale" => {
                Self::Scale(words(value).iter().any(|by| share(by).is_some_and(|by| by < 0.05)))
            }
            "translate" => Self::Translate(transform(&format!("translate({value})"))),
            _ => return Self::of_place(name, value),
        })
    }

    /// What a declaration sets about where an element is.
    fn of_place(name: &str, value: &str) -> Option<Self> {
        let length = || Length::parse(value);
        Some(match name {
            "position" => Self::Position(match value {
                "absolute" => Position::Absolute,
                "fixed" => Position::Fixed,
                "relative" | "sticky" => Position::Relative,
                _ => Position::Static,
            }),
            "left" | "inset-inline-start" => Self::Offset(0, length()),
            "top" | "inset-block-start" => Self::Offset(1, length()),
            "right" => Self::Offset(2, length()),
            "bottom" => Self::Offset(3, length()),
            "margin-left" | "margin-inline-start" => Self::Margin(0, length()),
            "margin-top" => Self::Margin(1, length()),
            "margin" => {
                let sides = words(value);
                let left = match sides.len() {
                    4 => sides.get(3),
                    2 | 3 => sides.get(1),
                    _ => sides.first(),
                };
                Self::Margin(0, left.and_then(|left| Length::parse(left)))
            }
            "text-indent" => Self::Indent(length()?),
            _ => return None,
        })
    }
}

/// What is declared for one element; the last of each kind counts.
#[expect(clippy::struct_excessive_bools, reason = "as many properties hide, each on its own")]
#[derive(Debug, Default)]
pub(super) struct Declarations {
    display: Option<(bool, bool)>,
    is_content_hidden: bool,
    hidden: Option<bool>,
    opacity: Option<f64>,
    filter_opacity: Option<f64>,
    font_size: Option<Length>,
    zoom: Option<f64>,
    ink: Option<Ink>,
    fill: Option<Ink>,
    ground: Option<Ground>,
    is_ground_of_text: bool,
    shadow: Option<bool>,
    clips: bool,
    clip_path: bool,
    size: [Option<Length>; 2],
    cuts: bool,
    is_padded: bool,
    transform: Move,
    scale: bool,
    translate: Move,
    position: Position,
    offsets: [Option<Length>; 4],
    margins: [Option<Length>; 2],
    indent: Option<Length>,
}

impl Declarations {
    pub(super) fn take(&mut self, set: Set) {
        match set {
            Set::Display { is_none, is_inline } => self.display = Some((is_none, is_inline)),
            Set::ContentHidden(is) => self.is_content_hidden = is,
            Set::Hidden(is) => self.hidden = Some(is),
            Set::Opacity(opacity) => self.opacity = Some(opacity),
            Set::FilterOpacity(opacity) => self.filter_opacity = Some(opacity),
            Set::FontSize(size) => self.font_size = Some(size),
            Set::Zoom(zoom) => self.zoom = Some(zoom),
            Set::Ink(ink) => self.ink = Some(ink),
            Set::Fill(fill) => self.fill = Some(fill),
            Set::Ground(ground) => self.ground = ground,
            Set::GroundOfText(is) => self.is_ground_of_text = is,
            Set::Shadow(has) => self.shadow = Some(has),
            Set::Clip(clips) => self.clips = clips,
            Set::ClipPath(clips) => self.clip_path = clips,
            Set::Size([width, height]) => {
                self.size = [width.or(self.size[0]), height.or(self.size[1])];
            }
            Set::Cuts(cuts) => self.cuts = cuts,
            Set::Padding(is_padded) => self.is_padded = is_padded,
            Set::Transform(moved) => self.transform = moved,
            Set::Scale(flattens) => self.scale = flattens,
            Set::Translate(moved) => self.translate = moved,
            Set::Position(position) => self.position = position,
            Set::Offset(side, offset) => self.offsets[side] = offset,
            Set::Margin(side, margin) => self.margins[side] = margin,
            Set::Indent(indent) => self.indent = Some(indent),
        }
    }

    /// Whether it has a place of its own over other things of the page.
    fn is_placed(&self) -> bool {
        self.position != Position::Static
    }
}

/// How an element looks, and with it what lies in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Why nothing in it is seen, and the element that this is so for.
    unseen: Option<(Unseen, usize)>,
    is_hidden: bool,
    opacity: f64,
    font_size: f64,
    ink: Ink,
    /// The colour that letters are filled with, where it is another.
    fill: Option<Ink>,
    ground: Option<Colour>,
    has_shadow: bool,
    indent: f64,
}

impl Style {
    /// How a page looks that says nothing.
    pub(super) const PLAIN: Self = Self {
        unseen: None,
        is_hidden: false,
        opacity: 1.0,
        font_size: FONT_SIZE,
        ink: Ink::Is(Colour::BLACK),
        fill: None,
        ground: Some(Colour::WHITE),
        has_shadow: false,
        indent: 0.0,
    };

    /// Hides an element and all in it, whatever is declared.
    pub(super) fn hide(&mut self, why: Unseen, element: usize) {
        self.unseen = self.unseen.or(Some((why, element)));
    }

    /// The style of an element in one of this style.
    pub(super) fn inner(
        &self,
        declared: &Declarations,
        element: usize,
        is_inline: bool,
        has_pictures: bool,
    ) -> Self {
        let mut style = *self;
        let around = self.font_size;
        if let Some(size) = declared.font_size {
            style.font_size = size.pixels(around, around);
        }
        style.is_hidden = declared.hidden.unwrap_or(self.is_hidden);
        style.opacity *= declared.opacity.unwrap_or(1.0).clamp(0.0, 1.0);
        style.opacity *= declared.filter_opacity.unwrap_or(1.0).clamp(0.0, 1.0);
        style.ink = declared.ink.unwrap_or(self.ink);
        style.fill = declared.fill.or(self.fill);
        style.has_shadow = declared.shadow.unwrap_or(self.has_shadow);
        if let Some(indent) = declared.indent {
            style.indent = indent.pixels(style.font_size, SCREEN.0);
        }
        style.ground = match declared.ground {
            _ if declared.is_ground_of_text => None,
            Some(Ground::Unknown) => None,
            Some(Ground::Is(colour)) if colour.alpha >= 1.0 => Some(colour),
            // Where something else may be below, its colour is not known.
            _ if declared.is_placed() && has_pictures => None,
            Some(Ground::Is(colour)) => self.ground.map(|below| colour.over(below)),
            None => self.ground,
        };
        if let Some(why) = style.hides(declared, is_inline) {
            style.hide(why, element);
        }
        style
    }

    /// Why an element for which this is declared is not seen, with all that lies in it.
    fn hides(&self, declared: &Declarations, is_inline: bool) -> Option<Unseen> {
        let is_absolute = matches!(declared.position, Position::Absolute | Position::Fixed);
        let (is_none, shows_inline) = declared.display.unwrap_or((false, is_inline));
        let is_box = is_absolute || !shows_inline;
        let [width, height] = declared.size.map(|side| side.is_some_and(Length::is_flat));
        let is_flat = declared.cuts && !declared.is_padded && (width || height);
        let flattens = declared.transform.flattens || declared.scale;
        if is_none || declared.is_content_hidden {
            Some(Unseen::NotShown)
        } else if self.opacity < OPACITY_MIN {
            Some(Unseen::Transparent)
        } else if declared.zoom.is_some_and(|zoom| zoom > 0.0 && zoom < 0.15) {
            Some(Unseen::Small)
        } else if declared.clip_path
            || (is_absolute && declared.clips)
            || (is_box && (is_flat || flattens))
        {
            Some(Unseen::Clipped)
        } else if self.is_moved_away(declared, is_box) {
            Some(Unseen::OffScreen)
        } else {
            None
        }
    }

    fn is_moved_away(&self, declared: &Declarations, is_box: bool) -> bool {
        let pixels = |length: Option<Length>, around: f64| {
            // Of a box that is not known, less than all of it may still be on the screen.
            length.map_or(0.0, |length| length.pixels(self.font_size, around * 0.7))
        };
        let [left, top, right, bottom] = declared.offsets.map(|side| pixels(side, SCREEN.1));
        let margins = declared.margins.map(|side| pixels(side, SCREEN.0));
        let (x, y) = (
            declared.transform.x + declared.translate.x,
            declared.transform.y + declared.translate.y,
        );
        let by_offset = match declared.position {
            Position::Static => false,
            position => {
                let is_fixed = position == Position::Fixed;
                [left, top, right, bottom].iter().any(|side| *side <= OFF_SCREEN)
                    || [left, right].iter().any(|side| *side >= FAR_OUT)
                    || (is_fixed && [top, bottom].iter().any(|side| *side >= FAR_OUT))
            }
        };
        by_offset
            || margins.iter().any(|margin| *margin <= OFF_SCREEN_MARGIN)
            || (is_box && (x <= 2.0 * OFF_SCREEN || y <= 2.0 * OFF_SCREEN || x >= FAR_OUT))
    }

    /// Why text in an element of this style is not seen, and the element that this is so for.
    pub(super) fn unseen(&self, element: usize) -> Option<(Unseen, usize)> {
        if self.unseen.is_some() {
            return self.unseen;
        }
        let why = if self.is_hidden {
            Some(Unseen::NotShown)
        } else if self.font_size < FONT_SIZE_MIN {
            Some(Unseen::Small)
        } else if self.indent <= OFF_SCREEN {
            Some(Unseen::OffScreen)
        } else if self.is_swallowed() {
            Some(Unseen::Colour)
        } else {
            None
        };
        why.map(|why| (why, element))
    }

    /// Whether letters look like what is behind them.
    fn is_swallowed(&self) -> bool {
        let (Ink::Is(ink), Some(ground), false) =
            (self.fill.unwrap_or(self.ink), self.ground, self.has_shadow)
        else {
            return false;
        };
        ink.alpha < OPACITY_MIN || ink.over(ground).looks_like(ground)
    }
}
