//! What no door may ask for, refused in one place.

use super::measures::split_list;
use super::{ScoreError, ScoreRequest};
use crate::request::FieldError;
use crate::retrieval::uncertainty::REPETITIONS_MAX;

/// What a user may name a column for: those of passages, then those of ranked runs.
pub const FIELDS: [&str; 8] =
    ["query", "passages", "gold", "answer", "document", "score", "rank", "relevance"];

/// The same for a server, which computes for others: a second of one core for a usual run.
pub(crate) const SERVED_RESAMPLES_MAX: usize = 10_000;

impl ScoreRequest {
    /// The request with measures apart, or what is wrong with it.
    pub fn checked(&self) -> Result<Self, ScoreError> {
        self.check_resamples(REPETITIONS_MAX)?;
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            let problem = format!("{} is not between 0 and 1", self.confidence);
            return Err(FieldError::new("confidence", problem).into());
        }
        if self.depth == Some(0) {
            return Err(FieldError::new("depth", "`0` is not a whole number of 1 or more").into());
        }
        if let Some(field) = self.map.keys().find(|field| !FIELDS.contains(&field.as_str())) {
            let fields = FIELDS.join(", ");
            let problem = format!("unknown field `{field}`; the fields are {fields}");
            return Err(FieldError::new("map", problem).into());
        }
        Ok(Self { measures: split_list(&self.measures), ..self.clone() })
    }

    /// Refuses more resamples than a server computes for whoever asks.
    pub fn check_served(&self) -> Result<(), FieldError> {
        self.check_resamples(SERVED_RESAMPLES_MAX)
    }

    fn check_resamples(&self, max: usize) -> Result<(), FieldError> {
        if self.resamples <= max {
            return Ok(());
        }
        let problem = format!("{} is more than the maximum of {max}", self.resamples);
        Err(FieldError::new("resamples", problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_no_door_could_make_is_refused_with_its_field() {
        let refused = |json: &str| match serde_json::from_str::<ScoreRequest>(json) {
            Ok(request) => request.checked().unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        for (json, problem) in [
            (r#"{"confidence": 1.0}"#, "confidence: 1 is not between 0 and 1"),
            (r#"{"depth": 0}"#, "depth: `0` is not a whole number of 1 or more"),
            (r#"{"map": {"text": "t"}}"#, "map: unknown field `text`; the fields are query"),
            (r#"{"resamples": 10000001}"#, "resamples: 10000001 is more than the maximum"),
            (r#"{"kk": 1}"#, "unknown field `kk`"),
            (r#"{"k": 0}"#, "`0` is not a whole number of 1 or more"),
        ] {
            assert!(refused(json).starts_with(problem), "{json}: {}", refused(json));
        }
        let many = ScoreRequest { resamples: 10_001, ..ScoreRequest::default() };
        assert!(many.checked().is_ok() && many.check_served().is_err());
    }

    #[test]
    fn a_request_is_read_as_it_was_stored() {
        let request = ScoreRequest {
            k: "2,4".parse().unwrap(),
            measures: vec!["ndcg@3".to_owned()],
            relevance_level: 2,
            confidence: 0.9,
            by: Some("topic".to_owned()),
            ..ScoreRequest::default()
        };
        let stored = serde_json::to_value(&request).unwrap();
        assert_eq!(serde_json::from_value::<ScoreRequest>(stored).unwrap(), request);
    }
}
