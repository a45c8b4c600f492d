//! The words of numbers, units and bounds.

use std::borrow::Cow;

use super::lists::LISTS;
use super::tokens::Token;

const HOURS_A_YEAR: f64 = 8760.0;

/// Signs and the words for them.
const SIGNS: [(char, &str); 7] = [
    ('%', " percent "),
    ('€', " euro "),
    ('£', " pound "),
    ('$', " dollar "),
    ('°', " degree "),
    ('≥', " at least "),
    ('≤', " at most "),
];

/// A text with words for its signs.
pub(super) fn spelled(text: &str) -> Cow<'_, str> {
    let word = |sign: char| SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, word)| *word);
    if !text.contains(|sign| word(sign).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len() + 16);
    for sign in text.chars() {
        match word(sign) {
            Some(word) => spelled.push_str(word),
            None => spelled.push(sign),
        }
    }
    Cow::Owned(spelled)
}

/// What comes again after so many hours.
pub(super) fn again(word: &str) -> Option<f64> {
    hours(word).or_else(|| LISTS.months.has(word).then_some(HOURS_A_YEAR))
}

/// A unit of time in hours.
pub(super) fn hours(word: &str) -> Option<f64> {
    let one = word.strip_suffix('s').unwrap_or(word);
    LISTS.hours.get(one).copied()
}

/// The number at a token, and how many tokens it takes: `12`, `twelve`, `twenty five`.
pub(super) fn number(tokens: &[Token<'_>], at: usize) -> Option<(f64, usize)> {
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let word = |at: usize| LISTS.numbers.get(lower(at)).copied();
    if let Ok(value) = lower(at).replace(',', "").parse::<f64>() {
        let times = word(at + 1).filter(|times| *times >= 1000.0);
        let (value, used) = times.map_or((value, 1), |times| (value * times, 2));
        return value.is_finite().then_some((value, used));
    }
    let units = ["day", "fortnight", "hour", "minute", "month", "quarter", "week", "year"];
    if ["a", "an"].contains(&lower(at)) && units.contains(&lower(at + 1)) {
        return Some((1.0, 1));
    }
    let value = word(at)?;
    match word(at + 1) {
        Some(ones) if (20.0..100.0).contains(&value) && ones < 10.0 => Some((value + ones, 2)),
        Some(times) if times >= 100.0 && value < times => Some((value * times, 2)),
        _ => Some((value, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_spelled() {
        assert_eq!(spelled("95% or €50"), "95 percent  or  euro 50");
        assert!(matches!(spelled("none"), Cow::Borrowed("none")));
    }
}
