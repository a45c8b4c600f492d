//! The words of a text in the form in which they are compared.
//!
//! A contraction becomes its words (`won't` is `will not`), a possessive loses its
//! ending, hyphens separate, separators leave a number, markup is passed over. Scripts
//! that are written without spaces give one word for each character.

use std::ops::Range;

/// Receives each word: where it stands, its lowercase form, and whether it has a capital.
pub(crate) trait WordSink {
    /// One word, in the order of the text.
    fn word(&mut self, place: Range<usize>, lower: &str, capital: bool);
}

impl<F: FnMut(Range<usize>, &str, bool)> WordSink for F {
    fn word(&mut self, place: Range<usize>, lower: &str, capital: bool) {
        self(place, lower, capital);
    }
}

/// The longest markup tag that is passed over, in bytes.
const TAG_BYTES_MAX: usize = 256;

/// Hands every word of `text[range]` to the sink; offsets count in `text`.
pub(crate) fn scan(text: &str, range: Range<usize>, sink: &mut impl WordSink) {
    let mut scanner = Scanner { text, end: range.end, lower: String::new() };
    let mut at = range.start;
    while at < range.end {
        at = scanner.step(at, sink);
    }
}

struct Scanner<'text> {
    text: &'text str,
    end: usize,
    lower: String,
}

impl Scanner<'_> {
    /// Takes the word, or the character, at an offset; gives the offset after it.
    fn step(&mut self, at: usize, sink: &mut impl WordSink) -> usize {
        let Some(first) = self.peek(at) else { return self.end };
        if first.is_ascii_digit() {
            return self.number(at, sink);
        }
        if is_alone(first) {
            let end = at + first.len_utf8();
            sink.word(at..end, &self.text[at..end], false);
            return end;
        }
        if is_letter(first) {
            return self.letters(at, first, sink);
        }
        match first {
            '<' => self.after_tag(at),
            '&' => self.after_entity(at),
            _ => at + first.len_utf8(),
        }
    }

    fn peek(&self, at: usize) -> Option<char> {
        self.text[at..self.end].chars().next()
    }

    /// Digits with their separators: `1,000`, `1, 000`, `3.5`, `3,5`, and `3. 5` after bad
    /// splitting.
    fn number(&mut self, start: usize, sink: &mut impl WordSink) -> usize {
        let bytes = self.text.as_bytes();
        let digits_from = |from: usize| {
            bytes[from..self.end].iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        self.lower.clear();
        let mut at = start + digits_from(start);
        self.lower.push_str(&self.text[start..at]);
        let mut is_short = at - start <= 3;
        while is_short && at < self.end && bytes[at] == b'_' && digits_from(at + 1) == 3 {
            self.lower.push_str(&self.text[at + 1..at + 4]);
            at += 4;
        }
        while is_short && at < self.end && bytes[at] == b',' {
            let from = at + 1 + usize::from(at + 1 < self.end && bytes[at + 1] == b' ');
            if digits_from(from) != 3 {
                break;
            }
            self.lower.push_str(&self.text[from..from + 3]);
            at = from + 3;
        }
        is_short &= at < self.end && bytes[at] == b'.';
        let is_decimal_comma = at < self.end
            && bytes[at] == b','
            && (1..=2).contains(&digits_from(at + 1))
            && !self.text[at + 1 + digits_from(at + 1)..self.end].starts_with([',', '.']);
        let plain =
            is_decimal_comma || at < self.end && bytes[at] == b'.' && digits_from(at + 1) > 0;
        let spaced = is_short && at + 1 < self.end && bytes[at + 1] == b' ';
        if plain || (spaced && digits_from(at + 2) > 0) {
            let from = if plain { at + 1 } else { at + 2 };
            let digits = digits_from(from);
            self.lower.push('.');
            self.lower.push_str(&self.text[from..from + digits]);
            at = from + digits;
        }
        sink.word(start..at, &self.lower, false);
        at
    }

    /// A run of letters, and what an apostrophe hangs on it.
    fn letters(&mut self, start: usize, first: char, sink: &mut impl WordSink) -> usize {
        let end = self.run_end(start);
        self.lower_run(start, end);
        if self.is_left_over(start, end) {
            return end;
        }
        let capital = first.is_uppercase();
        let suffix = self.apostrophe(end).map(|from| from..self.run_end(from));
        match suffix {
            Some(suffix) if suffix.end > suffix.start => {
                let tail = &self.text[suffix.clone()];
                if tail.eq_ignore_ascii_case("s") {
                    sink.word(start..end, &self.lower, capital);
                } else if tail.eq_ignore_ascii_case("t") && self.lower.ends_with('n') {
                    self.lower.pop();
                    self.emit_negated(start..end, suffix.end, capital, sink);
                } else {
                    sink.word(start..end, &self.lower, capital);
                    self.lower_run(suffix.start, suffix.end);
                    let capital = tail.chars().next().is_some_and(char::is_uppercase);
                    sink.word(suffix.clone(), &self.lower, capital);
                }
                suffix.end
            }
            _ => {
                self.emit_plain(start..end, capital, sink);
                end
            }
        }
    }

    fn emit_plain(&mut self, place: Range<usize>, capital: bool, sink: &mut impl WordSink) {
        let full = match self.lower.as_str() {
            "cannot" => {
                sink.word(place.clone(), "can", capital);
                "not"
            }
            "ca" if self.is_before_not(place.end) => "can",
            "wo" if self.is_before_not(place.end) => "will",
            other => other,
        };
        sink.word(place, full, capital);
    }

    /// `don't`: the verb, then `not`.
    fn emit_negated(
        &mut self,
        place: Range<usize>,
        end: usize,
        capital: bool,
        sink: &mut impl WordSink,
    ) {
        let verb = match self.lower.as_str() {
            "ca" => "can",
            "wo" => "will",
            "sha" => "shall",
            other => other,
        };
        if !verb.is_empty() {
            sink.word(place.clone(), verb, capital);
        }
        sink.word(place.start..end, "not", false);
    }

    /// `'s` that stands apart from its noun, and brackets written out as `-lrb-`.
    fn is_left_over(&self, start: usize, end: usize) -> bool {
        match self.lower.as_str() {
            "s" => self.text[..start].ends_with(is_apostrophe),
            "lrb" | "rrb" | "lsb" | "rsb" => {
                self.text[..start].ends_with('-') && self.text[end..].starts_with('-')
            }
            _ => false,
        }
    }

    fn is_before_not(&self, end: usize) -> bool {
        let rest = self.text[end..self.end].trim_start();
        let mut letters = rest.chars();
        letters.next() == Some('n')
            && letters.next().is_some_and(is_apostrophe)
            && letters.next() == Some('t')
    }

    /// The offset after an apostrophe that stands between two letters.
    fn apostrophe(&self, at: usize) -> Option<usize> {
        let mark = self.peek(at).filter(|mark| is_apostrophe(*mark))?;
        let after = at + mark.len_utf8();
        self.peek(after).filter(|next| is_letter(*next))?;
        Some(after)
    }

    fn run_end(&self, start: usize) -> usize {
        let run = &self.text[start..self.end];
        run.find(|letter: char| !is_letter(letter) || is_alone(letter))
            .map_or(self.end, |length| start + length)
    }

    fn lower_run(&mut self, start: usize, end: usize) {
        self.lower.clear();
        let run = &self.text[start..end];
        if run.is_ascii() {
            self.lower.push_str(run);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.extend(run.chars().flat_map(char::to_lowercase));
        }
    }

    fn after_tag(&self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at + 1..self.end.min(at + TAG_BYTES_MAX)];
        let opens =
            rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"/!".contains(byte));
        let close = rest.iter().position(|byte| b"<>".contains(byte));
        match close {
            Some(length) if opens && rest[length] == b'>' => at + 2 + length,
            _ => at + 1,
        }
    }

    fn after_entity(&self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at + 1..self.end.min(at + 10)];
        let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#');
        let length = name.count();
        if length > 1 && rest.get(length) == Some(&b';') { at + 2 + length } else { at + 1 }
    }
}

fn is_apostrophe(mark: char) -> bool {
    matches!(mark, '\'' | '’' | '‘' | '`' | '´')
}

fn is_letter(letter: char) -> bool {
    if letter.is_ascii() { letter.is_ascii_alphabetic() } else { letter.is_alphanumeric() }
}

/// Whether a character is a word of its own: Han, kana, Thai, Lao, Khmer, Burmese.
fn is_alone(letter: char) -> bool {
    !letter.is_ascii()
        && matches!(letter,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}' | '\u{0e00}'..='\u{0eff}'
            | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        && letter.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        scan(text, 0..text.len(), &mut |_: Range<usize>, lower: &str, _: bool| {
            found.push(lower.to_owned());
        });
        found
    }

    #[test]
    fn contractions_become_their_words() {
        assert_eq!(
            words("He won't, can't, cannot; they're"),
            ["he", "will", "not", "can", "not", "can", "not", "they", "re"]
        );
        assert_eq!(words("it ca n't and is n't"), ["it", "can", "not", "and", "is", "not"]);
    }

    #[test]
    fn possessives_are_dropped_together_or_apart() {
        assert_eq!(
            words("the Queen's guard, the queen 's guards' boots"),
            ["the", "queen", "guard", "the", "queen", "guards", "boots"]
        );
    }

    #[test]
    fn separators_leave_a_number_whole() {
        assert_eq!(
            words("$1,234,567 or 1, 600 or 3.5m, 1. 3 billion; 3,5 and 12."),
            ["1234567", "or", "1600", "or", "3.5", "m", "1.3", "billion", "3.5", "and", "12"]
        );
        assert_eq!(words("May 3, 2015. 3 men"), ["may", "3", "2015", "3", "men"]);
    }

    #[test]
    fn low_lines_between_groups_of_three_digits_leave_a_number_whole() {
        assert_eq!(words("86_000_000 or 12_34"), ["86000000", "or", "12", "34"]);
    }

    #[test]
    fn markup_and_bracket_names_are_passed_over() {
        assert_eq!(
            words("<p class=\"x\">a &amp; b</p> 3 < 4 -LRB- c -RRB-"),
            ["a", "b", "3", "4", "c"]
        );
    }

    #[test]
    fn scripts_without_spaces_give_one_word_for_each_character() {
        assert_eq!(words("東京は雨。 дом"), ["東", "京", "は", "雨", "дом"]);
    }

    proptest! {
        #[test]
        fn places_rise_and_lie_on_character_boundaries(text in "\\PC{0,80}") {
            let mut last = 0;
            scan(&text, 0..text.len(), &mut |place: Range<usize>, lower: &str, _: bool| {
                assert!(last <= place.start && place.start < place.end, "{place:?}");
                assert!(text.is_char_boundary(place.start) && text.is_char_boundary(place.end));
                assert!(!lower.is_empty());
                last = place.start;
            });
        }
    }
}
