//! Waiting for a database that somebody else holds: bounded, and told to whoever looks on.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::{select, time};

/// So long a wait is nothing to talk about.
const QUIET: Duration = Duration::from_secs(2);

type Listener = Box<dyn Fn(Duration) + Send + Sync>;

/// One for the process: whoever waits is deep inside the work, and does not know who looks on.
static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Has long waits for a database told: the listener hears once of each that takes longer than
/// two seconds, with how long it may take at most. The first listener stays.
pub fn announce_waits(listener: impl Fn(Duration) + Send + Sync + 'static) {
    let _ = LISTENER.set(Box::new(listener));
}

/// Waits for something that takes `at_most` so long, and says so if it is not quick.
pub(crate) async fn announced<T>(at_most: Duration, waiting: impl Future<Output = T>) -> T {
    let mut waiting = std::pin::pin!(waiting);
    select! {
        end = &mut waiting => return end,
        () = time::sleep(QUIET) => {}
    }
    if let Some(listener) = LISTENER.get() {
        listener(at_most);
    }
    waiting.await
}
