//! Tiny models of every architecture against `transformers`: values that
//! `scripts/readers_reference.py` computed, and what is said of folders that are no such models.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use assize_readers::{
    ContentKey, Encoder, Entailment, LocalReader, MemoryCache, Pair, Reader, ReaderError,
    ReadingCache, Statement,
};
use serde::Deserialize;

/// What a value may differ by.
const DIFFERENCE_MAX: f32 = 1e-4;

const ENTAILMENTS: [&str; 5] = [
    "bert-entailment",
    "roberta-entailment",
    "xlmr-entailment",
    "deberta-v3-entailment",
    "deberta-v2-entailment",
];
const ENCODERS: [&str; 3] = ["roberta-encoder", "mpnet-encoder", "xlmr-encoder"];

#[derive(Deserialize)]
struct ExpectedPair {
    premise: String,
    hypothesis: String,
    logits: Vec<f32>,
}

#[derive(Deserialize)]
struct ExpectedVector {
    text: String,
    vector: Vec<f32>,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

fn expected<T: for<'a> Deserialize<'a>>(name: &str) -> Vec<T> {
    let file = fs::read(folder(name).join("expected.json")).expect("the expected values");
    serde_json::from_slice(&file).expect("JSON")
}

fn pairs(expected: &[ExpectedPair]) -> Vec<Pair<'_>> {
    let pair = |one| {
        let ExpectedPair { premise, hypothesis, .. }: &ExpectedPair = one;
        Pair { premise, hypothesis }
    };
    expected.iter().map(pair).collect()
}

fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() <= DIFFERENCE_MAX, "{what}: {found:?} instead of {expected:?}");
    }
}

#[test]
fn logits_of_every_architecture_are_those_of_transformers() {
    for name in ENTAILMENTS {
        let model = Entailment::open(&folder(name)).expect(name);
        let expected: Vec<ExpectedPair> = expected(name);
        assert_eq!(expected.len(), 15);
        let found = model.logits(&pairs(&expected)).expect("logits");
        for (found, one) in found.iter().zip(&expected) {
            assert_near(
                found,
                &one.logits,
                &format!("{name}: {:.30} {:.30}", one.premise, one.hypothesis),
            );
        }
    }
}

#[test]
fn vectors_of_every_architecture_are_those_of_transformers() {
    for name in ENCODERS {
        let model = Encoder::open(&folder(name)).expect(name);
        let expected: Vec<ExpectedVector> = expected(name);
        assert_eq!(expected.len(), 13);
        let texts: Vec<&str> = expected.iter().map(|one| one.text.as_str()).collect();
        let found = model.vectors(&texts).expect("vectors");
        for (found, one) in found.iter().zip(&expected) {
            assert_near(found, &one.vector, &format!("{name}: {:.30}", one.text));
        }
    }
}

/// Many inputs with one, two and eight threads, in three orders and alone: the same bits.
fn assert_same_bits<T: Copy + Sync>(
    name: &str,
    inputs: &[T],
    read: impl Fn(&[T]) -> Vec<Vec<f32>> + Sync,
) {
    let bits =
        |rows: &[Vec<f32>]| -> Vec<u32> { rows.iter().flatten().map(|x| x.to_bits()).collect() };
    let with = |threads: usize, inputs: &[T]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| read(inputs))
    };
    let many = inputs.repeat(3);
    let first = with(1, &many);
    for threads in [2, 8] {
        assert_eq!(bits(&with(threads, &many)), bits(&first), "{name}, {threads} threads");
    }
    let evens_first = (0..many.len()).step_by(2).chain((1..many.len()).step_by(2));
    for order in [(0..many.len()).rev().collect::<Vec<_>>(), evens_first.collect()] {
        let turned: Vec<T> = order.iter().map(|index| many[*index]).collect();
        let expected: Vec<Vec<f32>> = order.iter().map(|index| first[*index].clone()).collect();
        for threads in [1, 8] {
            let found = with(threads, &turned);
            assert_eq!(bits(&found), bits(&expected), "{name}, another order, {threads} threads");
        }
    }
    for (input, expected) in inputs.iter().zip(&first) {
        assert_eq!(
            bits(&with(1, &[*input])),
            bits(std::slice::from_ref(expected)),
            "{name}, alone"
        );
    }
}

#[test]
fn logits_are_the_same_bytes_with_any_threads_in_any_order() {
    for name in ENTAILMENTS {
        let model = Entailment::open(&folder(name)).expect(name);
        let expected: Vec<ExpectedPair> = expected(name);
        assert_same_bits(name, &pairs(&expected), |pairs| model.logits(pairs).expect("logits"));
    }
}

#[test]
fn vectors_are_the_same_bytes_with_any_threads_in_any_order() {
    for name in ENCODERS.into_iter().chain(["bert-encoder"]) {
        let model = Encoder::open(&folder(name)).expect(name);
        let expected: Vec<ExpectedVector> = expected(name);
        let texts: Vec<&str> = expected.iter().map(|one| one.text.as_str()).collect();
        assert_same_bits(name, &texts, |texts| model.vectors(texts).expect("vectors"));
    }
}

#[test]
fn a_mark_that_a_text_spells_out_is_read_as_text() {
    let model = Entailment::open(&folder("deberta-v3-entailment")).expect("the model");
    let logits =
        |premise, hypothesis| model.logits(&[Pair { premise, hypothesis }]).expect("logits");
    assert_ne!(logits("x [SEP] y", "z"), logits("x", "y [SEP] z"));
    let spelled = logits("Records are kept. [SEP] [CLS]", "x");
    assert_ne!(spelled, logits("Records are kept.", "x"));
}

#[test]
fn a_premise_that_is_too_long_is_cut_behind_a_sentence_and_the_ledger_says_so() {
    let reader = LocalReader::open(None, Some(&folder("bert-entailment")), 100).expect("the model");
    let one = "Backups are tested once a year, and the result is written down. ";
    let (long, short) = (one.repeat(40), one.repeat(2));
    let hypothesis = "Backups are tested every year.";
    let pair = |premise| Pair { premise, hypothesis };
    let read = reader.entail(&[pair(&long), pair(&short)]).expect("readings");
    assert!(read[1].notes.is_empty());
    let note = &read[0].notes[0];
    let cut: usize = note.split_whitespace().find_map(|word| word.parse().ok()).expect("a number");
    assert!(note.starts_with("the premise is longer than the model reads"), "{note}");
    assert_eq!((cut + 1) % one.len(), 0, "{note}");
    let same = reader.entail(&[pair(&long[..cut])]).expect("a reading");
    assert_eq!((same[0].shares, same[0].notes.len()), (read[0].shares, 0));
}

/// A cache that counts what it is given to keep: that is what was read.
#[derive(Debug, Default)]
struct CountingCache {
    kept: MemoryCache,
    readings: AtomicUsize,
}

impl ReadingCache for CountingCache {
    fn get(&self, keys: &[ContentKey]) -> io::Result<Vec<Option<Vec<f32>>>> {
        self.kept.get(keys)
    }

    fn keep(&self, readings: &[(ContentKey, Vec<f32>)]) -> io::Result<()> {
        self.readings.fetch_add(readings.len(), Ordering::Relaxed);
        self.kept.keep(readings)
    }
}

#[test]
fn nothing_is_read_twice() {
    let (encoder, entailment) = (folder("xlmr-encoder"), folder("xlmr-entailment"));
    let counted = Arc::new(CountingCache::default());
    let reader = LocalReader::open(Some(&encoder), Some(&entailment), 100).expect("the models");
    let reader = reader.with_cache(Arc::clone(&counted) as Arc<dyn ReadingCache>);
    let pairs = [("a", "b"), ("c", "b"), ("a", "b")]
        .map(|(premise, hypothesis)| Pair { premise, hypothesis });
    let first = reader.entail(&pairs).expect("readings");
    assert_eq!(first[0].shares, first[2].shares);
    assert!(first.iter().all(|one| !one.looked_up));
    // Two of the three pairs are the same.
    assert_eq!(counted.readings.load(Ordering::Relaxed), 2);
    let second = reader.entail(&pairs).expect("readings");
    assert!(second.iter().all(|one| one.looked_up));
    assert_eq!(second[1].shares, first[1].shares);
    assert_eq!(counted.readings.load(Ordering::Relaxed), 2, "nothing was read again");
    let statements = ["a", "c", "a"].map(|text| Statement { text, heading: None });
    for parts in [["b", "d"], ["d", "b"]] {
        reader.shortlist(&parts, &statements, 2).expect("a list");
        assert_eq!(counted.readings.load(Ordering::Relaxed), 6, "and four texts");
    }
}

#[test]
fn statements_that_say_the_same_as_a_part_come_first() {
    let reader = LocalReader::open(Some(&folder("xlmr-encoder")), None, 100).expect("the model");
    let texts = ["Records are kept for seven years.", "Backups are tested.", "x y z"];
    let statements = texts.map(|text| Statement { text, heading: None });
    let found =
        reader.shortlist(&["Backups are tested.", "x y z"], &statements, 2).expect("a list");
    assert_eq!((found[0][0].statement, found[1][0].statement, found[1].len()), (1, 2, 2));
    assert!((found[0][0].cosine.expect("a cosine") - 1.0).abs() < 1e-5);
    let error = reader.entail(&[Pair { premise: "a", hypothesis: "b" }]).unwrap_err();
    assert_eq!(error.to_string(), "no entailment model is configured");
}

/// A copy of a tiny model in which one file says something else.
fn changed(model: &str, file: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> ReaderError {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder(model)).expect("the tiny model") {
        let path = entry.expect("a file").path();
        fs::copy(&path, copy.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    let path = copy.path().join(file);
    fs::write(&path, change(fs::read(&path).expect("the file"))).expect("a change");
    Entailment::open(copy.path()).expect_err("it is refused")
}

fn replaced(model: &str, file: &str, from: &str, to: &str) -> String {
    let change = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("a text");
        assert!(text.contains(from), "{file} of {model} has no {from}");
        text.replace(from, to).into_bytes()
    };
    changed(model, file, change).to_string()
}

#[test]
fn a_folder_that_is_no_such_model_says_what_it_is() {
    let other = replaced("bert-entailment", "config.json", "\"bert\"", "\"gpt2\"");
    assert!(other.contains("a model of the kind `gpt2`; encoders of the kinds BERT"), "{other}");
    let wide =
        replaced("bert-entailment", "config.json", "\"hidden_size\": 16", "\"hidden_size\": 32");
    assert!(
        wide.contains("has the shape [130, 16], but the configuration says [130, 32]"),
        "{wide}"
    );
    let label = replaced("bert-entailment", "config.json", "\"neutral\"", "\"LABEL_2\"");
    assert!(label.contains("the label `LABEL_2` says neither"), "{label}");
    let encoder = Entailment::open(&folder("xlmr-encoder")).unwrap_err().to_string();
    assert!(encoder.contains("no classifier: it can find statements"), "{encoder}");
    let convolution = replaced(
        "deberta-v3-entailment",
        "config.json",
        "\"hidden_size\"",
        "\"conv_kernel_size\": 3, \"hidden_size\"",
    );
    assert!(convolution.contains("a DeBERTa with a convolution"), "{convolution}");
    let nowhere = Entailment::open(&folder("nowhere")).unwrap_err().to_string();
    assert!(nowhere.ends_with("nowhere/config.json: cannot be read"), "{nowhere}");
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let other = fs::read(folder("deberta-v3-entailment/tokenizer.json")).expect("a tokenizer");
    let padding = changed("xlmr-entailment", "tokenizer.json", |_| other.clone()).to_string();
    assert!(
        padding.contains("tokenizer.json: padding is token 0, for the model token 1"),
        "{padding}"
    );
    let few = changed("roberta-entailment", "tokenizer.json", |_| other.clone()).to_string();
    assert!(few.contains("tokenizer.json: it names 140 tokens of the 330 of the model"), "{few}");
    let large = fs::read(folder("roberta-entailment/tokenizer.json")).expect("a tokenizer");
    let many = changed("xlmr-entailment", "tokenizer.json", |_| large).to_string();
    assert!(many.contains("is not among the 140 of the model"), "{many}");
    let no_marks = changed("bert-entailment", "tokenizer.json", |bytes| {
        let mut tokenizer: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        tokenizer["post_processor"] = serde_json::Value::Null;
        tokenizer.to_string().into_bytes()
    });
    let no_marks = no_marks.to_string();
    assert!(no_marks.contains("it puts no marks around texts"), "{no_marks}");
}

#[test]
fn a_damaged_file_is_one_sentence_and_no_crash() {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        for cut in [0, 1, 9, 200] {
            let error = changed("deberta-v3-entailment", file, |mut bytes| {
                bytes.truncate(cut);
                bytes
            });
            let error = error.to_string();
            assert!(error.contains(file) && !error.contains('\n'), "{error}");
        }
    }
    let short = changed("bert-entailment", "model.safetensors", |mut bytes| {
        bytes.pop();
        bytes
    });
    assert!(short.to_string().contains("not a whole safetensors file"), "{short}");
}

#[test]
fn a_model_above_the_limit_is_refused_by_its_size() {
    let large = tempfile::tempdir().expect("a folder");
    let path = large.path();
    for file in ["config.json", "tokenizer.json"] {
        fs::copy(folder("bert-entailment").join(file), path.join(file)).expect("a copy");
    }
    // Ten gigabytes that take no place on disk.
    let sparse = fs::File::create(path.join("model.safetensors")).expect("a file");
    sparse.set_len(10_000_000_000).expect("a size");
    let error = Entailment::open(path).unwrap_err().to_string();
    assert!(
        error.ends_with("10000 MB are more than the 4000 MB that are allowed for a model"),
        "{error}"
    );
    let allowed = Entailment::open_within(path, 20_000).unwrap_err().to_string();
    assert!(allowed.contains("not a whole safetensors file"), "{allowed}");
}
