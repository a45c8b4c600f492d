//! One compliance result with its document: everything that a person needs to decide.

use assize_methods::compliance::ResponseStructure;
use assize_methods::compliance::rules::PartVerdict;
use assize_methods::compliance::sections::SectionType;
use assize_store::{Change, CriteriaResult, Decision, DecisionKind, ResultOutcome, Run};
use assize_wire::workplace::{
    Cited, Decided, ExhibitText, Neighbour, ResultView, SectionView, Settled,
};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use crate::Workspace;
use crate::compliance::configuration::TemplateUsed;
use crate::compliance::detail::Detail;
use crate::compliance::documents::Offsets;
use crate::compliance::material::Cited as Stored;
use crate::compliance::{ComplianceError, Result};

impl Workspace {
    /// The result with a number in a run, from 1; none before it is judged.
    #[boxed]
    pub async fn result_at(&self, run: &Run, number: i64) -> Result<Option<CriteriaResult>> {
        if !(1..=run.items).contains(&number) {
            return Err(ComplianceError::missing("result", &number.to_string()));
        }
        Ok(self.store.results().at(&self.organisation, &run.id, number - 1).await?)
    }

    /// A result in full.
    #[boxed]
    pub async fn result_view(&self, name: &str, number: i64) -> Result<ResultView> {
        let (run, configuration) = self.evaluation_of(name).await?;
        let result = self.result_at(&run, number).await?;
        let result = result.ok_or_else(|| {
            ComplianceError::Refused(format!(
                "result {number} of run #{name} has not been judged yet"
            ))
        })?;
        let truth = self.truth_of(&run, &result, &configuration.rubric).await?;
        let document = self.document_by_id(&result.document_id).await?;
        let rubric = configuration.rubric.clone();
        let detail = self.detail_in(rubric, document.entry.clone(), result).await?;
        let around = self.lines_around(&run, number, &detail.criterion.id).await?;
        let (rubric, structure) = (&configuration.rubric, &configuration.structure);
        let with_status = |score: f64| (score, rubric.status(score));
        Ok(ResultView {
            run: self.run_entry(&run).await?,
            number,
            criteria_id: detail.criterion.id.clone(),
            requirement: detail.criterion.requirement.clone(),
            description: detail.criterion.description.clone(),
            outcome: detail.result.outcome.to_string(),
            reason: detail.result.reason.clone(),
            score: detail.result.score.map(with_status),
            ai_score: detail.result.ai_score_value.map(with_status),
            confidence: detail.result.ai_confidence,
            tiers: rubric.tiers().to_vec(),
            judge: detail.result.model.clone().unwrap_or_else(|| configuration.judge.clone()),
            template: configuration.template.as_ref().map(TemplateUsed::label),
            sections: sections(&detail, structure),
            citations: detail.citations.iter().map(cited).collect(),
            history: detail.history.iter().map(decided).collect(),
            settled: detail.current().map(settled),
            truth,
            ledger: detail
                .ledger_lines()
                .into_iter()
                .map(|one| (usize::from(one.depth), one.text))
                .collect(),
            parts: parts(&detail),
            danger: self.danger_of(&run, rubric, (&detail.criterion.id, number)).await?,
            raw_answer: detail.raw_answer.clone(),
            document: exhibit(document),
            around,
        })
    }

    async fn lines_around(
        &self,
        run: &Run,
        number: i64,
        own: &str,
    ) -> Result<[Option<Neighbour>; 2]> {
        let position = number - 1;
        let around = [position - 1, position + 1];
        let mut names = self.store.views().criteria_at(&self.organisation, &run.id, around).await?;
        Ok(around.map(|position| {
            let (criterion, document) = names.remove(&position)?;
            // Beside the same criterion only the document tells two results apart.
            let name = if criterion == own { document } else { criterion };
            Some(Neighbour { number: position + 1, name })
        }))
    }
}

/// What a reader read for each part; nothing where none was asked, or before it was kept.
fn parts(detail: &Detail) -> Vec<PartVerdict> {
    let parts = detail.ledger.as_ref().and_then(|ledger| ledger.get("parts").cloned());
    parts.and_then(|parts| serde_json::from_value(parts).ok()).unwrap_or_default()
}

/// A document as a page reads it.
pub(super) fn exhibit(document: assize_store::Document) -> ExhibitText {
    let pages = Offsets::of(&document).pages.len();
    ExhibitText {
        name: document.entry.name,
        id: document.entry.id.to_string(),
        text: document.content_text,
        pages,
    }
}

pub(super) fn cited(cited: &Stored) -> Cited {
    Cited {
        quote: cited.quote.clone(),
        matched: cited.matched.clone(),
        similarity: cited.similarity,
        place: cited.start.zip(cited.end),
        page: cited.page,
    }
}

/// The sections of the structure in their order, then what else the judge wrote.
pub(crate) fn sections(detail: &Detail, structure: &ResponseStructure) -> Vec<SectionView> {
    let judge = detail.result.ai_result.as_ref().and_then(Json::as_object);
    let person = detail.current().and_then(|one| one.change.value.as_ref()?.as_object());
    let said = |by: Option<&serde_json::Map<String, Json>>, id: &str| by?.get(id).map(words);
    let mut all: Vec<SectionView> = structure
        .sections()
        .iter()
        .map(|section| SectionView {
            id: section.id.clone(),
            kind: section.kind.word(),
            is_required: section.required,
            judge: said(judge, &section.id).unwrap_or_default(),
            person: said(person, &section.id),
        })
        .collect();
    for (id, value) in judge.into_iter().flatten() {
        if !all.iter().any(|known| known.id == *id) {
            let kind = match value {
                Json::Array(_) => SectionType::List,
                Json::Number(_) => SectionType::Number,
                _ => SectionType::Text,
            };
            all.push(SectionView {
                id: id.clone(),
                kind: kind.word(),
                is_required: false,
                judge: words(value),
                person: said(person, id),
            });
        }
    }
    all
}

/// The entries of a section, one a line.
pub(crate) fn words(value: &Json) -> Vec<String> {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match value {
        Json::Null => Vec::new(),
        Json::String(text) if text.trim().is_empty() => Vec::new(),
        Json::Array(items) => items.iter().map(text).collect(),
        other => vec![text(other)],
    }
}

/// A decision in words.
pub(super) fn decided(entry: &Decision) -> Decided {
    let Change { is_withdrawal, outcome, score, value } = &entry.change;
    let mut what = Vec::new();
    match entry.kind {
        DecisionKind::Comment => what.push("comment".to_owned()),
        // The evidence of a pair is a page long; the reason says what is another way.
        DecisionKind::Label => what.push("labels corrected".to_owned()),
        DecisionKind::Score => {
            let measure = entry.target.as_str();
            if *is_withdrawal {
                what.push("back to the judge’s value".to_owned());
            }
            what.extend(score.map(|score| format!("{measure} {score}")));
            let other = outcome.filter(|outcome| *outcome != ResultOutcome::Scored);
            what.extend(other.map(|outcome| outcome.word().replace('_', " ")));
            let sections = value.as_ref().and_then(Json::as_object);
            what.extend(sections.into_iter().flatten().map(|(id, _)| format!("section {id}")));
        }
    }
    Decided {
        author: entry.author.clone(),
        at: entry.created_at,
        reason: entry.reason.clone(),
        is_withdrawal: *is_withdrawal,
        what: what.join(", "),
    }
}

fn settled(entry: &Decision) -> Settled {
    let outcome = entry.change.outcome.filter(|outcome| *outcome != ResultOutcome::Scored);
    Settled { score: entry.change.score, outcome: outcome.map(|outcome| outcome.to_string()) }
}
