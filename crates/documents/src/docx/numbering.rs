//! The numbers that Word puts before list items and headings: they are not in the text.

use std::collections::BTreeMap;

use crate::xml::{Element, Step, XmlProblem, walk};

/// How many levels a list has in Word.
const LEVELS: usize = 9;

/// The lists of a document and how far each has counted.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// What the levels of each kind of list look like.
    kinds: BTreeMap<String, [Level; LEVELS]>,
    /// The kind of each list, and whether it counts for itself.
    lists: BTreeMap<String, (String, bool)>,
    counts: BTreeMap<String, [Option<u32>; LEVELS]>,
}

#[derive(Debug, Clone)]
struct Level {
    start: u32,
    format: String,
    text: String,
}

impl Default for Level {
    fn default() -> Self {
        Self { start: 1, format: "decimal".to_owned(), text: String::new() }
    }
}

impl Numbering {
    pub(super) fn read(xml: &[u8]) -> Result<Self, XmlProblem> {
        let mut numbering = Self::default();
        let mut kind = String::new();
        let mut list = String::new();
        let mut level = None;
        walk(xml, |step| {
            let Step::Open(element) = step else { return Ok(()) };
            match element.name {
                "abstractNum" => {
                    kind = element.attribute("abstractNumId").unwrap_or_default();
                    numbering.kinds.entry(kind.clone()).or_default();
                }
                "num" => {
                    list = element.attribute("numId").unwrap_or_default();
                    kind.clear();
                }
                "abstractNumId" => {
                    let kind = element.attribute("val").unwrap_or_default();
                    numbering.lists.insert(list.clone(), (kind, false));
                }
                "lvlOverride" => {
                    if let Some((_, own)) = numbering.lists.get_mut(&list) {
                        *own = true;
                    }
                }
                "lvl" => level = element.attribute("ilvl").and_then(|level| level.parse().ok()),
                _ => numbering.property(&kind, level, &element),
            }
            Ok::<(), XmlProblem>(())
        })?;
        Ok(numbering)
    }

    fn property(&mut self, kind: &str, level: Option<usize>, element: &Element<'_>) {
        let Some(levels) = self.kinds.get_mut(kind) else { return };
        let Some(level) = level.and_then(|level| levels.get_mut(level)) else { return };
        let Some(value) = element.attribute("val") else { return };
        match element.name {
            "start" => level.start = value.parse().unwrap_or(1),
            "numFmt" => level.format = value,
            "lvlText" => level.text = value,
            _ => {}
        }
    }

    /// The label of the next item of a list: `3.1 `, `(a) `, `- `; empty for an unknown list.
    pub(super) fn next(&mut self, list: &str, level: usize) -> String {
        let Some((kind, own)) = self.lists.get(list) else { return String::new() };
        let Some(levels) = self.kinds.get(kind) else { return String::new() };
        let level = level.min(LEVELS - 1);
        let counter = if *own { format!("list {list}") } else { format!("kind {kind}") };
        let counts = self.counts.entry(counter).or_default();
        let next = counts[level].map_or(levels[level].start, |count| count.saturating_add(1));
        counts[level] = Some(next);
        counts[level + 1..].fill(None);
        if levels[level].format == "bullet" {
            return "- ".to_owned();
        }
        let mut label = levels[level].text.clone();
        for (index, shape) in levels.iter().enumerate() {
            let mark = format!("%{}", index + 1);
            if label.contains(&mark) {
                let count = counts[index].unwrap_or(shape.start);
                label = label.replace(&mark, &written(count, &shape.format));
            }
        }
        if label.trim().is_empty() { String::new() } else { format!("{} ", label.trim()) }
    }
}

/// The longest row of Roman numerals or equal letters that is written out.
const WRITTEN_MAX: u32 = 3999;

fn written(count: u32, format: &str) -> String {
    match format {
        "none" => String::new(),
        "decimalZero" => format!("{count:02}"),
        "lowerLetter" | "upperLetter" if (1..=WRITTEN_MAX).contains(&count) => {
            // After z come aa, bb, cc.
            let letter = char::from(b'a' + u8::try_from((count - 1) % 26).unwrap_or(0));
            let letters = letter.to_string().repeat(1 + (count - 1) as usize / 26);
            if format == "upperLetter" { letters.to_uppercase() } else { letters }
        }
        "lowerRoman" if (1..=WRITTEN_MAX).contains(&count) => roman(count).to_lowercase(),
        "upperRoman" if (1..=WRITTEN_MAX).contains(&count) => roman(count),
        _ => count.to_string(),
    }
}

fn roman(mut count: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut written = String::new();
    for (worth, sign) in SIGNS {
        while count >= worth {
            written += sign;
            count -= worth;
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &[u8] = br#"<w:numbering>
        <w:abstractNum w:abstractNumId="7">
          <w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
          <w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
          <w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xf0b7;"/></w:lvl>
        </w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
        <w:num w:numId="2"><w:abstractNumId w:val="7"/>
          <w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
        </w:numbering>"#;

    #[test]
    fn items_count_on_and_deeper_levels_begin_again() {
        let mut numbering = Numbering::read(XML).unwrap();
        let mut next = |list, level| numbering.next(list, level);
        assert_eq!(next("1", 0), "3. ");
        assert_eq!(next("1", 1), "3.a) ");
        assert_eq!(next("1", 1), "3.b) ");
        assert_eq!(next("1", 2), "- ");
        assert_eq!(next("1", 0), "4. ");
        assert_eq!(next("1", 1), "4.a) ");
        assert_eq!(next("2", 0), "3. ", "a list with its own start counts for itself");
        assert_eq!(next("9", 0), "");
        assert_eq!(next("1", 99), "");
    }

    #[test]
    fn counts_are_written_as_the_format_says() {
        assert_eq!(written(1994, "upperRoman"), "MCMXCIV");
        assert_eq!(written(28, "lowerLetter"), "bb");
        assert_eq!(written(7, "decimalZero"), "07");
        assert_eq!(written(0, "lowerRoman"), "0");
        assert_eq!(written(u32::MAX, "upperLetter"), "4294967295");
    }
}
