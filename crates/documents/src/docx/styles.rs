//! What the styles of a Word document make of a paragraph: a heading, a numbered item.

use std::collections::BTreeMap;

use crate::xml::{Step, XmlProblem, walk};

/// How many styles may be based on one another.
const CHAIN_MAX: usize = 20;

/// The styles of a document by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
}

/// What one style says; what it does not say, the style it is based on says.
#[derive(Debug, Default, Clone)]
struct Style {
    based_on: Option<String>,
    heading: Option<u8>,
    number: Option<String>,
    number_level: Option<usize>,
    is_hidden: Option<bool>,
}

impl Styles {
    pub(super) fn read(xml: &[u8]) -> Result<Self, XmlProblem> {
        let mut styles = Self::default();
        let mut current: Option<(String, Style)> = None;
        walk(xml, |step| {
            match step {
                Step::Open(element) if element.name == "style" => {
                    let id = element.attribute("styleId").unwrap_or_default();
                    current = Some((id, Style::default()));
                }
                Step::Open(element) => {
                    if let Some((_, style)) = &mut current {
                        if element.name == "vanish" {
                            style.is_hidden = Some(element.is_on());
                        }
                        style.take(element.name, element.attribute("val"));
                    }
                }
                Step::Close("style") => styles.by_id.extend(current.take()),
                _ => {}
            }
            Ok::<(), XmlProblem>(())
        })?;
        Ok(styles)
    }

    /// The level of the heading that paragraphs of a style are.
    pub(super) fn heading(&self, id: &str) -> Option<u8> {
        self.chain(id).find_map(|style| style.heading)
    }

    /// Whether a style hides its text.
    pub(super) fn is_hidden(&self, id: &str) -> bool {
        self.chain(id).find_map(|style| style.is_hidden).unwrap_or(false)
    }

    /// The list that paragraphs of a style belong to, and the level in it.
    pub(super) fn number(&self, id: &str) -> Option<(String, usize)> {
        let number = self.chain(id).find_map(|style| style.number.clone())?;
        Some((number, self.chain(id).find_map(|style| style.number_level).unwrap_or(0)))
    }

    fn chain(&self, id: &str) -> impl Iterator<Item = &Style> {
        let above = |style: &&Style| self.by_id.get(style.based_on.as_deref()?);
        std::iter::successors(self.by_id.get(id), above).take(CHAIN_MAX)
    }
}

impl Style {
    fn take(&mut self, property: &str, value: Option<String>) {
        let Some(value) = value else { return };
        match property {
            "name" => self.heading = heading_of_name(&value).or(self.heading),
            "basedOn" => self.based_on = Some(value),
            "outlineLvl" => self.heading = heading_of_outline(&value),
            "numId" => self.number = Some(value),
            "ilvl" => self.number_level = value.parse().ok(),
            _ => {}
        }
    }
}

/// The level of a heading from Word's level in the outline, where 9 is body text.
pub(super) fn heading_of_outline(value: &str) -> Option<u8> {
    value.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1)
}

/// The built-in names are English in every language of Word.
fn heading_of_name(name: &str) -> Option<u8> {
    let name = name.to_ascii_lowercase();
    match name.strip_prefix("heading ") {
        Some(level) => level.parse().ok().filter(|level| (1..=9).contains(level)),
        None => (name == "title").then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_takes_what_it_does_not_say_from_the_one_below() {
        let xml = br#"<w:styles>
            <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
            <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/>
              <w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr></w:pPr></w:style>
            <w:style w:styleId="Body"><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
            <w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>"#;
        let styles = Styles::read(xml).unwrap();
        assert_eq!(styles.heading("berschrift2"), Some(2));
        assert_eq!(styles.heading("Mine"), Some(2));
        assert_eq!(styles.number("Mine"), Some(("4".to_owned(), 1)));
        assert_eq!(styles.heading("Body"), None);
        assert_eq!(styles.heading("Loop"), None);
        assert_eq!(styles.heading("unknown"), None);
    }
}
