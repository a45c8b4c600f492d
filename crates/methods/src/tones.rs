//! The colours of tiers: one table for pages, workbooks and PDF.
//!
//! Each is dark enough for white letters (WCAG contrast 4.5 or more), so a tier can be a filled
//! label; where black letters stand on it, whoever paints mixes white in.

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The colours that a tier may be called by, from the worst to the best, and then others that
/// a rubric of a customer may name.
pub const NAMED: [(&str, Rgb); 10] = [
    ("red", [0xb9, 0x1c, 0x1c]),
    ("orange", [0xc2, 0x41, 0x0c]),
    ("yellow", [0xa1, 0x62, 0x07]),
    ("lime", [0x4d, 0x7c, 0x0f]),
    ("green", [0x15, 0x80, 0x3d]),
    ("amber", [0xb4, 0x53, 0x09]),
    ("teal", [0x0f, 0x76, 0x6e]),
    ("blue", [0x1d, 0x4e, 0xd8]),
    ("purple", [0x7e, 0x22, 0xce]),
    ("grey", [0x4b, 0x55, 0x63]),
];

/// How many of them are spread over the tiers of a rubric.
pub(crate) const STOPS: usize = 5;

/// The colour of a name; `gray` is `grey`.
pub fn named(name: &str) -> Option<Rgb> {
    let name = if name == "gray" { "grey" } else { name };
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, rgb)| *rgb)
}

/// The colour of a tier among so many: the name of the colour it falls on, or `#rrggbb` between
/// its neighbours.
pub fn spread(index: usize, tiers: usize) -> String {
    let steps = tiers.saturating_sub(1).max(1);
    let position = index.min(steps) * (STOPS - 1);
    let (stop, rest) = (position / steps, position % steps);
    if rest == 0 {
        return NAMED[stop].0.to_owned();
    }
    let (low, high) = (NAMED[stop].1, NAMED[stop + 1].1);
    let mixed = |part: usize| {
        let (low, high) = (usize::from(low[part]), usize::from(high[part]));
        (low * (steps - rest) + high * rest + steps / 2) / steps
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

/// A colour as `#rrggbb`.
pub fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.2, with the power of 2.2 in place of its two pieces.
    fn luminance(rgb: Rgb) -> f64 {
        let [red, green, blue] = rgb.map(|part| {
            let part = f64::from(part) / 255.0;
            // Within a hundredth of the exact curve for dark colours.
            assize_score::float::exp(2.2 * assize_score::float::ln(part.max(1e-9)))
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn white_letters_can_be_read_on_every_tone() {
        for (name, rgb) in NAMED {
            let contrast = 1.05 / (luminance(rgb) + 0.05);
            assert!(contrast >= 4.5, "{name}: {contrast:.2}");
        }
    }

    #[test]
    fn a_name_is_found_in_both_spellings() {
        assert_eq!(named("gray"), named("grey"));
        assert_eq!(named("red").map(hex).as_deref(), Some("#b91c1c"));
        assert_eq!(named("mauve"), None);
    }
}
