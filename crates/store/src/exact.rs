//! JSON read so that every number is the one that was written.
//!
//! `serde_json` reads numbers quickly and may miss the last bit; scores that are computed again
//! from stored evidence must be equal to the bit.

use serde_json::value::RawValue;
use serde_json::{Error, Map, Number, Value as Json};

/// So far, in parts of itself, a number that was read quickly is from the one that was meant:
/// more than a few last bits, and less than from any other that could stand in its place.
const NEXT: f64 = 1e-12;

/// Reads a text as JSON. Numbers with a fraction or an exponent are rounded once, correctly.
pub fn read_json(text: &str) -> Result<Json, Error> {
    let mut json: Json = serde_json::from_str(text)?;
    let mut numbers = Numbers { text: text.as_bytes(), fields: 0 };
    let settled = settle(&mut json, &mut numbers);
    // A field that stands there twice is in another place than its number, and the tree has fewer
    // fields than the text.
    if let Some(fields) = settled
        && numbers.next().is_none()
        && numbers.fields == fields
    {
        return Ok(json);
    }
    read(serde_json::from_str(text)?)
}

/// Puts the numbers of a text, in their order, into the tree that was read from it. Says how many
/// fields the tree has, if the numbers fit: each is next to the one that was read.
fn settle(json: &mut Json, numbers: &mut Numbers<'_>) -> Option<usize> {
    match json {
        Json::Array(items) => {
            items.iter_mut().try_fold(0, |fields, item| Some(fields + settle(item, numbers)?))
        }
        Json::Object(fields) => {
            let count = fields.len();
            fields
                .values_mut()
                .try_fold(count, |count, field| Some(count + settle(field, numbers)?))
        }
        Json::Number(number) if number.is_f64() => {
            let (read, exact) = (number.as_f64()?, numbers.next()?);
            let settled = Number::from_f64(exact)?;
            if (read - exact).abs() > read.abs() * NEXT {
                return None;
            }
            *number = settled;
            Some(0)
        }
        _ => Some(0),
    }
}

/// The numbers of a valid text that have a fraction or an exponent, in their order.
struct Numbers<'a> {
    /// What has not been looked at.
    text: &'a [u8],
    /// The fields of objects in what has been: each has its colon.
    fields: usize,
}

impl Iterator for Numbers<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        loop {
            let begins = |byte: &u8| matches!(byte, b':' | b'"' | b'-' | b'0'..=b'9');
            let start = self.text.iter().position(begins)?;
            let rest = &self.text[start..];
            match rest[0] {
                b':' => {
                    self.fields += 1;
                    self.text = &rest[1..];
                    continue;
                }
                b'"' => {
                    self.text = &rest[string_end(rest)..];
                    continue;
                }
                _ => {}
            }
            let is_part =
                |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
            let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
            let (number, rest) = rest.split_at(end);
            self.text = rest;
            if number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
                return std::str::from_utf8(number).ok()?.parse().ok();
            }
        }
    }
}

/// Where a string ends that a text begins with.
fn string_end(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = text[at..].iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        at += found;
        if text[at] == b'"' {
            return at + 1;
        }
        // What follows a backslash is part of the string, whatever it is.
        at = (at + 2).min(text.len());
    }
    text.len()
}

fn read(raw: &RawValue) -> Result<Json, Error> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let fields: Fields<'_> = serde_json::from_str(text)?;
            let fields = fields.0.into_iter().map(|(name, raw)| Ok((name, read(raw)?)));
            Ok(Json::Object(fields.collect::<Result<Map<String, Json>, Error>>()?))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            Ok(Json::Array(items.into_iter().map(read).collect::<Result<_, _>>()?))
        }
        Some(b'-' | b'0'..=b'9') if text.contains(['.', 'e', 'E']) => {
            let number = text.parse().ok().and_then(Number::from_f64);
            number.map_or_else(|| serde_json::from_str(text), |number| Ok(Json::Number(number)))
        }
        _ => serde_json::from_str(text),
    }
}

/// The fields of an object in their order, unread.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Fields<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Fields<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back_to_the_bit() {
        let mut state = 0x5eed_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let number = (state >> 11) as f64 / (1_u64 << 53) as f64;
            let text = serde_json::to_string(&Json::from(vec![number])).unwrap();
            let read = read_json(&text).unwrap()[0].as_f64().unwrap();
            assert_eq!(read.to_bits(), number.to_bits(), "{text}");
        }
    }

    #[test]
    fn numbers_find_their_places() {
        let text = r#"{"a-1.5": ["\\", 0.1234567890123456789, "2.5\"3.5", -7, 1e-7],
            "b": {"c": 18446744073709551616, "d": 0.30000000000000004}}"#;
        let json = read_json(text).unwrap();
        let exact = |text: &str| text.parse::<f64>().unwrap().to_bits();
        let found = |json: &Json| json.as_f64().unwrap().to_bits();
        assert_eq!(found(&json["a-1.5"][1]), exact("0.1234567890123456789"));
        assert_eq!(json["a-1.5"][2], "2.5\"3.5");
        assert_eq!(json["a-1.5"][3], -7);
        assert_eq!(found(&json["a-1.5"][4]), exact("1e-7"));
        assert_eq!(json["b"]["c"], serde_json::from_str::<Json>("18446744073709551616").unwrap());
        assert_eq!(found(&json["b"]["d"]), exact("0.30000000000000004"));
    }

    #[test]
    fn a_field_that_stands_there_twice_has_its_last_number() {
        let json = read_json(r#"{"a": 0.1, "b": 0.30000000000000004, "a": 0.7}"#).unwrap();
        assert_eq!(json.to_string(), r#"{"a":0.7,"b":0.30000000000000004}"#);
        let json = read_json(r#"{"a": 1, "b": 1.5, "a": 2.5}"#).unwrap();
        assert_eq!(json.to_string(), r#"{"a":2.5,"b":1.5}"#);
    }

    /// So near to each other that each could stand in the other's place.
    #[test]
    fn a_field_that_stands_there_twice_does_not_exchange_its_number_with_a_neighbour() {
        for (text, expected) in [
            (
                r#"{"a": 1, "b": 0.3, "a": 0.30000000000000004}"#,
                r#"{"a":0.30000000000000004,"b":0.3}"#,
            ),
            (
                r#"[{"c": {"a": "1:2", "b": 0.3, "a": {"x": 0.30000000000000004}}}]"#,
                r#"[{"c":{"a":{"x":0.30000000000000004},"b":0.3}}]"#,
            ),
        ] {
            assert_eq!(read_json(text).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn the_rest_reads_as_ever() {
        let text = r#"{"z": null, "a": [true, -3, 1e3, "ß\n\"", {}], "n": 18446744073709551615}"#;
        let read = read_json(text).unwrap();
        assert_eq!(read, serde_json::from_str::<Json>(text).unwrap());
        let names: Vec<&String> = read.as_object().unwrap().keys().collect();
        assert_eq!(names, ["z", "a", "n"]);
        assert!(read_json("{\"a\": }").is_err());
        assert!(read_json("[1, 2").is_err());
    }
}
