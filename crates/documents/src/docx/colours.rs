//! The colours of a Word document: by number, by name, and by the theme.

use std::collections::BTreeMap;

use crate::xml::{Element, Step, XmlProblem, walk};

/// Colours that differ less than this in every part, of 255, look the same.
const CONTRAST_MIN: u8 = 26;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

pub(super) const WHITE: Colour = [255; 3];
const BLACK: Colour = [0; 3];

/// The colours of a document's theme by their names.
#[derive(Debug, Default)]
pub(super) struct Theme {
    by_name: BTreeMap<String, Colour>,
}

/// The colour of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Black or white, whichever is seen.
    Auto,
    Is(Colour),
}

/// What lies behind letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// Nothing: what lies further behind is seen.
    Clear,
    Is(Colour),
    /// A pattern, or a colour that is not worked out: anything can be seen on it.
    Unknown,
}

impl Theme {
    pub(super) fn read(xml: &[u8]) -> Result<Self, XmlProblem> {
        let mut theme = Self::default();
        let (mut in_colours, mut name) = (false, String::new());
        walk(xml, |step| {
            match step {
                Step::Open(element) if element.name == "clrScheme" => in_colours = true,
                Step::Close("clrScheme") => in_colours = false,
                Step::Open(element) if in_colours => {
                    let value = match element.name {
                        "srgbClr" => element.attribute("val"),
                        "sysClr" => element.attribute("lastClr"),
                        other => {
                            other.clone_into(&mut name);
                            None
                        }
                    };
                    if let Some(colour) = value.and_then(|value| numbered(&value)) {
                        theme.by_name.insert(name.clone(), colour);
                    }
                }
                _ => {}
            }
            Ok::<(), XmlProblem>(())
        })?;
        Ok(theme)
    }

    fn named(&self, name: &str) -> Option<Colour> {
        let (own, usual) = match name {
            "background1" | "light1" | "bg1" => ("lt1", Some(WHITE)),
            "text1" | "dark1" | "tx1" => ("dk1", Some(BLACK)),
            "background2" | "light2" | "bg2" => ("lt2", None),
            "text2" | "dark2" | "tx2" => ("dk2", None),
            "hyperlink" => ("hlink", None),
            "followedHyperlink" => ("folHlink", None),
            other => (other, None),
        };
        self.by_name.get(own).copied().or(usual)
    }

    /// A colour of the theme that attributes name, made lighter or darker as they say.
    fn shaded(&self, element: &Element<'_>, attributes: [&str; 3]) -> Option<Colour> {
        let [name, tint, shade] = attributes;
        let colour = self.named(&element.attribute(name)?)?;
        let part_of = |name: &str| {
            let digits = element.attribute(name)?;
            u8::from_str_radix(&digits, 16).ok().map(u16::from)
        };
        let mixed = |weight: u16, with: u16| {
            colour.map(|part| {
                let mixed = (u16::from(part) * weight + with * (255 - weight)) / 255;
                u8::try_from(mixed).unwrap_or(u8::MAX)
            })
        };
        Some(match (part_of(tint), part_of(shade)) {
            (Some(tint), _) => mixed(tint, 255),
            (_, Some(shade)) => mixed(shade, 0),
            _ => colour,
        })
    }

    /// The colour of letters that `<color>` sets.
    pub(super) fn ink(&self, element: &Element<'_>) -> Option<Ink> {
        if let Some(colour) = self.shaded(element, ["themeColor", "themeTint", "themeShade"]) {
            return Some(Ink::Is(colour));
        }
        let value = element.attribute("val")?;
        if value == "auto" { Some(Ink::Auto) } else { numbered(&value).map(Ink::Is) }
    }

    /// What `<shd>` puts behind letters.
    pub(super) fn ground(&self, element: &Element<'_>) -> Ground {
        let numbered = |name: &str| element.attribute(name).and_then(|value| numbered(&value));
        let fill = self
            .shaded(element, ["themeFill", "themeFillTint", "themeFillShade"])
            .or_else(|| numbered("fill"));
        let front = self
            .shaded(element, ["themeColor", "themeTint", "themeShade"])
            .or_else(|| numbered("color"))
            .unwrap_or(BLACK);
        let pattern = element.attribute("val").unwrap_or_default();
        match (pattern.as_str(), fill) {
            ("nil", _) | ("" | "clear", None) => Ground::Clear,
            ("" | "clear", Some(fill)) => Ground::Is(fill),
            ("solid", _) => Ground::Is(front),
            _ => Ground::Unknown,
        }
    }
}

impl Ground {
    /// This, or what lies further behind where it is clear.
    pub(super) fn or(self, behind: Self) -> Self {
        if self == Self::Clear { behind } else { self }
    }

    /// Whether letters are not seen on it.
    pub(super) fn swallows(self, ink: Ink) -> bool {
        let (Self::Is(ground), Ink::Is(ink)) = (self, ink) else { return false };
        ground.iter().zip(ink).all(|(ground, ink)| ground.abs_diff(ink) < CONTRAST_MIN)
    }
}

/// What `<highlight>` puts behind letters.
pub(super) fn highlight(name: &str) -> Ground {
    Ground::Is(match name {
        "black" => BLACK,
        "white" => WHITE,
        "blue" => [0, 0, 255],
        "cyan" => [0, 255, 255],
        "green" => [0, 255, 0],
        "magenta" => [255, 0, 255],
        "red" => [255, 0, 0],
        "yellow" => [255, 255, 0],
        "darkBlue" => [0, 0, 128],
        "darkCyan" => [0, 128, 128],
        "darkGreen" => [0, 128, 0],
        "darkMagenta" => [128, 0, 128],
        "darkRed" => [128, 0, 0],
        "darkYellow" => [128, 128, 0],
        "darkGray" => [128; 3],
        "lightGray" => [192; 3],
        _ => return Ground::Clear,
    })
}

/// A colour as six hexadecimal digits.
pub(super) fn numbered(value: &str) -> Option<Colour> {
    let part = |at: usize| u8::from_str_radix(value.get(at..at + 2)?, 16).ok();
    (value.len() == 6).then_some([part(0)?, part(2)?, part(4)?])
}
