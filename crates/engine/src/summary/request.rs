//! Who judges summaries and who counts, and which of them go together.

use assize_methods::summary::asks::Questions;
use assize_methods::summary::evidence::{OverlapWith, QagReading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judging::{Judge, Settings};
use super::scorecard::Framework;
use crate::asking::{AskError, AskSession, JudgeName};
use crate::request::FieldError;

/// How summaries are judged: what every door fills, and what a run stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct SummaryRequest {
    /// Scoring framework
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, help_heading = "Judging"))]
    pub framework: Framework,
    /// The judge: rules, rules+PROVIDER/MODEL (the model decides what rules leave open),
    /// PROVIDER/MODEL, or panel:A,B,C
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "JUDGE", default_value_t, help_heading = "Judging")
    )]
    pub judge: JudgeName,
    /// What to compare each segment of the summary with for relevance
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, help_heading = "Judging"))]
    pub overlap: OverlapWith,
    /// What becomes of Judge-Lock's questions that rules cannot answer
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, help_heading = "Judging"))]
    pub qag: QagReading,
    /// How much to ask a model about each pair
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, help_heading = "Judging"))]
    pub questions: Questions,
    /// Number of replies to request from each model of a panel
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = 1, help_heading = "Judging")
    )]
    pub samples: u32,
    /// How often to judge each item; the repeat with the median score counts
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = 1, help_heading = "Judging")
    )]
    #[serde(skip_serializing_if = "is_once")]
    pub repeat: u32,
}

/// Whether nothing is repeated: then the request is the one that it was before there were repeats.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(crate) fn is_once(repeat: &u32) -> bool {
    *repeat == 1
}

impl Default for SummaryRequest {
    fn default() -> Self {
        Self {
            framework: Framework::default(),
            judge: JudgeName::default(),
            overlap: OverlapWith::default(),
            qag: QagReading::default(),
            questions: Questions::default(),
            samples: 1,
            repeat: 1,
        }
    }
}

impl SummaryRequest {
    /// Who finds, labels and counts. The only place that says which judges a framework takes: a
    /// panel votes in judge-lock-ultra and nowhere else, and only models of a panel are asked
    /// more than once.
    pub fn settings(&self) -> Result<Settings, FieldError> {
        let refused = |field, problem: &str| Err(FieldError::new(field, problem));
        let Self { framework, overlap, qag, questions, samples, .. } = *self;
        let is_ultra = framework == Framework::JudgeLockUltra;
        let judge = match &self.judge {
            JudgeName::Rules if is_ultra => {
                let problem = "judge-lock-ultra needs a panel: use panel:A,B,C, or one model with \
                               several samples";
                return refused("judge", problem);
            }
            JudgeName::Rules => Judge::Rules,
            JudgeName::Assisted(_) if is_ultra => {
                return refused("judge", "rules+MODEL works only with twin-lock or judge-lock");
            }
            JudgeName::Assisted(_) => Judge::RulesAndModel,
            JudgeName::Panel(_) if !is_ultra => {
                return refused("framework", "a panel needs judge-lock-ultra");
            }
            panel if !panel.asks_models() => {
                return refused("judge", "a panel needs at least one model");
            }
            JudgeName::Model(_) if !is_ultra => Judge::Model,
            JudgeName::Model(_) | JudgeName::Panel(_) => Judge::Panel,
        };
        if samples == 0 {
            return refused("samples", "`0` is not a whole number of 1 or more");
        }
        if samples > 1 && !is_ultra {
            return refused("samples", "several samples need the framework judge-lock-ultra");
        }
        check_repeat(self.repeat, self.judge.asks_models())?;
        if questions == Questions::One && judge != Judge::Model {
            return refused("questions", "one question needs one model as the judge");
        }
        Ok(Settings { judge, framework, overlap, qag, questions })
    }

    /// The same by the model whose replies a transcript holds, where no model is named.
    pub fn by_recorded_model(mut self, session: &AskSession) -> Result<Self, AskError> {
        if self.judge.asks_models() {
            return Ok(self);
        }
        let model = match session.recorded_models() {
            [] => return Err(AskError::NoModel),
            [only] => JudgeName::Model(only.clone()),
            several => {
                let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                return Err(AskError::WhoseTranscript(names.join(", ")));
            }
        };
        self.judge = match self.judge {
            JudgeName::Panel(mut members) => {
                members.push(model);
                JudgeName::Panel(members)
            }
            _ => model,
        };
        Ok(self)
    }
}

/// Refuses repeats of what cannot vary.
pub(crate) fn check_repeat(repeat: u32, asks_models: bool) -> Result<(), FieldError> {
    let problem = match repeat {
        1 => return Ok(()),
        0 => "`0` is not a whole number of 1 or more",
        repeat if repeat > REPEATS_MAX => "at most 100 repeats are possible",
        _ if asks_models => return Ok(()),
        _ => "rules say the same each time: only models are repeated",
    };
    Err(FieldError::new("repeat", problem))
}

/// More repeats than this are a mistake that somebody pays for.
const REPEATS_MAX: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(framework: Framework, judge: &str, samples: u32) -> Result<Judge, String> {
        let judge = judge.parse().unwrap();
        let request = SummaryRequest { framework, judge, samples, ..SummaryRequest::default() };
        request.settings().map(|settings| settings.judge).map_err(|error| error.to_string())
    }

    #[test]
    fn a_panel_votes_in_judge_lock_ultra_and_nowhere_else() {
        use Framework::{JudgeLock, JudgeLockUltra, TwinLock};
        for (framework, judge, samples, kind) in [
            (TwinLock, "rules", 1, Judge::Rules),
            (JudgeLock, "local/a", 1, Judge::Model),
            (TwinLock, "rules+local/a", 1, Judge::RulesAndModel),
            (JudgeLockUltra, "panel:local/a,local/b", 1, Judge::Panel),
            (JudgeLockUltra, "local/a", 3, Judge::Panel),
        ] {
            assert_eq!(settings(framework, judge, samples), Ok(kind), "{judge}");
        }
        for (framework, judge, samples, field) in [
            (JudgeLockUltra, "rules", 1, "judge: "),
            (JudgeLockUltra, "panel:rules,rules", 1, "judge: "),
            (JudgeLockUltra, "rules+local/a", 1, "judge: "),
            (TwinLock, "panel:local/a,local/b", 1, "framework: "),
            (JudgeLock, "local/a", 2, "samples: "),
            (JudgeLockUltra, "local/a", 0, "samples: "),
        ] {
            let error = settings(framework, judge, samples).unwrap_err();
            assert!(error.starts_with(field), "{judge}: {error}");
        }
    }
}
