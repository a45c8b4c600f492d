//! One result in full: what was said, by whom, and how the number was computed.

use assize_exports::NOT_LOOKED_UP;
use assize_methods::compliance::{Criterion, Rubric, Status};
use assize_score::workings;
use assize_score::{Outcome, Verdict};
use assize_store::{CriteriaResult, DocumentEntry, Override, ResultOutcome, Run};
use async_recursion::async_recursion as boxed;
use serde_json::Value;

use super::error::ComplianceError;
use super::material::{Cited, Criteria};
use super::overrides::Current;
use super::registry::Registry;

/// One result with all that belongs to it.
#[derive(Debug)]
pub struct Detail {
    /// What was required.
    pub criterion: Criterion,
    /// The document.
    pub document: DocumentEntry,
    /// What the judge said.
    pub result: CriteriaResult,
    /// What counts in the end.
    pub outcome: ResultOutcome,
    /// The score that counts.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// What was quoted, with its place.
    pub citations: Vec<Cited>,
    /// How the judge's score was computed.
    pub ledger: Option<Value>,
    /// The prompt as it was sent, if it was kept.
    pub prompt: Option<String>,
    /// The judge’s raw answer, where it could not be read.
    pub raw_answer: Option<String>,
    /// The keys of the exchanges with a model.
    pub exchanges: Option<Value>,
    /// Everything people said, the oldest first.
    pub history: Vec<Override>,
    rubric: Rubric,
}

/// A line of how a score was computed.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerLine {
    /// How deep it stands, from 0.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// Its number, if it has one.
    pub value: Option<f64>,
}

impl Registry {
    /// Everything about one result.
    #[boxed]
    pub async fn detail(
        &self,
        run: &Run,
        result: CriteriaResult,
    ) -> Result<Detail, ComplianceError> {
        let rubric = self.labelled_by(run).await?.rubric;
        let document = self.document_by_id(&result.document_id).await?.entry;
        self.detail_in(rubric, document, result).await
    }

    /// The same for whoever has the document and the rubric of the run already.
    #[boxed]
    pub async fn detail_in(
        &self,
        rubric: Rubric,
        document: DocumentEntry,
        result: CriteriaResult,
    ) -> Result<Detail, ComplianceError> {
        let (run, item) = (&result.run_id, &result.criteria_item_id);
        let criterion = self.store.runs().criterion(&self.organisation, run, item).await?;
        let criterion = Criteria::of(criterion.into_iter().collect()).criteria.pop();
        let criterion =
            criterion.ok_or_else(|| ComplianceError::missing("criterion", item.as_str()))?;
        let history = self.store.overrides().history(&self.organisation, &result.id).await?;
        let evidence = self.store.results().evidence(&self.organisation, &result.id).await?;
        let evidence = evidence.unwrap_or_default();
        let last = history.last().filter(|entry| !entry.change.is_withdrawal);
        let current = last.map(|entry| Current::from(&entry.change));
        let (outcome, score) =
            Current::effective(current.as_ref(), result.outcome, result.ai_score_value);
        Ok(Detail {
            criterion,
            document,
            outcome,
            score,
            status: score.map(|score| rubric.status(score)),
            citations: cited(&result),
            ledger: evidence.ledger,
            prompt: evidence.prompt,
            raw_answer: evidence.raw_answer,
            exchanges: evidence.exchange_keys,
            history,
            rubric,
            result,
        })
    }
}

/// The citations of a result with their places; old results have plain quotes.
pub(super) fn cited(result: &CriteriaResult) -> Vec<Cited> {
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
                        depth: line.depth,
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
    /// The lines of how the judge's score was computed.
    pub fn ledger_lines(&self) -> Vec<LedgerLine> {
        self.ledger.as_ref().map(ledger_lines).unwrap_or_default()
    }

    /// The score that counts, with its label; or why there is none.
    pub fn score_words(&self) -> String {
        match (self.score, &self.status) {
            (Some(score), Some(status)) => format!("{score:.1} of 100, {}", status.label),
            _ => self.outcome.word().replace('_', " "),
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
        let last = self.history.last().filter(|entry| !entry.change.is_withdrawal);
        let person = last.and_then(|entry| entry.change.sections.as_ref()?.as_object());
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
