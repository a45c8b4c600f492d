//! The readers that can be installed by name.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Where readers come from unless the configuration says otherwise.
pub(crate) const HUB: &str = "https://huggingface.co";

/// The revision that is asked for where none is pinned.
const LATEST: &str = "main";

/// A reader that the manifest names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// What it is installed by.
    pub name: String,
    /// `encoder` or `entailment`.
    pub kind: String,
    /// Its name at the hub.
    pub repository: String,
    /// The revision, where one was verified.
    pub revision: Option<String>,
    /// The licence that its card states.
    pub licence: String,
    /// The languages it reads.
    pub languages: String,
    /// Files whose hashes were verified.
    #[serde(default)]
    pub sha256: BTreeMap<String, String>,
    /// What is put before a question, where only the card says so.
    pub question_prompt: Option<String>,
    /// What is put before a passage, where only the card says so.
    pub passage_prompt: Option<String>,
}

impl Known {
    /// The address that file names are added to.
    pub fn address(&self, hub: &str) -> String {
        let revision = self.revision.as_deref().unwrap_or(LATEST);
        format!("{}/{}/resolve/{revision}", hub.trim_end_matches('/'), self.repository)
    }
}

/// The manifest that ships.
pub fn shipped() -> Vec<Known> {
    #[derive(Deserialize)]
    struct Manifest {
        reader: Vec<Known>,
    }
    let manifest: Manifest = toml::from_str(include_str!("../../defaults/readers.toml"))
        .expect("a test reads the manifest");
    manifest.reader
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_has_two_of_each_kind_and_one_that_reads_many_languages() {
        let all = shipped();
        for kind in ["encoder", "entailment"] {
            let of_kind: Vec<_> = all.iter().filter(|one| one.kind == kind).collect();
            assert!(of_kind.len() >= 2, "{kind}");
            assert!(of_kind.iter().any(|one| one.languages.contains("100")), "{kind}");
        }
        for one in &all {
            assert!(one.sha256.values().all(|hash| hash.len() == 64), "{}", one.name);
        }
        let address = all[0].address("http://hub/");
        assert_eq!(address, "http://hub/sentence-transformers/all-MiniLM-L6-v2/resolve/main");
    }
}
