//! JSON read so that every number is the one that was written.
//!
//! `serde_json` reads numbers quickly and may miss the last bit; scores that are computed again
//! from stored evidence must be equal to the bit.

use serde_json::value::RawValue;
use serde_json::{Error, Map, Number, Value as Json};

/// Reads a text as JSON. Numbers with a fraction or an exponent are rounded once, correctly.
pub fn read_json(text: &str) -> Result<Json, Error> {
    let raw: &RawValue = serde_json::from_str(text)?;
    read(raw)
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
