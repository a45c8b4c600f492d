//! The way in: what a file is, and which reader takes it.

use crate::addressed::addressed;
use crate::blocks::{Parts, too_long};
use crate::document::{Document, Notice};
use crate::encoding::decode;
use crate::error::{DocumentError, Result};
use crate::limits::Limits;
use crate::media::{Magic, MediaType, magic};
use crate::{docx, html, markdown, plain};

/// Reads a document from the bytes of a file and its name.
///
/// What the file is, its content says; the name decides only between kinds of text.
///
/// ```
/// # use assize_documents::{read, Limits};
/// let file = b"# Access\n\nPasswords expire after *90* days.\n";
/// let policy = read(file, "policy.md", &Limits::default()).unwrap();
/// assert_eq!(policy.paragraphs[0].heading, Some(1));
/// let days = policy.text.find("90").unwrap();
/// assert_eq!(policy.place(days).paragraph, Some(1));
/// ```
pub fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document> {
    if bytes.len() > limits.bytes_max {
        let reason = format!("{} bytes; at most {} are allowed", bytes.len(), limits.bytes_max);
        return Err(DocumentError::TooLarge(reason));
    }
    if bytes.is_empty() {
        return Err(DocumentError::Empty);
    }
    let named = MediaType::of_name(name);
    let (media_type, mut parts) = match magic(bytes)? {
        Magic::Pdf => (MediaType::Pdf, pdf(bytes, limits)?),
        Magic::Zip => (MediaType::Docx, docx::read(bytes, limits)?),
        Magic::Compound => return Err(compound(bytes)),
        Magic::Html => (MediaType::Html, text(bytes, MediaType::Html, limits)?),
        Magic::Other => {
            let media_type = match named {
                Some(named @ (MediaType::Markdown | MediaType::Html)) => named,
                _ => MediaType::PlainText,
            };
            (media_type, text(bytes, media_type, limits)?)
        }
    };
    if parts.paragraphs.is_empty() {
        return Err(DocumentError::Empty);
    }
    if let Some(named) = named.filter(|named| *named != media_type) {
        parts.notices.insert(0, Notice::MediaType { named, found: media_type });
    }
    let Parts { text, pages, paragraphs, notices } = parts;
    let hash = blake3::hash(bytes).to_hex().to_string();
    let mut document = Document { media_type, hash, text, pages, paragraphs, notices };
    let sentences = addressed(document.paragraph_texts());
    if !sentences.is_empty() {
        document.notices.push(Notice::SpeaksToJudge { sentences });
    }
    Ok(document)
}

fn text(bytes: &[u8], media_type: MediaType, limits: &Limits) -> Result<Parts> {
    let decoded = decode(bytes)?;
    let mut parts = match media_type {
        MediaType::Html => html::read(&decoded.text, limits)?,
        MediaType::Markdown => markdown::read(&decoded.text)?,
        _ => plain::read(&decoded.text),
    };
    if parts.text.chars().count() > limits.code_points_max {
        return Err(too_long(limits.code_points_max));
    }
    parts.notices.splice(0..0, decoded.notices);
    Ok(parts)
}

#[cfg(feature = "pdf")]
fn pdf(bytes: &[u8], limits: &Limits) -> Result<Parts> {
    crate::pdf::read(bytes, limits)
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &[u8], _: &Limits) -> Result<Parts> {
    Err(DocumentError::Unsupported("a PDF (this build has no reader for it)", "text"))
}

/// What is wrong with a file in Microsoft's older container.
pub(crate) fn compound(bytes: &[u8]) -> DocumentError {
    // An encrypted DOCX is a container with one stream of this name, in UTF-16.
    let name: Vec<u8> = "EncryptedPackage".bytes().flat_map(|byte| [byte, 0]).collect();
    if bytes.windows(name.len()).any(|window| window == name) {
        DocumentError::Encrypted("DOCX")
    } else {
        DocumentError::Unsupported("a document of Word 97 to 2003", "DOCX")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], name: &str) -> Result<Document, DocumentError> {
        read(bytes, name, &Limits::default())
    }

    #[test]
    fn the_hash_is_of_the_original_bytes() {
        // As `b3sum` prints it for these three bytes.
        let document = of(b"abc", "a.txt").unwrap();
        assert_eq!(
            document.hash,
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
        );
        assert_eq!(document.text, "abc");
    }

    #[test]
    fn content_wins_over_the_name_and_the_mismatch_is_said() {
        let document = of(b"<!DOCTYPE html><p>Hello", "policy.pdf").unwrap();
        assert_eq!(document.media_type, MediaType::Html);
        let expected = Notice::MediaType { named: MediaType::Pdf, found: MediaType::Html };
        assert_eq!(document.notices, [expected]);
        assert_eq!(of(b"Hello", "policy").unwrap().notices, []);
        assert_eq!(of(b"# Hello", "README.MD").unwrap().media_type, MediaType::Markdown);
    }

    #[test]
    fn nothing_is_an_error_and_so_are_spaces() {
        for bytes in [&b""[..], b" \n\t ", b"\xef\xbb\xbf", b"\xff\xfe"] {
            assert_eq!(of(bytes, "a.txt"), Err(DocumentError::Empty));
        }
        assert_eq!(of(b"<html><script>x</script>", "a.html"), Err(DocumentError::Empty));
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W o r d";
        assert!(matches!(of(old, "a.doc"), Err(DocumentError::Unsupported(..))));
        let mut locked = old.to_vec();
        locked.extend("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]));
        let error = of(&locked, "a.docx").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the DOCX is encrypted: save it without a password and try again"
        );
        let small = Limits { bytes_max: 3, ..Limits::default() };
        assert!(matches!(read(b"four", "a.txt", &small), Err(DocumentError::TooLarge(_))));
        let short = Limits { code_points_max: 3, ..Limits::default() };
        assert!(matches!(read(b"four", "a.txt", &short), Err(DocumentError::TooLarge(_))));
    }
}
