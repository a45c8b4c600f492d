//! Brings a folder into an index on disk and asks it every query of a benchmark.
//!
//! ```text
//! cargo run --release -p assize-search --example index -- CORPUS INDEX BENCHMARK.json
//! ```
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use assize_methods::retrieval::passages::Gold;
use assize_search::Chunking;
use assize_search::corpus::Limits;
use assize_search::disk::DiskIndex;

fn main() -> Result<(), Box<dyn Error>> {
    let places: Vec<String> = env::args().skip(1).collect();
    let [corpus, folder, benchmark] = places.as_slice() else {
        return Err("usage: index CORPUS INDEX BENCHMARK.json".into());
    };
    let mut index = DiskIndex::open_or_create(Path::new(folder), Chunking::default())?;
    let started = Instant::now();
    let updated = index.update(Path::new(corpus), Limits::default(), &mut |_| {})?;
    print!("{}", updated.report);
    println!(
        "{} files added, {} changed, {} removed, {} unchanged in {:.1?}",
        updated.added,
        updated.changed,
        updated.removed,
        updated.unchanged,
        started.elapsed()
    );
    let benchmark = fs::read_to_string(benchmark)?;
    let Gold(tests) = serde_json::from_str(&benchmark)?;
    let started = Instant::now();
    let mut hits = 0;
    for test in &tests {
        hits += index.search(&test.query, 10)?.len();
    }
    println!("{} queries, {hits} hits in {:.1?}", tests.len(), started.elapsed());
    Ok(())
}
