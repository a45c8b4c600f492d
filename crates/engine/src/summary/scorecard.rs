//! The frameworks behind one door: evidence in, scorecard out.

use std::borrow::Cow;

use assize_methods::summary::limits::Limits;
use assize_methods::summary::{Evidence, FiveMetrics, Refusal, judge_lock, twin_lock, ultra};
use assize_score::{MethodVersion, Verdict};
pub use assize_wire::summary::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who counts the labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Framework {
    /// Twin-Lock: five metrics; an unsupported claim caps coverage and relevance at 4
    #[default]
    TwinLock,
    /// Judge-Lock: adds questions and answers, and stricter caps
    JudgeLock,
    /// Judge-Lock with labels voted by a panel, with agreement and intervals
    JudgeLockUltra,
}

impl Framework {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::TwinLock, Self::JudgeLock, Self::JudgeLockUltra];

    /// The framework of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|framework| framework.name() == name)
    }

    /// The method with its version.
    pub fn method(self) -> MethodVersion {
        match self {
            Self::TwinLock => twin_lock::METHOD,
            Self::JudgeLock => judge_lock::METHOD,
            Self::JudgeLockUltra => ultra::METHOD,
        }
    }

    /// What it expects of a judge.
    pub fn limits(self) -> &'static Limits {
        match self {
            Self::TwinLock => &twin_lock::LIMITS,
            Self::JudgeLock | Self::JudgeLockUltra => &judge_lock::LIMITS,
        }
    }

    /// The name as users type and read it.
    pub fn name(self) -> Cow<'static, str> {
        self.method().name
    }

    /// Whether it counts questions and evidence that was collected for another framework has none.
    pub(crate) fn lacks_questions(self, collected_for: Self, evidence: &Evidence) -> bool {
        let is_asked = |framework: Self| framework.limits().questions.is_some();
        let Evidence { coverage, hallucination, .. } = evidence;
        let has_some = coverage.as_ref().is_some_and(|found| !found.questions.is_empty())
            || hallucination.as_ref().is_some_and(|found| !found.questions.is_empty());
        is_asked(self) && !is_asked(collected_for) && !has_some
    }

    /// The five metric objects, ready to be printed.
    pub fn report(self, evidence: &Evidence) -> Result<Report<'_>, Refusal> {
        match self {
            Self::TwinLock => twin_lock::report(evidence),
            Self::JudgeLock | Self::JudgeLockUltra => judge_lock::report(evidence),
        }
    }

    /// The five outcomes with their workings.
    pub fn verdict(self, evidence: &Evidence) -> Result<Verdict, Refusal> {
        match self {
            Self::TwinLock => twin_lock::verdict(evidence),
            Self::JudgeLock => judge_lock::verdict(evidence),
            Self::JudgeLockUltra => {
                Ok(Verdict { method: ultra::METHOD, ..judge_lock::verdict(evidence)? })
            }
        }
    }

    /// The five scores alone; `None` where a metric has none.
    pub fn scores(self, evidence: &Evidence) -> Result<FiveMetrics<Option<f64>>, Refusal> {
        let five = match self {
            Self::TwinLock => twin_lock::score::<f64>(evidence)?.overall(),
            Self::JudgeLock | Self::JudgeLockUltra => judge_lock::score::<f64>(evidence)?.overall(),
        };
        Ok(five.map(|_, scored| scored.ok()))
    }
}
