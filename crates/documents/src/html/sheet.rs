//! Style sheets: rules as text, with the media that they hold for.

use std::collections::HashMap;

/// How deep rules may lie in one another; deeper ones hold for nothing.
const DEPTH_MAX: usize = 32;

/// How many rules of all style sheets of a page are kept.
const RULES_MAX: usize = 50_000;

/// How long a value may become when the variables in it are put in, in bytes.
const VALUE_BYTES_MAX: usize = 1000;

/// The screen that a page is looked at with, in pixels.
pub(super) const SCREEN: (f64, f64) = (1280.0, 800.0);

/// A declaration: its name in lower case, its value as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) is_important: bool,
}

/// A rule as it is written.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) selectors: String,
    pub(super) declarations: Vec<Declaration>,
}

/// The style sheets of a page.
#[derive(Debug, Default)]
pub(super) struct Sheets {
    pub(super) rules: Vec<Rule>,
    /// What names with `--` stand for; where it depends on the element, the last counts.
    pub(super) variables: HashMap<String, String>,
}

/// A block that is open.
#[derive(Clone, Copy)]
struct Block {
    /// Whether its rules hold for what is on the screen.
    applies: bool,
    /// The number of its rule, if it is one.
    rule: Option<usize>,
}

impl Sheets {
    /// Reads a style sheet.
    pub(super) fn read(&mut self, sheet: &str) {
        let sheet = without_comments(sheet);
        let bytes = sheet.as_bytes();
        let mut blocks: Vec<Block> = Vec::new();
        let (mut start, mut at, mut brackets) = (0, 0, 0_usize);
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                quote @ (b'"' | b'\'') => at = end_of_string(bytes, at + 1, quote),
                b'(' | b'[' => brackets += 1,
                b')' | b']' => brackets = brackets.saturating_sub(1),
                b'{' => {
                    let block = self.begin(sheet[start..at].trim(), &blocks);
                    blocks.push(block);
                    (start, brackets) = (at + 1, 0);
                }
                b'}' => {
                    self.declare(&sheet[start..at], blocks.pop());
                    (start, brackets) = (at + 1, 0);
                }
                b';' if brackets == 0 => {
                    self.declare(&sheet[start..at], blocks.last().copied());
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if start < sheet.len() {
            self.declare(&sheet[start..], blocks.pop());
        }
    }

    fn begin(&mut self, head: &str, blocks: &[Block]) -> Block {
        let around = blocks.last();
        let applies = around.is_none_or(|block| block.applies) && blocks.len() < DEPTH_MAX;
        let rule = around.and_then(|block| block.rule);
        if let Some(at) = head.strip_prefix('@') {
            let end = at.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(at.len());
            let (name, query) = at.split_at(end);
            let holds = match name.to_ascii_lowercase().as_str() {
                "media" => holds_on_screen(query),
                "layer" | "scope" | "starting-style" => name != "starting-style",
                "supports" => !query.trim_start().to_ascii_lowercase().starts_with("not"),
                _ => false,
            };
            return Block { applies: applies && holds, rule };
        }
        if !applies || self.rules.len() >= RULES_MAX {
            return Block { applies: false, rule: None };
        }
        let selectors = match rule.and_then(|rule| self.rules.get(rule)) {
            Some(outer) => nested(&outer.selectors, head),
            None => head.to_owned(),
        };
        self.rules.push(Rule { selectors, declarations: Vec::new() });
        Block { applies, rule: Some(self.rules.len() - 1) }
    }

    fn declare(&mut self, text: &str, block: Option<Block>) {
        let Some(Block { applies: true, rule: Some(rule) }) = block else { return };
        let Some(declaration) = declaration(text) else { return };
        if declaration.name.starts_with("--") {
            self.variables.insert(declaration.name, declaration.value);
        } else if let Some(rule) = self.rules.get_mut(rule) {
            rule.declarations.push(declaration);
        }
    }

    /// The declarations of an attribute `style`.
    pub(super) fn of_attribute(style: &str) -> Vec<Declaration> {
        let style = without_comments(style);
        let bytes = style.as_bytes();
        let mut declarations = Vec::new();
        let (mut start, mut at, mut brackets) = (0, 0, 0_usize);
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                quote @ (b'"' | b'\'') => at = end_of_string(bytes, at + 1, quote),
                b'(' => brackets += 1,
                b')' => brackets = brackets.saturating_sub(1),
                b';' if brackets == 0 => {
                    declarations.extend(declaration(&style[start..at]));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        declarations.extend(style.get(start..).and_then(declaration));
        declarations
    }

    /// A value with its variables put in, in lower case.
    pub(super) fn resolved(&self, value: &str) -> String {
        let mut value = value.to_owned();
        for _ in 0..4 {
            let Some(at) = value.find("var(") else { break };
            let rest = &value[at + 4..];
            let Some(end) = end_of_bracket(rest) else { break };
            let (name, fallback) = match rest[..end].split_once(',') {
                Some((name, fallback)) => (name.trim(), fallback.trim()),
                None => (rest[..end].trim(), ""),
            };
            let known = self.variables.get(name).map_or(fallback, String::as_str);
            let whole = format!("{}{known}{}", &value[..at], &rest[end + 1..]);
            if whole.len() > VALUE_BYTES_MAX {
                break;
            }
            value = whole;
        }
        value.to_ascii_lowercase()
    }
}

/// Where the bracket that was opened before a text is closed.
pub(super) fn end_of_bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        let ends = byte == b')' && depth == 0;
        depth = match byte {
            b'(' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        ends
    })
}

/// The selectors of a rule that lies in another.
fn nested(outer: &str, inner: &str) -> String {
    if outer.len() + inner.len() > VALUE_BYTES_MAX {
        return String::new();
    }
    let outer = format!(":is({outer})");
    let own = inner.split(',').map(|selector| match selector.trim() {
        selector if selector.contains('&') => selector.replace('&', &outer),
        selector => format!("{outer} {selector}"),
    });
    own.collect::<Vec<_>>().join(",")
}

fn declaration(text: &str) -> Option<Declaration> {
    let (name, value) = text.split_once(':')?;
    let name = unescaped(name.trim());
    let is_variable = name.starts_with("--");
    let name = if is_variable { name } else { name.to_ascii_lowercase() };
    let value = unescaped(value.trim());
    let bare = value.trim_end();
    let (value, is_important) = match bare.rfind('!') {
        Some(at) if bare[at + 1..].trim().eq_ignore_ascii_case("important") => {
            (bare[..at].trim_end(), true)
        }
        _ => (bare, false),
    };
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then(|| Declaration { name, value: value.to_owned(), is_important })
}

/// A sheet without its comments; what looks like one in a string is none.
fn without_comments(sheet: &str) -> String {
    let bytes = sheet.as_bytes();
    let mut kept = String::with_capacity(sheet.len());
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            quote @ (b'"' | b'\'') => at = end_of_string(bytes, at + 1, quote),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                kept.push_str(&sheet[start..at]);
                let end = sheet[at + 2..].find("*/").map_or(sheet.len(), |end| at + 4 + end);
                (start, at) = (end, end - 1);
            }
            _ => {}
        }
        at += 1;
    }
    kept.push_str(sheet.get(start..).unwrap_or_default());
    kept
}

/// The byte of the quotation mark that ends a string, or the last before the line ends.
fn end_of_string(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// A text with its escapes (`\6f`, `\:`) put in.
pub(super) fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits > 0 {
            let code = u32::from_str_radix(&rest[..digits], 16).unwrap_or(0);
            plain.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = rest[digits..].strip_prefix(char::is_whitespace).unwrap_or(&rest[digits..]);
        } else if let Some(c) = rest.chars().next() {
            plain.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    plain.push_str(rest);
    plain
}

/// Whether one of the media of a query is a usual screen.
pub(super) fn holds_on_screen(query: &str) -> bool {
    let query = query.trim().to_ascii_lowercase();
    query.is_empty() || query.split(',').any(|one| holds(one.trim()))
}

fn holds(query: &str) -> bool {
    let (query, is_negated) = match query.strip_prefix("not ") {
        Some(rest) => (rest.trim(), true),
        None => (query.strip_prefix("only ").unwrap_or(query).trim(), false),
    };
    let any =
        query.split(" or ").any(|option| option.split(" and ").all(|part| feature(part.trim())));
    any != is_negated
}

/// Whether a part of a query holds: a kind of medium, or `(min-width: 40em)`.
fn feature(part: &str) -> bool {
    let Some(inner) = part.strip_prefix('(') else {
        return matches!(part, "all" | "screen" | "");
    };
    let inner = inner.trim_end_matches(')');
    let Some((name, value)) = inner.split_once(':') else {
        return is_range_met(inner);
    };
    let (name, value) = (name.trim(), value.trim());
    let (width, height) = SCREEN;
    let side = if name.ends_with("height") { height } else { width };
    match name {
        "min-width" | "min-height" | "min-device-width" => {
            pixels(value).is_some_and(|least| side >= least)
        }
        "max-width" | "max-height" | "max-device-width" => {
            pixels(value).is_some_and(|most| side <= most)
        }
        "width" | "height" => pixels(value) == Some(side),
        "orientation" => value == "landscape",
        "prefers-color-scheme" => value == "light",
        "prefers-reduced-motion" | "prefers-contrast" => value == "no-preference",
        "hover" | "any-hover" => value == "hover",
        "pointer" | "any-pointer" => value == "fine",
        _ => false,
    }
}

/// `width >= 40em`, `400px <= width`.
fn is_range_met(inner: &str) -> bool {
    let Some(at) = inner.find(['<', '>']) else { return matches!(inner.trim(), "color" | "hover") };
    let is_less = inner[at..].starts_with('<');
    let (left, right) = (inner[..at].trim(), inner[at + 1..].trim_start_matches('=').trim());
    let value = |side: &str| match side {
        "width" => Some(SCREEN.0),
        "height" => Some(SCREEN.1),
        other => pixels(other),
    };
    match (value(left), value(right)) {
        (Some(left), Some(right)) if is_less => left <= right,
        (Some(left), Some(right)) => left >= right,
        _ => false,
    }
}

/// A length of a query in pixels.
fn pixels(value: &str) -> Option<f64> {
    let end = value.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(value.len());
    let number: f64 = value[..end].trim().parse().ok()?;
    match &value[end..] {
        "px" | "" => Some(number),
        "em" | "rem" => Some(16.0 * number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(sheet: &str) -> Vec<String> {
        let mut sheets = Sheets::default();
        sheets.read(sheet);
        let one = |rule: &Rule| {
            let own: Vec<String> =
                rule.declarations.iter().map(|one| format!("{}:{}", one.name, one.value)).collect();
            format!("{} {}", rule.selectors, own.join(";"))
        };
        sheets.rules.iter().map(one).collect()
    }

    #[test]
    fn rules_are_read_with_what_is_around_them() {
        assert_eq!(rules("a{b:c;d:e!important} f,g{}"), ["a b:c;d:e", "f,g "]);
        assert_eq!(rules("@import 'x;y';a{b:'}'}"), ["a b:'}'"]);
        assert_eq!(rules("@media print{a{b:c}}@media screen{d{e:f}}"), ["d e:f"]);
        assert_eq!(rules("a{b:c; &:hover{d:e} f{g:h}}").len(), 3);
        assert_eq!(rules("@font-face{a:b}c{d:url(x;y)}"), ["c d:url(x;y)"]);
        assert_eq!(rules("a{b:c"), ["a b:c"]);
        assert!(rules("}}{{;;").is_empty() || !rules("}}{{;;").is_empty());
    }

    #[test]
    fn media_are_those_of_a_screen() {
        for query in [
            "",
            "all",
            "screen and (min-width: 40em)",
            "print, screen",
            "not print",
            "(width >= 400px)",
        ] {
            assert!(holds_on_screen(query), "{query}");
        }
        for query in
            ["print", "not screen", "(max-width:600px)", "(prefers-color-scheme: dark)", "speech"]
        {
            assert!(!holds_on_screen(query), "{query}");
        }
    }

    #[test]
    fn variables_and_escapes_are_put_in() {
        let mut sheets = Sheets::default();
        sheets.read(":root{--a:None;--b:var(--a)}");
        assert_eq!(sheets.resolved("var(--b)"), "none");
        assert_eq!(sheets.resolved("var(--c, block)"), "block");
        assert_eq!(unescaped("n\\6f ne\\:x\\"), "none:x");
    }
}
