//! A piece between gaps: its clitics and contractions become tokens of their own.

use super::{Gap, Sink};
use crate::python::{is_re_word, is_space};

/// A run of characters that no rule about punctuation has split.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    /// ASCII letters and digits only.
    pub(super) plain: bool,
    pub(super) apostrophe: bool,
    /// What follows it.
    pub(super) gap: Gap,
}

/// Contractions that are one word, as their two parts.
const JOINED: [(&str, &str); 5] =
    [("can", "not"), ("gim", "me"), ("gon", "na"), ("got", "ta"), ("lem", "me")];
/// Likewise, but split only where white space follows.
const WANNA: (&str, &str) = ("wan", "na");
/// Contractions whose second part begins with the apostrophe.
const HALVES: [(&str, &str); 2] = [("d", "'ye"), ("more", "'n")];
/// Contractions that are split only at the start of a piece.
const ARCHAIC: [(&str, &str); 2] = [("'t", "is"), ("'t", "was")];

/// Passes the tokens of a piece to the sink.
pub(super) fn finish(piece: Piece, sink: &mut impl Sink) {
    if piece.plain {
        plain(piece.text, sink);
    } else if piece.apostrophe {
        clitics(piece, sink);
    } else {
        contractions(piece.text, sink);
    }
}

/// Passes a piece of ASCII letters and digits on, in two parts if it is a contraction.
pub(super) fn plain(text: &str, sink: &mut impl Sink) {
    if is_plain_contraction(text) {
        let (first, second) = text.split_at(3);
        sink.plain(first);
        sink.plain(second);
    } else {
        sink.plain(text);
    }
}

/// Whether the piece is one of [`JOINED`] or [`WANNA`], all of which split after three
/// letters; asked of every word, so it looks at the length and one letter first.
#[inline]
fn is_plain_contraction(text: &str) -> bool {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    match (text.len(), text.as_bytes().first().map(|byte| byte | 0x20)) {
        (6, Some(b'c')) => is("cannot"),
        (5, Some(b'g')) => is("gimme") || is("gonna") || is("gotta"),
        (5, Some(b'l')) => is("lemme"),
        (5, Some(b'w')) => is("wanna"),
        _ => false,
    }
}

/// Splits clitics off the end: first those of one letter, then those of two.
fn clitics(piece: Piece, sink: &mut impl Sink) {
    let (text, closing) = match piece.gap {
        Gap::Early => split_suffix(piece.text, 1, &["'"]),
        Gap::Late => (piece.text, ""),
    };
    let short_length = if text.ends_with('\'') { 1 } else { 2 };
    let (text, short) =
        split_suffix(text, short_length, &["'", "'s", "'S", "'m", "'M", "'d", "'D"]);
    let (text, long) =
        split_suffix(text, 3, &["'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"]);
    for part in [text, long, short, closing] {
        contractions(part, sink);
    }
}

/// Splits a suffix off, if something that is no apostrophe stands before it.
fn split_suffix<'a>(text: &'a str, length: usize, suffixes: &[&str]) -> (&'a str, &'a str) {
    match text.len().checked_sub(length).and_then(|at| text.split_at_checked(at)) {
        Some((rest, suffix))
            if suffixes.contains(&suffix) && !rest.is_empty() && !rest.ends_with('\'') =>
        {
            (rest, suffix)
        }
        _ => (text, ""),
    }
}

/// Splits the contractions in a part of a piece, and passes everything on.
fn contractions(text: &str, sink: &mut impl Sink) {
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let word_length = prefix_length(&text[at..], is_re_word);
        let (word, after) = text[at..].split_at(word_length);
        if let Some((first, length)) = contraction(word, after) {
            archaic(&text[start..at], sink);
            emit(&text[at..at + first], sink);
            emit(&text[at + first..at + length], sink);
            at += length;
            start = at;
        } else {
            at += word_length + prefix_length(after, |c| !is_re_word(c));
        }
    }
    archaic(&text[start..], sink);
}

fn prefix_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The lengths of the first part and of the whole, if a contraction begins with `word`.
fn contraction(word: &str, after: &str) -> Option<(usize, usize)> {
    // Asked of many words; these letters have no other case than ASCII's.
    if !matches!(word.as_bytes().first()? | 0x20, b'c' | b'd' | b'g' | b'l' | b'm' | b'w') {
        return None;
    }
    if let Some(first) = joined(word, after) {
        return Some((first, word.len()));
    }
    let second = HALVES.iter().filter(|half| equals(word, half.0)).find_map(|half| {
        strip_prefix(after, half.1).filter(|rest| !rest.starts_with(is_re_word))
    })?;
    Some((word.len(), word.len() + after.len() - second.len()))
}

/// The length of the first part, if the word is a contraction.
fn joined(word: &str, after: &str) -> Option<usize> {
    let wanna = after.chars().next().is_none_or(is_space).then_some(&WANNA);
    JOINED.iter().chain(wanna).find_map(|(first, second)| {
        let rest = strip_prefix(word, first)?;
        equals(rest, second).then_some(word.len() - rest.len())
    })
}

/// Splits the two contractions that begin with an apostrophe; the second one may
/// follow the first, because only then the gap before it exists.
fn archaic(text: &str, sink: &mut impl Sink) {
    let mut text = text;
    if !text.starts_with('\'') {
        return emit(text, sink);
    }
    for (first, second) in ARCHAIC {
        if let Some(after_first) = strip_prefix(text, first)
            && let Some(rest) = strip_prefix(after_first, second)
            && !rest.starts_with(is_re_word)
        {
            let (whole, _) = text.split_at(text.len() - rest.len());
            let (start, end) = whole.split_at(text.len() - after_first.len());
            emit(start, sink);
            emit(end, sink);
            text = rest;
        }
    }
    emit(text, sink);
}

/// Passes a token on; the four separators of ASCII, which only Python takes for white
/// space, have stayed inside it until now.
fn emit(text: &str, sink: &mut impl Sink) {
    for token in text.split(is_space).filter(|token| !token.is_empty()) {
        sink.other(token);
    }
}

fn equals(text: &str, pattern: &str) -> bool {
    strip_prefix(text, pattern).is_some_and(str::is_empty)
}

/// The text after a pattern of small letters, case ignored as Python's `re` does.
fn strip_prefix<'a>(text: &'a str, pattern: &str) -> Option<&'a str> {
    let mut chars = text.chars();
    pattern.chars().all(|wanted| chars.next().map(fold) == Some(wanted)).then_some(chars.as_str())
}

fn fold(c: char) -> char {
    match c {
        'ſ' => 's',
        'ı' | 'İ' => 'i',
        _ => c.to_ascii_lowercase(),
    }
}
