//! Text folded for matching, with the way back to the answer as it was written.
//!
//! Compatibility forms are decomposed, marks and invisible characters dropped, look-alike
//! letters replaced and case ignored. Each byte of the folded text remembers the code point
//! that it came from, so a match has a place in the original.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folded text and where each of its bytes comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FoldedText {
    /// The folded text.
    pub(super) text: String,
    /// For each byte of the text, the code point of the original that it stems from.
    origins: Vec<usize>,
}

impl FoldedText {
    fn push(&mut self, character: char, origin: usize) {
        self.text.push(character);
        self.origins.extend(std::iter::repeat_n(origin, character.len_utf8()));
    }

    /// The code points of the original that a range of folded bytes covers.
    pub(super) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let first = self.origins.get(start).copied().unwrap_or_default();
        let last = end.checked_sub(1).and_then(|last| self.origins.get(last));
        (first, last.map_or(first, |last| last + 1))
    }
}

/// Letters that look like Latin ones, from the pattern files.
pub(super) type LookAlikes = BTreeMap<char, char>;

/// Folds for rules about wording: lower case, no marks, no apostrophes or emphasis,
/// hyphens as spaces, runs of white space as one.
pub(super) fn wording(answer: &str, look_alikes: &LookAlikes) -> FoldedText {
    let mut folded = FoldedText::default();
    let mut before = '\n';
    for (origin, character) in letters(answer, look_alikes) {
        let character = match character {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => '\n',
            '\'' | '’' | '‘' | 'ʼ' | '`' | '´' | '*' => continue,
            '“' | '”' | '„' | '«' | '»' => '"',
            '-' | '_' | '‐' | '–' | '—' | '−' => ' ',
            other if other.is_whitespace() => ' ',
            other => other,
        };
        let space = matches!(character, ' ' | '\n');
        if space && matches!(before, ' ' | '\n') {
            if character == '\n' && before == ' ' {
                // The line ends: that matters more than the space before its end.
                folded.text.pop();
                folded.origins.pop();
            } else {
                continue;
            }
        }
        for lower in character.to_lowercase() {
            folded.push(lower, origin);
        }
        before = character;
    }
    folded
}

/// Folds for identifiers: digits and letters made plain, everything else kept.
pub(super) fn identifiers(answer: &str, look_alikes: &LookAlikes) -> FoldedText {
    let mut folded = FoldedText::default();
    for (origin, character) in letters(answer, look_alikes) {
        let character = match character {
            '‐' | '–' | '—' | '−' => '-',
            '\n' => '\n',
            other if other.is_whitespace() => ' ',
            other => other,
        };
        folded.push(character, origin);
    }
    folded
}

/// The characters that remain after decomposition, with the code point each came from.
fn letters<'a>(
    answer: &'a str,
    look_alikes: &'a LookAlikes,
) -> impl Iterator<Item = (usize, char)> + 'a {
    answer.chars().enumerate().flat_map(move |(origin, character)| {
        let plain = character.is_ascii().then_some(character);
        let decomposed = (!character.is_ascii()).then(|| std::iter::once(character).nfkd());
        let characters = plain.into_iter().chain(decomposed.into_iter().flatten());
        characters
            .filter(|part| !is_combining_mark(*part) && !is_invisible(*part))
            .map(move |part| (origin, look_alikes.get(&part).copied().unwrap_or(part)))
    })
}

/// Characters without width: joiners, marks of direction, soft hyphens, tags, selectors.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{e0000}'..='\u{e007f}'
    ) || (character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
}

/// The same text with disguises undone: digits and signs that stand for letters inside a
/// word, and letters that stand apart. `None` when there is no disguise.
pub(super) fn undisguised(folded: &FoldedText) -> Option<FoldedText> {
    let words: Vec<(usize, &str)> = Words { text: &folded.text, at: 0 }.collect();
    let mut plain = FoldedText::default();
    let mut changed = false;
    let mut at = 0;
    while let Some((start, word)) = words.get(at).copied() {
        let spelled = spelled_out(&words[at..]);
        if spelled.is_empty() {
            changed |= copy(&mut plain, folded, start, word, false);
            at += 1;
            continue;
        }
        changed = true;
        let letters = spelled.iter().step_by(2).count();
        for (index, (start, part)) in spelled.iter().enumerate() {
            // An article before a word that is spelled out stays an article.
            let article = index == 1 && word == "a" && letters > LETTERS_APART_MIN;
            if index % 2 == 0 || article {
                copy(&mut plain, folded, *start, part, true);
            }
        }
        at += spelled.len();
    }
    changed.then_some(plain)
}

/// So many single letters in a row are one word spelled out.
const LETTERS_APART_MIN: usize = 3;

/// The letters that stand apart at the start of the words, and the gaps between them; empty
/// when there is no such thing.
fn spelled_out<'w, 't>(words: &'w [(usize, &'t str)]) -> &'w [(usize, &'t str)] {
    let mut length = 0;
    let mut letter = false;
    while let Some((_, word)) = words.get(length).filter(|(_, word)| is_single(word)) {
        letter |= word.chars().any(char::is_alphabetic);
        let gap = words.get(length + 1).is_some_and(|(_, word)| matches!(*word, " " | "."));
        if !gap || !words.get(length + 2).is_some_and(|(_, word)| is_single(word)) {
            length += 1;
            break;
        }
        length += 2;
    }
    if letter && length.div_ceil(2) >= LETTERS_APART_MIN { &words[..length] } else { &[] }
}

fn is_single(word: &str) -> bool {
    let mut characters = word.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || matches!(first, '@' | '$' | '0'..='9'))
        && characters.next().is_none()
}

/// Copies a word, with the signs in it that stand for letters replaced.
fn copy(
    plain: &mut FoldedText,
    folded: &FoldedText,
    start: usize,
    word: &str,
    spelled: bool,
) -> bool {
    let letters = word.chars().any(char::is_alphabetic) || spelled;
    let mut changed = false;
    for (offset, character) in word.char_indices() {
        let letter = stands_for(character).filter(|_| letters);
        changed |= letter.is_some();
        plain.push(letter.unwrap_or(character), folded.origins[start + offset]);
    }
    changed
}

fn stands_for(character: char) -> Option<char> {
    Some(match character {
        '0' => 'o',
        '1' | '!' | '|' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        _ => return None,
    })
}

/// Words (letters, digits and the signs that stand for letters) and what is between them,
/// one character at a time.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let belongs = |character: char| {
            character.is_alphanumeric() || matches!(character, '@' | '$' | '!' | '|' | '+')
        };
        let mut length = first.len_utf8();
        if belongs(first) {
            length = rest.find(|character| !belongs(character)).unwrap_or(rest.len());
            // A sign at the end of a word is punctuation.
            let word = rest[..length].trim_end_matches(['!', '|', '+']);
            length = if word.is_empty() { length } else { word.len() };
        }
        let start = self.at;
        self.at += length;
        Some((start, &rest[..length]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_alikes() -> LookAlikes {
        LookAlikes::from([('о', 'o'), ('а', 'a')])
    }

    #[test]
    fn marks_case_and_invisible_characters_are_ignored() {
        let folded = wording("Ca\u{200b}fé  –\tＡ\u{301}ﬁ\u{feff}!", &look_alikes());
        assert_eq!(folded.text, "cafe afi!");
        // "A" with its accent and the ligature stand at the code points 9 to 12.
        let at = folded.text.find("afi").unwrap();
        assert_eq!(folded.original(at, at + 3), (9, 12));
    }

    #[test]
    fn look_alikes_become_latin_and_apostrophes_go() {
        assert_eq!(wording("Cаn’t «bоx» **x**", &look_alikes()).text, "cant \"box\" x");
    }

    #[test]
    fn a_place_in_folded_text_leads_back_to_the_original() {
        let folded = wording("x bo\u{200b}x", &look_alikes());
        let at = folded.text.find("box").unwrap();
        assert_eq!(folded.original(at, at + 3), (2, 6));
    }

    #[test]
    fn digits_inside_words_and_letters_apart_are_undone() {
        let undone = |text: &str| undisguised(&wording(text, &look_alikes())).map(|f| f.text);
        assert_eq!(
            undone("h0w t0 r3ad a b o o k: now").as_deref(),
            Some("how to read a book: now")
        );
        assert_eq!(undone("read 10 books by 1900"), None);
        assert_eq!(undone("wow! a b"), None);
    }

    #[test]
    fn a_line_end_outlives_the_spaces_around_it() {
        assert_eq!(wording("a \n\n  b", &look_alikes()).text, "a\nb");
    }
}
