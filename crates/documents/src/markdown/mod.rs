//! Markdown: the source is the text, and its headings, items and rows are paragraphs.
//!
//! The markup stays where it is, so that an offset means the same in the original. What a
//! reader would not see (comments, HTML that hides) is blank, as long as it was; front matter and
//! rules are in no paragraph.

mod unseen;

use std::ops::Range;

use self::unseen::unseen;
use crate::blocks::Parts;
use crate::encoding::clean;
use crate::error::Result;
use crate::plain::lines;

/// Reads Markdown.
pub(crate) fn read(text: &str) -> Result<Parts> {
    let text = clean(text);
    let skipped = front_matter(&text);
    let unseen = unseen(&text, skipped)?;
    let text = blanked(text, &unseen.ranges);
    let mut outline = Outline::default();
    for line in lines(&text).skip_while(|line| line.start < skipped) {
        outline.line(&text, line);
    }
    outline.close();
    let mut parts = Parts::of_source(text, outline.found);
    unseen.hidden.tell(&mut parts);
    Ok(parts)
}

/// A text with blanks at these bytes, one for every code point; lines end where they ended.
fn blanked(text: String, ranges: &[Range<usize>]) -> String {
    if ranges.is_empty() {
        return text;
    }
    let mut blank = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        let start = range.start.max(at);
        if start >= range.end {
            continue;
        }
        blank.push_str(&text[at..start]);
        blank.extend(text[start..range.end].chars().map(|c| if c == '\n' { c } else { ' ' }));
        at = range.end;
    }
    blank.push_str(&text[at..]);
    blank
}

/// Where a block of settings at the start of the text ends; 0 if there is none.
fn front_matter(text: &str) -> usize {
    let mut all = lines(text);
    if all.next().is_none_or(|first| text[first].trim_end() != "---") {
        return 0;
    }
    all.find(|line| matches!(text[line.clone()].trim_end(), "---" | "..."))
        .map_or(0, |line| line.end + 1)
}

/// What the lines so far make up.
#[derive(Default)]
struct Outline {
    found: Vec<(Range<usize>, Option<u8>)>,
    open: Option<Range<usize>>,
    /// The mark that closes a block of code.
    fence: Option<&'static str>,
}

impl Outline {
    fn line(&mut self, text: &str, range: Range<usize>) {
        let line = &text[range.clone()];
        let shown = line.trim();
        if let Some(fence) = self.fence {
            self.extend(range);
            if shown.starts_with(fence) {
                self.fence = None;
                self.close();
            }
        } else if let Some(fence) = ["```", "~~~"].into_iter().find(|mark| shown.starts_with(mark))
        {
            self.close();
            self.fence = Some(fence);
            self.extend(range);
        } else if let Some(level) = heading(shown) {
            self.close();
            let start = range.end - line.trim_start().trim_start_matches('#').len();
            let end = range.start + line.trim_end().trim_end_matches('#').len();
            self.found.push((start..end.max(start), Some(level)));
        } else {
            self.body(line, shown, range);
        }
    }

    /// A line that is none of the blocks with marks of their own.
    fn body(&mut self, line: &str, shown: &str, range: Range<usize>) {
        let content = range.end - line.trim_start().len();
        match underline(shown) {
            Some(level) if self.open.is_some() => {
                self.found.extend(self.open.take().map(|title| (title, Some(level))));
            }
            _ if shown.is_empty() || shown == ">" || is_rule(shown) => self.close(),
            _ if shown.starts_with('|') => {
                self.close();
                if shown.chars().any(char::is_alphanumeric) {
                    self.found.push((range, None));
                }
            }
            _ if ["- ", "* ", "+ "].iter().any(|mark| shown.starts_with(mark)) => {
                self.close();
                self.open = Some(content + 2..range.end);
            }
            _ if is_numbered(shown) => {
                self.close();
                self.open = Some(content..range.end);
            }
            _ => self.extend(range),
        }
    }

    fn extend(&mut self, range: Range<usize>) {
        match &mut self.open {
            Some(open) => open.end = range.end,
            None => self.open = Some(range),
        }
    }

    fn close(&mut self) {
        self.found.extend(self.open.take().map(|paragraph| (paragraph, None)));
    }
}

/// The level of a heading that begins with `#`.
fn heading(line: &str) -> Option<u8> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let ends = rest.is_empty() || rest.starts_with([' ', '\t']);
    (ends && (1..=6).contains(&level)).then(|| u8::try_from(level).ok()).flatten()
}

/// The level of the heading that a line of `=` or `-` makes of what is above it.
fn underline(line: &str) -> Option<u8> {
    let all = |mark| !line.is_empty() && line.chars().all(|c| c == mark);
    if all('=') {
        Some(1)
    } else if all('-') {
        Some(2)
    } else {
        None
    }
}

fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let Some(mark @ ('-' | '*' | '_' | '=')) = marks.next() else { return false };
    let mut count = 1;
    marks.all(|c| {
        count += 1;
        c == mark
    }) && count >= 3
}

fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - rest.len();
    (1..=9).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Vec<(String, Option<u8>)> {
        let parts = read(text).unwrap();
        let cut = |span: &Range<usize>| parts.text.chars().skip(span.start).take(span.len());
        let pair = |p: &crate::document::Paragraph| (cut(&p.span).collect(), p.heading);
        parts.paragraphs.iter().map(pair).collect()
    }

    fn plain(texts: &[&str]) -> Vec<(String, Option<u8>)> {
        texts.iter().map(|text| ((*text).to_owned(), None)).collect()
    }

    #[test]
    fn headings_have_their_level_and_lose_their_marks() {
        let found = outline("# Ünë #\ntext\n\n###  Three\n#no\n\nTitle\n===\nsub\n---\n");
        let expected = [
            ("Ünë", Some(1)),
            ("text", None),
            ("Three", Some(3)),
            ("#no", None),
            ("Title", Some(1)),
            ("sub", Some(2)),
        ];
        let expected: Vec<_> = expected.map(|(text, level)| (text.to_owned(), level)).into();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_item_of_a_list_is_a_paragraph() {
        let found =
            outline("Intro:\n* one\n  goes on\n  - inner\n2. second\n3) third\n1.5 is none\n");
        let expected = ["Intro:", "one\n  goes on", "inner", "2. second", "3) third\n1.5 is none"];
        assert_eq!(found, plain(&expected));
    }

    #[test]
    fn rows_of_a_table_are_paragraphs_and_its_rule_is_none() {
        let found = outline("| a | b |\n|---|:-:|\n| 1 | 2 |\n");
        assert_eq!(found, plain(&["| a | b |", "| 1 | 2 |"]));
    }

    #[test]
    fn what_no_reader_sees_is_in_no_paragraph() {
        let found = outline("---\ntitle: x\n---\n\na\n\n<!-- hidden\nstill\n-->\n***\nb\n");
        assert_eq!(found, plain(&["a", "b"]));
    }

    #[test]
    fn code_is_one_paragraph_and_has_no_headings() {
        let found = outline("```sh\n# a comment\n\nls\n```\nafter\n");
        assert_eq!(found, plain(&["```sh\n# a comment\n\nls\n```", "after"]));
    }
}
