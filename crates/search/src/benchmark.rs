//! Gold snippets held against the corpus they should come from.

use std::fmt;

use crate::corpus::Corpus;

/// What is wrong with a gold snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnippetRemark {
    /// The corpus has no such file.
    NoSuchFile {
        /// The file the benchmark names.
        file_path: String,
    },
    /// The span does not lie in the file.
    SpanOutside {
        /// The file the benchmark names.
        file_path: String,
        /// Start and end in code points.
        span: (usize, usize),
        /// How many code points the file has.
        length: usize,
    },
    /// The file says something else at that place.
    OtherText {
        /// The file the benchmark names.
        file_path: String,
        /// Start and end in code points.
        span: (usize, usize),
    },
}

impl fmt::Display for SnippetRemark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFile { file_path } => {
                write!(formatter, "the benchmark refers to {file_path}, which is not in the corpus")
            }
            Self::SpanOutside { file_path, span: (start, end), length } => write!(
                formatter,
                "the span [{start}, {end}] is outside {file_path}, which has {length} characters"
            ),
            Self::OtherText { file_path, span: (start, end) } => write!(
                formatter,
                "{file_path} does not contain the gold text at [{start}, {end}]; the file or its \
                 newlines may have changed"
            ),
        }
    }
}

/// Compares one gold snippet with the corpus; nothing to say is good.
pub fn check_snippet(
    corpus: &Corpus,
    file_path: &str,
    span: (usize, usize),
    answer: Option<&str>,
) -> Option<SnippetRemark> {
    let file_path = || file_path.to_owned();
    let Some(document) = corpus.find(&file_path()) else {
        return Some(SnippetRemark::NoSuchFile { file_path: file_path() });
    };
    let document = &corpus.documents()[document];
    let Some(text) = document.slice(span) else {
        let length = document.length();
        return Some(SnippetRemark::SpanOutside { file_path: file_path(), span, length });
    };
    let same = answer.is_none_or(|answer| answer == text);
    (!same).then(|| SnippetRemark::OtherText { file_path: file_path(), span })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_held_against_file_span_and_text() {
        let corpus = Corpus::of_text("a.txt", "é is here");
        let remark = |path, span, answer| check_snippet(&corpus, path, span, answer);
        assert_eq!(remark("a.txt", (0, 4), Some("é is")), None);
        assert_eq!(remark("a.txt", (0, 9), None), None);
        let words = |remark: Option<SnippetRemark>| remark.unwrap().to_string();
        assert_eq!(
            words(remark("b.txt", (0, 4), None)),
            "the benchmark refers to b.txt, which is not in the corpus"
        );
        assert_eq!(
            words(remark("a.txt", (5, 10), None)),
            "the span [5, 10] is outside a.txt, which has 9 characters"
        );
        assert_eq!(
            words(remark("a.txt", (5, 4), None)),
            "the span [5, 4] is outside a.txt, which has 9 characters"
        );
        assert!(words(remark("a.txt", (0, 4), Some("e is"))).starts_with("a.txt does not contain"));
    }
}
