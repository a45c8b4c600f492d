//! Cutting a document into passages: one way a file, named as on the command line.

mod characters;
mod lines;
mod recursive;
mod sentences;
mod words;

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

/// How documents are cut into passages.
///
/// ```
/// use assize_search::Chunking;
/// let chunking: Chunking = "words:500/250".parse()?;
/// assert_eq!(chunking.to_string(), "words:500/250");
/// # Ok::<(), assize_search::chunk::ChunkingError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunking {
    /// Runs of `size` words, a new one every `step` words.
    Words {
        /// Words in a passage.
        size: NonZeroUsize,
        /// Words from the start of one passage to the start of the next; at most `size`.
        step: NonZeroUsize,
    },
    /// Runs of so many code points, end to end.
    Characters(NonZeroUsize),
    /// One sentence each.
    Sentences,
    /// One line each.
    Lines,
    /// The whole text.
    Whole,
    /// At most so many code points, cut where the text itself has the strongest joint.
    Recursive(NonZeroUsize),
}

impl Chunking {
    /// Runs of `size` words every `step` words; none is taken as one, a wide step as the size.
    pub fn words(size: usize, step: usize) -> Self {
        let size = NonZeroUsize::new(size).unwrap_or(NonZeroUsize::MIN);
        let step = NonZeroUsize::new(step).unwrap_or(NonZeroUsize::MIN);
        Self::Words { size, step: step.min(size) }
    }

    /// The passages of a text as byte ranges, in order of start; none of them is blank.
    pub fn ranges(self, text: &str) -> Vec<Range<usize>> {
        let mut ranges = match self {
            Self::Words { size, step } => words::ranges(text, size.get(), step.get()),
            Self::Characters(size) => characters::ranges(text, size.get()),
            Self::Sentences => sentences::ranges(text),
            Self::Lines => lines::ranges(text),
            Self::Whole => std::iter::once(0..text.len()).collect(),
            Self::Recursive(size) => recursive::ranges(text, size.get()),
        };
        ranges.retain(|range| !text[range.clone()].trim().is_empty());
        ranges
    }
}

impl Default for Chunking {
    /// 500 words at half overlap, the chunks of the reference figures.
    fn default() -> Self {
        Self::words(500, 250)
    }
}

impl fmt::Display for Chunking {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words { size, step } => write!(formatter, "words:{size}/{step}"),
            Self::Characters(size) => write!(formatter, "chars:{size}"),
            Self::Sentences => formatter.write_str("sentences"),
            Self::Lines => formatter.write_str("lines"),
            Self::Whole => formatter.write_str("whole"),
            Self::Recursive(size) => write!(formatter, "rcts:{size}"),
        }
    }
}

/// Why a chunking was not understood.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChunkingError {
    /// The name before the colon is none of ours.
    #[error(
        "`{0}` is not a chunking; use words:500/250, chars:500, sentences, lines, rcts:500 or whole"
    )]
    Unknown(String),
    /// A size is missing, zero or no number.
    #[error("`{0}` needs a whole number above zero, as in {1}")]
    Size(String, &'static str),
    /// Steps wider than the passage would lose words between passages.
    #[error("`{0}` would skip words: the step must not exceed the size")]
    StepTooWide(String),
}

impl FromStr for Chunking {
    type Err = ChunkingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, size) =
            text.split_once(':').map_or((text, None), |(name, size)| (name, Some(size)));
        let number = |number: Option<&str>, example| {
            number
                .and_then(|number| number.parse().ok())
                .ok_or_else(|| ChunkingError::Size(text.to_owned(), example))
        };
        match (name, size) {
            ("words", Some(size)) => {
                let example = "words:500/250";
                let (size, step) = size.split_once('/').map_or((size, size), |parts| parts);
                let (size, step) = (number(Some(size), example)?, number(Some(step), example)?);
                if step > size {
                    return Err(ChunkingError::StepTooWide(text.to_owned()));
                }
                Ok(Self::Words { size, step })
            }
            ("words", None) => Err(ChunkingError::Size(text.to_owned(), "words:500/250")),
            ("chars", size) => Ok(Self::Characters(number(size, "chars:500")?)),
            ("rcts", size) => Ok(Self::Recursive(number(size, "rcts:500")?)),
            ("sentences", None) => Ok(Self::Sentences),
            ("lines", None) => Ok(Self::Lines),
            ("whole", None) => Ok(Self::Whole),
            _ => Err(ChunkingError::Unknown(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunking_is_read_back_from_how_it_is_written() {
        for text in ["words:500/250", "chars:500", "sentences", "lines", "rcts:500"] {
            assert_eq!(text.parse::<Chunking>().unwrap().to_string(), text);
        }
        assert_eq!("words:100".parse::<Chunking>().unwrap().to_string(), "words:100/100");
    }

    #[test]
    fn a_chunking_that_makes_no_sense_is_refused_in_words() {
        for text in ["", "pages", "words", "words:0", "words:x/2", "chars:", "chars", "lines:3"] {
            assert!(text.parse::<Chunking>().is_err(), "{text}");
        }
        let error = "words:10/20".parse::<Chunking>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`words:10/20` would skip words: the step must not exceed the size"
        );
    }
}
