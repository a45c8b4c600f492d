//! The colours that style sheets name.

/// Colours that differ less than this in every part, of 255, look the same.
const CONTRAST_MIN: f64 = 26.0;

/// Red, green and blue from 0 to 255, and how much they cover, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Colour {
    pub(super) parts: [f64; 3],
    pub(super) alpha: f64,
}

const NAMES: &str = "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure \
    f0ffff beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet \
    8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral \
    ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b \
    darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki \
    bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred \
    8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f \
    darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff \
    dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen \
    228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray \
    808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred \
    cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen \
    7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff \
    lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 \
    lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 \
    lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 \
    linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd \
    mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee \
    mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 \
    mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 \
    olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa \
    palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 \
    peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red \
    ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 \
    seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd \
    slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c \
    teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white \
    ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 canvas ffffff canvastext 000000";

impl Colour {
    pub(super) const WHITE: Self = Self { parts: [255.0; 3], alpha: 1.0 };
    pub(super) const BLACK: Self = Self { parts: [0.0; 3], alpha: 1.0 };
    const CLEAR: Self = Self { parts: [0.0; 3], alpha: 0.0 };

    /// A colour as a style sheet writes it, in lower case.
    pub(super) fn parse(value: &str) -> Option<Self> {
        let value = value.trim();
        if let Some(digits) = value.strip_prefix('#') {
            return hexadecimal(digits);
        }
        if let Some((function, rest)) = value.split_once('(') {
            return function_of(function.trim(), rest.trim_end().strip_suffix(')')?);
        }
        if value == "transparent" {
            return Some(Self::CLEAR);
        }
        let mut words = NAMES.split_ascii_whitespace();
        while let (Some(name), Some(digits)) = (words.next(), words.next()) {
            if name == value {
                return hexadecimal(digits);
            }
        }
        None
    }

    /// A colour of an attribute, which may leave the `#` out.
    pub(super) fn of_attribute(value: &str) -> Option<Self> {
        let value = value.trim().to_ascii_lowercase();
        Self::parse(&value).or_else(|| hexadecimal(&value))
    }

    /// What is seen where this lies over another.
    pub(super) fn over(self, below: Self) -> Self {
        let mixed =
            |index: usize| self.parts[index] * self.alpha + below.parts[index] * (1.0 - self.alpha);
        Self { parts: [mixed(0), mixed(1), mixed(2)], alpha: 1.0 }
    }

    pub(super) fn looks_like(self, other: Self) -> bool {
        self.parts.iter().zip(other.parts).all(|(one, other)| (one - other).abs() < CONTRAST_MIN)
    }
}

fn hexadecimal(digits: &str) -> Option<Colour> {
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let short = digits.len() <= 4;
    let count = if short { digits.len() } else { digits.len() / 2 };
    if ![3, 4].contains(&count) || (!short && !digits.len().is_multiple_of(2)) {
        return None;
    }
    let part = |index: usize| -> Option<f64> {
        let digits = if short { &digits[index..=index] } else { &digits[2 * index..2 * index + 2] };
        let value = u8::from_str_radix(digits, 16).ok()?;
        Some(f64::from(if short { value * 17 } else { value }))
    };
    let alpha = if count == 4 { part(3)? / 255.0 } else { 1.0 };
    Some(Colour { parts: [part(0)?, part(1)?, part(2)?], alpha })
}

/// `rgb(…)`, `hsl(…)` and the like.
fn function_of(function: &str, arguments: &str) -> Option<Colour> {
    let mut words: Vec<&str> = arguments
        .split(|c: char| c.is_whitespace() || c == ',' || c == '/')
        .filter(|word| !word.is_empty())
        .take(8)
        .collect();
    if function == "color" && !words.is_empty() {
        words.remove(0);
    }
    let number = |index: usize, whole: f64| -> Option<f64> {
        let word = words.get(index)?;
        match word.strip_suffix('%') {
            Some(share) => Some(share.parse::<f64>().ok()? / 100.0 * whole),
            None if *word == "none" => Some(0.0),
            None => word.trim_end_matches("deg").parse().ok(),
        }
    };
    let alpha = if words.len() > 3 { number(3, 1.0)? } else { 1.0 };
    let grey = |share: f64| [share.clamp(0.0, 1.0) * 255.0; 3];
    let is_pale =
        |lightness: f64| (lightness >= 0.97 || lightness <= 0.02).then(|| grey(lightness));
    let parts = match function {
        "rgb" | "rgba" => [number(0, 255.0)?, number(1, 255.0)?, number(2, 255.0)?],
        "color" => [number(0, 1.0)?, number(1, 1.0)?, number(2, 1.0)?].map(|part| part * 255.0),
        "hsl" | "hsla" => hsl(number(0, 360.0)?, number(1, 100.0)?, number(2, 100.0)?),
        "hwb" => {
            let (white, black) = (number(1, 100.0)? / 100.0, number(2, 100.0)? / 100.0);
            (white + black >= 0.95).then(|| grey(white / (white + black)))?
        }
        // Only white and black are worked out.
        "lab" | "lch" => is_pale(number(0, 100.0)? / 100.0)?,
        "oklab" | "oklch" => is_pale(number(0, 1.0)?)?,
        _ => return None,
    };
    Some(Colour { parts: parts.map(|part| part.clamp(0.0, 255.0)), alpha: alpha.clamp(0.0, 1.0) })
}

fn hsl(hue: f64, saturation: f64, lightness: f64) -> [f64; 3] {
    let (saturation, lightness) = (saturation / 100.0, lightness / 100.0);
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|step| {
        let turn = (step + hue / 30.0).rem_euclid(12.0);
        255.0 * (lightness - reach * (turn - 3.0).min(9.0 - turn).clamp(-1.0, 1.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_however_they_are_written() {
        for white in [
            "white",
            "#fff",
            "#ffffffff",
            "rgb(255, 255, 255)",
            "rgb(100% 100% 100% / 1)",
            "hsl(120, 100%, 100%)",
            "hwb(0 100% 0%)",
            "oklch(1 0 0)",
            "color(srgb 1 1 1)",
        ] {
            assert_eq!(Colour::parse(white), Some(Colour::WHITE), "{white}");
        }
        assert_eq!(Colour::parse("hsl(240,100%,50%)"), Colour::parse("blue"));
        assert_eq!(Colour::parse("transparent").map(|colour| colour.alpha), Some(0.0));
        for none in ["", "#", "#ff", "#fffff", "#ggg", "rgb(", "rgb(1)", "inherit", "#é1"] {
            assert_eq!(Colour::parse(none), None, "{none}");
        }
    }
}
