//! Reads texts or pairs with the model of a folder, and says how quickly.
//!
//! ```text
//! cargo run --release -p assize-readers --features models --example read_pairs -- MODEL TEXTS.json
//! ```
//!
//! `TEXTS.json` is a list of texts for an encoder, or of pairs of texts for an entailment model. The
//! last line says how many were read in a second of the processor, on one thread.
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use assize_readers::{Encoder, Entailment, Pair};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, texts] = &arguments[..] else {
        return Err("a model's folder and a file of texts are needed".into());
    };
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let (folder, bytes) = (Path::new(model), fs::read(texts)?);
    let before = processor_seconds()?;
    let started = Instant::now();
    if let Ok(texts) = serde_json::from_slice::<Vec<String>>(&bytes) {
        let encoder = Encoder::open(folder)?;
        println!("opened in {:.2?}", started.elapsed());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let before = processor_seconds()?;
        let vectors = encoder.vectors(&texts)?;
        said(vectors.len(), processor_seconds()? - before);
        return Ok(());
    }
    let pairs: Vec<(String, String)> = serde_json::from_slice(&bytes)?;
    let entailment = Entailment::open(folder)?;
    println!(
        "opened in {:.2?}, {:.2} s of the processor",
        started.elapsed(),
        processor_seconds()? - before
    );
    let pairs: Vec<Pair<'_>> =
        pairs.iter().map(|(premise, hypothesis)| Pair { premise, hypothesis }).collect();
    let before = processor_seconds()?;
    let read = entailment.decide(&pairs)?;
    said(read.len(), processor_seconds()? - before);
    Ok(())
}

fn said(count: usize, seconds: f64) {
    println!("{count} in {seconds:.2} s of the processor: {:.1} a second", count as f64 / seconds);
}

/// What all threads of this process have used so far, from the system's account.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let mut total = 0.0;
    for thread in fs::read_dir("/proc/self/task")? {
        let account = fs::read_to_string(thread?.path().join("schedstat"))?;
        total += account.split(' ').next().unwrap_or_default().parse::<f64>()? / 1e9;
    }
    Ok(total)
}
