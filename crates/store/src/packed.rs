//! JSON in a column of bytes: as it is when it is small, compressed when it is large.

use std::io::Read;

use serde_json::Value as Json;

use crate::error::StoreError;
use crate::exact::read_json;

/// Below this a frame header and a dictionary-less start cost more than they save.
const PLAIN_MAX: usize = 1 << 10;
/// The level at which evidence of 20 KiB shrinks to a fifth in a tenth of a millisecond.
const LEVEL: i32 = 3;
/// More than any evidence; a damaged row must not take all memory.
const UNPACKED_MAX: u64 = 1 << 30;
/// How a Zstandard frame begins. JSON never begins so.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The bytes of a value.
pub(crate) fn pack(json: &Json) -> Result<Vec<u8>, StoreError> {
    let plain = serde_json::to_vec(json).map_err(std::io::Error::from)?;
    if plain.len() <= PLAIN_MAX { Ok(plain) } else { Ok(zstd::encode_all(&*plain, LEVEL)?) }
}

/// The bytes of a value that may be absent.
pub(crate) fn pack_some(json: Option<&Json>) -> Result<Option<Vec<u8>>, StoreError> {
    json.map(pack).transpose()
}

/// The value of bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Json, StoreError> {
    let mut plain = Vec::new();
    let plain = if bytes.starts_with(&MAGIC) {
        zstd::Decoder::new(bytes)?.take(UNPACKED_MAX).read_to_end(&mut plain)?;
        &plain
    } else {
        bytes
    };
    let text = std::str::from_utf8(plain).map_err(std::io::Error::other)?;
    Ok(read_json(text).map_err(std::io::Error::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn small_values_stay_readable_and_large_ones_shrink() {
        let small = value(r#"{"a": [1.5, null, "ß"]}"#);
        let packed = pack(&small).unwrap();
        assert_eq!(packed, serde_json::to_vec(&small).unwrap());
        assert_eq!(unpack(&packed).unwrap(), small);
        let large = Json::from(vec!["Accounts are reviewed every year."; 200]);
        let packed = pack(&large).unwrap();
        assert!(packed.len() < 200, "{}", packed.len());
        assert_eq!(unpack(&packed).unwrap(), large);
    }

    #[test]
    fn numbers_come_back_to_the_bit() {
        let values = Json::from(vec![0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, 1e300]);
        assert_eq!(unpack(&pack(&values).unwrap()).unwrap(), values);
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        assert!(unpack(&[0x28, 0xb5, 0x2f, 0xfd, 1, 2]).is_err());
        assert!(unpack(b"{").is_err());
    }
}
