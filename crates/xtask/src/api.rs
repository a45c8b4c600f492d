//! `cargo xtask test api`: schemathesis against a running server, all operations, both databases.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use assize_testbed::Postgres;

use crate::bench::{Client, Server};
use crate::checks::{cargo_program, root};
use crate::python::Environment;
use crate::say;

/// Pinned: what a version finds should not depend on the day.
const PACKAGE: &str = "schemathesis==4.32.5";
/// What must hold for every answer. Whether wrong input is refused is not for it to say: a run
/// that does not exist is 404 whatever the rest of the request holds.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,unsupported_method";
/// Requests of each operation in each phase, unless somebody says so.
const EXAMPLES: &str = "50";

/// Runs it over SQLite and PostgreSQL, each with the samples of all four instruments.
pub(crate) fn test(words: &[&str]) -> Result<()> {
    let (mut binary, mut examples) = (None, EXAMPLES);
    let (mut sqlite, mut postgres) = (true, true);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match *word {
            "--binary" => binary = Some(PathBuf::from(value()?)),
            "--examples" => examples = value()?,
            "--sqlite" => postgres = false,
            "--postgres" => sqlite = false,
            other => bail!(
                "what is {other}? There are --binary PATH, --examples N, --sqlite, --postgres"
            ),
        }
    }
    ensure!(sqlite || postgres, "one database at least");
    let binary = binary.map_or_else(built, Ok)?;
    let python = Environment::made("schemathesis", &[PACKAGE])?;
    if sqlite {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("api.db").display().to_string();
        against(&python, &binary, ("SQLite", &file), examples)?;
    }
    if postgres {
        let server = Postgres::start();
        against(&python, &binary, ("PostgreSQL", &server.database()), examples)?;
    }
    Ok(())
}

fn built() -> Result<PathBuf> {
    let mut build = cargo_program();
    build.args(["build", "--package", "assize"]).current_dir(root());
    ensure!(build.status()?.success(), "the build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR");
    Ok(target.map_or_else(|| root().join("target"), PathBuf::from).join("debug/assize"))
}

fn against(
    python: &Environment,
    binary: &std::path::Path,
    (name, database): (&str, &str),
    examples: &str,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    // No model can be asked: requests that are made up must not reach anybody.
    let server = Server::start(binary, folder.path(), database, &["--allow-model", "nobody/*"])?;
    Client::connect(&server.address)?.post("/api/v1/demo", "")?;
    let location = format!("http://{}/api/v1/openapi.json", server.address);
    say(&format!("== schemathesis over {name}"));
    let report = folder.path().display().to_string();
    let words = [
        "-m",
        "schemathesis.cli",
        "run",
        &location,
        "--checks",
        CHECKS,
        "--max-examples",
        examples,
        "--seed",
        "1",
        "--request-timeout",
        "30",
        "--continue-on-failure",
        "--no-color",
        "--suppress-health-check",
        "all",
        "--report-dir",
        &report,
    ];
    python.run(&format!("schemathesis over {name}"), &words, std::path::Path::new("."))
}
