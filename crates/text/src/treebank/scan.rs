//! The walk over a sentence that finds where pieces end.

use super::ascii::{CLASSES, Class, plain_length};
use super::piece::{Piece, finish, plain};
use super::{Gap, Sink};
use crate::python::{is_regex_digit, is_regex_word, is_white_space};

/// Passes the tokens of a sentence to the sink, in order.
pub(super) fn scan(sentence: &str, sink: &mut impl Sink) {
    let mut walk = Walk {
        text: sentence,
        bytes: sentence.as_bytes(),
        at: 0,
        start: 0,
        plain: true,
        apostrophe: false,
        final_dot: final_dot(sentence),
        sink,
    };
    walk.run();
}

struct Walk<'a, S> {
    text: &'a str,
    bytes: &'a [u8],
    /// Where the walk stands.
    at: usize,
    /// Where the current piece began.
    start: usize,
    /// Whether the current piece is ASCII letters and digits so far.
    plain: bool,
    /// Whether the current piece has an apostrophe.
    apostrophe: bool,
    /// Where the full stop that ends the sentence stands.
    final_dot: Option<usize>,
    sink: &'a mut S,
}

impl<S: Sink> Walk<'_, S> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match CLASSES[byte as usize] {
                Class::Plain => self.letters(),
                Class::Space => self.skip(1, Gap::Early),
                Class::Inner => self.keep(1),
                Class::OtherSpace => self.skip(1, Gap::Late),
                Class::AloneEarly => self.alone(1, Gap::Early),
                Class::AloneLate => self.alone(1, Gap::Late),
                Class::Comma => self.comma(),
                Class::Backtick => self.backticks(),
                Class::DoubleQuote => self.double_quote(),
                Class::Apostrophe => self.apostrophes(),
                Class::Dot => self.dots(),
                Class::Dash => self.dashes(),
                Class::Wide => self.wide(),
            }
        }
        self.flush(Gap::Late);
    }

    /// Takes letters and digits; most pieces are nothing else and end at a space.
    fn letters(&mut self) {
        self.at += plain_length(&self.bytes[self.at..]);
        if self.plain && self.bytes.get(self.at) == Some(&b' ') {
            plain(&self.text[self.start..self.at], self.sink);
            self.at += 1;
            self.start = self.at;
        }
    }

    /// Ends the current piece; the next one begins where the walk stands.
    fn flush(&mut self, gap: Gap) {
        if self.start < self.at {
            let text = &self.text[self.start..self.at];
            let piece = Piece { text, plain: self.plain, apostrophe: self.apostrophe, gap };
            finish(piece, self.sink);
        }
        self.start = self.at;
        self.plain = true;
        self.apostrophe = false;
    }

    /// Takes `length` bytes into the current piece.
    fn keep(&mut self, length: usize) {
        self.plain = false;
        self.at += length;
    }

    /// Ends the current piece and leaves `length` bytes out.
    fn skip(&mut self, length: usize, gap: Gap) {
        self.flush(gap);
        self.at += length;
        self.start = self.at;
    }

    /// Ends the current piece and passes the next `length` bytes as a token.
    fn alone(&mut self, length: usize, gap: Gap) {
        let at = self.at;
        self.skip(length, gap);
        self.sink.other(&self.text[at..at + length]);
    }

    /// A comma or colon stays before a digit; one that the comma before it has looked
    /// at as its neighbour is not looked at again, and begins a piece.
    fn comma(&mut self) {
        let is_comma = |byte: Option<&u8>| matches!(byte, Some(b',' | b':'));
        match self.text[self.at + 1..].chars().next() {
            Some(next) if is_regex_digit(next) => self.keep(1),
            _ => {
                self.alone(1, Gap::Early);
                if is_comma(self.bytes.get(self.at)) && self.at + 1 < self.bytes.len() {
                    self.keep(1);
                }
            }
        }
    }

    /// Two backticks are an opening quote, and an odd one is a token as well.
    fn backticks(&mut self) {
        let run = self.run_length(b'`');
        for _ in 0..run / 2 {
            self.alone(2, Gap::Early);
        }
        if run % 2 == 1 {
            self.alone(1, Gap::Early);
        }
    }

    /// A double quote opens after space, brackets and opening quotes; else it closes.
    fn double_quote(&mut self) {
        let opens = self.at == 0 || self.may_open();
        self.skip(1, Gap::Late);
        self.sink.other(if opens { "``" } else { "''" });
    }

    /// Whether a quote here opens, as far as the character before it tells.
    fn may_open(&self) -> bool {
        let before = &self.text[..self.at];
        before == "\"" || before.ends_with([' ', '(', '[', '{', '<', '`', '«', '“', '‘', '„'])
    }

    /// Two apostrophes are a double quote; a single one belongs to a word, unless it
    /// opens a quotation.
    fn apostrophes(&mut self) {
        let run = self.run_length(b'\'');
        let mut pairs = run / 2;
        if pairs > 0 && self.may_open() {
            self.skip(2, Gap::Late);
            self.sink.other("``");
            pairs -= 1;
        }
        for _ in 0..pairs {
            self.alone(2, Gap::Late);
        }
        if run % 2 == 1 {
            self.keep(1);
            self.apostrophe = true;
        }
        if run % 2 == 1 && self.opens_quotation() {
            self.flush(Gap::Early);
        }
    }

    /// Whether the apostrophe just passed has no word before it and one after it that
    /// is not a clitic.
    fn opens_quotation(&self) -> bool {
        let after = &self.text[self.at..];
        after.starts_with(is_regex_word)
            && !self.text[..self.at - 1].ends_with(is_regex_word)
            && !begins_with_clitic(after)
    }

    /// Two dots and more are a token, and so is the full stop of the sentence.
    fn dots(&mut self) {
        let run = self.run_length(b'.');
        if run > 1 || self.final_dot == Some(self.at) {
            self.alone(run, Gap::Early);
        } else {
            self.keep(1);
        }
    }

    /// Two hyphens are a dash; a single one belongs to a word.
    fn dashes(&mut self) {
        let run = self.run_length(b'-');
        for _ in 0..run / 2 {
            self.alone(2, Gap::Late);
        }
        if run % 2 == 1 {
            self.keep(1);
        }
    }

    fn wide(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else { return };
        match c {
            '«' | '“' | '‘' | '„' | '\u{2012}'..='\u{2015}' => {
                self.alone(c.len_utf8(), Gap::Early);
            }
            '»' | '”' | '’' => self.alone(c.len_utf8(), Gap::Late),
            _ if is_white_space(c) => self.skip(c.len_utf8(), Gap::Late),
            _ => self.keep(c.len_utf8()),
        }
    }

    /// How often the byte stands here in a row.
    fn run_length(&self, byte: u8) -> usize {
        self.bytes[self.at..].iter().take_while(|other| **other == byte).count()
    }
}

/// Whether a clitic stands at the start of the text and is all of its first word.
fn begins_with_clitic(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next().map(fold);
    let rest = chars.as_str();
    let ends = |rest: &str| !rest.starts_with(is_regex_word);
    match first {
        Some('m' | 't' | 's' | 'd' | 'n') => ends(rest),
        Some('r' | 'v') => rest.strip_prefix(['e', 'E']).is_some_and(ends),
        Some('l') => rest.strip_prefix(['l', 'L']).is_some_and(ends),
        _ => false,
    }
}

/// The letter in lower case; a long s counts as an s wherever case is ignored.
fn fold(c: char) -> char {
    if c == 'ſ' { 's' } else { c.to_ascii_lowercase() }
}

/// Where the full stop of the sentence stands: before it something that is no dot,
/// after it nothing but closing marks, spaces, and then white space.
fn final_dot(sentence: &str) -> Option<usize> {
    let closers = ['.', ']', ')', '}', '>', '"', '\'', '»', '”', '’', ' '];
    let body = sentence.trim_end_matches(is_white_space);
    // Spaces may stand among the closers, but other white space only at the end.
    let before = body.trim_end_matches(&closers[1..]);
    let dot = before.strip_suffix('.')?;
    if dot.is_empty() || dot.ends_with('.') {
        return None;
    }
    // A quote after a space has become an opening one, and closes nothing.
    let tail = &body[before.len()..];
    let opens = tail.contains(' ') && (tail.contains(" \"") || tail.contains(" ''"));
    (!opens).then_some(dot.len())
}
