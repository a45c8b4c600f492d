//! Evidence in files: labels with their quotes, one pair a line, to be read, edited and scored
//! again without a model and without a database.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use assize_methods::summary::asks::edited::{follow, labels};
use assize_methods::summary::labels::Support;
use assize_methods::summary::{Evidence, FiveMetrics, Metric};
use serde::{Deserialize, Serialize};

use super::error::{Result, RunError};
use crate::summary::{Framework, Judged, Settings};

/// One pair of an evidence file. The scores are those that were computed when it was written;
/// nothing is computed from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceLine {
    /// What the pair is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who counted.
    pub framework: String,
    /// Who judged.
    pub judge: String,
    /// What was found; absent if the pair could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Why it could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it came to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, Option<f64>>,
    /// The judge's labels of the claims, in their order: what differs from them was edited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged_labels: Vec<Support>,
}

impl EvidenceLine {
    /// The line of a judged pair.
    pub fn of(judged: &Judged, settings: Settings) -> Self {
        let evidence = judged.evidence.as_ref().ok().cloned();
        let scores = evidence.as_ref().and_then(|found| settings.framework.scores(found).ok());
        let pairs = |scores: FiveMetrics<Option<f64>>| {
            Metric::ALL.map(|metric| (metric.name().to_owned(), *scores.get(metric))).into()
        };
        let judge = match &judged.trail {
            Some(trail) => trail.judges.join(", "),
            None => settings.judge.name().to_owned(),
        };
        Self {
            id: judged.id.clone(),
            framework: settings.framework.name().into_owned(),
            judge,
            error: judged.evidence.as_ref().err().cloned(),
            scores: scores.map(pairs).unwrap_or_default(),
            judged_labels: evidence.as_ref().map(labels).unwrap_or_default(),
            evidence,
        }
    }

    /// Writes it as one line.
    pub fn write(&self, to: &mut dyn Write) -> std::io::Result<()> {
        serde_json::to_writer(&mut *to, self)?;
        to.write_all(b"\n")
    }

    /// What was found, with all that follows from labels that were edited since. `before` are the
    /// labels to hold against if the line does not have the judge's; the article is used where it
    /// is at hand.
    pub fn followed(&self, before: Option<&[Support]>, article: Option<&str>) -> Option<Evidence> {
        let evidence = self.evidence.clone()?;
        let judged = (!self.judged_labels.is_empty()).then_some(self.judged_labels.as_slice());
        Some(match judged.or(before) {
            Some(before) => follow(evidence, before, article),
            None => evidence,
        })
    }

    /// The framework it was counted by.
    pub fn framework(&self) -> Option<Framework> {
        Framework::named(&self.framework)
    }
}

/// Refuses evidence that lacks what a framework counts: it would give metrics without a value.
pub fn check(evidence: &Evidence, collected_for: Framework, wanted: Framework) -> Result<()> {
    if !wanted.lacks_questions(collected_for, evidence) {
        return Ok(());
    }
    Err(RunError::Refused(format!(
        "{} evidence lacks the questions that {} needs; score the pairs again with that framework",
        collected_for.name(),
        wanted.name()
    )))
}

/// The lines of an evidence file, every number as it was written.
pub fn read_lines(from: &mut dyn BufRead) -> Result<Vec<EvidenceLine>> {
    let mut lines = Vec::new();
    for (number, text) in from.lines().enumerate() {
        let refused =
            |because: String| RunError::Refused(format!("line {}: {because}", number + 1));
        let text = text.map_err(|error| refused(error.to_string()))?;
        if text.trim().is_empty() {
            continue;
        }
        let line: EvidenceLine =
            serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        if line.framework().is_none() {
            return Err(refused(format!("unknown framework `{}`", line.framework)));
        }
        lines.push(line);
    }
    if lines.is_empty() {
        return Err(RunError::Refused("the file contains no evidence".to_owned()));
    }
    Ok(lines)
}
