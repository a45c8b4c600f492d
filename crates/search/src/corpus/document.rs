//! One text of a corpus, and the code points its spans count in.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::code_points::CodePoints;

/// One text of a corpus.
#[derive(Debug, Clone)]
pub struct Document {
    /// Path below the corpus folder, with `/` between its parts, composed (NFC).
    pub path: String,
    /// The text after newline translation; spans count its code points.
    pub text: String,
    /// What a record calls itself; a file is called by its path.
    title: Option<String>,
    code_points: CodePoints,
}

impl Document {
    /// A document of this text.
    pub fn new(path: &str, text: String) -> Self {
        let code_points = CodePoints::of(&text);
        Self { path: normal_path(path), text, title: None, code_points }
    }

    /// A record of a corpus in one file; its title stands before its text.
    pub fn record(id: &str, title: &str, text: &str) -> Self {
        let title = title.trim();
        let text = if title.is_empty() { text.to_owned() } else { format!("{title}\n{text}") };
        let code_points = CodePoints::of(&text);
        Self { path: id.to_owned(), text, title: Some(title.to_owned()), code_points }
    }

    /// Whether it is a record of one file, and no file of its own.
    pub fn is_record(&self) -> bool {
        self.title.is_some()
    }

    /// What people may call the document by: its title, or the file's name without ending.
    pub fn name(&self) -> &str {
        if let Some(title) = &self.title {
            return title;
        }
        let file = self.path.rsplit('/').next().unwrap_or(&self.path);
        file.rsplit_once('.').map_or(file, |(stem, _)| stem)
    }

    /// How many code points the text has.
    pub fn length(&self) -> usize {
        self.code_points.length()
    }

    /// A range of bytes as a span of code points.
    pub fn span(&self, bytes: &Range<usize>) -> (usize, usize) {
        let at = |byte| self.code_points.at_byte(&self.text, byte);
        (at(bytes.start), at(bytes.end))
    }

    /// The text of a span of code points; `None` when it does not lie in the text.
    pub fn slice(&self, span: (usize, usize)) -> Option<&str> {
        let start = self.code_points.byte_of(&self.text, span.0)?;
        let end = self.code_points.byte_of(&self.text, span.1)?;
        self.text.get(start..end)
    }
}

/// A path as we compare it: `/` between parts, composed, no leading `./`.
pub(crate) fn normal_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).nfc().collect()
}
