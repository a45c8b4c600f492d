//! A whole file of pairs by models: many at once, handed on in the order of the file.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::stream::{self, StreamExt};
use tokio::runtime::Builder;
use tokio::{select, signal};

use super::session::Session;
use crate::interview::{Halt, Stop};
use crate::summary::batches::{Judged, Progress, read_record};
use crate::summary::input::{Fields, PairsError, Records};

/// Works through a file of pairs. `hand_on` gets them in the order of the file.
///
/// When the run has to end, no new pair is begun, those under way are brought home, and the
/// reason is returned; what came after the first gap is kept in the store and not handed on.
pub async fn run<E: From<PairsError>>(
    session: &Session,
    mut records: Records,
    fields: &Fields,
    mut hand_on: impl FnMut(Judged, Progress) -> Result<(), E>,
) -> Result<Option<Halt>, E> {
    let bytes_total = records.counter().total;
    let (bytes_read, halted) = (AtomicU64::new(0), AtomicBool::new(false));
    let source = std::iter::from_fn(|| {
        let over = halted.load(Ordering::Relaxed) || session.stop().is_asked();
        let record = if over { None } else { records.next() };
        bytes_read.store(records.counter().read(), Ordering::Relaxed);
        record
    });
    let work = |record| async {
        match record {
            Err(error) => Ok(Err(error)),
            Ok(record) => match read_record(record, fields) {
                Err(unreadable) => Ok(Ok(*unreadable)),
                Ok((id, pair)) => session.judge(id, pair).await.map(Ok),
            },
        }
    };
    let mut judged = Box::pin(stream::iter(source).map(work).buffered(session.concurrency));
    let (mut done, mut halt) = (0, None);
    while let Some(end) = judged.next().await {
        match end {
            Ok(judged) if halt.is_none() => {
                done += 1;
                let bytes = bytes_read.load(Ordering::Relaxed);
                hand_on(judged?, Progress { records: done, bytes, bytes_total })?;
            }
            Ok(_) => {}
            Err(reason) => {
                halted.store(true, Ordering::Relaxed);
                halt = Some(better(halt, reason));
            }
        }
    }
    if halt.is_none() && session.stop().is_asked() {
        halt = Some(Halt::Asked);
    }
    Ok(halt)
}

/// The reason that explains most: whatever happened, before a mere wish to stop.
fn better(earlier: Option<Halt>, later: Halt) -> Halt {
    match earlier {
        None | Some(Halt::Asked) => later,
        Some(earlier) => earlier,
    }
}

/// Runs asynchronous work to its end; Ctrl-C asks it to stop, a second one more urgently.
/// `told` is called at each.
pub fn block_on<T>(
    stop: &Stop,
    told: impl Fn(u32),
    work: impl Future<Output = T>,
) -> io::Result<T> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async {
        let watch = async {
            let mut count = 0;
            while signal::ctrl_c().await.is_ok() {
                count += 1;
                told(count);
                stop.ask();
            }
            // Nobody can interrupt us; the work ends by itself.
            std::future::pending::<()>().await;
        };
        select! {
            end = work => end,
            () = watch => unreachable!("watching never ends"),
        }
    });
    Ok(end)
}
