//! Cuts HTML into text and tags, forgiving what browsers forgive.

/// A piece of HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text, with its entities as they are.
    Text(&'a str),
    /// `<name attributes>`; the name is in lower case.
    Open { name: String, attributes: &'a str },
    /// `</name>`.
    Close { name: String },
}

/// The elements whose content is no HTML: nothing in it but their own end is a tag.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// The pieces of a page, in order; comments and declarations are left out.
pub(super) struct Tokens<'a> {
    length: usize,
    rest: &'a str,
    /// The raw element that was opened last, until its content was given.
    raw: Option<String>,
    /// Where the tag lies that was given last, if it was a tag.
    tag: Option<(usize, usize)>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { length: html.len(), rest: html, raw: None, tag: None }
    }

    /// How many bytes were read.
    pub(super) fn read_bytes(&self) -> usize {
        self.length - self.rest.len()
    }

    /// Where the tag lies that was given last, if it was a tag.
    pub(super) fn last_tag(&self) -> Option<(usize, usize)> {
        self.tag
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    /// Drops everything up to and with a mark, or all when it is not there.
    fn drop_through(&mut self, mark: &str) {
        let end = self.rest.find(mark).map_or(self.rest.len(), |at| at + mark.len());
        self.take(end);
    }

    /// A tag at the start of the rest, which begins with `<` and a letter or `</` and one.
    fn tag(&mut self) -> Token<'a> {
        let start = self.read_bytes();
        let closing = self.rest.starts_with("</");
        self.take(if closing { 2 } else { 1 });
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '>');
        let name = self.take(self.rest.find(ends).unwrap_or(self.rest.len())).to_ascii_lowercase();
        let attributes = self.take(end_of_tag(self.rest));
        self.take(usize::from(self.rest.starts_with('>')));
        self.tag = Some((start, self.read_bytes()));
        if closing {
            return Token::Close { name };
        }
        if RAW.contains(&name.as_str()) && !attributes.trim_end().ends_with('/') {
            self.raw = Some(name.clone());
        }
        Token::Open { name, attributes }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.tag = None;
        if let Some(name) = self.raw.take() {
            return Some(Token::Text(self.take(end_of_raw(self.rest, &name))));
        }
        loop {
            let after = self.rest.strip_prefix('<').map(str::as_bytes);
            match after {
                None if self.rest.is_empty() => return None,
                None => {
                    let end = self.rest.find('<').unwrap_or(self.rest.len());
                    return Some(Token::Text(self.take(end)));
                }
                Some([b'!', b'-', b'-', ..]) => self.drop_through("-->"),
                Some([b'!' | b'?', ..]) => self.drop_through(">"),
                Some([first, ..]) if first.is_ascii_alphabetic() => return Some(self.tag()),
                Some([b'/', first, ..]) if first.is_ascii_alphabetic() => return Some(self.tag()),
                Some(_) => return Some(Token::Text(self.take(1))),
            }
        }
    }
}

/// Where a tag ends: at the first `>` outside quotes.
fn end_of_tag(rest: &str) -> usize {
    let mut quote = None;
    let mut after_equals = false;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') if after_equals => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        after_equals = byte == b'=' || (after_equals && byte.is_ascii_whitespace());
    }
    rest.len()
}

/// Where the content of a raw element ends: at its closing tag.
fn end_of_raw(rest: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(at) = rest[from..].find("</") {
        let begin = from + at;
        let found = rest.as_bytes().get(begin + 2..begin + 2 + name.len());
        if found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes())) {
            return begin;
        }
        from = begin + 2;
    }
    rest.len()
}

/// Whether a tag has an attribute with this name, and its value if it has one.
pub(super) fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let (found, after) = rest.split_at(end.max(1));
        let (value, after) = match after.trim_start().strip_prefix('=') {
            Some(value) => value_of(value.trim_start()),
            None => ("", after),
        };
        if found.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
    }
    None
}

fn value_of(rest: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(quoted) = rest.strip_prefix(quote) {
            return quoted.split_once(quote).unwrap_or((quoted, ""));
        }
    }
    rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(name: &str, attributes: &'static str) -> Token<'static> {
        Token::Open { name: name.to_owned(), attributes }
    }

    fn close(name: &str) -> Token<'static> {
        Token::Close { name: name.to_owned() }
    }

    #[test]
    fn tags_and_text_are_told_apart() {
        let found: Vec<_> =
            Tokens::new("a<B x='1>2'>b</b ><!-- <i> --><?php ?>1 < 2<br/>").collect();
        let expected = [
            Token::Text("a"),
            open("b", " x='1>2'"),
            Token::Text("b"),
            close("b"),
            Token::Text("1 "),
            Token::Text("<"),
            Token::Text(" 2"),
            open("br", "/"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn scripts_end_only_at_their_own_end() {
        let found: Vec<_> = Tokens::new("<script>a<b></i></SCRIPT>c").collect();
        let expected =
            [open("script", ""), Token::Text("a<b></i>"), close("script"), Token::Text("c")];
        assert_eq!(found, expected);
        assert_eq!(Tokens::new("<style>never closed").count(), 2);
    }

    #[test]
    fn an_apostrophe_outside_a_value_opens_no_quotation() {
        let found: Vec<_> = Tokens::new("<p don't>x").collect();
        assert_eq!(found, [open("p", " don't"), Token::Text("x")]);
    }

    #[test]
    fn attributes_are_found_by_name() {
        let attributes = r#" class="a hidden" data-hidden hidden style = 'display: none' id=x"#;
        assert_eq!(attribute(attributes, "hidden"), Some(""));
        assert_eq!(attribute(attributes, "STYLE"), Some("display: none"));
        assert_eq!(attribute(attributes, "id"), Some("x"));
        assert_eq!(attribute(attributes, "a"), None);
        assert_eq!(attribute("= =", "x"), None);
    }
}
