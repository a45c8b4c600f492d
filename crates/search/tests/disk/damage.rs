//! Whatever happens to the files of an index: a clear error, or the same answers as before.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use assize_search::Chunking;
use assize_search::disk::{DiskError, DiskHit, DiskIndex};

use crate::{counts, found, segments, update};

const LIST: &str = "assize-index.json";
const QUERIES: [&str; 3] = ["who pays the rent?", "owner", "größe"];

/// A small index of two segments, one of them with a removed file.
fn small() -> (tempfile::TempDir, tempfile::TempDir) {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |name: &str, text: &str| fs::write(corpus.path().join(name), text).unwrap();
    write("a.txt", "The tenant pays rent.\nThe owner repairs.");
    write("b.txt", "Der Größe nach: the owner pays, and pays.");
    write("c.txt", "rent");
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    update(&mut index, corpus.path());
    write("d.txt", "A later text about rent.\nAnd the owner.");
    fs::remove_file(corpus.path().join("c.txt")).unwrap();
    update(&mut index, corpus.path());
    assert_eq!(segments(folder.path()).len(), 2);
    (corpus, folder)
}

/// Everything that can be asked.
fn answers(folder: &Path) -> Result<Vec<Vec<DiskHit>>, DiskError> {
    let index = DiskIndex::open(folder)?;
    let mut answers = Vec::new();
    for query in QUERIES {
        let hits = index.search(query, 10)?;
        for hit in &hits {
            index.explain(query, hit)?;
        }
        answers.push(hits);
    }
    Ok(answers)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = segments(folder);
    files.push(folder.join(LIST));
    files
}

fn is_clear(error: &DiskError) -> bool {
    let said = error.to_string();
    said.ends_with("delete the index and rebuild it") || said.ends_with("rebuild it")
}

#[test]
fn a_file_that_ends_early_is_named() {
    let (corpus, folder) = small();
    for path in files(folder.path()) {
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let error = answers(folder.path()).expect_err("a file that ends early");
            assert!(is_clear(&error), "{length}: {error}");
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(error.to_string().starts_with(name), "{length}: {error}");
        }
        fs::write(&path, &whole).unwrap();
    }
    // Nor is it made worse.
    let list = fs::read(folder.path().join(LIST)).unwrap();
    let segment = segments(folder.path()).remove(0);
    let mut index = DiskIndex::open(folder.path()).unwrap();
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..9]).unwrap();
    assert!(
        index.update(corpus.path(), assize_search::corpus::Limits::default(), &mut |_| {}).is_err()
    );
    assert_eq!(fs::read(folder.path().join(LIST)).unwrap(), list);
}

#[test]
fn a_byte_that_differs_is_an_error_or_changes_nothing() {
    let (_corpus, folder) = small();
    let before = answers(folder.path()).unwrap();
    assert!(before.iter().all(|hits| !hits.is_empty()), "every query finds something");
    let mut refused = 0;
    for path in files(folder.path()) {
        let whole = fs::read(&path).unwrap();
        for place in 0..whole.len() {
            for change in [1, 0x20, 0x80, 0xff] {
                let mut other = whole.clone();
                other[place] ^= change;
                fs::write(&path, &other).unwrap();
                match answers(folder.path()) {
                    Err(error) => {
                        refused += 1;
                        assert!(is_clear(&error), "{place}: {error}");
                    }
                    Ok(after) => assert_eq!(after, before, "{}: {place}", path.display()),
                }
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn a_segment_that_is_missing_or_another_is_named() {
    let (_corpus, folder) = small();
    let segments = segments(folder.path());
    let (first, second) = (fs::read(&segments[0]).unwrap(), fs::read(&segments[1]).unwrap());
    fs::write(&segments[0], &second).unwrap();
    fs::write(&segments[1], &first).unwrap();
    assert!(matches!(answers(folder.path()), Err(DiskError::Damaged { .. })));
    fs::write(&segments[0], &first).unwrap();
    fs::remove_file(&segments[1]).unwrap();
    let error = answers(folder.path()).unwrap_err().to_string();
    assert!(
        error.ends_with("is corrupt (it is missing); delete the index and rebuild it"),
        "{error}"
    );
}

#[test]
fn an_index_of_another_format_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let first = r#"{"format":1,"chunking":"words:500/250"}"#;
    fs::write(folder.path().join(LIST), first).unwrap();
    for error in [
        DiskIndex::open(folder.path()).err().unwrap(),
        DiskIndex::open_or_create(folder.path(), Chunking::default()).err().unwrap(),
    ] {
        assert_eq!(error.to_string(), "the index has format 1, this program reads 2; rebuild it");
    }
}

/// A process that is killed leaves the last list, and maybe a segment that is on no list.
#[test]
fn what_a_killed_process_leaves_is_the_last_index_and_is_tidied_up() {
    let (corpus, folder) = small();
    let list = fs::read(folder.path().join(LIST)).unwrap();
    let before = answers(folder.path()).unwrap();
    fs::write(corpus.path().join("a.txt"), "The tenant owes rent, rent and rent.").unwrap();
    fs::write(corpus.path().join("e.txt"), "An owner.").unwrap();
    let mut index = DiskIndex::open(folder.path()).unwrap();
    let kept: Vec<(PathBuf, Vec<u8>)> = segments(folder.path())
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert_eq!(counts(&update(&mut index, corpus.path())), [1, 1, 0, 2]);
    let after = answers(folder.path()).unwrap();
    assert_ne!(before, after);
    drop(index);

    // As if it had been killed before the list was replaced, with the next one half written.
    let new = fs::read(folder.path().join(LIST)).unwrap();
    fs::write(folder.path().join(LIST), &list).unwrap();
    fs::write(folder.path().join("assize-index.json.new"), &new[..new.len() / 2]).unwrap();
    for (path, bytes) in kept {
        fs::write(path, bytes).unwrap();
    }
    fs::write(folder.path().join("assize-segment-77.bin"), b"assize\0\x02 half").unwrap();
    fs::write(folder.path().join("assize-segment-mine.bin"), b"not ours").unwrap();
    assert_eq!(answers(folder.path()).unwrap(), before);
    let mut index = DiskIndex::open(folder.path()).unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [1, 1, 0, 2]);
    assert_eq!(answers(folder.path()).unwrap(), after);
    assert!(!folder.path().join("assize-segment-77.bin").exists());
    assert!(folder.path().join("assize-segment-mine.bin").exists());
}

#[test]
fn a_folder_without_texts_gives_an_empty_index() {
    let (corpus, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut index = DiskIndex::open_or_create(folder.path(), Chunking::Lines).unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [0, 0, 0, 0]);
    assert!(found(&index, "rent").is_empty());
    fs::write(corpus.path().join("a.txt"), "rent").unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [1, 0, 0, 0]);
    assert_eq!(found(&index, "rent").len(), 1);
    fs::remove_file(corpus.path().join("a.txt")).unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [0, 0, 1, 0]);
    assert!(found(&index, "rent").is_empty());
    assert!(segments(folder.path()).is_empty());
}

#[test]
fn an_index_is_changed_by_one_process_at_a_time_and_read_meanwhile() {
    let (corpus, folder) = small();
    let mut index = DiskIndex::open(folder.path()).unwrap();
    let lock = File::create(folder.path().join("assize-index.lock")).unwrap();
    lock.lock().unwrap();
    let error = index.update(corpus.path(), assize_search::corpus::Limits::default(), &mut |_| {});
    assert!(matches!(error, Err(DiskError::Busy)));
    assert!(answers(folder.path()).is_ok());
    drop(lock);

    // Two that were opened at the same time do not undo each other's changes.
    let mut other = DiskIndex::open(folder.path()).unwrap();
    fs::write(corpus.path().join("e.txt"), "More rent.").unwrap();
    assert_eq!(counts(&update(&mut index, corpus.path())), [1, 0, 0, 3]);
    assert_eq!(counts(&update(&mut other, corpus.path())), [0, 0, 0, 4]);
    assert_eq!(found(&other, "rent"), found(&index, "rent"));
}
