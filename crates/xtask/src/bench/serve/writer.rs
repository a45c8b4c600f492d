//! Somebody who writes comments while others read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::client::Client;
use super::fill::{is_compliance, is_summary};
use crate::say;

/// Writes at an even pace until it is ended.
pub(super) struct Writer {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Result<usize>>,
    begun: Instant,
    writes: u32,
}

impl Writer {
    /// Begins to comment on items of retrieval runs, so many a second; none for 0.
    pub(super) fn start(address: &str, runs: usize, writes: u32) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (address, flag) = (address.to_owned(), Arc::clone(&is_over));
        let thread = thread::spawn(move || match writes {
            0 => Ok(0),
            writes => write(&address, runs, writes, &flag),
        });
        Self { is_over, thread, begun: Instant::now(), writes }
    }

    /// Stops, and says how many comments were written if any were wanted.
    pub(super) fn end(self) -> Result<()> {
        self.is_over.store(true, Ordering::Relaxed);
        let written = self.thread.join().ok().context("the writer failed")??;
        if self.writes > 0 {
            let rate = written as f64 / self.begun.elapsed().as_secs_f64();
            say(&format!("{written} comments were written meanwhile, {rate:.1} a second"));
        }
        Ok(())
    }
}

fn write(address: &str, runs: usize, writes: u32, is_over: &AtomicBool) -> Result<usize> {
    let mut client = Client::connect(address)?;
    let pause = Duration::from_secs(1) / writes;
    let mut next = Instant::now();
    let mut written = 0;
    let numbers = (1..=runs).filter(|number| !is_compliance(*number) && !is_summary(*number));
    for number in numbers.cycle() {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let path = format!("/api/v1/runs/{number}/items/1/comments");
        client.post(&path, r#"{"text":"Looked at again."}"#)?;
        written += 1;
        next += pause;
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    Ok(written)
}
