//! What a reader takes a name for: two names with the same skeleton look alike.

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton as prototype;

/// A name without case, in one form, with what looks like a Latin letter as that letter (UTS 39).
/// Latin letters stay as they are: `torn` and `tom` are two people.
pub(crate) fn skeleton(name: &str) -> String {
    let mut shape = String::with_capacity(name.len());
    for letter in name.nfkc().flat_map(char::to_lowercase) {
        if letter.is_ascii() {
            shape.push(letter);
        } else {
            let mut bytes = [0; 4];
            shape.extend(prototype(letter.encode_utf8(&mut bytes)).flat_map(char::to_lowercase));
        }
    }
    shape.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        // Cyrillic, full width, mathematical, upper case, composed or not.
        for name in ["admin", "Admin", "\u{430}dmin", "\u{ff41}dmin", "\u{1d41a}dmin"] {
            assert_eq!(skeleton(name), "admin", "{name}");
        }
        assert_eq!(skeleton("jos\u{e9}"), skeleton("jose\u{301}"));
        assert_ne!(skeleton("jos\u{e9}"), skeleton("jose"));
        assert_ne!(skeleton("torn"), skeleton("tom"));
        assert_ne!(skeleton("ann 1"), skeleton("ann l"));
    }
}
