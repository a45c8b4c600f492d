//! What was left out of a corpus, or read by a guess, in words for the user.

use std::fmt;

/// Something about one file that a user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// Left out: no byte, or nothing but white space.
    Empty,
    /// Left out: not a text.
    Binary(&'static str),
    /// Left out: its encoding cannot be read.
    BrokenEncoding(&'static str),
    /// Left out: larger than the limit.
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The size allowed.
        limit: u64,
    },
    /// Left out: the system would not let us read it.
    Unreadable(String),
    /// Left out: a link to a folder it lies in.
    LinkLoop,
    /// Left out: neither file nor folder, such as a pipe or a socket.
    Special,
    /// Read as Windows-1252 because it is not UTF-8.
    Guessed,
    /// Two names that differ only in how accents are written; this one was left out.
    SameName,
}

impl Remark {
    /// Whether the file is missing from the corpus.
    pub fn left_out(&self) -> bool {
        !matches!(self, Self::Guessed)
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("skipped: empty"),
            Self::Binary(what) | Self::BrokenEncoding(what) => {
                write!(formatter, "skipped: {what}")
            }
            Self::TooLarge { bytes, limit } => {
                write!(formatter, "skipped: {bytes} bytes, more than the limit of {limit}")
            }
            Self::Unreadable(why) => write!(formatter, "skipped: {why}"),
            Self::LinkLoop => {
                formatter.write_str("skipped: the link points back to its own folder")
            }
            Self::Special => formatter.write_str("skipped: neither a file nor a folder"),
            Self::Guessed => formatter.write_str("not UTF-8, read as Windows-1252"),
            Self::SameName => formatter.write_str(
                "skipped: another file has the same name in a different Unicode normalisation",
            ),
        }
    }
}

/// Remarks on files, in the order of their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Path below the corpus folder, and what there is to say.
    pub remarks: Vec<(String, Remark)>,
}

impl Report {
    /// How many files were left out.
    pub fn left_out(&self) -> usize {
        self.remarks.iter().filter(|(_, remark)| remark.left_out()).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, remark) in &self.remarks {
            writeln!(formatter, "{path}: {remark}")?;
        }
        Ok(())
    }
}
