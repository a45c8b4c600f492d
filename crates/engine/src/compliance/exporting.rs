//! A run as a report that every export is made from: the judge's values and people's beside them.

use std::collections::BTreeMap;

use assize_exports as exports;
use assize_exports::{Report, Row, Section, SectionValue, State};
use assize_methods::compliance::accuracy::AccuracyReport;
use assize_methods::compliance::set_verdicts::{SetOutcome, SetReport, SetVerdict, met_from};
use assize_methods::compliance::{Criterion, Rubric, Status};
use assize_store::{CriteriaResult, Decision, DecisionKind, Document, ResultOutcome, Run};
use assize_wire::runs::Approval;
use async_recursion::async_recursion as boxed;
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::Value;

use super::configuration::{Configuration, TemplateUsed};
use super::detail::{cited, ledger_lines};
use super::documents::Offsets;
use super::error::Result;
use super::material::{Cited, Criteria, document_findings};
use super::overview::Overview;
use crate::Workspace;

impl Workspace {
    /// Everything about a run, ready to be written as a file.
    #[boxed]
    pub async fn report(&self, run: &Run) -> Result<Report> {
        let configuration = self.labelled_by(run).await?;
        let (criteria_set, _) = self.sets_of(run).await?;
        let organisation = self.store.organisations().get(&self.organisation).await?;
        let mut report = head(run, &configuration);
        report.title = format!("Evaluation against {}", criteria_set.name);
        report.organisation = organisation.map(|one| one.name).unwrap_or_default();
        report.criteria_set =
            exports::CriteriaSet { name: criteria_set.name, description: criteria_set.description };
        let criteria =
            Criteria::of(self.store.plans().criteria(&self.organisation, &run.id).await?);
        let decisions = self.store.decisions().list(&run.id).await?;
        let approval = self.approval(&run.id).await?;
        report.exported_at = time(self.last_change(run, &decisions, approval.as_ref()).await?);
        let mut histories = histories(decisions);
        for id in self.store.plans().documents(&self.organisation, &run.id).await? {
            let document = self.document_by_id(&id).await?;
            let results = self.store.results();
            let found = results.of_document(&self.organisation, &run.id, &id).await?;
            let ledgers = results.ledgers_of_document(&self.organisation, &run.id, &id).await?;
            let mut ledgers: BTreeMap<i64, Value> = ledgers.into_iter().collect();
            for result in found {
                let Some(place) = criteria.position(&result.criteria_item_id) else { continue };
                let criterion = &criteria.criteria[place];
                let ledger = ledgers.remove(&result.position);
                let history = histories.remove(&result.position).unwrap_or_default();
                let mut row = row(&result, &history, &configuration.rubric);
                row.document.clone_from(&document.entry.name);
                row.criteria_id.clone_from(&criterion.id);
                row.requirement.clone_from(&criterion.requirement);
                row.ledger = ledger.as_ref().map(ledger_lines).unwrap_or_default();
                report.rows.push(row);
            }
            report.documents.push(described(document));
        }
        report.accuracy = self.accuracy(run).await?.map(|report| accuracy(&report));
        let overview = self.overview(run.clone()).await?;
        report.set = set_verdicts(overview.set.report.clone(), &overview);
        mark_contradicted(&mut report, met_from(&overview.configuration.rubric));
        report.approval = approval.as_ref().map(approved).unwrap_or_default();
        Ok(report)
    }

    /// When a run became what a report shows. A report carries this moment and not that of its
    /// writing, so that one state gives the same bytes through every door and at any time.
    async fn last_change(
        &self,
        run: &Run,
        decisions: &[Decision],
        approval: Option<&Approval>,
    ) -> Result<DateTime<Utc>> {
        let versions = self.store.verdicts().versions(&run.id).await?;
        let later = versions.iter().map(|version| version.created_at);
        let later = later.chain(decisions.iter().map(|decision| decision.created_at));
        let later = later.chain(approval.map(|approval| approval.at)).chain(run.ended_at);
        Ok(later.fold(run.created_at, Ord::max))
    }
}

/// What people decided about the results of a run, by place, the oldest first.
fn histories(decisions: Vec<Decision>) -> BTreeMap<i64, Vec<Decision>> {
    let mut histories: BTreeMap<i64, Vec<Decision>> = BTreeMap::new();
    for decision in decisions {
        if decision.kind == DecisionKind::Score {
            histories.entry(decision.position).or_default().push(decision);
        }
    }
    histories
}

fn head(run: &Run, configuration: &Configuration) -> Report {
    let rubric = &configuration.rubric;
    let tier = |tier: &assize_methods::compliance::Tier| exports::Tier {
        min: tier.min,
        max: tier.max,
        label: tier.label.clone(),
        colour: rubric.status(f64::from(tier.min)).colour,
        description: tier.description.clone(),
    };
    Report {
        rubric: rubric.tiers().iter().map(tier).collect(),
        method: exports::Method {
            judge: configuration.judge.clone(),
            method: run.method_version.clone().unwrap_or_default(),
            template_version: configuration
                .template
                .as_ref()
                .map(TemplateUsed::label)
                .unwrap_or_default(),
        },
        run: exports::Run {
            id: run.id.to_string(),
            started_at: run.started_at.map(time).unwrap_or_default(),
            finished_at: run.ended_at.map(time).unwrap_or_default(),
        },
        ..Report::default()
    }
}

/// The verdicts for the documents taken together, with their words.
fn set_verdicts(report: SetReport, overview: &Overview) -> exports::SetVerdicts {
    let criteria = &overview.criteria.criteria;
    let name = |place: usize| overview.documents.get(place).map(|entry| entry.name.clone());
    let verdict = |(one, criterion): (SetVerdict, &Criterion)| exports::SetVerdict {
        criteria_id: one.criteria_id,
        requirement: criterion.requirement.clone(),
        category: one.category.unwrap_or_default(),
        weight: one.weight,
        state: match one.outcome {
            SetOutcome::Scored => State::Scored,
            SetOutcome::NotApplicable => State::NotApplicable,
            SetOutcome::NeedsInformation => State::NeedsInformation,
            SetOutcome::Failed => State::Failed { reason: String::new() },
            SetOutcome::Pending => State::Pending,
        },
        score: one.score,
        status: one.status.as_ref().map(status),
        document: one.document.and_then(name).unwrap_or_default(),
        is_met: one.is_met,
        contradicted_by: one.contradicted_by.into_iter().filter_map(name).collect(),
    };
    exports::SetVerdicts {
        verdicts: report.verdicts.into_iter().zip(criteria).map(verdict).collect(),
        score: report.score,
        categories: report.categories,
    }
}

/// Names in each row that meets a criterion the documents that deny it.
fn mark_contradicted(report: &mut Report, met_from: f64) {
    let denied: BTreeMap<&str, &Vec<String>> = report
        .set
        .verdicts
        .iter()
        .filter(|one| !one.contradicted_by.is_empty())
        .map(|one| (one.criteria_id.as_str(), &one.contradicted_by))
        .collect();
    for row in &mut report.rows {
        if row.effective_score.is_some_and(|score| score >= met_from)
            && let Some(by) = denied.get(row.criteria_id.as_str())
        {
            row.contradicted_by.clone_from(by);
        }
    }
}

/// Who approved a run, in words.
fn approved(approval: &Approval) -> String {
    let when = approval.at.format("%Y-%m-%d %H:%M UTC");
    let note =
        if approval.note.is_empty() { String::new() } else { format!(" ({})", approval.note) };
    let changed = match approval.changes_since {
        0 => String::new(),
        count => format!(" Changed since: {count}."),
    };
    format!("Approved by {} on {when}{note}.{changed}", approval.who)
}

fn described(document: Document) -> exports::Document {
    let notices = Offsets::of(&document).notices;
    let entry = document.entry;
    exports::Document {
        findings: document_findings(&notices).map(|finding| finding.message).collect(),
        name: entry.name,
        hash: entry.content_hash.unwrap_or_default(),
        media_type: entry.media_type,
    }
}

fn row(result: &CriteriaResult, history: &[Decision], rubric: &Rubric) -> Row {
    let (current, entries): (Vec<&Decision>, Vec<&Decision>) =
        history.iter().partition(|decision| decision.is_current);
    let (outcome, score) = (result.outcome, result.score);
    let citations = cited(result).into_iter().map(citation).collect();
    Row {
        state: state(outcome, result.reason.as_deref()),
        ai_score: result.ai_score_value,
        ai_confidence: result.ai_confidence.and_then(|sure| u8::try_from(sure).ok()),
        current_override: current.first().map(|decision| said(decision)),
        override_history: entries.into_iter().map(said).collect(),
        effective_score: score,
        status: score.map(|score| status(&rubric.status(score))),
        sections: sections(result.ai_result.as_ref()),
        citations,
        ..Row::default()
    }
}

fn state(outcome: ResultOutcome, reason: Option<&str>) -> State {
    match outcome {
        ResultOutcome::Scored => State::Scored,
        ResultOutcome::NotApplicable => State::NotApplicable,
        ResultOutcome::NeedsInformation => State::NeedsInformation,
        ResultOutcome::Failed => State::Failed { reason: reason.unwrap_or_default().to_owned() },
    }
}

fn status(status: &Status) -> exports::Status {
    exports::Status {
        label: status.label.clone(),
        colour: status.colour.clone(),
        tier: u8::try_from(status.tier).unwrap_or(u8::MAX),
    }
}

fn said(entry: &Decision) -> exports::Override {
    exports::Override {
        is_withdrawal: entry.change.is_withdrawal,
        state: entry.change.outcome.map(|outcome| state(outcome, None)),
        score: entry.change.score,
        sections: sections(entry.change.value.as_ref()),
        who: entry.author.clone(),
        when: time(entry.created_at),
        why: entry.reason.clone(),
    }
}

fn sections(json: Option<&Value>) -> Vec<Section> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let section = |(name, value): (&String, &Value)| Section {
        name: name.clone(),
        value: match value {
            Value::Number(number) => SectionValue::Number(number.as_f64().unwrap_or_default()),
            Value::Array(items) => SectionValue::List(items.iter().map(text).collect()),
            other => SectionValue::Text(text(other)),
        },
    };
    json.and_then(Value::as_object).into_iter().flatten().map(section).collect()
}

fn citation(cited: Cited) -> exports::Citation {
    exports::Citation {
        found: cited.start.is_some(),
        quote: cited.quote,
        start: cited.start,
        end: cited.end,
        page: cited.page.and_then(|page| u32::try_from(page).ok()),
        matched: cited.matched.replace('_', " "),
    }
}

fn accuracy(report: &AccuracyReport) -> exports::Accuracy {
    let overall = report.overall.as_ref();
    exports::Accuracy {
        compared: report.scored,
        uncompared: report.unscored,
        overall: overall.map(|overall| overall.mean),
        interval: overall.and_then(|overall| overall.low.zip(overall.high)),
        tier_match: report.tier_match.as_ref().map(|found| found.mean),
        bias: report.bias.as_ref().map(|found| found.mean),
        quadratic_kappa: report.kappa,
        calibration_error: report.calibration.as_ref().map(|found| found.expected_error),
    }
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
