//! Panics of this process: counted wherever they happen, also in tasks that nobody waits for.

use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// How many there were.
pub fn panics() -> u64 {
    COUNT.load(Ordering::Relaxed)
}

/// Counts them from now on, and notes them in the log; they are told as before too.
pub(crate) fn count() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            COUNT.fetch_add(1, Ordering::Relaxed);
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            tracing::error!(place, "a task panicked");
            before(info);
        }));
    });
}
