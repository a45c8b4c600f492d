//! Texts of judges and people as OSCAL wants them: never as markup.

use crate::text::plain;

/// What would be markup in OSCAL's Markdown.
const SIGNS: [char; 15] =
    ['\\', '`', '*', '_', '{', '}', '[', ']', '<', '>', '#', '|', '~', '^', '$'];
/// What stands where a text must be and is none.
const NOTHING: &str = "(nothing given)";

/// A text of several lines, with every sign of markup escaped.
pub(super) fn prose(text: &str) -> String {
    let text = plain(text);
    let text = text.trim();
    if text.is_empty() { NOTHING.to_owned() } else { escaped(text) }
}

/// A text of one line, with every sign of markup escaped.
pub(super) fn line(text: &str) -> String {
    prose(&value(text).unwrap_or_default())
}

/// The value of a property: one line, no white at its ends; none if nothing is left.
pub(super) fn value(text: &str) -> Option<String> {
    let value = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    (!value.is_empty()).then_some(value)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if SIGNS.contains(&character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_quoted_becomes_markup() {
        assert_eq!(
            prose("a <b>*b*</b>\n{{ insert }}"),
            "a \\<b\\>\\*b\\*\\</b\\>\n\\{\\{ insert \\}\\}"
        );
        assert_eq!(line(" two\r\nlines "), "two lines");
        assert_eq!(line(" \n"), NOTHING);
        assert_eq!(value(" \t"), None);
    }
}
