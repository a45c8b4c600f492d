//! Spans round-trip: for every passage, the file's text at its span is the passage.

use std::fs;

use assize_search::corpus::{Limits, read_folder};
use assize_search::{Chunking, Collection, Corpus};
use proptest::prelude::*;

const CHUNKINGS: [&str; 9] = [
    "words:5/2",
    "words:500/250",
    "words:1",
    "chars:1",
    "chars:7",
    "sentences",
    "lines",
    "rcts:1",
    "rcts:12",
];

/// Slices as Python does: by code points, with no help from our own look-up tables.
fn by_code_points(text: &str, span: (usize, usize)) -> String {
    text.chars().skip(span.0).take(span.1 - span.0).collect()
}

fn check(corpus: &Corpus, chunking: Chunking) {
    let collection = Collection::new(corpus.clone(), chunking);
    for (index, passage) in collection.passages().iter().enumerate() {
        let document = &collection.corpus().documents()[passage.document];
        let text = collection.text(index);
        assert!(!text.trim().is_empty(), "{chunking}: a blank passage");
        assert_eq!(by_code_points(&document.text, passage.span), text, "{chunking}");
        assert_eq!(document.slice(passage.span), Some(text), "{chunking}");
    }
}

fn chunkings() -> impl Iterator<Item = Chunking> {
    CHUNKINGS.iter().map(|text| text.parse().expect("a chunking of ours"))
}

proptest! {
    #[test]
    fn any_text_round_trips_through_every_chunker(text in "(?s)([a-c .!?;,\n\r\té€😀\u{301}\u{feff}]|.){0,300}") {
        let corpus = Corpus::of_text("any.txt", &text);
        chunkings().for_each(|chunking| check(&corpus, chunking));
    }

    #[test]
    fn characters_and_joints_lose_nothing(text in "[a-c .!?;,\né€😀]{0,300}") {
        for chunking in ["chars:7", "rcts:12"] {
            let chunking: Chunking = chunking.parse().unwrap();
            let kept: String = chunking.ranges(&text).into_iter().map(|range| &text[range]).collect();
            let squeeze = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(squeeze(&kept), squeeze(&text));
        }
    }

    #[test]
    fn no_joint_makes_a_passage_longer_than_its_size(text in "[a-c .!?;,\né€😀]{0,300}") {
        let chunking: Chunking = "rcts:12".parse().unwrap();
        for range in chunking.ranges(&text) {
            prop_assert!(text[range].chars().count() <= 12);
        }
    }
}

#[test]
fn files_with_windows_newlines_and_decomposed_names_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/Cafe\u{301}.txt"), "One é.\r\nTwo €.\r\rThree.").unwrap();
    let (corpus, report) = read_folder(folder.path(), Limits::default()).unwrap();
    assert!(report.remarks.is_empty(), "{report}");
    let document = &corpus.documents()[corpus.find("sub/Caf\u{e9}.txt").unwrap()];
    assert_eq!(document.text, "One é.\nTwo €.\n\nThree.");
    chunkings().for_each(|chunking| check(&corpus, chunking));
}

#[cfg(feature = "reference-data")]
#[test]
fn the_reference_corpus_round_trips() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let folder = std::path::Path::new(&data).join("retrieval/contractnli/corpus");
    let (corpus, _) = read_folder(&folder, Limits::default()).unwrap();
    for chunking in ["words:500/250", "chars:500", "sentences", "lines", "rcts:500"] {
        check(&corpus, chunking.parse().unwrap());
    }
}
