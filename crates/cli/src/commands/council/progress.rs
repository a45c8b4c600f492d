//! Who is busy with what, on stderr: a line for each participant that changes on a terminal, and
//! elsewhere a line for each that is done. For programs, every step as JSON.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use assize_engine::council::step::{Progress, Stage, Step};
use assize_wire::text::line;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::terminal::{one_line, remark};

const TICK: Duration = Duration::from_millis(120);
const BUSY: &str = "  {spinner} {prefix}  {msg}  {elapsed}";
const OVER: &str = "  {prefix}  {msg}";
const REASON_CHARACTERS_MAX: usize = 90;

/// Those who take part, for people and for programs.
pub(crate) struct Participants {
    /// The lines that change; `None` where stderr is no terminal.
    lines: Option<Mutex<Lines>>,
    /// Where every step goes as a line of JSON; `None` if nowhere, or nowhere any more.
    events: Mutex<Option<File>>,
}

struct Lines {
    shown: MultiProgress,
    busy: BTreeMap<(Stage, String), ProgressBar>,
}

impl Participants {
    /// Nothing is shown yet. Events go to a file, if one is named.
    pub(crate) fn new(events: Option<&Path>) -> Result<Self> {
        let open = |path: &Path| {
            // A log of earlier councils stays as it is.
            let file = File::options().create(true).append(true).open(path);
            file.with_context(|| format!("{} cannot be written", path.display()))
        };
        let events = Mutex::new(events.map(open).transpose()?);
        let lines = io::stderr().is_terminal().then(|| {
            let shown = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            Mutex::new(Lines { shown, busy: BTreeMap::new() })
        });
        Ok(Self { lines, events })
    }

    /// Shows one step of one participant.
    pub(super) fn show(&self, step: &Step) {
        self.write(step);
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

    /// Writes a step for programs. A council does not end because nobody reads its events any more.
    fn write(&self, step: &Step) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = events.as_mut() else { return };
        if let Err(error) = file.write_all(format!("{}\n", line(&step.to_wire())).as_bytes()) {
            remark(&format!("events are not written any more: {error}"));
            *events = None;
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
