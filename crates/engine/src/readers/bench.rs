//! How quick a reader is on this machine, and how often it is right.

use std::fs;
use std::path::Path;
use std::time::Instant;

use assize_readers::models::{Kind, kind_of};
use assize_readers::{Encoder, Entailment, Pair, Shares};
use assize_text::overlap::TokenBag;
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};

use super::ReadersError;

/// A pair of texts, with the label that people gave it: 0 stated, 1 open, 2 denied.
#[derive(Debug, Clone, Deserialize)]
pub struct BenchPair {
    /// What the document says.
    #[serde(alias = "p")]
    pub premise: String,
    /// What it is read for.
    #[serde(alias = "h")]
    pub hypothesis: String,
    /// What people said.
    #[serde(alias = "y")]
    pub label: Option<u8>,
}

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// `encoder` or `entailment`.
    pub kind: Kind,
    /// Texts or pairs that were read.
    pub count: usize,
    /// Seconds until the model was ready.
    pub open_seconds: f64,
    /// Seconds of the processor for all of them.
    pub processor_seconds: f64,
    /// Texts or pairs a second of the processor.
    pub per_second: f64,
    /// The three shares of each pair.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Shares>,
    /// The share of labelled pairs on which the likeliest answer is people's.
    pub right: Option<f64>,
    /// How well the share of stated ranks what people call stated: the area under the curve.
    pub area: Option<f64>,
    /// The same for the share of the hypothesis' words that the premise has.
    pub words_area: Option<f64>,
}

/// The pairs of a file: JSON Lines, or a list of JSON.
pub fn read_pairs(file: &Path) -> Result<Vec<BenchPair>, ReadersError> {
    let failed = |error| ReadersError::File(file.to_owned(), error);
    let text = fs::read_to_string(file).map_err(failed)?;
    let invalid = |error: serde_json::Error| failed(error.into());
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).map_err(invalid);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).map_err(invalid)).collect()
}

/// Reads pairs (an encoder: their premises) with so many threads.
pub fn bench(folder: &Path, pairs: &[BenchPair], threads: usize) -> Result<Measured, ReadersError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        ReadersError::File(folder.to_owned(), std::io::Error::other(error.to_string()))
    })?;
    let opened = Instant::now();
    let kind = kind_of(folder)?;
    let (open_seconds, processor_seconds, shares) = match kind {
        Kind::Encoder => {
            let encoder = Encoder::open(folder)?;
            let open_seconds = opened.elapsed().as_secs_f64();
            let texts: Vec<&str> = pairs.iter().map(|pair| pair.premise.as_str()).collect();
            let (used, read) = measured(&pool, || encoder.vectors(&texts));
            read?;
            (open_seconds, used, Vec::new())
        }
        Kind::Entailment => {
            let entailment = Entailment::open(folder)?;
            let open_seconds = opened.elapsed().as_secs_f64();
            let pair = |one| {
                let BenchPair { premise, hypothesis, .. }: &BenchPair = one;
                Pair { premise, hypothesis }
            };
            let read: Vec<Pair<'_>> = pairs.iter().map(pair).collect();
            let (used, read) = measured(&pool, || entailment.decide(&read));
            (open_seconds, used, read?.iter().map(|one| one.shares).collect())
        }
    };
    let agreement = Agreement::of(pairs, &shares);
    Ok(Measured {
        kind,
        count: pairs.len(),
        open_seconds,
        processor_seconds,
        per_second: pairs.len() as f64 / processor_seconds.max(f64::MIN_POSITIVE),
        shares,
        right: agreement.as_ref().map(|one| one.right),
        area: agreement.as_ref().and_then(|one| one.area),
        words_area: agreement.and_then(|one| one.words_area),
    })
}

/// Runs work on a pool's threads; the seconds of the processor that it took, where the system tells
/// them, else those of the clock.
fn measured<T: Send>(pool: &rayon::ThreadPool, work: impl FnOnce() -> T + Send) -> (f64, T) {
    let (before, started) = (processor_seconds(), Instant::now());
    let result = pool.install(work);
    let clock = started.elapsed().as_secs_f64();
    let used = before.zip(processor_seconds()).map(|(before, after)| after - before);
    (used.unwrap_or(clock), result)
}

/// What all threads of this process have used so far, from the system's account.
fn processor_seconds() -> Option<f64> {
    let mut total = 0.0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let account = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        total += account.split(' ').next()?.parse::<f64>().ok()? / 1e9;
    }
    Some(total)
}

/// How far a reader agrees with people.
struct Agreement {
    right: f64,
    area: Option<f64>,
    words_area: Option<f64>,
}

impl Agreement {
    fn of(pairs: &[BenchPair], shares: &[Shares]) -> Option<Self> {
        let labelled: Vec<(&BenchPair, u8, &Shares)> = pairs
            .iter()
            .zip(shares)
            .filter_map(|(pair, shares)| Some((pair, pair.label?, shares)))
            .collect();
        if labelled.is_empty() {
            return None;
        }
        let right = labelled.iter().filter(|(_, label, shares)| likeliest(shares) == *label);
        let right = right.count() as f64 / labelled.len() as f64;
        let scored = |score: &dyn Fn(&BenchPair, &Shares) -> f64| {
            let rows =
                labelled.iter().map(|(pair, label, shares)| (score(pair, shares), *label == 0));
            area(&rows.collect::<Vec<_>>())
        };
        let area = scored(&|_, shares| f64::from(shares.stated));
        let words_area = scored(&|pair, _| {
            let (hypothesis, premise) =
                (TokenBag::of(&pair.hypothesis), TokenBag::of(&pair.premise));
            hypothesis.as_sets(&premise).containment()
        });
        Some(Self { right, area, words_area })
    }
}

fn likeliest(shares: &Shares) -> u8 {
    let all = [shares.stated, shares.open, shares.denied];
    let mut best = 0_u8;
    for (index, share) in (0_u8..).zip(all) {
        if share > all[usize::from(best)] {
            best = index;
        }
    }
    best
}

/// The share of pairs of one stated and one other in which the stated one scores higher; equal ones
/// count half. Nothing where there are not both.
fn area(scored: &[(f64, bool)]) -> Option<f64> {
    let (mut wins, mut all) = (0.0, 0.0);
    for (stated, _) in scored.iter().filter(|(_, is_stated)| *is_stated) {
        for (other, _) in scored.iter().filter(|(_, is_stated)| !*is_stated) {
            all += 1.0;
            wins += if stated > other {
                1.0
            } else if stated == other {
                0.5
            } else {
                0.0
            };
        }
    }
    (all > 0.0).then(|| wins / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of four comparisons two are won, one is lost and one is even: 2.5 of 4.
    #[test]
    fn the_area_counts_comparisons_that_are_won() {
        let scored = [(0.9, true), (0.5, true), (0.5, false), (0.6, false)];
        assert_eq!(area(&scored), Some(0.625));
        assert_eq!(area(&[(1.0, true)]), None);
    }

    #[test]
    fn pairs_are_read_from_lines_and_from_lists() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pairs");
        fs::write(&file, "{\"p\": \"a\", \"h\": \"b\", \"y\": 2}\n\n").unwrap();
        assert_eq!(read_pairs(&file).unwrap()[0].label, Some(2));
        fs::write(&file, "[{\"premise\": \"a\", \"hypothesis\": \"b\"}]").unwrap();
        let pairs = read_pairs(&file).unwrap();
        assert_eq!((pairs.len(), pairs[0].hypothesis.as_str(), pairs[0].label), (1, "b", None));
        fs::write(&file, "no").unwrap();
        assert!(read_pairs(&file).is_err());
    }
}
