//! How a stored run is scored again: one request for the command line, HTTP and pages.

use assize_methods::compliance::Rubric;
use assize_store::{Instrument, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::error::{Result, RunError};
use super::evidence::EvidenceLine;
use crate::council::CouncilRequest;
use crate::request::FieldError;
use crate::retrieval::request::{Cutoffs, ScoreRequest};
use crate::summary::Framework;

/// How a stored run is scored again. Each field is for runs of one instrument; what is absent
/// stays as the run has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct RescoreRequest {
    /// Reason to record [default: what was changed]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT"))]
    pub reason: Option<String>,
    /// Summaries: a different framework
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_enum, help_heading = "Summaries"))]
    pub framework: Option<Framework>,
    /// Summaries: corrected labels, as the lines of an evidence file
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Json>")]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub evidence: Vec<EvidenceLine>,
    /// Retrieval: other measures, cutoffs or relevance level
    #[cfg_attr(feature = "clap", command(flatten))]
    pub retrieval: RetrievalChange,
    /// Compliance: a different rubric
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub rubric: Option<Json>,
    /// Councils: other weights, profile, aggregation or gate
    #[cfg_attr(feature = "clap", command(flatten))]
    pub council: CouncilRequest,
}

/// Other settings for the stored files of a retrieval run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct RetrievalChange {
    /// Retrieval: different measures, separated by commas
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAMES", help_heading = "Retrieval"))]
    pub measures: Vec<String>,
    /// Retrieval: number of top passages to score
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = "Retrieval"))]
    pub k: Option<Cutoffs>,
    /// Retrieval: the lowest relevance level that counts as relevant
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long = "level", value_name = "LEVEL", help_heading = "Retrieval")
    )]
    pub relevance_level: Option<i32>,
}

/// The fields for an instrument, as JSON spells them.
pub fn fields(instrument: Instrument) -> &'static [&'static str] {
    match instrument {
        Instrument::Summary => &["framework", "evidence"],
        Instrument::Retrieval => &["retrieval"],
        Instrument::Compliance => &["rubric"],
        Instrument::Council => &["council"],
    }
}

impl RescoreRequest {
    /// Refuses a field for another instrument, and a request that changes nothing.
    pub(super) fn check(&self, run: &Run) -> Result<()> {
        let given = self.given();
        let own = fields(run.instrument);
        match given.iter().find(|field| !own.contains(field)) {
            Some(field) => {
                let problem = format!("run #{} is a {} run", run.number, run.instrument);
                Err(FieldError::new(field, problem).into())
            }
            None if given.is_empty() => Err(RunError::Unchanged(run.instrument)),
            None => self.check_evidence(),
        }
    }

    fn check_evidence(&self) -> Result<()> {
        match self.evidence.iter().find(|line| line.framework().is_none()) {
            Some(line) => {
                let problem = format!("unknown framework `{}`", line.framework);
                Err(FieldError::new("evidence", problem).into())
            }
            None => Ok(()),
        }
    }

    /// This request under the operator's policy: the gate holds for stored councils too.
    #[must_use]
    pub fn under(mut self, operator: CouncilRequest) -> Self {
        if self.council != CouncilRequest::default() {
            self.council = self.council.under(operator.gate_only());
        }
        self
    }

    fn given(&self) -> Vec<&'static str> {
        let all = [
            ("framework", self.framework.is_some()),
            ("evidence", !self.evidence.is_empty()),
            ("retrieval", self.retrieval != RetrievalChange::default()),
            ("rubric", self.rubric.is_some()),
            ("council", self.council != CouncilRequest::default()),
        ];
        all.into_iter().filter_map(|(field, is_given)| is_given.then_some(field)).collect()
    }

    /// The rubric in place of the run's.
    pub(super) fn rubric(&self) -> Result<Rubric> {
        let rubric = Rubric::from_json(self.rubric.as_ref());
        Ok(rubric.map_err(|error| FieldError::new("rubric", error.to_string()))?)
    }

    /// The given reason, or else what changes.
    pub(super) fn recorded_reason(&self) -> String {
        if let Some(reason) = self.reason.as_deref().map(str::trim).filter(|text| !text.is_empty())
        {
            return reason.to_owned();
        }
        let RetrievalChange { measures, k, relevance_level } = &self.retrieval;
        let all = [
            self.framework.map(|framework| format!("framework {}", framework.name())),
            (!self.evidence.is_empty()).then(|| "corrected evidence".to_owned()),
            (!measures.is_empty()).then(|| format!("measures {}", measures.join(", "))),
            k.as_ref().map(|k| format!("k {k}")),
            relevance_level.map(|level| format!("level {level}")),
            self.rubric.is_some().then(|| "different rubric".to_owned()),
        ];
        let words: Vec<String> = all.into_iter().flatten().collect();
        if words.is_empty() { "other council settings".to_owned() } else { words.join(", ") }
    }
}

impl RetrievalChange {
    pub(super) fn applied_to(&self, mut request: ScoreRequest) -> ScoreRequest {
        if !self.measures.is_empty() {
            request.measures.clone_from(&self.measures);
        }
        request.k = self.k.clone().unwrap_or(request.k);
        request.relevance_level = self.relevance_level.unwrap_or(request.relevance_level);
        request
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_reason_is_what_changes_unless_somebody_says_why() {
        let reason =
            |json: Json| serde_json::from_value::<RescoreRequest>(json).unwrap().recorded_reason();
        assert_eq!(reason(json!({"framework": "twin-lock"})), "framework twin-lock");
        let retrieval = json!({"measures": ["map"], "k": [1, 3], "relevance_level": 2});
        assert_eq!(reason(json!({"retrieval": retrieval})), "measures map, k 1,3, level 2");
        assert_eq!(reason(json!({"rubric": {}, "reason": " "})), "different rubric");
        assert_eq!(reason(json!({"rubric": {}, "reason": " new words "})), "new words");
    }

    #[test]
    fn every_field_but_the_reason_is_for_an_instrument() {
        let every = [
            Instrument::Summary,
            Instrument::Retrieval,
            Instrument::Compliance,
            Instrument::Council,
        ];
        let mut known: Vec<&str> = every.into_iter().flat_map(fields).copied().collect();
        known.push("reason");
        let mut declared = crate::request::field_names::<RescoreRequest>();
        known.sort_unstable();
        declared.sort_unstable();
        assert_eq!(declared, known);
    }
}
