//! A tier's colour, given by name or by numbers, as paint.

use assize_methods::tones;

/// What is painted for a colour that cannot be read.
const UNKNOWN: &str = "grey";
/// How much white is mixed in, so that black text can be read on it.
const WHITE_SHARE: f64 = 0.6;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Rgb {
    /// Reads `red`, `#rgb`, `#rrggbb` or `hsl(120, 50%, 40%)`; grey for anything else.
    pub(crate) fn read(text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        let known = named(&text).or_else(|| hex(&text)).or_else(|| hsl(&text));
        known.or_else(|| named(UNKNOWN)).unwrap_or(Self(0, 0, 0))
    }

    /// The colour mixed with so much white that black text can be read on it.
    pub(crate) fn tint(self) -> Self {
        let mix = |part: u8| byte(255.0 * WHITE_SHARE + f64::from(part) * (1.0 - WHITE_SHARE));
        Self(mix(self.0), mix(self.1), mix(self.2))
    }

    /// As one number, `0xRRGGBB`.
    pub(crate) fn number(self) -> u32 {
        u32::from_be_bytes([0, self.0, self.1, self.2])
    }
}

fn named(text: &str) -> Option<Rgb> {
    tones::named(text).map(|[red, green, blue]| Rgb(red, green, blue))
}

fn hex(text: &str) -> Option<Rgb> {
    let digits: Option<Vec<u32>> =
        text.strip_prefix('#')?.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits?;
    let doubled: Vec<u32> = match digits.len() {
        3 => digits.iter().flat_map(|digit| [*digit, *digit]).collect(),
        6 => digits,
        _ => return None,
    };
    let byte = |at: usize| u8::try_from(doubled[at] * 16 + doubled[at + 1]).ok();
    Some(Rgb(byte(0)?, byte(2)?, byte(4)?))
}

fn hsl(text: &str) -> Option<Rgb> {
    let inside = text.strip_prefix("hsl(")?.strip_suffix(')')?;
    let parts: Vec<f64> = inside
        .split([',', ' ', '/'])
        .filter(|part| !part.is_empty())
        .filter_map(|part| part.trim_end_matches("deg").trim_end_matches('%').parse().ok())
        .filter(|part: &f64| part.is_finite())
        .collect();
    let [hue, saturation, lightness] = parts[..] else { return None };
    let (hue, saturation, lightness) =
        (hue.rem_euclid(360.0), saturation / 100.0, lightness / 100.0);
    let reach = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f64| {
        let place = (offset + hue / 30.0).rem_euclid(12.0);
        byte(255.0 * (lightness - reach * (place - 3.0).min(9.0 - place).clamp(-1.0, 1.0)))
    };
    Some(Rgb(channel(0.0), channel(8.0), channel(4.0)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte on the same line"
)]
fn byte(value: f64) -> u8 {
    (value + 0.5).clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the CSS colour specification's own examples.
    #[test]
    fn names_hex_and_hsl_are_read() {
        assert_eq!(Rgb::read("Red"), Rgb(0xB9, 0x1C, 0x1C));
        assert_eq!(Rgb::read("#fc0"), Rgb(0xFF, 0xCC, 0x00));
        assert_eq!(Rgb::read("#0a141e"), Rgb(10, 20, 30));
        assert_eq!(Rgb::read("hsl(120, 100%, 50%)"), Rgb(0, 255, 0));
        assert_eq!(Rgb::read("hsl(0 100% 50%)"), Rgb(255, 0, 0));
        assert_eq!(Rgb::read("hsl(120, 100%, 25%)"), Rgb(0, 128, 0));
    }

    #[test]
    fn what_cannot_be_read_is_grey() {
        for text in ["", "#", "#12", "#éé", "hsl(1)", "hsl(nan, 1%, 1%)", "=red", "url(x)"] {
            assert_eq!(Some(Rgb::read(text)), named(UNKNOWN), "{text}");
        }
    }

    /// WCAG asks for 4.5; the darkest tint here is far above it.
    #[test]
    fn black_text_can_be_read_on_every_tint() {
        let Rgb(r, g, b) = Rgb(0, 0, 0).tint();
        assert!(r >= 0x99 && g >= 0x99 && b >= 0x99);
    }
}
