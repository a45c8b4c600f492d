//! Documents held against criteria by rules, and nothing stored: no database is opened.
//!
//! The verdicts are those of a run: both ask [`judge_by_rules`], and a run only adds what it
//! keeps of them.

use assize_methods::compliance::rules::{Consulted, Reading, RuleJudge};
use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
use assize_store::{DocumentId, RunState};
use assize_text::CodePoints;
use assize_wire::compliance::{ResultLine, Run, Seen, Tier};
use rayon::prelude::*;

use super::criteria::{Imported, check_criteria};
use super::documents::ReadDocument;
use super::error::ComplianceError;
use super::evaluate::{Evaluation, Tell, read_files, usable_criteria};
use super::findings::Found;
use super::intake::Reading as Columns;
use super::mask::Identifiers;
use super::material::Exhibit;
use super::request::ComplianceRequest;
use crate::asking::{JudgeName, Stop};

/// What is evaluated, and how it is called.
#[derive(Debug)]
pub struct Material<'a> {
    /// What the criteria are called together.
    pub criteria_set: &'a str,
    /// The criteria.
    pub criteria: &'a [Imported],
    /// What the documents are called together.
    pub document_set: &'a str,
    /// The documents.
    pub documents: &'a [ReadDocument],
    /// How they are judged.
    pub request: &'a ComplianceRequest,
}

/// Evaluates documents against criteria by rules. Nothing is waited for, but it may take a while.
pub fn evaluate_in_memory(material: &Material<'_>, stop: &Stop) -> Result<Run, ComplianceError> {
    material.request.check_in_memory()?;
    check_criteria(material.criteria_set, material.criteria)?;
    let criteria: Vec<Criterion> =
        material.criteria.iter().map(|imported| imported.criterion.clone()).collect();
    let ids = criteria.iter().map(|criterion| criterion.id.as_str());
    let identifiers = material.request.mask_identifiers.then(|| Identifiers::of(ids));
    let (judge, rubric) = (RuleJudge::new(&criteria), Rubric::default());
    let (mut results, mut citations) = (Vec::new(), (0, 0));
    for document in material.documents {
        if stop.is_asked() {
            return Err(ComplianceError::Refused("interrupted".to_owned()));
        }
        let exhibit = document.exhibit(DocumentId::from(document.name()), identifiers.as_ref());
        for (line, (found, all)) in judge_document(&judge, &criteria, &exhibit, &rubric) {
            citations = (citations.0 + found, citations.1 + all);
            results.push(line);
        }
    }
    Ok(to_run(material, &rubric, results, citations))
}

/// The same for files that a caller hands over.
pub fn evaluate_files(
    evaluation: &Evaluation,
    stop: &Stop,
    tell: Tell<'_>,
) -> Result<Run, ComplianceError> {
    let Some(file) = &evaluation.criteria_file else {
        return Err(ComplianceError::missing("file of criteria", &evaluation.criteria));
    };
    let documents = read_files(&evaluation.document_files)?;
    let criteria = usable_criteria(file, &Columns::default(), tell)?;
    for document in &documents {
        document.tell_notices(tell);
    }
    let material = Material {
        criteria_set: file.stem(),
        criteria: &criteria,
        document_set: &evaluation.documents,
        documents: &documents,
        request: &evaluation.request,
    };
    evaluate_in_memory(&material, stop)
}

/// What the rules find for a criterion, by its place, in a document that they have read.
pub(super) fn judge_by_rules(
    judge: &RuleJudge,
    criterion: usize,
    (document, consulted): (&Reading<'_>, Option<&Consulted>),
    (structure, rubric): (&ResponseStructure, &Rubric),
) -> Found {
    let found = judge.judge(criterion, document, consulted, structure);
    let judged = found.judged(rubric);
    Found {
        assessment: found.assessment,
        citations: found.citations,
        judged,
        context: Seen::Whole { whole: true },
        raw_answer: None,
        exchanges: Vec::new(),
    }
}

/// A result, how many of its citations stand in the document, and how many there are.
type Line = (ResultLine, (usize, usize));

fn judge_document(
    judge: &RuleJudge,
    criteria: &[Criterion],
    exhibit: &Exhibit,
    rubric: &Rubric,
) -> Vec<Line> {
    let (reading, structure) = (Reading::new(&exhibit.text), ResponseStructure::default());
    let code_points = CodePoints::of(&exhibit.text);
    let one = |place: usize| {
        let found = judge_by_rules(judge, place, (&reading, None), (&structure, rubric));
        let cited = exhibit.cited(&code_points, &found.citations);
        let (outcome, score, reason) = found.outcome();
        let line = ResultLine {
            document: exhibit.name.clone(),
            criteria_id: criteria[place].id.clone(),
            outcome: outcome.to_string(),
            score,
            status: score.map(|score| rubric.status(score).label),
            ai_score: score,
            confidence: found.assessment.confidence.map(i64::from),
            overridden: false,
            reason: reason.map(str::to_owned),
        };
        let located = cited.iter().filter(|one| one.start.is_some()).count();
        (line, (located, cited.len()))
    };
    (0..criteria.len()).into_par_iter().map(one).collect()
}

fn to_run(
    material: &Material<'_>,
    rubric: &Rubric,
    results: Vec<ResultLine>,
    (citations_found, citations): (usize, usize),
) -> Run {
    let scores: Vec<f64> = results.iter().filter_map(|line| line.score).collect();
    let mut counts = vec![0; rubric.tiers().len()];
    for score in &scores {
        counts[rubric.tier(*score) - 1] += 1;
    }
    let tiers = rubric.tiers().iter().zip(counts).map(|(tier, results)| Tier {
        label: tier.label.clone(),
        min: tier.min,
        max: tier.max,
        results,
    });
    Run {
        // There is nothing that an id could name.
        run: String::new(),
        state: RunState::Done.to_string(),
        judge: JudgeName::Rules.to_string(),
        criteria_set: material.criteria_set.to_owned(),
        document_set: material.document_set.to_owned(),
        planned: results.len(),
        scored: scores.len(),
        unscored: results.len() - scores.len(),
        mean: (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64),
        citations,
        citations_found,
        tiers: tiers.collect(),
        results,
        seconds: None,
        judged: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluate::NamedFile;
    use super::*;
    use crate::Workspace;

    /// A document that states one criterion, denies another and says nothing of the third.
    #[tokio::test]
    async fn the_verdicts_are_those_of_a_stored_run() {
        let criteria = "id,requirement,description\n\
                        A-1,Doors are locked at night.,\n\
                        A-2,Keys are counted every day.,\n\
                        A-3,Visitors sign a register.,\n";
        let file = |name: &str, text: &str| NamedFile {
            name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        for mask_identifiers in [false, true] {
            let evaluation = Evaluation {
                criteria: "controls.csv".to_owned(),
                criteria_file: Some(file("controls.csv", criteria)),
                documents: "documents".to_owned(),
                document_files: vec![
                    file("a.txt", "A-1: Doors are locked at night by the porter.\n"),
                    file("b.md", "# Keys\n\nKeys are never counted.\n\nDoors stay open.\n"),
                ],
                request: ComplianceRequest { mask_identifiers, ..ComplianceRequest::default() },
            };
            let in_memory = evaluate_files(&evaluation, &Stop::default(), &mut |_| {}).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
            let run = workspace.begin(evaluation, 0, &mut |_| {}).await.unwrap();
            let session = workspace.rule_session(Stop::default()).await.unwrap();
            workspace.work(&run.id, &session, None, |_| {}).await.unwrap();
            let run = workspace.find_compliance_run(run.id.as_str()).await.unwrap();
            let stored = workspace.overview(run).await.unwrap().to_wire(None);
            assert!(in_memory.scored > 0 && in_memory.citations > 0);
            assert_eq!(serde_json::to_value(&in_memory).unwrap(), {
                let mut stored = serde_json::to_value(&stored).unwrap();
                stored["run"] = "".into();
                stored
            });
        }
    }
}
