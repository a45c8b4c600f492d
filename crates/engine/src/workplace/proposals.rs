//! Pairs of runs that are worth comparing: the baseline beside the newest comes first.

use assize_store::{Run, RunState};
use async_recursion::async_recursion as boxed;

use crate::Workspace;
use crate::runs::Result;

/// Older runs that are tried for a shared item before nothing is proposed.
const TRIED: usize = 8;

/// Pairs that are proposed beside a run that somebody chose.
const BESIDE_CHOSEN: usize = 4;

impl Workspace {
    /// Pairs among `runs`, the latest first, that share items; the baseline of a pair comes first.
    /// With a `chosen` run, only pairs with it.
    #[boxed]
    pub async fn proposed_pairs(&self, runs: &[Run], chosen: Option<i64>) -> Result<Vec<[i64; 2]>> {
        let done: Vec<&Run> = runs.iter().filter(|run| run.state == RunState::Done).collect();
        if let Some(number) = chosen {
            let Some(one) = done.iter().find(|run| run.number == number) else {
                return Ok(Vec::new());
            };
            return self.beside(one, &done, BESIDE_CHOSEN).await;
        }
        let mut pairs = Vec::new();
        let mut seen = Vec::new();
        for newest in &done {
            if seen.contains(&newest.instrument) {
                continue;
            }
            seen.push(newest.instrument);
            let marked =
                done.iter().find(|run| run.instrument == newest.instrument && run.is_baseline);
            for one in marked.into_iter().chain([newest]) {
                for pair in self.beside(one, &done, 1).await? {
                    if !pairs.contains(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        let is_marked =
            |pair: &[i64; 2]| done.iter().any(|run| run.number == pair[0] && run.is_baseline);
        pairs.sort_by_key(|pair| !is_marked(pair));
        Ok(pairs)
    }

    /// Pairs of a run with others of its instrument, the marked baseline and the latest first.
    async fn beside(&self, one: &Run, done: &[&Run], most: usize) -> Result<Vec<[i64; 2]>> {
        let fits = |run: &&&Run| run.instrument == one.instrument && run.number != one.number;
        let mut others: Vec<&Run> = done.iter().filter(fits).copied().collect();
        others.sort_by_key(|run| !run.is_baseline);
        let mut pairs = Vec::new();
        for other in others.into_iter().take(TRIED) {
            if pairs.len() < most
                && self.store.views().share_a_subject([&one.id, &other.id]).await?
            {
                let mut pair = [one, other];
                pair.sort_by_key(|run| (!run.is_baseline, run.number));
                pairs.push(pair.map(|run| run.number));
            }
        }
        Ok(pairs)
    }
}
