//! `assize db …` from the outside.

use std::process::Command;

use assize_testbed::Postgres;

use crate::support::{Said, assize};

fn db(action: &str, database: &str, more: &[&str]) -> Said {
    let mut arguments = vec!["db", action, "--database", database];
    arguments.extend(more);
    assize(&arguments)
}

#[test]
fn a_fresh_database_is_made_found_sound_and_moved_from_file_to_server_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (one, two) = (path("one.db"), path("two.db"));
    let server = Postgres::start();
    let url = server.database();
    let made = db("migrate", &one, &[]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    assert!(made.stdout.contains("created at schema version"), "{}", made.stdout);
    assert!(db("migrate", &one, &[]).stdout.contains("already"));
    let checked = db("check", &one, &[]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(checked.stdout.contains("ok; schema version"), "{}", checked.stdout);
    let files = [path("a.jsonl"), path("b.jsonl"), path("c.jsonl")];
    for (from, to, file) in [(&one, &url, &files[0]), (&url, &two, &files[1])] {
        let exported = db("export", from, &[file]);
        assert_eq!(exported.code, 0, "{}", exported.stderr);
        let imported = db("import", to, &[file]);
        assert_eq!(imported.code, 0, "{}", imported.stderr);
        assert_eq!(db("check", to, &[]).code, 0);
    }
    assert_eq!(db("export", &two, &[&files[2]]).code, 0);
    let texts = files.map(|file| std::fs::read_to_string(file).unwrap());
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
    assert!(texts[0].lines().count() > 2, "{}", texts[0]);
}

#[test]
fn two_processes_may_migrate_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Postgres::start();
    let file = folder.path().join("assize.db").to_str().unwrap().to_owned();
    for database in [file, server.database()] {
        let start = || {
            Command::new(env!("CARGO_BIN_EXE_assize"))
                .args(["db", "migrate", "--database", &database])
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        };
        let processes: Vec<_> = (0..4).map(|_| start()).collect();
        let mut fresh = 0;
        for process in processes {
            let output = process.wait_with_output().unwrap();
            let words = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{words}");
            fresh += usize::from(String::from_utf8(output.stdout).unwrap().contains("created at"));
        }
        assert_eq!(fresh, 1);
        assert_eq!(db("check", &database, &[]).code, 0);
    }
}

#[test]
fn what_is_not_there_is_not_made_by_looking_at_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    let said = db("check", path.to_str().unwrap(), &[]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("there is no store"), "{}", said.stderr);
    assert!(!path.exists());
    let said = db("check", "postgres://ada:secret@127.0.0.1:1/x", &[]);
    assert_eq!(said.code, 3);
    assert!(said.stderr.contains("could not open the database postgres://ada@127.0.0.1:1/x"));
    assert!(!said.stderr.contains("secret"), "{}", said.stderr);
}

#[test]
fn the_old_name_of_the_switch_still_works_and_says_so_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db").to_str().unwrap().to_owned();
    // Setting a ceiling writes, so that the database is made, under the old name too.
    let said = assize(&["runs", "ceiling", "60k", "--store", &path]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("--store is deprecated; use --database"), "{}", said.stderr);
    assert!(std::path::Path::new(&path).exists());
}

#[test]
fn a_database_that_cannot_be_used_is_refused_by_its_scheme_and_without_its_password() {
    let url = "mysql://root:hunter2@localhost/assize";
    for command in [
        vec!["db", "check"],
        vec!["runs", "list"],
        vec!["council", "ask", "Why?", "--members", "local/a,local/b", "--dry-run"],
        vec!["summary", "score", "--input", "summary/pairs.jsonl", "--judge", "local/a"],
    ] {
        let said = assize(&[&command[..], &["--database", url]].concat());
        assert_eq!(said.code, 2, "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains("`mysql` databases"), "{command:?}: {}", said.stderr);
        assert!(!said.stderr.contains("hunter2"), "{command:?}: {}", said.stderr);
    }
}
