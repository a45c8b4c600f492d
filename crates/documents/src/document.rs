//! A document as it was read: its text, and where pages and paragraphs lie in it.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::media::MediaType;

/// A document as it was read.
///
/// Every offset counts code points of `text` from 0, so that it means the same in Rust,
/// Python and SQL; `assize_text::CodePoints` turns it into bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What the file is.
    pub media_type: MediaType,
    /// BLAKE3 of the original bytes, in hexadecimal.
    pub hash: String,
    /// The text, with `\n` as the end of a line and no other control character but tabs.
    pub text: String,
    /// The pages in order; empty when the format has none.
    pub pages: Vec<Page>,
    /// The paragraphs in order: none is empty, none overlaps another.
    pub paragraphs: Vec<Paragraph>,
    /// What the reader wants known about how it read the file.
    pub notices: Vec<Notice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Its number, from 1.
    pub number: usize,
    /// Where its text lies, in code points.
    pub span: Range<usize>,
}

/// A paragraph, heading, list item or row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// Where its text lies, in code points.
    pub span: Range<usize>,
    /// The level of a heading, from 1; `None` for other paragraphs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<u8>,
}

/// Where in a document an offset is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The number of the page, from 1, if the document has pages.
    pub page: Option<usize>,
    /// The index of the paragraph, from 0.
    pub paragraph: Option<usize>,
}

impl Document {
    /// The page and paragraph that a code point of the text lies in; see [`place`].
    pub fn place(&self, offset: usize) -> Place {
        place(&self.pages, &self.paragraphs, offset)
    }

    /// The text of each paragraph, in order.
    pub fn paragraph_texts(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.text.as_str();
        let mut at = 0;
        self.paragraphs.iter().map(move |paragraph| {
            rest = skip(rest, paragraph.span.start - at);
            let after = skip(rest, paragraph.span.len());
            let text = &rest[..rest.len() - after.len()];
            rest = after;
            at = paragraph.span.end;
            text
        })
    }
}

/// The page and paragraph that a code point lies in, or else the nearest before it.
///
/// For those who keep pages and paragraphs apart from the document.
pub fn place(pages: &[Page], paragraphs: &[Paragraph], offset: usize) -> Place {
    let page = pages.partition_point(|page| page.span.start <= offset).checked_sub(1);
    let paragraph =
        paragraphs.partition_point(|paragraph| paragraph.span.start <= offset).checked_sub(1);
    Place { page: page.map(|index| pages[index].number), paragraph }
}

/// What is left of a text after so many code points.
fn skip(text: &str, code_points: usize) -> &str {
    text.char_indices().nth(code_points).map_or("", |(byte, _)| &text[byte..])
}

/// What a reader wants known: nothing that kept it from reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// The name of the file says one thing and its content another; the content counts.
    MediaType {
        /// What the name says.
        named: MediaType,
        /// What the content is.
        found: MediaType,
    },
    /// The text is not UTF-8.
    Encoding {
        /// What it was read as.
        read_as: String,
    },
    /// Characters that could not be read were replaced by U+FFFD.
    Unreadable {
        /// How many.
        characters: usize,
    },
    /// Encrypted, but with an empty password.
    EmptyPassword,
    /// Pages without any text: pictures, perhaps.
    PagesWithoutText {
        /// Their numbers.
        pages: Vec<usize>,
    },
    /// Text that a person who opens the file cannot see; it is not part of the text.
    Hidden {
        /// In which way.
        how: String,
        /// How many pieces.
        count: usize,
        /// How it begins.
        sample: String,
    },
    /// The text speaks to whoever judges it, and not to its readers.
    SpeaksToJudge {
        /// The sentences, the first ones.
        sentences: Vec<String>,
    },
    /// Something in the file is not part of the text.
    LeftOut {
        /// What, as a plural.
        what: String,
        /// How many.
        count: usize,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MediaType { named, found } => {
                write!(f, "named like {} but is {}", named.noun(), found.noun())
            }
            Self::Encoding { read_as } => write!(f, "not UTF-8, read as {read_as}"),
            Self::Unreadable { characters } => write!(f, "unreadable characters: {characters}"),
            Self::EmptyPassword => f.write_str("encrypted, but readable without a password"),
            Self::PagesWithoutText { pages } => {
                let numbers: Vec<String> = pages.iter().take(10).map(usize::to_string).collect();
                let more = if pages.len() > numbers.len() { ", …" } else { "" };
                let count = pages.len();
                write!(f, "pages without text: {count} ({}{more})", numbers.join(", "))
            }
            Self::Hidden { how, count, sample } => {
                let pieces = if *count == 1 { "piece" } else { "pieces" };
                write!(f, "hidden text: {count} {pieces} {how}, not read: “{sample}”")
            }
            Self::SpeaksToJudge { sentences } => {
                write!(f, "the document speaks to the judge: “{}”", sentences.join("” “"))
            }
            Self::LeftOut { what, count } => write!(f, "left out: {count} {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(span: Range<usize>) -> Paragraph {
        Paragraph { span, heading: None }
    }

    #[test]
    fn an_offset_has_its_page_and_paragraph_or_the_ones_before_it() {
        let pages = [Page { number: 1, span: 0..10 }, Page { number: 2, span: 12..20 }];
        let paragraphs = [paragraph(2..5), paragraph(7..10), paragraph(12..20)];
        let at = |offset| {
            let place = place(&pages, &paragraphs, offset);
            (place.page, place.paragraph)
        };
        assert_eq!(at(0), (Some(1), None));
        assert_eq!(at(2), (Some(1), Some(0)));
        assert_eq!(at(6), (Some(1), Some(0)));
        assert_eq!(at(7), (Some(1), Some(1)));
        assert_eq!(at(12), (Some(2), Some(2)));
        assert_eq!(at(999), (Some(2), Some(2)));
        assert_eq!(place(&[], &[], 3), Place { page: None, paragraph: None });
    }

    #[test]
    fn paragraph_texts_are_cut_at_code_points() {
        let document = Document {
            media_type: MediaType::PlainText,
            hash: String::new(),
            text: "né à\n\nüb".to_owned(),
            pages: Vec::new(),
            paragraphs: vec![paragraph(0..4), paragraph(6..8)],
            notices: Vec::new(),
        };
        assert_eq!(document.paragraph_texts().collect::<Vec<_>>(), ["né à", "üb"]);
    }

    #[test]
    fn notices_are_short_sentences() {
        let pages = (1..=12).collect();
        assert_eq!(
            Notice::PagesWithoutText { pages }.to_string(),
            "pages without text: 12 (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)"
        );
        let mismatch = Notice::MediaType { named: MediaType::Pdf, found: MediaType::Html };
        assert_eq!(mismatch.to_string(), "named like a PDF but is an HTML page");
    }
}
