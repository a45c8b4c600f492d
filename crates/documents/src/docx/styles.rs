//! What the styles of a Word document make of a paragraph: a heading, a numbered item.

use std::collections::BTreeMap;

use super::colours::{Ground, Theme};
use super::look::Look;
use crate::xml::{Element, Step, XmlProblem, walk};

/// How many styles may be based on one another.
const CHAIN_MAX: usize = 20;

/// The styles of a document by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
    /// How letters look where nothing else is said.
    defaults: Look,
    /// The style of paragraphs that name none.
    usual: Option<String>,
}

/// What one style says; what it does not say, the style it is based on says.
#[derive(Debug, Default, Clone)]
struct Style {
    based_on: Option<String>,
    heading: Option<u8>,
    number: Option<String>,
    number_level: Option<usize>,
    /// How its letters look, and what is behind its paragraphs.
    look: Look,
    ground: Option<Ground>,
    /// Whether it is a style of tables that puts colours behind cells.
    colours_cells: bool,
}

impl Styles {
    pub(super) fn read(xml: &[u8], theme: &Theme) -> Result<Self, XmlProblem> {
        let mut styles = Self::default();
        let mut current: Option<(String, Style)> = None;
        // Properties of runs, and how those were before a tracked change.
        let (mut in_run, mut is_former) = (false, 0_usize);
        walk(xml, |step| {
            match step {
                Step::Open(element) if element.name.ends_with("PrChange") => is_former += 1,
                Step::Close(name) if name.ends_with("PrChange") => is_former -= 1,
                _ if is_former > 0 => {}
                Step::Open(element) if element.name == "style" => {
                    let id = element.attribute("styleId").unwrap_or_default();
                    let is = |name, value| element.attribute(name).as_deref() == Some(value);
                    if is("type", "paragraph") && (is("default", "1") || is("default", "true")) {
                        styles.usual = Some(id.clone());
                    }
                    current = Some((id, Style::default()));
                }
                Step::Open(element) if element.name == "rPr" => in_run = true,
                Step::Close("rPr") => in_run = false,
                Step::Open(element) => match &mut current {
                    Some((_, style)) if in_run => style.look.take(&element, theme),
                    Some((_, style)) => style.take(&element, theme),
                    None if in_run => styles.defaults.take(&element, theme),
                    None => {}
                },
                Step::Close("style") => styles.by_id.extend(current.take()),
                Step::Close(_) | Step::Text(_) => {}
            }
            Ok::<(), XmlProblem>(())
        })?;
        Ok(styles)
    }

    /// The level of the heading that paragraphs of a style are.
    pub(super) fn heading(&self, id: &str) -> Option<u8> {
        self.chain(id).find_map(|style| style.heading)
    }

    /// How letters of a style look.
    pub(super) fn look(&self, id: &str) -> Look {
        self.chain(id).fold(Look::default(), |look, style| look.or(style.look))
    }

    /// How letters of a paragraph look, and what is behind it, before it says anything itself.
    pub(super) fn paragraph(&self, id: Option<&str>) -> (Look, Ground) {
        let id = id.or(self.usual.as_deref()).unwrap_or_default();
        let ground = self.chain(id).find_map(|style| style.ground);
        (self.look(id).or(self.defaults), ground.unwrap_or(Ground::Clear))
    }

    /// Whether tables of a style have colours behind their cells.
    pub(super) fn colours_cells(&self, id: &str) -> bool {
        self.chain(id).any(|style| style.colours_cells)
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
    fn take(&mut self, element: &Element<'_>, theme: &Theme) {
        if element.name == "shd" {
            let ground = theme.ground(element);
            self.colours_cells |= ground != Ground::Clear;
            self.ground = Some(ground);
        }
        let Some(value) = element.attribute("val") else { return };
        match element.name {
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
        let styles = Styles::read(xml, &Theme::default()).unwrap();
        assert_eq!(styles.heading("berschrift2"), Some(2));
        assert_eq!(styles.heading("Mine"), Some(2));
        assert_eq!(styles.number("Mine"), Some(("4".to_owned(), 1)));
        assert_eq!(styles.heading("Body"), None);
        assert_eq!(styles.heading("Loop"), None);
        assert_eq!(styles.heading("unknown"), None);
    }
}
