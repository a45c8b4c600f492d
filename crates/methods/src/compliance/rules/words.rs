//! Words of a text: where they stand, and which of them say nothing.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use super::lists::LISTS;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'t> {
    /// Its letters.
    pub text: &'t str,
    /// Where it stands.
    pub bytes: Range<usize>,
    /// Whether a mark that ends a clause stands before it.
    pub begins_clause: bool,
}

/// Whether a word in lower case means something by itself.
pub(super) fn has_meaning(lower: &str) -> bool {
    lower.len() > 1
        && lower.starts_with(|letter: char| letter.is_alphabetic())
        && !LISTS.stop.has(lower)
}

/// A shorter word has no ending that could be taken off.
const SHORT_LETTERS: usize = 3;

/// The stem of a word in lower case, in one of the two spellings of English.
pub(super) fn stem(lower: &str) -> String {
    let bare = lower.strip_suffix("'s").unwrap_or(lower).trim_end_matches('\'');
    let bare = LISTS.irregular.get(bare).map_or(bare, String::as_str);
    if bare.len() <= SHORT_LETTERS || !bare.is_ascii() {
        return bare.to_owned();
    }
    let spellings = [("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize")];
    let american = spellings
        .iter()
        .find_map(|(ours, theirs)| bare.strip_suffix(ours).map(|start| format!("{start}{theirs}")));
    let american = american.as_deref().unwrap_or(bare);
    Stemmer::create(Algorithm::English).stem(american).into_owned()
}

/// The words of a text, but for addresses on the web.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    let mut begins_clause = true;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(char::is_alphanumeric)?;
            let marks = &text[at..start];
            begins_clause |= marks.contains(|mark: char| ",;:.!?()".contains(mark));
            let word = &text[start..];
            if word.starts_with("http://") || word.starts_with("https://") {
                let is_end = |mark: char| mark.is_whitespace() || ")]>\"".contains(mark);
                at = start + word.find(is_end).unwrap_or(word.len());
                continue;
            }
            let end = start + length(word);
            at = end;
            let found = Word { text: &text[start..end], bytes: start..end, begins_clause };
            begins_clause = false;
            return Some(found);
        }
    })
}

/// The length of the word a text begins with; an apostrophe between letters belongs to it.
fn length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let joins = matches!(letter, '\'' | '’') && next.is_alphanumeric()
            || letter == ',' && before.is_ascii_digit() && is_thousands(&text[at + 1..]);
        if !letter.is_alphanumeric() && !joins {
            return at;
        }
        before = letter;
    }
    text.len()
}

/// Whether three digits follow and no fourth: "5,000".
fn is_thousands(rest: &str) -> bool {
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    digits == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_stems_and_some_say_little() {
        assert_eq!((stem("backups"), stem("authorised")), (stem("backup"), stem("authorized")));
        assert_eq!(stem("kept"), stem("keeps"));
        assert!(has_meaning("account") && !has_meaning("within") && !has_meaning("12"));
    }

    #[test]
    fn a_comma_between_thousands_joins() {
        let found: Vec<&str> = words("5,000 pounds, 12,5 or 3,4").map(|word| word.text).collect();
        assert_eq!(found, ["5,000", "pounds", "12", "5", "or", "3", "4"]);
    }

    #[test]
    fn addresses_are_no_words_and_apostrophes_join() {
        let text = "See [GSA](https://www.gsa.gov/access-control), it doesn't";
        let found: Vec<&str> = words(text).map(|word| word.text).collect();
        assert_eq!(found, ["See", "GSA", "it", "doesn't"]);
        assert!(words(text).nth(2).unwrap().begins_clause);
    }
}
