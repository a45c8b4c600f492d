//! An empty database cluster that every server of the tests is a copy of.
//!
//! `initdb` takes a second of processor time, a copy a tenth of that, and each test process
//! starts a server of its own.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::programs::Programs;
use crate::run;

/// The arguments of `initdb`. The language is one whose order of words differs from that of
/// their bytes, as most have.
const ARGUMENTS: [&str; 7] = [
    "--auth=trust",
    "--username=assize",
    "--encoding=UTF8",
    "--no-sync",
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=en-US",
];

/// The template, made by whoever comes first.
pub(crate) fn cluster(programs: &Programs) -> PathBuf {
    let own = programs.folder();
    let owner = std::fs::metadata(&own).map(|folder| folder.uid()).ok();
    let mut hasher = DefaultHasher::new();
    (ARGUMENTS, programs.place(), owner).hash(&mut hasher);
    let name = format!("assize-postgres-template-{:016x}", hasher.finish());
    let template = std::env::temp_dir().join(name);
    // Anybody may write to a folder for temporary files; a template of somebody else is not ours.
    let is_ours = || std::fs::metadata(&template).is_ok_and(|found| Some(found.uid()) == owner);
    if !is_ours() {
        let fresh = own.join("data");
        run(programs.command("initdb").args(ARGUMENTS).arg(&fresh));
        // Whole or not at all: of several that come at once, the first wins.
        let _ = std::fs::rename(&fresh, &template);
    }
    assert!(is_ours(), "{} belongs to somebody else: remove it", template.display());
    let _ = std::fs::remove_dir_all(&own);
    template
}
