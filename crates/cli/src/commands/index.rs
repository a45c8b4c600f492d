//! `assize index`: a folder of texts kept as an index on disk.

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::retrieve::notes;
use assize_search::disk::DiskIndex;
use clap::Args;

use super::retrieve::corpus::{ChunkArguments, say};
use crate::exit::Done;
use crate::output::files;
use crate::output::progress::Stage;

const NOTES: &str = "\
Run it again after adding, changing or removing files: only those are processed. It can be interrupted at any
time; the next run continues from there.";

/// Build or update an on-disk index of a folder of text files.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The folder of text files, read recursively
    pub(crate) corpus: PathBuf,
    /// Folder of the index; created if it does not exist
    #[arg(long, value_name = "FOLDER")]
    pub(crate) index: PathBuf,
    #[command(flatten)]
    pub(crate) cut: ChunkArguments,
}

/// Brings the index up to date.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let mut index =
        DiskIndex::open_or_create(&arguments.index, arguments.cut.chunk.unwrap_or_default())?;
    let mut stage = None;
    let updated = index.update(&arguments.corpus, arguments.cut.limits(), &mut |progress| {
        let stage = stage.get_or_insert_with(|| Stage::of(progress.files, "reading files"));
        stage.advance_to(progress.files_done);
    })?;
    drop(stage);
    say(&notes::on_corpus(&updated.report));
    files::report(&format!(
        "{}: {} files added, {} changed, {} removed, {} unchanged\n",
        arguments.index.display(),
        updated.added,
        updated.changed,
        updated.removed,
        updated.unchanged
    ))
}
