//! What is kept of pairs beside what is printed: a run, an evidence file.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use assize_engine::runs::evidence::EvidenceLine;
use assize_engine::runs::summary::{draft, item, verdict};
use assize_engine::store::{NewItem, NewVerdict};
use assize_engine::summary::{Judged, Settings};

use super::args::Arguments;
use crate::save_args::Saver;

/// What is asked for; looked at in parallel.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoreChoice {
    run: bool,
    evidence: bool,
    settings: Settings,
}

/// One pair, ready to be kept.
pub(super) struct PreparedItem {
    item: Option<(NewItem, NewVerdict)>,
    line: Option<EvidenceLine>,
    has_name: bool,
}

impl ScoreChoice {
    /// Everything that depends on one pair alone.
    pub(super) fn prepare(self, judged: &Judged) -> Result<PreparedItem> {
        let item = if self.run {
            Some((item(judged, 0)?, verdict(self.settings.framework, judged)?))
        } else {
            None
        };
        let line = self.evidence.then(|| EvidenceLine::of(judged, self.settings));
        Ok(PreparedItem { item, line, has_name: judged.id.is_some() })
    }
}

/// Where it is kept.
pub(super) struct Keeper {
    pub(super) wanted: ScoreChoice,
    saver: Option<Saver>,
    evidence: Option<BufWriter<File>>,
    count: usize,
}

impl Keeper {
    /// Opens what was asked for. `is_leased` is a run that is kept another way.
    pub(super) fn open(arguments: &Arguments, settings: Settings, is_leased: bool) -> Result<Self> {
        let saver = if !is_leased && arguments.save.is_wanted() {
            let draft = draft(&arguments.request)?;
            Some(Saver::begin(arguments.asking.place(), draft, arguments.save.name())?)
        } else {
            None
        };
        let evidence = match &arguments.evidence_out {
            Some(path) => {
                let shown = path.display();
                let file = File::create(path);
                Some(BufWriter::new(file.with_context(|| format!("could not write {shown}"))?))
            }
            None => None,
        };
        let wanted = ScoreChoice { run: saver.is_some(), evidence: evidence.is_some(), settings };
        Ok(Self { wanted, saver, evidence, count: 0 })
    }

    /// Keeps one pair; they come in the order of the file.
    pub(super) fn keep(&mut self, prepared: PreparedItem) -> Result<()> {
        self.count += 1;
        let PreparedItem { item, line, has_name } = prepared;
        if let (Some(saver), Some((mut item, verdict))) = (&mut self.saver, item) {
            if !has_name {
                item.subject = format!("pair {}", self.count);
            }
            saver.add(item, verdict)?;
        }
        if let (Some(file), Some(mut line)) = (&mut self.evidence, line) {
            // An edited line must find its pair again.
            line.id.get_or_insert_with(|| format!("pair {}", self.count));
            line.write(file)?;
        }
        Ok(())
    }

    /// There are no more pairs.
    pub(super) fn finish(mut self) -> Result<()> {
        if let Some(file) = &mut self.evidence {
            file.flush()?;
        }
        self.saver.map_or(Ok(()), Saver::finish)
    }

    /// The work ended early: a run of half the pairs is no run.
    pub(super) fn abandon(self) -> Result<()> {
        self.saver.map_or(Ok(()), Saver::abandon)
    }
}
