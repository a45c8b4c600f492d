//! What `retrieve` and `bench-retrieval` share: a folder read, cut, and remarked upon.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Result;
use assize_engine::retrieve::texts::TextsError;
use assize_engine::retrieve::{EmbeddingSource, notes, read_texts};
use assize_methods::retrieval::passages::Test;
use assize_search::corpus::{CorpusError, Limits};
use assize_search::dense::{Embedder, StaticTable};
use assize_search::{Chunking, Collection, Document, Method, Options, Retriever, Stem, StopWords};
use clap::Args;

use crate::configured;
use crate::model_args::{self, NamedEndpoint};
use crate::output::progress::Stage;
use crate::output::terminal;

/// How documents are cut.
#[derive(Debug, Args)]
pub(crate) struct ChunkArguments {
    /// How to split texts into passages: words:SIZE/STEP, chars:SIZE, sentences, lines, rcts:SIZE
    /// (recursive splitting at paragraph, sentence or word breaks), or whole [default:
    /// words:500/250; records of one file stay whole]
    #[arg(long, value_name = "HOW")]
    pub(crate) chunk: Option<Chunking>,
    /// Skip files larger than this, with a note
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
        let read = read_texts(folder, self.limits());
        drop(stage);
        let (corpus, report) = match read {
            Err(TextsError::Folder(CorpusError::NoText { folder, left_out, report })) => {
                say(&notes::on_corpus(&report));
                return Err(CorpusError::NoText { folder, left_out, report }.into());
            }
            read => read?,
        };
        say(&notes::on_corpus(&report));
        let _stage = Stage::open_ended("splitting passages");
        let records = corpus.documents().iter().any(Document::is_record);
        let usual = if records { Chunking::Whole } else { Chunking::default() };
        Ok(Arc::new(Collection::new(corpus, self.chunk.unwrap_or(usual))))
    }
}

/// What BM25 takes for a word.
#[derive(Debug, Args)]
#[command(next_help_heading = "BM25")]
pub(crate) struct WordArguments {
    /// Match word stems (english), or unstemmed words as `rank_bm25` with NLTK tokens does (none)
    #[arg(long, value_name = "HOW", default_value_t = Stem::English)]
    pub(crate) stem: Stem,
    /// Stop words to ignore when stemming: english (Lucene's 33), nltk or none
    #[arg(long, value_name = "LIST", default_value_t = StopWords::English)]
    pub(crate) stop_words: StopWords,
}

impl WordArguments {
    pub(crate) fn options(&self) -> Options {
        Options { stem: self.stem, stop_words: self.stop_words }
    }
}

/// Where the dense and hybrid methods take meaning from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Embeddings")]
pub(crate) struct MeaningArguments {
    /// Use embeddings from this model instead of the built-in table: `dir:PATH` (folder of a
    /// BERT-based sentence-transformers model, run locally), `installed` (the encoder of `assize
    /// readers`) or PROVIDER/MODEL
    #[arg(long, value_name = "MODEL")]
    pub(crate) embeddings: Option<Embeddings>,
    /// Folder in which to cache the embeddings of such a model; `none` disables the cache [default:
    /// your cache folder]
    #[arg(long, value_name = "FOLDER", requires = "embeddings")]
    pub(crate) vectors: Option<PathBuf>,
    /// Server with an OpenAI-compatible embeddings API, for the models of provider NAME (default:
    /// `local`)
    #[arg(long, value_name = "[NAME=]URL", requires = "embeddings")]
    pub(crate) endpoint: Vec<NamedEndpoint>,
    /// Configuration file with providers [default: assize.toml, if it exists]
    #[arg(long, value_name = "FILE", requires = "embeddings")]
    pub(crate) config: Option<PathBuf>,
}

/// A model that turns texts into vectors, as a user names it.
#[derive(Debug, Clone)]
pub(crate) enum Embeddings {
    /// The encoder that is installed here.
    Installed,
    /// Another.
    Of(EmbeddingSource),
}

impl FromStr for Embeddings {
    type Err = <EmbeddingSource as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "installed" { Ok(Self::Installed) } else { text.parse().map(Self::Of) }
    }
}

impl MeaningArguments {
    /// The table compiled in, a model read from its folder, or one that has answered once.
    pub(crate) fn embedder(&self) -> Result<Arc<dyn Embedder>> {
        let Some(model) = &self.embeddings else { return Ok(Arc::new(StaticTable)) };
        let model = match model {
            Embeddings::Of(model) => model.clone(),
            Embeddings::Installed => {
                let folder = configured::encoder_folder()?;
                terminal::remark(&format!("embeddings by the encoder in {}", folder.display()));
                EmbeddingSource::Folder(folder)
            }
        };
        let config = model_args::load(self.config.as_deref(), &self.endpoint)?;
        let _stage = Stage::open_ended(format!("requesting a first embedding from {model}"));
        Ok(model.open(&config.endpoints, self.kept().as_deref())?)
    }

    /// The folder in which vectors are kept, if they are.
    fn kept(&self) -> Option<PathBuf> {
        match &self.vectors {
            Some(folder) if folder.as_os_str() == "none" => None,
            Some(folder) => Some(folder.clone()),
            None => cache_folder(|name| env::var_os(name)).map(|cache| cache.join("vectors")),
        }
    }
}

/// Where programs of this user keep what they can make again; none where no variable says.
fn cache_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let places =
        [("XDG_CACHE_HOME", "assize"), ("LOCALAPPDATA", "assize"), ("HOME", ".cache/assize")];
    places.into_iter().find_map(|(name, below)| {
        let home = variable(name).filter(|home| !home.is_empty())?;
        Some(PathBuf::from(home).join(below))
    })
}

/// Tells the user every note.
pub(crate) fn say(notes: &[String]) {
    for note in notes {
        terminal::notice(note);
    }
}

/// A method ready to answer.
pub(crate) fn indexed(
    collection: &Arc<Collection>,
    (method, options): (Method, Options),
    embedder: &Arc<dyn Embedder>,
) -> Result<Retriever> {
    let count = collection.passages().len();
    let _stage = Stage::open_ended(format!("{method}: indexing {count} passages"));
    Ok(Retriever::with(Arc::clone(collection), method, options, Arc::clone(embedder))?)
}

/// The queries of a benchmark.
pub(crate) fn queries<'a>(tests: &'a [Test<'a>]) -> Vec<&'a str> {
    tests.iter().map(|test| &*test.query).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_where_the_user_keeps_others() {
        let folder = |set: &[(&str, &str)]| {
            cache_folder(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
            })
        };
        assert_eq!(folder(&[("HOME", "/h")]), Some("/h/.cache/assize".into()));
        assert_eq!(folder(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")]), Some("/c/assize".into()));
        assert_eq!(folder(&[("XDG_CACHE_HOME", "")]), None);
    }
}
