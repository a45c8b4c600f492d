//! Selectors of style sheets, and which elements they mean.

use super::sheet::{end_of_bracket, unescaped};
use super::tokens::attribute;
use super::tree::Page;

/// How deep selectors may lie in one another.
const DEPTH_MAX: usize = 8;
/// How many parts one selector may have.
const PARTS_MAX: usize = 64;

/// A selector such as `#q > p.x`: its parts from right to left.
#[derive(Debug)]
pub(super) struct Selector {
    parts: Vec<Part>,
    /// How much it counts against others: ids, classes, names.
    pub(super) specificity: [u32; 3],
}

/// A part of a selector: what an element must be, and where the part to its left is looked for.
#[derive(Debug, Default)]
struct Part {
    tests: Vec<Test>,
    left: Combinator,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    /// The part is the leftmost.
    #[default]
    None,
    Around,
    Parent,
    Before,
    Sibling,
}

/// What an element must be.
#[derive(Debug)]
enum Test {
    /// Any element is.
    All,
    Name(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        operator: Option<char>,
        value: String,
    },
    Any(Vec<Selector>),
    None(Vec<Selector>),
    Nth {
        step: i64,
        first: i64,
        from_end: bool,
    },
    Root,
    Empty,
    /// Only while somebody points at it, or for what is not an element.
    Never,
}

/// What a selector is looked up by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Id(String),
    Class(String),
    Name(String),
    All,
}

impl Selector {
    /// The selectors of a list; those that are not understood hold for nothing.
    pub(super) fn list(text: &str) -> Vec<Self> {
        list_within(text, 0)
    }

    /// What the elements it means have at least.
    pub(super) fn key(&self) -> Key {
        let tests = self.parts.first().map_or(&[][..], |part| &part.tests);
        let mut key = Key::All;
        for test in tests {
            match test {
                Test::Id(id) => return Key::Id(id.clone()),
                Test::Class(class) => key = Key::Class(class.clone()),
                Test::Name(name) if key == Key::All => key = Key::Name(name.clone()),
                _ => {}
            }
        }
        key
    }

    /// Whether it means an element. Every element that is looked at is a step.
    pub(super) fn means(&self, page: &Page<'_>, element: usize, steps: &mut usize) -> bool {
        means(&self.parts, page, element, steps)
    }
}

fn means(parts: &[Part], page: &Page<'_>, element: usize, steps: &mut usize) -> bool {
    let Some((part, rest)) = parts.split_first() else { return true };
    *steps += 1;
    if !part.tests.iter().all(|test| test.holds(page, element, steps)) {
        return false;
    }
    let mut beside = std::iter::successors(page.elements[element].previous, |before| {
        page.elements[*before].previous
    });
    match part.left {
        Combinator::None => true,
        Combinator::Parent => {
            page.elements[element].parent.is_some_and(|outer| means(rest, page, outer, steps))
        }
        Combinator::Around => page.around(element).any(|outer| means(rest, page, outer, steps)),
        Combinator::Before => beside.next().is_some_and(|before| means(rest, page, before, steps)),
        Combinator::Sibling => beside.any(|before| means(rest, page, before, steps)),
    }
}

impl Test {
    fn holds(&self, page: &Page<'_>, number: usize, steps: &mut usize) -> bool {
        let element = &page.elements[number];
        match self {
            Self::All => true,
            Self::Name(name) => element.name == *name,
            Self::Id(id) => element.id.as_deref() == Some(id),
            Self::Class(class) => {
                *steps += element.classes.len();
                element.classes.iter().any(|own| own == class)
            }
            Self::Attribute { name, operator, value } => {
                *steps += element.attributes.len() / 8;
                attribute(element.attributes, name)
                    .is_some_and(|own| compares(own, *operator, value))
            }
            Self::Any(list) => list.iter().any(|one| one.means(page, number, steps)),
            Self::None(list) => !list.iter().any(|one| one.means(page, number, steps)),
            Self::Nth { step, first, from_end } => {
                let siblings = element.parent.map_or(1, |parent| page.elements[parent].children);
                let place = if *from_end {
                    siblings + 1 - element.number.min(siblings)
                } else {
                    element.number
                };
                let beyond = i64::try_from(place).unwrap_or(i64::MAX).saturating_sub(*first);
                match step {
                    0 => beyond == 0,
                    step => beyond % step == 0 && beyond / step >= 0,
                }
            }
            Self::Root => element.parent.is_none(),
            // Nothing without text is looked at.
            Self::Empty | Self::Never => false,
        }
    }

    fn specificity(&self) -> [u32; 3] {
        match self {
            Self::All => [0; 3],
            Self::Id(_) => [1, 0, 0],
            Self::Name(_) => [0, 0, 1],
            Self::Any(list) | Self::None(list) => {
                list.iter().map(|one| one.specificity).max().unwrap_or_default()
            }
            _ => [0, 1, 0],
        }
    }
}

fn compares(own: &str, operator: Option<char>, value: &str) -> bool {
    match operator {
        None => true,
        Some('=') => own == value,
        Some(_) if value.is_empty() => false,
        Some('~') => own.split_ascii_whitespace().any(|word| word == value),
        Some('|') => {
            own.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        Some('^') => own.starts_with(value),
        Some('$') => own.ends_with(value),
        Some(_) => own.contains(value),
    }
}

fn list_within(text: &str, depth: usize) -> Vec<Selector> {
    if depth > DEPTH_MAX {
        return Vec::new();
    }
    parts_at(text, b',').filter_map(|one| Parser { rest: one.trim(), depth }.selector()).collect()
}

/// The parts of a text between marks that are in no brackets and no quotation.
fn parts_at(text: &str, mark: u8) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut start = 0;
    std::iter::from_fn(move || {
        if start > bytes.len() {
            return None;
        }
        let (mut at, mut depth, mut quote) = (start, 0_usize, None);
        while at < bytes.len() {
            match (quote, bytes[at]) {
                (_, b'\\') => at += 1,
                (Some(open), byte) => quote = Some(open).filter(|_| byte != open),
                (None, byte @ (b'"' | b'\'')) => quote = Some(byte),
                (None, b'(' | b'[') => depth += 1,
                (None, b')' | b']') => depth = depth.saturating_sub(1),
                (None, byte) if byte == mark && depth == 0 => break,
                _ => {}
            }
            at += 1;
        }
        let part = text.get(start..at.min(bytes.len()));
        start = at + 1;
        part
    })
}

/// Reads one selector from the left.
struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn selector(mut self) -> Option<Selector> {
        let mut parts: Vec<Part> = vec![Part::default()];
        let mut specificity = [0_u32; 3];
        while !self.rest.is_empty() {
            if let Some(combinator) = self.combinator() {
                if parts.last().is_none_or(|part| part.tests.is_empty()) || parts.len() == PARTS_MAX
                {
                    return None;
                }
                parts.push(Part { tests: Vec::new(), left: combinator });
                continue;
            }
            let test = self.test()?;
            for (sum, own) in specificity.iter_mut().zip(test.specificity()) {
                *sum += own;
            }
            parts.last_mut()?.tests.push(test);
        }
        let is_whole = parts.last().is_some_and(|part| !part.tests.is_empty());
        parts.reverse();
        is_whole.then_some(Selector { parts, specificity })
    }

    /// What stands between two parts.
    fn combinator(&mut self) -> Option<Combinator> {
        let after = self.rest.trim_start();
        let (combinator, rest) = match after.as_bytes().first() {
            Some(b'>') => (Combinator::Parent, &after[1..]),
            Some(b'+') => (Combinator::Before, &after[1..]),
            Some(b'~') => (Combinator::Sibling, &after[1..]),
            _ if after.len() < self.rest.len() => (Combinator::Around, after),
            _ => return None,
        };
        self.rest = rest.trim_start();
        Some(combinator)
    }

    fn test(&mut self) -> Option<Test> {
        let first = self.rest.chars().next()?;
        let test = match first {
            '*' => {
                self.rest = &self.rest[1..];
                Test::All
            }
            '.' => Test::Class(self.name(1)?),
            '#' => Test::Id(self.name(1)?),
            '[' => self.attribute()?,
            ':' => self.pseudo()?,
            _ => Test::Name(self.name(0)?.to_ascii_lowercase()),
        };
        Some(test)
    }

    /// The name that follows after so many bytes.
    fn name(&mut self, skip: usize) -> Option<String> {
        let text = &self.rest[skip..];
        let mut end = text.len();
        let mut is_escaped = false;
        for (at, c) in text.char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if c == '\\' {
                is_escaped = true;
            } else if c.is_ascii() && !c.is_ascii_alphanumeric() && c != '-' && c != '_' {
                // A space ends an escape such as `\31 `, and belongs to it.
                let ends_escape = c == ' '
                    && text[..at].rfind('\\').is_some_and(|from| {
                        let digits = &text[from + 1..at];
                        (1..=5).contains(&digits.len())
                            && digits.bytes().all(|d| d.is_ascii_hexdigit())
                    });
                if !ends_escape {
                    end = at;
                    break;
                }
            }
        }
        self.rest = &text[end..];
        (end > 0).then(|| unescaped(&text[..end]))
    }

    fn attribute(&mut self) -> Option<Test> {
        let end = self.rest.find(']')?;
        let inner = self.rest[1..end].trim();
        self.rest = &self.rest[end + 1..];
        let Some((name, value)) = inner.split_once('=') else {
            return Some(Test::Attribute {
                name: inner.to_owned(),
                operator: None,
                value: String::new(),
            });
        };
        let operator = name.chars().last().filter(|c| "~|^$*".contains(*c)).unwrap_or('=');
        let name = name.trim_end_matches(['~', '|', '^', '$', '*']).trim().to_owned();
        let value = value.trim().trim_end_matches(" i").trim_end_matches(" s").trim();
        let value = unescaped(value.trim_matches(['"', '\'']));
        Some(Test::Attribute { name, operator: Some(operator), value })
    }

    /// `:first-child`, `:not(…)` and the like.
    fn pseudo(&mut self) -> Option<Test> {
        if self.rest.starts_with("::") {
            self.name(2)?;
            return Some(Test::Never);
        }
        let name = self.name(1)?.to_ascii_lowercase();
        let inside = self.brackets();
        let depth = self.depth + 1;
        let nth = |first: i64, from_end: bool| Test::Nth { step: 0, first, from_end };
        Some(match (name.as_str(), inside) {
            ("not", Some(list)) => Test::None(list_within(list, depth)),
            ("is" | "where" | "matches" | "any" | "-webkit-any", Some(list)) => {
                Test::Any(list_within(list, depth))
            }
            ("first-child", None) => nth(1, false),
            ("last-child", None) => nth(1, true),
            ("nth-child", Some(formula)) => formula_of(formula, false)?,
            ("nth-last-child", Some(formula)) => formula_of(formula, true)?,
            ("root", None) => Test::Root,
            ("empty", None) => Test::Empty,
            ("link" | "any-link", None) => {
                Test::Attribute { name: "href".to_owned(), operator: None, value: String::new() }
            }
            _ => Test::Never,
        })
    }

    /// What stands in the brackets that follow.
    fn brackets(&mut self) -> Option<&'a str> {
        let inner = self.rest.strip_prefix('(')?;
        let end = end_of_bracket(inner)?;
        self.rest = &inner[end + 1..];
        Some(&inner[..end])
    }
}

/// `2n+1`, `odd`, `3`.
fn formula_of(formula: &str, from_end: bool) -> Option<Test> {
    let formula: String = formula.split_whitespace().collect::<String>().to_ascii_lowercase();
    let (step, first) = match formula.as_str() {
        "odd" => (2, 1),
        "even" => (2, 0),
        other => match other.split_once('n') {
            None => (0, other.parse().ok()?),
            Some((step, first)) => {
                let step = match step {
                    "" | "+" => 1,
                    "-" => -1,
                    step => step.parse().ok()?,
                };
                (step, if first.is_empty() { 0 } else { first.parse().ok()? })
            }
        },
    };
    Some(Test::Nth { step, first, from_end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements that a selector means, by their ids.
    fn meant(selector: &str, html: &str) -> String {
        let page = Page::parse(html);
        let list = Selector::list(selector);
        let is_meant = |number: &usize| list.iter().any(|one| one.means(&page, *number, &mut 0));
        let ids = (0..page.elements.len())
            .filter(is_meant)
            .filter_map(|number| attribute(page.elements[number].attributes, "id"));
        ids.collect()
    }

    #[test]
    fn selectors_mean_what_they_mean_in_browsers() {
        let page = "<div id=a class='x y'><p id=b><b id=c data-k='v w'>t</b></p><p id=d></p>\
            <p id=e class=y></p></div><p id=f></p>";
        for (selector, expected) in [
            ("p", "bdef"),
            (".y", "ae"),
            (".x.y", "a"),
            ("div p", "bde"),
            ("div > p", "bde"),
            ("div > b", ""),
            ("div b, #f", "cf"),
            ("p + p", "de"),
            ("p ~ p.y", "e"),
            ("div + p", "f"),
            ("[data-k]", "c"),
            ("[data-k~=w]", "c"),
            ("[data-k^='v']", "c"),
            ("[data-k=v]", ""),
            ("p:not(.y)", "bdf"),
            ("div :is(b, .y)", "ce"),
            ("div p:first-child", "b"),
            ("div p:last-child", "e"),
            ("div p:nth-child(odd)", "be"),
            ("div p:nth-child(-n+2)", "bd"),
            ("body > div > *", "bde"),
            (":root div", "a"),
            ("p:hover", ""),
            ("p::before", ""),
            ("P", "bdef"),
            ("> p", ""),
            ("p >", ""),
            ("", ""),
            ("p:nth-child(x)", ""),
        ] {
            assert_eq!(meant(selector, page), expected, "{selector}");
        }
        assert_eq!(meant(".md\\:hidden", "<p id=a class='md:hidden'>"), "a");
        assert_eq!(meant("#\\31 23", "<p id=123>"), "123");
    }
}
