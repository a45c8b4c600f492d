//! Decimal numbers as bytes, read exactly.

/// Whole numbers up to here are exact in a double.
const EXACT_MAX: u64 = 1 << 53;

/// Powers of ten that are exact in a double.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The double nearest to a decimal number; `None` if the bytes are something else.
///
/// A plain decimal with few digits is a quotient of two exact doubles, and division rounds
/// once (Clinger 1990); everything else goes the long way.
pub(super) fn parse(bytes: &[u8]) -> Option<f64> {
    simple(bytes).or_else(|| str::from_utf8(bytes).ok()?.parse().ok())
}

/// Sign, digits, and digits behind a point; not more than a double holds exactly.
fn simple(bytes: &[u8]) -> Option<f64> {
    let (negative, digits) = match bytes.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, bytes),
    };
    if digits.len() > 19 {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut point = None;
    for (index, byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else if *byte == b'.' && point.is_none() {
            point = Some(index);
        } else {
            return None;
        }
    }
    let decimals = point.map_or(0, |point| digits.len() - point - 1);
    if mantissa > EXACT_MAX || digits.len() == usize::from(point.is_some()) {
        return None;
    }
    let value = mantissa as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
}

/// A whole number, also when written with a point and zeros behind it.
pub(super) fn parse_whole(bytes: &[u8]) -> Option<i32> {
    let value = parse(bytes)?;
    whole(value)
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
    fn what_is_no_number_is_refused() {
        for text in ["", ".", "-", "+.", "1.2.3", "abc", "1,5", "0x10", "--1", "1 "] {
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
