//! The line of a run as nearly all lines are, read in a few steps.
//!
//! Single gaps, a plain decimal for a score, and the tag of the line before: that is what
//! millions of lines have in common. Any other line is left to the general way.

use super::fields::field_end;
use super::number;

/// What follows the `Q0` of such a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rest {
    /// Where the document ends.
    pub(super) document_end: usize,
    pub(super) score: f64,
    /// Where the next line starts.
    pub(super) next: usize,
}

/// Reads a line from its document on; `ending` is what the line before had after its score.
#[inline(always)]
#[expect(clippy::inline_always, reason = "called once for every line of a run")]
pub(super) fn rest_of_line(text: &[u8], document: usize, ending: &[u8]) -> Option<Rest> {
    let document_end = field_end(text, document);
    let rank = after_gap(text, document_end)?;
    let score = after_gap(text, field_end(text, rank))?;
    let (value, score_end) = number::plain_decimal(text, score)?;
    let is_usual = !ending.is_empty() && starts_with(text.get(score_end..)?, ending);
    is_usual.then_some(Rest { document_end, score: value, next: score_end + ending.len() })
}

/// What follows a single gap.
#[inline(always)]
#[expect(clippy::inline_always, reason = "called once for every line of a run")]
fn after_gap(text: &[u8], gap: usize) -> Option<usize> {
    let is_gap = matches!(text.get(gap), Some(b' ' | b'\t'));
    let is_field = text.get(gap + 1).is_some_and(|byte| *byte > b' ');
    (is_gap && is_field).then_some(gap + 1)
}

/// What `starts_with` says, without a call for the usual short prefix.
#[inline(always)]
#[expect(clippy::inline_always, reason = "called once for every line of a run")]
pub(super) fn starts_with(text: &[u8], prefix: &[u8]) -> bool {
    let length = prefix.len();
    let Some(start) = text.get(..length) else { return false };
    match (prefix.first_chunk::<8>(), prefix.last_chunk::<8>()) {
        (Some(first), Some(last)) if length <= 16 => {
            start.first_chunk() == Some(first) && start.last_chunk() == Some(last)
        }
        _ => match (prefix.first_chunk::<4>(), prefix.last_chunk::<4>()) {
            (Some(first), Some(last)) if length <= 8 => {
                start.first_chunk() == Some(first) && start.last_chunk() == Some(last)
            }
            _ => start == prefix,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_line_is_read_to_the_start_of_the_next() {
        let text = b"q1 Q0 doc-number-7 12 29.988238 tag\nq1";
        let rest = rest_of_line(text, 6, b" tag\n").unwrap();
        assert_eq!(rest, Rest { document_end: 18, score: 29.988_238, next: 36 });
    }

    #[test]
    fn any_other_line_is_left_alone() {
        let lines = [
            "d  1 2.5 tag\n",
            "d 1  2.5 tag\n",
            "d\n1 2.5 tag\n",
            "d 1 2.5e3 tag\n",
            "d 1 nan tag\n",
            "d 1 2.5 other\n",
            "d 1 2.5 tag",
            "d 1 2.5",
            "d 1",
            "d",
            "",
            "d 1 . tag\n",
            "d 1 -.5x tag\n",
            "d 1 0.12345678901234567890 tag\n",
        ];
        for line in lines {
            assert_eq!(rest_of_line(line.as_bytes(), 0, b" tag\n"), None, "{line}");
        }
        assert_eq!(rest_of_line(b"d 1 2.5", 0, b""), None);
    }

    #[test]
    fn a_prefix_of_any_length_is_compared_as_a_whole() {
        let text = b"abcdefghijklmnopqrstuvwxyz";
        for length in 1..20 {
            assert!(starts_with(text, &text[..length]));
            assert!(!starts_with(&text[..length - 1], &text[..length]));
            for changed in 0..length {
                let mut prefix = text[..length].to_vec();
                prefix[changed] = b'#';
                assert!(!starts_with(text, &prefix));
            }
        }
    }
}
