//! Check digits and ranges: what is a number of the kind and what only looks like one.

/// The digits of a text.
pub(super) fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|character| character.to_digit(10)).collect()
}

/// The check digit of cards (ISO/IEC 7812-1): every second digit from the right doubled.
pub(super) fn is_luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, digit * 2) {
            (0, _) => *digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

/// How sure the digits alone make us that they are a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CardKind {
    /// The prefix and the length of an issuer, and a right check digit.
    Issuer,
    /// A right check digit and a prefix that cards share with other numbers.
    Possible,
}

/// Whether digits are a card number: issuer, length and check digit.
pub(super) fn card(digits: &[u32]) -> Option<CardKind> {
    if !is_luhn(digits) || digits.iter().all(|digit| *digit == digits[0]) {
        return None;
    }
    let prefix = |count: usize| digits.iter().take(count).fold(0, |sum, digit| sum * 10 + digit);
    let issuer = match digits.len() {
        13 | 19 => digits[0] == 4,
        14 => matches!(prefix(3), 300..=305 | 309) || matches!(prefix(2), 36 | 38 | 39),
        15 => matches!(prefix(2), 34 | 37) || matches!(prefix(4), 1800 | 2131),
        16 => {
            digits[0] == 4
                || matches!(prefix(2), 51..=55 | 65)
                || matches!(prefix(4), 2221..=2720 | 3528..=3589 | 6011)
                || matches!(prefix(3), 644..=649)
        }
        _ => false,
    };
    let possible = (12..=19).contains(&digits.len()) && matches!(digits[0], 2..=6);
    match (issuer, possible) {
        (true, _) => Some(CardKind::Issuer),
        (false, true) => Some(CardKind::Possible),
        (false, false) => None,
    }
}

/// Whether nine digits can be a United States social security number: the ranges that are
/// issued, without those published in advertisements.
pub(super) fn is_social_security(digits: &[u32]) -> bool {
    let number = |part: &[u32]| part.iter().fold(0, |sum, digit| sum * 10 + digit);
    if digits.len() != 9 {
        return false;
    }
    let (area, group, serial) = (number(&digits[..3]), number(&digits[3..5]), number(&digits[5..]));
    let issued = !matches!(area, 0 | 666 | 900..) && group != 0 && serial != 0;
    issued && !matches!((area, group, serial), (78, 5, 1120) | (219, 9, 9999))
}

/// Countries and the length of their account numbers (the IBAN registry).
const IBAN_LENGTHS: &str = include_str!("../../../data/iban.txt");

/// How many characters an account number of a country has.
pub(super) fn iban_length(country: &str) -> Option<usize> {
    let country = country.to_ascii_uppercase();
    let mut lengths = IBAN_LENGTHS.lines().filter_map(|line| line.split_once(' '));
    lengths.find(|(code, _)| *code == country)?.1.parse().ok()
}

/// The check of account numbers (ISO 13616): moved round, read as one number, 1 modulo 97.
pub(super) fn is_iban(compact: &str) -> bool {
    let Some((head, tail)) = compact.split_at_checked(4) else { return false };
    if iban_length(&compact[..2]) != Some(compact.len()) {
        return false;
    }
    let rest = tail.chars().chain(head.chars()).try_fold(0, |rest, character| {
        let value = character.to_digit(36)?;
        let shift = if value > 9 { 100 } else { 10 };
        Some((rest * shift + value) % 97)
    });
    rest == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_of_published_numbers_are_right() {
        // Test numbers that card networks publish.
        for number in ["4111111111111111", "378282246310005", "5555555555554444", "30569309025904"]
        {
            assert_eq!(card(&digits(number)), Some(CardKind::Issuer), "{number}");
        }
        assert_eq!(card(&digits("4111222233334445")), None);
        assert_eq!(card(&digits("0000000000000000")), None);
    }

    #[test]
    fn account_numbers_of_the_registry_are_right_and_a_changed_digit_is_not() {
        for number in ["DE89370400440532013000", "GB82WEST12345698765432", "NO9386011117947"] {
            assert!(is_iban(number), "{number}");
        }
        assert!(!is_iban("DE89370400440532013001"));
        assert!(!is_iban("XX89370400440532013000"));
    }

    #[test]
    fn numbers_outside_the_issued_ranges_are_none() {
        assert!(is_social_security(&digits("123-45-6789")));
        for number in ["000-12-3456", "666-12-3456", "900-12-3456", "123-00-4567", "123-45-0000"] {
            assert!(!is_social_security(&digits(number)), "{number}");
        }
        assert!(!is_social_security(&digits("078-05-1120")));
    }
}
