//! `assize retrieve`, `assize bench-retrieval`, `assize index`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Said, assize, examples, file};

const BENCHMARK: &str = "retrieval/contracts.json";
const CORPUS: [&str; 2] = ["--corpus", "retrieval/contracts"];

fn retrieve(more: &[&str]) -> Said {
    assize(&[&["retrieve", BENCHMARK], &CORPUS[..], more].concat())
}

/// The text of a file as spans count it: newlines translated, in code points.
fn characters(path: &Path) -> Vec<char> {
    let text = String::from_utf8(fs::read(path).unwrap()).unwrap();
    text.replace("\r\n", "\n").replace('\r', "\n").chars().collect()
}

/// Every passage of predictions with its file and span.
fn passages(predictions: &str) -> Vec<Value> {
    let predictions: Vec<Value> = serde_json::from_str(predictions).unwrap();
    let lists = predictions.iter().map(|one| one["retrieved_passages"].as_array().unwrap());
    lists.flatten().cloned().collect()
}

fn assert_spans_hold_the_text(predictions: &str, folder: &Path) {
    let passages = passages(predictions);
    assert!(!passages.is_empty());
    for passage in passages {
        let text = characters(&folder.join(passage["file_path"].as_str().unwrap()));
        let end = |index: usize| usize::try_from(passage["span"][index].as_u64().unwrap()).unwrap();
        let held: String = text[end(0)..end(1)].iter().collect();
        assert_eq!(held, passage["text"], "{}", passage["file_path"]);
    }
}

#[test]
fn what_is_retrieved_can_be_scored_and_its_spans_hold_its_text() {
    for method in ["tfidf", "bm25", "dense", "hybrid"] {
        for chunk in ["words:40/20", "chars:100", "sentences", "lines", "rcts:200"] {
            let said = retrieve(&["--method", method, "--chunk", chunk]);
            assert_eq!((said.code, said.stderr.contains("note")), (0, false), "{method} {chunk}");
            let identified = "12 of 12 queries name a document; document identification: 12 of 12";
            assert_eq!(said.stderr.contains(identified), method == "hybrid", "{}", said.stderr);
            assert_spans_hold_the_text(&said.stdout, &examples().join(CORPUS[1]));
            let (_folder, predictions) = file("predictions.json", &said.stdout);
            let scored = assize(&["score", &predictions, BENCHMARK]);
            assert_eq!(scored.code, 0, "{}", scored.stderr);
            assert!(scored.stdout.contains("char_recall@10"), "{}", scored.stdout);
        }
    }
}

/// A document that the query names comes first, and each of these sentences repeats words
/// of its question.
#[test]
fn the_default_method_finds_the_clause_in_the_document_that_is_named() {
    let said = retrieve(&["--chunk", "sentences", "--k", "1"]);
    let found: Vec<String> =
        passages(&said.stdout).iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect();
    assert_eq!(found[0], "The Owner repairs the roof, the outer walls and the quay.");
    assert_eq!(
        found[3],
        "The law of Lindhaven governs this lease, and disputes go to the harbour court."
    );
    assert_eq!(found[11], "The law of the Kingdom of Vale governs this contract.");
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let run = |threads: &str, method: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(["retrieve", BENCHMARK, "--chunk", "words:20/10", "--method", method])
            .args(CORPUS)
            .current_dir(examples())
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        assert!(output.status.success());
        output.stdout
    };
    for method in ["tfidf", "bm25", "dense", "hybrid"] {
        assert!(run("1", method) == run("4", method), "{method}");
    }
}

#[test]
fn the_ledger_of_a_hit_ends_in_the_score_that_ranked_it() {
    let said = retrieve(&[
        "--chunk",
        "sentences",
        "--method",
        "bm25",
        "--explain",
        "when does the risk pass",
        "--rank",
        "2",
    ]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let row = said.stdout.lines().find(|line| line.trim_start().starts_with("2 ")).unwrap();
    let score = row.split_whitespace().nth(1).unwrap();
    let ledger = said.stdout.split("How the score of rank 2 was computed\n").nth(1).unwrap();
    assert!(ledger.starts_with(&format!("bm25: {score}  = sum")), "{ledger}");
    assert_eq!(retrieve(&["--explain", "13"]).code, 2);
}

#[test]
fn a_query_needs_no_benchmark() {
    let query = ["retrieve", CORPUS[0], CORPUS[1], "--chunk", "sentences", "--query"];
    let said = assize(&[&query[..], &["who repairs the roof?"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let first = said.stdout.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
    assert!(first.contains("The Owner repairs the roof"), "{first}");
    assert!(!said.stdout.contains("was computed"), "hits only: {}", said.stdout);
    let said = assize(&[&query[..], &["who repairs the roof?", "--explain"]].concat());
    assert!(said.stdout.contains("How the score of rank 1 was computed"), "{}", said.stdout);
    assert_eq!(assize(&[&query[..], &["roof", "--explain", "3"]].concat()).code, 2);
    let nothing = assize(&[&query[..], &["the", "--method", "bm25"]].concat());
    assert_eq!(nothing.code, 0);
    assert!(nothing.stderr.contains("nothing to search for"), "{}", nothing.stderr);
    assert!(nothing.stdout.contains("no hits"), "{}", nothing.stdout);
}

#[test]
fn crlf_accents_and_foreign_encodings_keep_their_spans() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write(
        "lines.txt",
        "Ärger über die Miete.\r\nDie Miete steigt.\r\n\r\nEnde — 😀 der Miete.".as_bytes(),
    );
    write("latin.txt", b"Caf\xe9 und Miete.");
    let utf16: Vec<u8> =
        "\u{feff}Miete für alle.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    write("wide.txt", &utf16);
    let (_other, benchmark) = file("b.json", r#"{"tests": [{"query": "Miete", "snippets": []}]}"#);
    let corpus = folder.path().to_str().unwrap();
    let said = assize(&["retrieve", &benchmark, "--corpus", corpus, "--chunk", "sentences"]);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (0, "note: latin.txt: not UTF-8, read as Windows-1252\n")
    );
    let texts: Vec<Value> = passages(&said.stdout).iter().map(|one| one["text"].clone()).collect();
    for text in ["Die Miete steigt.", "Ende — 😀 der Miete.", "Café und Miete.", "Miete für alle."]
    {
        assert!(texts.contains(&text.into()), "{text}: {texts:?}");
    }
    fs::remove_file(folder.path().join("latin.txt")).unwrap();
    fs::remove_file(folder.path().join("wide.txt")).unwrap();
    let said = assize(&["retrieve", &benchmark, "--corpus", corpus, "--chunk", "chars:7"]);
    assert_spans_hold_the_text(&said.stdout, folder.path());
}

/// The file's name has its accent written apart (NFD), the benchmark's is composed.
#[test]
fn a_name_counts_whichever_way_its_accents_are_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Mu\u{308}hle.txt"), "The miller pays the toll.").unwrap();
    let (_other, benchmark) = file(
        "b.json",
        r#"[{"query": "who pays the toll?", "snippets": [{"file_path": "Mühle.txt", "span": [0, 25]}]}]"#,
    );
    let corpus = folder.path().to_str().unwrap();
    let said = assize(&["retrieve", &benchmark, "--corpus", corpus]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    let (_third, predictions) = file("p.json", &said.stdout);
    let scored = assize(&["score", &predictions, &benchmark, "--mode", "spans"]);
    assert!(scored.stdout.contains("char_recall@10: 1.0000"), "{}{}", scored.stdout, scored.stderr);
}

#[cfg(unix)]
#[test]
fn whatever_is_wrong_gets_a_clear_word() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("good.txt", b"The owner repairs the roof.");
    write("empty.txt", b"");
    write("image.png", b"\x89PNG\r\n\x1a\n\0\0");
    write("paper.pdf", b"%PDF-1.7");
    write("large.txt", &[b'x'; 600]);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("round")).unwrap();
    let (_other, benchmark) = file(
        "b.json",
        r#"{"tests": [
            {"query": "the", "snippets": [{"file_path": "gone.txt", "span": [0, 3]}]},
            {"query": "who repairs the roof?", "snippets": [{"file_path": "good.txt", "span": [4, 99]}]},
            {"query": "owner", "snippets": [{"file_path": "good.txt", "span": [4, 9], "answer": "tenant"}]}]}"#,
    );
    let corpus = folder.path().to_str().unwrap();
    let options = ["--method", "bm25", "--max-file-bytes", "500"];
    let said = assize(&[&["retrieve", &benchmark, "--corpus", corpus], &options[..]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(passages(&said.stdout).len(), 2);
    for word in [
        "empty.txt: skipped: empty",
        "image.png: skipped: not text",
        "paper.pdf: skipped: a PDF",
        "large.txt: skipped: 600 bytes",
        "round: skipped: the link points back to its own folder",
        "the benchmark refers to gone.txt, which is not in the corpus",
        "the span [4, 99] is outside good.txt, which has 27 characters",
        "good.txt does not contain the gold text at [4, 9]",
        "query 1 (\"the\"): nothing to search for",
    ] {
        assert!(said.stderr.contains(word), "{word}:\n{}", said.stderr);
    }
}

#[test]
fn input_that_cannot_be_used_ends_with_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (_other, broken) = file("broken.json", "{\"tests\": [{\"query\": 3}]}");
    let empty = folder.path().to_str().unwrap();
    for (arguments, word) in [
        (
            vec!["retrieve", BENCHMARK, "--corpus", "nowhere"],
            "cannot read the corpus folder nowhere",
        ),
        (vec!["retrieve", BENCHMARK, "--corpus", empty], "contains no readable text"),
        (vec!["retrieve", &broken, CORPUS[0], CORPUS[1]], "broken.json:1:22"),
        (
            vec!["retrieve", BENCHMARK, CORPUS[0], CORPUS[1], "--method", "lucene"],
            "is not a method",
        ),
        (
            vec!["retrieve", BENCHMARK, CORPUS[0], CORPUS[1], "--chunk", "words:9/10"],
            "would skip words",
        ),
        (vec!["retrieve", BENCHMARK], "--corpus"),
        (vec!["retrieve", CORPUS[0], CORPUS[1]], "BENCHMARK"),
        (
            vec!["bench-retrieval", BENCHMARK, CORPUS[0], CORPUS[1], "--methods", "bm25"],
            "two methods",
        ),
    ] {
        let said = assize(&arguments);
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(said.stderr.contains(word), "{arguments:?}: {}", said.stderr);
    }
}

#[test]
fn the_bench_scores_each_method_as_retrieve_and_score_do() {
    let kept = tempfile::tempdir().unwrap();
    let runs = kept.path().to_str().unwrap();
    let options = ["--chunk", "sentences", "--format", "json", "--spans", "--runs", runs];
    let said = assize(&[&["bench-retrieval", BENCHMARK], &CORPUS[..], &options].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let result: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(result["runs"].as_array().unwrap().len(), 4);
    for run in result["runs"].as_array().unwrap() {
        let method = run["name"].as_str().unwrap();
        let alone = retrieve(&["--chunk", "sentences", "--method", method]).stdout;
        assert_eq!(fs::read_to_string(kept.path().join(format!("{method}.json"))).unwrap(), alone);
        let (_folder, predictions) = file("p.json", &alone);
        let scored =
            assize(&["score", &predictions, BENCHMARK, "--mode", "passages", "--format", "json"]);
        let scored: Value = serde_json::from_str(&scored.stdout).unwrap();
        for measure in ["recall@10", "ndcg@10"] {
            assert_eq!(run["scores"][measure]["value"], scored["measures"][measure]["value"]);
        }
        let at_8 = assize(&[
            "score",
            &predictions,
            BENCHMARK,
            "--mode",
            "spans",
            "--k",
            "8",
            "--format",
            "json",
        ]);
        let at_8: Value = serde_json::from_str(&at_8.stdout).unwrap();
        for (table, measure) in [(0, "char_precision@8"), (1, "char_recall@8")] {
            let rows = result["tables"][table]["runs"].as_array().unwrap();
            let row = rows.iter().find(|row| row["run"] == method).unwrap();
            let (bench, alone) = (&row["values"]["@8"], &at_8["measures"][measure]["value"]);
            let difference = bench.as_f64().unwrap() - alone.as_f64().unwrap();
            assert!(difference.abs() < 1e-12, "{method} {measure}: {bench} {alone}");
        }
    }
}

#[test]
fn the_bench_is_written_in_every_form() {
    for format in ["table", "markdown", "latex", "csv", "json", "html"] {
        let options = ["--chunk", "sentences", "--spans", "--format", format];
        let said = assize(&[&["bench-retrieval", BENCHMARK], &CORPUS[..], &options].concat());
        assert_eq!(said.code, 0, "{format}: {}", said.stderr);
        for method in ["tfidf", "bm25", "dense", "hybrid"] {
            assert!(said.stdout.contains(method), "{format} {method}");
        }
    }
}

/// The model that the tests of the encoder compare with sentence-transformers.
#[test]
#[cfg(feature = "readers")]
fn a_model_in_a_folder_gives_the_vectors_and_they_are_kept() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../readers/tests/models/bert-encoder");
    let model = format!("dir:{}", model.display());
    let kept = tempfile::tempdir().unwrap();
    let folder = kept.path().to_str().unwrap();
    let ask = |vectors: &str| {
        retrieve(&[
            "--method",
            "dense",
            "--chunk",
            "sentences",
            "--embeddings",
            &model,
            "--vectors",
            vectors,
        ])
    };
    let (first, again, alone) = (ask(folder), ask(folder), ask("none"));
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!((&first.stdout, &first.stdout), (&again.stdout, &alone.stdout));
    assert_ne!(first.stdout, retrieve(&["--method", "dense", "--chunk", "sentences"]).stdout);
    let models: Vec<_> = fs::read_dir(kept.path()).unwrap().collect();
    assert_eq!(models.len(), 1, "one model has one folder of vectors");
    let missing = retrieve(&["--embeddings", "dir:nowhere", "--vectors", "none"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("nowhere/config.json: cannot be read"), "{}", missing.stderr);
}

/// The encoder that is installed is found by its name in the configuration, or as the only one.
#[test]
#[cfg(feature = "readers")]
fn the_installed_encoder_gives_the_same_vectors_as_its_folder() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../readers/tests/models");
    let dense = |more: &[&str]| {
        let usual = ["--method", "dense", "--chunk", "sentences", "--vectors", "none"];
        retrieve(&[&usual, more].concat())
    };
    let by_folder = format!("dir:{}", models.join("bert-encoder").display());
    let expected = dense(&["--embeddings", &by_folder]);
    assert_eq!(expected.code, 0, "{}", expected.stderr);
    let readers = tempfile::tempdir().unwrap();
    let installed = |folder: &Path, encoder: &str| {
        let config = readers.path().join("assize.toml");
        fs::write(&config, format!("[readers]\nfolder = '{}'\n{encoder}", folder.display()))
            .unwrap();
        dense(&["--embeddings", "installed", "--config", config.to_str().unwrap()])
    };
    for encoder in ["", "encoder = 'bert-encoder'\n"] {
        let said = installed(&models, encoder);
        assert_eq!((said.code, said.stdout), (0, expected.stdout.clone()), "{}", said.stderr);
        assert!(said.stderr.contains("embeddings by the encoder in"), "{}", said.stderr);
    }
    let other = installed(&models, "encoder = 'xlmr-encoder'\n");
    assert_eq!(other.code, 0, "{}", other.stderr);
    assert_ne!(other.stdout, expected.stdout);
    let none = installed(readers.path(), "");
    assert_eq!(none.code, 2, "{}", none.stderr);
    assert!(none.stderr.contains("no encoder is installed in"), "{}", none.stderr);
}

#[test]
fn an_index_is_brought_up_to_date_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (corpus, index) = (folder.path().join("texts"), folder.path().join("index"));
    fs::create_dir(&corpus).unwrap();
    fs::write(corpus.join("a.txt"), "The owner repairs the roof.\r\nThe tenant pays.").unwrap();
    let (corpus, index) = (corpus.to_str().unwrap(), index.to_str().unwrap());
    let update = || assize(&["index", corpus, "--index", index, "--chunk", "sentences"]);
    assert!(update().stdout.ends_with("1 files added, 0 changed, 0 removed, 0 unchanged\n"));
    fs::write(Path::new(corpus).join("b.txt"), "The tenant insures the goods.").unwrap();
    assert!(update().stdout.ends_with("1 files added, 0 changed, 0 removed, 1 unchanged\n"));
    let (_other, benchmark) = file(
        "b.json",
        r#"[{"query": "who pays?", "snippets": [{"file_path": "a.txt", "span": [28, 44]}, {"file_path": "c.txt", "span": [0, 1]}]}]"#,
    );
    let said = assize(&["retrieve", &benchmark, "--index", index]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("refers to c.txt, which is not in the index"), "{}", said.stderr);
    assert_eq!(passages(&said.stdout)[0]["text"], "The tenant pays.");
    assert_spans_hold_the_text(&said.stdout, Path::new(corpus));
    let said = assize(&["retrieve", "--index", index, "--query", "roof", "--explain"]);
    assert!(said.stdout.contains("How the score of rank 1 was computed"), "{}", said.stdout);
    let missing = assize(&["retrieve", &benchmark, "--index", corpus]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("no index in"), "{}", missing.stderr);
}

#[test]
fn a_folder_of_beir_is_asked_and_its_queries_keep_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(place("beir")).unwrap();
    let queries = "{\"_id\": \"q7\", \"text\": \"where do bees dance\"}\n\
                   {\"_id\": \"q8\", \"text\": \"why does steel rust\"}\n";
    let corpus = "{\"_id\": \"a\", \"title\": \"\", \"text\": \"Honey bees dance in the hive.\"}\n\
                  {\"_id\": \"b\", \"title\": \"\", \"text\": \"Steel will rust in salt water.\"}\n";
    fs::write(place("beir/queries.jsonl"), queries).unwrap();
    fs::write(place("beir/corpus.jsonl"), corpus).unwrap();
    let beir = place("beir");
    let base = ["retrieve", &beir, "--corpus", &beir, "--method", "bm25"];
    let said = assize(&base);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(found[1]["query_id"], "q8");
    assert_eq!(found[1]["retrieved_passages"][0]["file_path"], "b");
    let said = assize(&[&base[..], &["--explain", "q8"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("Query q8: why does steel rust"), "{}", said.stdout);

    let table = place("run.csv");
    let said = assize(&[&base[..], &["-o", &table]].concat());
    assert_eq!(said.code, 2);
    let refusal = "run.csv: this command writes .json, .jsonl, .trec, .parquet";
    assert!(said.stderr.contains(refusal), "{}", said.stderr);
    assert!(!Path::new(&table).exists());

    let said = assize(&["bench-retrieval", &beir, "--corpus", &beir]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("a BEIR folder has no gold snippets"), "{}", said.stderr);
}
