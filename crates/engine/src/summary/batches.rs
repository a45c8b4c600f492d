//! A whole file of pairs: read in small batches, judged in parallel, handed on in order.
//!
//! At most one batch is in memory, so a file of any size costs the same. The work on a
//! pair, up to the text that is printed, is done in parallel; only handing it on is not.

use assize_methods::summary::rules::{LANGUAGE_NOT_ENGLISH, LANGUAGES_DIFFER};
use assize_methods::summary::{Evidence, SummaryPair};
use assize_score::Finding;
use rayon::prelude::*;
use serde_json::Value;

use super::input::{Fields, PairsError, Place, Record, RecordError, Records};
use super::judging::ByRules;
use super::model::Trail;

/// How many records a batch holds at most.
const BATCH_RECORDS: usize = 512;

/// How many bytes of text a batch holds before it is full.
const BATCH_BYTES: usize = 8 << 20;

/// A pair as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Where it stands in its file.
    pub place: Place,
    /// The source.
    pub article: String,
    /// What is judged.
    pub summary: String,
    /// The whole record, for what else is asked of it.
    pub record: Value,
}

/// A pair, and what its judge found or why there is nothing.
#[derive(Debug)]
pub struct Judged {
    /// What the record is called, if it is called anything.
    pub id: Option<String>,
    /// The pair; `None` when the record could not be understood.
    pub pair: Option<Pair>,
    /// What the judge found, or the reason for none, as it stands in `{"error": …}`.
    pub evidence: Result<Evidence, String>,
    /// Which models judged, if models did.
    pub trail: Option<Box<Trail>>,
}

impl Judged {
    /// A pair, judged by rules, and by a reader if there is one.
    pub fn of<'a>(id: Option<String>, pair: Pair, by: impl Into<ByRules<'a>>) -> Self {
        let evidence = match SummaryPair::new(&pair.article, &pair.summary) {
            Ok(texts) => match by.into().evidence(texts) {
                Ok(evidence) => comparable(evidence),
                Err(error) => Err(format!("reader_failed: {error}")),
            },
            Err(refusal) => Err(refusal.code().to_owned()),
        };
        Self { id, pair: Some(pair), evidence, trail: None }
    }

    fn from_record(record: Record, fields: &Fields, by: ByRules<'_>) -> Self {
        match read_record(record, fields) {
            Ok((id, pair)) => Self::of(id, pair, by),
            Err(unreadable) => *unreadable,
        }
    }

    fn unreadable(id: Option<String>, error: &RecordError) -> Self {
        Self { id, pair: None, evidence: Err(error.to_string()), trail: None }
    }
}

/// Evidence that the rules found, unless the two texts are in different languages, or in one of which
/// the rules know too little for numbers that mean something.
fn comparable(evidence: Evidence) -> Result<Evidence, String> {
    let has = |code: &str| evidence.findings.iter().any(|finding: &Finding| finding.code == code);
    match [LANGUAGES_DIFFER, LANGUAGE_NOT_ENGLISH].into_iter().find(|code| has(code)) {
        Some(code) => Err(code.to_owned()),
        None => Ok(evidence),
    }
}

/// The pair of a record with its name, or what is said about a record that holds none.
pub fn read_record(record: Record, fields: &Fields) -> Result<(Option<String>, Pair), Box<Judged>> {
    let place = record.place;
    let unreadable = |id, error: &RecordError| Box::new(Judged::unreadable(id, error));
    let value = record.value().map_err(|error| unreadable(None, &error))?;
    // A pair keeps its name even when the rest of it cannot be understood.
    let id = fields.id.name(&value, place);
    match (id, pair(value, place, fields)) {
        (Ok(id), Ok(pair)) => Ok((id, pair)),
        (Ok(id), Err(error)) => Err(unreadable(id, &error)),
        (Err(error), _) => Err(unreadable(None, &error)),
    }
}

fn pair(mut value: Value, place: Place, fields: &Fields) -> Result<Pair, RecordError> {
    if !value.is_object() {
        let problem = "not a JSON object".to_owned();
        return Err(RecordError::Unreadable { place, problem });
    }
    let article = fields.article.text(&value, place)?.to_owned();
    let summary = fields.summary.text(&value, place)?.to_owned();
    // The texts are kept once; the rest of the record is small.
    for path in [&fields.article, &fields.summary] {
        if let Some(object) = value.as_object_mut() {
            object.remove(path.as_str());
        }
    }
    Ok(Pair { place, article, summary, record: value })
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Records worked through.
    pub records: usize,
    /// Bytes of the file read.
    pub bytes: u64,
    /// Bytes of the whole file, where that is known.
    pub bytes_total: Option<u64>,
}

/// Works through a file of pairs.
///
/// `work` is done in parallel on each judged pair; `hand_on` gets what it returned, one
/// after the other in the order of the file, and how far the run has come. It may stop the
/// run with an error of its own.
pub fn run<'a, T: Send, E: From<PairsError>>(
    mut records: Records,
    fields: &Fields,
    by: impl Into<ByRules<'a>>,
    work: impl Fn(Judged) -> T + Sync,
    mut hand_on: impl FnMut(T, Progress) -> Result<(), E>,
) -> Result<(), E> {
    records.require(&[&fields.article, &fields.summary])?;
    let by = by.into();
    let mut done = 0;
    loop {
        let (batch, stopped) = next_batch(&mut records);
        let ended = batch.is_empty();
        let results: Vec<T> = batch
            .into_par_iter()
            .map(|record| work(Judged::from_record(record, fields, by)))
            .collect();
        let counter = records.counter();
        let (bytes, bytes_total) = (counter.read(), counter.total);
        for result in results {
            done += 1;
            hand_on(result, Progress { records: done, bytes, bytes_total })?;
        }
        if let Some(error) = stopped {
            return Err(error.into());
        }
        if ended {
            return Ok(());
        }
    }
}

/// Records until the batch is full, the file ends or cannot be read any further.
fn next_batch(records: &mut Records) -> (Vec<Record>, Option<PairsError>) {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while batch.len() < BATCH_RECORDS && bytes < BATCH_BYTES {
        match records.next() {
            None => break,
            Some(Err(error)) => return (batch, Some(error)),
            Some(Ok(record)) => {
                bytes += record.weight();
                batch.push(record);
            }
        }
    }
    (batch, None)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::fs;

    use super::*;
    use crate::summary::Settings;

    /// More records than three batches hold, every tenth of them broken.
    #[test]
    fn results_come_in_the_order_of_the_file_however_many_batches_it_takes() {
        let mut text = String::new();
        for number in 0..3 * BATCH_RECORDS + 7 {
            if number % 10 == 3 {
                text.push_str("{\"id\": \"broken\"}\n");
            } else {
                let pair = "\"article\": \"It rained on Mull. The ferry was late.\", \"summary\": \"It rained.\"";
                writeln!(text, "{{\"id\": {number}, {pair}}}").unwrap();
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.jsonl");
        fs::write(&path, &text).unwrap();
        let records = Records::open(&path, None).unwrap();
        let mut found = Vec::new();
        let ended: Result<(), PairsError> = run(
            records,
            &Fields::default(),
            Settings::default(),
            |judged| (judged.id, judged.evidence.err()),
            |result, progress| {
                found.push(result);
                assert_eq!(progress.records, found.len());
                assert_eq!(progress.bytes_total, Some(text.len() as u64));
                Ok(())
            },
        );
        ended.unwrap();
        assert_eq!(found.len(), 3 * BATCH_RECORDS + 7);
        for (number, (id, error)) in found.iter().enumerate() {
            if number % 10 == 3 {
                let place =
                    format!("malformed_record: line {}: field `article` is missing", number + 1);
                assert_eq!(
                    (id.as_deref(), error.as_deref()),
                    (Some("broken"), Some(place.as_str()))
                );
            } else {
                assert_eq!((id.clone(), error), (Some(number.to_string()), &None));
            }
        }
    }

    #[test]
    fn a_refused_pair_names_the_reason_and_keeps_its_name() {
        let texts = |article: &str, summary: &str| Pair {
            place: Place::Line(1),
            article: article.to_owned(),
            summary: summary.to_owned(),
            record: Value::Null,
        };
        let judge = |pair| Judged::of(Some("x".to_owned()), pair, Settings::default());
        let refused = judge(texts("It rained.", " … "));
        assert_eq!(refused.evidence.unwrap_err(), "empty_summary");
        assert_eq!(refused.id.as_deref(), Some("x"));
        assert_eq!(judge(texts("", "It rained.")).evidence.unwrap_err(), "article_too_short");
    }
}
