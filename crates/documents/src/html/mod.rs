//! HTML: what a reader of the page sees, as paragraphs.
//!
//! A page is walked in the order it is written; what nobody sees, its styles decide.

mod cascade;
mod colour;
mod entities;
mod selector;
mod sheet;
mod style;
mod tokens;
mod tree;
mod values;

use std::ops::Range;

use self::entities::push_decoded;
use self::style::{Style, Unseen};
use self::tree::{BLOCKS, Event, Page};
use crate::blocks::{Blocks, HiddenText, Parts};
use crate::error::Result;
use crate::limits::Limits;

/// What stands between two cells of a row.
const BETWEEN_CELLS: &str = " | ";

/// Reads a web page.
pub(crate) fn read(html: &str, limits: &Limits) -> Result<Parts> {
    let page = Page::parse(html);
    let styles = cascade::styles(&page, html)?;
    let mut walker = Walker::new(limits);
    for event in &page.events {
        match event {
            Event::Text(element, range) => {
                walker.text(&html[range.clone()], &styles[*element], *element);
            }
            Event::Open(element) => {
                let style = &styles[*element];
                walker.open(&page.elements[*element].name, style, *element)?;
            }
            Event::Close(element) => {
                let style = &styles[*element];
                walker.close(&page.elements[*element].name, style, *element)?;
            }
            Event::Stray(name) => walker.boundary(name, false)?,
        }
    }
    walker.end_paragraph()?;
    let mut parts = walker.blocks.finish();
    walker.hidden.tell(&mut parts);
    Ok(parts)
}

/// A part of HTML that nobody sees.
#[derive(Debug)]
pub(crate) struct Hidden {
    pub(crate) range: Range<usize>,
    /// Why not, in words; none for tags, scripts and the like, which say nothing.
    pub(crate) why: Option<&'static str>,
    /// Parts of one piece have one number.
    pub(crate) piece: usize,
}

/// Attributes whose words a reader may take for text.
const WORDED: [&str; 7] =
    ["title", "alt", "aria-label", "content", "value", "placeholder", "summary"];

/// An attribute with more words than this is not only a name.
const ATTRIBUTE_WORDS_MAX: usize = 2;

/// What nobody sees of HTML: text that is hidden, comments, and the tags.
pub(crate) fn unseen(html: &str) -> Result<Vec<Hidden>> {
    let page = Page::parse(html);
    let styles = cascade::styles(&page, html)?;
    let texts = page.events.iter().filter_map(|event| {
        let Event::Text(element, range) = event else { return None };
        let (why, piece) = styles[*element].unseen(*element)?;
        let is_code = matches!(page.elements[*element].name.as_str(), "script" | "style");
        let why = Some(why.words()).filter(|_| !is_code);
        Some(Hidden { range: range.clone(), why, piece })
    });
    let markup = page.markup.iter().map(|range| {
        let text = &html[range.clone()];
        let worded = |name: &&str| {
            let value = tokens::attribute(text, name).unwrap_or_default();
            value.split_whitespace().count() > ATTRIBUTE_WORDS_MAX
        };
        let is_doctype = text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
        let why = match text.as_bytes() {
            [_, b'!' | b'?', ..] => Some("in comments").filter(|_| !is_doctype),
            _ => WORDED.iter().any(worded).then_some("in attributes"),
        };
        Hidden { range: range.clone(), why, piece: range.start }
    });
    Ok(texts.chain(markup).collect())
}

struct Walker {
    blocks: Blocks,
    /// The paragraph so far.
    current: String,
    heading: Option<u8>,
    /// How many `pre` are open: in them white space is as written.
    preformatted: usize,
    in_cell: bool,
    hidden: HiddenText<Unseen>,
}

impl Walker {
    fn new(limits: &Limits) -> Self {
        Self {
            blocks: Blocks::new(limits),
            current: String::new(),
            heading: None,
            preformatted: 0,
            in_cell: false,
            hidden: HiddenText::default(),
        }
    }

    fn text(&mut self, text: &str, style: &Style, element: usize) {
        if let Some((why, from)) = style.unseen(element) {
            if why != Unseen::NoText {
                let mut decoded = String::with_capacity(text.len());
                push_decoded(text, &mut decoded);
                self.hidden.add(why, from, &decoded);
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

    fn open(&mut self, name: &str, style: &Style, element: usize) -> Result<()> {
        if style.unseen(element).is_some_and(|(_, from)| from != element) {
            return Ok(());
        }
        if style.unseen(element).is_some() {
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

    fn close(&mut self, name: &str, style: &Style, element: usize) -> Result<()> {
        if style.unseen(element).is_some() {
            return Ok(());
        }
        if name == "pre" {
            self.preformatted = self.preformatted.saturating_sub(1);
        }
        self.boundary(name, false)
    }

    /// A tag that may end a paragraph.
    fn boundary(&mut self, name: &str, opens: bool) -> Result<()> {
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

    fn end_paragraph(&mut self) -> Result<()> {
        let heading = self.heading.take();
        self.blocks.push(&std::mem::take(&mut self.current), heading)
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
