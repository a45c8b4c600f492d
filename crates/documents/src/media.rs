//! What a file is: by what is in it, then by its name.

use serde::{Deserialize, Serialize};

use crate::error::{DocumentError, Result};

/// The kinds of document that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MediaType {
    /// Text without markup.
    #[serde(rename = "text/plain")]
    PlainText,
    /// Text with Markdown's markup.
    #[serde(rename = "text/markdown")]
    Markdown,
    /// A web page.
    #[serde(rename = "text/html")]
    Html,
    #[serde(rename = "application/pdf")]
    Pdf,
    /// A Word document of the format that Word writes since 2007.
    #[serde(rename = "application/vnd.openxmlformats-officedocument.wordprocessingml.document")]
    Docx,
}

impl MediaType {
    /// The name that mail and the web use for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PlainText => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// What people call it, with its article.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::PlainText => "plain text",
            Self::Markdown => "Markdown",
            Self::Html => "an HTML page",
            Self::Pdf => "a PDF",
            Self::Docx => "a DOCX",
        }
    }

    /// What the end of a file's name says it is.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        match extension(name)?.as_str() {
            "txt" | "text" | "log" => Some(Self::PlainText),
            "md" | "markdown" | "mdown" | "mkd" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "docx" | "docm" | "dotx" => Some(Self::Docx),
            _ => None,
        }
    }
}

/// The end of a file's name after the last dot, in lower case.
pub(crate) fn extension(name: &str) -> Option<String> {
    let file = name.rsplit(['/', '\\']).next()?;
    file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

/// What the first bytes of a file say it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Magic {
    Pdf,
    Zip,
    /// Microsoft's older container: an old Word file, or a new one with a password.
    Compound,
    Html,
    /// Anything else: text, or nothing that is known.
    Other,
}

/// How far into a file the mark of a PDF may begin.
const PDF_MARK_WITHIN: usize = 1024;

/// What the first bytes of a file say it is, or that nobody here reads such a file.
pub(crate) fn magic(bytes: &[u8]) -> Result<Magic> {
    const REFUSED: [(&[u8], &str, &str); 7] = [
        (b"{\\rtf", "an RTF document", "DOCX"),
        (b"\x89PNG", "a picture", "a PDF with text"),
        (b"\xff\xd8\xff", "a picture", "a PDF with text"),
        (b"GIF8", "a picture", "a PDF with text"),
        (b"II*\0", "a picture", "a PDF with text"),
        (b"MM\0*", "a picture", "a PDF with text"),
        (b"\x1f\x8b", "a compressed file", "the file inside it"),
    ];
    if let Some((_, what, instead)) = REFUSED.iter().find(|(mark, ..)| bytes.starts_with(mark)) {
        return Err(DocumentError::Unsupported(what, instead));
    }
    let head = &bytes[..bytes.len().min(PDF_MARK_WITHIN)];
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        Ok(Magic::Zip)
    } else if bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        Ok(Magic::Compound)
    } else if head.windows(5).any(|window| window == b"%PDF-") {
        Ok(Magic::Pdf)
    } else if looks_like_html(head) {
        Ok(Magic::Html)
    } else {
        Ok(Magic::Other)
    }
}

fn looks_like_html(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let head = head.to_ascii_lowercase();
    head.starts_with(b"<!doctype html")
        || head.starts_with(b"<html")
        || (head.starts_with(b"<?xml") && head.windows(5).any(|window| window == b"<html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_looked_at_after_its_last_dot() {
        assert_eq!(MediaType::of_name("a.b/Policy.V2.DOCX"), Some(MediaType::Docx));
        assert_eq!(MediaType::of_name("folder.pdf/readme"), None);
        assert_eq!(MediaType::of_name(""), None);
    }

    #[test]
    fn content_is_known_by_its_first_bytes() {
        assert_eq!(magic(b"junk\n%PDF-1.7"), Ok(Magic::Pdf));
        assert_eq!(magic(b"\xef\xbb\xbf  <!DOCTYPE html>"), Ok(Magic::Html));
        assert_eq!(magic(b"<p>a fragment</p>"), Ok(Magic::Other));
        assert!(matches!(magic(b"{\\rtf1"), Err(DocumentError::Unsupported(..))));
    }

    #[test]
    fn a_media_type_is_stored_under_its_public_name() {
        let json = serde_json::to_string(&MediaType::Docx).unwrap();
        assert_eq!(json, format!("\"{}\"", MediaType::Docx.as_str()));
    }
}
