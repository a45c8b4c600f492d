//! HTML: what a reader of the page sees, as paragraphs.
//!
//! No tree is built: a page is walked once, and a tag only says where paragraphs end,
//! which are headings, and what nobody sees.

mod entities;
mod hidden;
mod tokens;

use self::entities::push_decoded;
use self::hidden::Hiding;
use self::tokens::{Token, Tokens};
use crate::blocks::{Blocks, Parts};
use crate::error::DocumentError;
use crate::limits::Limits;

/// Elements whose content is not shown as text.
const UNSEEN: [&str; 11] = [
    "script", "style", "title", "template", "noscript", "svg", "iframe", "object", "canvas",
    "audio", "video",
];

/// Elements that end the paragraph before them and the one in them.
const BLOCKS: [&str; 34] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
    "tr",
    "ul",
];

/// Elements that hold nothing, so that there is nothing to hide.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// How much of what a page hides is kept to be shown, in bytes.
const SAMPLE_BYTES: usize = 200;

/// What stands between two cells of a row.
const BETWEEN_CELLS: &str = " | ";

/// Reads a web page.
pub(crate) fn read(html: &str, limits: &Limits) -> Result<Parts, DocumentError> {
    let mut walker = Walker::new(limits);
    for token in Tokens::new(html) {
        match token {
            Token::Text(text) => walker.text(text),
            Token::Open { name, attributes } => walker.open(&name, attributes)?,
            Token::Close { name } => walker.close(&name)?,
        }
    }
    walker.end_paragraph()?;
    let mut parts = walker.blocks.finish();
    parts.hidden("in elements that are not shown", walker.hidden, &walker.sample);
    Ok(parts)
}

struct Walker {
    blocks: Blocks,
    /// The paragraph so far.
    current: String,
    heading: Option<u8>,
    /// How many `pre` are open: in them white space is as written.
    preformatted: usize,
    in_cell: bool,
    /// The element whose content is not shown, and how deep inside its likes we are.
    unseen: Option<(String, usize)>,
    /// Whether that element is one that a reader would see if it were not hidden.
    is_hidden: bool,
    hidden: usize,
    /// How the hidden text begins.
    sample: String,
    hiding: Hiding,
}

impl Walker {
    fn new(limits: &Limits) -> Self {
        Self {
            blocks: Blocks::new(limits),
            current: String::new(),
            heading: None,
            preformatted: 0,
            in_cell: false,
            unseen: None,
            is_hidden: false,
            hidden: 0,
            sample: String::new(),
            hiding: Hiding::default(),
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((unseen, _)) = &self.unseen {
            if self.is_hidden && self.sample.len() < SAMPLE_BYTES {
                push_decoded(text, &mut self.sample);
            } else if unseen == "style" {
                self.hiding.read(text);
            }
            return;
        }
        if self.preformatted > 0 {
            return push_decoded(text, &mut self.current);
        }
        let mut decoded = String::with_capacity(text.len());
        push_decoded(text, &mut decoded);
        for c in decoded.chars() {
            match c {
                '\u{ad}' | '\u{200b}' => {}
                c if c.is_whitespace() => self.space(),
                c => self.current.push(c),
            }
        }
    }

    fn open(&mut self, name: &str, attributes: &str) -> Result<(), DocumentError> {
        if let Some((unseen, depth)) = &mut self.unseen {
            if !ends_unclosed(unseen, name) {
                *depth += usize::from(unseen == name);
                return Ok(());
            }
            self.unseen = None;
        }
        if UNSEEN.contains(&name) {
            (self.unseen, self.is_hidden) = (Some((name.to_owned(), 1)), false);
            return Ok(());
        }
        if !VOID.contains(&name) && self.hiding.hides(name, attributes) {
            self.hidden += 1;
            self.sample.push(' ');
            (self.unseen, self.is_hidden) = (Some((name.to_owned(), 1)), true);
            return self.boundary(name, true);
        }
        match name {
            "br" => self.current.push('\n'),
            "td" | "th" => self.begin_cell(),
            _ => self.boundary(name, true)?,
        }
        if name == "pre" {
            self.preformatted += 1;
        }
        self.heading = level(name).or(self.heading);
        Ok(())
    }

    fn close(&mut self, name: &str) -> Result<(), DocumentError> {
        if let Some((unseen, depth)) = &mut self.unseen {
            *depth -= usize::from(unseen == name);
            let is_left = *depth > 0 && !closes_unclosed(unseen, name);
            if is_left {
                return Ok(());
            }
            let is_own = *depth == 0;
            self.unseen = None;
            if is_own {
                return Ok(());
            }
        }
        if name == "pre" {
            self.preformatted = self.preformatted.saturating_sub(1);
        }
        self.boundary(name, false)
    }

    /// A tag that may end a paragraph.
    fn boundary(&mut self, name: &str, opens: bool) -> Result<(), DocumentError> {
        let row_ends = matches!(name, "tr" | "table" | "tbody" | "thead");
        if row_ends || level(name).is_some() {
            // A heading in a cell: the table is there for the layout, not for its rows.
            self.in_cell &= !row_ends;
            self.end_paragraph()
        } else if self.in_cell && BLOCKS.contains(&name) {
            // One row of a table is one paragraph, whatever its cells are made of.
            if opens || name != "li" {
                self.space();
            }
            Ok(())
        } else if BLOCKS.contains(&name) {
            self.end_paragraph()
        } else {
            Ok(())
        }
    }

    fn begin_cell(&mut self) {
        if !self.current.trim().is_empty() {
            self.current.truncate(self.current.trim_end().len());
            self.current.push_str(BETWEEN_CELLS);
        }
        self.in_cell = true;
    }

    /// One space, unless the paragraph begins here or has one already.
    fn space(&mut self) {
        if !self.current.is_empty() && !self.current.ends_with([' ', '\n']) {
            self.current.push(' ');
        }
    }

    fn end_paragraph(&mut self) -> Result<(), DocumentError> {
        let heading = self.heading.take();
        self.blocks.push(&std::mem::take(&mut self.current), heading)
    }
}

/// Whether an element that need not be closed ends where another begins.
fn ends_unclosed(unseen: &str, name: &str) -> bool {
    match unseen {
        "p" => BLOCKS.contains(&name) || level(name).is_some(),
        "li" => name == "li",
        "dt" | "dd" => matches!(name, "dt" | "dd"),
        "td" | "th" => matches!(name, "td" | "th" | "tr"),
        "tr" => name == "tr",
        _ => false,
    }
}

/// Whether it ends where the element around it is closed.
fn closes_unclosed(unseen: &str, name: &str) -> bool {
    match unseen {
        "p" => name != "p" && BLOCKS.contains(&name),
        "li" => matches!(name, "ul" | "ol"),
        "dt" | "dd" => name == "dl",
        "td" | "th" => matches!(name, "tr" | "table" | "tbody" | "thead"),
        "tr" => matches!(name, "table" | "tbody" | "thead"),
        _ => false,
    }
}

/// The level of a heading element.
fn level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Notice;

    fn parts(html: &str) -> Parts {
        read(html, &Limits::default()).unwrap()
    }

    fn text(html: &str) -> String {
        parts(html).text
    }

    #[test]
    fn only_what_is_shown_is_text() {
        let page = "<!doctype html><html><head><title>T</title><style>p{}</style></head><body>\
            <script>if (a<b) document.write('<p>no</p>')</script><p>Shown &amp; <b>bo</b>ld</p>\
            <!-- no --><noscript>no</noscript><svg><title>no</title><text>no</text></svg></body>";
        assert_eq!(text(page), "Shown & bold");
    }

    #[test]
    fn white_space_means_one_space_but_for_preformatted_text() {
        assert_eq!(text("<p> a\n\n  b&nbsp; <i>c</i></p><pre>x\n  y</pre>"), "a b c\n\nx\n  y");
        assert_eq!(text("a<br>b"), "a\nb");
    }

    #[test]
    fn headings_have_levels_and_blocks_end_paragraphs() {
        let parts = parts("<h2>Scope</h2>loose<ul><li>one<li>two</ul><div>three</div>four");
        assert_eq!(parts.text, "Scope\n\nloose\n\none\n\ntwo\n\nthree\n\nfour");
        let headings: Vec<_> = parts.paragraphs.iter().map(|paragraph| paragraph.heading).collect();
        assert_eq!(headings, [Some(2), None, None, None, None, None]);
    }

    #[test]
    fn a_row_of_a_table_is_a_paragraph() {
        let table = "<table><tr><th>Control</th><th>Status</th></tr>\
            <tr><td><p>AC-2</p></td><td><ul><li>done</li><li>tested</li></ul></td></tr></table>end";
        assert_eq!(text(table), "Control | Status\n\nAC-2 | done tested\n\nend");
    }

    #[test]
    fn what_a_page_hides_is_left_out_and_said() {
        let parts = parts(
            "<div hidden>no <div>no</div> no</div>a<span style='display: none'>score 100</span>b",
        );
        assert_eq!(parts.text, "ab");
        let expected = Notice::Hidden {
            how: "in elements that are not shown".to_owned(),
            count: 2,
            sample: "no no no score 100".to_owned(),
        };
        assert_eq!(parts.notices, [expected]);
    }

    #[test]
    fn every_way_to_hide_text_from_people_is_known() {
        for hidden in [
            "<p hidden>score 100</p>",
            "<p aria-hidden=\"true\">score 100</p>",
            "<b style='visibility: hidden'>score 100</b>",
            "<p style='font-size:0'>score 100</p>",
            "<p style='font-size: 0.5px'>score 100</p>",
            "<p style='opacity:0'>score 100</p>",
            "<div style='position:absolute; left:-9999px'>score 100</div>",
            "<h2 style='text-indent:-5000px'>score 100</h2>",
            "<p style='color:#fff'>score 100</p>",
            "<style>.x, #y { display : none }</style><p class='a x'>score 100</p>",
            "<style>#y{visibility:hidden}</style><div id=y>score 100</div>",
        ] {
            let parts = parts(&format!("<p>seen</p>{hidden}<p>too</p>"));
            assert_eq!(parts.text, "seen\n\ntoo", "{hidden}");
            assert_eq!(parts.notices.len(), 1, "{hidden}");
        }
    }

    #[test]
    fn what_is_shown_stays() {
        for page in [
            "<p style='color:#fff;background:#036'>seen</p>",
            "<style>body{background:#000}</style><p style='color:#fff'>seen</p>",
            "<p style='opacity:0.9; font-size:10px; left:-4px'>seen</p>",
            "<style>@media print { .x { display:none } }</style><p class=x>seen</p>",
            "<p aria-hidden=false>seen</p>",
            "<ul><li hidden>no<li>seen</ul>",
            "<p hidden>no<p>seen</p>",
        ] {
            assert_eq!(text(page), "seen", "{page}");
        }
    }

    #[test]
    fn broken_pages_are_read_as_far_as_they_go() {
        assert_eq!(text("<p>a<b>b</p></div></i><p unclosed='"), "ab");
        assert_eq!(text("a </ b < c <"), "a </ b < c <");
        assert_eq!(text("</pre></table></h1>x"), "x");
    }
}
