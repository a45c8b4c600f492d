//! One sample of each instrument, invented by us and compiled in: a first run without files.

use std::path::Path;

use assize_store::{Instrument, Run, StoreError};
use async_recursion::async_recursion as boxed;

use super::begin::written;
use super::pairs::PairsReading;
use crate::Workspace;
use crate::asking::{AskSession, Stop};
use crate::compliance::evaluate::{Evaluation, NamedFile};
use crate::compliance::intake::{read_criteria, read_truth};
use crate::compliance::{ComplianceError, ComplianceRequest, Result};
use crate::council::{CouncilRequest, Hearing, SafetyGate, Supplied, hold, unwatched};
use crate::judges::{Target, pairs_in};
use crate::runs::{RunError, council};
use crate::summary::SummaryRequest;

const KEYWORD: &str = include_str!("../../../../examples/retrieval/keyword.json");
const SEMANTIC: &str = include_str!("../../../../examples/retrieval/semantic.json");
const GOLD: &str = include_str!("../../../../examples/retrieval/gold.json");
const PAIRS: &str = include_str!("../../../../examples/summary/pairs.jsonl");
const POLICY: &str = include_str!("../../../../examples/compliance/access-policy.md");
const PLAN: &str = include_str!("../../../../examples/compliance/continuity-plan.md");
const CRITERIA: &str = include_str!("../../../../examples/compliance/criteria.csv");
const TRUTH: &str = include_str!("../../../../examples/compliance/truth.csv");
const ANSWERS: &str = include_str!("../../../../examples/council/answers.json");
const REVIEWERS: &str = include_str!("../../../../examples/council/reviewers.txt");
const RECORDED: &str = include_str!("../../../../examples/council/recorded.jsonl");

/// What the sets of the compliance sample are called.
const SAMPLE: &str = "Sample";

impl Workspace {
    /// Makes the sample of an instrument. Returns its run; of retrieval there are two, and the
    /// second one is returned.
    #[boxed]
    pub async fn make_sample(&self, instrument: Instrument) -> Result<Run> {
        match instrument {
            Instrument::Retrieval => {
                let gold = file("gold.json", GOLD);
                self.save_retrieval(None, &file("keyword.json", KEYWORD), &gold).await?;
                Ok(self.save_retrieval(None, &file("semantic.json", SEMANTIC), &gold).await?)
            }
            Instrument::Summary => Ok(self
                .save_summaries(
                    None,
                    &file("pairs.jsonl", PAIRS),
                    &PairsReading::default(),
                    &SummaryRequest::default(),
                )
                .await?),
            Instrument::Compliance => self.compliance_sample().await,
            Instrument::Council => self.council_sample().await,
        }
    }

    async fn compliance_sample(&self) -> Result<Run> {
        let criteria = format!("{SAMPLE} criteria");
        let evaluation = Evaluation {
            criteria: criteria.clone(),
            criteria_file: Some(file(&format!("{criteria}.csv"), CRITERIA)),
            documents: format!("{SAMPLE} policies"),
            document_files: vec![
                file("access-policy.md", POLICY),
                file("continuity-plan.md", PLAN),
            ],
            request: ComplianceRequest::default(),
        };
        let documents = evaluation.documents.clone();
        let (run, _) = self.begin_evaluation(evaluation).await?;
        let session = self.rule_session(Stop::default()).await?;
        Box::pin(self.work(&run.id, &session, None, |_| {})).await?;
        if let Ok(truth) = read_truth(TRUTH.as_bytes(), "truth.csv") {
            let sets = (self.document_set(&documents).await?, self.criteria_set(&criteria).await?);
            self.import_truth((&sets.0, &sets.1), &truth.items, Some("sample")).await?;
        }
        Ok(self.find_run(run.id.as_str()).await?)
    }

    async fn council_sample(&self) -> Result<Run> {
        let damaged = |because: String| {
            ComplianceError::Store(StoreError::Refused(format!("the council sample: {because}")))
        };
        let supplied = Supplied::from_text(Path::new("answers.json"), ANSWERS)
            .map_err(|error| damaged(error.to_string()))?;
        let request = CouncilRequest {
            safety_gate: Some(SafetyGate::On),
            reviewers: REVIEWERS.trim().split(',').map(str::to_owned).collect(),
            ..CouncilRequest::default()
        };
        let question = supplied.question.unwrap_or_default();
        let hearing = Hearing::review(&question, supplied.answers, &request)
            .map_err(|error| damaged(error.to_string()))?;
        let session = AskSession::recorded("recorded.jsonl", RECORDED)?;
        let held = Box::pin(hold(&session, &hearing, &unwatched)).await;
        let held = held.map_err(|halt| damaged(halt.to_string()))?;
        let items = council::items(&held.verdict())?;
        let run: Result<Run, RunError> = self.save(council::draft(&held)?, None, &items).await;
        Ok(run?)
    }
}

/// Whether a document is one of the samples, by the hash of its bytes: the rule judge was made with them.
pub(crate) fn is_sample(hash: &str) -> bool {
    [POLICY, PLAN].iter().any(|text| blake3::hash(text.as_bytes()).to_hex().as_str() == hash)
}

/// What a judge is attacked in where nobody names files.
pub fn attack_target() -> Result<Target> {
    let criteria = read_criteria(CRITERIA.as_bytes(), "criteria.csv")
        .map_err(|source| ComplianceError::Intake { name: "criteria.csv".to_owned(), source })?;
    let folder = tempfile::tempdir().map_err(StoreError::from)?;
    let path =
        written(folder.path(), &file("pairs.jsonl", PAIRS)).map_err(ComplianceError::from)?;
    let documents = [("access-policy.md", POLICY), ("continuity-plan.md", PLAN)];
    Ok(Target {
        pairs: pairs_in(&path).map_err(|error| ComplianceError::Refused(error.to_string()))?,
        documents: documents.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec(),
        criteria: criteria.items,
    })
}

fn file(name: &str, text: &str) -> NamedFile {
    NamedFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

#[cfg(test)]
mod tests {
    use assize_store::{Place, RunState};

    use super::*;

    /// The rule judge was made with these documents, so its agreement with their keys proves nothing.
    #[tokio::test]
    async fn the_accuracy_of_the_sample_claims_no_agreement() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::from(&folder.path().join("samples.db"));
        let workspace = Workspace::open(place).await.unwrap();
        let run = workspace.make_sample(Instrument::Compliance).await.unwrap();
        let report = workspace.accuracy(&run).await.unwrap().unwrap();
        assert_eq!((report.scored + report.unscored, report.about_samples), (20, 20));
        assert_eq!(report.kappa, None);
        assert!(report.caution().unwrap().starts_with("20 keys are about the sample documents"));
        workspace.close().await;
    }

    #[tokio::test]
    async fn every_sample_is_a_run_that_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::from(&folder.path().join("samples.db"));
        let workspace = Workspace::open(place).await.unwrap();
        let all = [
            Instrument::Retrieval,
            Instrument::Summary,
            Instrument::Compliance,
            Instrument::Council,
        ];
        for instrument in all {
            let run = workspace.make_sample(instrument).await.unwrap();
            assert_eq!((run.instrument, run.state), (instrument, RunState::Done));
            assert!(run.items > 0 && run.items_done == run.items, "{instrument}");
        }
        let evaluation = workspace.evaluation("latest").await;
        assert!(evaluation.is_err(), "the latest is a council");
        let evaluation = workspace.evaluation("4").await.unwrap();
        assert_eq!(evaluation.counts.all, u64::try_from(evaluation.run.items).unwrap());
        let tiers: u64 = evaluation.tiers.iter().map(|tier| tier.results).sum();
        assert_eq!(tiers + evaluation.counts.unscored, evaluation.counts.all);
        workspace.close().await;
    }
}
