//! What a reader of rendered Markdown does not see: comments, what is hidden by HTML, and the
//! definitions of links, which are written like comments.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::blocks::HiddenText;
use crate::error::Result;
use crate::html::{self, Hidden};

/// A title of a link with so many words is read by nobody, if it is not a comment at all.
const TITLE_WORDS_MAX: usize = 2;

/// What is not seen of a text.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    /// Bytes of the text: hidden sentences, comments, and the tags of HTML.
    pub(super) ranges: Vec<Range<usize>>,
    /// The sentences among them.
    pub(super) hidden: HiddenText<&'static str>,
}

/// Looks through a text from a byte on.
pub(super) fn unseen(text: &str, from: usize) -> Result<Unseen> {
    let from = from.min(text.len());
    let source = &text[from..];
    let mut drawn = WebText::default();
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        drawn.take(&event, range, source);
    }
    let mut unseen = Unseen::default();
    // A page without a tag hides nothing.
    if drawn.has_html {
        for hidden in html::unseen(&drawn.page)? {
            drawn.find(&hidden, source, &mut unseen);
        }
    }
    drawn.definitions(source, &mut unseen);
    for range in &mut unseen.ranges {
        *range = range.start + from..range.end + from;
    }
    unseen.ranges.sort_by_key(|range| range.start);
    Ok(unseen)
}

/// The text as a web page, and where each part of the page comes from.
#[derive(Default)]
struct WebText {
    page: String,
    /// Bytes of the page, and where they begin in the text.
    pieces: Vec<(Range<usize>, usize)>,
    /// Bytes of the text that belong to something that is drawn.
    covered: Vec<Range<usize>>,
    /// The labels of definitions that links refer to.
    used: BTreeSet<String>,
    has_html: bool,
}

impl WebText {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>, source: &str) {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => {
                self.has_html = true;
                self.copy(range.clone(), source, true);
            }
            Event::Start(tag) => {
                if let Tag::Link { id, .. } | Tag::Image { id, .. } = tag {
                    self.used.insert(id.to_lowercase());
                }
                self.page.push_str(opening(tag));
            }
            Event::End(tag) => self.page.push_str(closing(*tag)),
            Event::Text(_) | Event::Code(_) | Event::FootnoteReference(_) => {
                self.copy(range.clone(), source, false);
            }
            Event::SoftBreak | Event::HardBreak => self.page.push('\n'),
            _ => {}
        }
        let holds_blocks = matches!(
            event,
            Event::Start(
                Tag::List(_) | Tag::Item | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_)
            ) | Event::End(_)
        );
        if !holds_blocks {
            self.covered.push(range);
        }
    }

    /// Puts a part of the text on the page; what is no HTML must not look like it.
    fn copy(&mut self, range: Range<usize>, source: &str, is_html: bool) {
        let start = self.page.len();
        let text = &source[range.clone()];
        if is_html {
            self.page.push_str(text);
        } else {
            self.page.extend(text.chars().map(|c| if matches!(c, '<' | '&') { ' ' } else { c }));
        }
        self.pieces.push((start..self.page.len(), range.start));
    }

    /// Finds in the text what is hidden on the page.
    fn find(&self, hidden: &Hidden, source: &str, unseen: &mut Unseen) {
        let first = self.pieces.partition_point(|(piece, _)| piece.end <= hidden.range.start);
        let pieces = self.pieces[first..].iter();
        for (piece, from) in pieces.take_while(|(piece, _)| piece.start < hidden.range.end) {
            let start = hidden.range.start.max(piece.start) - piece.start + from;
            let end = hidden.range.end.min(piece.end) - piece.start + from;
            if let Some(why) = hidden.why {
                let text = source[start..end].trim_start_matches("<!--");
                unseen.hidden.add(why, hidden.piece, text.trim_end_matches("-->"));
            }
            unseen.ranges.push(start..end);
        }
    }

    /// Finds what is not drawn at all: the definitions of links.
    fn definitions(&mut self, source: &str, unseen: &mut Unseen) {
        self.covered.sort_by_key(|range| range.start);
        let mut at = 0;
        let end = source.len()..source.len();
        for range in self.covered.iter().chain([&end]) {
            if range.start > at {
                self.definitions_between(at..range.start, source, unseen);
            }
            at = at.max(range.end);
        }
    }

    fn definitions_between(&self, gap: Range<usize>, source: &str, unseen: &mut Unseen) {
        let text = &source[gap.clone()];
        let Some(first) = text.find('[').filter(|first| text[*first..].contains("]:")) else {
            return;
        };
        let mut start = gap.start + first;
        unseen.ranges.push(start..gap.start + text.trim_end().len());
        // Every line that begins with a bracket begins a definition.
        let begins = text[first..].match_indices('\n').filter_map(|(at, _)| {
            let line = &text[first + at + 1..];
            let line = line.trim_start_matches([' ', '\t', '>']);
            line.starts_with('[').then(|| gap.end - line.len())
        });
        for next in begins.chain([gap.end]) {
            let definition = &source[start..next];
            if !self.is_used(definition) {
                unseen.hidden.add("in comments", start, definition);
            }
            start = next;
        }
    }

    /// Whether a definition is there for a link, and says nothing else.
    fn is_used(&self, definition: &str) -> bool {
        let Some((label, rest)) = definition.split_once("]:") else { return false };
        let label = label.trim_start_matches('[').to_lowercase();
        let words_after_address = rest.split_whitespace().skip(1).count();
        self.used.contains(&label) && words_after_address <= TITLE_WORDS_MAX
    }
}

/// The tag that a part of a text begins with on a page; only blocks matter here.
fn opening(tag: &Tag<'_>) -> &'static str {
    match tag {
        Tag::Paragraph => "<p>",
        Tag::Heading { .. } => "<h2>",
        Tag::BlockQuote(_) => "<blockquote>",
        Tag::CodeBlock(_) => "<pre>",
        Tag::List(_) => "<ul>",
        Tag::Item => "<li>",
        Tag::FootnoteDefinition(_) => "<div>",
        Tag::Table(_) => "<table>",
        Tag::TableHead | Tag::TableRow => "<tr>",
        Tag::TableCell => "<td>",
        _ => "",
    }
}

fn closing(tag: TagEnd) -> &'static str {
    match tag {
        TagEnd::Paragraph => "</p>",
        TagEnd::Heading(_) => "</h2>",
        TagEnd::BlockQuote(_) => "</blockquote>",
        TagEnd::CodeBlock => "</pre>",
        TagEnd::List(_) => "</ul>",
        TagEnd::Item => "</li>",
        TagEnd::FootnoteDefinition => "</div>",
        TagEnd::Table => "</table>",
        TagEnd::TableHead | TagEnd::TableRow => "</tr>",
        TagEnd::TableCell => "</td>",
        _ => "",
    }
}
