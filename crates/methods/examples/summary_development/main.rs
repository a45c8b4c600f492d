//! How close the rule judge of summaries comes to people, with and without a reader.
//!
//! `cargo run --release -p assize-methods --example summary_development FOLDER [PART…] [most=N] [claims=N]
//! [readers=FOLDER] [readings=FILE]`. The first folder holds rated summaries as JSON Lines, each file a set. A part is `a`
//! (the half on which the rules were tuned), `b1` (on which a reader's thresholds were chosen) or `b2`
//! (looked at when a version is done); all of them without one. `most` rows of each set and part are taken, good and
//! bad ones alike where ratings are labels. The folder of readers holds an encoder `minilm-l6` and an
//! entailment model `nli-xsmall`; what they read is kept in it, or in the file of readings. Beside both frameworks stands the best
//! of ROUGE-1, -2 and -L precision, which knows the answers. `claims` prints so many claims to read.

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

#[path = "../compliance_development/kept.rs"]
mod kept;
mod set;
mod table;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use assize_methods::summary::rouge::rouge;
use assize_methods::summary::{Evidence, SummaryPair, judge_lock, rules, twin_lock};
use assize_readers::{LocalReader, MEGABYTES_MAX, ReaderError};

use self::set::{PARTS, Rated, Rating};

/// Rows of each set and part, unless another number is asked for.
const ROWS_MAX: usize = 200;

/// What people and both frameworks say about one summary.
struct Scored {
    document: String,
    rating: Rating,
    twin: f64,
    judge: f64,
    relevance: f64,
    relevance_rating: Option<f64>,
    rouge: [f64; 3],
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let value = |name: &str| arguments.iter().find_map(|argument| argument.strip_prefix(name));
    let number = |name: &str| value(name).and_then(|value| value.parse::<usize>().ok());
    let kept = value("readings=");
    let reader = value("readers=").map(|folder| open(Path::new(folder), kept)).transpose()?;
    let folder = arguments.first().ok_or("which folder holds the rated summaries?")?;
    let with = if reader.is_some() { "with a reader" } else { "without a reader" };
    for method in [twin_lock::METHOD, judge_lock::METHOD] {
        println!("{} version {}, {with}", method.name, method.version);
    }
    println!("{}", table::HEAD);
    let most = number("most=").unwrap_or(ROWS_MAX);
    let mut shown = number("claims=").unwrap_or(0);
    for part in PARTS.into_iter().filter(|part| has(part) || !PARTS.iter().any(|part| has(part))) {
        for (name, rows) in set::read(Path::new(folder), part, most)? {
            let mut scored = Vec::new();
            for row in &rows {
                let Some(found) = score(row, reader.as_ref(), &mut shown)? else { continue };
                scored.push(found);
            }
            table::print(&name, part, &scored);
        }
    }
    Ok(())
}

fn open(folder: &Path, kept: Option<&str>) -> Result<LocalReader, Box<dyn Error>> {
    let (encoder, entailment) = (folder.join("minilm-l6"), folder.join("nli-xsmall"));
    let reader = LocalReader::open(Some(&encoder), Some(&entailment), MEGABYTES_MAX)?;
    let kept = kept.map_or(folder.join("readings.bin"), Into::into);
    Ok(reader.with_cache(Arc::new(kept::ReadingFile::open(&kept)?)))
}

/// Both frameworks about a summary; nothing where one of them has no score.
fn score(
    row: &Rated,
    reader: Option<&LocalReader>,
    shown: &mut usize,
) -> Result<Option<Scored>, ReaderError> {
    let Ok(pair) = SummaryPair::new(&row.article, &row.summary) else { return Ok(None) };
    let judge = |limits| -> Result<Evidence, ReaderError> {
        match reader {
            Some(reader) => rules::read_and_judge(reader, &pair, limits),
            None => Ok(rules::judge(&pair, limits)),
        }
    };
    let (twin, lock) = (judge(&twin_lock::LIMITS)?, judge(&judge_lock::LIMITS)?);
    if *shown > 0
        && let Some(claim) = twin.hallucination.as_ref().and_then(|found| found.claims.last())
    {
        *shown -= 1;
        println!("{:?}\t{}\t{}", claim.support, claim.text, claim.note);
    }
    let (Ok(twin), Ok(lock)) = (twin_lock::score::<f64>(&twin), judge_lock::score::<f64>(&lock))
    else {
        return Ok(None);
    };
    let (Ok(twin_score), Ok(judge_score), Ok(relevance)) =
        (twin.hallucination.overall, lock.hallucination.overall, twin.relevance.overall)
    else {
        return Ok(None);
    };
    let rouge = rouge(&row.summary, &row.article);
    Ok(Some(Scored {
        document: row.document.clone(),
        rating: row.rating,
        twin: twin_score,
        judge: judge_score,
        relevance,
        relevance_rating: row.relevance,
        rouge: [rouge.one, rouge.two, rouge.longest].map(|shares| shares.precision),
    }))
}
