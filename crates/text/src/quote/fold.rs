//! A text in the form in which quotations are compared, with the way back.

use std::ops::Range;

use crate::python::{is_space, lower_char};

/// The text in lower case, white space collapsed, marks in their plainest shape.
#[derive(Debug)]
pub(super) struct FoldedText {
    pub(super) text: String,
    /// Where the folded text stops running parallel to the original.
    runs: Vec<Run>,
}

/// From `folded` on the text stands at `source`: byte by byte if it is parallel, all of
/// it at the one character there otherwise.
#[derive(Debug, Clone, Copy)]
struct Run {
    folded: usize,
    source: usize,
    parallel: bool,
}

impl FoldedText {
    pub(super) fn new(source: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(source.len()), runs: Vec::new() };
        for (index, c) in source.char_indices() {
            match plain(c) {
                Plain::Space if folded.text.is_empty() || folded.text.ends_with(' ') => {}
                Plain::Space => folded.push(index, c, ' '),
                Plain::Nothing => {}
                Plain::Char(plain) => folded.push(index, c, plain),
                Plain::Text(plain) => {
                    let start = folded.text.len();
                    folded.runs.push(Run { folded: start, source: index, parallel: false });
                    folded.text.push_str(plain);
                }
            }
        }
        if folded.text.ends_with(' ') {
            folded.text.pop();
        }
        folded
    }

    /// The part of the source that a range of the folded text came from.
    pub(super) fn bytes(&self, source: &str, range: Range<usize>) -> Option<Range<usize>> {
        let start = self.origin(range.start).0;
        let (last, parallel) = self.origin(range.end.checked_sub(1)?);
        let end =
            if parallel { last + 1 } else { last + source.get(last..)?.chars().next()?.len_utf8() };
        source.get(start..end).map(|_| start..end)
    }

    fn push(&mut self, index: usize, source: char, plain: char) {
        let start = self.text.len();
        let parallel = source.len_utf8() == plain.len_utf8();
        let goes_on = self.runs.last().is_some_and(|run| {
            parallel && run.parallel && index - run.source == start - run.folded
        });
        if !goes_on {
            self.runs.push(Run { folded: start, source: index, parallel });
        }
        self.text.push(plain);
    }

    /// Where a byte of the folded text came from, and whether it did so by itself.
    fn origin(&self, folded: usize) -> (usize, bool) {
        let index = self.runs.partition_point(|run| run.folded <= folded);
        let run = index.checked_sub(1).map(|index| self.runs[index]);
        run.map_or((0, false), |run| {
            let offset = if run.parallel { folded - run.folded } else { 0 };
            (run.source + offset, run.parallel)
        })
    }
}

enum Plain {
    Space,
    Nothing,
    Char(char),
    Text(&'static str),
}

/// A character in its plainest shape.
fn plain(c: char) -> Plain {
    match c {
        _ if is_space(c) => Plain::Space,
        _ if c.is_ascii() && c != '`' => Plain::Char(c.to_ascii_lowercase()),
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => Plain::Nothing,
        '`' | '´' | '‘' | '’' | '‚' | '‛' | '′' => Plain::Char('\''),
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => Plain::Char('"'),
        '\u{2010}'..='\u{2015}' | '−' => Plain::Char('-'),
        '…' => Plain::Text("..."),
        'ﬀ' => Plain::Text("ff"),
        'ﬁ' => Plain::Text("fi"),
        'ﬂ' => Plain::Text("fl"),
        'ﬃ' => Plain::Text("ffi"),
        'ﬄ' => Plain::Text("ffl"),
        'ς' => Plain::Char('σ'),
        _ => Plain::Char(lower_char(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_spaces_take_their_plainest_shape() {
        assert_eq!(FoldedText::new("  The\u{a0}“A–B”\n ").text, "the \"a-b\"");
        assert_eq!(FoldedText::new("ﬁnd… co\u{ad}op’s ΟΔΟΣ").text, "find... coop's οδοσ");
    }

    #[test]
    fn every_character_leads_back_to_its_own() {
        let source = " Éa  “ﬁn”…\u{200b}Ⱥz ";
        let folded = FoldedText::new(source);
        assert_eq!(folded.text, "éa \"fin\"...ⱥz");
        let back = |part: &str| {
            let at = folded.text.find(part).unwrap();
            &source[folded.bytes(source, at..at + part.len()).unwrap()]
        };
        assert_eq!(back("éa"), "Éa");
        assert_eq!(back("a \"f"), "a  “ﬁ");
        assert_eq!(back("in"), "ﬁn");
        assert_eq!(back("\"..."), "”…");
        assert_eq!(back("ⱥz"), "Ⱥz");
    }
}
