//! Qrels: which documents were judged for which query, and how relevant they are.

use std::path::Path;

use super::blocks::Blocks;
use super::error::{RankedError, Result};
use super::format::{self, Kind};
use super::lists::{Groups, Lists, ListsBuilder};
use super::options::{Format, Reading};
use super::parallel::{threads, try_each};
use super::trec::for_each_judgement;

/// So many documents of a query, each with a level of its own, are a ranking.
const LEVELS_OF_RUN: usize = 5;

/// Judgements of documents, listed under their queries. No document stands twice under one.
#[derive(Debug)]
pub struct Qrels {
    pub(super) lists: Lists<i32>,
}

impl Qrels {
    /// Reads qrels from a file, or from standard input when the path is `-`.
    pub fn load(path: &Path, reading: &Reading) -> Result<Self> {
        let blocks = Blocks::open(path)?;
        let format = match reading.format {
            Some(format) => format,
            None => format::detect(&blocks.head()?, path, Kind::Qrels),
        };
        let lists = match format {
            Format::Trec => trec(blocks)?,
            other => format::read_levels(other, blocks, &reading.columns)?,
        };
        Self::checked(path, lists)
    }

    /// Qrels that are in memory already: query, document, level.
    pub fn from_judgements<'a>(
        judgements: impl IntoIterator<Item = (&'a str, &'a str, i32)>,
    ) -> Result<Self> {
        let mut builder = ListsBuilder::new();
        for (query, document, level) in judgements {
            builder.push(query.as_bytes(), document.as_bytes(), level);
        }
        Self::checked(Path::new("qrels"), builder.finish())
    }

    /// How many queries have judgements.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether some documents are more relevant than others.
    pub(crate) fn is_graded(&self) -> bool {
        let levels = |position| self.lists.items(position).iter().map(|item| item.value);
        (0..self.len()).flat_map(levels).any(|level| level > 1)
    }

    /// Whether no two documents of a query have the same level, which happens to scores and
    /// hardly ever to judgements.
    pub(super) fn looks_like_run(&self) -> bool {
        let mut longest = 0;
        let is_ranked = |position| {
            let mut levels: Vec<i32> =
                self.lists.items(position).iter().map(|item| item.value).collect();
            levels.sort_unstable();
            longest = longest.max(levels.len());
            levels.windows(2).all(|pair| pair[0] != pair[1])
        };
        (0..self.len()).all(is_ranked) && longest >= LEVELS_OF_RUN
    }

    /// The queries, in the order of the input.
    pub fn queries(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.len()).map(|position| self.name(position))
    }

    pub(super) fn name(&self, position: usize) -> String {
        String::from_utf8_lossy(self.lists.query(position)).into_owned()
    }

    pub(super) fn checked(path: &Path, lists: Lists<i32>) -> Result<Self> {
        if lists.len() == 0 {
            let file = path.to_owned();
            return Err(RankedError::Nothing { file, expected: "judgements" });
        }
        if let Some((position, document)) = lists.duplicate() {
            return Err(RankedError::duplicate(path, lists.query(position), document));
        }
        Ok(Self { lists })
    }
}

/// Reads TREC qrels, a share of the lines by each core. Identifiers stay where they are.
fn trec(blocks: Blocks) -> Result<Lists<i32>> {
    let (path, start) = (blocks.path().to_owned(), blocks.start(0));
    let text = blocks.into_bytes()?;
    let shares = shares(&text, usize::try_from(start).unwrap_or(0), threads());
    let parts = try_each(
        shares.len(),
        || (),
        |(), share| {
            let mut groups = Groups::new();
            let (start, end) = shares[share];
            for_each_judgement(&text[..end], start, |query, item| groups.push(&text, query, item))?;
            Ok(groups)
        },
    );
    match parts {
        Ok(parts) => {
            let mut parts = parts.into_iter();
            let mut all = parts.next().unwrap_or_else(Groups::new);
            parts.for_each(|part| all.append(&text, &part));
            Ok(all.finish(text))
        }
        Err(error) => Err(Blocks::in_memory(&path, text, start).error(0, error)),
    }
}

/// Cuts a text from a byte on into shares of about the same length, each of whole lines.
fn shares(text: &[u8], from: usize, count: usize) -> Vec<(usize, usize)> {
    let mut shares = Vec::with_capacity(count);
    let mut start = from;
    for share in 1..=count {
        let aim = (from + (text.len() - from) * share / count).max(start);
        let end = memchr::memchr(b'\n', &text[aim..]).map_or(text.len(), |at| aim + at + 1);
        if end > start {
            shares.push((start, end));
        }
        start = end;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_whole_lines_and_cover_the_text() {
        for text in ["", "a", "a\n", "a\nbb\nccc\ndddd\n", "one very long line\nx\ny"] {
            for (count, from) in
                [(1, 0), (2, 0), (3, 0), (5, 0), (1, text.len()), (4, text.len() / 2)]
            {
                let shares = shares(text.as_bytes(), from, count);
                let joined: String =
                    shares.iter().map(|(start, end)| &text[*start..*end]).collect();
                assert_eq!(joined, text[from..]);
                for (_, end) in shares {
                    assert!(end == text.len() || text.as_bytes()[end - 1] == b'\n');
                }
            }
        }
    }
}
