//! The values of style declarations that decide whether text is seen.

use super::colour::Colour;
use super::sheet::SCREEN;

/// The size of letters where nothing is said, in pixels.
pub(super) const FONT_SIZE: f64 = 16.0;

/// A length: in pixels, or in parts of the size of letters, or of what is around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Length {
    Pixels(f64),
    Em(f64),
    Share(f64),
}

impl Length {
    /// A length such as `-9999px`, `0`, `50%`.
    pub(super) fn parse(value: &str) -> Option<Self> {
        let value = value.trim();
        if let Some(inner) = value.strip_prefix("calc(").and_then(|rest| rest.strip_suffix(')')) {
            return Self::parse(inner);
        }
        let end =
            value.find(|c: char| !c.is_ascii_digit() && !".-+".contains(c)).unwrap_or(value.len());
        let number: f64 = value[..end].parse().ok()?;
        let pixels = |each: f64| Some(Self::Pixels(number * each));
        match &value[end..] {
            "" | "px" => pixels(1.0),
            "pt" => pixels(4.0 / 3.0),
            "pc" => pixels(16.0),
            "in" => pixels(96.0),
            "cm" => pixels(96.0 / 2.54),
            "mm" => pixels(9.6 / 2.54),
            "q" => pixels(2.4 / 2.54),
            "rem" => pixels(FONT_SIZE),
            "vw" | "svw" | "lvw" | "dvw" | "vi" | "vmax" => pixels(SCREEN.0 / 100.0),
            "vh" | "svh" | "lvh" | "dvh" | "vb" | "vmin" => pixels(SCREEN.1 / 100.0),
            "em" => Some(Self::Em(number)),
            "ex" | "ch" => Some(Self::Em(number / 2.0)),
            "%" => Some(Self::Share(number / 100.0)),
            _ => None,
        }
    }

    /// In pixels, for letters of a size and something around that is so large.
    pub(super) fn pixels(self, font_size: f64, around: f64) -> f64 {
        match self {
            Self::Pixels(pixels) => pixels,
            Self::Em(ems) => ems * font_size,
            Self::Share(share) => share * around,
        }
    }

    /// Whether it is nothing, or as good as nothing.
    pub(super) fn is_flat(self) -> bool {
        match self {
            Self::Pixels(pixels) => pixels <= 1.5,
            Self::Em(share) | Self::Share(share) => share <= 0.0,
        }
    }
}

/// The size of letters as `font-size` gives it.
pub(super) fn font_size(value: &str) -> Option<Length> {
    let value = value.trim();
    Some(match value {
        "xx-small" => Length::Pixels(9.0),
        "x-small" => Length::Pixels(10.0),
        "small" => Length::Pixels(13.0),
        "medium" | "initial" => Length::Pixels(FONT_SIZE),
        "large" => Length::Pixels(18.0),
        "x-large" => Length::Pixels(24.0),
        "xx-large" | "xxx-large" => Length::Pixels(32.0),
        "smaller" => Length::Em(0.83),
        "larger" => Length::Em(1.2),
        "inherit" => Length::Em(1.0),
        _ => match Length::parse(value)? {
            Length::Share(share) => Length::Em(share),
            length => length,
        },
    })
}

/// The size within `font: bold 12px/1.5 serif`.
pub(super) fn font_size_of_shorthand(value: &str) -> Option<Length> {
    let words = value.split_ascii_whitespace().take(8);
    // A weight is a number without a unit, and no size; nought is both.
    let is_size = |word: &&str| {
        let word = word.split('/').next().unwrap_or_default();
        let is_weight = word.parse::<f64>().is_ok_and(|number| number >= 1.0);
        !is_weight && font_size(word).is_some()
    };
    let mut words = words;
    let size = words.find(is_size)?;
    font_size(size.split('/').next().unwrap_or_default())
}

/// A number, or a share in percent, as for `opacity`.
pub(super) fn share(value: &str) -> Option<f64> {
    let value = value.trim();
    match value.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        None => value.parse().ok(),
    }
}

/// The colour of letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ink {
    Is(Colour),
    /// A colour that is not worked out: it can be any.
    Unknown,
}

/// The colour that `color` gives.
pub(super) fn ink(value: &str) -> Option<Ink> {
    match value {
        "inherit" | "currentcolor" | "unset" | "revert" => None,
        "initial" => Some(Ink::Is(Colour::BLACK)),
        _ => Some(Colour::parse(value).map_or(Ink::Unknown, Ink::Is)),
    }
}

/// What is behind an element by its own background.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ground {
    Is(Colour),
    /// A picture, or several colours.
    Unknown,
}

/// The ground that `background` or `background-color` gives.
pub(super) fn ground(value: &str) -> Option<Ground> {
    let value = value.trim();
    if let Some(colour) = Colour::parse(value) {
        return Some(Ground::Is(colour));
    }
    if matches!(value, "none" | "inherit" | "initial" | "unset" | "revert") {
        return None;
    }
    if value.contains("gradient(") {
        return Some(gradient(value));
    }
    let colour = words(value).into_iter().find_map(Colour::parse);
    match colour {
        Some(colour) => Some(Ground::Is(colour)),
        None if value.contains("url(") || value.contains("image(") => Some(Ground::Unknown),
        // A colour that is not known.
        None if value.contains('(') => Some(Ground::Unknown),
        None => None,
    }
}

/// A run of colours: one colour, where all of them look alike.
fn gradient(value: &str) -> Ground {
    let inner = value.split_once("gradient(").map_or("", |(_, inner)| inner);
    let inner = inner.trim_end().strip_suffix(')').unwrap_or(inner);
    let mut colours = words(inner).into_iter().filter_map(Colour::parse);
    let Some(first) = colours.next() else { return Ground::Unknown };
    let is_one = first.alpha >= 1.0 && colours.all(|other| other.looks_like(first));
    if is_one { Ground::Is(first) } else { Ground::Unknown }
}

/// The words of a value; brackets keep theirs together.
pub(super) fn words(value: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = value.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c.is_whitespace() || c == ',')
    });
    parts.filter(|word| !word.is_empty()).take(64).collect()
}

/// The functions of a value such as `rotate(3deg) scale(0)`, with their arguments.
pub(super) fn functions(value: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    words(value).into_iter().filter_map(|word| {
        let (name, arguments) = word.split_once('(')?;
        Some((name, words(arguments.trim_end_matches(')'))))
    })
}

/// Whether `clip: rect(…)` leaves nothing.
pub(super) fn clips_all(value: &str) -> bool {
    functions(value).any(|(name, arguments)| {
        let sides: Vec<f64> = arguments
            .iter()
            .filter_map(|side| Some(Length::parse(side)?.pixels(FONT_SIZE, SCREEN.0)))
            .collect();
        match (name, sides.as_slice()) {
            ("rect", [top, right, bottom, left]) => right - left <= 1.5 || bottom - top <= 1.5,
            _ => false,
        }
    })
}

pub(super) fn clip_path_leaves_nothing(value: &str) -> bool {
    functions(value).any(|(name, arguments)| {
        let lengths: Vec<f64> = arguments
            .iter()
            .map_while(|side| Some(Length::parse(side)?.pixels(FONT_SIZE, SCREEN.0)))
            .collect();
        match (name, lengths.as_slice()) {
            ("inset", sides) => {
                let side = |index: usize| match (sides.len(), index) {
                    (0, _) => 0.0,
                    (1, _) => sides[0],
                    (2, index) => sides[index % 2],
                    (3, 3) => sides[1],
                    (_, index) => sides[index],
                };
                side(0) + side(2) >= SCREEN.0 || side(1) + side(3) >= SCREEN.0
            }
            ("circle", [radius, ..]) => *radius <= 0.5,
            ("ellipse", [across, down, ..]) => *across <= 0.5 || *down <= 0.5,
            ("rect", [top, right, bottom, left]) => right - left <= 1.5 || bottom - top <= 1.5,
            ("xywh", [_, _, width, height]) => *width <= 1.5 || *height <= 1.5,
            ("polygon", corners) if corners.len() == arguments.len() => area(corners) < 2.0,
            _ => false,
        }
    })
}

/// The area of a polygon.
fn area(corners: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> =
        corners.chunks_exact(2).map(|point| (point[0], point[1])).collect();
    let next = points.iter().cycle().skip(1);
    let sum: f64 =
        points.iter().zip(next).map(|(one, other)| one.0 * other.1 - other.0 * one.1).sum();
    sum.abs() / 2.0
}

/// What `transform` does to a text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Move {
    /// Whether nothing is left of it.
    pub(super) flattens: bool,
    pub(super) x: f64,
    pub(super) y: f64,
}

pub(super) fn transform(value: &str) -> Move {
    let mut moved = Move::default();
    for (name, arguments) in functions(value) {
        let number = |index: usize| arguments.get(index).and_then(|word| share(word));
        let length = |index: usize| match arguments.get(index).and_then(|word| Length::parse(word))
        {
            // Its own size is not known.
            None | Some(Length::Share(_)) => 0.0,
            Some(length) => length.pixels(FONT_SIZE, 0.0),
        };
        let is_flat = |index: usize| number(index).is_some_and(|scale| scale.abs() < 0.05);
        match name {
            "scale" | "scale3d" => moved.flattens |= is_flat(0) || is_flat(1),
            "scalex" | "scaley" => moved.flattens |= is_flat(0),
            "matrix" => moved.flattens |= is_flat(0) && is_flat(1) || is_flat(2) && is_flat(3),
            "rotatex" | "rotatey" => {
                let turn =
                    arguments.first().and_then(|turn| turn.strip_suffix("deg")?.parse().ok());
                moved.flattens |= turn.is_some_and(|turn: f64| turn.rem_euclid(180.0) == 90.0);
            }
            "translate" | "translate3d" => {
                moved.x += length(0);
                moved.y += length(1);
            }
            "translatex" => moved.x += length(0),
            "translatey" => moved.y += length(0),
            _ => {}
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        assert_eq!(Length::parse("-9999px"), Some(Length::Pixels(-9999.0)));
        assert_eq!(Length::parse("1.5em"), Some(Length::Em(1.5)));
        assert_eq!(Length::parse("auto"), None);
        assert_eq!(font_size_of_shorthand("bold 0/1 serif"), Some(Length::Pixels(0.0)));
        assert_eq!(font_size_of_shorthand("italic 700 12px a"), Some(Length::Pixels(12.0)));
    }

    #[test]
    fn what_leaves_nothing_is_known() {
        assert!(clips_all("rect(0 0 0 0)") && clips_all("rect(1px,1px,1px,1px)"));
        assert!(!clips_all("rect(0,90px,90px,0)") && !clips_all("auto"));
        for path in ["inset(50%)", "inset(0 0 100% 0)", "circle(0)", "polygon(0 0,9px 0)"] {
            assert!(clip_path_leaves_nothing(path), "{path}");
        }
        for path in ["none", "inset(10px)", "circle(50%)", "polygon(0 0,90px 0,90px 90px)"] {
            assert!(!clip_path_leaves_nothing(path), "{path}");
        }
        assert!(transform("rotate(3deg) scaley(0)").flattens);
        assert!(!transform("scale(1.1)").flattens);
    }

    #[test]
    fn grounds_are_colours_or_unknown() {
        assert_eq!(ground("#fff no-repeat"), Some(Ground::Is(Colour::WHITE)));
        assert_eq!(ground("url(x.png)"), Some(Ground::Unknown));
        assert_eq!(ground("linear-gradient(white, #fefefe)"), Some(Ground::Is(Colour::WHITE)));
        assert_eq!(ground("linear-gradient(white, black)"), Some(Ground::Unknown));
    }
}
