//! The same work on many pieces, by all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads are worth starting.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Does the work on pieces 0 to `count` and gives the results in that order, up to and with
/// the first that is an error; each thread makes a state for itself.
pub(super) fn try_each<S, T: Send, E: Send>(
    count: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut state = state();
        let mut done = Vec::new();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= count {
                return done;
            }
            let result = work(&mut state, piece);
            if result.is_err() {
                // Pieces are handed out in order, so every earlier one is in hands already.
                next.store(count, Ordering::Relaxed);
            }
            done.push((piece, result));
        }
    };
    let helpers = threads().min(count).saturating_sub(1);
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        let squares = try_each(1000, || (), |(), piece| Ok::<_, ()>(piece * piece)).unwrap();
        assert_eq!(squares, (0..1000).map(|piece| piece * piece).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_error_is_the_one_that_comes_back() {
        let odd = |(): &mut (), piece: usize| if piece % 100 == 99 { Err(piece) } else { Ok(()) };
        assert_eq!(try_each(1000, || (), odd), Err(99));
    }
}
