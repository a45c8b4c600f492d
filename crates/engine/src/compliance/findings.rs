//! What a judge found becomes a verdict, with its evidence and its citations.

use assize_methods::compliance::rules::PartVerdict;
use assize_methods::compliance::{Assessment as Stating, Citation, Judged, Stated};
use assize_store::{Assessment, NewVerdict, ResultOutcome};
use assize_text::CodePoints;
use assize_wire::compliance::{Ledger, Seen, UnscoredLedger};
use assize_wire::repeats::Repeat;
use assize_wire::text::tree;
use chrono::Utc;
use serde_json::Value;

use super::configuration::Configuration;
use super::material::{ADDRESSED, Exhibit};
use crate::asking::Unscored;
use crate::runs::decide::SCORE;

/// The format of the ledger that is stored.
const FORMAT: u32 = 1;
/// What the rule judge calls a part that a document denies.
const CONTRADICTED: &str = "contradicted";

/// One document and one criterion of a run.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) configuration: &'a Configuration,
    pub(super) exhibit: &'a Exhibit,
    pub(super) code_points: &'a CodePoints<'a>,
}

/// What was found, and from what.
pub(super) struct Found {
    pub(super) assessment: Stating,
    pub(super) citations: Vec<Citation>,
    pub(super) judged: Judged,
    /// Which part of the document was looked at, and what else the ledger says.
    pub(super) context: Seen,
    pub(super) raw_answer: Option<String>,
    pub(super) exchanges: Vec<String>,
    /// The parts of the requirement, if a reader was asked about them.
    pub(super) parts: Vec<PartVerdict>,
}

impl Found {
    /// What came of it, the score, and why there is none.
    pub(super) fn outcome(&self) -> (ResultOutcome, Option<f64>, Option<&'static str>) {
        match self.assessment.stated {
            Stated::Score { .. } => (ResultOutcome::Scored, self.judged.score(), None),
            Stated::NotApplicable => {
                (ResultOutcome::NotApplicable, None, Some("the criterion does not apply"))
            }
            Stated::NeedsInformation => {
                (ResultOutcome::NeedsInformation, None, Some("more information is needed"))
            }
        }
    }
}

impl Case<'_> {
    /// The verdict of what was found, and of what each repeat said if there were several.
    pub(super) fn verdict(&self, found: Found, repeats: &[Repeat]) -> NewVerdict {
        let (outcome, score, reason) = found.outcome();
        let Found { assessment, citations, mut judged, context, raw_answer, exchanges, parts } =
            found;
        // The rules name sentences that speak to them on their own.
        let known = &mut judged.verdict.findings;
        let is_known = known.iter().any(|one| one.code == ADDRESSED);
        known.extend(self.exhibit.findings().filter(|one| !is_known || one.code != ADDRESSED));
        let cited = self.exhibit.cited(self.code_points, &citations);
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let found = cited.iter().filter(|citation| citation.start.is_some()).count();
        let verdict = &judged.verdict;
        let ledger = Ledger { format: FORMAT, verdict, context, repeats, parts: &parts };
        NewVerdict {
            outcome,
            reason: reason.map(str::to_owned),
            scores: vec![(SCORE.to_owned(), score)],
            ledger: Some(tree(&ledger)),
            evidence: None,
            exchange_keys: keys(exchanges),
            assessment: Some(Box::new(Assessment {
                confidence: assessment.confidence.map(i64::from),
                sections: Some(Value::Object(assessment.sections)),
                citations: Some(tree(&cited)),
                quotes: (count(cited.len()), count(found)),
                is_denial: judged.verdict.findings.iter().any(|one| one.code == CONTRADICTED),
                raw_answer,
                ..judged_by(self.configuration)
            })),
            created_at: Utc::now(),
        }
    }

    /// The verdict of a judge that gave no answer, or of several times asked not one that counts.
    pub(super) fn failed(&self, unscored: Unscored, repeats: &[Repeat]) -> NewVerdict {
        let Unscored { because, raw_reply, exchanges, .. } = unscored;
        let new = given_up(self.configuration, &because);
        let assessment = Assessment { raw_answer: raw_reply, ..judged_by(self.configuration) };
        let ledger = UnscoredLedger { format: FORMAT, unscored: &because, repeats };
        NewVerdict {
            ledger: Some(tree(&ledger)),
            exchange_keys: keys(exchanges.iter().map(ToString::to_string).collect()),
            assessment: Some(Box::new(assessment)),
            ..new
        }
    }
}

/// The verdict of a pair that nobody may work on any more: neither its document nor its criterion
/// is looked at.
pub(super) fn given_up(configuration: &Configuration, because: &str) -> NewVerdict {
    NewVerdict {
        // A row without a value, so that the measure is counted as unscored.
        scores: vec![(SCORE.to_owned(), None)],
        ledger: Some(tree(&UnscoredLedger { format: FORMAT, unscored: because, repeats: &[] })),
        assessment: Some(Box::new(judged_by(configuration))),
        ..NewVerdict::failed(because)
    }
}

/// Who judges, and nothing else.
fn judged_by(configuration: &Configuration) -> Assessment {
    let Configuration { judge, template, .. } = configuration;
    let is_model = template.is_some();
    Assessment {
        judge: Some(if is_model { "model" } else { "rules" }.to_owned()),
        model: is_model.then(|| judge.clone()),
        prompt_template_id: template.as_ref().map(|template| template.id.clone()),
        ..Assessment::default()
    }
}

fn keys(exchanges: Vec<String>) -> Option<Value> {
    (!exchanges.is_empty()).then(|| Value::from(exchanges))
}
