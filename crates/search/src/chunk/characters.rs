//! Runs of code points end to end, wherever they cut: LegalBench-RAG's naive chunks.

use std::ops::Range;

/// Cuts every `size` code points.
pub(super) fn ranges(text: &str, size: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (count, (byte, _)) in text.char_indices().enumerate() {
        if count > 0 && count % size == 0 {
            ranges.push(start..byte);
            start = byte;
        }
    }
    if start < text.len() {
        ranges.push(start..text.len());
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_counted_not_bytes() {
        let text = "aé€😀b";
        let cut: Vec<&str> = ranges(text, 2).into_iter().map(|range| &text[range]).collect();
        assert_eq!(cut, ["aé", "€😀", "b"]);
    }
}
