//! The words of numbers, units and bounds.

use std::borrow::Cow;

use super::tokens::Token;

/// Units of time in hours.
const HOURS: [(&str, f64); 33] = [
    ("annum", 8760.0),
    ("autumn", 8760.0),
    ("christmas", 8760.0),
    ("day", 24.0),
    ("evening", 24.0),
    ("fall", 8760.0),
    ("fortnight", 336.0),
    ("friday", 168.0),
    ("hour", 1.0),
    ("hr", 1.0),
    ("min", 1.0 / 60.0),
    ("minute", 1.0 / 60.0),
    ("monday", 168.0),
    ("month", 730.0),
    ("morning", 24.0),
    ("night", 24.0),
    ("quarter", 2190.0),
    ("saturday", 168.0),
    ("season", 8760.0),
    ("second", 1.0 / 3600.0),
    ("semester", 4380.0),
    ("shift", 8.0),
    ("spring", 8760.0),
    ("summer", 8760.0),
    ("sunday", 168.0),
    ("term", 2920.0),
    ("thursday", 168.0),
    ("tuesday", 168.0),
    ("wednesday", 168.0),
    ("week", 168.0),
    ("weekend", 168.0),
    ("winter", 8760.0),
    ("year", 8760.0),
];

/// Words that say how often, in hours.
pub(super) const ADVERBS: [(&str, f64); 24] = [
    ("annual", 8760.0),
    ("annually", 8760.0),
    ("biannual", 4380.0),
    ("biannually", 4380.0),
    ("continuous", 0.0),
    ("continuously", 0.0),
    ("daily", 24.0),
    ("fortnightly", 336.0),
    ("fridays", 168.0),
    ("hourly", 1.0),
    ("mondays", 168.0),
    ("monthly", 730.0),
    ("nightly", 24.0),
    ("quarterly", 2190.0),
    ("saturdays", 168.0),
    ("semiannual", 4380.0),
    ("semiannually", 4380.0),
    ("sundays", 168.0),
    ("thursdays", 168.0),
    ("tuesdays", 168.0),
    ("wednesdays", 168.0),
    ("weekends", 168.0),
    ("weekly", 168.0),
    ("yearly", 8760.0),
];

/// Words that say how soon, in hours.
pub(super) const SOON: &[(&[&str], f64)] = &[
    (&["of", "the", "following", "month"], 730.0),
    (&["end", "of", "the", "month"], 730.0),
    (&["end", "of", "the", "week"], 168.0),
    (&["end", "of", "the", "shift"], 8.0),
    (&["next", "working", "day"], 36.0),
    (&["next", "business", "day"], 36.0),
    (&["following", "day"], 24.0),
    (&["next", "day"], 24.0),
    (&["before", "you", "go", "home"], 24.0),
    (&["during", "the", "shift"], 8.0),
    (&["the", "moment"], 0.0),
    (&["as", "soon", "as"], 0.0),
    (&["final", "working", "day"], 24.0),
    (&["final", "day"], 24.0),
    (&["final", "shift"], 24.0),
    (&["last", "shift"], 24.0),
    (&["day", "of", "departure"], 24.0),
    (&["day", "they", "leave"], 24.0),
    (&["day", "they", "appear"], 24.0),
    (&["end", "of", "the", "day"], 24.0),
    (&["close", "of", "business"], 24.0),
    (&["goes", "home"], 24.0),
    (&["overnight"], 24.0),
    (&["immediately"], 0.0),
    (&["immediate"], 0.0),
    (&["instantly"], 0.0),
    (&["promptly"], 0.0),
    (&["forthwith"], 0.0),
    (&["at", "once"], 0.0),
    (&["straight", "away"], 0.0),
    (&["right", "away"], 0.0),
    (&["without", "delay"], 0.0),
    (&["without", "undue", "delay"], 0.0),
    (&["on", "the", "spot"], 0.0),
    (&["there", "and", "then"], 0.0),
    (&["in", "real", "time"], 0.0),
    (&["same", "working", "day"], 24.0),
    (&["same", "business", "day"], 24.0),
    (&["same", "night"], 24.0),
    (&["same", "day"], 24.0),
    (&["same", "evening"], 24.0),
    (&["same", "hour"], 1.0),
    (&["last", "working", "day"], 24.0),
    (&["last", "day"], 24.0),
];

const NUMBERS: [(&str, f64); 34] = [
    ("dozen", 12.0),
    ("eight", 8.0),
    ("eighteen", 18.0),
    ("eighty", 80.0),
    ("eleven", 11.0),
    ("fifteen", 15.0),
    ("fifty", 50.0),
    ("five", 5.0),
    ("forty", 40.0),
    ("four", 4.0),
    ("fourteen", 14.0),
    ("half", 0.5),
    ("hundred", 100.0),
    ("million", 1_000_000.0),
    ("nine", 9.0),
    ("nineteen", 19.0),
    ("ninety", 90.0),
    ("one", 1.0),
    ("once", 1.0),
    ("seven", 7.0),
    ("seventeen", 17.0),
    ("seventy", 70.0),
    ("six", 6.0),
    ("sixteen", 16.0),
    ("sixty", 60.0),
    ("ten", 10.0),
    ("thirteen", 13.0),
    ("thirty", 30.0),
    ("thousand", 1000.0),
    ("three", 3.0),
    ("twelve", 12.0),
    ("twenty", 20.0),
    ("twice", 2.0),
    ("two", 2.0),
];

/// Units of money: a sum from which on a duty holds is the stricter the lower it is.
pub(super) const MONEY: [&str; 5] = ["dollar", "euro", "franc", "pound", "value"];

/// Units of one to three letters.
pub(super) const SHORT_UNITS: [&str; 18] = [
    "bar", "bit", "cm", "db", "g", "gb", "kg", "km", "kw", "l", "lux", "m", "mb", "ml", "mm", "mg",
    "ppm", "tb",
];

/// Units of money that stand before their number: "EUR 50".
pub(super) const BEFORE: [(&str, &str); 9] = [
    ("chf", "franc"),
    ("dollar", "dollar"),
    ("eur", "euro"),
    ("euro", "euro"),
    ("euros", "euro"),
    ("franc", "franc"),
    ("gbp", "pound"),
    ("pound", "pound"),
    ("usd", "dollar"),
];

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

/// Words that may stand between "each" and a unit of time.
pub(super) const BETWEEN: [&str; 8] =
    ["business", "calendar", "financial", "fiscal", "school", "second", "single", "working"];

/// Different words for one unit.
pub(super) const UNITS: [(&str, &str); 30] = [
    ("positions", "character"),
    ("eur", "euro"),
    ("usd", "dollar"),
    ("attempts", "attempt"),
    ("c", "degree"),
    ("cent", "percent"),
    ("characters", "character"),
    ("children", "child"),
    ("degrees", "degree"),
    ("digits", "character"),
    ("employees", "person"),
    ("kilometres", "km"),
    ("letters", "character"),
    ("logins", "attempt"),
    ("metres", "metre"),
    ("people", "person"),
    ("percent", "percent"),
    ("persons", "person"),
    ("pupils", "child"),
    ("signs", "character"),
    ("staff", "person"),
    ("students", "child"),
    ("symbols", "character"),
    ("times", "time"),
    ("tries", "attempt"),
    ("workers", "person"),
    ("euros", "euro"),
    ("pounds", "pound"),
    ("dollars", "dollar"),
    ("failures", "attempt"),
];

pub(super) const AT_LEAST: &[&[&str]] = &[
    &["at", "least"],
    &["at", "the", "least"],
    &["minimum"],
    &["no", "fewer", "than"],
    &["no", "less", "than"],
    &["not", "less", "than"],
    &["not", "fewer", "than"],
    &["more", "than"],
    &["longer", "than"],
    &["over"],
    &["or", "more"],
    &["or", "longer"],
    &["or", "above"],
    &["above"],
    &["exceeding"],
    &["upwards"],
];
pub(super) const AT_MOST: &[&[&str]] = &[
    &["at", "most"],
    &["at", "the", "most"],
    &["at", "the", "latest"],
    &["maximum"],
    &["no", "more", "than"],
    &["not", "more", "than"],
    &["no", "later", "than"],
    &["no", "longer", "than"],
    &["not", "exceed"],
    &["up", "to"],
    &["below"],
    &["under"],
    &["fewer", "than"],
    &["less", "than"],
    &["shorter", "than"],
    &["or", "less"],
    &["or", "fewer"],
    &["or", "below"],
    &["capped", "at"],
    &["inside"],
    &["limited", "to"],
    &["at", "latest"],
];

/// Words that make a time last.
pub(super) const LASTING: [&str; 16] = [
    "archived",
    "available",
    "hold",
    "holds",
    "held",
    "keep",
    "keeps",
    "kept",
    "preserved",
    "retain",
    "retained",
    "retains",
    "retention",
    "store",
    "stored",
    "until",
];

/// Months: what happens each January happens once a year; "12 January" is a date.
const MONTHS: [&str; 10] = [
    "april",
    "august",
    "december",
    "february",
    "january",
    "july",
    "june",
    "november",
    "october",
    "september",
];

/// What comes again after so many hours.
pub(super) fn again(word: &str) -> Option<f64> {
    hours(word).or_else(|| MONTHS.contains(&word).then_some(8760.0))
}

/// A unit of time in hours.
pub(super) fn hours(word: &str) -> Option<f64> {
    let one = word.strip_suffix('s').unwrap_or(word);
    let place = HOURS.binary_search_by_key(&one, |(unit, _)| unit).ok()?;
    Some(HOURS[place].1)
}

/// The number at a token, and how many tokens it takes: `12`, `twelve`, `twenty five`.
pub(super) fn number(tokens: &[Token<'_>], at: usize) -> Option<(f64, usize)> {
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let word =
        |at: usize| NUMBERS.iter().find(|(word, _)| *word == lower(at)).map(|(_, value)| *value);
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
    fn the_lists_can_be_searched() {
        assert!(HOURS.is_sorted_by_key(|(word, _)| *word));
        assert!(ADVERBS.is_sorted_by_key(|(word, _)| *word));
    }

    #[test]
    fn signs_are_spelled() {
        assert_eq!(spelled("95% or €50"), "95 percent  or  euro 50");
        assert!(matches!(spelled("none"), Cow::Borrowed("none")));
    }
}
