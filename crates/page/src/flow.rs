//! Lines of a plain text or of Markdown: which breaks only wrap prose, and which lines are headings.
//!
//! A file that was wrapped at some column shows ragged half lines in a frame of another width.
//! Offsets count code points, and nothing is added or taken away.

use std::collections::BTreeSet;

/// A shorter line was ended by its author, not by the margin.
const WRAPPED_CHARACTERS_MIN: usize = 40;
/// Deeper than this, a line is code.
const INDENT_MAX: usize = 3;

/// What the lines of a text are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    /// The places of newlines that only wrap prose.
    pub(crate) wraps: BTreeSet<usize>,
    /// Where each heading of Markdown begins and ends.
    pub(crate) headings: Vec<(usize, usize)>,
    /// Where else Markdown is bold.
    pub(crate) bold: Vec<(usize, usize)>,
    /// The signs that make it so: `# ` and `**`.
    pub(crate) signs: Vec<(usize, usize)>,
}

/// The same for Markdown, with its bold words and the signs that nobody has to read. Nothing of the
/// text is lost: a sign is a stretch like any other.
pub(crate) fn markdown(text: &str) -> Flow {
    let mut found = flow(text);
    let (mut start, mut is_fenced) = (0, false);
    for line in text.split('\n') {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_fenced ^= is_fence;
        if !is_fenced && !is_fence {
            if is_heading(line) {
                let signs = line.chars().take_while(|sign| "# \t".contains(*sign)).count();
                found.signs.push((start, start + signs));
            }
            for (open, close) in bold(line) {
                found.bold.push((start + open, start + close + 2));
                found
                    .signs
                    .extend([(start + open, start + open + 2), (start + close, start + close + 2)]);
            }
        }
        start += line.chars().count() + 1;
    }
    found
}

/// The places of each `**` that opens and of the one that closes it, in code points.
fn bold(line: &str) -> Vec<(usize, usize)> {
    let letters: Vec<char> = line.chars().collect();
    let is_sign = |place: usize| letters.get(place..place + 2) == Some(&['*', '*']);
    let (mut found, mut open, mut place) = (Vec::new(), None, 0);
    while place + 1 < letters.len() {
        if !is_sign(place) {
            place += 1;
            continue;
        }
        let is_space = |at: usize| letters.get(at).is_none_or(|letter| letter.is_whitespace());
        match open {
            Some(start) if place > start + 2 && !is_space(place - 1) => {
                found.push((start, place));
                open = None;
            }
            None if !is_space(place + 2) => open = Some(place),
            _ => {}
        }
        place += 2;
    }
    found
}

/// Looks at every line once.
pub(crate) fn flow(text: &str) -> Flow {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found = Flow::default();
    let (mut start, mut is_fenced) = (0, false);
    for (index, line) in lines.iter().enumerate() {
        let end = start + line.chars().count();
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_fenced ^= is_fence;
        if !is_fenced && !is_fence {
            if is_heading(line) {
                found.headings.push((start, end));
            } else if let Some(next) = lines.get(index + 1)
                && goes_on(line, next, lines.get(index + 2).copied())
            {
                found.wraps.insert(end);
            }
        }
        start = end + 1;
    }
    found
}

/// `# Title`, to six signs.
fn is_heading(line: &str) -> bool {
    let words = line.trim_start_matches('#');
    let signs = line.len() - words.len();
    (1..=6).contains(&signs) && words.starts_with([' ', '\t']) && !words.trim().is_empty()
}

/// Whether `next` continues the sentence of `line`; `after` is the line behind it.
fn goes_on(line: &str, next: &str, after: Option<&str>) -> bool {
    let line = line.trim_end_matches('\r');
    let indent = line.chars().take_while(|letter| letter.is_whitespace()).count();
    line.trim().chars().count() >= WRAPPED_CHARACTERS_MIN
        && indent <= INDENT_MAX
        && !line.ends_with("  ")
        && !line.ends_with('\\')
        && is_prose(next)
        && !is_row(line)
        && !is_row(next)
        && !after.is_some_and(is_underline)
}

/// Whether a line begins as a sentence goes on: no list, no heading, no table, not indented.
fn is_prose(line: &str) -> bool {
    let begins = |first: char| first.is_alphanumeric() || "\"'“”‘’«»„".contains(first);
    line.starts_with(begins) && !is_item(line)
}

/// `1. `, `12) ` or `a) `.
fn is_item(line: &str) -> bool {
    let Some((number, _)) = line.split_once([' ', '\t']) else { return false };
    let Some(number) = number.strip_suffix(['.', ')']) else { return false };
    let is_number = number.chars().all(|digit| digit.is_ascii_digit());
    let is_letter = number.chars().count() == 1 && number.chars().all(char::is_alphabetic);
    is_number || is_letter
}

/// Whether a line belongs to a table.
fn is_row(line: &str) -> bool {
    line.contains(['|', '\t'])
}

/// What makes the line above it a heading.
fn is_underline(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty()
        && (line.chars().all(|sign| sign == '=') || line.chars().all(|sign| sign == '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "Every member of staff has an account of their own";

    /// How many breaks of a text are shown as spaces.
    fn wraps(text: &str) -> usize {
        flow(text).wraps.len()
    }

    #[test]
    fn a_line_that_ran_into_the_margin_goes_on() {
        let found = flow(&format!("{LONG}\nand nobody else uses it.\n"));
        assert_eq!(found.wraps, [LONG.chars().count()].into());
        for next in ["and so on", "12 of them", "“quoted”", "\"quoted\"", "Ärger"] {
            assert_eq!(wraps(&format!("{LONG}\n{next}")), 1, "{next}");
            assert_eq!(wraps(&format!("{LONG}\r\n{next}")), 1, "{next}");
        }
    }

    #[test]
    fn forty_characters_are_the_shortest_line_that_was_wrapped() {
        let of = |count: usize| format!("{}\nand on", "ä".repeat(count));
        assert_eq!((wraps(&of(40)), wraps(&of(39))), (1, 0));
    }

    #[test]
    fn lists_headings_tables_code_and_paragraphs_keep_their_lines() {
        for next in [
            "",
            "- an item",
            "* an item",
            "• an item",
            "1. an item",
            "12) an item",
            "a) an item",
            "# A heading",
            "| a | b |",
            "a | b",
            "  indented",
            "\tindented",
            "(a) a clause",
            "> said",
        ] {
            assert_eq!(wraps(&format!("{LONG}\n{next}")), 0, "{next}");
        }
        assert_eq!(wraps(&format!("{LONG}\nA heading\n=========\n")), 0);
        assert_eq!(wraps(&format!("{LONG}  \na hard break")), 0);
        assert_eq!(wraps(&format!("{LONG}\\\na hard break")), 0);
        assert_eq!(wraps(&format!("# {LONG}\na paragraph")), 0);
        assert_eq!(wraps(&format!("| {LONG} |\na paragraph")), 0);
        assert_eq!(wraps(&format!("```\n{LONG}\nlet x = 1;\n```\n{LONG}\nprose")), 1);
        assert_eq!(wraps(&format!("    {LONG}\ncode")), 0);
    }

    #[test]
    fn bold_words_need_both_signs_and_words_between_them() {
        assert_eq!(bold("Ä **must** not"), [(2, 8)]);
        assert_eq!(bold("**a** and **b**"), [(0, 3), (10, 13)]);
        for line in ["2 ** 3 ** 4", "**", "****", "**open", "a* b *c"] {
            assert_eq!(bold(line), [], "{line}");
        }
        let found = markdown("## Ä **b**\n```\n**code**\n```");
        assert_eq!((found.bold, found.signs), (vec![(5, 10)], vec![(0, 3), (5, 7), (8, 10)]));
    }

    #[test]
    fn a_heading_is_a_line_with_one_to_six_signs_and_words() {
        let found = flow("# Ä\ntext\n###### Six\n####### Seven\n#none\n# \n```\n# code\n```");
        assert_eq!(found.headings, [(0, 3), (9, 19)]);
    }
}
