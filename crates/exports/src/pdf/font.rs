//! The shipped font: widths, codes of letters, and the subset that goes into the file.

use std::collections::BTreeMap;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId};

use crate::ExportError;

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// As running text.
    Regular,
    /// As headings.
    Bold,
}

/// Units of the font in a size of one.
const UNITS: f32 = 1000.0;
/// What a code stands for that has no letter of its own.
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;
const SYSTEM: SystemInfo =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// One weight of the font, and the letters used so far.
///
/// Every letter gets a code of its own, also those that share the box for
/// missing shapes: so the text can be copied out of the file unharmed.
pub(super) struct Font {
    /// Its name on pages.
    pub(super) name: &'static str,
    post_script_name: &'static str,
    data: &'static [u8],
    face: Face<'static>,
    /// Glyph and width of every letter that has a shape: looking them up in the font is slow.
    shapes: BTreeMap<char, (GlyphId, f32)>,
    box_width: f32,
    codes: BTreeMap<char, u16>,
    letters: Vec<char>,
}

impl Font {
    /// The font of that weight.
    pub(super) fn new(weight: Weight) -> Self {
        let (name, post_script_name, data): (_, _, &'static [u8]) = match weight {
            Weight::Regular => (
                "R",
                "ASSIZE+NotoSans-Regular",
                include_bytes!("../../assets/NotoSans-Regular.ttf"),
            ),
            Weight::Bold => {
                ("B", "ASSIZE+NotoSans-Bold", include_bytes!("../../assets/NotoSans-Bold.ttf"))
            }
        };
        let face = Face::parse(data, 0).expect("the shipped font is a font");
        let (shapes, box_width) = (shapes(&face), width(&face, GlyphId(0)));
        let codes = BTreeMap::new();
        let letters = vec![UNKNOWN];
        Self { name, post_script_name, data, face, shapes, box_width, codes, letters }
    }

    /// The width of a letter in a size of one.
    pub(super) fn width(&self, letter: char) -> f32 {
        self.units(letter) / UNITS
    }

    /// The codes of a text, two bytes each.
    pub(super) fn encode(&mut self, text: &str) -> Vec<u8> {
        text.chars().flat_map(|letter| self.code(letter).to_be_bytes()).collect()
    }

    /// Letters that were used and have no shape.
    pub(super) fn missing(&self) -> impl Iterator<Item = char> + '_ {
        self.letters[1..].iter().copied().filter(|letter| self.glyph(*letter).0 == 0)
    }

    fn code(&mut self, letter: char) -> u16 {
        if let Some(code) = self.codes.get(&letter) {
            return *code;
        }
        let Ok(code) = u16::try_from(self.letters.len()) else { return 0 };
        self.letters.push(letter);
        self.codes.insert(letter, code);
        code
    }

    fn glyph(&self, letter: char) -> GlyphId {
        self.shapes.get(&letter).map_or(GlyphId(0), |(glyph, _)| *glyph)
    }

    fn units(&self, letter: char) -> f32 {
        self.shapes.get(&letter).map_or(self.box_width, |(_, width)| *width)
    }

    /// Writes the font into the file, under that reference, with the letters used.
    pub(super) fn embed(
        &self,
        pdf: &mut Pdf,
        next: &mut Ref,
        font: Ref,
    ) -> Result<(), ExportError> {
        let [descendant, descriptor, map, glyphs, file] = std::array::from_fn(|_| next.bump());
        let name = Name(self.post_script_name.as_bytes());
        pdf.type0_font(font)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(map);
        let mut cid = pdf.cid_font(descendant);
        cid.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM);
        cid.font_descriptor(descriptor).default_width(0.0).cid_to_gid_map_stream(glyphs);
        cid.widths().consecutive(0, self.letters.iter().map(|letter| self.units(*letter)));
        cid.finish();
        self.descriptor(pdf, descriptor, file);

        let mut unicode = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
        for (code, letter) in (0..=u16::MAX).zip(&self.letters) {
            unicode.pair(code, *letter);
        }
        let unicode = compress(unicode.finish().as_slice())?;
        pdf.cmap(map, &unicode).filter(Filter::FlateDecode);

        let mut remapper = GlyphRemapper::new();
        let new_ids = self.letters.iter().map(|letter| remapper.remap(self.glyph(*letter).0));
        let new_ids: Vec<u8> = new_ids.flat_map(u16::to_be_bytes).collect();
        pdf.stream(glyphs, &compress(&new_ids)?).filter(Filter::FlateDecode);

        let subset = subsetter::subset(self.data, 0, &remapper)?;
        let length = i32::try_from(subset.len()).unwrap_or(i32::MAX);
        let packed = compress(&subset)?;
        let mut stream = pdf.stream(file, &packed);
        stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
        Ok(())
    }

    fn descriptor(&self, pdf: &mut Pdf, descriptor: Ref, file: Ref) {
        let bounds = self.face.global_bounding_box();
        let edge = f32::from;
        pdf.font_descriptor(descriptor)
            .name(Name(self.post_script_name.as_bytes()))
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(
                edge(bounds.x_min),
                edge(bounds.y_min),
                edge(bounds.x_max),
                edge(bounds.y_max),
            ))
            .italic_angle(0.0)
            .ascent(edge(self.face.ascender()))
            .descent(edge(self.face.descender()))
            .cap_height(self.face.capital_height().map_or(UNITS, edge))
            .stem_v(if self.name == "B" { 150.0 } else { 85.0 })
            .font_file2(file);
    }
}

/// Every letter that the font has a shape for.
fn shapes(face: &Face) -> BTreeMap<char, (GlyphId, f32)> {
    let mut shapes = BTreeMap::new();
    let tables = face.tables().cmap.map(|cmap| cmap.subtables).into_iter().flatten();
    for table in tables.filter(ttf_parser::cmap::Subtable::is_unicode) {
        table.codepoints(|code| {
            let glyph = table.glyph_index(code).filter(|glyph| glyph.0 != 0);
            if let Some((letter, glyph)) = char::from_u32(code).zip(glyph) {
                shapes.insert(letter, (glyph, width(face, glyph)));
            }
        });
    }
    shapes
}

fn width(face: &Face, glyph: GlyphId) -> f32 {
    face.glyph_hor_advance(glyph).map_or(0.0, f32::from)
}

/// The bytes, deflated.
pub(super) fn compress(bytes: &[u8]) -> Result<Vec<u8>, std::io::Error> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    std::io::Write::write_all(&mut encoder, bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The promise of the shipped subset: what our own words and most of Europe need.
    #[test]
    fn latin_greek_cyrillic_and_common_signs_have_shapes() {
        for weight in [Weight::Regular, Weight::Bold] {
            let font = Font::new(weight);
            for letter in "Aßçőłżșạ Ωάᾳ Жїў “”–—…•§€№ →⇒≤≥≠≈−×✓✗☐☑●■▪".chars()
            {
                assert_ne!(font.glyph(letter).0, 0, "{letter}");
            }
        }
    }

    #[test]
    fn letters_without_a_shape_get_a_box_and_a_code_of_their_own() {
        let mut font = Font::new(Weight::Regular);
        assert_eq!(font.encode("漢字A漢"), [0, 1, 0, 2, 0, 3, 0, 1]);
        assert_eq!(font.missing().collect::<String>(), "漢字");
        assert!(font.width('漢') > 0.3);
    }

    #[test]
    fn more_letters_than_codes_are_not_a_crash() {
        let mut font = Font::new(Weight::Regular);
        let all: String = (0x20..=0x1_F000).filter_map(char::from_u32).collect();
        assert!(font.encode(&all).ends_with(&[0, 0]));
    }
}
