//! Work that would keep other requests waiting: on threads of its own.

use std::pin::{Pin, pin};

use assize_engine::store::origin;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::error::{AppError, Result};

/// Computes something away from the threads that answer requests.
pub(crate) async fn compute<T: Send + 'static>(
    job: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    spawn_blocking(job).await.unwrap_or_else(|_| Err(AppError::our_fault()))
}

/// The same for work that also waits; it stays on one thread from beginning to end.
pub(crate) async fn offload<T: Send + 'static, F: Future<Output = Result<T>>>(
    job: impl FnOnce() -> F + Send + 'static,
) -> Result<T> {
    let (handle, address) = (Handle::current(), origin::address());
    compute(move || {
        let mut end = None;
        let work = origin::coming_from(address, async { end = Some(job().await) });
        waited_for(&handle, pin!(work));
        end.unwrap_or_else(|| Err(AppError::our_fault()))
    })
    .await
}

/// One type of work for all, so that the runtime's loop is compiled once and not for each.
fn waited_for(handle: &Handle, work: Pin<&mut dyn Future<Output = ()>>) {
    handle.block_on(work);
}
