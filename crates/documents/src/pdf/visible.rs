//! Which pieces of a page a person can see.
//!
//! A sentence in white, in the smallest letters or beside the page is read by programs and by no
//! person: it must not count as something that a document says.

use std::fmt;

use super::matrix::Matrix;

/// Letters smaller than this are not read by people, in points.
const SIZE_MIN: f64 = 3.0;

/// Colours that differ less than this in every part, of 1, look the same.
const CONTRAST_MIN: f64 = 0.1;

/// Ink that covers less than this of what lies below it is not seen, of 1.
const ALPHA_MIN: f64 = 0.1;

/// The highest rectangles that a page may paint before no more are remembered.
const PAINTED_MAX: usize = 20_000;

/// The render mode that draws nothing, and the one that only clips.
const NO_INK: [i64; 2] = [3, 7];

/// A colour as red, green and blue, 0 to 1.
pub(super) type Colour = [f64; 3];

pub(super) const BLACK: Colour = [0.0; 3];
const WHITE: Colour = [1.0; 3];

/// How a piece was drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) mode: i64,
    /// None for patterns and the like.
    pub(super) colour: Option<Colour>,
    pub(super) alpha: f64,
}

impl Ink {
    pub(super) const PLAIN: Self = Self { mode: 0, colour: Some(BLACK), alpha: 1.0 };
}

/// Why a piece is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unseen {
    NoInk,
    Colour,
    Small,
    Outside,
    Covered,
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoInk => "without ink",
            Self::Colour => "in the colour of the page",
            Self::Small => "under 3 points",
            Self::Outside => "outside the page",
            Self::Covered => "covered by something drawn later",
        })
    }
}

/// A rectangle on the page: left, bottom, right, top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rectangle(pub(super) [f64; 4]);

impl Rectangle {
    /// The smallest rectangle around one that a matrix moves and turns.
    pub(super) fn around(corner: (f64, f64), size: (f64, f64), matrix: Matrix) -> Self {
        let corners = [(0.0, 0.0), (size.0, 0.0), (0.0, size.1), (size.0, size.1)].map(|(x, y)| {
            let Matrix([.., x, y]) = Matrix::moved(corner.0 + x, corner.1 + y).then(matrix);
            (x, y)
        });
        let least =
            |of: fn((f64, f64)) -> f64| corners.map(of).into_iter().fold(f64::MAX, f64::min);
        let most = |of: fn((f64, f64)) -> f64| corners.map(of).into_iter().fold(f64::MIN, f64::max);
        Self([least(|c| c.0), least(|c| c.1), most(|c| c.0), most(|c| c.1)])
    }

    fn holds(self, other: Self) -> bool {
        let ([l, b, r, t], [left, bottom, right, top]) = (self.0, other.0);
        l <= left && b <= bottom && r >= right && t >= top
    }

    fn meets(self, other: Self) -> bool {
        let ([l, b, r, t], [left, bottom, right, top]) = (self.0, other.0);
        l <= right && left <= r && b <= top && bottom <= t
    }
}

/// A rectangle that was filled.
#[derive(Debug, Clone, Copy)]
struct Painted {
    place: Rectangle,
    colour: Option<Colour>,
    /// How many pieces of text had been drawn before.
    after: usize,
}

/// What was painted on a page besides text.
#[derive(Debug, Default)]
pub(super) struct Surface {
    painted: Vec<Painted>,
    /// Rectangles of the path that is being drawn.
    path: Vec<Rectangle>,
    /// Whether pictures were drawn: text without ink over a scan is what was recognised in it.
    pub(super) has_pictures: bool,
}

impl Surface {
    pub(super) fn outline(&mut self, rectangle: Rectangle) {
        if self.path.len() < PAINTED_MAX {
            self.path.push(rectangle);
        }
    }

    /// Ends a path, and fills it if it is to be filled.
    pub(super) fn end_path(&mut self, fill: Option<Ink>, pieces: usize) {
        let path = std::mem::take(&mut self.path);
        let Some(ink) = fill.filter(|ink| ink.alpha > 1.0 - ALPHA_MIN) else { return };
        let left = PAINTED_MAX.saturating_sub(self.painted.len());
        let painted = |place| Painted { place, colour: ink.colour, after: pieces };
        self.painted.extend(path.into_iter().take(left).map(painted));
    }

    /// Why the piece of that number is not seen, if it is not.
    pub(super) fn unseen(
        &self,
        (number, place, size): (usize, Rectangle, f64),
        ink: Ink,
        page: Option<Rectangle>,
    ) -> Option<Unseen> {
        let below = || self.painted.iter().rev().filter(|painted| painted.after <= number);
        let background = below().find(|painted| painted.place.holds(place));
        // Below a pattern anything can be seen.
        let background = background.map_or(Some(WHITE), |painted| painted.colour);
        let looks_alike = |one: Colour, other: Colour| {
            one.iter().zip(other).all(|(one, other)| (one - other).abs() < CONTRAST_MIN)
        };
        let above = || self.painted.iter().filter(|painted| painted.after > number);
        if NO_INK.contains(&ink.mode) || ink.alpha < ALPHA_MIN {
            Some(Unseen::NoInk)
        } else if size < SIZE_MIN {
            Some(Unseen::Small)
        } else if page.is_some_and(|page| !page.meets(place)) {
            Some(Unseen::Outside)
        } else if above().any(|painted| painted.place.holds(place)) {
            Some(Unseen::Covered)
        } else if let (Some(ink), Some(background)) = (ink.colour, background) {
            // Outlines without a filling (mode 1) have a colour that is not known here.
            looks_alike(ink, background).then_some(Unseen::Colour)
        } else {
            None
        }
    }
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
