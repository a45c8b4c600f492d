//! One result in full: what was said, by whom, and how the number was computed.

use assize_exports::{LedgerLine, NOT_LOOKED_UP};
use assize_methods::compliance::{Criterion, Rubric, Status};
use assize_score::workings;
use assize_score::{Outcome, Verdict};
use assize_store::{CriteriaResult, Decision, DecisionKind, DocumentEntry, Run};
use assize_wire::repeats::Repeat;
use async_recursion::async_recursion as boxed;
use serde_json::Value;

use super::error::{ComplianceError, Result};
use super::material::{Cited, Criteria};
use crate::Workspace;

/// One result with all that belongs to it.
#[derive(Debug)]
pub struct Detail {
    /// What was required.
    pub criterion: Criterion,
    pub document: DocumentEntry,
    /// What the judge said.
    pub result: CriteriaResult,
    /// Its label.
    pub status: Option<Status>,
    /// What was quoted, with its place.
    pub citations: Vec<Cited>,
    /// How the judge's score was computed.
    pub ledger: Option<Value>,
    /// The judge’s raw answer, where it could not be read.
    pub raw_answer: Option<String>,
    /// The keys of the exchanges with a model.
    pub exchanges: Option<Value>,
    /// Everything people decided, the oldest first.
    pub history: Vec<Decision>,
    rubric: Rubric,
}

impl Workspace {
    /// The result of a document and a criterion of a run. The document may be left out where
    /// there is only one.
    #[boxed]
    pub async fn find_result(
        &self,
        run: &Run,
        criterion: &str,
        document: Option<&str>,
    ) -> Result<CriteriaResult> {
        let planned = self.store.plans().criteria(&self.organisation, &run.id).await?;
        let item = planned.into_iter().find(|known| known.criteria_id == criterion);
        let item = item.ok_or_else(|| ComplianceError::missing("criterion", criterion))?;
        let names = self.store.views().names_of(&self.organisation, &run.id).await?;
        let names = names.map(|names| names.documents).unwrap_or_default();
        if document.is_none() && names.len() > 1 {
            let because = format!("the run has {} documents: choose one of them", names.len());
            return Err(ComplianceError::Refused(because));
        }
        // Of several with one name the last is meant.
        let place = names.iter().rposition(|name| document.is_none_or(|wanted| wanted == name));
        let missing = || ComplianceError::missing("document", document.unwrap_or_default());
        let place = place.ok_or_else(missing)?;
        let documents = self.store.plans().documents(&self.organisation, &run.id).await?;
        let document = documents.get(place).ok_or_else(missing)?;
        let pair = (document, &item.criteria_item_id);
        let result = self.store.results().of_pair(&self.organisation, &run.id, pair).await?;
        result.ok_or_else(|| {
            ComplianceError::Refused(format!("{criterion} has no result yet: resume the run"))
        })
    }

    /// Everything about one result.
    #[boxed]
    pub async fn detail(&self, run: &Run, result: CriteriaResult) -> Result<Detail> {
        let rubric = self.labelled_by(run).await?.rubric;
        let document = self.document_by_id(&result.document_id).await?.entry;
        self.detail_in(rubric, document, result).await
    }

    /// The same for whoever has the document and the rubric of the run already.
    #[boxed]
    pub(crate) async fn detail_in(
        &self,
        rubric: Rubric,
        document: DocumentEntry,
        result: CriteriaResult,
    ) -> Result<Detail> {
        let (run, item) = (&result.run_id, &result.criteria_item_id);
        let criterion = self.store.plans().criterion(&self.organisation, run, item).await?;
        let criterion = Criteria::of(criterion.into_iter().collect()).criteria.pop();
        let criterion =
            criterion.ok_or_else(|| ComplianceError::missing("criterion", item.as_str()))?;
        let mut history = self.store.decisions().about(run, result.position).await?;
        history.retain(|decision| decision.kind == DecisionKind::Score);
        let results = self.store.results();
        let evidence = results.evidence(&self.organisation, run, result.position).await?;
        let evidence = evidence.unwrap_or_default();
        Ok(Detail {
            criterion,
            document,
            status: result.score.map(|score| rubric.status(score)),
            citations: cited(&result),
            ledger: evidence.ledger,
            raw_answer: evidence.raw_answer,
            exchanges: evidence.exchange_keys,
            history,
            rubric,
            result,
        })
    }
}

/// The citations of a result with their places; old results have plain quotes.
pub(crate) fn cited(result: &CriteriaResult) -> Vec<Cited> {
    let Some(Value::Array(items)) = &result.ai_citations else { return Vec::new() };
    let one = |item: &Value| {
        serde_json::from_value(item.clone()).unwrap_or_else(|_| Cited {
            quote: quoted(item),
            matched: NOT_LOOKED_UP.to_owned(),
            similarity: None,
            start: None,
            end: None,
            page: None,
            paragraph: None,
        })
    };
    items.iter().map(one).collect()
}

/// The words of an old citation: a text, or an object that holds it.
fn quoted(item: &Value) -> String {
    let named = || ["quote", "text", "content"].iter().find_map(|name| item[*name].as_str());
    item.as_str().or_else(named).map_or_else(|| item.to_string(), str::to_owned)
}

/// The lines of a stored ledger: the workings of the score, then what was noticed.
pub(super) fn ledger_lines(ledger: &Value) -> Vec<LedgerLine> {
    let mut lines = Vec::new();
    let plain = |text: String| LedgerLine { depth: 0, text, value: None };
    if let Ok(verdict) = serde_json::from_value::<Verdict>(ledger["verdict"].clone()) {
        match verdict.score("score") {
            Some(Outcome::Scored(explained)) => {
                lines.extend(workings::lines(explained).into_iter().map(|line| {
                    let value = line.value.map(|value| format!(" {}", workings::shown(value)));
                    let gap = if line.note.is_empty() { "" } else { "  " };
                    let value_words = value.unwrap_or_default();
                    LedgerLine {
                        depth: u8::try_from(line.depth).unwrap_or(u8::MAX),
                        text: format!("{}{value_words}{gap}{}", line.name, line.note),
                        value: line.value,
                    }
                }));
            }
            Some(Outcome::Unscored { because }) => lines.push(plain(because.clone().into_owned())),
            None => {}
        }
        lines.extend(verdict.findings.into_iter().map(|finding| plain(finding.message)));
        lines.push(plain(format!("by {} {}", verdict.method.name, verdict.method.version)));
    }
    for (index, one) in ledger["repeats"].as_array().into_iter().flatten().enumerate() {
        let Ok(one) = serde_json::from_value::<Repeat>(one.clone()) else { continue };
        let score = one.scores.values().copied().flatten().next();
        let counts = if one.counts { "  (counts)" } else { "" };
        let quotes: Vec<String> = one.quotes.iter().map(|quote| format!("“{quote}”")).collect();
        let text = format!("repeat {}: {}{counts} {}", index + 1, one.verdict, quotes.join(" "));
        lines.push(LedgerLine { depth: 0, text: text.trim_end().to_owned(), value: score });
    }
    if let Some(because) = ledger["unscored"].as_str() {
        lines.push(plain(because.to_owned()));
    }
    if ledger["context"]["whole"] == false {
        let (shown, of) = (&ledger["context"]["bytes"], &ledger["context"]["of_bytes"]);
        let passages = ledger["context"]["passages_bytes"].as_array().map_or(0, Vec::len);
        lines.push(plain(format!("the judge saw {passages} passages, {shown} of {of} bytes")));
    }
    lines
}

impl Detail {
    /// The decision that counts, if there is one.
    pub fn current(&self) -> Option<&Decision> {
        self.history.iter().find(|decision| decision.is_current)
    }

    /// The lines of how the judge's score was computed.
    pub fn ledger_lines(&self) -> Vec<LedgerLine> {
        self.ledger.as_ref().map(ledger_lines).unwrap_or_default()
    }

    /// The score that counts, with its label; or why there is none.
    pub fn score_words(&self) -> String {
        match (self.result.score, &self.status) {
            (Some(score), Some(status)) => format!("{score:.1} of 100, {}", status.label),
            _ => self.result.outcome.word().replace('_', " "),
        }
    }

    /// What the judge said.
    pub fn judge_words(&self) -> Option<String> {
        let score = self.result.ai_score_value?;
        Some(format!("{score:.1} of 100, {}", self.rubric.status(score).label))
    }

    /// The sections: the judge's, or a person's where they wrote others.
    pub fn sections(&self) -> Vec<(&str, &Value)> {
        let judge = self.result.ai_result.as_ref().and_then(Value::as_object);
        let person = self.current().and_then(|one| one.change.value.as_ref()?.as_object());
        let mut sections: Vec<(&str, &Value)> = Vec::new();
        for (name, value) in judge.into_iter().flatten() {
            sections.push((name, person.and_then(|person| person.get(name)).unwrap_or(value)));
        }
        let is_new = |name: &str| judge.is_none_or(|judge| !judge.contains_key(name));
        let added = person.into_iter().flatten().filter(|(name, _)| is_new(name));
        sections.extend(added.map(|(name, value)| (name.as_str(), value)));
        sections
    }
}
