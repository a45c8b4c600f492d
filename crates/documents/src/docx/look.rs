//! What decides whether letters are seen: what a run says itself, or else its styles.

use std::fmt;

use super::colours::{Ground, Ink, Theme, highlight};
use crate::xml::Element;

/// Letters smaller than this are not read by people.
const SIZE_MIN_HALF_POINTS: f64 = 4.0;

/// How letters look, as far as it is said.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Look {
    is_hidden: Option<bool>,
    ink: Option<Ink>,
    ground: Option<Ground>,
    highlight: Option<Ground>,
    half_points: Option<f64>,
}

impl Look {
    /// Takes a property of a run.
    pub(super) fn take(&mut self, element: &Element<'_>, theme: &Theme) {
        match element.name {
            "vanish" | "webHidden" => self.is_hidden = Some(element.is_on()),
            "color" => self.ink = theme.ink(element).or(self.ink),
            "shd" => self.ground = Some(theme.ground(element)),
            "highlight" => {
                self.highlight = element.attribute("val").map(|name| highlight(&name));
            }
            "sz" => {
                let size = element.attribute("val").and_then(|size| size.parse().ok());
                self.half_points = size.or(self.half_points);
            }
            _ => {}
        }
    }

    /// This, and what the other says where this says nothing.
    pub(super) fn or(self, below: Self) -> Self {
        Self {
            is_hidden: self.is_hidden.or(below.is_hidden),
            ink: self.ink.or(below.ink),
            ground: self.ground.or(below.ground),
            highlight: self.highlight.or(below.highlight),
            half_points: self.half_points.or(below.half_points),
        }
    }

    /// Why letters that look so, on that ground, are not seen.
    pub(super) fn unseen(self, behind: Ground) -> Option<Unseen> {
        let ground = self.ground.unwrap_or(Ground::Clear).or(behind);
        let ground = self.highlight.unwrap_or(Ground::Clear).or(ground);
        if self.is_hidden == Some(true) {
            Some(Unseen::Vanished)
        } else if self.half_points.is_some_and(|size| size < SIZE_MIN_HALF_POINTS) {
            Some(Unseen::Small)
        } else if ground.swallows(self.ink.unwrap_or(Ink::Auto)) {
            Some(Unseen::Colour)
        } else {
            None
        }
    }
}

/// Why text is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unseen {
    Deleted,
    Vanished,
    Colour,
    Small,
    Row,
    OffPage,
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deleted => "deleted or moved away, as a tracked change",
            Self::Vanished => "set as hidden",
            Self::Colour => "in the colour of what is behind it",
            Self::Small => "under 2 points",
            Self::Row => "in a row that is hidden",
            Self::OffPage => "in a frame outside the page",
        })
    }
}
