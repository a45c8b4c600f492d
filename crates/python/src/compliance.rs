//! Documents against criteria by rules.

use assize_engine::asking::Stop;
use assize_engine::compliance::evaluate::{Evaluation, IntakeEvent, NamedFile};
use assize_engine::compliance::in_memory::evaluate_files;
use assize_engine::compliance::intake::Reading;
use assize_engine::compliance::{ComplianceError, ComplianceRequest};
use assize_wire::text::line;
use pyo3::prelude::*;

use crate::error::raised;
use crate::readers::Reader as LocalReader;
use crate::work;

/// Evaluates documents; the run with all its results as JSON, and what its reader should know.
#[pyfunction]
pub(crate) fn compliance_evaluate(
    py: Python<'_>,
    documents: Vec<(String, Vec<u8>)>,
    criteria: (String, Vec<u8>),
    options: (bool, bool),
    reader: Option<&LocalReader>,
) -> PyResult<(String, Vec<String>)> {
    let (mask_identifiers, skip_unusable) = options;
    let reader = reader.map(LocalReader::shared);
    let file = |(name, bytes): (String, Vec<u8>)| NamedFile { name, bytes };
    let evaluation = Evaluation {
        criteria: criteria.0.clone(),
        criteria_file: Some(file(criteria)),
        documents: "documents".to_owned(),
        document_files: documents.into_iter().map(file).collect(),
        request: ComplianceRequest { mask_identifiers, ..ComplianceRequest::default() },
    };
    let columns = Reading { skip_unusable, ..Reading::default() };
    let evaluation = (evaluation, columns);
    let done = work::run(py, move |stop| evaluated(&evaluation, reader.as_deref(), stop))?;
    done.map_err(|error| raised(py, &error))
}

fn evaluated(
    (evaluation, columns): &(Evaluation, Reading),
    reader: Option<&dyn assize_engine::readers::Reader>,
    stop: &Stop,
) -> Result<(String, Vec<String>), ComplianceError> {
    let mut notices = Vec::new();
    let mut tell = |event: IntakeEvent<'_>| match event {
        IntakeEvent::Noticed(file, notice) => notices.push(format!("{file}: {notice}")),
        IntakeEvent::Unusable(file, problems) => {
            notices.extend(problems.iter().map(|problem| format!("{file}: {problem}")));
        }
        _ => {}
    };
    let run = evaluate_files((evaluation, columns), reader, stop, &mut tell)?;
    Ok((line(&run), notices))
}
