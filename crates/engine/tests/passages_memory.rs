//! Passages of a long run are read a part at a time: what is held does not grow with the file.
//!
//! The only test of its program, because it looks at the peak of its own process.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use assize_engine::retrieval::request::{Inputs, ScoreRequest};

/// Ten passages of five kilobytes each.
const QUERIES: usize = 2_500;
/// In kilobytes, with every page of the program and of its inputs that is mapped.
const PEAK_MAX: u64 = 100_000;

/// Every query finds its gold in each of ten passages.
fn write_run(path: &Path, [before, between, after]: [&str; 3]) -> io::Result<()> {
    let passage = "a clause on notice, payment and the return of the premises; ".repeat(87);
    let list = [format!("\"{passage}\"").as_str(); 10].join(", ");
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(before.as_bytes())?;
    for query in 0..QUERIES {
        let between = if query == 0 { "" } else { between };
        write!(
            file,
            "{between}{{\"query\": \"question {query}\", \"retrieved_passages\": [{list}]}}"
        )?;
    }
    file.write_all(after.as_bytes())?;
    file.flush()
}

fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the system's account");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    line.split_whitespace().next().expect("a number").parse().expect("a number")
}

#[test]
fn a_run_of_130_megabytes_is_scored_in_less_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (run, gold) = (folder.path().join("run.json"), folder.path().join("gold.json"));
    let test = |query: usize| {
        format!("{{\"query\": \"question {query}\", \"snippets\": [\"payment and the return\"]}}")
    };
    let tests: Vec<String> = (0..QUERIES).map(test).collect();
    fs::write(&gold, format!("{{\"tests\": [{}]}}", tests.join(","))).unwrap();
    let request = ScoreRequest { resamples: 0, ..ScoreRequest::default() };
    for shape in [["[", ",\n", "]"], ["", "\n", "\n"]] {
        write_run(&run, shape).unwrap();
        assert!(fs::metadata(&run).unwrap().len() > 130_000_000);
        let report = request.score(Inputs::Files(&run, &gold)).unwrap();
        let recall = report.summaries.iter().find(|summary| summary.name.starts_with("recall"));
        assert_eq!((report.board.rows.len(), recall.unwrap().value), (QUERIES, 1.0));
        assert!(peak() < PEAK_MAX, "{} kB for {shape:?}", peak());
    }
}
