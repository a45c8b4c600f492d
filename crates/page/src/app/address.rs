//! Addresses with the state of a page in them: filters, order, place.

use std::fmt::Write;

/// A path with its query; what is empty is left out.
pub fn address(path: &str, query: &[(&str, &str)]) -> String {
    let mut address = path.to_owned();
    let mut sign = '?';
    for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(address, "{sign}{name}={}", encoded(value));
        sign = '&';
    }
    address
}

/// A text as part of an address: whatever is not a letter, a digit or one of `-._~` by its bytes.
pub fn encoded(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                all.push(char::from(byte));
            }
            other => {
                let _ = write!(all, "%{other:02X}");
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_value_can_leave_its_place() {
        let found = address("/runs", &[("q", "a&b=c#d \"é"), ("tag", ""), ("sort", "-score")]);
        assert_eq!(found, "/runs?q=a%26b%3Dc%23d%20%22%C3%A9&sort=-score");
        assert_eq!(address("/runs", &[("q", "")]), "/runs");
    }
}
