//! Asynchronous work from a command: it runs to its end, and Ctrl-C asks it to stop.

use std::future::pending;
use std::time::Duration;

use anyhow::{Context, Result};
use assize_engine::asking::Stop;
use tokio::runtime::Builder;
use tokio::{select, signal};

use crate::output::asking::told_to_stop;

/// Runs work to its end. Ctrl-C asks it to stop, a second one more urgently.
pub(crate) fn block_on<T>(stop: &Stop, work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the work could not be begun")?;
    let end = runtime.block_on(async {
        let watch = async {
            let mut count = 0;
            while signal::ctrl_c().await.is_ok() {
                count += 1;
                told_to_stop(count);
                stop.ask();
            }
            // Nobody can interrupt us; the work ends by itself.
            pending::<()>().await;
        };
        select! {
            end = work => end,
            () = watch => unreachable!("watching never ends"),
        }
    });
    // A read of standard input may be under way for ever.
    runtime.shutdown_timeout(Duration::from_millis(200));
    end
}
