//! Commands of whoever runs a server: people, tokens, audit, backups.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::tempdir;

fn assize(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    command.args(words.split(' ')).current_dir(folder).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn people_and_tokens_are_made_listed_and_ended() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    let made = assize(at, "users add ann --role admin");
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    assert_eq!(printed(&made).trim().len(), 24, "the password, once");
    assert_eq!(assize(at, "users add ann").status.code(), Some(2));
    assert_eq!(assize(at, "users disable ann").status.code(), Some(2), "the last administrator");
    assert_eq!(assize(at, "users add bob --role viewer").status.code(), Some(0));
    assert_eq!(assize(at, "users role bob analyst").status.code(), Some(0));
    assert_eq!(assize(at, "users disable bob").status.code(), Some(0));
    let listed = printed(&assize(at, "users list"));
    assert!(listed.contains("analyst") && listed.contains("disabled"), "{listed}");
    let secret = printed(&assize(at, "tokens make ci --scope write"));
    assert!(secret.starts_with("assize_"), "{secret}");
    let listed = printed(&assize(at, "tokens list"));
    assert!(listed.contains("ci") && !listed.contains(secret.trim()), "{listed}");
    let id = listed.split_whitespace().find(|word| word.starts_with("token-")).unwrap();
    assert_eq!(assize(at, &format!("tokens revoke {id}")).status.code(), Some(0));
    assert!(printed(&assize(at, "tokens list")).contains("revoked"));
    let verified = printed(&assize(at, "audit verify"));
    assert!(verified.starts_with("6 entries, chain intact"), "{verified}");
    let exported = printed(&assize(at, "audit export --format csv"));
    assert_eq!(exported.lines().count(), 7, "{exported}");
    let other = assize(at, &format!("audit verify --expect {}", "0".repeat(64)));
    assert_eq!(other.status.code(), Some(3));
    for no_hash in ["00", "deadbeef", &"x".repeat(64)] {
        let refused = assize(at, &format!("audit verify --expect {no_hash}"));
        assert_eq!(refused.status.code(), Some(2), "no hash says nothing about the chain");
    }
}

#[test]
fn a_backup_is_made_checked_and_brought_back() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    assize(at, "users add ann --role admin");
    let made = assize(at, "db backup copy.db");
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    assert_eq!(assize(at, "db backup copy.db").status.code(), Some(2), "nothing is overwritten");
    assert_eq!(assize(at, "db restore copy.db").status.code(), Some(2), "nor here");
    let restored = assize(at, "db restore copy.db --database new.db");
    assert_eq!(restored.status.code(), Some(0), "{restored:?}");
    assert!(printed(&assize(at, "users list --database new.db")).contains("ann"));
    std::fs::write(at.join("broken.db"), "no backup at all, but long enough to look at").unwrap();
    let refused = assize(at, "db restore broken.db --database third.db");
    assert_ne!(refused.status.code(), Some(0));
    assert!(!at.join("third.db").exists());
}

#[test]
fn an_entry_that_was_changed_is_found_in_every_organisation() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    assize(at, "users add ann --role admin");
    assize(at, "users add bob --role admin --organisation theirs");
    let verified = printed(&assize(at, "audit verify"));
    assert!(verified.contains("theirs: 1 entries, chain intact"), "{verified}");
    let last = verified.lines().find(|line| line.starts_with("theirs")).unwrap();
    let hash = last.rsplit(' ').next().unwrap();
    assert_eq!(assize(at, &format!("audit verify --expect {hash}")).status.code(), Some(0));
    crate::doctor::sql(
        &at.join("assize.db"),
        "UPDATE audit SET who = 'nobody' WHERE organisation_id = \
         (SELECT id FROM organisations WHERE name = 'theirs')",
    );
    let verified = assize(at, "audit verify");
    assert_eq!(verified.status.code(), Some(3), "{verified:?}");
    let told = String::from_utf8(verified.stderr).unwrap();
    assert!(told.contains("theirs: entry 1 was changed"), "{told}");
    let doctor = printed(&assize(at, "doctor"));
    assert!(doctor.contains("audit: theirs: entry 1 is not what was recorded"), "{doctor}");
}

#[test]
fn who_is_removed_or_keeps_no_longer_is_told_and_audited() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    assize(at, "users add ann --role admin");
    assize(at, "users add bob --role analyst");
    assert_eq!(assize(at, "users sign-out bob").status.code(), Some(0));
    assert_eq!(assize(at, "users reset bob --codes").status.code(), Some(0));
    assert_eq!(assize(at, "users remove bob").status.code(), Some(2), "only with --yes");
    let removed = assize(at, "users remove bob --yes");
    assert!(printed(&removed).starts_with("former user "), "{removed:?}");
    assert_eq!(assize(at, "users remove ann --yes").status.code(), Some(2), "the last one");
    assert!(!printed(&assize(at, "users list")).contains("bob"));
    assert_eq!(printed(&assize(at, "db retention")), "runs forever\ndocuments forever\n");
    let kept = assize(at, "db retention --runs 52w");
    assert_eq!(printed(&kept), "runs 364d\ndocuments forever\n", "{kept:?}");
    assert_eq!(assize(at, "db retention --documents 0d").status.code(), Some(2));
    assert_eq!(assize(at, "db prune").status.code(), Some(2), "what?");
    assert_eq!(assize(at, "db prune --expired").status.code(), Some(0));
    let exported = printed(&assize(at, "audit export --format csv"));
    for word in ["remove", "one-time codes", "everywhere", "retention"] {
        assert!(exported.contains(word), "{word}: {exported}");
    }
    assert!(printed(&assize(at, "audit verify")).contains("chain intact"));
}

/// Where the secret of a token begins in a text, if one is there: `assize_` and what it is made of.
fn secret_in(bytes: &[u8]) -> Option<usize> {
    const START: &[u8] = b"assize_";
    let is_secret = |rest: &[u8]| rest.len() >= 64 && rest[..64].iter().all(u8::is_ascii_hexdigit);
    let mut starts = bytes.windows(START.len()).enumerate().filter(|(_, word)| *word == START);
    starts.find(|(place, _)| is_secret(&bytes[place + START.len()..])).map(|(place, _)| place)
}

/// A server makes tokens, one of them with a key under which its answer would be kept.
fn make_tokens(folder: &Path, database: &str) -> Vec<String> {
    let server = crate::serve::Server::start(folder, &["--database", database]);
    let mut secrets = Vec::new();
    for key in ["", "Idempotency-Key: once\r\n"] {
        let body = r#"{"name": "ci", "scope": "write"}"#;
        let made = server.ask_with("POST", "/api/v1/tokens", key, body);
        assert_eq!(made.0, 201, "{}", made.1);
        let made: serde_json::Value = serde_json::from_str(&made.1).unwrap();
        secrets.push(made["secret"].as_str().unwrap().to_owned());
    }
    let printed = printed(&assize(folder, &format!("tokens make more --database {database}")));
    secrets.push(printed.trim().to_owned());
    secrets
}

/// Searched for by their form, so that none is missed that nobody thought of.
#[test]
fn no_backup_holds_the_secret_of_a_token() {
    let (folder, postgres) = (tempdir().unwrap(), assize_testbed::Postgres::shared());
    let at = folder.path();
    let url = postgres.database();
    for (database, copy) in [("assize.db", "copy.db"), (&url, "copy.dump")] {
        for secret in make_tokens(at, database) {
            assert_eq!(secret_in(secret.as_bytes()), Some(0), "the form is another: {secret}");
        }
        let made = assize(at, &format!("db backup {copy} --database {database}"));
        assert_eq!(made.status.code(), Some(0), "{made:?}");
        let mut bytes = std::fs::read(at.join(copy)).unwrap();
        if copy == "copy.dump" {
            // As text: what is packed shows nothing.
            let mut restore = Command::new("pg_restore");
            let restored = restore.args(["--file", "-", copy]).current_dir(at).output().unwrap();
            assert!(restored.status.success(), "{restored:?}");
            bytes = restored.stdout;
        }
        let holds = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
        assert!(holds(b"api_tokens") && holds(b"ci"), "{copy} holds no tokens at all");
        assert_eq!(secret_in(&bytes), None, "{copy}");
    }
}

#[test]
fn a_database_of_postgresql_is_backed_up_and_restored_by_its_own_programs() {
    let (folder, postgres) = (tempdir().unwrap(), assize_testbed::Postgres::shared());
    let (from, to) = (postgres.database(), postgres.database());
    let at = folder.path();
    assize(at, &format!("users add ann --role admin --database {from}"));
    let made = assize(at, &format!("db backup copy.dump --database {from}"));
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let again = assize(at, &format!("db backup copy.dump --database {from}"));
    assert_eq!(again.status.code(), Some(2), "nothing is overwritten: {again:?}");
    let restored = assize(at, &format!("db restore copy.dump --database {to}"));
    assert_eq!(restored.status.code(), Some(0), "{restored:?}");
    assert!(printed(&assize(at, &format!("users list --database {to}"))).contains("ann"));
    let over = assize(at, &format!("db restore copy.dump --database {to}"));
    assert_eq!(over.status.code(), Some(2), "there is something: {over:?}");
    let gone = assize(at, "db backup other.dump --database postgres://ada:secret@127.0.0.1:1/x");
    assert_ne!(gone.status.code(), Some(0));
    assert!(!format!("{gone:?}").contains("secret"), "{gone:?}");
    assert!(!at.join("other.dump").exists());
}
