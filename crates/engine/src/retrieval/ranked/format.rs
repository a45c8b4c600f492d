//! Which format a text has, and the way to its reader.

use std::path::Path;

use super::blocks::Blocks;
use super::error::Result;
use super::fields::Fields;
use super::lists::Lists;
use super::options::{Columns, Format};
use super::{bare, json, number, records, table};

/// What a text is expected to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Judgements.
    Qrels,
    /// Retrieved documents.
    Run,
}

/// The format that the first bytes of a text, or else its name, suggest.
pub(super) fn detect(head: &[u8], path: &Path, kind: Kind) -> Format {
    if head.starts_with(b"PAR1") {
        return Format::Parquet;
    }
    match head.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => return Format::Json,
        Some(b'{') => return json_or_lines(head, path),
        _ => {}
    }
    let mut fields = Fields::new(head, 0);
    if !fields.skip_to_content() {
        return Format::Trec;
    }
    let line_start = fields.at();
    let taken: Vec<(usize, usize)> =
        std::iter::repeat_with(|| fields.take()).take_while(|(start, end)| start < end).collect();
    let is_number = |index: usize| {
        let field = taken.get(index).map(|(start, end)| &head[*start..*end]);
        field.is_some_and(|field| number::parse(field).is_some())
    };
    let is_trec = match kind {
        Kind::Qrels => taken.len() == 4 && is_number(3),
        Kind::Run => taken.len() >= 5 && is_number(4),
    };
    // A header has words where MS MARCO has ranks or levels.
    let is_bare = match kind {
        Kind::Qrels => taken.len() == 3 && is_number(2),
        Kind::Run => {
            matches!(taken.len(), 3 | 4) && is_number(2) && (taken.len() == 3 || is_number(3))
        }
    };
    if is_bare {
        return Format::Columns;
    }
    let line = &head[line_start..fields.at()];
    if is_trec || table::separator(line).is_none() { Format::Trec } else { Format::Table }
}

/// One JSON text, or one on each line?
fn json_or_lines(head: &[u8], path: &Path) -> Format {
    let is_named = path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("ndjson")
    });
    let first_line =
        head.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    if is_named || records::is_record(first_line) { Format::JsonLines } else { Format::Json }
}

/// Reads qrels of any format but TREC's.
pub(super) fn read_levels(format: Format, blocks: Blocks, columns: &Columns) -> Result<Lists<i32>> {
    read(format, blocks, columns)
}

/// Reads a run of any format but TREC's.
pub(super) fn read_scores(format: Format, blocks: Blocks, columns: &Columns) -> Result<Lists<f64>> {
    read(format, blocks, columns)
}

/// What is listed: a score or a level.
pub(super) trait Value: Copy {
    /// What the column or field that holds it may be called.
    const NAMES: &'static [&'static str];
    /// What a column of it is called in messages.
    const COLUMN: &'static str;
    /// How somebody says which column it is.
    const HINT: &'static str;
    /// What it is, for messages.
    const WHAT: &'static str;

    /// The value that a number stands for, if it can be one.
    fn of(number: f64) -> Option<Self>;

    /// The value of the document at a rank, counted from 1, where only ranks are given.
    fn of_rank(rank: f64) -> Option<Self>;
}

impl Value for f64 {
    const NAMES: &'static [&'static str] = &["score", "similarity", "sim"];
    const COLUMN: &'static str = "score or the rank";
    const HINT: &'static str = "; map it with score=COLUMN or rank=COLUMN";
    const WHAT: &'static str = "a score that is a number";

    fn of(number: f64) -> Option<Self> {
        (!number.is_nan()).then_some(number)
    }

    fn of_rank(rank: f64) -> Option<Self> {
        (!rank.is_nan()).then_some(-rank)
    }
}

impl Value for i32 {
    const NAMES: &'static [&'static str] = &[
        "relevance",
        "rel",
        "relevance_level",
        "score",
        "label",
        "grade",
        "judgement",
        "judgment",
    ];
    const COLUMN: &'static str = "relevance";
    const HINT: &'static str = "; map it with relevance=COLUMN";
    const WHAT: &'static str = "a level of relevance that is a whole number";

    fn of(number: f64) -> Option<Self> {
        number::whole(number)
    }

    fn of_rank(_: f64) -> Option<Self> {
        None
    }
}

/// What the column of the query may be called.
pub(super) const QUERY_NAMES: &[&str] =
    &["query_id", "query-id", "qid", "q_id", "queryid", "query", "topic", "topic_id"];

/// What the column of the document may be called. Where `PyTerrier` writes both, `docno` is the
/// collection's identifier and `docid` only a number of its index.
pub(super) const DOCUMENT_NAMES: &[&str] = &[
    "doc_id",
    "doc-id",
    "document_id",
    "corpus_id",
    "corpus-id",
    "docno",
    "docid",
    "doc",
    "did",
    "document",
    "pid",
    "passage_id",
];

/// What the column of a rank may be called.
pub(super) const RANK_NAMES: &[&str] = &["rank", "position"];

fn read<V: Value>(format: Format, blocks: Blocks, columns: &Columns) -> Result<Lists<V>> {
    let path = blocks.path().to_owned();
    let bytes = blocks.into_bytes()?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match format {
        Format::Json => json::read(&path, text, columns),
        Format::JsonLines => json::read_lines(&path, text, columns),
        Format::Table => table::read(&path, text, columns),
        Format::Columns => bare::read(&path, text),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::read(&path, bytes, columns),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(super::RankedError::Parquet {
            file: path,
            message: "this build cannot read Parquet; build with the feature `parquet`".to_owned(),
        }),
        Format::Trec => unreachable!("TREC's lines have their own readers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(head: &str, name: &str, kind: Kind) -> Format {
        detect(head.as_bytes(), Path::new(name), kind)
    }

    #[test]
    fn content_tells_the_format() {
        use Format::{Columns, Json, JsonLines, Parquet, Table, Trec};
        let cases = [
            ("301 0 CR93E-1282 1\n", Kind::Qrels, Trec),
            ("# note\n301\t0\tCR93E-1282\t1\n", Kind::Qrels, Trec),
            ("301\tQ0\tFR94\t104\t  2.12\tSTANDARD\n", Kind::Run, Trec),
            ("301 Q0 FR94 104 2.12\n", Kind::Run, Trec),
            ("query-id\tcorpus-id\tscore\n1\td1\t1\n", Kind::Qrels, Table),
            ("1048585\t7187158\t1\n", Kind::Run, Columns),
            ("1048585 7187158 1 12.5\n", Kind::Run, Columns),
            ("300674\t7067032\t1\n", Kind::Qrels, Columns),
            ("query_id,doc_id,score\nq,d,1\n", Kind::Run, Table),
            ("query_id;doc_id;rank\nq;d;1\n", Kind::Run, Table),
            ("{\"q1\": {\"d1\": 1}}", Kind::Qrels, Json),
            ("{\n \"q1\": {\"d1\": 1}}", Kind::Run, Json),
            ("[{\"qid\": \"q1\", \"docid\": \"d\", \"score\": 1}]", Kind::Run, Json),
            ("{\"qid\": \"q1\", \"docid\": \"d\", \"score\": 1}\n", Kind::Run, JsonLines),
            ("PAR1\u{15}\u{4}", Kind::Run, Parquet),
            ("just one line of words", Kind::Run, Trec),
        ];
        for (head, kind, format) in cases {
            assert_eq!(of(head, "-", kind), format, "{head}");
        }
    }

    #[test]
    fn the_name_helps_where_the_content_does_not() {
        assert_eq!(of("{\"q1\": {\"d1\": 1}}", "run.jsonl", Kind::Run), Format::JsonLines);
    }
}
