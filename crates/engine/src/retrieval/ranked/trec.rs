//! TREC's lines: `query Q0 document rank score tag` and `query iteration document level`.

use super::fields::Fields;
use super::lists::{Item, Span};
use super::number;
use super::quick::{rest_of_line, starts_with};

/// What a line of a run holds.
const RUN_FIELDS: [&str; 5] =
    ["a query", "`Q0` after the query", "a document", "a rank", "a score"];

/// What a line of qrels holds.
const QRELS_FIELDS: [&str; 4] = [
    "a query",
    "an iteration after the query",
    "a document",
    "a level of relevance (four fields: query iteration document level)",
];

/// What is wrong with a line, by its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineError {
    /// The byte where the wrong thing starts.
    pub(super) at: usize,
    /// What should stand there.
    pub(super) expected: &'static str,
    /// How long the wrong thing is; 0 at the end of the line.
    pub(super) length: usize,
}

#[derive(Debug)]
pub(super) struct RunLine {
    /// Where the line starts.
    pub(super) start: usize,
    /// The query; `None` when it is plainly the one of the line before.
    pub(super) query: Option<Span>,
    /// The document and its score.
    pub(super) item: Item<f64>,
}

/// The lines of a run, one after the other.
pub(super) struct RunLines<'a> {
    text: &'a [u8],
    fields: Fields<'a>,
    /// What a line had before its document: query, `Q0` and the gaps. A line that starts with
    /// the same bytes has the same query.
    prefix: &'a [u8],
    /// What a line had after its score: gap, tag and the end of the line.
    ending: &'a [u8],
    /// The name of the run, as the last line has it.
    pub(super) tag: &'a [u8],
    /// Whether a line went on after its tag.
    pub(super) has_surplus: bool,
}

impl<'a> RunLines<'a> {
    /// The lines of a text.
    pub(super) fn new(text: &'a [u8]) -> Self {
        let fields = Fields::new(text, 0);
        Self { text, fields, prefix: &[], ending: &[], tag: &[], has_surplus: false }
    }

    /// The next line that is neither blank nor a comment; `None` at the end.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called once for every line of a run")]
    pub(super) fn next(&mut self) -> Result<Option<RunLine>, LineError> {
        if !self.fields.skip_to_content() {
            return Ok(None);
        }
        let start = self.fields.at();
        let document = start + self.prefix.len();
        if starts_with(&self.text[start..], self.prefix)
            && self.text.get(document).is_some_and(|byte| *byte > b' ')
            && let Some(rest) = rest_of_line(self.text, document, self.ending)
        {
            self.fields.go_to(rest.next);
            let document = Span::new(document, rest.document_end);
            let item = Item { document, value: rest.score };
            return Ok(Some(RunLine { start, query: None, item }));
        }
        self.unusual(start).map(Some)
    }

    /// Reads any line, and keeps what the next ones may have in common with it.
    #[inline(never)]
    fn unusual(&mut self, start: usize) -> Result<RunLine, LineError> {
        let query = self.fields.take();
        self.fields.take();
        let document = self.fields.take();
        self.fields.take();
        let score = self.fields.take();
        if score.0 == score.1 {
            return Err(missing(self.text, start, &RUN_FIELDS));
        }
        let tag = self.fields.take();
        let value = number::parse(&self.text[score.0..score.1]).filter(|value| !value.is_nan());
        let Some(value) = value else {
            return Err(wrong(score, "a score that is a number"));
        };
        // Passed over, as `trec_eval` does; a line that ends like this one has as much.
        let more = self.fields.take();
        self.has_surplus |= more.0 < more.1;
        self.fields.next_line();
        self.prefix = &self.text[start..document.0];
        self.ending = &self.text[score.1..self.fields.at()];
        self.tag = &self.text[tag.0..tag.1];
        let item = Item { document: Span::new(document.0, document.1), value };
        Ok(RunLine { start, query: Some(Span::new(query.0, query.1)), item })
    }
}

/// Reads qrels from a byte on, line by line: the query, and the document with its level.
pub(super) fn for_each_judgement(
    text: &[u8],
    from: usize,
    mut push: impl FnMut(Span, Item<i32>),
) -> Result<(), LineError> {
    let mut fields = Fields::new(text, from);
    while fields.skip_to_content() {
        let start = fields.at();
        let query = fields.take();
        fields.take();
        let document = fields.take();
        let level = fields.take();
        if level.0 == level.1 {
            return Err(missing(text, start, &QRELS_FIELDS));
        }
        let Some(value) = number::parse_whole(&text[level.0..level.1]) else {
            return Err(wrong(level, "a level of relevance that is a whole number"));
        };
        if text.get(level.1) != Some(&b'\n') {
            let more = fields.take();
            if more.0 != more.1 {
                return Err(wrong(more, "the end of the line after the level"));
            }
        }
        fields.next_line();
        let document = Span::new(document.0, document.1);
        push(Span::new(query.0, query.1), Item { document, value });
    }
    Ok(())
}

#[cold]
fn wrong((at, end): (usize, usize), expected: &'static str) -> LineError {
    LineError { at, expected, length: end - at }
}

/// Which of a line's fields is not there.
#[cold]
fn missing(text: &[u8], line: usize, names: &[&'static str]) -> LineError {
    let mut fields = Fields::new(text, line);
    for name in names {
        let (at, end) = fields.take();
        if at == end {
            return LineError { at, expected: name, length: 0 };
        }
    }
    unreachable!("a field was missing a moment ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The query if it is a new one, the document and the score of each line.
    type Lines = Vec<(Option<String>, String, f64)>;

    fn run(text: &str) -> Result<Lines, LineError> {
        let string = |span: Span| String::from_utf8(span.of(text.as_bytes()).to_vec()).unwrap();
        let mut lines = RunLines::new(text.as_bytes());
        let mut all = Vec::new();
        while let Some(line) = lines.next()? {
            all.push((line.query.map(string), string(line.item.document), line.item.value));
        }
        Ok(all)
    }

    #[test]
    fn lines_that_start_alike_have_the_same_query() {
        let text =
            "q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1 tag\n\nq1\tQ0 d3 3 .5 tag more\nq12 Q0 d4 1 -1e2 tag";
        let some = |name: &str| Some(name.to_owned());
        let expected = vec![
            (some("q1"), "d1".to_owned(), 2.5),
            (None, "d2".to_owned(), 1.0),
            (some("q1"), "d3".to_owned(), 0.5),
            (some("q12"), "d4".to_owned(), -100.0),
        ];
        assert_eq!(run(text).unwrap(), expected);
    }

    #[test]
    fn a_line_may_end_after_its_score() {
        let some = |name: &str| Some(name.to_owned());
        let expected = vec![
            (some("q1"), "d1".to_owned(), 2.5),
            (None, "d2".to_owned(), 1.0),
            (some("q2"), "d1".to_owned(), 3.0),
        ];
        for end in ["\n", "\r\n"] {
            let lines = ["q1 Q0 d1 1 2.5", "q1 Q0 d2 2 1", "q2 Q0 d1 1 3"].join(end);
            assert_eq!(run(&lines).unwrap(), expected);
        }
    }

    #[test]
    fn a_wrong_line_says_where_and_what() {
        let error = run("q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 high tag\n").unwrap_err();
        assert_eq!((error.at, error.length), (30, 4));
        let error = run("q1 Q0 d1 1 nan tag\n").unwrap_err();
        assert_eq!((error.at, error.expected), (11, "a score that is a number"));
        let error = run("q1 Q0 d1 1\n").unwrap_err();
        assert_eq!((error.at, error.length), (10, 0));
        let error = run("q1 d1\nq1 Q0 d1 1 2.5 tag").unwrap_err();
        assert_eq!((error.at, error.expected), (5, "a document"));
    }

    #[test]
    fn qrels_may_have_comments_and_negative_levels() {
        let text = b"# made by hand\nq1 0 d#1 -1\r\n  q2 0 d2 3";
        let mut all = Vec::new();
        let push = |query: Span, item: Item<i32>| {
            all.push((query.of(text), item.document.of(text), item.value));
        };
        for_each_judgement(text, 0, push).unwrap();
        let expected: Vec<(&[u8], &[u8], i32)> = vec![(b"q1", b"d#1", -1), (b"q2", b"d2", 3)];
        assert_eq!(all, expected);
    }

    #[test]
    fn qrels_refuse_a_level_that_is_no_whole_number() {
        let error = for_each_judgement(b"q1 0 d1 0.5\n", 0, |_, _| {}).unwrap_err();
        assert_eq!((error.at, error.length), (8, 3));
        let error = for_each_judgement(b"q1 0 d1 1 2\n", 0, |_, _| {}).unwrap_err();
        assert_eq!(error.expected, "the end of the line after the level");
    }
}
