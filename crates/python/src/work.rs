//! Work without the interpreter's lock, on threads of this process, until Ctrl-C.

use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use assize_engine::asking::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How long a Ctrl-C may stay unnoticed; short enough to feel immediate.
const LOOK: Duration = Duration::from_millis(50);

/// Threads and the process they belong to.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Does the work on a thread of its own while this one waits for it and for Ctrl-C. What is
/// abandoned by Ctrl-C runs on to the next place where it looks at [`Stop`]; nobody waits for it,
/// not even the next work: that gets other threads.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let (pool, stop) = (pool()?, Stop::default());
    let (send, receive) = mpsc::channel();
    let (told, used) = (stop.clone(), Arc::clone(&pool));
    let started = thread::Builder::new().name("assize".to_owned()).spawn(move || {
        // Nobody listens any more after Ctrl-C.
        let _ = send.send(pool.install(|| work(&told)));
    });
    started.map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))?;
    let receive = Mutex::new(receive);
    loop {
        let came =
            py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
        match came {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| {
                stop.ask();
                leave(&used);
            })?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "internal error: the work ended without a result",
                ));
            }
        }
    }
}

/// The threads of this process. A fork has none of its parent's, so it makes its own; the lock is
/// only held together with the interpreter's, so no fork can happen while it is.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = held.as_ref()
        && *owner == process::id()
    {
        return Ok(Arc::clone(pool));
    }
    let made = ThreadPoolBuilder::new().thread_name(|number| format!("assize-{number}")).build();
    let made = made.map_err(|error| PyRuntimeError::new_err(format!("no threads: {error}")))?;
    let pool = Arc::new(made);
    // Dropping the parent's pool would wait for threads that are not here.
    std::mem::forget(held.replace((process::id(), Arc::clone(&pool))));
    Ok(pool)
}

/// Takes threads out of use that are busy with abandoned work: it may never look at [`Stop`], or
/// wait for a file that nobody writes. They end with it.
fn leave(pool: &Arc<ThreadPool>) {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if held.as_ref().is_some_and(|(_, used)| Arc::ptr_eq(used, pool)) {
        *held = None;
    }
}
