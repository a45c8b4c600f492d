//! Texts as lines of a width.

use unicode_normalization::UnicodeNormalization;

use crate::text::plain;

/// Spaces in place of a tab.
const TAB: &str = "    ";
/// Letters that are looked at where only the beginning of a text is shown.
const BEGINNING_MAX: usize = 400;

/// The text as it can be set: composed letters, no invisible marks, no more than one empty line.
pub(super) fn settable(text: &str) -> String {
    let mut settable = String::with_capacity(text.len());
    let mut line_ends = 0;
    for character in plain(text).trim_end().nfc().filter(|character| !is_invisible(*character)) {
        line_ends = if character == '\n' { line_ends + 1 } else { 0 };
        match character {
            '\n' if line_ends > 2 => {}
            '\t' => settable.push_str(TAB),
            '\u{2028}' | '\u{2029}' => settable.push('\n'),
            _ => settable.push(character),
        }
    }
    settable
}

/// The text in one line.
pub(super) fn one_line(text: &str) -> String {
    settable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text in one line: more than any line on paper holds.
pub(super) fn beginning(text: &str) -> String {
    one_line(&text.chars().take(BEGINNING_MAX).collect::<String>())
}

/// The lines of a settable text. The first line has less room by `first`.
pub(super) fn lines(
    text: &str,
    width: f32,
    first: f32,
    measure: impl Fn(char) -> f32,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut used = first;
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_inclusive(' ') {
            let solid: f32 = word.trim_end_matches(' ').chars().map(&measure).sum();
            if used + solid > width && used > 0.0 && (!line.is_empty() || lines.is_empty()) {
                lines.push(take_line(&mut line));
                used = 0.0;
            }
            if solid <= width {
                line.push_str(word);
                used += word.chars().map(&measure).sum::<f32>();
                continue;
            }
            for character in word.chars() {
                let advance = measure(character);
                if used + advance > width && !line.is_empty() {
                    lines.push(take_line(&mut line));
                    used = 0.0;
                }
                line.push(character);
                used += advance;
            }
        }
        lines.push(take_line(&mut line));
        used = 0.0;
    }
    lines
}

fn take_line(line: &mut String) -> String {
    let mut taken = std::mem::take(line);
    taken.truncate(taken.trim_end_matches(' ').len());
    taken
}

/// Marks that have no shape: joiners, directions, variation selectors, soft hyphens.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of ten letters, each letter one wide.
    fn ten(text: &str, first: f32) -> Vec<String> {
        lines(text, 10.0, first, |_| 1.0)
    }

    #[test]
    fn words_go_to_the_next_line_when_they_do_not_fit() {
        assert_eq!(ten("one two three four", 0.0), ["one two", "three four"]);
        assert_eq!(ten("exactly 10", 0.0), ["exactly 10"]);
        assert_eq!(ten("", 0.0), [""]);
        assert_eq!(ten("a\n\nb", 0.0), ["a", "", "b"]);
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken() {
        assert_eq!(ten("a 0123456789abcdef b", 0.0), ["a", "0123456789", "abcdef b"]);
    }

    #[test]
    fn the_first_line_leaves_room_for_its_label() {
        assert_eq!(ten("one two", 6.0), ["one", "two"]);
        assert_eq!(ten("seven", 6.0), ["", "seven"]);
    }

    #[test]
    fn a_letter_wider_than_the_line_stands_alone() {
        assert_eq!(lines("ab", 0.5, 0.0, |_| 1.0), ["a", "b"]);
    }

    #[test]
    fn letters_are_composed_and_invisible_marks_dropped() {
        assert_eq!(settable("e\u{301}\u{202e}x\u{200b}\n\n\n\n\ty \n"), "éx\n\n    y");
    }
}
