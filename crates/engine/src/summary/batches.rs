//! A whole file of pairs: read in small batches, judged in parallel, handed on in order.
//!
//! At most one batch is in memory, so a file of any size costs the same. The work on a
//! pair, up to the text that is printed, is done in parallel; only handing it on is not.

use assize_methods::summary::{Evidence, SummaryPair};
use rayon::prelude::*;
use serde_json::Value;

use super::input::{Fields, PairsError, Place, Record, RecordError, Records};
use super::judging::Settings;

/// How many records a batch holds at most.
const BATCH_RECORDS: usize = 512;

/// How many bytes of text a batch holds before it is full.
const BATCH_BYTES: usize = 8 << 20;

/// A pair as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Where it stands in its file.
    pub place: Place,
    /// What it is called, if it is called anything.
    pub id: Option<String>,
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
    /// The pair; `None` when the record could not be understood.
    pub pair: Option<Pair>,
    /// What the judge found, or the reason for none, as it stands in `{"error": …}`.
    pub evidence: Result<Evidence, String>,
}

impl Judged {
    /// A pair, judged.
    pub fn of(pair: Pair, settings: Settings) -> Self {
        let evidence = match SummaryPair::new(&pair.article, &pair.summary) {
            Ok(texts) => Ok(settings.evidence(texts)),
            Err(refusal) => Err(refusal.code().to_owned()),
        };
        Self { pair: Some(pair), evidence }
    }

    fn from_record(record: Record, fields: &Fields, settings: Settings) -> Self {
        match read(record, fields) {
            Ok(pair) => Self::of(pair, settings),
            Err(error) => Self { pair: None, evidence: Err(error.to_string()) },
        }
    }

    /// What the pair is called.
    pub fn id(&self) -> Option<&str> {
        self.pair.as_ref()?.id.as_deref()
    }
}

fn read(record: Record, fields: &Fields) -> Result<Pair, RecordError> {
    let place = record.place;
    let mut value = record.value()?;
    if !value.is_object() {
        let problem = "not a JSON object".to_owned();
        return Err(RecordError::Unreadable { place, problem });
    }
    let article = fields.article.text(&value, place)?.to_owned();
    let summary = fields.summary.text(&value, place)?.to_owned();
    let id = fields.id.name(&value, place)?;
    // The texts are kept once; the rest of the record is small.
    for path in [&fields.article, &fields.summary] {
        if let Some(object) = value.as_object_mut() {
            object.remove(path.as_str());
        }
    }
    Ok(Pair { place, id, article, summary, record: value })
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
pub fn run<T: Send, E: From<PairsError>>(
    mut records: Records,
    fields: &Fields,
    settings: Settings,
    work: impl Fn(Judged) -> T + Sync,
    mut hand_on: impl FnMut(T, Progress) -> Result<(), E>,
) -> Result<(), E> {
    let mut done = 0;
    loop {
        let (batch, stopped) = next_batch(&mut records);
        let ended = batch.is_empty();
        let results: Vec<T> = batch
            .into_par_iter()
            .map(|record| work(Judged::from_record(record, fields, settings)))
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
