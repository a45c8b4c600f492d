//! Documents held against criteria, and nothing stored: no database is opened.
//!
//! The verdicts are those of a run: both ask [`judge_by_rules`] and [`judge_by_model`], and a run
//! only adds what it keeps of them.

use assize_methods::compliance::citations::locate_all;
use assize_methods::compliance::rules::{Consulted, Reading, RuleJudge};
use assize_methods::compliance::{
    AssessAsk, AssessTemplate, Context, Criterion, ResponseStructure, Rubric, judged,
};
use assize_readers::Reader;
use assize_store::{DocumentId, RunState};
use assize_text::CodePoints;
use assize_text::quote::Source;
use assize_wire::compliance::{ResultLine, Run, Seen, Tier};
use rayon::prelude::*;

use super::context;
use super::criteria::{Imported, check_criteria};
use super::documents::ReadDocument;
use super::error::{ComplianceError, Result};
use super::evaluate::{Evaluation, Tell, read_files, usable_criteria};
use super::findings::Found;
use super::intake::Reading as Columns;
use super::mask::Identifiers;
use super::material::Exhibit;
use super::request::ComplianceRequest;
use crate::asking::{AskSession, Halt, Judge, JudgeName, NoAnswer, Stop, Unscored, over_items};

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

/// Evaluates documents against criteria by rules, with a reader if there is one. Nothing is waited for,
/// but it may take a while.
pub fn evaluate_in_memory(
    material: &Material<'_>,
    reader: Option<&dyn Reader>,
    stop: &Stop,
) -> Result<Run> {
    material.request.check_in_memory()?;
    let docket = Docket::new(material)?;
    let lines = docket.by_rules(reader, stop)?;
    Ok(to_run(material, &docket.rubric, lines))
}

/// The same for files that a caller hands over; `columns` says how that of the criteria is read.
pub fn evaluate_files(
    (evaluation, columns): (&Evaluation, &Columns),
    reader: Option<&dyn Reader>,
    stop: &Stop,
    tell: Tell<'_>,
) -> Result<Run> {
    let Some(file) = &evaluation.criteria_file else {
        return Err(ComplianceError::missing("file of criteria", &evaluation.criteria));
    };
    let documents = read_files(&evaluation.document_files)?;
    let criteria = usable_criteria(file, columns, tell)?;
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
    evaluate_in_memory(&material, reader, stop)
}

/// Documents and criteria as judges see them.
pub(crate) struct Docket {
    criteria: Vec<Criterion>,
    exhibits: Vec<Exhibit>,
    rubric: Rubric,
    structure: ResponseStructure,
}

/// A result, how many of its citations stand in the document, and how many there are.
pub(crate) type Line = (ResultLine, (usize, usize));

impl Docket {
    pub(crate) fn new(material: &Material<'_>) -> Result<Self> {
        check_criteria(material.criteria_set, material.criteria)?;
        let criteria: Vec<Criterion> =
            material.criteria.iter().map(|imported| imported.criterion.clone()).collect();
        let ids = criteria.iter().map(|criterion| criterion.id.as_str());
        let hidden = material.request.mask_identifiers.then(|| Identifiers::of(ids));
        let exhibit = |document: &ReadDocument| {
            document.exhibit(DocumentId::from(document.name()), hidden.as_ref())
        };
        Ok(Self {
            exhibits: material.documents.iter().map(exhibit).collect(),
            criteria,
            rubric: Rubric::default(),
            structure: ResponseStructure::default(),
        })
    }

    /// Judges everything by rules, with a reader if there is one.
    pub(crate) fn by_rules(&self, reader: Option<&dyn Reader>, stop: &Stop) -> Result<Vec<Line>> {
        let judge = RuleJudge::new(&self.criteria);
        let all: Vec<usize> = (0..self.criteria.len()).collect();
        let mut lines = Vec::new();
        for exhibit in &self.exhibits {
            if stop.is_asked() {
                return Err(ComplianceError::Refused("interrupted".to_owned()));
            }
            let reading = Reading::new(&exhibit.text);
            let code_points = CodePoints::of(&exhibit.text);
            let consulted = reader.map(|reader| judge.consult(reader, &all, &reading)).transpose();
            let consulted =
                consulted.map_err(|error| ComplianceError::Refused(error.to_string()))?;
            let (read, decided_by) =
                ((&reading, consulted.as_ref()), (&self.structure, &self.rubric));
            let one = |place: &usize| {
                let found = judge_by_rules(&judge, *place, read, decided_by);
                self.line((exhibit, &code_points), *place, Ok(found))
            };
            lines.par_extend(all.par_iter().map(one));
        }
        Ok(lines)
    }

    /// Asks a model about every pair. `attempt` says which of several replies counts.
    pub(crate) async fn by_model(
        &self,
        session: &AskSession,
        judge: &Judge,
        (context_tokens, attempt): (usize, u32),
    ) -> Result<Vec<Line>, Halt> {
        let template = AssessTemplate::default();
        let shown: Vec<context::Reader> = self
            .exhibits
            .iter()
            .map(|exhibit| context::Reader::of(&exhibit.text, context_tokens))
            .collect();
        let pairs = (0..self.exhibits.len())
            .flat_map(|document| (0..self.criteria.len()).map(move |place| (document, place)));
        let mut lines: Vec<Option<Line>> = vec![None; self.exhibits.len() * self.criteria.len()];
        let (shown, template) = (&shown, &template);
        let work = |_, (document, place): (usize, usize)| async move {
            let (exhibit, criterion) = (&self.exhibits[document], &self.criteria[place]);
            let context = shown[document].context(&exhibit.text, criterion);
            let (rubric, structure) = (&self.rubric, &self.structure);
            let ask = AssessAsk { template, criterion, context: &context.text, rubric, structure };
            let found =
                judge_by_model((session, judge, attempt), &ask, (exhibit, &context)).await?;
            Ok(self.line((exhibit, &CodePoints::of(&exhibit.text)), place, found))
        };
        let done = |index: usize, line| lines[index] = Some(line);
        over_items(pairs, session.concurrency, &session.stop, work, done).await?;
        Ok(lines.into_iter().flatten().collect())
    }

    fn line(
        &self,
        (exhibit, code_points): (&Exhibit, &CodePoints<'_>),
        place: usize,
        found: Result<Found, Unscored>,
    ) -> Line {
        let empty = ResultLine {
            document: exhibit.name.clone(),
            criteria_id: self.criteria[place].id.clone(),
            outcome: "failed".to_owned(),
            ..ResultLine::default()
        };
        let found = match found {
            Ok(found) => found,
            Err(unscored) => {
                return (ResultLine { reason: Some(unscored.because), ..empty }, (0, 0));
            }
        };
        let cited = exhibit.cited(code_points, &found.citations);
        let (outcome, score, reason) = found.outcome();
        let line = ResultLine {
            outcome: outcome.to_string(),
            score,
            status: score.map(|score| self.rubric.status(score).label),
            ai_score: score,
            confidence: found.assessment.confidence.map(i64::from),
            reason: reason.map(str::to_owned),
            ..empty
        };
        (line, (cited.iter().filter(|one| one.start.is_some()).count(), cited.len()))
    }
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
        parts: if found.is_read { found.parts } else { Vec::new() },
    }
}

/// What a model says about a criterion in what it is shown of a document, with its quotes looked
/// up; or why it says nothing that can be read.
pub(super) async fn judge_by_model(
    (session, judge, attempt): (&AskSession, &Judge, u32),
    ask: &AssessAsk<'_>,
    (exhibit, context): (&Exhibit, &Context<'_>),
) -> Result<Result<Found, Unscored>, Halt> {
    let answered = match session.ask(judge, ask, attempt).await {
        Ok(answered) => answered,
        Err(NoAnswer::Unscored(unscored)) => return Ok(Err(unscored)),
        Err(NoAnswer::Halt(halt)) => return Err(halt),
    };
    let mut assessment = answered.answer;
    assessment.findings.extend(answered.findings);
    let citations = locate_all(&Source::new(&exhibit.text), &assessment.citations);
    let judged = judged(&assessment, &citations, ask.rubric);
    Ok(Ok(Found {
        assessment,
        citations,
        judged,
        context: shown(&exhibit.text, context),
        raw_answer: None,
        exchanges: answered.exchanges.iter().map(ToString::to_string).collect(),
        parts: Vec::new(),
    }))
}

/// Which part of the document the model saw.
fn shown(text: &str, context: &Context<'_>) -> Seen {
    if context.is_whole {
        return Seen::Whole { whole: true };
    }
    Seen::Part {
        whole: false,
        passages_bytes: context.shown.iter().map(|range| (range.start, range.end)).collect(),
        bytes: context.shown.iter().map(ExactSizeIterator::len).sum(),
        of_bytes: text.len(),
    }
}

fn to_run(material: &Material<'_>, rubric: &Rubric, lines: Vec<Line>) -> Run {
    let citations_found = lines.iter().map(|(_, (found, _))| found).sum();
    let citations = lines.iter().map(|(_, (_, all))| all).sum();
    let results: Vec<ResultLine> = lines.into_iter().map(|(line, _)| line).collect();
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
    use std::sync::Arc;

    use assize_readers::ScriptedReader;

    use super::super::evaluate::NamedFile;
    use super::*;
    use crate::Workspace;
    use crate::asking::LazyReader;

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
        let scripted: Arc<dyn Reader> =
            Arc::new(ScriptedReader::new().says("", "Visitors", [0.99, 0.01, 0.0]));
        for (mask_identifiers, reader) in
            [(false, None), (true, None), (false, Some(Arc::clone(&scripted)))]
        {
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
            let stop = Stop::default();
            let given = (&evaluation, &Columns::default());
            let in_memory = evaluate_files(given, reader.as_deref(), &stop, &mut |_| {}).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
            let run = workspace.begin(evaluation, 0, &mut |_| {}).await.unwrap();
            let mut session = workspace.rule_session(Stop::default()).await.unwrap();
            session.reader = LazyReader::new(move || Ok(reader.clone()));
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
