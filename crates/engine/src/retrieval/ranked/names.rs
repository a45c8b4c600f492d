//! What the columns or fields of a file are called, without reading all of it.

use std::collections::BTreeSet;
use std::path::Path;

use super::error::Result;
use super::format::{self, Kind};
use super::options::Format;
use super::table;
use crate::input::head;

/// How much of a file is looked at; a record may list many documents before it ends.
const HEAD_BYTES: u64 = 1 << 20;

/// The names in a run; none where its format has none, `None` where it can be read only once.
pub(crate) fn names_in_run(path: &Path) -> Result<Option<Vec<String>>> {
    names(path, Kind::Run)
}

/// The same for judgements.
pub(crate) fn names_in_qrels(path: &Path) -> Result<Option<Vec<String>>> {
    names(path, Kind::Qrels)
}

pub(super) fn names(path: &Path, kind: Kind) -> Result<Option<Vec<String>>> {
    let Some(bytes) = head(path, HEAD_BYTES)? else { return Ok(None) };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(Some(match format::detect(text, path, kind) {
        Format::Table => table::names(text),
        Format::Json | Format::JsonLines => keys(text),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::names(path)?,
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Vec::new(),
        Format::Trec | Format::Columns => Vec::new(),
    }))
}

/// The keys of JSON, each once, in their order; the text may end anywhere.
pub(crate) fn keys(text: &[u8]) -> Vec<String> {
    let (mut keys, mut known) = (Vec::new(), BTreeSet::new());
    let mut rest = text;
    while let Some(start) = memchr::memchr(b'"', rest) {
        let Some(length) = string_length(&rest[start + 1..]) else { break };
        let (quoted, after) = rest[start..].split_at(length + 2);
        rest = after;
        let is_key = after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        if is_key
            && let Ok(key) = serde_json::from_slice::<String>(quoted)
            && known.insert(key.clone())
        {
            keys.push(key);
        }
    }
    keys
}

/// How long a string is, up to the quotation mark that ends it.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_at_any_depth_and_in_a_text_that_is_cut() {
        let text = br#"[{"a \"b\"": "c: d", "e" : [{"f": 1}]}, {"e": "g", "h"#;
        assert_eq!(keys(text), ["a \"b\"", "e", "f"]);
        assert_eq!(keys(b"{\"a\\"), Vec::<String>::new());
    }
}
