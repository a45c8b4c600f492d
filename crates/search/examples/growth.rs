//! Shows how time and memory grow with the corpus: `growth bm25 10 100 1000` in megabytes.
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::env;
use std::error::Error;
use std::fs;
use std::time::Instant;

use assize_search::{Chunking, Collection, Corpus, Document, Method, Retriever};

/// Bytes of one made-up document: about a contract.
const DOCUMENT_BYTES: usize = 50_000;
/// Queries asked of each corpus.
const QUERIES: usize = 100;
/// Different words of the made-up language.
const WORDS: u64 = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let method: Method = words.next().ok_or("usage: growth METHOD MEGABYTES…")?.parse()?;
    for megabytes in words {
        let megabytes: usize = megabytes.parse()?;
        let mut source = Source(megabytes as u64);
        let count = megabytes * 1_000_000 / DOCUMENT_BYTES;
        let documents = (0..count)
            .map(|index| Document::new(&format!("{index:06}.txt"), source.text(DOCUMENT_BYTES)));
        let collection = Collection::new(Corpus::new(documents.collect()), Chunking::default());
        let passages = collection.passages().len();
        let started = Instant::now();
        let retriever = Retriever::new(collection, method);
        let indexed = started.elapsed();
        let started = Instant::now();
        for _ in 0..QUERIES {
            retriever.search(&source.text(100), 10)?;
        }
        let searched = started.elapsed();
        println!(
            "{method} {megabytes} MB, {passages} passages: index {:.2} s ({:.1} MB/s), {:.2} ms a query, {} MB of memory at most",
            indexed.as_secs_f64(),
            megabytes as f64 / indexed.as_secs_f64(),
            searched.as_secs_f64() * 1000.0 / QUERIES as f64,
            peak_megabytes()
        );
    }
    Ok(())
}

/// Made-up text whose words are as unevenly frequent as real ones.
struct Source(u64);

impl Source {
    fn text(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 16);
        while text.len() < bytes {
            let end = if self.next().is_multiple_of(15) { ". " } else { " " };
            let word = self.word();
            text.push_str(&word);
            text.push_str(end);
        }
        text
    }

    /// Small numbers are frequent: each halving of the range is as likely as the next.
    fn word(&mut self) -> String {
        let range = WORDS >> (self.next() % 17);
        let number = self.next() % range.max(1);
        let letters = (0..6).map(|place| (number >> (3 * place)) & 7);
        letters
            .map(|letter| char::from(b"etaoinsr"[usize::try_from(letter).unwrap_or(0)]))
            .collect()
    }

    /// `SplitMix64`, the same on every machine.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// The most memory the process ever held, where the system tells.
fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) / 1024
}
