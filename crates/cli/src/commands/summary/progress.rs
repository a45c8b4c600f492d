//! A progress bar on stderr: only on a terminal, and only for work that takes a while.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use assize_engine::summary::batches::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

const WITH_TOTAL: &str = "{spinner} {bar:32} {percent:>3} %  {msg}  {eta} left";
const WITHOUT_TOTAL: &str = "{spinner} {msg}";

/// A bar that may never show.
pub(super) struct Bar {
    started: Instant,
    terminal: bool,
    shown: Option<ProgressBar>,
}

impl Bar {
    /// Nothing is shown yet.
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), terminal: io::stderr().is_terminal(), shown: None }
    }

    /// Shows how far the work has come.
    pub(super) fn advance(&mut self, progress: Progress) {
        if !self.terminal || (self.shown.is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        let bar = self.shown.get_or_insert_with(|| drawn(progress.bytes_total));
        bar.set_position(progress.bytes);
        let speed = progress.records as f64 / self.started.elapsed().as_secs_f64();
        bar.set_message(format!("{} pairs, {speed:.0} a second", progress.records));
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.shown {
            bar.finish_and_clear();
        }
    }
}

fn drawn(bytes_total: Option<u64>) -> ProgressBar {
    let template = if bytes_total.is_some() { WITH_TOTAL } else { WITHOUT_TOTAL };
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▌ ");
    let bar = ProgressBar::with_draw_target(bytes_total, ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar
}
