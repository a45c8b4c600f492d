//! What `retrieve` and `bench-retrieval` share: a folder read, cut, and remarked upon.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use assize_engine::retrieve::notes;
use assize_methods::retrieval::passages::Test;
use assize_search::corpus::{CorpusError, Limits, read_folder};
use assize_search::{Chunking, Collection, Method, Retriever};
use clap::Args;

use crate::output::progress::Stage;
use crate::output::terminal;

/// How documents are cut.
#[derive(Debug, Args)]
pub(crate) struct ChunkArguments {
    /// How texts are cut into passages: words:SIZE/STEP, chars:SIZE, sentences, lines or rcts:SIZE
    /// (as long as it fits, cut at the strongest joint)
    #[arg(long, value_name = "HOW", default_value = "words:500/250")]
    pub(crate) chunk: Chunking,
    /// Files larger than this are left out, with a note
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().file_bytes_max)]
    pub(crate) max_file_bytes: u64,
}

impl ChunkArguments {
    /// The limits that the corpus is read under.
    pub(crate) fn limits(&self) -> Limits {
        Limits { file_bytes_max: self.max_file_bytes }
    }

    /// The passages of a folder; what the user should know is said.
    pub(crate) fn collection(&self, folder: &Path) -> Result<Arc<Collection>> {
        let stage = Stage::open_ended(format!("reading {}", folder.display()));
        let read = read_folder(folder, self.limits());
        drop(stage);
        let (corpus, report) = match read {
            Err(CorpusError::NoText { folder, left_out, report }) => {
                say(&notes::on_corpus(&report));
                return Err(CorpusError::NoText { folder, left_out, report }.into());
            }
            read => read?,
        };
        say(&notes::on_corpus(&report));
        let _stage = Stage::open_ended("cutting passages");
        Ok(Arc::new(Collection::new(corpus, self.chunk)))
    }
}

/// Tells the user every note.
pub(crate) fn say(notes: &[String]) {
    for note in notes {
        terminal::notice(note);
    }
}

/// A method ready to answer.
pub(crate) fn indexed(collection: &Arc<Collection>, method: Method) -> Retriever {
    let count = collection.passages().len();
    let _stage = Stage::open_ended(format!("{method}: indexing {count} passages"));
    Retriever::new(Arc::clone(collection), method)
}

/// The queries of a benchmark.
pub(crate) fn queries<'a>(tests: &'a [Test<'a>]) -> Vec<&'a str> {
    tests.iter().map(|test| &*test.query).collect()
}
