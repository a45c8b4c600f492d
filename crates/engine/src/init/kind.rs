//! What a file is, by its first bytes and its name.

use std::fs;
use std::path::Path;

use super::columns::{self, Columns};
use super::table;
use crate::compliance::intake::read_criteria;
use crate::input::{foreign, head, refuse_binary};
use crate::retrieval::detect::{holds_passages, holds_tests};

/// How much of a file is looked at.
const HEAD_BYTES: u64 = 64 * 1024;
/// Larger files are not worked on to find out what they are.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// What a file seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Retrieved passages, or a ranked run.
    Run,
    /// Retrieved passages with their own references.
    RunWithGold,
    /// Gold tests, or relevance judgements.
    Gold,
    /// Summaries with their articles, and the columns that hold them.
    Summaries(Columns),
    /// Answers of a model.
    Answers,
    /// A list of criteria or controls.
    Criteria,
    /// A text that could be held to criteria.
    Document,
    /// A council that was held.
    Council,
    /// Texts to search in.
    Corpus,
    /// What to search for.
    Queries,
    /// Known, and nothing to check by itself: in words.
    Other(&'static str),
    /// Not known: in words, with why.
    Unknown(&'static str),
}

impl Kind {
    /// In words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Run => "a retrieval run",
            Self::RunWithGold => "a retrieval run with its own references",
            Self::Gold => "gold for retrieval",
            Self::Summaries(_) => "summaries with their articles",
            Self::Answers => "answers of a model",
            Self::Criteria => "criteria for documents",
            Self::Document => "a document",
            Self::Council => "a saved council run",
            Self::Corpus => "a corpus",
            Self::Queries => "queries",
            Self::Other(words) | Self::Unknown(words) => words,
        }
    }
}

/// Names of texts that are about a project and no policy.
const ABOUT_PROJECTS: [&str; 6] =
    ["readme", "license", "licence", "changelog", "contributing", "copying"];
/// What results are written in.
const RESULTS: [&str; 10] =
    ["csv", "tsv", "xlsx", "json", "jsonl", "ndjson", "parquet", "run", "trec", "qrels"];
/// What documents are written in.
const DOCUMENTS: [&str; 7] = ["md", "txt", "html", "htm", "docx", "pdf", "markdown"];
/// Keys of references that a run brings along.
const REFERENCES: [&str; 5] =
    ["reference_contexts", "ground_truth_contexts", "ground_truths", "ground_truth", "reference"];

/// What a file seems to be; nothing that we know is `None`.
pub fn of(path: &Path) -> Option<Kind> {
    if fs::metadata(path).ok()?.len() > FILE_BYTES_MAX {
        return None;
    }
    let bytes = head(path, HEAD_BYTES).ok()??;
    let extension = path.extension().map(|text| text.to_string_lossy().to_lowercase());
    let extension = extension.as_deref().unwrap_or_default();
    if DOCUMENTS.contains(&extension) {
        return ranked(path, &bytes).or_else(|| document(path));
    }
    let has = |key: &str| memchr::memmem::find(&bytes, format!("\"{key}\"").as_bytes()).is_some();
    if has("assize_council") {
        return Some(Kind::Council);
    }
    if has("assize_transcript") {
        return Some(Kind::Other("a transcript of model replies"));
    }
    if holds_tests(&bytes) || has("relevant_docs") && has("queries") {
        return Some(Kind::Gold);
    }
    if holds_passages(&bytes) {
        let own = REFERENCES.into_iter().any(has);
        return Some(if own { Kind::RunWithGold } else { Kind::Run });
    }
    if has("catalog") && has("controls") {
        return Some(Kind::Criteria);
    }
    if foreign::tool(&bytes).is_some() {
        return Some(Kind::Other(
            "a file of another tool: score, summary score and judges bench read it",
        ));
    }
    if extension == "jsonl" && has("_id") && has("text") {
        let is_corpus = path.file_stem().is_some_and(|stem| stem == "corpus") || has("title");
        return Some(if is_corpus { Kind::Corpus } else { Kind::Queries });
    }
    ranked(path, &bytes).or_else(|| records(path, extension))
}

/// A file that looks like results and is not known, with why; `None` for anything else, such as
/// the files of a program.
pub fn unknown(path: &Path) -> Option<Kind> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    let length = fs::metadata(path).ok()?.len();
    let words = match extension.as_str() {
        _ if !RESULTS.contains(&extension.as_str()) => return None,
        _ if length == 0 => "not recognised (empty)",
        _ if length > FILE_BYTES_MAX => "not recognised (larger than 64 MiB)",
        _ if is_binary(path) => "not recognised (binary, and its format is not supported)",
        "parquet" => "not recognised (Parquet files are not inspected)",
        "csv" | "tsv" | "xlsx" => {
            "not recognised (no known columns of a run, gold, summaries, answers or criteria)"
        }
        "json" | "jsonl" | "ndjson" => {
            "not recognised (no known fields of a run, gold, summaries or answers)"
        }
        _ => "not recognised (lines are neither a run nor judgements)",
    };
    Some(Kind::Unknown(words))
}

/// Whether a file is neither text nor one of the formats that are none.
fn is_binary(path: &Path) -> bool {
    let Ok(Some(bytes)) = head(path, HEAD_BYTES) else { return false };
    let is_known = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PAR1");
    !is_known && refuse_binary(path, &bytes).is_err()
}

/// A table or a file of records, by its columns.
fn records(path: &Path, extension: &str) -> Option<Kind> {
    if matches!(extension, "csv" | "tsv" | "xlsx") {
        let bytes = fs::read(path).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        if read_criteria(&bytes, &name).is_ok_and(|read| read.items.len() > 1)
            && !columns::of(path)?.has_pair()
        {
            return Some(Kind::Criteria);
        }
    }
    let columns = columns::of(path)?;
    if columns.has_pair() {
        return Some(Kind::Summaries(columns));
    }
    columns.names.iter().any(|name| name == "response").then_some(Kind::Answers)
}

fn document(path: &Path) -> Option<Kind> {
    let name = path.file_stem()?.to_string_lossy().to_lowercase();
    (!ABOUT_PROJECTS.iter().any(|about| name.starts_with(about))).then_some(Kind::Document)
}

/// Lines of numbers and identifiers: TREC, BEIR, MS MARCO.
fn ranked(path: &Path, bytes: &[u8]) -> Option<Kind> {
    let text = str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    // The head may end within a letter.
    let text = text.or_else(|error| str::from_utf8(&bytes[..error.valid_up_to()])).ok()?;
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    if let Some(kind) = table::of(path, text) {
        return Some(kind);
    }
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_number = |field: &str| field.parse::<f64>().is_ok();
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    match fields.as_slice() {
        [_, _, _, rank, score, _] if is_number(rank) && is_number(score) => Some(Kind::Run),
        // Columns of three or four numbers are told apart by their name alone.
        [_, _, .., last] if (3..=4).contains(&fields.len()) && is_number(last) => {
            if name.contains("qrel") || name.contains("gold") {
                Some(Kind::Gold)
            } else if name.contains("run") {
                Some(Kind::Run)
            } else {
                (fields.len() == 4 && fields[1] == "0").then_some(Kind::Gold)
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, text: &str) -> Option<Kind> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        of(&path)
    }

    #[test]
    fn what_is_not_known_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let why = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            unknown(&path).map(|kind| kind.words())
        };
        assert_eq!(why("a.json", ""), Some("not recognised (empty)"));
        let csv =
            "not recognised (no known columns of a run, gold, summaries, answers or criteria)";
        assert_eq!(why("a.csv", "x,y\n1,2\n"), Some(csv));
        assert_eq!(why("main.rs", "fn main() {}"), None);
        let binary = "not recognised (binary, and its format is not supported)";
        assert_eq!(why("a.xlsx", "P>\0\u{1}"), Some(binary));
        assert_eq!(why("a.jsonl", "P>\0\u{1}"), Some(binary));
    }

    #[test]
    fn files_of_many_tools_are_told_apart() {
        let gold = r#"{"tests": [{"query": "q", "snippets": []}]}"#;
        assert_eq!(kind("gold.json", gold), Some(Kind::Gold));
        let run = r#"[{"query": "q", "retrieved_passages": ["a"]}]"#;
        assert_eq!(kind("run.json", run), Some(Kind::Run));
        let ragas =
            r#"{"user_input": "q", "retrieved_contexts": ["x"], "reference_contexts": ["x"]}"#;
        assert_eq!(kind("ragas.jsonl", ragas), Some(Kind::RunWithGold));
        assert_eq!(kind("run.trec", "q1 Q0 d1 1 9.5 tag\n"), Some(Kind::Run));
        assert_eq!(kind("qrels.txt", "q1 0 d1 1\n"), Some(Kind::Gold));
        assert_eq!(kind("test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n"), Some(Kind::Gold));
        assert_eq!(kind("msmarco-run.tsv", "2\t7\t1\n"), Some(Kind::Run));
        assert_eq!(kind("answers.jsonl", r#"{"response": "yes"}"#), Some(Kind::Answers));
        let criteria = "Control ID;Requirement\nA-1;Lock doors.\nA-2;Close windows.\n";
        assert_eq!(kind("controls.csv", criteria), Some(Kind::Criteria));
        assert_eq!(kind("hits.csv", "qid,docid,score\nq,d,0.5\n"), Some(Kind::Run));
        assert_eq!(kind("judged.csv", "qid;docid;grade\nq;d;2\n"), Some(Kind::Gold));
        assert_eq!(kind("policy.md", "# Access\n"), Some(Kind::Document));
        let langfuse = r#"{"data": [{"traceId": "t", "dataType": "NUMERIC", "value": 1}]}"#;
        assert!(matches!(kind("scores.json", langfuse), Some(Kind::Other(_))));
        assert_eq!(kind("README.md", "# Project\n"), None);
        assert_eq!(kind("data.bin", "\0\0\0"), None);
    }
}
