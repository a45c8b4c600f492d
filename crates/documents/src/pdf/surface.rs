//! What is painted on a page besides text, and where the pen may draw at all.

use super::matrix::Matrix;
use super::visible::{Colour, Ink, Rectangle};

/// The most rectangles that a page may paint before no more are remembered.
const PAINTED_MAX: usize = 20_000;

/// So many strips a page is cut into, to find quickly what lies above or below a text.
const STRIPS: usize = 64;

/// How many looks at painted rectangles a page may take: beyond that, nobody drew it for people.
pub(super) const LOOKS_MAX: usize = 200_000_000;

/// A rectangle that was filled, or a picture.
#[derive(Debug, Clone, Copy)]
struct PaintedArea {
    place: Rectangle,
    /// None for pictures and patterns.
    colour: Option<Colour>,
    /// Whether nothing below it is seen.
    covers: bool,
    /// How many pieces of text had been drawn before.
    after: usize,
}

/// Where the pen may draw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clip {
    /// Nothing outside of this is drawn.
    pub(super) bounds: Rectangle,
    /// Whether everything inside is.
    is_exact: bool,
}

/// The path that is being drawn.
#[derive(Debug, Default)]
struct Path {
    /// Its parts that are upright rectangles.
    rectangles: Vec<Rectangle>,
    /// The corners of the part that is being drawn; no more than a rectangle has.
    corners: Vec<(f64, f64)>,
    /// Whether there is anything else in it.
    has_others: bool,
    bounds: Option<Rectangle>,
}

impl Path {
    fn grow(&mut self, (x, y): (f64, f64)) {
        let point = Rectangle([x, y, x, y]);
        self.bounds = Some(self.bounds.map_or(point, |bounds| bounds.with(point)));
    }

    fn push(&mut self, rectangle: Rectangle) {
        if self.rectangles.len() < PAINTED_MAX {
            self.rectangles.push(rectangle);
        }
    }

    /// Ends a part of the path: four corners may be a rectangle.
    fn end_part(&mut self) {
        let mut corners = std::mem::take(&mut self.corners);
        if corners.len() == 5 && corners.first() == corners.last() {
            corners.pop();
        }
        match corners.as_slice() {
            [] | [_] => {}
            [a, b, c, d] if is_upright([*a, *b, *c, *d]) => {
                let place = [a.0.min(c.0), a.1.min(c.1), a.0.max(c.0), a.1.max(c.1)];
                self.push(Rectangle(place));
            }
            _ => self.has_others = true,
        }
    }
}

fn is_upright([a, b, c, d]: [(f64, f64); 4]) -> bool {
    let same = |one: f64, other: f64| (one - other).abs() < 1e-3;
    (same(a.0, b.0) && same(b.1, c.1) && same(c.0, d.0) && same(d.1, a.1))
        || (same(a.1, b.1) && same(b.0, c.0) && same(c.1, d.1) && same(d.0, a.0))
}

/// What was painted on a page besides text.
#[derive(Debug, Default)]
pub(super) struct Surface {
    painted: Vec<PaintedArea>,
    path: Path,
    /// Whether the path will say where the pen may draw.
    clips: bool,
    /// How large all pictures are together.
    pub(super) picture_area: f64,
}

impl Surface {
    /// An operator that adds to the path; false if it is none.
    pub(super) fn draw(&mut self, operator: &str, numbers: &[f64], matrix: Matrix) -> bool {
        let at = |index: usize| matrix.place(numbers[index], numbers[index + 1]);
        match (operator, numbers.len()) {
            ("m", 2) => {
                self.path.end_part();
                self.path.grow(at(0));
                self.path.corners.push(at(0));
            }
            ("l", 2) => {
                self.path.grow(at(0));
                self.corner(at(0));
            }
            ("c", 6) | ("v" | "y", 4) => {
                for index in (0..numbers.len()).step_by(2) {
                    self.path.grow(at(index));
                }
                self.path.has_others = true;
            }
            ("h", _) => self.path.end_part(),
            ("re", 4) => {
                let (corner, size) = ((numbers[0], numbers[1]), (numbers[2], numbers[3]));
                let place = Rectangle::around(corner, size, matrix);
                self.path.end_part();
                self.path.bounds =
                    Some(self.path.bounds.map_or(place, |bounds| bounds.with(place)));
                if matrix.is_upright() {
                    self.path.push(place);
                } else {
                    self.path.has_others = true;
                }
            }
            ("W" | "W*", _) => self.clips = true,
            _ => return false,
        }
        true
    }

    fn corner(&mut self, corner: (f64, f64)) {
        // A sixth corner makes it no rectangle, and is the last that is kept.
        if self.path.corners.len() < 6 {
            self.path.corners.push(corner);
        }
    }

    /// Ends a path, and fills it if it is to be filled. Gives where the pen may draw from now on.
    pub(super) fn end_path(
        &mut self,
        fill: Option<Ink>,
        clip: Option<Clip>,
        pieces: usize,
    ) -> Option<Clip> {
        self.path.end_part();
        let path = std::mem::take(&mut self.path);
        if let Some(ink) = fill.filter(Ink::is_solid) {
            for place in &path.rectangles {
                let covers = ink.colour.is_some();
                self.paint(
                    *place,
                    clip,
                    PaintedArea { place: *place, colour: ink.colour, covers, after: pieces },
                );
            }
        }
        if !std::mem::take(&mut self.clips) {
            return clip;
        }
        let bounds = path.bounds.unwrap_or(Rectangle([0.0; 4]));
        let is_exact = path.rectangles.len() == 1 && !path.has_others;
        Some(Clip { bounds, is_exact }.within(clip))
    }

    fn paint(&mut self, place: Rectangle, clip: Option<Clip>, painted: PaintedArea) {
        let place = match clip {
            None => Some(place),
            Some(clip) if clip.is_exact => place.common(clip.bounds),
            // Within a shape that is not known, all of it may be there, or nothing.
            Some(_) => None,
        };
        if let Some(place) = place.filter(|_| self.painted.len() < PAINTED_MAX) {
            self.painted.push(PaintedArea { place, ..painted });
        }
    }

    /// A picture; one with holes or a pale one covers nothing.
    pub(super) fn picture(
        &mut self,
        matrix: Matrix,
        clip: Option<Clip>,
        covers: bool,
        pieces: usize,
    ) {
        let place = Rectangle::around((0.0, 0.0), (1.0, 1.0), matrix);
        self.picture_area += place.area();
        let covers = covers && matrix.is_upright();
        self.paint(place, clip, PaintedArea { place, colour: None, covers, after: pieces });
    }

    /// What is painted, ready to be looked at.
    pub(super) fn strips(&self) -> Strips {
        let all = self.painted.iter().map(|painted| painted.place);
        let bounds = all.reduce(Rectangle::with).unwrap_or(Rectangle([0.0; 4]));
        let mut strips = Strips { bounds, painted: vec![Vec::new(); STRIPS], looks: 0 };
        for painted in &self.painted {
            let Rectangle([_, bottom, _, top]) = painted.place;
            for strip in strips.at(bottom)..=strips.at(top) {
                strips.painted[strip].push(*painted);
            }
        }
        strips
    }
}

/// What is painted, by how high on the page it is.
pub(super) struct Strips {
    bounds: Rectangle,
    painted: Vec<Vec<PaintedArea>>,
    pub(super) looks: usize,
}

impl Strips {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a cast ends at the ends of its range, and there are few strips"
    )]
    fn at(&self, height: f64) -> usize {
        let Rectangle([_, bottom, _, top]) = self.bounds;
        let share = (height - bottom) / (top - bottom).max(f64::MIN_POSITIVE);
        ((share * STRIPS as f64) as usize).min(STRIPS - 1)
    }

    /// Whether something covers the piece of that number, and the colour below it: none below
    /// pictures and patterns, where anything can be seen.
    pub(super) fn around(&mut self, number: usize, place: Rectangle) -> (bool, Option<Colour>) {
        let strip = self.at(place.middle().1);
        let strip = &self.painted[strip];
        self.looks += strip.len();
        let split = strip.partition_point(|painted| painted.after <= number);
        let covered =
            strip[split..].iter().any(|painted| painted.covers && painted.place.holds(place));
        let below = strip[..split].iter().rev().find(|painted| painted.place.holds(place));
        (covered, below.map_or(Some([1.0; 3]), |painted| painted.colour))
    }
}

impl Clip {
    /// The box that a drawing with a name may not leave.
    pub(super) fn of_box([x, y, right, top]: [f64; 4], matrix: Matrix) -> Self {
        let bounds = Rectangle::around((x, y), (right - x, top - y), matrix);
        Self { bounds, is_exact: matrix.is_upright() }
    }

    /// This, and what held before.
    pub(super) fn within(self, before: Option<Self>) -> Self {
        let Some(before) = before else { return self };
        let [x, y, ..] = self.bounds.0;
        let nothing = Rectangle([x, y, x, y]);
        let bounds = self.bounds.common(before.bounds).unwrap_or(nothing);
        Self { bounds, is_exact: self.is_exact && before.is_exact }
    }
}
