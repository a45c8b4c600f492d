//! The index on disk ranks as BM25 by stems does in memory, however it was built.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assize_search::corpus::{Limits, read_folder};
use assize_search::disk::DiskIndex;
use assize_search::{Chunking, Collection, Method, Retriever};

use crate::{segments, update};

const WORDS: [&str; 24] = [
    "tenant",
    "tenants",
    "rent",
    "renting",
    "owner",
    "roof",
    "repairs",
    "repaired",
    "payment",
    "payments",
    "disclose",
    "disclosure",
    "confidential",
    "the",
    "and",
    "notice",
    "Notices",
    "straße",
    "café",
    "7",
    "2024",
    "x",
    "lender's",
    "clause",
];
const QUERIES: [&str; 8] = [
    "who repairs the roof?",
    "rent rent payment",
    "disclosures of confidential notices in 2024",
    "straße café",
    "the and",
    "nothing of it stands anywhere",
    "tenant",
    "x 7 lender clause owner clause",
];

/// Numbers that are the same at every run (Knuth's constants).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// A few lines of a few words; rarer words stand further back in the list.
    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(12) {
            for _ in 0..=self.below(9) {
                let word = WORDS[self.below(WORDS.len()).min(self.below(WORDS.len()))];
                write!(text, "{word} ").unwrap();
            }
            text.push('\n');
        }
        text
    }
}

type Found = (String, (u64, u64), u64, String, u64);

/// File, span, chunk, text and the bits of the score.
fn on_disk(index: &DiskIndex, query: &str, k: usize) -> Vec<Found> {
    let hits = index.search(query, k).unwrap().into_iter();
    hits.map(|hit| (hit.file_path, hit.span, hit.chunk, hit.text, hit.score.to_bits())).collect()
}

fn in_memory(retriever: &Retriever, query: &str, k: usize) -> Vec<Found> {
    let collection = retriever.collection();
    let hit = |hit: &assize_search::Hit| {
        let passage = &collection.passages()[hit.passage];
        (
            collection.path(hit.passage).to_owned(),
            (passage.span.0 as u64, passage.span.1 as u64),
            passage.chunk as u64,
            collection.text(hit.passage).to_owned(),
            hit.score.to_bits(),
        )
    };
    retriever.search(query, k).unwrap().hits.iter().map(hit).collect()
}

/// Every query finds the same in both, bit for bit, and for the same reasons.
fn assert_same(index: &DiskIndex, corpus: &Path, chunking: Chunking) {
    let (corpus, _) = read_folder(corpus, Limits::default()).unwrap();
    let retriever = Retriever::new(Collection::new(corpus, chunking), Method::Bm25);
    for query in QUERIES {
        for k in [0, 1, 10, 5_000] {
            let found = on_disk(index, query, k);
            assert_eq!(found, in_memory(&retriever, query, k), "{query} {k}");
        }
        let answer = retriever.search(query, 3).unwrap();
        for (hit, other) in index.search(query, 3).unwrap().iter().zip(&answer.hits) {
            let explained = index.explain(query, hit).unwrap().unwrap();
            assert_eq!(explained, retriever.explain(query, other.passage).unwrap());
            assert_eq!(explained.value.to_bits(), hit.score.to_bits());
        }
    }
}

#[test]
fn a_few_hundred_passages_rank_as_in_memory_to_the_bit() {
    let corpus = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(1);
    for file in 0..60 {
        fs::write(corpus.path().join(format!("{file}.txt")), numbers.text()).unwrap();
    }
    for chunking in [Chunking::Lines, Chunking::words(7, 3), Chunking::Whole] {
        let folder = tempfile::tempdir().unwrap();
        let mut index = DiskIndex::open_or_create(folder.path(), chunking).unwrap();
        update(&mut index, corpus.path());
        assert_same(&index, corpus.path(), chunking);
        drop(index);
        assert_same(&DiskIndex::open(folder.path()).unwrap(), corpus.path(), chunking);
    }
}

#[test]
fn forty_updates_leave_what_one_would_have_made_in_few_segments() {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut numbers = Numbers(2);
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    for _ in 0..40 {
        for _ in 0..3 {
            let path = corpus.path().join(format!("{}.txt", numbers.below(30)));
            if path.exists() && numbers.below(3) == 0 {
                fs::remove_file(path).unwrap();
            } else {
                fs::write(path, numbers.text()).unwrap();
            }
        }
        // Something is left to read.
        fs::write(corpus.path().join("always.txt"), numbers.text()).unwrap();
        update(&mut index, corpus.path());
        assert!(segments(folder.path()).len() < 8);
        assert_same(&index, corpus.path(), Chunking::Lines);
    }
    drop(index);
    assert_same(&DiskIndex::open(folder.path()).unwrap(), corpus.path(), Chunking::Lines);
}

#[test]
fn thousands_of_equal_scores_are_cut_in_the_order_of_file_and_span() {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for file in ["z.txt", "m.txt", "a.txt"] {
        fs::write(corpus.path().join(file), "same words\n".repeat(1_500)).unwrap();
    }
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    update(&mut index, corpus.path());
    let places = |k: usize| -> Vec<(String, u64)> {
        let hits = index.search("words", k).unwrap();
        hits.into_iter().map(|hit| (hit.file_path, hit.chunk)).collect()
    };
    let expected: Vec<(String, u64)> = ["a.txt", "m.txt", "z.txt"]
        .into_iter()
        .flat_map(|file| (0..1_500).map(move |chunk| (file.to_owned(), chunk)))
        .collect();
    for k in [1, 1_500, 1_501, 4_500, 9_999] {
        assert_eq!(places(k), expected[..k.min(4_500)], "{k}");
    }
}
