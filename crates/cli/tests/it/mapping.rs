//! Files as people have them: every reader of records takes other columns, separators and sheets.

use std::fs;

use serde_json::Value;

use crate::support::{assize, file};

const ARTICLE: &str = "The bridge at Oban opened in 1932. It cost nine million pounds to build. It \
    is painted grey every seven years. Trains cross it twice a day in summer.";

fn scored(path: &str, more: &[&str]) -> (i32, Vec<Value>, String) {
    let all = [&["summary", "score", "--input", path, "--format", "jsonl"], more].concat();
    let said = assize(&all);
    let lines = said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (said.code, lines, said.stderr)
}

#[test]
fn a_table_of_pairs_may_have_semicolons_a_cover_and_two_signs_at_its_line_ends() {
    let rows = [
        "Pairs of March;;".to_owned(),
        "Author;Ada;".to_owned(),
        String::new(),
        "ID;Article;Summary".to_owned(),
        format!("1;{ARTICLE};\"It opened in 1932;\r\nit is grey.\""),
        String::new(),
        "2;too few".to_owned(),
        format!("3;{ARTICLE};It cost nine million pounds."),
    ];
    let (_folder, path) = file("pairs.csv", format!("\u{feff}{}\r\n", rows.join("\r\n")));
    let (code, lines, told) = scored(&path, &[]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0]["coverage"].is_object(), "{}", lines[0]);
    // The row stands in line 8 of the file: lines 5 and 6 are one row, line 7 is empty.
    let error = lines[1]["error"].as_str().unwrap();
    assert_eq!(error, "malformed_record: line 8: 2 fields, but the header has 3");
    assert!(lines[2]["coverage"].is_object(), "{}", lines[2]);
}

#[test]
fn a_column_that_is_not_there_is_one_message_with_the_nearest() {
    let rows = format!("1,{ARTICLE},It is grey.\n").repeat(30);
    let (_folder, path) = file("pairs.csv", format!("id,source_text,highlights\n{rows}"));
    let (code, lines, told) = scored(&path, &[]);
    assert_eq!((code, lines.len()), (2, 0), "{told}");
    assert!(
        told.contains(
            "no column `article`; the columns are `id`, `source_text`, `highlights`; did \
                       you mean `source_text`?"
        ),
        "{told}"
    );
    assert!(told.contains("--map article=COLUMN"), "{told}");
    let map = ["--map", "article=source_text", "--map", "summary=highlights"];
    let (code, lines, told) = scored(&path, &map);
    assert_eq!((code, lines.len()), (0, 30), "{told}");
    let (code, _, told) = scored(&path, &["--map", "text=source_text"]);
    assert_eq!(code, 2);
    assert!(told.contains("unknown field `text`; the fields are article, summary, id"), "{told}");
    // The same for lines of JSON, whose first record alone may be broken.
    let lines = "{\"id\": 1}\n{\"article\": \"a b c\", \"summary\": \"d\"}\n";
    let (_folder, path) = file("pairs.jsonl", lines);
    assert_eq!(scored(&path, &[]).1.len(), 2);
}

#[test]
fn criteria_of_another_shape_are_read_or_one_question_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("a.db").to_str().unwrap().to_owned();
    let import = |name: &str, content: &[u8], more: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let path = path.to_str().unwrap();
        let base = ["criteria", "import", path, "--database", &database];
        assize(&[&base[..], more].concat())
    };
    let two = "Control ID;Control name;Control description\r\nA-1;Doors;Every door is locked at \
               night.\r\nA-2;Windows;Every window is closed at night.\r\n";
    let said = import("two.csv", two.as_bytes(), &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("using the column `Control description` as the requirement"),
        "{}",
        said.stderr
    );
    let doubt = "id,statement,question\nA-1,Doors are locked.,Are they locked?\n";
    let said = import("doubt.csv", doubt.as_bytes(), &[]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("`statement` or `question`?"), "{}", said.stderr);
    assert!(said.stderr.contains("--map FIELD=COLUMN"), "{}", said.stderr);
    let said = import("doubt.csv", doubt.as_bytes(), &["--map", "requirement=question"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    // `criteria export` writes a workbook of one sheet, which is read again by any name but another.
    let book = folder.path().join("two.xlsx");
    let book = book.to_str().unwrap();
    let said = assize(&["criteria", "export", "two", "-o", book, "--database", &database]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let content = fs::read(book).unwrap();
    let said = import("two.xlsx", &content, &["--sheet", "Controls"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("no sheet `Controls`; there is `Sheet1`"), "{}", said.stderr);
    assert_eq!(import("two.xlsx", &content, &["--sheet", "Sheet1"]).code, 0);
    let mut many = "criteria_id,requirement\nA-1,Lock doors.\n".to_owned();
    many.push_str(&",nothing\n".repeat(50));
    assert_eq!(import("many.csv", many.as_bytes(), &[]).code, 2);
    let said = import("many.csv", many.as_bytes(), &["--skip-unusable"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(said.stderr.matches("the identifier is missing").count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("also in 49 more rows"), "{}", said.stderr);
}

#[test]
fn answers_and_runs_may_have_other_names_too() {
    let (_folder, path) = file("answers.csv", "nr;answer\n1;I can help.\n2;SSN: 123-45-6789\n");
    let said = assize(&["council", "gate", &path]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("no column `response`"), "{}", said.stderr);
    assert!(said.stderr.contains("did you mean `answer`?"), "{}", said.stderr);
    let said = assize(&["council", "gate", &path, "--map", "response=answer", "--map", "id=nr"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stdout.ends_with("2 checked, 1 failed\n"), "{}", said.stdout);

    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(place("run.csv"), "frage;treffer;wert\nq1;d1;2\nq1;d2;1\n").unwrap();
    fs::write(place("gold.csv"), "frage;treffer;gut\nq1;d2;1\n").unwrap();
    let map = ["query=frage", "document=treffer", "score=wert", "relevance=gut"];
    let map: Vec<&str> = map.iter().flat_map(|one| ["--map", one]).collect();
    let files = [place("run.csv"), place("gold.csv")];
    let base = ["score", &files[0], &files[1], "-m", "mrr"];
    let said = assize(&[&base[..], &map].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    // The only relevant document stands second.
    assert!(said.stdout.contains("0.5000"), "{}", said.stdout);

    fs::write(place("run.json"), r#"[{"ask": "q", "hits": ["the roof", "the rent"]}]"#).unwrap();
    fs::write(place("gold.json"), r#"[{"ask": "q", "truth": "the rent"}]"#).unwrap();
    let files = [place("run.json"), place("gold.json")];
    let map = ["--map", "query=ask", "--map", "passages=hits", "--map", "gold=truth"];
    let base = ["score", &files[0], &files[1], "-m", "recall@1,recall@2"];
    let said = assize(&[&base[..], &map].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("recall@1: 0.0000\nrecall@2: 1.0000"), "{}", said.stdout);
}

#[test]
fn several_numbers_of_passages_are_scored_at_once() {
    let files = ["retrieval/keyword.json", "retrieval/gold.json"];
    let base = ["score", files[0], files[1], "--resamples", "0"];
    let said = assize(&[&base[..], &["--k", "1,3,10"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let names: Vec<&str> = said
        .stdout
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, _)| name)
        .collect();
    for name in ["recall@1", "recall@3", "recall@10", "ndcg@1", "ndcg@3", "ndcg@10"] {
        assert!(names.contains(&name), "{name}: {}", said.stdout);
        let k = name.split_once('@').unwrap().1;
        let alone = assize(&[&base[..], &["--k", k]].concat());
        let line = said.stdout.lines().find(|line| line.starts_with(&format!("{name}: ")));
        assert!(alone.stdout.contains(line.unwrap()), "{name}: {}", alone.stdout);
    }
    assert_eq!(names.iter().filter(|name| **name == "span_f1").count(), 1);
    assert_eq!(assize(&[&base[..], &["--k", "0"]].concat()).code, 2);
}

#[test]
fn a_run_with_its_own_columns_is_scored_against_a_beir_folder_and_rescored() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(place("beir/qrels")).unwrap();
    fs::write(place("beir/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td2\t1\n").unwrap();
    fs::write(place("run.csv"), "\u{feff}frage;treffer;wert\nq1;d1;9,5\nq1;d2;3\n").unwrap();
    let map = ["query=frage", "document=treffer", "score=wert"];
    let map: Vec<&str> = map.iter().flat_map(|one| ["--map", one]).collect();
    let (run, gold, database) = (place("run.csv"), place("beir"), place("runs.db"));
    let base = ["score", &run, &gold, "-m", "mrr"];
    let save = ["--save", "--database", &database];
    let said = assize(&[&base[..], &map, &save].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    // The only relevant document stands second.
    assert!(said.stdout.contains("0.5000"), "{}", said.stdout);
    let said = assize(&["runs", "rescore", "1", "--measures", "recall@2", "--database", &database]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1.0000"), "{}", said.stdout);

    let said = assize(&[&base[..], &["--map", "query=question"]].concat());
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("no column `question` for the query: "), "{}", said.stderr);
    assert!(said.stderr.contains("has frage, treffer, wert; "), "{}", said.stderr);

    let check = "[[check]]\nname = \"a\"\nscore = { run = \"run.csv\", gold = \"beir\", map = \
                 { query = \"frage\", document = \"treffer\", score = \"wert\" } }\n\
                 require = [\"mrr >= 0.5\"]\n";
    let config = place("assize.toml");
    fs::write(&config, check).unwrap();
    let said = assize(&["check", "--config", &config]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    fs::write(&config, check.replace("document =", "dokument =")).unwrap();
    let said = assize(&["check", "--config", &config]);
    assert_eq!(said.code, 2, "{}{}", said.stdout, said.stderr);
}
