//! What a document consists of: headings, paragraphs, items, rows; and what no reader takes for
//! its content, such as front matter and lines that lead to pages.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Heading,
    /// A paragraph, or what of it stands between items.
    Plain,
    Item,
    /// A row of a table.
    Row,
}

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub bytes: Range<usize>,
    pub kind: PieceKind,
    /// Its paragraph, counted from 0.
    pub paragraph: u32,
}

/// A heading has at most so many words.
const HEADING_WORDS: usize = 12;

/// The pieces of a document in order.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let start = front_matter(text);
    let paragraphs = paragraphs(&text[start..]).map(|range| range.start + start..range.end + start);
    for (paragraph, range) in (0..).zip(paragraphs) {
        let mut parts = parts(text, range.clone());
        if let [(bytes, kind @ PieceKind::Plain)] = parts.as_mut_slice()
            && is_bare_heading(&text[bytes.clone()])
        {
            *kind = PieceKind::Heading;
        }
        found.extend(parts.into_iter().map(|(bytes, kind)| Piece { bytes, kind, paragraph }));
    }
    found
}

/// Where the document begins after YAML or TOML front matter.
fn front_matter(text: &str) -> usize {
    let body = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']);
    let skipped = text.len() - body.len();
    for fence in ["---", "+++"] {
        let Some(rest) = body.strip_prefix(fence).filter(|rest| rest.starts_with(['\n', '\r']))
        else {
            continue;
        };
        let mut at = skipped + fence.len();
        for line in rest.split_inclusive('\n') {
            at += line.len();
            if line.trim_end() == fence {
                return at;
            }
        }
    }
    0
}

/// Whether a paragraph of one line is a heading without a mark: short, no full stop, no verb.
fn is_bare_heading(text: &str) -> bool {
    let text = text.trim();
    !text.contains('\n')
        && !text.ends_with(['.', ';', ':', ',', '!', '?'])
        && text.split_whitespace().count() <= HEADING_WORDS
        && !super::stance::is_sentence(text)
}

/// Whether a line leads to a page: "Backups ........ 6".
fn is_leader(line: &str) -> bool {
    line.contains("....") || line.contains(". . . .")
}

/// The paragraphs of a text: what stands between empty lines.
fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at;
            let mut end = start;
            for line in text[start..].split_inclusive('\n') {
                at += line.len();
                if line.trim().is_empty() {
                    break;
                }
                end = at;
            }
            if end > start {
                return Some(start..end);
            }
        }
        None
    })
}

/// The parts of a paragraph that are read apart: headings, items of lists, rows of tables, and
/// the lines between them as one. Lines that only lead to a page are left out.
fn parts(text: &str, paragraph: Range<usize>) -> Vec<(Range<usize>, PieceKind)> {
    let mut found: Vec<(Range<usize>, PieceKind)> = Vec::new();
    let mut at = paragraph.start;
    let mut joins = false;
    for line in text[paragraph].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_start();
        if is_leader(bare) {
            joins = false;
            continue;
        }
        let next = text[at..].lines().next().unwrap_or_default();
        let kind = if bare.starts_with('#') || !joins && stands_above(bare, next) {
            PieceKind::Heading
        } else if bare.starts_with('|') {
            PieceKind::Row
        } else if is_list_item(bare) {
            PieceKind::Item
        } else {
            PieceKind::Plain
        };
        let is_underline =
            !bare.trim().is_empty() && bare.trim().chars().all(|mark| "=-".contains(mark));
        match found.last_mut() {
            Some((last, before)) if is_underline && joins => {
                last.end = start;
                *before = PieceKind::Heading;
                joins = false;
                continue;
            }
            // "Term: what it is" begins anew, so that a glossary is not one sentence.
            Some((last, _))
                if kind == PieceKind::Plain && joins && !is_entry(bare) && !is_numbered(bare) =>
            {
                last.end = at;
            }
            _ => found.push((start + (line.len() - bare.len())..at, kind)),
        }
        joins = matches!(kind, PieceKind::Plain | PieceKind::Item);
    }
    found
}

/// A line above its text has at most so many characters; a longer one is wrapped.
const LINE_MAX: usize = 50;

/// Whether a line is a heading without a mark right above its text: "PESTS".
fn stands_above(line: &str, next: &str) -> bool {
    let next = next.trim_start();
    line.trim_end().len() <= LINE_MAX
        && next.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit())
        && !line.starts_with('|')
        && !is_list_item(line)
        && is_bare_heading(line)
}

/// Whether a line begins with the number of its clause: "2.1 A user", "C.3 The contractor".
fn is_numbered(line: &str) -> bool {
    let rest = line.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(line);
    let after = rest.trim_start_matches(|mark: char| mark.is_ascii_digit() || mark == '.');
    let number = &rest[..rest.len() - after.len()];
    number.contains('.')
        && number.contains(|mark: char| mark.is_ascii_digit())
        && after.starts_with(' ')
}

fn is_entry(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(term, _)| {
        term.split_whitespace().count() <= 4 && term.starts_with(char::is_uppercase)
    })
}

fn is_list_item(line: &str) -> bool {
    let rest = line.trim_start_matches(['-', '*', '•', '+']);
    if rest.len() < line.len() {
        return rest.starts_with(' ');
    }
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, PieceKind)> {
        let shown = |piece: Piece| (text[piece.bytes].trim().to_owned(), piece.kind);
        pieces(text).into_iter().map(shown).collect()
    }

    #[test]
    fn front_matter_and_lines_that_lead_to_pages_are_left_out() {
        let text = "---\ntitle: X\ntags: backup\n---\n\n1. Backup ..... 6\n2. Access ..... 7\n\nBackups are made.\n";
        assert_eq!(read(text), [("Backups are made.".to_owned(), PieceKind::Plain)]);
    }

    #[test]
    fn headings_items_and_wrapped_lines_are_told_apart() {
        use PieceKind::{Heading, Item, Plain};
        let text =
            "# Reviews\nAccounts are reviewed\nevery month. Owners decide.\n\n* One\n* Two\n";
        let kinds: Vec<PieceKind> = read(text).into_iter().map(|piece| piece.1).collect();
        assert_eq!(kinds, [Heading, Plain, Item, Item]);
        assert_eq!(read("Scope\n=====\n")[0].1, Heading);
        assert_eq!(read("Access control")[0].1, Heading);
        let above = read("PESTS\nThe firm comes monthly.\n2.1 A user has one account.\n");
        let kinds: Vec<PieceKind> = above.iter().map(|piece| piece.1).collect();
        assert_eq!(kinds, [Heading, Plain, Plain]);
    }
}
