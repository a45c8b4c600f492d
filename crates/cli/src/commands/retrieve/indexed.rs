//! `assize retrieve --index`: the same queries asked of an index on disk.

use std::path::Path;

use anyhow::Result;
use assize_engine::retrieve::notes;
use assize_search::Prediction;
use assize_search::disk::DiskIndex;

use super::corpus::say;
use super::hits::Hits;
use super::{Arguments, Queries};
use crate::exit::Done;
use crate::output::files;
use crate::output::progress::Stage;

/// Asks the index.
pub(super) fn run(arguments: &Arguments, folder: &Path, (tests, ids): Queries<'_>) -> Result<Done> {
    let index = DiskIndex::open(folder)?;
    let shown = arguments.shown((tests, ids))?;
    let held = index.files();
    say(&notes::on_index(tests, |path| held.contains_key(path)));
    if let Some((title, query)) = shown {
        let found = index.search(&query, arguments.k())?;
        let rank = arguments.rank as usize;
        let asked = arguments.explain.is_some();
        let explained = match found.get(rank - 1).filter(|_| asked) {
            Some(hit) => index.explain(&query, hit)?,
            None => None,
        };
        let method = format!("BM25 on stems: {}, from {}", index.chunking(), folder.display());
        let prediction = Prediction::of_disk(&query, found);
        files::print(
            &Hits { title, method, prediction, rank: asked.then_some(rank), explained }.rendered(),
        )?;
        return Ok(Done::Fine);
    }
    let stage = Stage::of(tests.len(), "searching the index");
    let mut predictions = Vec::with_capacity(tests.len());
    let mut without = 0;
    for (done, test) in tests.iter().enumerate() {
        let found = index.search(&test.query, arguments.k())?;
        without += usize::from(found.is_empty());
        predictions.push(Prediction::of_disk(&test.query, found));
        stage.advance_to(done + 1);
    }
    drop(stage);
    if without > 0 {
        say(&[format!(
            "{without} queries have no hits: only stop words, or words that occur in no text"
        )]);
    }
    arguments.write(&predictions, ids)
}
