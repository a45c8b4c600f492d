//! Fonts: what the codes of a text stand for, and how far each moves the pen.

use lopdf::{Dictionary, Document, Object};

use super::unicode_map::UnicodeMap;

/// How large a font's table of characters may be, in bytes.
const TABLE_BYTES_MAX: usize = 8 << 20;

/// The widths of Helvetica from space to tilde, in thousandths of its size: for the fonts
/// that every reader knows, and that files therefore do not describe.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// A font as far as its text is concerned.
pub(super) struct Font {
    codes: Codes,
    map: Option<UnicodeMap>,
    widths: Widths,
}

enum Codes {
    /// One byte a code, with what each stands for when the font has no table.
    Single(Vec<String>),
    /// Two bytes a code.
    Double {
        /// Whether the codes themselves are UTF-16.
        are_utf16: bool,
    },
}

enum Widths {
    Single { first: u32, widths: Vec<f64>, missing: f64 },
    Double { runs: Vec<(u32, Vec<f64>, u32)>, default: f64 },
    Helvetica,
    Fixed(f64),
}

/// One code of a text: what it stands for and how far it moves the pen.
pub(super) struct Glyph<'a> {
    pub(super) text: &'a str,
    /// In parts of the font's size.
    pub(super) width: f64,
    /// Whether it is the one-byte code 32, which the spacing of words widens.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn read(font: &Dictionary, document: &Document) -> Self {
        let stream = font.get_deref(b"ToUnicode", document).and_then(Object::as_stream);
        let table = stream.and_then(|stream| stream.get_plain_content_with_limit(TABLE_BYTES_MAX));
        let map = table.ok().map(|table| UnicodeMap::parse(&table));
        let is_double = font.get(b"Subtype").and_then(Object::as_name).is_ok_and(|t| t == b"Type0");
        if is_double {
            let encoding = font.get(b"Encoding").and_then(Object::as_name).unwrap_or_default();
            let encoding = String::from_utf8_lossy(encoding);
            let are_utf16 = encoding.contains("UCS2") || encoding.contains("UTF16");
            let widths = double_widths(font, document);
            Self { codes: Codes::Double { are_utf16 }, map, widths }
        } else {
            let table = single_codes(font, document);
            Self { codes: Codes::Single(table), map, widths: single_widths(font, document) }
        }
    }

    /// Gives every code of a text in turn.
    pub(super) fn each_glyph(&self, bytes: &[u8], mut visit: impl FnMut(Glyph<'_>)) {
        let mut text = String::new();
        let code_bytes = if matches!(self.codes, Codes::Single(_)) { 1 } else { 2 };
        for chunk in bytes.chunks(code_bytes) {
            let code = chunk.iter().fold(0, |code, byte| (code << 8) | u32::from(*byte));
            text.clear();
            self.push_text(code, &mut text);
            let is_space = code_bytes == 1 && code == 32;
            visit(Glyph { text: &text, width: self.widths.of(code), is_space });
        }
    }

    fn push_text(&self, code: u32, into: &mut String) {
        if self.map.as_ref().is_some_and(|map| map.push(code, into)) {
            return;
        }
        match &self.codes {
            Codes::Single(table) => {
                into.push_str(table.get(code as usize).map_or("\u{fffd}", String::as_str));
            }
            Codes::Double { are_utf16: true } => {
                into.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Codes::Double { .. } => into.push(char::REPLACEMENT_CHARACTER),
        }
    }
}

/// What each of the 256 codes stands for.
fn single_codes(font: &Dictionary, document: &Document) -> Vec<String> {
    let encoding = font.get_font_encoding_with_limit(document, TABLE_BYTES_MAX).ok();
    let text = |code: u8| {
        let known = encoding.as_ref().and_then(|encoding| encoding.bytes_to_string(&[code]).ok());
        match known.filter(|text| !text.is_empty()) {
            Some(text) => text,
            None if code.is_ascii_graphic() || code == b' ' => char::from(code).to_string(),
            None => char::REPLACEMENT_CHARACTER.to_string(),
        }
    };
    (0..=255).map(text).collect()
}

fn single_widths(font: &Dictionary, document: &Document) -> Widths {
    // A font made of drawings has its own measure; others count in thousandths.
    let matrix = font.get_deref(b"FontMatrix", document).and_then(Object::as_array);
    let unit = matrix.ok().and_then(|matrix| number(matrix.first()?)).unwrap_or(0.001);
    let descriptor = font.get_deref(b"FontDescriptor", document).and_then(Object::as_dict);
    let missing = descriptor.ok().and_then(|d| number(d.get(b"MissingWidth").ok()?)).unwrap_or(0.0);
    let widths = font.get_deref(b"Widths", document).and_then(Object::as_array);
    if let Ok(widths) = widths {
        let first = font.get_deref(b"FirstChar", document).and_then(Object::as_i64).unwrap_or(0);
        let width = |object| number(follow(object, document)).unwrap_or(0.0) * unit;
        return Widths::Single {
            first: u32::try_from(first).unwrap_or(0),
            widths: widths.iter().take(256).map(width).collect(),
            missing: missing * unit,
        };
    }
    let name = font.get(b"BaseFont").and_then(Object::as_name).unwrap_or_default();
    if name.windows(7).any(|part| part == b"Courier") {
        Widths::Fixed(0.6)
    } else {
        Widths::Helvetica
    }
}

fn double_widths(font: &Dictionary, document: &Document) -> Widths {
    let descendants = font.get_deref(b"DescendantFonts", document).and_then(Object::as_array);
    let descendant = descendants.ok().and_then(|all| follow(all.first()?, document).as_dict().ok());
    let Some(descendant) = descendant else { return Widths::Fixed(1.0) };
    let default = descendant.get_deref(b"DW", document).ok().and_then(number).unwrap_or(1000.0);
    let mut runs = Vec::new();
    let array = descendant.get_deref(b"W", document).and_then(Object::as_array);
    let mut rest = array.map(Vec::as_slice).unwrap_or_default();
    // Either `first [width width …]` or `first last width`.
    while let [first, second, after @ ..] = rest {
        let first = code(follow(first, document));
        if let Ok(widths) = follow(second, document).as_array() {
            let widths: Vec<f64> = widths
                .iter()
                .map(|w| number(follow(w, document)).unwrap_or(0.0) / 1000.0)
                .collect();
            let last = first + u32::try_from(widths.len()).unwrap_or(0);
            runs.push((first, widths, last.saturating_sub(1)));
            rest = after;
        } else {
            let [width, after @ ..] = after else { break };
            let width = number(follow(width, document)).unwrap_or(0.0) / 1000.0;
            runs.push((first, vec![width], code(follow(second, document))));
            rest = after;
        }
    }
    runs.sort_by_key(|run| run.0);
    Widths::Double { runs, default: default / 1000.0 }
}

impl Widths {
    fn of(&self, code: u32) -> f64 {
        match self {
            Self::Single { first, widths, missing } => {
                let index = code.checked_sub(*first).map(|index| index as usize);
                index.and_then(|index| widths.get(index)).copied().unwrap_or(*missing)
            }
            Self::Double { runs, default } => {
                let after = runs.partition_point(|run| run.0 <= code);
                let Some((first, widths, _)) = runs[..after].last().filter(|run| code <= run.2)
                else {
                    return *default;
                };
                // One width stands for the whole run.
                let index = ((code - first) as usize).min(widths.len().saturating_sub(1));
                widths.get(index).copied().unwrap_or(*default)
            }
            Self::Helvetica => {
                let known = code.checked_sub(32).and_then(|index| HELVETICA.get(index as usize));
                f64::from(*known.unwrap_or(&556)) / 1000.0
            }
            Self::Fixed(width) => *width,
        }
    }
}

/// The object that a reference leads to, or the object itself.
pub(super) fn follow<'a>(object: &'a Object, document: &'a Document) -> &'a Object {
    document.dereference(object).map_or(object, |(_, object)| object)
}

/// A finite number.
pub(super) fn number(object: &Object) -> Option<f64> {
    object.as_float().ok().map(f64::from).filter(|number| number.is_finite())
}

fn code(object: &Object) -> u32 {
    object.as_i64().ok().and_then(|code| u32::try_from(code).ok()).unwrap_or(0).min(0xffff)
}
