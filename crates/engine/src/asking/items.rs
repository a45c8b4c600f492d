//! Many items at once, but never more than so many.

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::outcome::Halt;
use super::stop::Stop;

/// Works on items, `concurrency` at a time, and hands over each result as it comes, with the
/// item's index from 0.
///
/// When the run has to end, no new item is begun and those under way are finished; what
/// came out of them is handed over too. Results are not collected, so memory does not grow
/// with the number of items.
pub async fn over_items<Item, Out, Working>(
    items: impl IntoIterator<Item = Item>,
    concurrency: usize,
    stop: &Stop,
    work: impl Fn(usize, Item) -> Working,
    mut done: impl FnMut(usize, Out),
) -> Result<(), Halt>
where
    Working: Future<Output = Result<Out, Halt>>,
{
    let mut waiting = items.into_iter().enumerate();
    let mut under_way = FuturesUnordered::new();
    let mut halt = None;
    loop {
        while halt.is_none() && under_way.len() < concurrency.max(1) {
            if stop.is_asked() {
                halt = Some(Halt::Asked);
                break;
            }
            let Some((index, item)) = waiting.next() else { break };
            let working = work(index, item);
            under_way.push(async move { (index, working.await) });
        }
        match under_way.next().await {
            Some((index, Ok(out))) => done(index, out),
            Some((_, Err(reason))) => halt = Some(better(halt, reason)),
            None => return halt.map_or(Ok(()), Err),
        }
    }
}

/// The reason that explains most: whatever happened, before a mere wish to stop.
pub(crate) fn better(earlier: Option<Halt>, later: Halt) -> Halt {
    match earlier {
        None | Some(Halt::Asked) => later,
        Some(earlier) => earlier,
    }
}
