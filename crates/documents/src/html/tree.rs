//! The elements of a page and what lies in them, as browsers put them together.
//!
//! Elements are kept in the order in which they begin, so that every one comes after the one it
//! lies in.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use assize_text::word_list;

use super::entities::push_decoded;
use super::tokens::{Token, Tokens, attribute};

/// How deep elements lie in one another at most; deeper ones are put beside the last, as in
/// browsers. No walk up from an element is longer.
pub(super) const DEPTH_MAX: usize = 512;

/// How many elements are opened again where one that formats text is closed around them.
const REOPENED_MAX: usize = 3;

/// Elements that end the paragraph before them and the one in them.
pub(super) static BLOCKS: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_list(include_str!("../../data/html_blocks.txt")));

/// Elements that hold nothing.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements that only format text: they end where they are closed, whatever lies between.
const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Elements that no end of another one within reaches through.
const BOUNDARIES: [&str; 9] =
    ["html", "body", "table", "td", "th", "caption", "button", "object", "template"];

#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: String,
    pub(super) attributes: &'a str,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) classes: Vec<Cow<'a, str>>,
    pub(super) parent: Option<usize>,
    /// The element beside it, before.
    pub(super) previous: Option<usize>,
    /// Which one it is of those in its parent, from 1.
    pub(super) number: usize,
    /// How many elements lie in it.
    pub(super) children: usize,
    last_child: Option<usize>,
}

impl<'a> Element<'a> {
    fn take(&mut self, attributes: &'a str) {
        self.attributes = attributes;
        if !attributes.is_empty() {
            self.id = attribute(attributes, "id").map(decoded);
            let classes = attribute(attributes, "class").unwrap_or_default();
            self.classes = classes.split_ascii_whitespace().map(decoded).collect();
        }
    }
}

/// The value of an attribute with the characters it names.
pub(super) fn decoded(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    push_decoded(value, &mut text);
    Cow::Owned(text)
}

/// What happens along a page.
#[derive(Debug)]
pub(super) enum Event {
    Open(usize),
    Close(usize),
    /// The end of an element that is not open.
    Stray(String),
    /// Text in an element, as bytes of the page.
    Text(usize, Range<usize>),
}

#[derive(Debug, Default)]
pub(super) struct Page<'a> {
    pub(super) elements: Vec<Element<'a>>,
    pub(super) events: Vec<Event>,
    /// Where comments and tags lie, as bytes.
    pub(super) markup: Vec<Range<usize>>,
}

/// The number of the element that is the body of every page.
const BODY: usize = 1;

impl<'a> Page<'a> {
    /// Reads a page.
    pub(super) fn parse(html: &'a str) -> Self {
        let mut builder = Builder::default();
        builder.add("html".to_owned(), "");
        builder.add("body".to_owned(), "");
        let mut tokens = Tokens::new(html);
        let mut before = 0;
        while let Some(token) = tokens.next() {
            let end = tokens.read_bytes();
            let start = if let Token::Text(text) = &token { end - text.len() } else { end };
            // Comments are no tokens: they lie before the one that follows them.
            let markup = &mut builder.page.markup;
            let (from, to) = tokens.last_tag().unwrap_or((start, start));
            markup.extend([before..from, from..to].into_iter().filter(|range| !range.is_empty()));
            before = end;
            match token {
                Token::Text(_) => {
                    let event = Event::Text(builder.inner(), start..end);
                    builder.page.events.push(event);
                }
                Token::Open { name, attributes } => builder.open(name, attributes),
                Token::Close { name } => builder.close(name),
            }
        }
        if before < html.len() {
            builder.page.markup.push(before..html.len());
        }
        builder.page
    }

    /// The elements around one, the nearest first.
    pub(super) fn around(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        let above = |inner: &usize| self.elements[*inner].parent;
        std::iter::successors(self.elements[element].parent, above)
    }
}

#[derive(Default)]
struct Builder<'a> {
    page: Page<'a>,
    open: Vec<usize>,
    /// How many elements of each name are open.
    counts: HashMap<String, usize>,
}

impl<'a> Builder<'a> {
    /// The element that is open and lies in all others.
    fn inner(&self) -> usize {
        self.open.last().copied().unwrap_or(BODY)
    }

    fn name(&self, element: usize) -> &str {
        &self.page.elements[element].name
    }

    fn open(&mut self, name: String, attributes: &'a str) {
        if name == "html" || name == "body" {
            let root = &mut self.page.elements[usize::from(name == "body")];
            if root.attributes.is_empty() {
                root.take(attributes);
            }
            return self.page.events.push(Event::Stray(name));
        }
        self.end_before(&name);
        let is_void = VOID.contains(&name.as_str());
        let element = self.add(name, attributes);
        self.page.events.push(Event::Open(element));
        if is_void {
            self.pop();
        }
    }

    /// Puts an element into the innermost one, and opens it.
    fn add(&mut self, name: String, attributes: &'a str) -> usize {
        let parent = self.open.get(self.open.len().min(DEPTH_MAX).wrapping_sub(1)).copied();
        let element = self.page.elements.len();
        let (mut previous, mut number) = (None, 1);
        if let Some(parent) = parent.map(|parent| &mut self.page.elements[parent]) {
            previous = parent.last_child.replace(element);
            parent.children += 1;
            number = parent.children;
        }
        *self.counts.entry(name.clone()).or_default() += 1;
        let mut new = Element {
            name,
            attributes: "",
            id: None,
            classes: Vec::new(),
            parent,
            previous,
            number,
            children: 0,
            last_child: None,
        };
        new.take(attributes);
        self.page.elements.push(new);
        self.open.push(element);
        element
    }

    fn pop(&mut self) {
        // The body is never closed: text after it is in it.
        if self.open.len() > BODY + 1
            && let Some(element) = self.open.pop()
        {
            if let Some(count) = self.counts.get_mut(&self.page.elements[element].name) {
                *count -= 1;
            }
            self.page.events.push(Event::Close(element));
        }
    }

    /// Ends the elements that need not be closed, where one of that name begins.
    fn end_before(&mut self, name: &str) {
        let (ended, stops): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table"]),
            "tbody" | "thead" | "tfoot" => (&["tbody", "thead", "tfoot"], &["table"]),
            "option" | "optgroup" => (&["option"], &["select"]),
            _ => (&[], &[]),
        };
        if BLOCKS.contains(&name) || super::level(name).is_some() {
            self.end_within(&["p"], &BOUNDARIES);
        }
        if !ended.is_empty() {
            self.end_within(ended, stops);
        }
    }

    /// Ends the innermost element of these names, unless another lies around everything since.
    fn end_within(&mut self, names: &[&str], stops: &[&str]) {
        if names.iter().all(|name| self.counts.get(*name).is_none_or(|count| *count == 0)) {
            return;
        }
        let near = self.open.iter().rev().take(DEPTH_MAX);
        let mut found = None;
        for (depth, element) in near.enumerate() {
            let name = self.name(*element);
            if names.contains(&name) {
                found = Some(depth + 1);
                break;
            }
            if stops.contains(&name) {
                break;
            }
        }
        for _ in 0..found.unwrap_or(0) {
            self.pop();
        }
    }

    fn close(&mut self, name: String) {
        let is_open = self.counts.get(&name).is_some_and(|count| *count > 0);
        if !is_open || name == "html" || name == "body" {
            return self.page.events.push(Event::Stray(name));
        }
        let is_block = |name: &str| BLOCKS.contains(&name) || super::level(name).is_some();
        let is_formatting = FORMATTING.contains(&name.as_str());
        let closes_cells = matches!(name.as_str(), "table" | "tr" | "tbody" | "thead" | "tfoot");
        let mut between = Vec::new();
        let mut depth = None;
        for (number, element) in self.open.iter().rev().take(DEPTH_MAX).enumerate() {
            let found = self.name(*element);
            if found == name {
                depth = Some(number + 1);
                break;
            }
            let stops = BOUNDARIES.contains(&found) && !(closes_cells && found != "table");
            let ends_nothing = is_block(found) && !is_block(&name) && !is_formatting;
            if stops || (ends_nothing && !BOUNDARIES.contains(&name.as_str())) {
                break;
            }
            if is_block(found) {
                between.push(*element);
            }
        }
        let Some(depth) = depth.filter(|_| !is_formatting || between.len() <= REOPENED_MAX) else {
            return self.page.events.push(Event::Stray(name));
        };
        for _ in 0..depth {
            self.pop();
        }
        if is_formatting {
            for element in between.into_iter().rev() {
                let Element { name, attributes, .. } = &self.page.elements[element];
                let (name, attributes) = (name.clone(), *attributes);
                let element = self.add(name, attributes);
                self.page.events.push(Event::Open(element));
            }
        }
    }
}
