//! A TREC run scored while it is read: blocks in parallel, and no line is kept.
//!
//! A query whose lines cross the border of two blocks is scored afterwards, from what the
//! blocks leave over at their ends.

use assize_methods::retrieval::ranked::Measure;

use super::blocks::Blocks;
use super::error::{RankedError, Result};
use super::judge::{Judge, RetrievedList};
use super::lists::{Item, Lists, Span};
use super::options::RankedOptions;
use super::overlap::Overlap;
use super::parallel::try_each;
use super::trec::RunLines;

/// The values of some queries.
#[derive(Debug, Default)]
pub(super) struct StreamedValues {
    /// The positions in the qrels, in the order they were scored.
    pub(super) queries: Vec<usize>,
    /// The values, as many for each query as there are measures.
    pub(super) values: Vec<f64>,
    /// The queries that have no judgements.
    pub(super) unjudged: Vec<Vec<u8>>,
    /// Whether lines have more fields than they should.
    pub(super) has_surplus: bool,
    /// What was retrieved and judged.
    pub(super) overlap: Overlap,
}

/// Scores a run block by block. `None` when a query comes, goes and comes again, so that
/// its documents have to be gathered first.
pub(super) fn score(
    blocks: &Blocks,
    qrels: &Lists<i32>,
    measures: &[Measure],
    options: &RankedOptions,
) -> Result<Option<StreamedValues>> {
    let scorer = || Scorer::new(blocks, measures, Judge::new(qrels, options));
    let state = || (scorer(), Vec::new());
    let last = blocks.count() - 1;
    let parts = try_each(blocks.count(), state, |(scorer, buffer), block| {
        let text = blocks.block(block, buffer)?;
        scorer.block(text, blocks.start(block), block == 0, block == last)
    })?;
    let mut border = scorer();
    let (mut start, mut text, mut all) = (blocks.start(0), Vec::new(), StreamedValues::default());
    for (block, part) in parts.into_iter().enumerate() {
        text.extend_from_slice(&part.head);
        if let Some((tail_at, tail)) = part.tail {
            border.whole(&text, start)?;
            (start, text) = (blocks.start(block) + tail_at as u64, tail);
        }
        all.append(part.scored);
    }
    border.whole(&text, start)?;
    all.append(border.scored);
    Ok(all.is_grouped(qrels.len()).then_some(all))
}

impl StreamedValues {
    /// Adds what came after.
    pub(super) fn append(&mut self, other: Self) {
        self.queries.extend(other.queries);
        self.values.extend(other.values);
        self.unjudged.extend(other.unjudged);
        self.has_surplus |= other.has_surplus;
        self.overlap.append(other.overlap);
    }

    /// Whether no query was scored twice.
    fn is_grouped(&self, queries: usize) -> bool {
        let mut seen = vec![false; queries];
        self.queries.iter().all(|query| !std::mem::replace(&mut seen[*query], true))
    }
}

/// What a block gives: values, and its two ends.
struct Part {
    scored: StreamedValues,
    /// The lines that may belong to a query of the block before; or all of the block.
    head: Vec<u8>,
    /// The lines that may go on in the block after, and where they start; `None` when the
    /// head is all there is.
    tail: Option<(usize, Vec<u8>)>,
}

/// Scores queries as their lines go by.
struct Scorer<'a> {
    blocks: &'a Blocks,
    measures: &'a [Measure],
    judge: Judge<'a>,
    items: Vec<Item<f64>>,
    /// The query that usually comes next: the one after the last in the qrels.
    next: usize,
    scored: StreamedValues,
}

impl<'a> Scorer<'a> {
    fn new(blocks: &'a Blocks, measures: &'a [Measure], judge: Judge<'a>) -> Self {
        let scored = StreamedValues::default();
        Self { blocks, measures, judge, items: Vec::new(), next: 0, scored }
    }

    /// Scores what is complete in a block that starts at `offset`.
    fn block(&mut self, text: &[u8], offset: u64, is_first: bool, is_last: bool) -> Result<Part> {
        let lines_start = match memchr::memchr(b'\n', text) {
            _ if is_first => Some(0),
            newline => newline.map(|at| at + 1),
        };
        let lines_end = match memchr::memrchr(b'\n', text) {
            _ if is_last => Some(text.len()),
            newline => newline.map(|at| at + 1),
        };
        let all = |scored| Part { scored, head: text.to_vec(), tail: None };
        let (Some(start), Some(end)) = (lines_start, lines_end) else {
            return Ok(all(StreamedValues::default()));
        };
        if start >= end {
            return Ok(all(StreamedValues::default()));
        }
        let edges = self.lines(&text[start..end], offset + start as u64, !is_first, !is_last)?;
        let scored = std::mem::take(&mut self.scored);
        match edges {
            (Some(head), Some(tail)) => Ok(Part {
                scored,
                head: text[..start + head].to_vec(),
                tail: Some((start + tail, text[start + tail..].to_vec())),
            }),
            _ => Ok(all(scored)),
        }
    }

    /// Scores every query of a text that is complete.
    fn whole(&mut self, text: &[u8], offset: u64) -> Result<()> {
        self.lines(text, offset, false, false).map(|_| ())
    }

    /// Reads lines and scores each query but the first when the text `starts_open`, and each
    /// but the last when it `ends_open`: where the first one ends and the last one starts.
    fn lines(
        &mut self,
        text: &[u8],
        offset: u64,
        starts_open: bool,
        ends_open: bool,
    ) -> Result<(Option<usize>, Option<usize>)> {
        let mut lines = RunLines::new(text);
        let mut query: Option<(Span, usize)> = None;
        let mut head = (!starts_open).then_some(0);
        self.items.clear();
        while let Some(line) = lines.next().map_err(|error| self.blocks.error(offset, error))? {
            if let Some(name) = line.query
                && query.is_none_or(|(current, _)| current.of(text) != name.of(text))
            {
                match query {
                    Some((current, _)) if head.is_some() => self.query(text, current)?,
                    Some(_) => head = Some(line.start),
                    None => {}
                }
                self.items.clear();
                query = Some((name, line.start));
            }
            self.items.push(line.item);
        }
        self.scored.has_surplus |= lines.has_surplus;
        match query {
            Some((current, start)) if head.is_some() => {
                if !ends_open {
                    self.query(text, current)?;
                }
                Ok((head, Some(if ends_open { start } else { text.len() })))
            }
            _ => Ok((None, None)),
        }
    }

    /// Scores the query whose documents have been gathered.
    fn query(&mut self, text: &[u8], name: Span) -> Result<()> {
        let (qrels, name) = (self.judge.qrels(), name.of(text));
        let guess =
            (self.next < qrels.len() && qrels.query(self.next) == name).then_some(self.next);
        let Some(position) = guess.or_else(|| qrels.find(name)) else {
            self.scored.unjudged.push(name.to_vec());
            return Ok(());
        };
        self.next = position + 1;
        let retrieved = RetrievedList { text, items: &self.items, distinct: false };
        let ranking = self
            .judge
            .ranking(retrieved, position)
            .map_err(|document| RankedError::duplicate(self.blocks.path(), name, document))?;
        self.scored.queries.push(position);
        self.scored.values.extend(self.measures.iter().map(|measure| measure.value(&ranking)));
        self.scored.overlap.add(self.judge.ranked_last(), retrieved.names());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::path::Path;

    use proptest::prelude::*;

    use super::super::lists::ListsBuilder;
    use super::*;
    use crate::input::Bytes;

    fn qrels() -> Lists<i32> {
        let mut builder = ListsBuilder::new();
        for query in 0..4 {
            for document in 0..4 {
                let level = (query + document) % 3 - 1;
                builder.push(
                    format!("q{query}").as_bytes(),
                    format!("d{document}").as_bytes(),
                    level,
                );
            }
        }
        builder.finish()
    }

    fn blocks(text: &str, block_bytes: u64) -> Blocks {
        let bytes = Bytes::Owned(text.as_bytes().to_vec());
        Blocks::in_memory(Path::new("text"), bytes, 0).with_block_bytes(block_bytes)
    }

    /// Scores a text cut into blocks of a length: positions and values, or nothing if a query
    /// comes again.
    fn scored(text: &str, block_bytes: u64) -> Option<(Vec<usize>, Vec<f64>, usize)> {
        let blocks = blocks(text, block_bytes);
        let measures = ["map".parse().unwrap(), "num_ret".parse().unwrap()];
        let scored = score(&blocks, &qrels(), &measures, &RankedOptions::default()).unwrap()?;
        // Queries at a border come last; put them in the order of the qrels.
        let mut order: Vec<usize> = (0..scored.queries.len()).collect();
        order.sort_by_key(|index| scored.queries[*index]);
        let queries = order.iter().map(|index| scored.queries[*index]).collect();
        let values =
            order.iter().flat_map(|index| scored.values[index * 2..][..2].to_vec()).collect();
        Some((queries, values, scored.unjudged.len()))
    }

    proptest! {
        #[test]
        fn the_length_of_blocks_does_not_matter(
            groups in prop::collection::vec((0..6_u8, 1..6_u8, "[ \t]{1,2}"), 0..6),
            block_bytes in 1..120_u64,
            ends_with_newline in any::<bool>(),
        ) {
            let mut text = String::new();
            for (query, documents, gap) in &groups {
                for document in 0..*documents {
                    writeln!(text, "q{query}{gap}Q0 d{document} 1 {document}.5 tag").unwrap();
                }
            }
            if !ends_with_newline {
                text.pop();
            }
            if !text.is_empty() {
                // Groups of one query side by side may repeat a document, which is an error.
                let twice = groups.windows(2).any(|pair| pair[0].0 == pair[1].0);
                prop_assume!(!twice);
                prop_assert_eq!(scored(&text, block_bytes), scored(&text, 1 << 20));
            }
        }
    }

    #[test]
    fn a_query_that_comes_again_is_noticed_in_every_cut() {
        let text = "q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq1 Q0 b 1 1 t\n";
        for block_bytes in 1..50 {
            assert_eq!(scored(text, block_bytes), None);
        }
    }

    #[test]
    fn an_error_is_placed_in_the_whole_text_wherever_blocks_end() {
        let text = "q1 Q0 a 1 2 t\n\n# note\nq1 Q0 b 1 high t\nq2 Q0 c 1 2 t\n";
        for block_bytes in 1..60 {
            let blocks = blocks(text, block_bytes);
            let measures = ["map".parse().unwrap()];
            let error = score(&blocks, &qrels(), &measures, &RankedOptions::default()).unwrap_err();
            assert_eq!(
                error.to_string(),
                "text:4:11: expected a score that is a number, found `high`"
            );
        }
    }

    #[test]
    fn a_document_twice_under_a_query_is_refused_by_name() {
        let blocks = blocks("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n", 1 << 20);
        let error = score(&blocks, &qrels(), &[], &RankedOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), "text: document `a` appears twice for query `q1`");
    }
}
