//! Which pieces of a page a person can see.
//!
//! A sentence in white, in the smallest letters or beside the page is read by programs and by no
//! person: it must not count as something that a document says.

use std::fmt;

use super::drawing::Piece;
use super::matrix::Matrix;
use super::surface::Strips;

/// Letters smaller than this are not read by people, in points.
const SIZE_MIN: f64 = 2.0;

/// Colours that differ less than this in every part, of 1, look the same.
const CONTRAST_MIN: f64 = 0.1;

/// Ink that covers less than this of what lies below it is not seen, of 1.
const ALPHA_MIN: f64 = 0.1;

/// A piece of which less than this is inside the page, or what the pen may draw on, is not read.
const SHARE_MIN: f64 = 0.05;

/// The render mode that draws nothing, and the one that only clips.
const NO_INK: [i64; 2] = [3, 7];

/// A colour as red, green and blue, 0 to 1.
pub(super) type Colour = [f64; 3];

const BLACK: Colour = [0.0; 3];

/// How a piece is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) mode: i64,
    /// None for patterns and the like.
    pub(super) colour: Option<Colour>,
    /// The colour of outlines.
    pub(super) outline: Option<Colour>,
    pub(super) alpha: f64,
    pub(super) outline_alpha: f64,
    /// Whether ink goes over what is there, and does not mix with it.
    pub(super) is_opaque: bool,
    /// Whether the numbers of a colour are grey, RGB or CMYK, for fillings and for outlines.
    pub(super) is_plain: [bool; 2],
}

impl Ink {
    pub(super) const PLAIN: Self = Self {
        mode: 0,
        colour: Some(BLACK),
        outline: Some(BLACK),
        alpha: 1.0,
        outline_alpha: 1.0,
        is_opaque: true,
        is_plain: [true; 2],
    };

    /// Whether what it fills hides what lies below.
    pub(super) fn is_solid(&self) -> bool {
        self.is_opaque && self.alpha > 1.0 - ALPHA_MIN
    }

    /// The colours that letters are drawn in, and how much they cover.
    fn strokes(&self) -> Vec<(Option<Colour>, f64)> {
        let fill = (self.colour, self.alpha);
        let outline = (self.outline, self.outline_alpha);
        match self.mode {
            1 | 5 => vec![outline],
            2 | 6 => vec![fill, outline],
            mode if NO_INK.contains(&mode) => Vec::new(),
            _ => vec![fill],
        }
    }
}

/// Why a piece is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unseen {
    NoInk,
    Colour,
    Small,
    Outside,
    Covered,
    Clipped,
    SwitchedOff,
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoInk => "without ink",
            Self::Colour => "in the colour of the page",
            Self::Small => "under 2 points",
            Self::Outside => "outside the page",
            Self::Covered => "covered by something drawn later",
            Self::Clipped => "clipped away",
            Self::SwitchedOff => "on a layer that is switched off",
        })
    }
}

/// A rectangle on the page: left, bottom, right, top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rectangle(pub(super) [f64; 4]);

impl Rectangle {
    /// The smallest rectangle around one that a matrix moves and turns.
    pub(super) fn around(corner: (f64, f64), size: (f64, f64), matrix: Matrix) -> Self {
        let corners = [(0.0, 0.0), (size.0, 0.0), (0.0, size.1), (size.0, size.1)]
            .map(|(x, y)| matrix.place(corner.0 + x, corner.1 + y));
        let least =
            |of: fn((f64, f64)) -> f64| corners.map(of).into_iter().fold(f64::MAX, f64::min);
        let most = |of: fn((f64, f64)) -> f64| corners.map(of).into_iter().fold(f64::MIN, f64::max);
        Self([least(|c| c.0), least(|c| c.1), most(|c| c.0), most(|c| c.1)])
    }

    pub(super) fn holds(self, other: Self) -> bool {
        let ([l, b, r, t], [left, bottom, right, top]) = (self.0, other.0);
        l <= left && b <= bottom && r >= right && t >= top
    }

    /// What two have in common.
    pub(super) fn common(self, other: Self) -> Option<Self> {
        let ([l, b, r, t], [left, bottom, right, top]) = (self.0, other.0);
        let common = [l.max(left), b.max(bottom), r.min(right), t.min(top)];
        (common[0] <= common[2] && common[1] <= common[3]).then_some(Self(common))
    }

    /// The smallest one around both.
    pub(super) fn with(self, other: Self) -> Self {
        let ([l, b, r, t], [left, bottom, right, top]) = (self.0, other.0);
        Self([l.min(left), b.min(bottom), r.max(right), t.max(top)])
    }

    pub(super) fn area(self) -> f64 {
        let [left, bottom, right, top] = self.0;
        (right - left) * (top - bottom)
    }

    pub(super) fn middle(self) -> (f64, f64) {
        let [left, bottom, right, top] = self.0;
        (left.midpoint(right), bottom.midpoint(top))
    }

    /// Whether enough of a text lies in it to be read.
    fn shows(self, text: Self) -> bool {
        match self.common(text) {
            None => false,
            // A text without a width: its font does not say how wide it is.
            Some(_) if text.area() <= 0.0 => true,
            Some(common) => common.area() >= SHARE_MIN * text.area(),
        }
    }
}

/// Why the piece of that number is not seen, if it is not.
pub(super) fn unseen(
    (number, piece): (usize, &Piece),
    strips: &mut Strips,
    page: Option<Rectangle>,
) -> Option<Unseen> {
    let strokes: Vec<Option<Colour>> = piece
        .ink
        .strokes()
        .into_iter()
        .filter(|(_, alpha)| *alpha >= ALPHA_MIN)
        .map(|(colour, _)| colour)
        .collect();
    if piece.is_off {
        return Some(Unseen::SwitchedOff);
    }
    if strokes.is_empty() {
        return Some(Unseen::NoInk);
    }
    if piece.legible_size < SIZE_MIN {
        return Some(Unseen::Small);
    }
    if page.is_some_and(|page| !page.shows(piece.place)) {
        return Some(Unseen::Outside);
    }
    if piece.clip.is_some_and(|clip| !clip.bounds.shows(piece.place)) {
        return Some(Unseen::Clipped);
    }
    let (is_covered, background) = strips.around(number, piece.place);
    if is_covered {
        return Some(Unseen::Covered);
    }
    let background = background?;
    let is_alike = |stroke: &Option<Colour>| stroke.is_some_and(|ink| looks_alike(ink, background));
    strokes.iter().all(is_alike).then_some(Unseen::Colour)
}

fn looks_alike(one: Colour, other: Colour) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < CONTRAST_MIN)
}

/// The colour that one, three or four numbers stand for.
pub(super) fn colour(numbers: &[f64]) -> Option<Colour> {
    match numbers {
        [grey] => Some([*grey; 3]),
        [red, green, blue] => Some([*red, *green, *blue]),
        [cyan, magenta, yellow, black] => {
            Some([cyan, magenta, yellow].map(|part| (1.0 - part) * (1.0 - black)))
        }
        _ => None,
    }
}
