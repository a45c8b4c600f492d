//! What a folder may hold besides texts, each with a clear word.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use assize_search::corpus::{CorpusError, Limits, Remark, read_folder};
use assize_search::retriever::QueryRemark;
use assize_search::{Chunking, Collection, Corpus, Method, Retriever};

fn remarks(folder: &Path, limits: Limits) -> Vec<String> {
    let (_, report) = read_folder(folder, limits).expect("there is one text");
    report.to_string().lines().map(str::to_owned).collect()
}

#[test]
fn each_file_that_is_no_text_gets_its_word() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("good.txt", b"a text");
    write("empty.txt", b"");
    write("blank.txt", b" \r\n\t");
    write("image.bin", b"\x89PNG\r\n\x1a\n\0\0\0");
    write("latin.txt", b"caf\xe9");
    write("large.txt", &[b'x'; 200]);
    write("paper.pdf", b"%PDF-1.4 text only");
    write("broken16.txt", b"\xff\xfea\0b");
    assert_eq!(
        remarks(folder.path(), Limits { file_bytes_max: 100 }),
        [
            "blank.txt: skipped: empty",
            "broken16.txt: skipped: UTF-16 with an odd number of bytes",
            "empty.txt: skipped: empty",
            "image.bin: skipped: not text: it contains zero bytes",
            "large.txt: skipped: 200 bytes, more than the limit of 100",
            "latin.txt: not UTF-8, read as Windows-1252",
            "paper.pdf: skipped: a PDF; convert it to text first",
        ]
    );
}

#[test]
fn links_are_followed_but_not_round_in_circles() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("a.txt"), "a text").unwrap();
    symlink(folder.path(), inner.join("up")).unwrap();
    symlink(inner.join("a.txt"), folder.path().join("same.txt")).unwrap();
    symlink("nowhere", folder.path().join("dangling.txt")).unwrap();
    let (corpus, report) = read_folder(folder.path(), Limits::default()).unwrap();
    let paths: Vec<&str> = corpus.documents().iter().map(|document| &*document.path).collect();
    assert_eq!(paths, ["inner/a.txt", "same.txt"]);
    assert_eq!(report.remarks.len(), 2);
    assert!(
        matches!(report.remarks[0], (ref name, Remark::Unreadable(_)) if name == "dangling.txt")
    );
    assert_eq!(report.remarks[1], ("inner/up".to_owned(), Remark::LinkLoop));
}

#[test]
fn two_names_that_differ_only_in_form_are_one_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("caf\u{e9}.txt"), "composed").unwrap();
    fs::write(folder.path().join("cafe\u{301}.txt"), "decomposed").unwrap();
    let (corpus, report) = read_folder(folder.path(), Limits::default()).unwrap();
    assert_eq!(corpus.documents().len(), 1);
    assert_eq!(report.remarks, [("caf\u{e9}.txt".to_owned(), Remark::SameName)]);
}

#[test]
fn a_folder_that_is_missing_or_holds_no_text_is_an_error_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let missing = read_folder(&folder.path().join("missing"), Limits::default()).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read the corpus folder"));
    fs::write(folder.path().join("empty.txt"), "").unwrap();
    let error = read_folder(folder.path(), Limits::default()).unwrap_err();
    assert!(error.to_string().ends_with("contains no readable text (1 files skipped)"), "{error}");
    let CorpusError::NoText { report, .. } = error else { panic!("{error}") };
    assert_eq!(report.left_out(), 1);
}

#[test]
fn a_query_of_stop_words_or_unknown_words_finds_nothing_and_says_so() {
    let text = "The tenant pays the rent. The owner repairs the roof.";
    for method in Method::ALL {
        let collection = Collection::new(Corpus::of_text("lease.txt", text), Chunking::Sentences);
        let retriever = Retriever::new(collection, method);
        let answer = retriever.search("\u{1f600}", 10).unwrap();
        assert_eq!(
            (answer.hits.len(), answer.remark),
            (0, Some(QueryRemark::NothingToSearch)),
            "{method}"
        );
        let answer = retriever.search("Who pays the rent?", 10).unwrap();
        assert_eq!((answer.hits[0].passage, answer.remark), (0, None), "{method}");
    }
    for method in [Method::TfIdf, Method::Bm25] {
        let collection = Collection::new(Corpus::of_text("lease.txt", text), Chunking::Sentences);
        let answer = Retriever::new(collection, method).search("the", 10).unwrap();
        assert_eq!(answer.remark, Some(QueryRemark::NothingToSearch), "{method}");
    }
}
