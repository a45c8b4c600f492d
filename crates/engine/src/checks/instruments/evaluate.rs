//! Documents against criteria.
//!
//! Every check is evaluated in a database of its own that is gone afterwards: what is measured
//! depends on nothing but the files. Replies of models are kept where all replies are.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{Measured, Measuring, refused, told, with_means};
use crate::Workspace;
use crate::asking::JudgeName;
use crate::checks::spec::Evaluate;
use crate::compliance::ComplianceRequest;
use crate::compliance::evaluate::{Evaluation, IntakeEvent, NamedFile};
use crate::compliance::intake::Reading;
use crate::compliance::overview::{Line, Overview};
use crate::error::EngineError;

/// The score of a document on a criterion, from 0 to 100.
const SCORE: &str = "score";
/// How sure the judge is, from 0 to 100.
const CONFIDENCE: &str = "confidence";
/// The share of the citations that stand in the document.
const CITATIONS: &str = "citations_found";

impl Measuring<'_> {
    pub(super) async fn evaluate(&self, wanted: &Evaluate) -> Result<Measured, EngineError> {
        let judge = self.spec.judge();
        let evaluation = Evaluation {
            criteria: wanted.criteria.display().to_string(),
            criteria_file: None,
            documents: self.spec.name.clone(),
            document_files: wanted
                .documents
                .iter()
                .map(|file| self.named_file(file))
                .collect::<Result<_, _>>()?,
            request: ComplianceRequest {
                judge: Some(judge.clone()),
                ..ComplianceRequest::default()
            },
        };
        let folder = tempfile::tempdir().map_err(told)?;
        let place = folder.path().join("check.db");
        let workspace = Workspace::open(place.as_path()).await.map_err(told)?;
        let session = match judge {
            JudgeName::Rules => Arc::new(self.asking.idle().await.map_err(told)?),
            _ => self.asking.session().await.map_err(told)?,
        };
        let mut notices = Vec::new();
        let mut tell = |event: IntakeEvent<'_>| match event {
            IntakeEvent::Noticed(file, notice) => notices.push(format!("{file}: {notice}")),
            IntakeEvent::Unusable(file, problems) if !problems.is_empty() => {
                notices.push(format!(
                    "{file}: {} rows are not valid; the first: {}",
                    problems.len(),
                    problems[0]
                ));
            }
            _ => {}
        };
        let file = self.named_file(&wanted.criteria)?;
        let reading = Reading {
            sheet: wanted.sheet.clone(),
            mapping: wanted.map.clone().into_iter().collect(),
        };
        let set = (evaluation.criteria.as_str(), "");
        workspace.import_criteria_file_by(&file, &reading, set, &mut tell).await.map_err(told)?;
        let attempt = session.attempt + self.sample;
        let run = workspace.begin(evaluation, attempt, &mut tell).await.map_err(told)?;
        let ended = workspace.work(&run.id, &session, None, |_| {}).await.map_err(told)?;
        if let Some(halt) = ended.halt {
            return Err(told(halt));
        }
        let overview = workspace.overview(run).await.map_err(told)?;
        workspace.close().await;
        Ok(Measured { figures: figures(&overview), notices, ..Measured::default() })
    }

    fn named_file(&self, file: &Path) -> Result<NamedFile, EngineError> {
        let path = self.path(file);
        let bytes = fs::read(&path)
            .map_err(|error| refused(format!("{}: cannot be read: {error}", path.display())))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(NamedFile { name: name.unwrap_or_default(), bytes })
    }
}

fn figures(overview: &Overview) -> crate::thresholds::Figures {
    let item = |line: &Line| {
        let document = &overview.documents[line.document].name;
        let criterion = &overview.criteria.criteria[line.criterion].id;
        let (found, all) = line.citations;
        let citations = (all > 0).then(|| found as f64 / all as f64);
        let confidence = line.confidence.map(|confidence| confidence as f64);
        (format!("{document} · {criterion}"), vec![line.score, confidence, citations])
    };
    let items = overview.lines.iter().map(item).collect();
    let mut figures = with_means(&[SCORE, CONFIDENCE, CITATIONS], items);
    // What was planned and has no line at all has no score either.
    figures.count = overview.planned();
    figures.unscored =
        figures.count - overview.lines.iter().filter(|line| line.score.is_some()).count();
    figures
}
