//! One stage of work after the other on stderr: only on a terminal, gone when it is done.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TICK: Duration = Duration::from_millis(120);
const COUNTED: &str = "{spinner} {msg}  {bar:32} {pos} of {len}  {eta} left";
/// Before the first step nobody can say how long the others take.
const BEGUN: &str = "{spinner} {msg}  {bar:32} {pos} of {len}  {elapsed}";
const UNCOUNTED: &str = "{spinner} {msg}  {elapsed}";

/// The stage that is under way.
pub(crate) struct Stage(ProgressBar);

impl Stage {
    /// A stage whose end cannot be foreseen.
    pub(crate) fn open_ended(what: impl Into<String>) -> Self {
        Self::shown(None, UNCOUNTED, what.into())
    }

    /// A stage of so many steps.
    pub(crate) fn of(steps: usize, what: impl Into<String>) -> Self {
        Self::shown(u64::try_from(steps).ok(), BEGUN, what.into())
    }

    fn shown(steps: Option<u64>, template: &str, what: String) -> Self {
        if !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::stderr());
        bar.set_style(style(template));
        bar.set_message(what);
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// So many steps are done.
    pub(crate) fn advance_to(&self, done: usize) {
        if done > 0 && self.0.position() == 0 {
            self.0.set_style(style(COUNTED));
        }
        self.0.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("█▌ ")
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
