//! The guide to running a server, followed: its commands, its unit, its roles, its compose file.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assize_testbed::Postgres;
use tempfile::tempdir;

use crate::serve::Server;

const GUIDE: &str = include_str!("../../../../docs/guide/deploy.md");
const UNIT: &str = include_str!("../../../../examples/deploy/assize.service");
const COMPOSE: &str = include_str!("../../../../examples/deploy/compose.yaml");

fn assize(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    command.args(words).current_dir(folder).env_remove("ASSIZE_DATABASE_URL").output().unwrap()
}

/// Does what must go well; returns what it printed.
fn done(folder: &Path, words: &[&str]) -> String {
    let said = assize(folder, words);
    assert!(said.status.success(), "{words:?}: {said:?}");
    String::from_utf8(said.stdout).unwrap()
}

/// Refuses words that the program does not take; does nothing.
fn is_known(words: &[&str]) {
    let mut asked = words.to_vec();
    asked.push("--help");
    let said = assize(Path::new("/"), &asked);
    assert!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
}

#[test]
fn the_program_takes_every_command_of_the_guide() {
    let whole = GUIDE.replace("\\\n", " ").replace("\"/backup/assize-$(date +%F).db\"", "x.db");
    let is_command = |line: &&str| line.starts_with("assize ");
    let (mut fenced, mut commands) = (false, Vec::new());
    for line in whole.lines() {
        fenced ^= line.starts_with("```");
        commands.extend(Some(line).filter(|line| fenced && is_command(line)));
    }
    assert!(commands.len() > 8, "{commands:?}");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        is_known(&words);
    }
}

/// The words after a flag, without it and its value.
fn without(words: &[&str], flags: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if flags.contains(word) {
            words.next();
        } else {
            kept.push((*word).to_owned());
        }
    }
    kept
}

/// Starts what a command line begins with `serve` starts, at an address of this machine.
fn started(folder: &Path, words: &[&str], database: &str) -> Server {
    assert_eq!(words[0], "serve");
    let kept = without(&words[1..], &["--bind", "--probe-bind", "--log", "--database"]);
    let mut more: Vec<&str> = kept.iter().map(String::as_str).collect();
    more.extend(["--auth", "accounts", "--database", database]);
    Server::start(folder, &more)
}

/// It lets in whom it should, by the name that it was given.
fn serves_by_name(server: &Server) {
    assert_eq!(server.ask("GET", "/readyz", "").0, 200);
    assert_eq!(server.ask("GET", "/api/v1/runs", "").0, 401);
    let status = |host: &str| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        write!(stream, "GET /api/v1/runs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer[9..12].parse::<u16>().unwrap()
    };
    assert_eq!((status("assize.example.org"), status("evil.example")), (401, 421));
}

#[test]
fn the_unit_is_sound_and_what_it_starts_answers() {
    let folder = tempdir().unwrap();
    let unit = folder.path().join("assize.service");
    std::fs::write(&unit, UNIT.replace("/usr/local/bin/assize", env!("CARGO_BIN_EXE_assize")))
        .unwrap();
    let said = Command::new("systemd-analyze").arg("verify").arg(&unit).output().unwrap();
    let told = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success() && !told.contains("assize.service"), "{told}");
    let line = UNIT.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    is_known(&words);
    serves_by_name(&started(folder.path(), &words, "assize.db"));
}

/// The commands of the compose file that the image of the program runs.
fn composed() -> Vec<Vec<String>> {
    let lines = COMPOSE.lines().filter_map(|line| line.trim().strip_prefix("command: "));
    let all = lines.map(|line| serde_json::from_str::<Vec<String>>(line).unwrap());
    let ours = all.filter(|words| words[0] != "caddy");
    let named = |word: String| word.replace("${ASSIZE_HOST:?}", "assize.example.org");
    ours.map(|words| words.into_iter().map(named).collect()).collect()
}

fn psql(url: &str, file: &Path) {
    let mut psql = Command::new("psql");
    psql.args(["--no-psqlrc", "--quiet", "--file"]).arg(file).arg(url);
    for role in ["OWNER", "APP", "READER"] {
        psql.env(format!("ASSIZE_{role}_PASSWORD"), "it's a secret");
    }
    let said = psql.output().unwrap();
    assert!(said.status.success(), "{said:?}");
}

#[test]
fn postgresql_with_its_roles_serves_is_backed_up_restored_and_upgraded() {
    let (folder, postgres) = (tempdir().unwrap(), Postgres::start());
    let at = folder.path();
    let admin = postgres.database();
    let sql = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/deploy/roles.sql");
    psql(&admin, &sql);
    let (_, host) = admin.split_once('?').unwrap();
    let by = |role: &str| format!("postgres://assize_{role}@localhost/assize?{host}");
    let (owner, app, reader) = (by("owner"), by("app"), by("reader"));

    let [migrate, serve] = composed().try_into().unwrap();
    let words = |all: &[String]| all.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    assert_eq!(words(&migrate), "db migrate");
    assert_ne!(assize(at, &["db", "migrate", "--database", &app]).status.code(), Some(0));
    done(at, &["db", "migrate", "--database", &owner]);
    done(at, &["users", "add", "ann", "--role", "admin", "--database", &app]);
    let serve: Vec<&str> = serve.iter().map(String::as_str).collect();
    is_known(&serve);
    serves_by_name(&started(at, &serve, &app));

    // Who only reads backs up, and can do nothing else.
    done(at, &["db", "backup", "copy.dump", "--database", &reader]);
    assert!(done(at, &["users", "list", "--database", &reader]).contains("ann"));
    let refused = assize(at, &["users", "disable", "ann", "--database", &reader]);
    assert_ne!(refused.status.code(), Some(0));
    postgres.ask(
        &by("owner").replace("assize_owner@", "assize@"),
        "CREATE DATABASE again OWNER assize_owner",
    );
    let again = owner.replace("/assize?", "/again?");
    done(at, &["db", "restore", "copy.dump", "--database", &again]);
    assert!(done(at, &["users", "list", "--database", &again]).contains("ann"));
    assert!(done(at, &["audit", "verify", "--database", &again]).contains("chain intact"));

    // An upgrade: what is up to date stays as it is, and the server starts again.
    done(at, &["db", "migrate", "--database", &owner]);
    serves_by_name(&started(at, &serve, &app));
}
