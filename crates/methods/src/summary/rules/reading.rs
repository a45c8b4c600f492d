//! A text as it was read: sentences of words, with the place of each.

use std::ops::Range;

use assize_text::sentences;

use super::vocabulary::{Stem, Vocabulary, Word};

/// A stretch of text without an end of sentence is cut after so many words.
const SENTENCE_WORDS_MAX: usize = 120;

/// A text, its words, and where its sentences begin and end.
pub(super) struct Reading<'text> {
    /// The text itself.
    pub text: &'text str,
    /// All words in order.
    pub words: Vec<Word>,
    /// The sentences in order; each has at least one word.
    pub sentences: Vec<Sentence>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Its words in the reading.
    pub words: Range<usize>,
    /// Its bytes in the text, without white space around it.
    pub bytes: Range<usize>,
}

impl<'text> Reading<'text> {
    /// Reads a text from beginning to end.
    pub(super) fn of(text: &'text str, vocabulary: &mut Vocabulary) -> Self {
        let mut reading = Self { text, words: Vec::new(), sentences: Vec::new() };
        for line in lines(text) {
            for sentence in rejoined(text, line) {
                reading.take(sentence, vocabulary);
            }
        }
        reading
    }

    /// The words of a sentence.
    pub(super) fn words_of(&self, sentence: &Sentence) -> &[Word] {
        &self.words[sentence.words.clone()]
    }

    /// The stems of a sentence.
    pub(super) fn stems_of(&self, sentence: &Sentence) -> impl Iterator<Item = Stem> + Clone {
        self.words[sentence.words.clone()].iter().map(|word| word.stem)
    }

    /// The number of the sentence in which a word stands.
    pub(super) fn sentence_at(&self, word: usize) -> usize {
        let after = self.sentences.partition_point(|sentence| sentence.words.start <= word);
        after.saturating_sub(1)
    }

    /// The text of a sentence.
    pub(super) fn text_of(&self, sentence: &Sentence) -> &'text str {
        &self.text[sentence.bytes.clone()]
    }

    /// What stands between a word and the one before it; nothing before the first.
    pub(super) fn gap_before(&self, at: usize) -> &'text str {
        let start = self.words[at].bytes().start;
        let before = at.checked_sub(1).map_or(start, |before| self.words[before].bytes().end);
        &self.text[before.min(start)..start]
    }

    /// Whether a word follows another one without a mark between them that asks for a
    /// capital.
    pub(super) fn follows_in_sentence(&self, at: usize) -> bool {
        let marks = ['.', '!', '?', ':', '"', '“', '\n', '*', '|'];
        at > 0
            && self.words[at - 1].bytes().end <= self.words[at].bytes().start
            && !self.gap_before(at).contains(marks)
    }

    /// Reads one sentence, in pieces if it has no end.
    fn take(&mut self, bytes: Range<usize>, vocabulary: &mut Vocabulary) {
        let first = self.words.len();
        vocabulary.read(self.text, bytes.clone(), &mut self.words);
        let mut at = first;
        let mut byte = bytes.start;
        while at < self.words.len() {
            let next = (at + SENTENCE_WORDS_MAX).min(self.words.len());
            let end = if next == self.words.len() {
                bytes.end
            } else {
                (self.words[next].start as usize).max(self.words[next - 1].end as usize)
            };
            let piece = trimmed(self.text, byte..end);
            self.sentences.push(Sentence { words: at..next, bytes: piece });
            at = next;
            byte = end;
        }
    }
}

/// The lines of a text; a bar between spaces ends one too, as in written dialogue.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= bytes.len() {
            return None;
        }
        let is_end = |at: usize| match bytes[at] {
            b'\n' | b'\r' => true,
            b'|' => at > 0 && bytes[at - 1] == b' ' && bytes.get(at + 1) == Some(&b' '),
            _ => false,
        };
        let end = (start..bytes.len()).find(|at| is_end(*at)).unwrap_or(bytes.len());
        let line = start..end;
        start = end + 1;
        Some(line)
    })
}

/// The sentences of a line. A decimal that was torn apart at its point is joined again,
/// and full stops of scripts without spaces end a sentence.
fn rejoined(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for sentence in sentences(&text[line.clone()]) {
        let bytes = line.start + sentence.start..line.start + sentence.end;
        match found.last_mut() {
            Some(last) if is_torn(&text[last.clone()], &text[bytes.clone()]) => {
                last.end = bytes.end;
            }
            _ => {
                for piece in unglued(text, bytes) {
                    split_wide(text, piece, &mut found);
                }
            }
        }
    }
    found
}

/// Letters before a full stop without a space after it, so that it ends a sentence.
const GLUED_LETTERS_MIN: usize = 3;

/// Splits two sentences that were glued together, as in `a strategist.New Zealand won`:
/// small letters, a full stop, and a capital followed by a small letter or a space.
fn unglued(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    let sentence = &text.as_bytes()[bytes.clone()];
    let is_glued = |at: usize| {
        let small = sentence[..at].iter().rev().take_while(|byte| byte.is_ascii_lowercase());
        sentence[at] == b'.'
            && sentence.get(at + 1).is_some_and(u8::is_ascii_uppercase)
            && sentence.get(at + 2).is_some_and(|next| next.is_ascii_lowercase() || *next == b' ')
            && small.take(GLUED_LETTERS_MIN).count() == GLUED_LETTERS_MIN
    };
    let mut found = Vec::new();
    let mut start = 0;
    for at in (0..sentence.len()).filter(|at| is_glued(*at)) {
        found.push(bytes.start + start..bytes.start + at + 1);
        start = at + 1;
    }
    found.push(bytes.start + start..bytes.end);
    found
}

/// Whether a number stands on both sides of a full stop: `1.` and `3 billion`.
fn is_torn(left: &str, right: &str) -> bool {
    let Some(number) = left.strip_suffix('.') else { return false };
    let digits = number.bytes().rev().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && right.starts_with(|first: char| first.is_ascii_digit())
}

/// Splits after the full stops of Chinese, Japanese, Hindi and Urdu.
fn split_wide(text: &str, bytes: Range<usize>, found: &mut Vec<Range<usize>>) {
    let sentence = &text[bytes.clone()];
    if sentence.is_ascii() {
        found.push(bytes);
        return;
    }
    let mut start = bytes.start;
    for (at, mark) in sentence.char_indices() {
        if matches!(mark, '。' | '！' | '？' | '।' | '۔' | '؟') {
            let end = bytes.start + at + mark.len_utf8();
            found.push(start..end);
            start = end;
        }
    }
    if start < bytes.end {
        found.push(start..bytes.end);
    }
}

fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let piece = &text[bytes.clone()];
    let start = bytes.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences_of(text: &str) -> Vec<String> {
        let reading = Reading::of(text, &mut Vocabulary::new(true));
        reading.sentences.iter().map(|sentence| reading.text_of(sentence).to_owned()).collect()
    }

    #[test]
    fn a_torn_decimal_is_one_number_in_one_sentence() {
        assert_eq!(
            sentences_of("It cost 1. 3 billion. They paid."),
            ["It cost 1. 3 billion.", "They paid."]
        );
    }

    #[test]
    fn lines_and_bars_end_sentences_and_empty_ones_are_dropped() {
        assert_eq!(
            sentences_of("Ann: hi | Bob: hello\n\n--\nthe end"),
            ["Ann: hi", "Bob: hello", "the end"]
        );
    }

    #[test]
    fn text_without_an_end_of_sentence_is_cut() {
        let sentences = sentences_of(&"word ".repeat(250));
        assert_eq!(sentences.len(), 3);
        assert_eq!(sentences[2].split(' ').count(), 10);
    }

    #[test]
    fn chinese_full_stops_end_sentences() {
        assert_eq!(sentences_of("今天下雨。明天晴。"), ["今天下雨。", "明天晴。"]);
    }
}
