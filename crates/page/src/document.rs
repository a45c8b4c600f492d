//! A text with stretches of it marked: what a judge quoted, shown where it stands.
//!
//! Offsets count code points, as evidence does. Marks may overlap; each keeps its class,
//! its anchor and a small number that leads back to what it is evidence for. The text is
//! escaped, and characters that would change how others are shown are seen as `�`.

use maud::{Markup, PreEscaped, html};

use crate::app::parts::is_hidden;

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
pub fn marked(text: &str, marks: &[Mark]) -> Markup {
    let mut writer = Writer { out: String::with_capacity(text.len() + 256), open: Vec::new() };
    let mut starts: Vec<&Mark> = marks.iter().filter(|mark| mark.start < mark.end).collect();
    // The longest of those that start together is the outermost.
    starts.sort_by(|left, right| left.start.cmp(&right.start).then(right.end.cmp(&left.end)));
    let mut waiting = starts.into_iter().peekable();
    for (place, character) in text.chars().enumerate() {
        writer.close_until(place);
        while let Some(mark) = waiting.next_if(|mark| mark.start == place) {
            writer.open(mark, true);
        }
        writer.character(character);
    }
    writer.close_until(usize::MAX);
    PreEscaped(writer.out)
}

struct Writer<'m> {
    out: String,
    /// Marks that are open, the innermost last.
    open: Vec<&'m Mark>,
}

impl<'m> Writer<'m> {
    fn open(&mut self, mark: &'m Mark, first: bool) {
        let anchor = first.then_some(mark.anchor.as_str()).filter(|anchor| !anchor.is_empty());
        let title = Some(mark.title.as_str()).filter(|title| !title.is_empty());
        // maud writes whole elements; the end is cut off and written when the mark closes.
        let whole = html! { mark class=(mark.class) id=[anchor] title=[title] {} }.into_string();
        self.out.push_str(whole.trim_end_matches("</mark>"));
        self.open.push(mark);
    }

    /// Closes every mark that ends here. Marks inside them that go on are closed as well
    /// and opened again, so that elements nest.
    fn close_until(&mut self, place: usize) {
        while let Some(outermost) = self.open.iter().position(|mark| mark.end <= place) {
            let closed = self.open.split_off(outermost);
            for mark in closed.iter().rev() {
                self.out.push_str("</mark>");
                if mark.end <= place {
                    self.number(mark);
                }
            }
            for mark in closed.into_iter().filter(|mark| mark.end > place) {
                self.open(mark, false);
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

    fn without_numbers(text: &str, marks: &[Mark]) -> String {
        let mut html = marked(text, marks).into_string();
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
        let html = without_numbers("abcdef", &[mark(0, 4, "1"), mark(2, 6, "2")]);
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

    #[test]
    fn a_mark_that_holds_nothing_is_left_out() {
        assert_eq!(marked("abc", &[mark(1, 1, "1")]).into_string(), "abc");
    }
}
