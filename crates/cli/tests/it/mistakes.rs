//! Typical mistakes: each is refused with a message that names the cause and what to type instead.
//! Commands that only read leave no database behind, and help fits a terminal of 80 columns.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Said, assize, examples};

/// What is typed, with `|` between words that contain blanks, and what the message must say.
type Mistake = (&'static str, &'static [&'static str]);

const RETRIEVAL: [Mistake; 14] = [
    ("scor RUN GOLD", &["unrecognized subcommand 'scor'", "'score'"]),
    ("score semantic.json gold.json -m ndgc@10", &["`ndgc@10`", "did you mean ndcg@10?"]),
    ("score semantic.json gold.json -m map", &["`map` for passages", "map is for ranked runs"]),
    ("score semantic.json", &["only one file is given", "`assize score RUN GOLD`"]),
    ("score gold.json semantic.json", &["the two files seem to be swapped"]),
    ("score qrels.txt run.txt", &["run.txt looks like a run", "give the run first"]),
    ("score nothere.json gold.json", &["nothere.json: cannot be read", "No such file"]),
    ("score bad.json gold.json", &["bad.json:1:2: not valid JSON"]),
    ("score empty.json gold.json", &["empty.json: is empty"]),
    ("score run.txt qrels.txt -m ndcg@ten", &["`ndcg` takes a rank such as 10", "not `ten`"]),
    (
        "score run.txt qrels.txt --fail-under recall@10=80",
        &["recall@10 is 1 at most", "did you mean recall@10=0.8?"],
    ),
    ("score run.txt qrels.txt --fail-under recall@10", &["expected MEASURE=VALUE", "ndcg@10=0.4"]),
    (
        "score run.txt qrels.txt --fail-under recal@10=0.8",
        &["unknown measure `recal@10`", "did you mean recall@10?"],
    ),
    ("score run.txt qrels.txt -o nowhere/out.json", &["the folder nowhere does not exist"]),
];

const SUMMARIES_AND_JUDGES: [Mistake; 9] = [
    ("summary score pairs.jsonl", &["'pairs.jsonl'", "give the file with '--input pairs.jsonl'"]),
    ("summary score", &["required arguments", "--input <FILE>"]),
    (
        "summary score --input pairs.jsonl --framework twinlock",
        &["'twinlock'", "a similar value exists: 'twin-lock'"],
    ),
    (
        "summary score --input pairs.jsonl --map article=nothere",
        &["no column `nothere`", "the columns are `id`", "--map FIELD=COLUMN"],
    ),
    ("summary score --input pairs.jsonl --map article", &["expected FIELD=COLUMN"]),
    (
        "summary score --input pairs.jsonl --fail-under coverage=80",
        &["coverage is 10 at most", "did you mean coverage=8?"],
    ),
    (
        "summary score --input pairs.jsonl --judge openai/gpt-4o",
        &["OPENAI_API_KEY contains no API key", "`assize models list`"],
    ),
    ("agree", &["unrecognized subcommand 'agree'", "'summary agree'"]),
    ("judges bench pairs.jsonl", &["'pairs.jsonl'", "give the file with '--items pairs.jsonl'"]),
];

const COMPLIANCE: [Mistake; 9] = [
    ("evaluate policy.md", &["no criteria given", "--criteria"]),
    ("evaluate --criteria criteria.csv", &["no documents given", "FILES, or --documents"]),
    ("evaluate nothere.md --criteria criteria.csv", &["could not read nothere.md"]),
    (
        "evaluate policy.md --criteria prose.md",
        &["prose.md", "a document and no list of criteria", "CSV or XLSX"],
    ),
    (
        "evaluate policy.md --criteria criteria.csv --map id=Nothere",
        &["no column `Nothere`", "did you mean `criteria_id`", "--map FIELD=COLUMN"],
    ),
    (
        "evaluate policy.md --criteria criteria.csv --judge gpt-4",
        &["`gpt-4` is not a model", "such as openai/gpt-4o"],
    ),
    ("evaluate policy.md --criteria criteria.csv --budget ten", &["`ten` is not a budget", "5usd"]),
    ("export 1 -o report.docx", &["`.docx` is no output format", "xlsx|pdf"]),
    ("export 1 -o report.xlsx", &["assize.db: no such database", "--database"]),
];

const OTHERS: [Mistake; 9] = [
    ("council ask|What is 2 + 2?", &["no members given", "--members PROVIDER/MODEL"]),
    ("council ask|Why?|--members|openai/gpt-4o,gpt4", &["`gpt4` is not a model", "openai/gpt-4o"]),
    ("council review answers.json", &["no reviewers given", "--reviewers A,B,C"]),
    ("models test opnai/gpt-4", &["unknown provider `opnai`", "`assize models list`"]),
    ("serve --port 8080x", &["'8080x'", "a number from 0 to 65535, such as 8080"]),
    ("serve --bind localhost", &["'localhost'", "such as 127.0.0.1:8080"]),
    ("check", &["no assize.toml in this folder", "`assize init`"]),
    ("config show --config typo.toml", &["unknown field `sav`", "did you mean `save`?"]),
    ("users add ada --role admn", &["'admn'", "a similar value exists: 'admin'"]),
];

/// A folder with the samples under short names, and files with mistakes in them.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (sample, name) in [
        ("retrieval/semantic.json", "semantic.json"),
        ("retrieval/gold.json", "gold.json"),
        ("summary/pairs.jsonl", "pairs.jsonl"),
        ("compliance/access-policy.md", "policy.md"),
        ("compliance/criteria.csv", "criteria.csv"),
        ("council/answers.json", "answers.json"),
    ] {
        fs::copy(examples().join(sample), folder.path().join(name)).unwrap();
    }
    for (name, text) in [
        ("run.txt", "q1 Q0 d1 1 9.5 x\nq1 Q0 d2 2 8.5 x\n"),
        ("qrels.txt", "q1 0 d1 1\nq1 0 d2 0\n"),
        ("bad.json", "not json"),
        ("empty.json", ""),
        ("prose.md", "# Title\n\nSome prose about access.\n"),
        ("typo.toml", "[run]\nsav = true\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn typed(folder: &Path, line: &str) -> Said {
    let (first, rest) = line.split_once('|').unwrap_or((line, ""));
    let words = first.split(' ').chain(rest.split('|').filter(|word| !word.is_empty()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    // A key without a value is as good as none.
    let command = command.args(words).current_dir(folder).env("OPENAI_API_KEY", "");
    command.output().unwrap().into()
}

fn assert_named(line: &str, said: &Said, expected: &[&str]) {
    assert_eq!(said.code, 2, "assize {line}\n{}{}", said.stdout, said.stderr);
    for part in expected {
        assert!(said.stderr.contains(part), "assize {line}: no `{part}` in\n{}", said.stderr);
    }
}

#[test]
fn each_mistake_is_named_with_what_to_type_instead() {
    let folder = folder();
    let all = RETRIEVAL.iter().chain(&SUMMARIES_AND_JUDGES).chain(&COMPLIANCE).chain(&OTHERS);
    for (line, expected) in all {
        // Some get as far as making one.
        let _ = fs::remove_file(folder.path().join("assize.db"));
        assert_named(line, &typed(folder.path(), line), expected);
    }
}

#[test]
fn a_port_in_use_is_named_with_the_flag_for_another() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let line = format!("serve --port {}", taken.local_addr().unwrap().port());
    let said = typed(folder().path(), &line);
    assert_named(&line, &said, &["cannot listen on 127.0.0.1", "in use", "--port"]);
}

#[cfg(feature = "readers")]
#[test]
fn a_reader_that_nobody_knows_is_named_with_those_there_are() {
    let said = typed(folder().path(), "readers install nothere");
    assert_named(
        "readers install nothere",
        &said,
        &["`nothere`", "minilm-l6", "--from FOLDER|URL"],
    );
}

#[test]
fn commands_that_read_make_no_database() {
    let folder = folder();
    for line in [
        "runs list",
        "runs show 1",
        "runs compare 1 2",
        "runs verdicts 1",
        "runs bill 1",
        "runs ceiling",
        "runs resume 1",
        "runs delete 1 --yes",
        "criteria list",
        "criteria show x",
        "criteria rubric show x",
        "criteria template list",
        "documents list",
        "documents show x y",
        "truth list --documents x --criteria y",
        "accuracy latest",
        "export latest --format csv",
        "evaluate override 1 LIB-1 --score 5 --reason x --by y",
        "users list",
        "tokens list",
        "audit verify",
    ] {
        let said = typed(folder.path(), line);
        assert_named(
            line,
            &said,
            &["assize.db: no such database", "--database", "assize evaluate"],
        );
        assert!(!folder.path().join("assize.db").exists(), "assize {line}");
    }
    let line = "summary score --input pairs.jsonl --judge openai/gpt-4o --dry-run";
    let planned = typed(folder.path(), line);
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    assert!(planned.stdout.contains("calls to send"), "{}", planned.stdout);
    assert!(!folder.path().join("assize.db").exists(), "assize {line}");
}

#[test]
fn the_help_of_every_command_fits_80_columns() {
    let reference = assize(&["reference"]).stdout;
    let commands: Vec<&str> =
        reference.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`')).collect();
    assert!(commands.len() > 120, "{}", commands.len());
    for command in commands {
        let words: Vec<&str> = command.split(' ').skip(1).chain(["--help"]).collect();
        let help = assize(&words).stdout;
        let wide = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{command} --help");
    }
}
