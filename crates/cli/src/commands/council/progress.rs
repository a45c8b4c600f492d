//! Who is busy with what, on stderr: a line for each participant that changes on a terminal, and
//! elsewhere a line for each that is done.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use assize_engine::council::step::{Progress, Stage, Step};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::terminal::{one_line, remark};

const TICK: Duration = Duration::from_millis(120);
const BUSY: &str = "  {spinner} {prefix}  {msg}  {elapsed}";
const OVER: &str = "  {prefix}  {msg}";
const REASON_CHARACTERS_MAX: usize = 90;

/// The lines that change; `None` where stderr is no terminal.
pub(super) struct Participants {
    lines: Option<Mutex<Lines>>,
}

struct Lines {
    shown: MultiProgress,
    busy: BTreeMap<(Stage, String), ProgressBar>,
}

impl Participants {
    /// Nothing is shown yet.
    pub(super) fn new() -> Self {
        let lines = io::stderr().is_terminal().then(|| {
            let shown = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            Mutex::new(Lines { shown, busy: BTreeMap::new() })
        });
        Self { lines }
    }

    /// Shows one step of one participant.
    pub(super) fn show(&self, step: &Step) {
        let Some(lines) = &self.lines else { return tell(step) };
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (step.stage, step.participant.clone());
        match &step.progress {
            Progress::Begun => {
                let bar = lines.shown.add(ProgressBar::new_spinner());
                bar.set_style(style(BUSY));
                bar.set_prefix(one_line(&step.participant, 40));
                bar.set_message(doing(step.stage));
                bar.enable_steady_tick(TICK);
                lines.busy.insert(key, bar);
            }
            Progress::Done => end(lines.busy.remove(&key), format!("✓ {}", done(step.stage))),
            Progress::Failed(reason) => {
                let reason = one_line(reason, REASON_CHARACTERS_MAX);
                end(lines.busy.remove(&key), format!("✗ {reason}"));
            }
        }
    }

    /// Takes every line away: what they said stands in the verdict.
    pub(super) fn clear(&self) {
        let Some(lines) = &self.lines else { return };
        // A terminal that is gone needs no clearing.
        let _ = lines.lock().unwrap_or_else(PoisonError::into_inner).shown.clear();
    }
}

/// One line for a participant that is done, for logs.
fn tell(step: &Step) {
    let said = match &step.progress {
        Progress::Begun => return,
        Progress::Done => done(step.stage).to_owned(),
        Progress::Failed(reason) => format!("failed: {}", one_line(reason, REASON_CHARACTERS_MAX)),
    };
    remark(&format!("{}: {said}", one_line(&step.participant, 40)));
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn end(bar: Option<ProgressBar>, message: String) {
    let Some(bar) = bar else { return };
    bar.set_style(style(OVER));
    bar.finish_with_message(message);
}

fn doing(stage: Stage) -> &'static str {
    match stage {
        Stage::Answer => "answers",
        Stage::Review => "reviews",
        Stage::Revise => "looks at the marks of the others",
        Stage::Chair => "writes the final answer",
    }
}

fn done(stage: Stage) -> &'static str {
    match stage {
        Stage::Answer => "answered",
        Stage::Review => "reviewed",
        Stage::Revise => "reviewed again",
        Stage::Chair => "wrote the final answer",
    }
}
