//! The names under which answers are shown: Response A, Response B, …

/// The label of a seat: `Response A` for 0, `Response AA` after `Response Z`.
///
/// ```
/// use assize_methods::council::label::label;
/// assert_eq!(label(1), "Response B");
/// assert_eq!(label(26), "Response AA");
/// ```
pub fn label(seat: usize) -> String {
    format!("Response {}", letters(seat))
}

/// The letters of a seat.
pub(super) fn letters(seat: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = seat + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The seat that a reviewer means by a label, among so many: `Response B`, `response_b`,
/// `B`, `b.`, `Answer B`, `**B**`.
pub fn seat(said: &str, seats: usize) -> Option<usize> {
    let plain: String = said
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter.to_ascii_uppercase() } else { ' ' })
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let letters = match words[..] {
        [letters] => letters.strip_prefix("RESPONSE").unwrap_or(letters),
        ["RESPONSE" | "ANSWER" | "CANDIDATE" | "OPTION", letters] => letters,
        _ => return None,
    };
    if letters.is_empty()
        || letters.len() > 3
        || !letters.bytes().all(|byte| byte.is_ascii_uppercase())
    {
        return None;
    }
    let number = letters.bytes().fold(0, |number, byte| number * 26 + usize::from(byte - b'A') + 1);
    (number <= seats).then(|| number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_leads_back_to_its_seat() {
        for index in 0..100 {
            assert_eq!(seat(&label(index), 100), Some(index));
        }
    }

    #[test]
    fn what_is_no_label_has_no_seat() {
        for said in ["", "Response", "junk", "Response D", "A B", "9", "Response A and B"] {
            assert_eq!(seat(said, 3), None, "{said}");
        }
    }
}
