//! Which kind of retrieval files these are, from their first bytes.

use std::path::Path;

use memchr::memmem;

use super::passages::shapes::{MARKS, RETRIEVED};
use super::ranked::names_in_run;
use crate::input::{InputError, foreign, head};

/// How much of a file is looked at.
const HEAD_BYTES: u64 = 64 * 1024;

/// What a run and its gold hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// Passages, by text or by place, and gold snippets.
    Passages,
    /// Document identifiers and relevance judgements.
    Ranked,
}

/// What looking at two files showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detected {
    /// What they hold.
    Contents(Contents),
    /// The run holds gold, and the gold does not.
    Exchanged,
    /// A ranked run, and gold passages.
    RankedRun,
    /// Retrieved passages, and judgements of a ranked run.
    RankedGold,
}

/// What the two files hold.
///
/// Standard input and pipes cannot be looked at twice, so the other file decides; `None`
/// when neither can.
pub fn detect(run: &Path, gold: &Path) -> Result<Option<Detected>, InputError> {
    if is_table_of_passages(run) {
        return Ok(Some(Detected::Contents(Contents::Passages)));
    }
    let (run, gold) = (head(run, HEAD_BYTES)?, head(gold, HEAD_BYTES)?);
    let (run, gold) = (run.as_deref(), gold.as_deref());
    let tests_in_gold = gold.map(holds_tests);
    if run.is_some_and(holds_tests) && tests_in_gold == Some(false) {
        return Ok(Some(Detected::Exchanged));
    }
    let passages_in_run = run.map(holds_passages);
    if tests_in_gold == Some(true) && run.is_some_and(looks_ranked) {
        return Ok(Some(Detected::RankedRun));
    }
    if passages_in_run == Some(true) && gold.is_some_and(looks_ranked) {
        return Ok(Some(Detected::RankedGold));
    }
    let passages = tests_in_gold
        .map_or(passages_in_run, |tests| Some(tests || passages_in_run.unwrap_or(false)));
    Ok(passages.map(|passages| {
        Detected::Contents(if passages { Contents::Passages } else { Contents::Ranked })
    }))
}

/// Gold of passages is one JSON object with a list of `tests`, or that list alone.
pub(crate) fn holds_tests(bytes: &[u8]) -> bool {
    match first(bytes) {
        Some(b'{') => has_list(bytes, b"\"tests\""),
        Some(b'[') => has_list(bytes, b"\"snippets\""),
        _ => false,
    }
}

/// Predictions of passages are JSON with `retrieved_passages`, or what other tools call them.
pub(crate) fn holds_passages(bytes: &[u8]) -> bool {
    // Tables of other tools list the names of columns before the rows.
    let is_foreign = foreign::tool(bytes).is_some();
    let has =
        |mark: &[u8]| has_key(bytes, mark) || is_foreign && memmem::find(bytes, mark).is_some();
    matches!(first(bytes), Some(b'[' | b'{')) && MARKS.iter().any(|mark| has(mark))
}

/// Whether a file is Parquet with a column of passages, as data sets for questions have it.
fn is_table_of_passages(path: &Path) -> bool {
    let is_parquet = matches!(head(path, 4), Ok(Some(start)) if start == b"PAR1");
    let names = if is_parquet { names_in_run(path).ok().flatten() } else { None };
    names.is_some_and(|names| {
        names.iter().any(|name| RETRIEVED.contains(&name.as_str()) && name != "documents")
    })
}

/// Runs and judgements that are no JSON are Parquet, or lines of at least three fields.
fn looks_ranked(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let has_fields = |line: &str| {
        let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
        line.split(is_gap).filter(|field| !field.is_empty()).count() >= 3
    };
    let is_json = matches!(first(bytes), Some(b'{' | b'['));
    bytes.starts_with(b"PAR1") || !is_json && !bytes.contains(&0) && line.is_some_and(has_fields)
}

fn first(bytes: &[u8]) -> Option<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Whether a key stands there with a list or an object behind it.
fn has_key(bytes: &[u8], key: &[u8]) -> bool {
    memmem::find_iter(bytes, key).any(|place| {
        let mut rest = bytes[place + key.len()..].iter().filter(|byte| !byte.is_ascii_whitespace());
        rest.next() == Some(&b':') && matches!(rest.next(), Some(b'[' | b'{'))
    })
}

/// Whether a key stands there with a list behind it.
fn has_list(bytes: &[u8], key: &[u8]) -> bool {
    memmem::find_iter(bytes, key).any(|place| {
        let mut rest = bytes[place + key.len()..].iter().filter(|byte| !byte.is_ascii_whitespace());
        rest.next() == Some(&b':') && rest.next() == Some(&b'[')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gold_is_known_by_its_tests_wherever_they_stand() {
        assert!(holds_tests(b" {\"version\": 1, \"tests\" : [ {"));
        assert!(!holds_tests(b"{\"q1\": {\"tests\": 1}}"));
        assert!(holds_tests(b"[{\"query\": \"a\", \"snippets\": []}]"));
        assert!(!holds_tests(b"q1 0 d1 1\n"));
    }

    #[test]
    fn predictions_are_known_by_their_passages() {
        assert!(holds_passages(b"[{\"query\": \"a\", \"retrieved_passages\": []}]"));
        assert!(holds_passages(b"{\"question\": \"a\", \"contexts\": [\"b\"]}"));
        assert!(!holds_passages(b"[{\"query_id\": \"a\", \"doc_id\": \"b\"}]"));
    }
}
