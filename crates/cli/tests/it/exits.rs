//! Exit codes: a database or provider that fails is 3 in every command that uses one.

use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use assize_injector::{Fault, When};

use crate::clerk::{Clerk, forms};
#[cfg(unix)]
use crate::support::examples;
use crate::support::{Said, assize};

/// Nobody listens there, and the password must not be shown.
const DEAD: &str = "postgres://ada:hunter2@127.0.0.1:1/assize";

/// What a command needs beyond what its usage names, so that it gets as far as its database.
fn also_needed(command: &str) -> &'static [&'static str] {
    match command {
        "assize summary score" => &[
            "--input",
            "summary/pairs.jsonl",
            "--judge",
            "local/a",
            "--endpoint",
            "http://[::1]:1",
        ],
        "assize council ask" => {
            &["--members", "local/a,local/b", "--endpoint", "http://127.0.0.1:1"]
        }
        "assize council gate" => {
            &["council/gate.jsonl", "--judge", "local/a", "--endpoint", "http://127.0.0.1:1"]
        }
        "assize db prune" => &["--exchanges", "older-than", "90d"],
        "assize council review" => &["--reviewers", "local/a", "--endpoint", "http://127.0.0.1:1"],
        "assize evaluate" => &["compliance/access-policy.md", "--criteria", "x"],
        "assize evaluate override" | "assize truth adjudicate" => &["--score", "5", "--by", "x"],
        "assize optimize" => &["--documents", "x", "--criteria", "x"],
        "assize export" => &["--format", "csv"],
        "assize score" => &["retrieval/gold.json", "--save"],
        "assize runs delete"
        | "assize db erase"
        | "assize criteria delete"
        | "assize documents delete" => &["--yes"],
        "assize runs approve" => &["--by", "x"],
        "assize truth keep" => &["--analyst", "x"],
        "assize runs rescore" => &["--framework", "twin-lock"],
        "assize runs tag" => &["x"],
        "assize council report" => &["--stored"],
        _ => &[],
    }
}

/// Rubric and response structure as files, made from those of a set.
fn settings(folder: &Path) -> [String; 2] {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let database = path("settings.db");
    let at = ["--database", &database];
    let import = ["criteria", "import", "compliance/criteria.csv", "--name", "x"];
    assert_eq!(assize(&[&import[..], &at].concat()).code, 0);
    ["rubric", "structure"].map(|what| {
        let shown =
            assize(&[&["criteria", what, "show", "x", "--format", "json"], &at[..]].concat());
        assert_eq!(shown.code, 0, "{}", shown.stderr);
        std::fs::write(path(what), shown.stdout).unwrap();
        path(what)
    })
}

/// Something for each argument that the usage of a command asks for.
fn arguments(command: &str, usage: &str, [rubric, structure]: &[String; 2]) -> Vec<String> {
    let usage = usage.strip_prefix(command).unwrap();
    let mut all: Vec<String> = command.split(' ').skip(1).map(str::to_owned).collect();
    // Alternatives, as in `<--score <0-100>|…>`, are named in `also_needed`.
    for word in usage.split(' ').filter(|word| !word.contains('|') && !word.starts_with("<--")) {
        match word.trim_end_matches("...") {
            flag if flag.starts_with("--") => all.push(flag.to_owned()),
            "<PREDICTIONS>" => all.push("retrieval/semantic.json".to_owned()),
            "<GOLD>" => all.push("retrieval/gold.json".to_owned()),
            "<ANSWERS>" => all.push("council/answers.json".to_owned()),
            "<FILE>" if command.contains("rubric") => all.push(rubric.clone()),
            "<FILE>" if command.contains("structure") => all.push(structure.clone()),
            "<FILE>" if command.contains("truth") => all.push("compliance/truth.csv".to_owned()),
            "<FILE>" if command == "assize db export" => all.push("-".to_owned()),
            // A backup goes to a file that is not there yet.
            "<FILE>" if command == "assize db backup" => all.push(format!("{rubric}.backup")),
            "<FILE>" | "<FILES>" => all.push("compliance/criteria.csv".to_owned()),
            "<ROLE>" => all.push("admin".to_owned()),
            // A judge that is a stored run; whoever rates is a column.
            "<NAME=SOURCE>" if all.last().is_some_and(|flag| flag == "--judges") => {
                all.push("a=run:1@coverage".to_owned());
            }
            "<NAME=SOURCE>" => all.push("b=col:criteria_id".to_owned()),
            argument if argument.starts_with('<') => all.push("1".to_owned()),
            _ => {}
        }
    }
    all.extend(also_needed(command).iter().map(|text| (*text).to_owned()));
    all
}

/// Every command whose help has the switch, with its usage.
fn commands_with(switch: &str) -> Vec<(String, String)> {
    let reference = assize(&["reference"]).stdout;
    let blocks = reference.split("\n## `").skip(1).filter(|block| block.contains(switch));
    let named = blocks.map(|block| {
        let (_, usage) = block.split_once("\nUsage: ").unwrap();
        let (usage, _) = usage.split_once("\n\n").unwrap_or((usage, ""));
        let usage: Vec<&str> = usage.split_whitespace().collect();
        (block.split('`').next().unwrap().to_owned(), usage.join(" "))
    });
    // A group of commands has none itself, a server opens its database when it is called, `config
    // show` only says which one would be opened, `check` opens it for a model alone, `db restore`
    // sends whoever has a server to its own tools, and `doctor` writes what it finds to stdout.
    let late =
        ["assize mcp", "assize config show", "assize check", "assize db restore", "assize doctor"];
    let opens = |name: &str| !late.contains(&name);
    named.filter(|(name, usage)| !usage.contains("<COMMAND>") && opens(name)).collect()
}

#[test]
fn a_dead_database_is_exit_code_3_in_every_command() {
    let commands = commands_with("--database <");
    assert!(commands.len() > 30, "{}", commands.len());
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(folder.path());
    for (command, usage) in commands {
        let arguments = arguments(&command, &usage, &settings);
        let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        all.extend(["--database", DEAD]);
        let Said { code, stderr, .. } = assize(&all);
        assert_eq!(code, 3, "{all:?}: {stderr}");
        assert!(stderr.contains("postgres://ada@127.0.0.1:1/assize"), "{all:?}: {stderr}");
        assert!(!stderr.contains("hunter2"), "{all:?}: {stderr}");
    }
}

#[test]
fn a_provider_that_rejects_the_key_is_exit_code_3_in_every_command() {
    let script = forms("nothing").with(When::Always, Fault::status(401, "no such key"));
    let mut clerk = Clerk::start(script);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (database, kept, url) = (path("kept.db"), path("kept.json"), clerk.url());
    let asking = ["--endpoint", &url, "--database", &database];
    let commands: [&[&str]; 5] = [
        &["models", "test", "local/a"],
        &["summary", "score", "--input", "summary/pairs.jsonl", "--judge", "local/a"],
        &["council", "ask", "Why?", "--members", "local/a,local/b", "--run", &kept],
        &["council", "review", "council/answers.json", "--reviewers", "local/a", "--run", &kept],
        &[
            "evaluate",
            "compliance/access-policy.md",
            "--criteria",
            "compliance/criteria.csv",
            "--judge",
            "local/a",
        ],
    ];
    for command in commands {
        let flags = if command[0] == "models" { &asking[..2] } else { &asking[..] };
        let said = assize(&[command, flags].concat());
        let words = said.stderr + &said.stdout;
        assert_eq!(said.code, 3, "{command:?}: {words}");
        assert!(words.contains("rejected the API key (401)"), "{command:?}: {words}");
    }
    clerk.die();
}

/// What is wrong with the request is 2, whichever command finds it.
#[test]
fn what_is_not_there_or_cannot_be_used_is_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("a.db").to_str().unwrap().to_owned();
    let saved = ["score", "retrieval/keyword.json", "retrieval/gold.json", "--save", "--database"];
    assert_eq!(assize(&[&saved[..], &[&*database]].concat()).code, 0);
    for (command, words) in [
        (&["runs", "show", "77", "--database", &database][..], "`assize runs list` shows"),
        (&["criteria", "show", "x", "--database", &database], "run `assize criteria list` to see"),
        (&["models", "test", "nobody/x"], "[endpoints.nobody]"),
        (&["council", "review", "council/answers.json"], "--reviewers A,B,C"),
        (&["score", "no-such-file.json", "retrieval/gold.json"], "no-such-file.json"),
    ] {
        let said = assize(command);
        assert_eq!(said.code, 2, "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{command:?}: {}", said.stderr);
    }
}

/// Waits until a process has a handler for SIGINT: before that, the signal would simply kill it.
#[cfg(unix)]
fn wait_until_interrupts_are_caught(process: u32) {
    const SIGINT: u64 = 1 << 1;
    let begun = Instant::now();
    let is_caught = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(mask.trim(), 16).unwrap() & SIGINT != 0)
    };
    while begun.elapsed() < Duration::from_secs(30) {
        match is_caught() {
            Some(true) => return,
            Some(false) => std::thread::sleep(Duration::from_millis(5)),
            // A system that does not tell.
            None => return std::thread::sleep(Duration::from_secs(1)),
        }
    }
    panic!("no handler for SIGINT after 30 seconds");
}

/// Ten million resamples take minutes; nobody has to wait for them.
#[cfg(unix)]
#[test]
fn resampling_ends_with_130_when_it_is_interrupted() {
    let files = ["retrieval/gold.json", "retrieval/keyword.json", "retrieval/semantic.json"];
    let [gold, keyword, semantic] = files;
    for command in [
        &["score", keyword, gold, "--resamples", "10000000"][..],
        &["compare", gold, keyword, semantic, "--resamples", "10000000"],
    ] {
        let child = Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(command)
            .current_dir(examples())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_interrupts_are_caught(child.id());
        let asked = Instant::now();
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{command:?}: {stderr}");
        assert!(stderr.contains("stopped on request"), "{command:?}: {stderr}");
        assert!(ended.stdout.is_empty(), "{command:?} had ended before it was interrupted");
        assert!(asked.elapsed() < Duration::from_secs(5), "{command:?}");
    }
}
