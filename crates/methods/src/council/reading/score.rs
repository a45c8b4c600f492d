//! A mark as reviewers write it: 9, "9", "9/10", "9 out of 10", "90%", "9,5", "nine".

use serde_json::Value;

use crate::council::ballot::Mark;

/// The marks there are.
const LOWEST: f64 = 1.0;
const HIGHEST: f64 = 10.0;

const NUMBERS: [&str; 11] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A scale other than 1 to 10. It is used only where the reviewer declares it: that all
/// marks lie below five may also mean that all answers are bad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The lowest mark on it.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Scale {
    /// The scale that a reviewer declares: `"0-100"`, `"1 to 5"`, `100`, `{"min": 0, "max": 1}`.
    /// `None` for 1 to 10, and for what is no scale.
    pub(super) fn declared(value: &Value) -> Option<Self> {
        let (low, high) = match value {
            Value::Number(number) => (0.0, number.as_f64()?),
            Value::Object(map) => (map.get("min")?.as_f64()?, map.get("max")?.as_f64()?),
            Value::String(said) => ends(said)?,
            _ => return None,
        };
        // Of 10 alone it is not said where it begins; 0 to 10 is another scale than 1 to 10.
        let begins_at_zero = low == 0.0 && names_both_ends(value);
        let usual = high == HIGHEST && !begins_at_zero;
        let sound = (low == 0.0 || low == 1.0) && high > low && high <= 1_000.0;
        (sound && !usual).then_some(Self { low, high })
    }

    /// The lowest mark there can be when this is the scale: zero if it begins there.
    pub(super) fn lowest(scale: Option<Self>) -> f64 {
        scale.map_or(LOWEST, |scale| if scale.low == 0.0 { 0.0 } else { LOWEST })
    }

    /// A mark on this scale as one up to 10. From zero it is a share of the best, and zero is
    /// zero; from one the ends meet the ends.
    fn convert(self, mark: f64) -> f64 {
        if self.low == 0.0 {
            return mark / self.high * HIGHEST;
        }
        LOWEST + (mark - self.low) / (self.high - self.low) * (HIGHEST - LOWEST)
    }
}

/// Whether a declared scale says where it begins.
fn names_both_ends(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::String(said) => numbers(said).len() == 2,
        _ => false,
    }
}

fn ends(said: &str) -> Option<(f64, f64)> {
    match numbers(said)[..] {
        [high] => Some((0.0, high)),
        [low, high] => Some((low, high)),
        _ => None,
    }
}

fn numbers(said: &str) -> Vec<f64> {
    said.split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// The mark that stands somewhere, or what stands there instead.
pub(super) fn mark(value: &Value, scale: Option<Scale>) -> Result<Mark, String> {
    let lowest = Scale::lowest(scale);
    let rejected = || value.as_str().map_or_else(|| value.to_string(), |said| format!("“{said}”"));
    let (number, coerced_from) = match value {
        Value::Number(number) => (number.as_f64().ok_or_else(rejected)?, None),
        Value::String(said) => {
            let (number, shared) = said_number(said).ok_or_else(rejected)?;
            if shared {
                return on_scale(number, lowest, Some(said.clone())).ok_or_else(rejected);
            }
            (number, Some(said.clone()))
        }
        _ => return Err(rejected()),
    };
    let Some(scale) = scale else {
        return on_scale(number, lowest, coerced_from).ok_or_else(rejected);
    };
    if !(scale.low..=scale.high).contains(&number) {
        return Err(rejected());
    }
    let from = coerced_from.unwrap_or_else(|| format!("{number} of {}", scale.high));
    on_scale(scale.convert(number), lowest, Some(from)).ok_or_else(rejected)
}

fn on_scale(value: f64, lowest: f64, coerced_from: Option<String>) -> Option<Mark> {
    (lowest..=HIGHEST).contains(&value).then_some(Mark { value, coerced_from })
}

/// The number in a text that is nothing but a number, and whether it names its own whole, as
/// `9/10` and `90%` do.
fn said_number(said: &str) -> Option<(f64, bool)> {
    let plain = said.trim().trim_matches('*').trim().to_lowercase();
    if let Some(percent) = plain.strip_suffix('%') {
        return Some((number(percent)? / 10.0, true));
    }
    for separator in ["/", " out of ", " of "] {
        if let Some((part, whole)) = plain.split_once(separator) {
            let (part, whole) = (number(part)?, number(whole)?);
            return (whole > 0.0).then(|| (part / whole * HIGHEST, true));
        }
    }
    Some((number(&plain)?, false))
}

/// A number in digits, with a point or a comma, or a small one in words.
fn number(said: &str) -> Option<f64> {
    let said = said.trim();
    if let Some(known) = NUMBERS.iter().position(|word| *word == said) {
        return Some(known as f64);
    }
    let digits = said.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    if !digits || said.is_empty() {
        return None;
    }
    said.replacen(',', ".", 1).parse().ok()
}

#[cfg(test)]
mod tests {

    use super::*;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn read(value: &Value) -> Option<f64> {
        mark(value, None).ok().map(|mark| mark.value)
    }

    #[test]
    fn a_mark_may_be_written_in_many_ways() {
        let nine = [
            "9",
            "9.0",
            "9/10",
            "9 / 10",
            "9 out of 10",
            "90%",
            "nine",
            "Nine",
            " 9 ",
            "**9**",
            "nine out of ten",
            "45/50",
            "9,0",
        ];
        for said in nine {
            let found = mark(&Value::from(said), None).unwrap();
            assert_eq!((found.value, found.coerced_from.as_deref()), (9.0, Some(said)), "{said}");
        }
        assert_eq!(read(&value(r#""9,5""#)), Some(9.5));
        assert_eq!(mark(&value("9"), None), Ok(Mark::plain(9.0)));
        assert_eq!(read(&value("7.25")), Some(7.25));
    }

    #[test]
    fn what_is_no_mark_is_none() {
        for value in [
            value("null"),
            value("true"),
            value("0"),
            value("11"),
            value("100"),
            value("-50"),
            value("0.5"),
            value(r#""good""#),
            value(r#""""#),
            value(r#""<1-10>""#),
            value(r#""…""#),
            value(r#""8-9""#),
            value(r#""-3""#),
            value(r#""0/10""#),
            value(r#""9/0""#),
            value(r#""110%""#),
            value("[9]"),
            value(r#""9 points""#),
            value(r#""1e1""#),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    #[test]
    fn another_scale_counts_only_where_it_is_declared() {
        assert_eq!(read(&value("85")), None);
        let hundred = Scale::declared(&value(r#""0-100""#));
        let found = mark(&value("85"), hundred).unwrap();
        assert_eq!((found.value, found.coerced_from.as_deref()), (8.5, Some("85 of 100")));
        assert!(mark(&value("101"), hundred).is_err());
        let five = Scale::declared(&value(r#"{"min": 1, "max": 5}"#));
        assert_eq!(mark(&value("1"), five).unwrap().value, 1.0);
        assert_eq!(mark(&value("5"), five).unwrap().value, 10.0);
        // Zero on a scale that begins there is the worst mark, not a missing one.
        for from_zero in
            [value(r#""0-100""#), value(r#""0-10""#), value(r#"{"min": 0, "max": 5}"#), value("1")]
        {
            let scale = Scale::declared(&from_zero);
            assert_eq!(mark(&value("0"), scale).map(|mark| mark.value), Ok(0.0), "{from_zero}");
        }
        let unit = Scale::declared(&value("1"));
        assert_eq!(mark(&value("0.8"), unit).unwrap().value, 8.0);
        for usual in [
            value(r#""1-10""#),
            value(r#""1 to 10""#),
            value("10"),
            value(r#""excellent""#),
            value("-4"),
        ] {
            assert_eq!(Scale::declared(&usual), None, "{usual}");
        }
    }
}
