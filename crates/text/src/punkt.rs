//! Sentences, as the Punkt model of NLTK 3.10 finds them in English.
//!
//! Only the marks `.`, `?` and `!` can end a sentence. Each is judged by the word
//! before and the word after it (`decide`), which are cut out of the text by
//! Punkt's own rules (`words`) and looked up in the trained tables
//! (`parameters`). Closing quotes and brackets then move to the sentence they close.
//!
//! Reference: Kiss & Strunk (2006), Computational Linguistics 32(4).

use std::ops::Range;

use memchr::Memchr3;

use crate::python::{is_white_space, strip_end};

mod decide;
mod parameters;
mod words;

use self::decide::contains_break;

/// The byte ranges of the sentences of a text, in order.
///
/// White space between sentences belongs to none of them; white space before the
/// first one belongs to it, as in NLTK.
///
/// ```
/// # use assize_text::sentences;
/// let text = "Dr. Smith paid (in full.) He left.";
/// let found: Vec<&str> = sentences(text).map(|range| &text[range]).collect();
/// assert_eq!(found, ["Dr. Smith paid (in full.)", "He left."]);
/// ```
pub fn sentences(text: &str) -> Sentences<'_> {
    let mut slices = Slices { contexts: Contexts::new(text), last_break: 0, done: false };
    let current = slices.next();
    Sentences { text, slices, current, realign: 0 }
}

/// The words that the model's training text wrote with a small letter somewhere.
///
/// A capital on any of them may be the beginning of a sentence; a capital on any other
/// word is most often a name.
pub fn ordinary_words() -> impl Iterator<Item = &'static str> {
    parameters::seen_small()
}

/// Iterator over the sentences of a text; see [`sentences`].
#[derive(Debug, Clone)]
pub struct Sentences<'a> {
    text: &'a str,
    slices: Slices<'a>,
    current: Option<Range<usize>>,
    /// How far the previous sentence reaches into the current slice.
    realign: usize,
}

impl Iterator for Sentences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let current = self.current.take()?;
            let start = current.start + self.realign;
            self.current = self.slices.next();
            self.realign = 0;
            if let Some(next) = &self.current
                && let Some((closers, with_space)) = leading_closers(slice(self.text, next))
            {
                self.realign = with_space;
                return Some(start..next.start + closers);
            }
            if start < current.end {
                return Some(start..current.end);
            }
        }
    }
}

/// The range as text; a range that ends before it starts is empty, as in Python.
fn slice<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    text.get(range.clone()).unwrap_or("")
}

/// The length of the closing marks a sentence begins with, without and with the
/// white space after them; none unless white space, `--` or the end follows.
fn leading_closers(sentence: &str) -> Option<(usize, usize)> {
    let rest = sentence.trim_start_matches(is_closer);
    let closers = sentence.len() - rest.len();
    let after = rest.trim_start_matches(is_white_space);
    let spaced = after.len() < rest.len();
    let belongs = closers > 0 && (spaced || rest.is_empty() || rest.starts_with("--"));
    belongs.then_some((closers, sentence.len() - after.len()))
}

/// Marks that may follow the end of a sentence and still belong to it.
fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '‘' | '’' | '“' | '”' | '«' | '»')
}

/// The sentences before closing marks are realigned.
#[derive(Debug, Clone)]
struct Slices<'a> {
    contexts: Contexts<'a>,
    last_break: usize,
    done: bool,
}

impl Iterator for Slices<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.done {
            return None;
        }
        let text = self.contexts.text;
        for context in self.contexts.by_ref() {
            if contains_break(&text[context.start..context.end]) {
                let start = std::mem::replace(&mut self.last_break, context.resume);
                return Some(start..context.mark + 1);
            }
        }
        self.done = true;
        Some(self.last_break..strip_end(text).len())
    }
}

/// A mark that may end a sentence, with the words around it.
#[derive(Debug, Clone)]
struct Context {
    /// Where the word before the mark begins.
    start: usize,
    /// Where the mark stands.
    mark: usize,
    /// Where the next sentence would begin.
    resume: usize,
    /// Where the word or punctuation after the mark ends.
    end: usize,
}

/// Marks that may end a sentence; of several in one word only the last is kept.
#[derive(Debug, Clone)]
struct Contexts<'a> {
    text: &'a str,
    marks: Memchr3<'a>,
    pending: Option<Context>,
}

impl<'a> Contexts<'a> {
    fn new(text: &'a str) -> Self {
        let marks = memchr::memchr3_iter(b'.', b'?', b'!', text.as_bytes());
        Self { text, marks, pending: None }
    }

    /// Where the word before a mark begins, given the pending mark before it.
    fn word_start(&self, mark: usize) -> usize {
        let (start, stop) = self.pending.as_ref().map_or((0, 0), |last| (last.start, last.mark));
        let before = &self.text.as_bytes()[stop..mark];
        match before.iter().rposition(|byte| matches!(byte, b'\t'..=b'\r' | b' ')) {
            // White space at the very start is taken for none: so does the original.
            None | Some(0) => start,
            Some(space) => stop + space + 1,
        }
    }
}

impl Iterator for Contexts<'_> {
    type Item = Context;

    fn next(&mut self) -> Option<Context> {
        while let Some(mark) = self.marks.next() {
            let Some((resume, end)) = after_mark(self.text, mark) else { continue };
            let start = self.word_start(mark);
            let found = Context { start, mark, resume, end };
            if let Some(last) = self.pending.replace(found)
                && last.mark <= start
            {
                return Some(last);
            }
        }
        self.pending.take()
    }
}

/// Where the next sentence would begin after a mark, and where the word or
/// punctuation that speaks for or against it ends; none if the mark ends nothing.
fn after_mark(text: &str, mark: usize) -> Option<(usize, usize)> {
    let rest = &text[mark + 1..];
    let first = rest.chars().next()?;
    if words::is_non_word(first) {
        return Some((mark + 1, mark + 1 + first.len_utf8()));
    }
    let next = rest.trim_start_matches(is_white_space);
    if next.len() == rest.len() || next.is_empty() {
        return None;
    }
    let start = text.len() - next.len();
    Some((start, start + next.find(is_white_space).unwrap_or(next.len())))
}

#[cfg(test)]
mod tests;
