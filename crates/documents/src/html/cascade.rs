//! Which style every element of a page has: by its attributes, by the rules of the style sheets
//! that mean it, and by the element that it lies in.

use std::collections::HashMap;

use super::colour::Colour;
use super::selector::{Key, Selector};
use super::sheet::{Sheets, holds_on_screen};
use super::style::{Declarations, Set, Style, Unseen};
use super::tokens::attribute;
use super::tree::{BLOCKS, Element, Event, Page, decoded};
use super::values::{Ground, Ink, Length};
use crate::error::{DocumentError, Result};

/// How many steps it may take to find what the style sheets of a page mean.
const STEPS_MAX: usize = 30_000_000;

/// Elements whose content is not shown as text.
const NO_TEXT: [&str; 14] = [
    "script", "style", "title", "template", "noscript", "svg", "iframe", "object", "canvas",
    "audio", "video", "noembed", "noframes", "datalist",
];

/// Elements that show something without text, which text may lie over.
const PICTURES: [&str; 7] = ["img", "picture", "video", "canvas", "svg", "object", "iframe"];

/// How much a declaration counts: whether it is important, whether it is the element's own, how
/// precisely its selector means the element, and how late it comes.
type Weight = (bool, bool, [u32; 3], usize);

/// The rules of a page that say something about being seen.
struct Rules {
    rules: Vec<(Selector, Vec<(Set, bool)>)>,
    by_key: HashMap<Key, Vec<usize>>,
}

/// The style of every element of a page.
pub(super) fn styles(page: &Page<'_>, html: &str) -> Result<Vec<Style>> {
    let sheets = sheets(page, html);
    let rules = Rules::new(&sheets);
    let has_ground =
        |(_, sets): &(Selector, Vec<(Set, bool)>)| sets.iter().any(|(set, _)| is_coloured(set));
    let has_pictures = rules.rules.iter().any(has_ground)
        || page.elements.iter().any(|element| {
            PICTURES.contains(&element.name.as_str())
                || attribute(element.attributes, "bgcolor").is_some()
                || attribute(element.attributes, "style").is_some_and(|style| {
                    style.contains("background")
                        && own(style, &sheets).iter().any(|(set, _)| is_coloured(set))
                })
        });
    let mut styles: Vec<Style> = Vec::with_capacity(page.elements.len());
    let mut steps = 0;
    for (number, element) in page.elements.iter().enumerate() {
        let around = element.parent.map_or(Style::PLAIN, |parent| styles[parent]);
        let declared = rules.declared(page, number, &sheets, &mut steps);
        if steps > STEPS_MAX {
            let reason = "its style sheets take too long to apply".to_owned();
            return Err(DocumentError::TooLarge(reason));
        }
        let name = element.name.as_str();
        let is_inline = !BLOCKS.contains(&name)
            && super::level(name).is_none()
            && !matches!(name, "td" | "th" | "button");
        let mut style = around.inner(&declared, number, is_inline, has_pictures);
        let is_true = |value: &str| value.eq_ignore_ascii_case("true");
        if NO_TEXT.contains(&name) {
            style.hide(Unseen::NoText, number);
        } else if attribute(element.attributes, "aria-hidden").is_some_and(is_true) {
            style.hide(Unseen::NotShown, number);
        }
        styles.push(style);
    }
    Ok(styles)
}

/// The style sheets of a page that hold for a screen.
fn sheets(page: &Page<'_>, html: &str) -> Sheets {
    let mut sheets = Sheets::default();
    for event in &page.events {
        let Event::Text(element, range) = event else { continue };
        let element = &page.elements[*element];
        let media = || attribute(element.attributes, "media").unwrap_or_default();
        if element.name == "style" && holds_on_screen(media()) {
            sheets.read(&html[range.clone()]);
        }
    }
    for element in &page.elements {
        let style = attribute(element.attributes, "style").filter(|style| style.contains("--"));
        let declarations = style.map(|style| Sheets::of_attribute(&decoded(style)));
        for declaration in declarations.into_iter().flatten() {
            if declaration.name.starts_with("--") {
                sheets.variables.insert(declaration.name, declaration.value);
            }
        }
    }
    sheets
}

/// Whether a declaration puts a colour behind something.
fn is_coloured(set: &Set) -> bool {
    match set {
        Set::Ground(Some(Ground::Unknown)) => true,
        Set::Ground(Some(Ground::Is(colour))) => {
            !colour.over(Colour::WHITE).looks_like(Colour::WHITE)
        }
        _ => false,
    }
}

/// What an attribute `style` declares, and whether that is important.
fn own(style: &str, sheets: &Sheets) -> Vec<(Set, bool)> {
    let declarations = Sheets::of_attribute(&decoded(style));
    let set = |one: super::sheet::Declaration| {
        Some((Set::parse(&one.name, &sheets.resolved(&one.value))?, one.is_important))
    };
    declarations.into_iter().filter_map(set).collect()
}

impl Rules {
    fn new(sheets: &Sheets) -> Self {
        let mut rules = Self { rules: Vec::new(), by_key: HashMap::new() };
        for rule in &sheets.rules {
            let sets: Vec<(Set, bool)> = rule
                .declarations
                .iter()
                .filter_map(|one| {
                    Some((Set::parse(&one.name, &sheets.resolved(&one.value))?, one.is_important))
                })
                .collect();
            if sets.is_empty() {
                continue;
            }
            for selector in Selector::list(&rule.selectors) {
                rules.by_key.entry(selector.key()).or_default().push(rules.rules.len());
                rules.rules.push((selector, sets.clone()));
            }
        }
        rules
    }

    /// What is declared for an element.
    fn declared(
        &self,
        page: &Page<'_>,
        number: usize,
        sheets: &Sheets,
        steps: &mut usize,
    ) -> Declarations {
        let element = &page.elements[number];
        let mut found: Vec<(Weight, Set)> = Vec::new();
        for key in keys(element).filter(|_| !self.rules.is_empty()) {
            for index in self.by_key.get(&key).into_iter().flatten() {
                let (selector, sets) = &self.rules[*index];
                *steps += 1;
                // Beyond the limit the page is refused: what is found here does not count.
                if *steps > STEPS_MAX || !selector.means(page, number, steps) {
                    continue;
                }
                *steps += sets.len();
                found.extend(sets.iter().map(|(set, is_important)| {
                    ((*is_important, false, selector.specificity, *index), *set)
                }));
            }
        }
        if let Some(style) = attribute(element.attributes, "style") {
            found.extend(
                own(style, sheets)
                    .into_iter()
                    .map(|(set, is_important)| ((is_important, true, [0; 3], 0), set)),
            );
        }
        // Stable: of declarations that weigh the same, the later one stays the later.
        found.sort_by_key(|(weight, _)| *weight);
        let mut declared = Declarations::default();
        for set in hints(element) {
            declared.take(set);
        }
        for (_, set) in found {
            declared.take(set);
        }
        declared
    }
}

/// What rules that mean an element are looked up by.
fn keys(element: &Element<'_>) -> impl Iterator<Item = Key> {
    let id = element.id.iter().map(|id| Key::Id(id.to_string()));
    let classes = element.classes.iter().map(|class| Key::Class(class.to_string()));
    let name = [Key::Name(element.name.clone()), Key::All];
    id.chain(classes).chain(name)
}

/// What attributes other than `style` say; any rule counts more.
fn hints(element: &Element<'_>) -> Vec<Set> {
    let Element { name, attributes, .. } = element;
    if attributes.is_empty() && name != "dialog" {
        return Vec::new();
    }
    let value = |name: &str| attribute(attributes, name);
    let mut sets = Vec::new();
    let is_closed = name == "dialog" && value("open").is_none();
    if is_closed || value("hidden").is_some() || value("popover").is_some() {
        sets.push(Set::Display { is_none: true, is_inline: false });
    }
    let ground = value("bgcolor").and_then(Colour::of_attribute);
    sets.extend(ground.map(|colour| Set::Ground(Some(Ground::Is(colour)))));
    let ink = match name.as_str() {
        "font" => value("color"),
        "body" => value("text"),
        _ => None,
    };
    sets.extend(ink.and_then(Colour::of_attribute).map(|colour| Set::Ink(Ink::Is(colour))));
    if name == "small" {
        sets.push(Set::FontSize(Length::Em(0.83)));
    }
    sets
}
