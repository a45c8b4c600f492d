//! Cutting where the text has its strongest joints: LegalBench-RAG's second chunking.
//!
//! The text is split before every occurrence of the strongest separator it contains.
//! Pieces that fit are joined again up to the size; a piece that does not fit is split
//! at the next weaker separator. Nothing is dropped: the passages end to end are the text.

use std::ops::Range;

/// Joints from the strongest to the weakest; the empty one cuts between any two code points.
const SEPARATORS: [&str; 10] = ["\n\n", "\n", "!", "?", ".", ":", ";", ",", " ", ""];

/// Passages of at most `size` code points, where the separators allow it.
pub(super) fn ranges(text: &str, size: usize) -> Vec<Range<usize>> {
    let mut passages = Vec::new();
    split(text, 0..text.len(), &SEPARATORS, size, &mut passages);
    passages
}

fn split(
    text: &str,
    range: Range<usize>,
    separators: &[&str],
    size: usize,
    passages: &mut Vec<Range<usize>>,
) {
    let slice = &text[range.clone()];
    let strongest = separators.iter().position(|separator| slice.contains(separator));
    let Some(strongest) = strongest else {
        return passages.push(range);
    };
    let (separator, weaker) = (separators[strongest], &separators[strongest + 1..]);
    let mut fitting: Option<(Range<usize>, usize)> = None;
    for piece in pieces(slice, separator) {
        let piece = range.start + piece.start..range.start + piece.end;
        let length = text[piece.clone()].chars().count();
        // A piece must be shorter than the size to be joined; one of exactly the size
        // is split further, or stands alone when nothing weaker is left.
        if length >= size {
            passages.extend(fitting.take().map(|(range, _)| range));
            if weaker.is_empty() {
                passages.push(piece);
            } else {
                split(text, piece, weaker, size, passages);
            }
            continue;
        }
        fitting = match fitting {
            Some((joined, total)) if total + length <= size => {
                Some((joined.start..piece.end, total + length))
            }
            full => {
                passages.extend(full.map(|(range, _)| range));
                Some((piece, length))
            }
        };
    }
    passages.extend(fitting.map(|(range, _)| range));
}

/// The pieces of a text, each beginning with the separator, except perhaps the first.
fn pieces(text: &str, separator: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = if separator.is_empty() {
        text.char_indices().map(|(byte, _)| byte).collect()
    } else {
        text.match_indices(separator).map(|(byte, _)| byte).collect()
    };
    cuts.insert(0, 0);
    cuts.push(text.len());
    cuts.windows(2).map(|pair| pair[0]..pair[1]).filter(|range| !range.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, size: usize) -> Vec<&str> {
        ranges(text, size).into_iter().map(|range| &text[range]).collect()
    }

    /// Expected values come from `RecursiveCharacterTextSplitter` of langchain with the
    /// same separators, no overlap and `strip_whitespace=False`.
    #[test]
    fn cuts_fall_where_the_splitter_of_legalbench_rag_puts_them() {
        assert_eq!(
            cut("Alpha beta. Gamma, delta!\n\nEpsilon zeta eta theta; iota.\nkappa", 12),
            [
                "Alpha beta",
                ". Gamma",
                ", delta",
                "!",
                "\n",
                "\nEpsilon",
                " zeta eta",
                " theta",
                "; iota",
                ".",
                "\nkappa"
            ]
        );
        assert_eq!(cut("abcdefghijkl mn", 5), ["abcde", "fghij", "kl", " mn"]);
        assert_eq!(
            cut("\n\n\n\nabc\n\ndefghijklmnop\n", 10),
            ["\n\n\n\nabc", "\n", "\ndefghijkl", "mnop", "\n"]
        );
        assert_eq!(
            cut("é€é€é€é€é€ a: b; c, dddddddddd", 8),
            ["é€é€é€é€", "é€", " a", ": b", "; c", ",", " ddddddd", "ddd"]
        );
    }
}
