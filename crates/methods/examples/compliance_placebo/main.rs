//! What the rule judge finds where there is nothing: texts of this repository that state no control,
//! held against a catalog of security controls.
//!
//! `ASSIZE_DATA=… cargo run --release -p assize-methods --example compliance_placebo [readers=FOLDER] [met] [text=FILE…]`;
//! `met` prints every verdict that is called met; other texts than ours can be given.

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

#[path = "../compliance_development/baseline.rs"]
#[expect(dead_code, reason = "the constant is for the other example")]
mod baseline;
mod catalog;
#[path = "../compliance_development/kept.rs"]
mod kept;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::rules::Reading;
use assize_methods::compliance::{ResponseStructure, RuleJudge};
use assize_readers::{LocalReader, MEGABYTES_MAX};

const TEXTS: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "CODE_OF_CONDUCT.md", "README.md"];
const MET: f64 = 61.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.iter().find_map(|argument| argument.strip_prefix("readers="));
    let reader = folder.map(open).transpose()?;
    let data = PathBuf::from(std::env::var("ASSIZE_DATA")?);
    let criteria =
        catalog::read(&data.join("compliance/oscal/rev5_MODERATE_resolved_catalog-min.json"))?;
    let judge = RuleJudge::new(&criteria);
    let all: Vec<usize> = (0..criteria.len()).collect();
    println!(
        "{} controls; of 100: met, undecided, not applicable, word overlap of 61 or more",
        all.len()
    );
    let given: Vec<&str> =
        arguments.iter().filter_map(|argument| argument.strip_prefix("text=")).collect();
    for name in if given.is_empty() { TEXTS.to_vec() } else { given } {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        let text = std::fs::read_to_string(path)?;
        let document = Reading::new(&text);
        let consulted =
            reader.as_ref().map(|reader| judge.consult(reader, &all, &document)).transpose()?;
        let mut counts = [0_usize; 4];
        for (index, criterion) in criteria.iter().enumerate() {
            let structure = ResponseStructure::default();
            let found = judge.judge(index, &document, consulted.as_ref(), &structure);
            match found.assessment.stated {
                Stated::Score { given } if given >= MET => {
                    counts[0] += 1;
                    if arguments.iter().any(|argument| argument == "met") {
                        let quote = found.citations.first().map_or("", |one| one.quote.as_str());
                        println!("  {} {given}: {quote}", criterion.id);
                    }
                }
                Stated::Score { .. } => {}
                Stated::NeedsInformation => counts[1] += 1,
                Stated::NotApplicable => counts[2] += 1,
            }
            let overlap = baseline::best_sentence(&criterion.requirement, &text);
            counts[3] += usize::from(overlap >= MET);
        }
        let [met, undecided, apart, overlap] =
            counts.map(|count| 100.0 * count as f64 / all.len() as f64);
        println!("{name:<20} {met:>5.1} {undecided:>6.1} {apart:>6.1} {overlap:>6.1}");
    }
    Ok(())
}

fn open(folder: &str) -> Result<LocalReader, Box<dyn Error>> {
    let folder = Path::new(folder);
    let (encoder, entailment) = (folder.join("minilm-l6"), folder.join("nli-xsmall"));
    let reader = LocalReader::open(Some(&encoder), Some(&entailment), MEGABYTES_MAX)?;
    Ok(reader.with_cache(Arc::new(kept::ReadingFile::open(&folder.join("readings.bin"))?)))
}
