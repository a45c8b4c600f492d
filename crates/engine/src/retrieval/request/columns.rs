//! Which file a mapped column stands in: one that lacks it keeps the usual names.

use std::path::{Path, PathBuf};

use super::{ScoreError, ScoreRequest};
use crate::input::{STANDARD_INPUT, Source, short};
use crate::retrieval::passages::{PassageError, shapes};
use crate::retrieval::ranked::{self, Columns, Reading, Table};

/// A file and what its columns are called; `None` where it can be read only once.
type NamedColumns = (PathBuf, Option<Vec<String>>);

impl ScoreRequest {
    /// How judgements and runs are read. What a query and a document are called is said for all of
    /// them at once, and often only one is meant: whoever brings a run has standard judgements.
    pub(super) fn readings(
        &self,
        gold: &Path,
        runs: &[&Path],
    ) -> Result<(Reading, Vec<Reading>), ScoreError> {
        let mut readings = vec![self.reading("relevance")];
        readings.extend(runs.iter().map(|_| self.reading("score")));
        if self.map.contains_key("query") || self.map.contains_key("document") {
            let mut files = vec![(gold.to_owned(), ranked::names_in_qrels(gold)?)];
            for run in runs {
                files.push(((*run).to_owned(), ranked::names_in_run(run)?));
            }
            self.forget_missing("query", &files, &mut readings, |columns| &mut columns.query)?;
            self.forget_missing("document", &files, &mut readings, |columns| {
                &mut columns.document
            })?;
        }
        let mut of_runs = readings.split_off(1);
        let mut of_gold = readings.remove(0);
        let mut tables: Vec<Table<'_>> =
            runs.iter().zip(&mut of_runs).map(|(path, reading)| Table { path, reading }).collect();
        let mut gold = Table { path: gold, reading: &mut of_gold };
        ranked::choose_columns(&mut gold, &mut tables)?;
        Ok((of_gold, of_runs))
    }

    /// Takes a field's column back from the files that do not have it.
    fn forget_missing(
        &self,
        field: &str,
        files: &[NamedColumns],
        readings: &mut [Reading],
        of: fn(&mut Columns) -> &mut Option<String>,
    ) -> Result<(), ScoreError> {
        let Some(column) = self.map.get(field) else { return Ok(()) };
        let has: Vec<bool> = files.iter().map(|file| has(file, column)).collect();
        if !has.contains(&true) {
            // As they were given: the runs, then their judgements.
            let given = files.iter().skip(1).chain(files.first());
            return Err(missing(field, column, given));
        }
        for (reading, _) in readings.iter_mut().zip(has).filter(|(_, has)| !has) {
            *of(&mut reading.columns) = None;
        }
        Ok(())
    }

    /// Predictions and gold with our keys in the place of those that were named.
    pub(super) fn renamed(&self, run: &Path, gold: &Path) -> Result<(Source, Source), ScoreError> {
        if run == gold && run.as_os_str() == STANDARD_INPUT {
            return Err(PassageError::BothFromStandardInput.into());
        }
        let (run, gold) = (Source::open(run)?, Source::open(gold)?);
        let keys = |source: &Source| (source.name.clone(), Some(ranked::keys(&source.bytes)));
        let files = [keys(&run), keys(&gold)];
        for (field, files) in [
            ("query", &files[..]),
            ("passages", &files[..1]),
            ("answer", &files[..1]),
            ("gold", &files[1..]),
        ] {
            let Some(column) = self.map.get(field) else { continue };
            if !files.iter().any(|file| has(file, column)) {
                return Err(missing(field, column, files));
            }
        }
        let (run, gold) = (shapes::renamed(&run, &self.map)?, shapes::renamed(&gold, &self.map)?);
        let turned = (shapes::predictions(&run)?, shapes::gold(&gold)?);
        Ok((turned.0.unwrap_or(run), turned.1.unwrap_or(gold)))
    }
}

/// Whether a file has a column; one that cannot be looked at is taken to have it.
fn has((_, names): &NamedColumns, column: &str) -> bool {
    names.as_ref().is_none_or(|names| names.iter().any(|name| name.eq_ignore_ascii_case(column)))
}

fn missing<'a>(
    field: &str,
    column: &str,
    files: impl IntoIterator<Item = &'a NamedColumns>,
) -> ScoreError {
    let mut found: Vec<String> = Vec::new();
    for (file, names) in files {
        let names = names.as_deref().unwrap_or_default();
        let names = if names.is_empty() { "no named columns" } else { &names.join(", ") };
        let line = format!("{} has {}", file.display(), short(names));
        if !found.contains(&line) {
            found.push(line);
        }
    }
    let (field, column, found) = (field.to_owned(), column.to_owned(), found.join("; "));
    ScoreError::NoColumn { field, column, found }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::retrieval::request::Inputs;

    fn score(run: &str, gold: &str, map: &[(&str, &str)]) -> Result<f64, String> {
        let folder = tempfile::tempdir().unwrap();
        let (run_file, gold_file) = (folder.path().join("run"), folder.path().join("gold"));
        fs::write(&run_file, run).unwrap();
        fs::write(&gold_file, gold).unwrap();
        let map = map.iter().map(|(field, column)| ((*field).into(), (*column).into())).collect();
        let request =
            ScoreRequest { map, measures: vec!["mrr".to_owned()], ..ScoreRequest::default() };
        let inputs = Inputs::Files(&run_file, &gold_file);
        let explained = request.explain(inputs, "q1").map_err(|error| error.to_string());
        let report = request.score(inputs).map_err(|error| error.to_string())?;
        explained?;
        Ok(report.summaries[0].value)
    }

    const MAP: [(&str, &str); 3] = [("query", "frage"), ("document", "treffer"), ("score", "wert")];
    const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\td2\t1\n";

    #[test]
    fn a_run_with_its_own_columns_is_scored_against_standard_judgements() {
        let run = "\u{feff}frage;treffer;wert\nq1;d1;9,5\nq1;d2;3\n";
        assert_eq!(score(run, QRELS, &MAP), Ok(0.5));
        assert_eq!(score(run, "q1 0 d2 1\n", &MAP), Ok(0.5));
        assert_eq!(score(run, "{\"q1\": {\"d2\": 1}}", &MAP), Ok(0.5));
        let records = r#"[{"frage": "q1", "hits": [{"treffer": "d1", "wert": 2}, {"treffer": "d2", "wert": 1}]}]"#;
        assert_eq!(score(records, QRELS, &MAP), Ok(0.5));
        // The other way round: the judgements are those with other names.
        let map = [("query", "frage"), ("document", "treffer"), ("relevance", "gut")];
        let gold = "frage,treffer,gut\nq1,d2,1\n";
        assert_eq!(score("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n", gold, &map), Ok(0.5));
    }

    #[test]
    fn a_column_that_neither_file_has_is_named_with_those_there_are() {
        let error = score("qid,docid,score\nq1,d1,2\n", QRELS, &MAP).unwrap_err();
        assert!(error.starts_with("no column `frage` for the query: "), "{error}");
        assert!(error.contains("run has qid, docid, score"), "{error}");
        assert!(error.contains("gold has query-id, corpus-id, score"), "{error}");
        let error = score("q1 Q0 d1 1 2 a\n", "q1 0 d1 1\n", &MAP).unwrap_err();
        assert!(error.contains("run has no named columns"), "{error}");
        // The score stands in the run alone.
        let error = score("frage;treffer;w\nq1;d1;9,5\n", QRELS, &MAP).unwrap_err();
        assert!(error.contains("wert, found frage, treffer, w"), "{error}");
    }

    #[test]
    fn passages_with_their_own_keys_are_scored_against_usual_gold() {
        let recall = |run: &str, gold: &str, map: &[(&str, &str)]| {
            let folder = tempfile::tempdir().unwrap();
            let (run_file, gold_file) = (folder.path().join("run"), folder.path().join("gold"));
            fs::write(&run_file, run).unwrap();
            fs::write(&gold_file, gold).unwrap();
            let map = map.iter().map(|(field, key)| ((*field).into(), (*key).into())).collect();
            let measures = vec!["recall@1".to_owned()];
            let request = ScoreRequest { measures, map, ..ScoreRequest::default() };
            let report = request.score(Inputs::Files(&run_file, &gold_file));
            report.map(|report| report.summaries[0].value).map_err(|error| error.to_string())
        };
        let run = r#"[{"frage": "who?", "funde": ["the owner"]}]"#;
        let map = [("query", "frage"), ("passages", "funde")];
        let gold = r#"{"tests": [{"query": "who?", "snippets": [{"answer": "the owner"}]}]}"#;
        assert_eq!(recall(run, gold, &map), Ok(1.0));
        let ragas = r#"[{"user_input": "who?", "reference_contexts": ["the owner"]}]"#;
        assert_eq!(recall(run, ragas, &map), Ok(1.0));
        let error = recall(run, gold, &[("query", "frage"), ("passages", "treffer")]).unwrap_err();
        assert!(error.contains("no column `treffer` for the passages: "), "{error}");
        assert!(error.ends_with("run has frage, funde"), "{error}");
    }
}
