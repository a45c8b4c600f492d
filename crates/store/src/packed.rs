//! JSON in a column of bytes: as it is when it is small, compressed when it is large.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Read};

use serde_json::Value as Json;
use zstd::bulk::Compressor;
use zstd::zstd_safe::DCtx;

use crate::error::Result;

/// Below this a frame header and a dictionary-less start cost more than they save.
const PLAIN_MAX: usize = 1 << 10;
/// The level at which evidence of 20 KiB shrinks to a fifth in a tenth of a millisecond.
const LEVEL: i32 = 3;
/// More than any evidence; a damaged row must not take all memory.
const UNPACKED_MAX: u64 = 1 << 30;
/// How a Zstandard frame begins. JSON never begins so.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

thread_local! {
    // To make one of these takes longer than to pack a verdict.
    static PACKING: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACKING: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
}

/// The bytes of a value.
pub(crate) fn pack(json: &Json) -> Result<Vec<u8>> {
    let plain = serde_json::to_vec(json).map_err(std::io::Error::from)?;
    if plain.len() <= PLAIN_MAX { Ok(plain) } else { Ok(compressed(&plain)?) }
}

/// The bytes of a value that may be absent.
pub(crate) fn pack_some(json: Option<&Json>) -> Result<Option<Vec<u8>>> {
    json.map(pack).transpose()
}

/// The value of bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Json> {
    let plain = if bytes.starts_with(&MAGIC) {
        Cow::Owned(decompressed(bytes)?)
    } else {
        Cow::Borrowed(bytes)
    };
    let text = std::str::from_utf8(&plain).map_err(std::io::Error::other)?;
    Ok(serde_json::from_str(text).map_err(std::io::Error::from)?)
}

fn compressed(plain: &[u8]) -> io::Result<Vec<u8>> {
    PACKING.with_borrow_mut(|packing| match packing {
        Some(packing) => packing.compress(plain),
        None => packing.insert(Compressor::new(LEVEL)?).compress(plain),
    })
}

fn decompressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    UNPACKING.with_borrow_mut(|unpacking| {
        // What a frame leaves behind that did not end must not reach the next one.
        let mut context = unpacking.take().unwrap_or_else(DCtx::create);
        let mut plain = Vec::new();
        let frame = zstd::Decoder::with_context(bytes, &mut context);
        let length = frame.take(UNPACKED_MAX).read_to_end(&mut plain)?;
        if (length as u64) < UNPACKED_MAX {
            *unpacking = Some(context);
        }
        Ok(plain)
    })
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
        let mut state = 0x5eed_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let values: Json = (0..20_000).map(|_| random()).collect();
        assert_eq!(unpack(&pack(&values).unwrap()).unwrap(), values);
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        assert!(unpack(&[0x28, 0xb5, 0x2f, 0xfd, 1, 2]).is_err());
        assert!(unpack(b"{").is_err());
        // Nor do they harm what is unpacked after them.
        let large = Json::from(vec!["Accounts are reviewed every year."; 200]);
        let packed = pack(&large).unwrap();
        assert!(unpack(&packed[..packed.len() - 9]).is_err());
        assert_eq!(unpack(&packed).unwrap(), large);
    }
}
