//! A text with stretches of it marked: what a judge quoted, shown where it stands.
//!
//! Offsets count code points, as evidence does. Marks may overlap; each keeps its class,
//! its anchor and a small number that leads back to what it is evidence for. The text is
//! escaped, and characters that would change how others are shown are seen as `�`.

use maud::{Markup, PreEscaped, html};

use crate::app::parts::is_hidden;
use crate::flow::{Flow, flow, markdown};

/// A stretch of a text that is evidence for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The first code point, counted from 0.
    pub start: usize,
    /// The code point after the last; not before `start`.
    pub end: usize,
    /// The classes of the styles.
    pub class: String,
    /// The anchor that links lead to.
    pub anchor: String,
    /// The small number after it.
    pub number: String,
    /// Where the number leads.
    pub leads_to: String,
    /// What shows on hovering.
    pub title: String,
}

/// The text with its marks, as the content of one element.
pub(crate) fn marked(text: &str, marks: &[Mark]) -> Markup {
    written(text, marks, &Flow::default())
}

/// The same for a whole document: a break that only wraps prose is shown as a space, and a
/// heading of Markdown in bold. No character moves, so marks stay where they are. In a file of
/// Markdown, its signs are there and not shown.
pub(crate) fn flowing(name: &str, text: &str, marks: &[Mark]) -> Markup {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_markdown = matches!(ending.as_deref(), Some("md" | "markdown"));
    written(text, marks, &if is_markdown { markdown(text) } else { flow(text) })
}

fn written(text: &str, marks: &[Mark], flow: &Flow) -> Markup {
    let mut writer = Writer { out: String::with_capacity(text.len() + 256), open: Vec::new() };
    let headings =
        flow.headings.iter().map(|(start, end)| (*start, OpenPart::Heading { end: *end }));
    let bold = flow.bold.iter().map(|(start, end)| (*start, OpenPart::Heading { end: *end }));
    let signs = flow.signs.iter().map(|(start, end)| (*start, OpenPart::Sign { end: *end }));
    let real = marks.iter().filter(|mark| mark.start < mark.end);
    let mut starts: Vec<(usize, OpenPart<'_>)> = headings
        .chain(bold)
        .chain(signs)
        .chain(real.map(|mark| (mark.start, OpenPart::Mark(mark))))
        .collect();
    // The longest of those that start together is the outermost.
    starts.sort_by(|(left, one), (right, other)| left.cmp(right).then(other.end().cmp(&one.end())));
    let mut waiting = starts.into_iter().peekable();
    for (place, character) in text.chars().enumerate() {
        writer.close_until(place);
        while let Some((_, opened)) = waiting.next_if(|(start, _)| *start == place) {
            writer.open(opened, true);
        }
        let is_wrap = flow.wraps.contains(&place);
        writer.character(if is_wrap { ' ' } else { character });
    }
    writer.close_until(usize::MAX);
    PreEscaped(writer.out)
}

/// What is open at a place of the text.
#[derive(Clone, Copy)]
enum OpenPart<'m> {
    Mark(&'m Mark),
    Heading { end: usize },
    Sign { end: usize },
}

impl OpenPart<'_> {
    fn end(&self) -> usize {
        match self {
            Self::Mark(mark) => mark.end,
            Self::Heading { end } | Self::Sign { end } => *end,
        }
    }
}

struct Writer<'m> {
    out: String,
    /// What is open, the innermost last.
    open: Vec<OpenPart<'m>>,
}

impl<'m> Writer<'m> {
    fn open(&mut self, opened: OpenPart<'m>, first: bool) {
        match opened {
            OpenPart::Mark(mark) => self.open_mark(mark, first),
            OpenPart::Heading { .. } => self.out.push_str("<b>"),
            OpenPart::Sign { .. } => self.out.push_str("<span class=\"sign\">"),
        }
        self.open.push(opened);
    }

    fn open_mark(&mut self, mark: &Mark, first: bool) {
        let anchor = first.then_some(mark.anchor.as_str()).filter(|anchor| !anchor.is_empty());
        let title = Some(mark.title.as_str()).filter(|title| !title.is_empty());
        // maud writes whole elements; the end is cut off and written when the mark closes.
        let whole = html! { mark class=(mark.class) id=[anchor] title=[title] {} }.into_string();
        self.out.push_str(whole.trim_end_matches("</mark>"));
    }

    /// Closes everything that ends here. What is inside and goes on is closed as well and opened
    /// again, so that elements nest.
    fn close_until(&mut self, place: usize) {
        while let Some(outermost) = self.open.iter().position(|opened| opened.end() <= place) {
            let closed = self.open.split_off(outermost);
            for opened in closed.iter().rev() {
                match opened {
                    OpenPart::Mark(mark) => {
                        self.out.push_str("</mark>");
                        if mark.end <= place {
                            self.number(mark);
                        }
                    }
                    OpenPart::Heading { .. } => self.out.push_str("</b>"),
                    OpenPart::Sign { .. } => self.out.push_str("</span>"),
                }
            }
            for opened in closed.into_iter().filter(|opened| opened.end() > place) {
                self.open(opened, false);
            }
        }
    }

    fn number(&mut self, mark: &Mark) {
        if mark.number.is_empty() {
            return;
        }
        let number = html! { sup class="ref" { a href={ "#" (mark.leads_to) } { (mark.number) } } };
        self.out.push_str(&number.into_string());
    }

    fn character(&mut self, character: char) {
        match character {
            '&' => self.out.push_str("&amp;"),
            '<' => self.out.push_str("&lt;"),
            '>' => self.out.push_str("&gt;"),
            '"' => self.out.push_str("&quot;"),
            '\n' | '\t' => self.out.push(character),
            '\r' => {}
            other if is_hidden(other) => self.out.push('\u{fffd}'),
            other => self.out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(start: usize, end: usize, number: &str) -> Mark {
        Mark {
            start,
            end,
            class: "m".to_owned(),
            anchor: format!("a{number}"),
            number: number.to_owned(),
            leads_to: format!("c{number}"),
            title: String::new(),
        }
    }

    fn without_numbers(text: &str, marks: &[Mark], written: fn(&str, &[Mark]) -> Markup) -> String {
        let mut html = written(text, marks).into_string();
        while let (Some(start), Some(end)) = (html.find("<sup"), html.find("</sup>")) {
            html.replace_range(start..end + "</sup>".len(), "");
        }
        html
    }

    #[test]
    fn offsets_count_code_points() {
        let html = marked("Ørsted sold it.", &[mark(7, 11, "1")]).into_string();
        assert!(html.contains(r#"<mark class="m" id="a1">sold</mark>"#), "{html}");
        assert!(html.contains(r##"<a href="#c1">1</a>"##), "{html}");
    }

    #[test]
    fn overlapping_marks_still_nest() {
        let html = without_numbers("abcdef", &[mark(0, 4, "1"), mark(2, 6, "2")], marked);
        let expected = "<mark class=\"m\" id=\"a1\">ab<mark class=\"m\" id=\"a2\">cd</mark></mark>\
                        <mark class=\"m\">ef</mark>";
        assert_eq!(html, expected);
    }

    #[test]
    fn hostile_text_stays_text() {
        let text = "<script>alert('&')</script>\u{0}\u{1b}[31m";
        let html = marked(text, &[mark(0, 8, "1"), mark(3, 900, "2"), mark(9, 2, "3")]);
        let html = html.into_string();
        assert!(!html.contains("<script") && !html.contains('\u{1b}') && !html.contains('\u{0}'));
        assert_eq!(html.matches("<mark").count(), html.matches("</mark>").count());
    }

    /// What a reader would select: no elements, and entities as characters.
    fn read(html: &str) -> String {
        let mut text = String::new();
        let mut is_tag = false;
        for letter in html.chars() {
            match letter {
                '<' => is_tag = true,
                '>' => is_tag = false,
                letter if !is_tag => text.push(letter),
                _ => {}
            }
        }
        text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    #[test]
    fn a_document_flows_and_its_marks_stay_where_they_are() {
        let text = "# Access & rights\n\nEvery member of staff has an account of their own\n\
                    and nobody else uses it.\n- Ärger\n- item\n";
        let place = |words: &str| {
            let start = text[..text.find(words).unwrap()].chars().count();
            (start, start + words.chars().count())
        };
        // One mark goes over the break, one begins in the heading and ends behind it.
        let quotes = ["own\nand nobody", "rights\n\nEvery", "Ärger"];
        let marks: Vec<Mark> = (1..)
            .zip(quotes)
            .map(|(number, words)| {
                let (start, end) = place(words);
                mark(start, end, &format!("{number}"))
            })
            .collect();
        let html = without_numbers(text, &marks, |text, marks| flowing("a.txt", text, marks));
        assert_eq!(read(&html), text.replacen("own\nand", "own and", 1));
        assert!(html.contains("<mark class=\"m\" id=\"a1\">own and nobody</mark>"), "{html}");
        assert!(html.contains("<mark class=\"m\" id=\"a3\">Ärger</mark>"), "{html}");
        assert!(
            html.starts_with("<b># Access &amp; <mark class=\"m\" id=\"a2\">rights</mark></b>")
        );
        assert!(html.contains("<mark class=\"m\">\n\nEvery</mark>"), "{html}");
    }

    #[test]
    fn markdown_is_shown_without_its_signs_and_marks_stay_where_they_are() {
        let text = "# Keys\n\nKeys **must be counted** daily.";
        let start = text.find("must").unwrap();
        let marks = [mark(start, start + "must be counted** daily".len(), "1")];
        let html = without_numbers(text, &marks, |text, marks| flowing("a.MD", text, marks));
        assert_eq!(read(&html), text, "no letter is lost");
        assert!(html.starts_with("<b><span class=\"sign\"># </span>Keys</b>"), "{html}");
        assert!(
            html.contains(
                "<mark class=\"m\" id=\"a1\">must be counted<span class=\"sign\">**</span>"
            ),
            "{html}"
        );
        assert_eq!(html.matches("<b>").count(), html.matches("</b>").count());
        let hostile = flowing("a.md", "**<script>** [x](javascript:alert(1))", &[]).into_string();
        assert!(hostile.contains("&lt;script&gt;") && !hostile.contains("href"), "{hostile}");
    }

    #[test]
    fn a_text_that_is_no_document_keeps_every_break() {
        let text = "# Every member of staff has an account\nEvery member of staff has an account of \
                    their own\nand nobody";
        assert_eq!(marked(text, &[]).into_string(), text);
    }

    #[test]
    fn a_mark_that_holds_nothing_is_left_out() {
        assert_eq!(marked("abc", &[mark(1, 1, "1")]).into_string(), "abc");
    }
}
