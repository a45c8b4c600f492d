//! `assize config show`, and where the file is found.

use std::fs;
use std::process::{Command, Output};

/// Runs `assize` in a folder, with a home and nothing else configured.
fn run(folder: &std::path::Path, home: &std::path::Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", home)
        .env("OPENAI_API_KEY", "sk-never-shown")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The value and the origin of a key.
fn shown(output: &Output, key: &str) -> (String, String) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    let line = stdout.lines().find(|line| line.split_whitespace().next() == Some(key));
    let line = line.unwrap_or_else(|| panic!("no {key} in\n{stdout}"));
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    (words[0].to_owned(), words[words.len() - 1].to_owned())
}

fn pair(value: &str, origin: &str) -> (String, String) {
    (value.to_owned(), origin.to_owned())
}

#[test]
fn each_value_is_shown_with_its_origin_and_a_key_only_as_set() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("project");
    let deep = project.join("data");
    fs::create_dir_all(&deep).unwrap();
    let nothing = run(&deep, home.path(), &["config", "show"]);
    assert_eq!(shown(&nothing, "database"), pair("assize.db", "default"));

    fs::create_dir_all(home.path().join(".config/assize")).unwrap();
    fs::write(home.path().join(".config/assize/assize.toml"), "database = 'own.db'\n").unwrap();
    let own = run(&deep, home.path(), &["config", "show"]);
    assert_eq!(shown(&own, "database"), pair("own.db", "file"));

    let file = "database = 'file.db'\n[models]\nconcurrency = 4\n[council]\nquorum = 3\n";
    fs::write(project.join("assize.toml"), file).unwrap();
    let found = run(&deep, home.path(), &["config", "show"]);
    assert_eq!(shown(&found, "database"), pair("file.db", "file"));
    assert_eq!(shown(&found, "models.concurrency"), pair("4", "file"));
    assert_eq!(shown(&found, "models.reply_timeout_seconds"), pair("120", "default"));
    assert_eq!(shown(&found, "council.quorum"), pair("3", "file"));
    assert_eq!(shown(&found, "endpoints.openai.key"), pair("set", "OPENAI_API_KEY"));
    assert!(!text(&found.stdout).contains("never-shown"));

    let flag = run(&deep, home.path(), &["config", "show", "--database", "flag.db"]);
    assert_eq!(shown(&flag, "database"), pair("flag.db", "flag"));
    // The flags of other commands take their defaults from the same file.
    let help = text(&run(&deep, home.path(), &["council", "ask", "--help"]).stdout);
    assert!(help.contains("[default: 4]") && help.contains("[default: file.db]"), "{help}");
}

#[test]
fn a_misspelt_key_stops_every_command_and_names_the_nearest() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("assize.toml"), "[models]\nbugdet = '2usd'\n").unwrap();
    for arguments in [&["config", "show"][..], &["models", "list"], &["db", "check"]] {
        let refused = run(home.path(), home.path(), arguments);
        assert_eq!(refused.status.code(), Some(2));
        let stderr = text(&refused.stderr);
        assert!(stderr.contains("bugdet") && stderr.contains("did you mean `budget`?"), "{stderr}");
    }
}

#[test]
fn an_empty_budget_is_refused_with_a_word_about_the_shell() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["council", "ask", "Why?", "--members", "openai/gpt-4o", "--budget", ""];
    let refused = run(home.path(), home.path(), &arguments);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = text(&refused.stderr);
    assert!(stderr.contains("5usd") && stderr.contains("shell"), "{stderr}");
}

#[test]
fn a_dry_run_knows_what_a_common_model_costs() {
    let home = tempfile::tempdir().unwrap();
    let arguments =
        ["council", "ask", "Why?", "--members", "openai/gpt-4o,openai/gpt-4o-mini", "--dry-run"];
    let said = run(home.path(), home.path(), &arguments);
    assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
    let stdout = text(&said.stdout);
    assert!(stdout.contains("price") && stdout.contains('$'), "{stdout}");
    assert!(!stdout.contains("unknown"), "{stdout}");
}
