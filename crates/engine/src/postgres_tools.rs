//! The programs that come with PostgreSQL: its databases are backed up and restored by them.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use assize_store::StoreError;

/// Writes everything to a file that is there already and empty, and looks whether it can be read.
pub(crate) fn dump(url: &str, to: &Path) -> Result<(), StoreError> {
    let (address, password) = apart(url);
    let mut dump = Command::new("pg_dump");
    dump.args(["--format=custom", "--no-password", "--file"]).arg(to).arg(&address);
    run(&mut dump, password)?;
    run(Command::new("pg_restore").arg("--list").arg(to), None)
}

/// Brings such a file back to an empty database: all of it or nothing.
pub(crate) fn restore(url: &str, from: &Path) -> Result<(), StoreError> {
    let (address, password) = apart(url);
    let mut restore = Command::new("pg_restore");
    restore.args(["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]);
    restore.args(["--no-password", "--dbname", &address]).arg(from);
    run(&mut restore, password)
}

/// Runs one of them. A password goes by its environment: arguments are seen by everybody.
fn run(command: &mut Command, password: Option<String>) -> Result<(), StoreError> {
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    let name = command.get_program().to_string_lossy().into_owned();
    let told = command.output().map_err(|error| {
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        let because = match error.kind() {
            ErrorKind::NotFound => "not found: install the client programs of PostgreSQL".into(),
            _ => error.to_string(),
        };
        StoreError::Refused(format!("{name}: {because}, or run `{name} {}`", words.join(" ")))
    })?;
    if told.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&told.stderr);
    let first = words.lines().next().unwrap_or("it failed without a word");
    let named = if first.starts_with(&name) { String::new() } else { format!("{name}: ") };
    Err(StoreError::Refused(format!("{named}{first}")))
}

/// An address without its password, and the password.
fn apart(url: &str) -> (String, Option<String>) {
    let whole = || (url.to_owned(), None);
    let Some((scheme, rest)) = url.split_once("://") else { return whole() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let Some((person, host)) = authority.rsplit_once('@') else { return whole() };
    let Some((user, password)) = person.split_once(':') else { return whole() };
    (format!("{scheme}://{user}@{host}{path}"), Some(decoded(password)))
}

/// A part of an address as it was before.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let code = more.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_no_part_of_what_everybody_sees() {
        let told = |url: &str| apart(url);
        assert_eq!(
            told("postgres://ada:s%40%2fc%ret@db.example:5432/assize?sslmode=require"),
            (
                "postgres://ada@db.example:5432/assize?sslmode=require".into(),
                Some("s@/c%ret".into())
            )
        );
        for plain in ["postgres://ada@db/assize", "postgres:///assize?host=/a:b@c", "assize"] {
            assert_eq!(told(plain), (plain.to_owned(), None));
        }
    }
}
