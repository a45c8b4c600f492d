//! How close the rule judge comes to a person on the hand-judged sets, with and without a reader.
//!
//! `cargo run --release -p assize-methods --example compliance_development [HALF…] [pairs] [ID…] [confidence]
//! [readers=FOLDER] [data=FOLDER]`, a half being `tune`, `kept`, `fresh_tune`, `wide`, `last_tune`, `held_out`,
//! `fresh_held` or `last_held`, and with the folder of reference data `public_tune`, `public_held` or
//! `public_last`; all of them without one. `FOLDER` holds an encoder `minilm-l6` and an
//! entailment model `nli-xsmall`; what they read is kept in it. Beside the judge stand the share of the
//! requirement's words in the best sentence, and the constant that fits best (it knows the answers).

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

mod baseline;
mod confidence;
mod kept;
mod set;
mod table;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::rules::{METHOD, METHOD_WITH_READER, Reading};
use assize_methods::compliance::{ResponseStructure, RuleJudge};
use assize_readers::{LocalReader, MEGABYTES_MAX, Reader};

use self::set::{Case, Expected, Policy};

/// Errors on the first six were read; the others are measured when a version is done.
const HALVES: [&str; 11] = [
    "tune",
    "kept",
    "fresh_tune",
    "wide",
    "last_tune",
    "public_tune",
    "held_out",
    "fresh_held",
    "last_held",
    "public_held",
    "public_last",
];

/// What was expected of one pair, and what was said.
struct Pair {
    id: String,
    kind: String,
    expected: Expected,
    stated: Stated,
    confidence: Option<u8>,
    /// The share of the requirement's words in the best sentence, of 100.
    overlap: f64,
    explanation: String,
    workings: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let folder = arguments.iter().find_map(|argument| argument.strip_prefix("readers="));
    let reader = folder.map(open).transpose()?;
    let method = if reader.is_some() { METHOD_WITH_READER } else { METHOD };
    println!("{} version {}", method.name, method.version);
    let data = arguments.iter().find_map(|argument| argument.strip_prefix("data="));
    let all = set::read(data.map(Path::new))?;
    let is_chosen = |half: &str| has(half) || !HALVES.iter().any(|half| has(half));
    println!("{}", table::HEAD);
    let mut every = Vec::new();
    for half in HALVES.into_iter().filter(|half| is_chosen(half)) {
        let mut pairs = Vec::new();
        for policy in all.iter().filter(|policy| policy.half == half) {
            pairs.extend(judge(policy, reader.as_ref())?);
        }
        if pairs.is_empty() {
            continue;
        }
        table::print(half, &pairs);
        if has("pairs") {
            show(&pairs);
        }
        for pair in pairs.iter().filter(|pair| has(&pair.id)) {
            println!("\n{}\n{}\n{}", pair.id, pair.explanation, pair.workings);
        }
        every.extend(pairs);
    }
    table::print("together", &every);
    if has("confidence") {
        confidence::print(&every);
    }
    Ok(())
}

fn open(folder: &str) -> Result<LocalReader, Box<dyn Error>> {
    let folder = Path::new(folder);
    let (encoder, entailment) = (folder.join("minilm-l6"), folder.join("nli-xsmall"));
    let reader = LocalReader::open(Some(&encoder), Some(&entailment), MEGABYTES_MAX)?;
    Ok(reader.with_cache(Arc::new(kept::ReadingFile::open(&folder.join("readings.bin"))?)))
}

fn judge(policy: &Policy, reader: Option<&LocalReader>) -> Result<Vec<Pair>, Box<dyn Error>> {
    let criteria: Vec<_> = policy.criterion.iter().map(Case::criterion).collect();
    let judge = RuleJudge::new(&criteria);
    let document = Reading::new(&policy.document);
    let structure = ResponseStructure::default();
    let all: Vec<usize> = (0..criteria.len()).collect();
    let consulted =
        reader.map(|reader| judge.consult(reader as &dyn Reader, &all, &document)).transpose()?;
    let one = |(index, case): (usize, &Case)| {
        let found = judge.judge(index, &document, consulted.as_ref(), &structure);
        Pair {
            id: case.id.clone(),
            kind: case.kind.clone(),
            expected: case.expected(),
            stated: found.assessment.stated,
            confidence: found.assessment.confidence,
            overlap: baseline::best_sentence(&case.requirement, &policy.document),
            explanation: found.assessment.sections["explanation"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            workings: found.coverage.to_string(),
        }
    };
    Ok(policy.criterion.iter().enumerate().map(one).collect())
}

fn show(pairs: &[Pair]) {
    for pair in pairs {
        let expected = match pair.expected {
            Expected::Score(score) => format!("{score:.0}"),
            Expected::NotApplicable => "n/a".to_owned(),
        };
        let found = match pair.stated {
            Stated::Score { given } => format!("{given:.0}"),
            Stated::NotApplicable => "n/a".to_owned(),
            Stated::NeedsInformation => "?".to_owned(),
        };
        let off = match (pair.expected, pair.stated) {
            (Expected::Score(expected), Stated::Score { given }) => (given - expected).abs() > 20.0,
            (Expected::NotApplicable, Stated::NotApplicable) | (_, Stated::NeedsInformation) => {
                false
            }
            _ => true,
        };
        let mark = if off { "!" } else { " " };
        let lines: Vec<&str> = pair.explanation.lines().skip(1).collect();
        println!(
            "{mark} {:<6} {:<16} expected {expected:>3} found {found:>3}  {}",
            pair.id,
            pair.kind,
            lines.join(" / ")
        );
    }
}
