//! What a person decides about an item, beside the judge and never over it. Every door comes here.

use std::collections::BTreeMap;

use assize_methods::schema::fields;
use assize_store::{
    Change, Consequences, Decision, DecisionKind, Instrument, Label, ResultOutcome, Run,
};
use assize_wire::workplace::SectionView;
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::{Map, Value as Json};

use crate::Workspace;
use crate::compliance::{ComplianceError, Result};
use crate::workplace::result::{sections, words};

/// The measure that compliance results have.
pub const SCORE: &str = "score";

/// What somebody decides about an item.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecisionRequest {
    /// Which measure; may be left out where a run has only one.
    pub measure: Option<String>,
    /// Whether the judge's value counts again; then nothing else is said.
    pub is_withdrawal: bool,
    /// Another score.
    pub score: Option<f64>,
    /// Another outcome than a score: it does not apply, or more information is needed.
    pub outcome: Option<ResultOutcome>,
    /// The sections as they are to be; those that equal the judge's change nothing. A list has
    /// an entry on each line.
    pub sections: BTreeMap<String, String>,
    /// Why.
    pub reason: String,
    /// Who says so, if it is somebody else than whoever the workspace acts for.
    pub author: Option<String>,
    /// How many decisions about the item they had seen; more by now are a conflict.
    pub seen: Option<i64>,
    /// Whether what was decided before stays where this says nothing about it. Otherwise this is
    /// all that is decided.
    pub is_addition: bool,
}

impl DecisionRequest {
    /// The same with what an earlier decision says about the rest.
    fn beside(&self, before: &Change) -> Self {
        let mut all = self.clone();
        if all.score.is_none() && all.outcome.is_none() {
            (all.score, all.outcome) = (before.score, before.outcome);
        }
        let sections = before.value.as_ref().and_then(Json::as_object);
        for (id, value) in sections.into_iter().flatten() {
            all.sections.entry(id.clone()).or_insert_with(|| words(value).join("\n"));
        }
        all
    }
}

impl Workspace {
    /// Keeps a decision about an item, named by its place from 0: the decision itself, the score
    /// that counts from now on, the rater's label and the entry of the audit, all or nothing.
    #[boxed]
    pub async fn decide(
        &self,
        run: &Run,
        position: i64,
        request: &DecisionRequest,
    ) -> Result<Decision> {
        if !(0..run.items).contains(&position) {
            return Err(ComplianceError::missing("result", &(position + 1).to_string()));
        }
        let measure = self.decided_measure(run, request.measure.as_deref()).await?;
        let history = self.store.decisions().about(&run.id, position).await?;
        let of_score = |one: &&Decision| one.kind == DecisionKind::Score && one.target == measure;
        let before = history.iter().filter(of_score).find(|one| one.is_current);
        let request = &match before {
            Some(before) if request.is_addition => request.beside(&before.change),
            _ => request.clone(),
        };
        let change = self.decided_change(run, position, request, before).await?;
        let author = request.author.clone().unwrap_or_else(|| self.who.clone());
        let reason = request.reason.trim().to_owned();
        let now = Utc::now();
        let label = match change.score {
            Some(value) => Some(Label {
                position,
                rater: author.clone(),
                measure: measure.clone(),
                value: Some(value),
                label: self.label_of(run, value).await?,
                note: Some(reason.clone()),
                created_at: now,
            }),
            None => None,
        };
        // A label that was this person's decision goes with it.
        let withdrawn_label = before
            .filter(|one| change.score.is_none() && one.author == author)
            .filter(|one| one.change.score.is_some())
            .map(|_| (author.clone(), measure.clone()));
        let action = if change.is_withdrawal { "revert" } else { "override" };
        let subject = format!("{} item {position}", run.id);
        // Who says it is who did it, wherever they were asked for their name.
        let said_by = Self { who: author.clone(), ..self.clone() };
        let entry = said_by.audited([action, "result", subject.as_str()]).with(
            before.map(|one| said(&one.change)),
            (!change.is_withdrawal).then(|| said(&change)),
        );
        let decision = Decision {
            position,
            sequence: i64::try_from(history.len()).unwrap_or(i64::MAX) + 1,
            kind: DecisionKind::Score,
            target: measure,
            is_current: !change.is_withdrawal,
            change,
            author,
            reason,
            created_at: now,
        };
        let with = Consequences { label, audit: Some(entry), seen: request.seen, withdrawn_label };
        self.store.decisions().add(&run.id, &decision, with).await?;
        Ok(decision)
    }

    /// The measure that is meant: one that the run has.
    async fn decided_measure(&self, run: &Run, named: Option<&str>) -> Result<String> {
        let known = self.store.verdicts().means(&run.id, run.version).await?;
        let known: Vec<String> = known.into_keys().collect();
        let refused = |because: String| Err(ComplianceError::Refused(because));
        match (named.filter(|name| !name.is_empty()), known.as_slice()) {
            (Some(name), _) if known.iter().any(|one| one == name) => Ok(name.to_owned()),
            (None, [only]) => Ok(only.clone()),
            (Some(name), _) => refused(format!(
                "run #{} has no measure `{name}`; it has {}",
                run.number,
                known.join(", ")
            )),
            (None, []) => refused(format!("run #{} has no scores yet", run.number)),
            (None, _) => refused(format!(
                "run #{} has several measures: name one of {}",
                run.number,
                known.join(", ")
            )),
        }
    }

    /// What a request says, checked against what is there.
    async fn decided_change(
        &self,
        run: &Run,
        position: i64,
        request: &DecisionRequest,
        before: Option<&Decision>,
    ) -> Result<Change> {
        let refused = |because: &str| Err(ComplianceError::Refused(because.to_owned()));
        let DecisionRequest { is_withdrawal, outcome, sections, .. } = request;
        if *is_withdrawal {
            return match before {
                Some(_) => Ok(Change { is_withdrawal: true, ..Change::default() }),
                None => refused("nothing to withdraw: the judge’s value already counts"),
            };
        }
        let outcome = outcome.filter(|outcome| *outcome != ResultOutcome::Scored);
        // The score that counted until now goes with another outcome; a new one is refused
        // rather than lost.
        let was = before.and_then(|one| one.change.score);
        let score = request.score.filter(|_| outcome.is_none() || request.score != was);
        if let (Some(_), Some(outcome)) = (score, outcome) {
            let outcome = outcome.word().replace('_', " ");
            return Err(ComplianceError::Refused(format!(
                "a decision is either a score or “{outcome}”, not both: clear the score, or \
                 choose “scored”"
            )));
        }
        if let Some(score) = score {
            check_score(run.instrument, score)?;
        }
        let value = self.changed_sections(run, position, sections).await?;
        let change = Change { is_withdrawal: false, outcome, score, value };
        if change == Change::default() {
            return refused("a decision must change the score, the outcome or a section");
        }
        Ok(change)
    }

    /// Other words for the sections of a result, as they are stored; none if they say what the
    /// judge says. A section that the run does not know is refused.
    async fn changed_sections(
        &self,
        run: &Run,
        position: i64,
        wanted: &BTreeMap<String, String>,
    ) -> Result<Option<Json>> {
        if wanted.is_empty() {
            return Ok(None);
        }
        if run.instrument != Instrument::Compliance {
            let because = "only results of compliance runs have sections";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        let result = self.result_at(run, position + 1).await?;
        let result = result
            .ok_or_else(|| ComplianceError::missing("result", &(position + 1).to_string()))?;
        let structure = self.labelled_by(run).await?.structure;
        let known = sections(&self.detail(run, result).await?, &structure);
        if let Some(id) = wanted.keys().find(|id| known.iter().all(|known| known.id != **id)) {
            let names: Vec<&str> = known.iter().map(|known| known.id.as_str()).collect();
            let because = format!("unknown section `{id}`; the sections are {}", names.join(", "));
            return Err(ComplianceError::Refused(because));
        }
        changed(&known, wanted)
    }

    /// The word that goes with a score; only a rubric has words.
    async fn label_of(&self, run: &Run, score: f64) -> Result<Option<String>> {
        if run.instrument != Instrument::Compliance {
            return Ok(None);
        }
        Ok(Some(self.labelled_by(run).await?.rubric.status(score).label))
    }

    /// Makes what a person decided about a result, by its place from 0, this person's truth key of
    /// its document and criterion. The judge's own score is refused: measured by it, the judge is
    /// always right.
    #[boxed]
    pub async fn make_truth(&self, run: &Run, position: i64) -> Result<()> {
        let result = self.result_at(run, position + 1).await?;
        let result = result
            .ok_or_else(|| ComplianceError::missing("result", &(position + 1).to_string()))?;
        if !result.is_decided {
            let because = "nobody has decided about this result yet: save your decision first; the \
                           judge’s own score cannot be its truth key";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        self.keep_as_truth(run, result, &self.who).await?;
        Ok(())
    }
}

/// Refuses a number that no score of the instrument can be.
fn check_score(instrument: Instrument, score: f64) -> Result<()> {
    let highest = match instrument {
        Instrument::Compliance => 100.0,
        Instrument::Summary | Instrument::Council => 10.0,
        Instrument::Retrieval => f64::MAX,
    };
    if (0.0..=highest).contains(&score) {
        return Ok(());
    }
    let range =
        if highest < f64::MAX { format!("from 0 to {highest}") } else { "0 or more".to_owned() };
    Err(ComplianceError::Refused(format!("{score} is not a score: expected a number {range}")))
}

/// What was said, for the audit: of sections their names and not their words.
fn said(change: &Change) -> Json {
    let names = change.value.as_ref().and_then(Json::as_object);
    let names: Vec<&str> = names.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    fields([
        ("score", change.score.into()),
        ("outcome", change.outcome.map(ResultOutcome::word).into()),
        ("sections", names.into()),
    ])
}

/// The sections that differ from the judge's, as they are stored; none if none does.
fn changed(known: &[SectionView], wanted: &BTreeMap<String, String>) -> Result<Option<Json>> {
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
