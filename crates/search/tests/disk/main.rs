//! The index on disk: incremental, in a fixed order, explained.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its index has failed")]

mod damage;
mod scores;

use std::fs;
use std::path::{Path, PathBuf};

use assize_search::Chunking;
use assize_search::corpus::Limits;
use assize_search::disk::{DiskError, DiskIndex, Updated};

fn update(index: &mut DiskIndex, corpus: &Path) -> Updated {
    index.update(corpus, Limits::default(), &mut |_| {}).expect("an index")
}

fn counts(updated: &Updated) -> [usize; 4] {
    [updated.added, updated.changed, updated.removed, updated.unchanged]
}

/// File, span and score of what is found.
fn found(index: &DiskIndex, query: &str) -> Vec<(String, (u64, u64), f64)> {
    let hits = index.search(query, 10).expect("a search");
    hits.into_iter().map(|hit| (hit.file_path, hit.span, hit.score)).collect()
}

/// The files of segments, in the order of their names.
fn segments(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "bin")).collect();
    paths.sort();
    paths
}

#[test]
fn only_what_is_new_changed_or_gone_is_touched() {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |name: &str, text: &str| fs::write(corpus.path().join(name), text).unwrap();
    write("a.txt", "The tenant pays rent.\nThe owner repairs.");
    write("b.txt", "The lender lends money.");
    write("c.txt", "A third text about rent.");
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [3, 0, 0, 0]);
    assert_eq!(counts(&update(&mut index, corpus.path())), [0, 0, 0, 3]);
    write("b.txt", "The lender lends é money and rents.");
    write("d.txt", "");
    fs::remove_file(corpus.path().join("c.txt")).unwrap();
    let updated = update(&mut index, corpus.path());
    assert_eq!(counts(&updated), [0, 1, 1, 1]);
    assert_eq!(updated.report.to_string(), "d.txt: skipped: empty\n");

    let fresh_folder = tempfile::tempdir().unwrap();
    let mut fresh = DiskIndex::open_or_create(fresh_folder.path(), Chunking::Lines).unwrap();
    update(&mut fresh, corpus.path());
    let hits = found(&index, "Who rents?");
    assert_eq!(hits, found(&fresh, "Who rents?"));
    let places: Vec<_> = hits.iter().map(|(path, span, _)| (path.as_str(), *span)).collect();
    assert_eq!(places, [("a.txt", (0, 21)), ("b.txt", (0, 35))]);
}

#[test]
fn an_index_below_its_corpus_leaves_its_own_files_out() {
    let corpus = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(corpus.path().join(name), text).unwrap();
    write("a.txt", "The tenant pays rent.");
    // Beside the texts, below them, and two of the same corpus.
    for folder in [corpus.path().to_owned(), corpus.path().join("index")] {
        let mut index = DiskIndex::open_or_create(&folder, Chunking::Lines).unwrap();
        let first = update(&mut index, corpus.path());
        assert_eq!((counts(&first), first.report.to_string()), ([1, 0, 0, 0], String::new()));
        for _ in 0..2 {
            assert_eq!(counts(&update(&mut index, corpus.path())), [0, 0, 0, 1]);
        }
        assert_eq!(index.files().into_keys().collect::<Vec<_>>(), ["a.txt"]);
    }
    // Names that are only like ours are texts.
    write("assize-segment-mine.txt", "Mine.");
    let mut index = DiskIndex::open(corpus.path()).unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [1, 0, 0, 1]);
}

#[test]
fn equal_scores_stand_in_the_order_of_file_and_span() {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in ["z.txt", "m.txt", "a.txt"] {
        fs::write(corpus.path().join(name), "same words\nsame words").unwrap();
    }
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    update(&mut index, corpus.path());
    let hits = index.search("words", 3).unwrap();
    let places: Vec<_> = hits.iter().map(|hit| (hit.file_path.as_str(), hit.chunk)).collect();
    assert_eq!(places, [("a.txt", 0), ("a.txt", 1), ("m.txt", 0)]);
    let explained = index.explain("words", &hits[0]).unwrap().unwrap();
    assert_eq!(explained.value, hits[0].score, "{explained}");
    assert!(index.search("the", 3).unwrap().is_empty());
}

#[test]
fn an_index_is_opened_again_and_refuses_other_chunks() {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(corpus.path().join("a.txt"), "The tenant pays rent.").unwrap();
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    update(&mut index, corpus.path());
    drop(index);
    let index = DiskIndex::open(folder.path()).unwrap();
    assert_eq!(found(&index, "rent").len(), 1);
    drop(index);
    let error = DiskIndex::open_or_create(folder.path(), Chunking::Sentences).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the index was built with lines, not sentences; use another folder"
    );
    let error = DiskIndex::open(corpus.path()).err().unwrap();
    assert!(matches!(error, DiskError::Missing(_)), "{error}");
}
