//! The file of judgements that is meant, where a folder is given or none.

use std::fs;
use std::path::{Path, PathBuf};

use super::ScoreError;
use crate::input::{STANDARD_INPUT, head, refuse_binary};
use crate::retrieval::detect::holds_tests;
use crate::retrieval::ranked::{HeaderOf, header_of};

/// Where a BEIR folder keeps its judgements, from the folder itself or from the one above.
const JUDGEMENTS: [&str; 2] = ["qrels/test.tsv", "test.tsv"];
/// How much of a file is looked at: its first line.
const HEAD_BYTES: u64 = 4 << 10;
/// How much of JSON is looked at: its tests may not come first.
const JSON_BYTES: u64 = 64 << 10;

/// The file of judgements in a folder; `None` where no folder is given.
pub(crate) fn in_folder(gold: &Path) -> Result<Option<PathBuf>, ScoreError> {
    if !gold.is_dir() {
        return Ok(None);
    }
    let places = JUDGEMENTS.map(|name| gold.join(name));
    if let Some(place) = places.into_iter().find(|place| place.is_file()) {
        return Ok(Some(place));
    }
    let folder = gold.to_owned();
    let files = [gold.join("qrels"), folder.clone()].into_iter().find_map(|place| one_of(&place));
    let hint = files.map_or_else(String::new, |file| format!(", such as {}", file.display()));
    Err(ScoreError::Folder { folder, hint })
}

/// The first table in a folder, by name.
fn one_of(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    files.filter(|path| path.extension().is_some_and(|name| name == "tsv")).min()
}

/// Refuses judgements that are the run itself, or look like another one.
pub(super) fn refuse_run(run: &Path, gold: &Path) -> Result<(), ScoreError> {
    if gold.as_os_str() == STANDARD_INPUT {
        return Ok(());
    }
    let Some(bytes) = head(gold, HEAD_BYTES)? else { return Ok(()) };
    if run == gold {
        // Whatever it is, that it is no text is the first thing to know.
        if !bytes.starts_with(b"PAR1") {
            refuse_binary(gold, &bytes)?;
        }
        return Err(ScoreError::NoJudgements { run: run.to_owned() });
    }
    if looks_like_run(&bytes) {
        return Err(ScoreError::RunAsGold { gold: gold.to_owned() });
    }
    Ok(())
}

/// Refuses runs that are given before their gold.
pub(super) fn refuse_gold_among(runs: &[PathBuf], gold: &Path) -> Result<(), ScoreError> {
    let Some(first) = head(gold, JSON_BYTES)? else { return Ok(()) };
    if holds_tests(&first) {
        return Ok(());
    }
    for run in runs {
        // A run that cannot be read is told about when its turn comes; a folder has judgements.
        let is_gold =
            run.is_dir() || matches!(head(run, JSON_BYTES), Ok(Some(bytes)) if holds_tests(&bytes));
        if is_gold {
            return Err(ScoreError::GoldNotFirst {
                first: gold.to_owned(),
                gold: Some(run.clone()),
            });
        }
    }
    if looks_like_run(&first) {
        return Err(ScoreError::GoldNotFirst { first: gold.to_owned(), gold: None });
    }
    Ok(())
}

/// Five or six fields, of which the fourth is a rank and the fifth a score, are a run of TREC; a
/// table may say it in its header.
fn looks_like_run(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let is_content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let Some(line) = text.lines().find(is_content) else { return false };
    if let Some(HeaderOf::Run) = header_of(line) {
        return true;
    }
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [_, _, _, rank, score, ..] = fields.as_slice() else { return false };
    rank.parse::<u64>().is_ok() && score.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::request::{Inputs, ScoreRequest};

    const RUN: &str = "q1 Q0 d1 1 9.5 bm25\nq1 Q0 d2 2 3.5 bm25\n";

    fn score(folder: &Path, run: &str, gold: &str) -> Result<f64, String> {
        let (run, gold) = (folder.join(run), folder.join(gold));
        let report = ScoreRequest::default().score(Inputs::Files(&run, &gold));
        let report = report.map_err(|error| error.to_string())?;
        Ok(report.summaries[0].value)
    }

    #[test]
    fn a_run_in_the_place_of_judgements_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bm25.run"), RUN).unwrap();
        fs::write(folder.path().join("qrels"), "q1 0 d1 1\n").unwrap();
        let error = score(folder.path(), "qrels", "bm25.run").unwrap_err();
        assert!(error.contains("bm25.run looks like a run, not judgements"), "{error}");
        let error = score(folder.path(), "bm25.run", "bm25.run").unwrap_err();
        assert!(error.contains("a ranked run needs judgements"), "{error}");
        assert!(score(folder.path(), "bm25.run", "qrels").is_ok());
    }

    #[test]
    fn runs_before_their_gold_are_told_the_order() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::create_dir_all(place("beir/qrels")).unwrap();
        fs::write(place("beir/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\n").unwrap();
        fs::write(place("a.run"), RUN).unwrap();
        fs::write(place("qrels"), "q1 0 d1 1\n").unwrap();
        fs::write(place("a.json"), r#"[{"query": "q", "retrieved_passages": ["a"]}]"#).unwrap();
        fs::write(place("gold.json"), r#"{"tests": [{"query": "q", "snippets": ["a"]}]}"#).unwrap();
        let compared = |gold: &str, runs: [&str; 2]| {
            let boards = ScoreRequest::default().score_all(&place(gold), &runs.map(place));
            boards.map(drop).map_err(|error| error.to_string())
        };
        for (runs, gold) in [("a.run", "beir"), ("a.json", "gold.json")] {
            assert_eq!(compared(gold, [runs, runs]), Ok(()));
            for order in [[runs, gold], [gold, runs]] {
                let error = compared(runs, order).unwrap_err();
                let gold = place(gold).display().to_string();
                assert!(error.ends_with(&format!("give {gold} first, then the runs")), "{error}");
            }
        }
        let error = compared("a.run", ["a.run", "qrels"]).unwrap_err();
        assert!(error.ends_with("give the gold standard first, then the runs"), "{error}");
    }

    #[test]
    fn a_ranked_run_and_passages_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("a.run"), RUN).unwrap();
        fs::write(place("a.csv"), "qid;docid;score\nq1;d1;1,5\n").unwrap();
        fs::write(place("qrels"), "q1 0 d1 1\n").unwrap();
        fs::write(place("a.json"), r#"[{"query": "q", "retrieved_passages": ["a"]}]"#).unwrap();
        fs::write(place("gold.json"), r#"{"tests": [{"query": "q", "snippets": ["a"]}]}"#).unwrap();
        for run in ["a.run", "a.csv"] {
            let error = score(folder.path(), run, "gold.json").unwrap_err();
            assert!(error.contains(&format!("{run} is a ranked run, but ")), "{error}");
            assert!(error.contains("gold.json contains gold passages"), "{error}");
        }
        let error = score(folder.path(), "a.json", "qrels").unwrap_err();
        assert!(error.contains("a.json contains retrieved passages, but "), "{error}");
        assert!(error.contains("qrels contains judgements of a ranked run"), "{error}");
        assert_eq!(score(folder.path(), "a.json", "gold.json"), Ok(1.0));
        // What is neither is told by its reader.
        fs::write(place("words"), "hello\n").unwrap();
        let error = score(folder.path(), "words", "gold.json").unwrap_err();
        assert!(error.contains("words:1:1: not valid JSON"), "{error}");
    }

    #[test]
    fn the_judgements_of_a_beir_folder_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let qrels = folder.path().join("beir/qrels");
        fs::create_dir_all(&qrels).unwrap();
        fs::write(folder.path().join("run"), RUN).unwrap();
        fs::write(qrels.join("dev.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\n").unwrap();
        let error = score(folder.path(), "run", "beir").unwrap_err();
        assert!(error.contains("give the judgements file, such as "), "{error}");
        assert!(error.ends_with("dev.tsv"), "{error}");
        fs::copy(qrels.join("dev.tsv"), qrels.join("test.tsv")).unwrap();
        assert_eq!(score(folder.path(), "run", "beir"), Ok(1.0));
        assert_eq!(score(folder.path(), "run", "beir/qrels"), Ok(1.0));
    }
}
