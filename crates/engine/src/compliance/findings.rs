//! What a judge found becomes a row of the store, with its evidence and its citations.

use assize_methods::compliance::{Assessment, Citation, Judged, Stated};
use assize_store::{
    Citation as CitationRow, CriteriaItemId, CriteriaResult, Evidence, NewResult, Pair, ResultId,
    ResultOutcome, RunId,
};
use assize_text::CodePoints;
use assize_wire::compliance::{Ledger, Seen, UnscoredLedger};
use assize_wire::text::tree;
use chrono::Utc;
use serde_json::Value;

use super::configuration::Configuration;
use super::material::{Cited, Exhibit};
use crate::asking::Unscored;

/// The format of the ledger that is stored.
const FORMAT: u32 = 1;

/// One document and one criterion of a run.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) run: &'a RunId,
    pub(super) configuration: &'a Configuration,
    pub(super) exhibit: &'a Exhibit,
    pub(super) code_points: &'a CodePoints<'a>,
    pub(super) item: &'a CriteriaItemId,
}

/// What was found, and from what.
pub(super) struct Found {
    pub(super) assessment: Assessment,
    pub(super) citations: Vec<Citation>,
    pub(super) judged: Judged,
    /// Which part of the document was looked at, and what else the ledger says.
    pub(super) context: Seen,
    pub(super) raw_answer: Option<String>,
    pub(super) exchanges: Vec<String>,
}

impl Case<'_> {
    /// The row of what was found.
    pub(super) fn row(&self, found: Found) -> NewResult {
        let Found { assessment, citations, mut judged, context, raw_answer, exchanges } = found;
        judged.verdict.findings.extend(self.exhibit.hidden());
        let (outcome, score, reason) = match assessment.stated {
            Stated::Score { .. } => (ResultOutcome::Scored, judged.score(), None),
            Stated::NotApplicable => {
                (ResultOutcome::NotApplicable, None, Some("the criterion does not apply"))
            }
            Stated::NeedsInformation => {
                (ResultOutcome::NeedsInformation, None, Some("more information is needed"))
            }
        };
        let cited = self.exhibit.cited(self.code_points, &citations);
        let ledger = Ledger { format: FORMAT, verdict: &judged.verdict, context };
        let mut result = self.result(outcome, reason.map(str::to_owned));
        result.ai_score_value = score;
        result.ai_confidence = assessment.confidence.map(i64::from);
        result.ai_result = Some(Value::Object(assessment.sections));
        result.ai_citations = Some(tree(&cited));
        let evidence = Evidence {
            ledger: Some(tree(&ledger)),
            prompt: None,
            raw_answer,
            exchange_keys: keys(exchanges),
        };
        NewResult { result, evidence, citations: cited.into_iter().map(citation).collect() }
    }

    /// The row of a judge that gave no answer.
    pub(super) fn failed(&self, unscored: Unscored) -> NewResult {
        let Unscored { because, raw_reply, exchanges, .. } = unscored;
        let exchanges = exchanges.iter().map(ToString::to_string).collect();
        let evidence = Evidence {
            ledger: Some(tree(&UnscoredLedger { format: FORMAT, unscored: &because })),
            prompt: None,
            raw_answer: raw_reply,
            exchange_keys: keys(exchanges),
        };
        let result = self.result(ResultOutcome::Failed, Some(because));
        NewResult { result, evidence, citations: Vec::new() }
    }

    fn result(&self, outcome: ResultOutcome, reason: Option<String>) -> CriteriaResult {
        let (document_id, criteria_item_id) = (self.exhibit.id.clone(), self.item.clone());
        let pair = Pair { document_id, criteria_item_id };
        CriteriaResult { outcome, reason, ..blank(self.run, self.configuration, &pair) }
    }
}

/// The row of a pair that nobody may work on any more: neither its document nor its criterion is
/// looked at.
pub(super) fn given_up(
    run: &RunId,
    configuration: &Configuration,
    pair: &Pair,
    because: &str,
) -> NewResult {
    let ledger = Some(tree(&UnscoredLedger { format: FORMAT, unscored: because }));
    let evidence = Evidence { ledger, prompt: None, raw_answer: None, exchange_keys: None };
    let reason = Some(because.to_owned());
    NewResult {
        result: CriteriaResult { reason, ..blank(run, configuration, pair) },
        evidence,
        citations: Vec::new(),
    }
}

/// The row of a pair of which nothing is known.
fn blank(run: &RunId, configuration: &Configuration, pair: &Pair) -> CriteriaResult {
    let Configuration { judge, template, .. } = configuration;
    let is_model = template.is_some();
    CriteriaResult {
        id: ResultId::in_run(run, &pair.document_id, &pair.criteria_item_id),
        run_id: run.clone(),
        document_id: pair.document_id.clone(),
        criteria_item_id: pair.criteria_item_id.clone(),
        outcome: ResultOutcome::Failed,
        reason: None,
        ai_score_value: None,
        ai_confidence: None,
        ai_result: None,
        ai_citations: None,
        ai_status_id: None,
        judge: Some(if is_model { "model" } else { "rules" }.to_owned()),
        model: is_model.then(|| judge.clone()),
        prompt_template_id: template.as_ref().map(|template| template.id.clone()),
        created_at: Utc::now(),
    }
}

fn keys(exchanges: Vec<String>) -> Option<Value> {
    (!exchanges.is_empty()).then(|| Value::from(exchanges))
}

fn citation(cited: Cited) -> CitationRow {
    let number = |place: Option<usize>| place.and_then(|place| i64::try_from(place).ok());
    CitationRow {
        quote: cited.quote,
        matched: cited.matched,
        start_offset: number(cited.start),
        end_offset: number(cited.end),
        page: number(cited.page),
        similarity: cited.similarity,
    }
}
