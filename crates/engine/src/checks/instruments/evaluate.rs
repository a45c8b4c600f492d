//! Documents against criteria.
//!
//! Nothing is stored but the replies of models, where all replies are: what is measured depends on
//! nothing but the files.

use std::fs;
use std::path::Path;

use tokio::task::spawn_blocking;

use super::{Measured, Measuring, refused, told, with_means};
use crate::asking::JudgeName;
use crate::checks::spec::Evaluate;
use crate::compliance::ComplianceRequest;
use crate::compliance::evaluate::{IntakeEvent, NamedFile, read_files, usable_criteria};
use crate::compliance::in_memory::{Docket, Line, Material};
use crate::compliance::intake::Reading;
use crate::error::EngineError;

/// The score of a document on a criterion, from 0 to 100.
const SCORE: &str = "score";
/// How sure the judge is, from 0 to 100.
const CONFIDENCE: &str = "confidence";
/// The share of the citations that stand in the document.
const CITATIONS: &str = "citations_found";

impl Measuring<'_> {
    pub(super) async fn evaluate(&self, wanted: &Evaluate) -> Result<Measured, EngineError> {
        let request =
            ComplianceRequest { judge: Some(self.spec.judge()), ..ComplianceRequest::default() };
        request.check().map_err(told)?;
        let mut notices = Vec::new();
        let docket = self.docket(wanted, &request, &mut notices)?;
        let lines = if let JudgeName::Model(name) = self.spec.judge() {
            let session = self.asking.session().await.map_err(told)?;
            let judge = session.judge(&name).map_err(told)?;
            let how = (request.context_tokens, session.attempt + self.sample);
            docket.by_model(&session, &judge, how).await.map_err(told)?
        } else {
            let session = self.asking.idle().await.map_err(told)?;
            let unopened = |error| refused(format!("the reader cannot be opened: {error}"));
            let reader = session.reader.get().map_err(unopened)?;
            let judging = spawn_blocking(move || docket.by_rules(reader.as_deref(), &session.stop));
            judging.await.map_err(told)?.map_err(told)?
        };
        Ok(Measured { figures: figures(&lines), notices, ..Measured::default() })
    }

    /// The files as judges see them; what their readers want known goes to the notices.
    fn docket(
        &self,
        wanted: &Evaluate,
        request: &ComplianceRequest,
        notices: &mut Vec<String>,
    ) -> Result<Docket, EngineError> {
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
        let reading = Reading {
            sheet: wanted.sheet.clone(),
            mapping: wanted.map.clone().into_iter().collect(),
            skip_unusable: wanted.skip_unusable,
        };
        let criteria = usable_criteria(&self.named_file(&wanted.criteria)?, &reading, &mut tell);
        let files: Result<Vec<NamedFile>, EngineError> =
            wanted.documents.iter().map(|file| self.named_file(file)).collect();
        let documents = read_files(&files?).map_err(told)?;
        for document in &documents {
            document.tell_notices(&mut tell);
        }
        let material = Material {
            criteria_set: &wanted.criteria.display().to_string(),
            criteria: &criteria.map_err(told)?,
            document_set: &self.spec.name,
            documents: &documents,
            request,
        };
        Docket::new(&material).map_err(told)
    }

    fn named_file(&self, file: &Path) -> Result<NamedFile, EngineError> {
        let path = self.path(file);
        let bytes = fs::read(&path)
            .map_err(|error| refused(format!("{}: cannot be read: {error}", path.display())))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(NamedFile { name: name.unwrap_or_default(), bytes })
    }
}

fn figures(lines: &[Line]) -> crate::thresholds::Figures {
    let item = |(line, (found, all)): &Line| {
        let citations = (*all > 0).then(|| *found as f64 / *all as f64);
        let confidence = line.confidence.map(|confidence| confidence as f64);
        let name = format!("{} · {}", line.document, line.criteria_id);
        (name, vec![line.score, confidence, citations])
    };
    let mut figures = with_means(&[SCORE, CONFIDENCE, CITATIONS], lines.iter().map(item).collect());
    figures.count = lines.len();
    figures.unscored = lines.iter().filter(|(line, _)| line.score.is_none()).count();
    figures
}
