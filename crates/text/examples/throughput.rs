//! Prints how many megabytes a second each stage of tokenisation handles.
//!
//! `cargo run --release -p assize-text --example throughput [FILE]`
#![expect(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::time::Instant;

use assize_text::{for_each_alnum_token, for_matching, sentences, tokens, word_tokens};

const SAMPLE: &str = "The Receiving Party shall hold the Confidential Information in strict \
    confidence, and shall not disclose it to any third party without the Discloser's prior \
    written consent (e.g. by letter). This obligation survives for 5 years; Mr. Smith's \
    U.S. counsel can't waive it. \"Confidential Information\" means all non-public data.\n";

fn main() -> std::io::Result<()> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => SAMPLE.repeat(20_000),
    };
    let normal = for_matching(&text);
    report("for_matching", &text, || for_matching(&text).len());
    report("sentences", &normal, || sentences(&normal).count());
    report("alnum tokens", &text, || {
        let mut bytes = 0;
        for_each_alnum_token(&text, |token| bytes += token.len());
        bytes
    });
    report("word tokens", &normal, || {
        let mut bytes = 0;
        tokens::for_each_word_token(&normal, |token| bytes += token.len());
        bytes
    });
    report("word tokens, owned", &text, || word_tokens(&text).len());
    Ok(())
}

/// Runs the work five times and prints the best.
fn report(name: &str, text: &str, work: impl Fn() -> usize) {
    let mut best = f64::INFINITY;
    let mut result = 0;
    for _ in 0..5 {
        let start = Instant::now();
        result = work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:20} {:8.1} MB/s  ({result})", text.len() as f64 / 1e6 / best);
}
