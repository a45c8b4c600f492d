//! One line each, without its newline.

use std::ops::Range;

/// The lines of a text.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split('\n').map(|line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_stands_between_two_newlines() {
        assert_eq!(ranges("ab\n\nc"), [0..2, 3..3, 4..5]);
    }
}
