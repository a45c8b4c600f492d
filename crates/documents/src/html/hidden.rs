//! What a page hides from its readers: by attributes, by styles on elements, and by simple rules
//! of its style sheets.

use std::collections::BTreeSet;

use super::tokens::attribute;

/// How many names of a style sheet are kept.
const NAMES_MAX: usize = 10_000;

/// Letters smaller than this are not read by people, in points or pixels.
const FONT_SIZE_MIN: f64 = 3.0;

/// What is moved this far to the left or up is not on the screen.
const OFF_SCREEN: f64 = -500.0;

/// What the style sheets of a page hide.
#[derive(Debug, Default)]
pub(super) struct Hiding {
    /// Simple selectors: `.class`, `#id`, `element`.
    selectors: BTreeSet<String>,
    /// Whether the page has colours behind its text, so that white letters may be seen.
    has_background: bool,
}

impl Hiding {
    /// Reads a style sheet: rules of simple selectors; what holds only for some media is left.
    pub(super) fn read(&mut self, sheet: &str) {
        self.has_background |= sheet.contains("background");
        let mut depth = 0_usize;
        let mut start = 0;
        let mut selectors = "";
        let mut in_media = 0_usize;
        for (at, byte) in sheet.bytes().enumerate() {
            match byte {
                b'{' => {
                    depth += 1;
                    selectors = sheet[start..at].trim();
                    in_media += usize::from(selectors.starts_with('@') || in_media > 0);
                    start = at + 1;
                }
                b'}' => {
                    let declarations = &sheet[start..at];
                    if depth == 1 && in_media == 0 && hides(declarations) {
                        self.keep(selectors);
                    }
                    depth = depth.saturating_sub(1);
                    in_media = in_media.saturating_sub(1);
                    start = at + 1;
                }
                _ => {}
            }
        }
    }

    fn keep(&mut self, selectors: &str) {
        for selector in selectors.split(',').map(str::trim) {
            let name = selector.trim_start_matches(['.', '#']);
            let is_simple = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            if is_simple && self.selectors.len() < NAMES_MAX {
                self.selectors.insert(selector.to_owned());
            }
        }
    }

    /// Whether an element with these attributes is not shown.
    pub(super) fn hides(&mut self, name: &str, attributes: &str) -> bool {
        let style = attribute(attributes, "style").unwrap_or_default();
        let is_coloured =
            style.contains("background") || attribute(attributes, "bgcolor").is_some();
        self.has_background |= is_coloured;
        let by_rule = || {
            let classes = attribute(attributes, "class").unwrap_or_default();
            let id = attribute(attributes, "id").unwrap_or_default();
            let mut own = classes.split_whitespace().map(|class| format!(".{class}"));
            own.any(|class| self.selectors.contains(&class))
                || self.selectors.contains(&format!("#{id}"))
                || self.selectors.contains(name)
        };
        if !self.selectors.is_empty() && by_rule() {
            return true;
        }
        let is_true = |value: &str| value.eq_ignore_ascii_case("true");
        !attributes.is_empty()
            && (attribute(attributes, "hidden").is_some()
                || attribute(attributes, "aria-hidden").is_some_and(is_true)
                || hides(style)
                || (!self.has_background && is_in_white(style)))
    }
}

/// Whether declarations of a style hide what they hold for.
fn hides(declarations: &str) -> bool {
    let lower = declarations.to_ascii_lowercase();
    parts(&lower).any(|(name, value)| match name {
        "display" => value == "none",
        "visibility" => matches!(value, "hidden" | "collapse"),
        "opacity" => number(value).is_some_and(|opacity| opacity < 0.1),
        "font-size" => is_tiny(value),
        "left" | "top" | "text-indent" | "margin-left" => {
            number(value).is_some_and(|moved| moved <= OFF_SCREEN)
        }
        _ => false,
    })
}

/// Whether a style makes letters white.
fn is_in_white(declarations: &str) -> bool {
    let lower = declarations.to_ascii_lowercase();
    parts(&lower).any(|(name, value)| name == "color" && is_white(value))
}

/// The declarations of a style, as names and values.
fn parts(lower: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = lower.split(';').filter_map(|declaration| declaration.split_once(':'));
    pairs.map(|(name, value)| (name.trim(), value.trim().trim_end_matches("!important").trim()))
}

/// The number that a value begins with.
fn number(value: &str) -> Option<f64> {
    let end = value.find(|c: char| !c.is_ascii_digit() && !".-+".contains(c));
    value[..end.unwrap_or(value.len())].parse().ok()
}

/// Whether letters of a size are too small for people. Sizes in `em` and `%` are shares of others.
fn is_tiny(value: &str) -> bool {
    let Some(size) = number(value) else { return false };
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || ".-+".contains(c));
    size <= 0.0 || (matches!(unit, "px" | "pt") && size < FONT_SIZE_MIN)
}

fn is_white(value: &str) -> bool {
    let plain: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(
        plain.as_str(),
        "white"
            | "#fff"
            | "#ffffff"
            | "#fefefe"
            | "transparent"
            | "rgb(255,255,255)"
            | "rgba(0,0,0,0)"
    )
}
