//! Decimal numbers as bytes, read exactly.

/// Whole numbers up to here are exact in a double.
const EXACT_MAX: u64 = 1 << 53;

/// Powers of ten that are exact in a double.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Eight times the digit zero.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The same as whole numbers.
const WHOLE_POWERS: [u64; 9] =
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The double nearest to a decimal number; `None` if the bytes are something else.
#[inline(never)]
pub(super) fn parse(bytes: &[u8]) -> Option<f64> {
    match plain_decimal(bytes, 0) {
        Some((value, end)) if end == bytes.len() => Some(value),
        _ => str::from_utf8(bytes).ok()?.parse().ok(),
    }
}

/// A decimal number at a byte of a text, and where it ends: sign, up to seven digits, up to
/// fifteen behind a point, and no more than a double holds exactly.
///
/// Such a number is a quotient of two exact doubles, and division rounds once (Clinger 1990).
#[inline(always)]
#[expect(clippy::inline_always, reason = "called once for every line of a run")]
pub(super) fn plain_decimal(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let sign = *text.get(start)?;
    let digits = start + usize::from(matches!(sign, b'-' | b'+'));
    let (before, mut mantissa) = match text.get(digits..digits + 3) {
        Some([one @ b'0'..=b'9', b'.', _]) => (1, u64::from(one - b'0')),
        Some([ten @ b'0'..=b'9', one @ b'0'..=b'9', b'.']) => {
            (2, u64::from(ten - b'0') * 10 + u64::from(one - b'0'))
        }
        _ => leading_digits(text, digits),
    };
    let (mut at, mut decimals) = (digits + before, 0);
    if text.get(at) == Some(&b'.') {
        let (taken, value) = leading_digits(text, at + 1);
        mantissa = mantissa * WHOLE_POWERS[taken] + value;
        (at, decimals) = (at + 1 + taken, taken);
    }
    if decimals == 8 {
        let (taken, value) = leading_digits(text, at);
        mantissa = mantissa.checked_mul(WHOLE_POWERS[taken])?.checked_add(value)?;
        (at, decimals) = (at + taken, decimals + taken);
    }
    // After eight digits there may be more, which is for others to read.
    if before == 8 || before + decimals == 0 || decimals == 16 || mantissa > EXACT_MAX {
        return None;
    }
    let value = mantissa as f64 / POWERS[decimals];
    Some((if sign == b'-' { -value } else { value }, at))
}

/// How many of the next eight bytes are digits, up to the first that is none, and the number
/// they make.
#[inline(always)]
fn leading_digits(text: &[u8], at: usize) -> (usize, u64) {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
        return leading_digits_near_end(text, at);
    };
    let digits = u64::from_le_bytes(*bytes) ^ ZEROS;
    // What is above nine carries into the highest bit of its byte.
    let others = (((digits & !HIGH) + 0x7676_7676_7676_7676) | digits) & HIGH;
    let taken = others.trailing_zeros() as usize / 8;
    if taken == 0 {
        return (0, 0);
    }
    // The digits go to the upper end of the word, and zeros come before them.
    let word = digits << (64 - 8 * taken);
    // Neighbours are joined: digits to pairs, pairs to fours, fours to eight.
    let pairs = word.wrapping_mul((10 << 8) + 1) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul((100 << 16) + 1) >> 16;
    (taken, (fours & 0x0000_ffff_0000_ffff).wrapping_mul((10_000 << 32) + 1) >> 32)
}

#[cold]
fn leading_digits_near_end(text: &[u8], at: usize) -> (usize, u64) {
    let bytes = text.get(at..).unwrap_or_default();
    let digits = bytes.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit < 10);
    digits.fold((0, 0), |(taken, value), digit| (taken + 1, value * 10 + u64::from(digit)))
}

/// A whole number, also when written with a point and zeros behind it.
pub(super) fn parse_whole(bytes: &[u8]) -> Option<i32> {
    match bytes {
        [digit @ b'0'..=b'9'] => Some(i32::from(digit - b'0')),
        _ => parse(bytes).and_then(whole),
    }
}

/// A double that is a whole number of 32 bits.
pub(super) fn whole(value: f64) -> Option<i32> {
    #[expect(clippy::cast_possible_truncation, reason = "compared with the original")]
    let number = value as i32;
    (f64::from(number) == value).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_gives_what_the_standard_library_gives() {
        let texts = [
            "0",
            "-0",
            "1",
            "42.5",
            "+3.25",
            ".5",
            "5.",
            "0.1",
            "0.6898301657029192",
            "1e-3",
            "-2.129133",
            "12345678901234567890",
            "9007199254740993",
            "0.00000000000000000001",
            "1.7976931348623157e308",
            "123456789012345678.9",
            "-1234.5678e+2",
            "inf",
            "-infinity",
        ];
        for text in texts {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(
                parse(text.as_bytes()).map(f64::to_bits),
                Some(expected.to_bits()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_number_within_a_text_ends_where_it_ends() {
        assert_eq!(plain_decimal(b"x 29.988238 tag and more", 2), Some((29.988_238, 11)));
        assert_eq!(plain_decimal(b"-12.12345678\n", 0), Some((-12.123_456_78, 12)));
        assert_eq!(plain_decimal(b"5. and much more", 0), Some((5.0, 2)));
        assert_eq!(plain_decimal(b"1e5 is not plain", 0), Some((1.0, 1)));
        for text in [". is not a number", "12345678 is long", "0.1234567890123456 is long"] {
            assert_eq!(plain_decimal(text.as_bytes(), 0), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            ".",
            "-",
            "+.",
            "1.2.3",
            "abc",
            "1,5",
            "0x10",
            "--1",
            "1 ",
            "1.23456:8",
            "0.1234/678",
            "1.\u{fffd}",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_whole_number_may_be_written_with_zeros_behind_the_point() {
        assert_eq!(parse_whole(b"2"), Some(2));
        assert_eq!(parse_whole(b"-1"), Some(-1));
        assert_eq!(parse_whole(b"2.0"), Some(2));
        assert_eq!(parse_whole(b"2.5"), None);
        assert_eq!(parse_whole(b"9999999999"), None);
        assert_eq!(parse_whole(b"nan"), None);
    }
}
