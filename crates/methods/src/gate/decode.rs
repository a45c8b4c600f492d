//! What an answer says once it is decoded: base64, rot13, character references, reversed text,
//! letters set apart.
//!
//! Harm that is spelled in another way is still harm, and what makes no sense when decoded matches
//! no rule. A spaced-out word, digits for letters and look-alikes are undone while folding.

use std::ops::Range;

/// A shorter run of letters is a word, not something that was encoded.
const BASE64_LETTERS_MIN: usize = 16;

/// So many encoded runs are looked at; what comes after them is not the first to say it.
const RUNS_MAX: usize = 64;

/// The words that any English text is full of.
const COMMON: [&str; 14] =
    ["the", "to", "and", "of", "a", "you", "how", "in", "is", "it", "your", "for", "with", "make"];

/// So many common words more make a reading the likelier one.
const COMMON_MORE_MIN: usize = 2;

/// A text that stands in an answer in another form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DecodedText {
    /// How it was written.
    pub(super) form: &'static str,
    /// What it says.
    pub(super) text: String,
    /// Where it stands, in code points of the answer.
    pub(super) place: Range<usize>,
}

/// Everything in an answer that can be read in another way, and makes more sense so.
pub(super) fn decoded(answer: &[char]) -> Vec<DecodedText> {
    let mut found = base64_runs(answer);
    let plain: String = answer.iter().collect();
    let mut whole = |form, text: Option<String>| {
        let place = 0..answer.len();
        found.extend(text.map(|text| DecodedText { form, text, place }));
    };
    whole("character references", references(&plain));
    whole("spaced", unspaced(&plain));
    let common = common_words(&plain);
    let likelier = |text: &String| common_words(text) >= common + COMMON_MORE_MIN;
    whole("rot13", Some(plain.chars().map(rot13).collect()).filter(likelier));
    whole("reversed", Some(plain.chars().rev().collect()).filter(likelier));
    found
}

/// How many words of a text are common ones.
fn common_words(text: &str) -> usize {
    let words = text.split(|letter: char| !letter.is_alphabetic());
    words.filter(|word| COMMON.contains(&word.to_ascii_lowercase().as_str())).count()
}

/// The text without the spaces inside its words, where words stand further apart than letters;
/// `None` if hardly a word is written so.
fn unspaced(text: &str) -> Option<String> {
    let mut spaced = 0;
    let text = text.replace(['\n', '\t'], "  ");
    let word = |word: &str| {
        let (mut joined, mut letters) = (String::new(), 0);
        for part in word.split(' ') {
            let is_letter = part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
            let goes_on = is_letter && letters > 0;
            if !joined.is_empty() && !goes_on {
                joined.push(' ');
            }
            joined.push_str(part);
            letters = if is_letter { letters + 1 } else { 0 };
            spaced += usize::from(letters == 2);
        }
        joined
    };
    let words = text.split("  ").map(str::trim).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(word).collect();
    (spaced > 1).then(|| words.join(" "))
}

fn rot13(letter: char) -> char {
    let turn = |first: u8, letter: u8| char::from(first + (letter - first + 13) % 26);
    match u8::try_from(letter) {
        Ok(small @ b'a'..=b'z') => turn(b'a', small),
        Ok(capital @ b'A'..=b'Z') => turn(b'A', capital),
        _ => letter,
    }
}

/// The text with `&#72;`, `&#x48;` and the named references of markup resolved; `None` if there
/// are none.
fn references(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.char_indices().take(12).find(|(_, letter)| *letter == ';');
        let letter = end.and_then(|(end, _)| reference(&rest[1..end]));
        if let (Some(letter), Some((end, _))) = (letter, end) {
            out.push(letter);
            rest = &rest[end + 1..];
            changed = true;
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    changed.then_some(out)
}

fn reference(name: &str) -> Option<char> {
    match name.strip_prefix('#') {
        Some(number) => {
            let hex = number.strip_prefix(['x', 'X']);
            let code = hex.map_or_else(|| number.parse(), |hex| u32::from_str_radix(hex, 16));
            code.ok().and_then(char::from_u32)
        }
        None => Some(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => ' ',
            _ => return None,
        }),
    }
}

/// Runs of base64 that are text; lines of one run belong together.
fn base64_runs(answer: &[char]) -> Vec<DecodedText> {
    let is_letter = |letter: char| {
        letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '-' | '_' | '=')
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < answer.len() && found.len() < RUNS_MAX {
        if !is_letter(answer[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut run = String::new();
        // A line end inside a run is how long base64 is wrapped.
        while let Some(letter) = answer.get(at) {
            let wraps = *letter == '\n' && answer.get(at + 1).is_some_and(|next| is_letter(*next));
            if !is_letter(*letter) && !wraps {
                break;
            }
            run.extend(is_letter(*letter).then_some(*letter));
            at += 1;
        }
        let text = (run.len() >= BASE64_LETTERS_MIN).then(|| base64(&run)).flatten();
        found.extend(text.map(|text| DecodedText { form: "base64", text, place: start..at }));
    }
    found
}

/// The text that base64 holds; `None` if it is none.
fn base64(run: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(run.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in run.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap_or(0));
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    let readable = |letter: char| !letter.is_control() || letter.is_whitespace();
    (text.contains(' ') && text.chars().all(readable)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(answer: &str) -> Vec<(&'static str, String)> {
        let characters: Vec<char> = answer.chars().collect();
        decoded(&characters).into_iter().map(|one| (one.form, one.text)).collect()
    }

    #[test]
    fn every_form_is_read_back() {
        let plain = "How to bake a bread in the oven";
        for (form, written) in [
            ("base64", "SG93IHRvIGJha2UgYSBicmVhZCBpbiB0aGUgb3Zlbg=="),
            ("rot13", "Ubj gb onxr n oernq va gur bira"),
            ("reversed", "nevo eht ni daerb a ekab ot woH"),
            ("character references", "How to bake a bread in &#116;&#x68;&#101; oven"),
            ("spaced", "H o w  t o  b a k e  a  b r e a d  i n\nt h e  o v e n"),
        ] {
            let found = forms(written);
            let said = found.iter().find(|(found, _)| *found == form);
            let said = &said.unwrap_or_else(|| panic!("{form}: {found:?}")).1;
            assert!(said.starts_with("How to bake a bread in"), "{form}: {said}");
        }
        let wrapped = "SG93IHRvIGJha2Ug\nYSBicmVhZCBpbiB0\naGUgb3Zlbg==";
        assert_eq!(forms(wrapped), [("base64", plain.to_owned())]);
    }

    #[test]
    fn ordinary_texts_have_one_reading() {
        for plain in [
            "How to bake a bread in the oven: mix flour and water.",
            "The key is deadbeefdeadbeefdeadbeef, and AT&T; is a company.",
            "",
        ] {
            assert_eq!(forms(plain), [], "{plain}");
        }
    }
}
