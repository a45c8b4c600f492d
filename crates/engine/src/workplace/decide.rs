//! What a person decides about a result: beside the judge's value, never over it.

use std::collections::BTreeMap;

use assize_store::{Change, CriteriaResult, Label, ResultId, ResultOutcome, Run};
use assize_wire::workplace::SectionView;
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::{Map, Value as Json};

use super::result::sections;
use crate::compliance::{ComplianceError, Configuration, Registry};

/// The measure that compliance results are rated by.
pub const SCORE: &str = "score";

/// A decision as somebody wrote it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// Another score.
    pub score: Option<f64>,
    /// `not_applicable` or `needs_information`.
    pub outcome: Option<String>,
    /// The sections as they are to be; those that equal the judge's change nothing. A list has
    /// an entry on each line.
    pub sections: BTreeMap<String, String>,
    /// Why.
    pub reason: String,
}

impl Registry {
    /// Keeps a decision about the result with a number in a run.
    #[boxed]
    pub async fn decide(
        &self,
        name: &str,
        number: i64,
        wanted: &Wanted,
    ) -> Result<(), ComplianceError> {
        let (any, run, configuration) = self.evaluation_of(name).await?;
        let result = self.result_at(&run, number).await?;
        let result =
            result.ok_or_else(|| ComplianceError::missing("result", &number.to_string()))?;
        let id = result.id.clone();
        let known = sections(&self.detail(&run, result).await?, &configuration.structure);
        let changed = changed(&known, &wanted.sections)?;
        let outcome = match wanted.outcome.as_deref().filter(|word| !word.is_empty()) {
            None => None,
            Some("not_applicable") => Some(ResultOutcome::NotApplicable),
            Some("needs_information") => Some(ResultOutcome::NeedsInformation),
            Some(other) => {
                let because = format!("unknown decision `{other}`");
                return Err(ComplianceError::Refused(because));
            }
        };
        let score = self.score_of(&id, wanted, outcome).await?;
        let change = Change { is_withdrawal: false, outcome, score, sections: changed };
        if change == Change::default() {
            let because = "a decision must change the score, the outcome or a section";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        self.override_result(&id, change, &self.who, wanted.reason.trim()).await?;
        if let Some(value) = score {
            // A decision is a rating too: agreement between people and judge grows with it.
            let label = Label {
                position: number - 1,
                rater: self.who.clone(),
                measure: SCORE.to_owned(),
                value: Some(value),
                label: Some(configuration.rubric.status(value).label),
                note: Some(wanted.reason.trim().to_owned()),
                created_at: Utc::now(),
            };
            self.store.labels().put_decided(&any.id, label).await?;
        }
        Ok(())
    }

    /// The score of a decision. With an outcome there is none: the one that counted until now goes
    /// with it, and another one is refused rather than lost.
    async fn score_of(
        &self,
        result: &ResultId,
        wanted: &Wanted,
        outcome: Option<ResultOutcome>,
    ) -> Result<Option<f64>, ComplianceError> {
        let (Some(score), Some(outcome)) = (wanted.score, outcome) else { return Ok(wanted.score) };
        let current = self.store.overrides().current(&self.organisation, result).await?;
        if current.and_then(|entry| entry.change.score) == Some(score) {
            return Ok(None);
        }
        let outcome = outcome.word().replace('_', " ");
        let because = format!(
            "a decision is either a score or “{outcome}”, not both: clear the score, or choose \
             “scored”"
        );
        Err(ComplianceError::Refused(because))
    }

    /// Other words for the sections of a result, as they are stored; none if they say what the
    /// judge says. A section that the run does not know is refused.
    #[boxed]
    pub async fn other_sections(
        &self,
        run: &Run,
        result: &CriteriaResult,
        wanted: &BTreeMap<String, String>,
    ) -> Result<Option<Json>, ComplianceError> {
        if wanted.is_empty() {
            return Ok(None);
        }
        let structure = Configuration::of(run)?.structure;
        let known = sections(&self.detail(run, result.clone()).await?, &structure);
        if let Some(id) = wanted.keys().find(|id| known.iter().all(|known| known.id != **id)) {
            let names: Vec<&str> = known.iter().map(|known| known.id.as_str()).collect();
            let because = format!("unknown section `{id}`; the sections are {}", names.join(", "));
            return Err(ComplianceError::Refused(because));
        }
        changed(&known, wanted)
    }

    /// Goes back to the judge's value.
    #[boxed]
    pub async fn revert(
        &self,
        name: &str,
        number: i64,
        reason: &str,
    ) -> Result<(), ComplianceError> {
        let (_, run, _) = self.evaluation_of(name).await?;
        let result = self.result_at(&run, number).await?;
        let result =
            result.ok_or_else(|| ComplianceError::missing("result", &number.to_string()))?;
        let current = self.store.overrides().current(&self.organisation, &result.id).await?;
        if current.is_none() {
            let because = "nothing to withdraw: the judge’s value already counts";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        let change = Change { is_withdrawal: true, ..Change::default() };
        self.override_result(&result.id, change, &self.who, reason).await?;
        Ok(())
    }

    /// Makes what a person decided about a result this person's truth key of its document and
    /// criterion. The judge's own score is refused: measured by it, the judge is always right.
    #[boxed]
    pub async fn make_truth(&self, name: &str, number: i64) -> Result<(), ComplianceError> {
        let (_, run, _) = self.evaluation_of(name).await?;
        let result = self.result_at(&run, number).await?;
        let result =
            result.ok_or_else(|| ComplianceError::missing("result", &number.to_string()))?;
        let current = self.store.overrides().current(&self.organisation, &result.id).await?;
        if current.is_none() {
            let because = "nobody has decided about this result yet: save your decision first; the \
                           judge’s own score cannot be its truth key";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        self.keep_as_truth(&run, result, &self.who).await?;
        Ok(())
    }
}

/// The sections that differ from the judge's, as they are stored; none if none does.
fn changed(
    known: &[SectionView],
    wanted: &BTreeMap<String, String>,
) -> Result<Option<Json>, ComplianceError> {
    let mut all = Map::new();
    for (id, text) in wanted {
        let Some(section) = known.iter().find(|known| known.id == *id) else { continue };
        let text = text.replace("\r\n", "\n");
        if text.trim() == section.judge.join("\n").trim() {
            continue;
        }
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let value = match section.kind {
            "list" => lines.map(Json::from).collect(),
            "number" => {
                let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                Json::from(number.ok_or_else(|| {
                    let text = text.trim();
                    ComplianceError::Refused(format!("section {id}: `{text}` is not a number"))
                })?)
            }
            _ => Json::from(text.trim()),
        };
        all.insert(id.clone(), value);
    }
    Ok((!all.is_empty()).then_some(Json::Object(all)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(id: &str, kind: &'static str, judge: &[&str]) -> SectionView {
        SectionView {
            id: id.to_owned(),
            kind,
            is_required: true,
            judge: judge.iter().map(ToString::to_string).collect(),
            person: None,
        }
    }

    #[test]
    fn only_what_differs_from_the_judge_is_kept_in_its_type() {
        let known = [
            section("why", "text", &["Because."]),
            section("gaps", "list", &["one", "two"]),
            section("days", "number", &["30"]),
        ];
        let wanted = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
        };
        let same = wanted(&[("why", "Because. "), ("gaps", "one\r\ntwo"), ("days", "30")]);
        assert_eq!(changed(&known, &same).unwrap(), None);
        let other = wanted(&[("gaps", "one\n\n three "), ("days", "14"), ("unknown", "x")]);
        let kept = changed(&known, &other).unwrap().unwrap();
        assert_eq!(kept["gaps"], Json::from(vec!["one", "three"]));
        assert_eq!(kept["days"], Json::from(14.0));
        assert_eq!(kept.as_object().unwrap().len(), 2);
        let refused = changed(&known, &wanted(&[("days", "soon")])).unwrap_err();
        assert!(refused.to_string().contains("days"), "{refused}");
    }
}
