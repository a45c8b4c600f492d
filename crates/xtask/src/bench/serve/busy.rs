//! How long processes kept a core busy: the server's own, and the backends of its database.

use std::fs;

use anyhow::{Context, Result};

/// The time that one process kept a core busy so far, in hundredths of a second.
pub(super) fn ticks(process: u32) -> Result<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name in brackets may hold anything; user and system time are the 12th and 13th after it.
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = fields.get(11..13).context("the system does not say")?;
    ticks.iter().map(|ticks| Ok(ticks.parse::<u64>()?)).sum()
}

/// The same of all backends of a PostgreSQL database, which say in their titles whose they are.
/// Of SQLite there are none.
pub(super) fn backends(database: &str) -> u64 {
    let Some(name) = name_of(database) else { return 0 };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_backend = |process: &u32| {
        let title = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let title = String::from_utf8_lossy(&title);
        title.starts_with("postgres: ") && title.split(' ').any(|word| word == name)
    };
    numbers.filter(is_backend).filter_map(|process| ticks(process).ok()).sum()
}

fn name_of(database: &str) -> Option<&str> {
    let (_, rest) = database.split_once("://")?;
    let path = rest.split('?').next().unwrap_or(rest);
    path.split_once('/').map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_of_a_server_names_a_database() {
        assert_eq!(name_of("postgres://assize@localhost/one?host=/tmp/x"), Some("one"));
        assert_eq!(name_of("/tmp/serve.db"), None);
    }
}
