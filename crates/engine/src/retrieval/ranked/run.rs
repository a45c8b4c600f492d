//! A run: the documents that a system retrieved for each query, with their scores.

use std::path::{Path, PathBuf};

use super::blocks::Blocks;
use super::error::{RankedError, Result};
use super::format::{self, Kind};
use super::lists::{Lists, ListsBuilder};
use super::options::{Format, Reading};
use super::trec::RunLines;

/// Retrieved documents with their scores, listed under their queries, in memory.
#[derive(Debug)]
pub struct Run {
    /// What the run calls itself: its tag in TREC's format, otherwise the name of its file.
    pub name: String,
    /// The file that it was read from.
    pub(super) file: Option<PathBuf>,
    pub(super) lists: Lists<f64>,
    /// Whether lines of its file have more fields than they should.
    pub(super) has_surplus: bool,
}

impl Run {
    /// Reads a run from a file, or from standard input when the path is `-`.
    pub fn load(path: &Path, reading: &Reading) -> Result<Self> {
        let blocks = Blocks::open(path)?;
        let format = match reading.format {
            Some(format) => format,
            None => format::detect(&blocks.head()?, path, Kind::Run),
        };
        Self::read(blocks, format, reading)
    }

    /// Reads a run of a known format.
    pub(super) fn read(blocks: Blocks, format: Format, reading: &Reading) -> Result<Self> {
        let path = blocks.path().to_owned();
        let file_name = || {
            let stem = path.file_stem().unwrap_or(path.as_os_str());
            stem.to_string_lossy().into_owned()
        };
        let run = match format {
            Format::Trec => trec(&blocks)?,
            other => {
                let lists = format::read_scores(other, blocks, &reading.columns)?;
                Self { name: file_name(), file: None, lists, has_surplus: false }
            }
        };
        if run.lists.len() == 0 {
            return Err(RankedError::Nothing { file: path, expected: "retrieved documents" });
        }
        Ok(Self { file: Some(path), ..run })
    }

    /// A run that is in memory already: query, document, score; no score may be NaN.
    pub fn from_scores<'a>(
        name: impl Into<String>,
        scores: impl IntoIterator<Item = (&'a str, &'a str, f64)>,
    ) -> Self {
        let bytes = scores
            .into_iter()
            .map(|(query, document, score)| (query.as_bytes(), document.as_bytes(), score));
        Self::from_bytes(name.into(), bytes)
    }

    /// The same with identifiers that need not be UTF-8.
    pub(crate) fn from_bytes<'a>(
        name: String,
        scores: impl IntoIterator<Item = (&'a [u8], &'a [u8], f64)>,
    ) -> Self {
        let mut builder = ListsBuilder::new();
        for (query, document, score) in scores {
            assert!(!score.is_nan(), "a score is a number");
            builder.push(query, document, score);
        }
        Self { name, file: None, lists: builder.finish(), has_surplus: false }
    }

    /// How many queries the run answers.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether it answers none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The queries in the order of the input, each with its documents and their scores in the
    /// order of the input. Identifiers are bytes, and nearly always UTF-8.
    pub fn queries(&self) -> impl Iterator<Item = (&[u8], impl Iterator<Item = (&[u8], f64)>)> {
        (0..self.len()).map(|position| (self.lists.query(position), self.documents_at(position)))
    }

    /// The documents of a query with their scores, in the order of the input.
    pub fn documents(&self, query: &[u8]) -> Option<impl Iterator<Item = (&[u8], f64)>> {
        self.lists.find(query).map(|position| self.documents_at(position))
    }

    fn documents_at(&self, position: usize) -> impl Iterator<Item = (&[u8], f64)> {
        let items = self.lists.items(position).iter();
        items.map(|item| (self.lists.document(item), item.value))
    }

    /// The file that it was read from, or what it calls itself.
    pub(in crate::retrieval) fn place(&self) -> PathBuf {
        self.file.clone().unwrap_or_else(|| (&self.name).into())
    }
}

/// Reads a TREC run as a whole, its queries in any order.
fn trec(blocks: &Blocks) -> Result<Run> {
    let mut builder = ListsBuilder::new();
    let (mut buffer, mut text, mut start) = (Vec::new(), Vec::new(), blocks.start(0));
    let (mut name, mut has_surplus) = (String::new(), false);
    for block in 0..blocks.count() {
        text.extend_from_slice(blocks.block(block, &mut buffer)?);
        let is_last = block + 1 == blocks.count();
        let end = match memchr::memrchr(b'\n', &text) {
            _ if is_last => text.len(),
            newline => newline.map_or(0, |at| at + 1),
        };
        let mut lines = RunLines::new(&text[..end]);
        let mut query = None;
        while let Some(line) = lines.next().map_err(|error| blocks.error(start, error))? {
            query = line.query.or(query);
            let query = query.expect("the first line has a query").of(&text);
            builder.push(query, line.item.document.of(&text), line.item.value);
        }
        has_surplus |= lines.has_surplus;
        if !lines.tag.is_empty() {
            name = String::from_utf8_lossy(lines.tag).into_owned();
        }
        text.drain(..end);
        start += end as u64;
    }
    Ok(Run { name, file: None, lists: builder.finish(), has_surplus })
}
