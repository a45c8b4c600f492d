//! What the article says about a statement: the sentences that hold most of it.

use super::index::Index;
use super::meanings::{Meaning, Meanings};
use super::reading::Reading;
use super::vocabulary::Stem;

/// The windows of two sentences that are looked at for each statement.
pub(super) const WINDOWS: usize = 3;

/// The sentences of the article in which a statement is looked for.
pub(super) struct Windows {
    /// Their numbers, in order.
    pub sentences: Vec<usize>,
    /// Their distinct stems, sorted.
    stems: Vec<Stem>,
    /// What they mean.
    pub meaning: Meaning,
}

impl Windows {
    /// The sentences with these numbers, in order and without repetition.
    pub(super) fn of(sentences: Vec<usize>, article: &Reading, meanings: &Meanings) -> Self {
        let all = sentences.iter().flat_map(|number| article.stems_of(&article.sentences[*number]));
        let mut stems: Vec<Stem> = all.collect();
        stems.sort_unstable();
        stems.dedup();
        let meaning = meanings.held_by(stems.iter().copied());
        Self { sentences, stems, meaning }
    }

    /// Whether one of the sentences holds a stem.
    pub(super) fn holds(&self, stem: Stem) -> bool {
        self.stems.binary_search(&stem).is_ok()
    }

    /// The positions of a stem within the windows.
    pub(super) fn positions_of<'a>(
        &'a self,
        stem: Stem,
        article: &'a Reading,
        index: &'a Index,
    ) -> impl Iterator<Item = usize> + 'a {
        let is_here = |position: &usize| {
            self.sentences.iter().any(|number| article.sentences[*number].words.contains(position))
        };
        index.positions_of(stem).iter().map(|position| *position as usize).filter(is_here)
    }
}
