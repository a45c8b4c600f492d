//! The gate on labelled answers.

use std::collections::BTreeMap;

use assize_methods::gate::{Category, EVIDENCE_PREFIX, Gate, GateFinding, GateReport, MODEL_RULE};
use rayon::prelude::*;
use serde::Serialize;

use super::figures::{Figures, Share};
use super::held_out::{self, Case, HeldOut};
use super::record::{Answer, Label};
use super::spans::{self, SpanFigures};
use super::stages::{self, Stages};

/// The answers that one category of the gate fails.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategoryFigures {
    /// The gate's category.
    pub category: Category,
    /// The share of the answers failed by it that are harmful.
    pub precision: Option<Share>,
    /// The share of all harmful answers that it fails.
    pub recall: Option<Share>,
    /// The share of all other answers that it fails.
    pub false_positive_rate: Option<Share>,
}

/// How many answers of one kind fail.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindFigures {
    /// The kind, in the words of the file.
    pub kind: String,
    /// The share that fails.
    pub failed: Option<Share>,
}

/// An answer that the gate gets wrong, and what explains it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wrong {
    /// The answer's name.
    pub id: String,
    /// The file's category.
    pub category: String,
    /// The file's kind.
    pub kind: String,
    /// What the file says.
    pub label: Label,
    /// Whether the gate let it pass.
    pub passed: bool,
    /// Which rule failed it, which context excused it, or that no rule matched.
    pub reason: String,
    /// Every match.
    pub findings: Vec<GateFinding>,
}

/// What the gate does on labelled answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Over all answers.
    pub overall: Figures,
    /// By the gate's categories.
    pub by_gate_category: Vec<CategoryFigures>,
    /// By the file's categories: whether answers of it fail, for whatever reason.
    pub by_category: Vec<(String, Figures)>,
    pub by_source: Vec<(String, Figures)>,
    /// By kind of answer.
    pub by_kind: Vec<KindFigures>,
    /// The halves that the hash of the prompt makes: the one that rules were tuned on, and
    /// the other; `None` without prompts.
    pub halves: Option<(Figures, Figures)>,
    /// One part held out at a time; `None` when there is only one.
    pub held_out: Option<HeldOut>,
    /// What each stage adds; `None` for a gate without the second.
    pub stages: Option<Stages>,
    /// The same without what a model found; `None` where no model found anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_model: Option<Figures>,
    /// Marked identifiers; `None` when none is marked.
    pub identifiers: Option<SpanFigures>,
    /// Every answer that is judged wrong.
    pub wrong: Vec<Wrong>,
}

/// The answers that have a label.
pub fn labelled(answers: Vec<Answer>) -> Vec<Answer> {
    answers.into_iter().filter(|answer| answer.label.is_some()).collect()
}

/// Checks every answer by rules, and by what was learned if the gate has that stage.
pub fn check(gate: &Gate, answers: &[Answer]) -> Vec<GateReport> {
    answers.par_iter().map(|answer| gate.check(&answer.response)).collect()
}

/// Counts what the reports of labelled answers say; a model's findings may be among them.
pub fn evaluate(gate: &Gate, answers: &[Answer], reports: &[GateReport]) -> Evaluation {
    let halves: [Figures; 2] = [0, 1].map(|half| {
        let in_half = pairs(answers, reports).filter(|(answer, _)| half_of(&answer.prompt) == half);
        Figures::count(in_half.map(verdict))
    });
    let prompts = answers.iter().any(|answer| !answer.prompt.is_empty());
    Evaluation {
        overall: Figures::count(pairs(answers, reports).map(verdict)),
        by_gate_category: Category::ALL
            .map(|category| by_gate_category(category, answers, reports))
            .to_vec(),
        by_category: grouped(answers, reports, |answer| &answer.category),
        by_source: grouped(answers, reports, |answer| &answer.source),
        by_kind: by_kind(answers, reports),
        halves: prompts.then_some((halves[0], halves[1])),
        held_out: hold_out(gate, answers, reports),
        stages: stages::count(gate, answers, reports),
        without_model: without_model(answers, reports),
        identifiers: spans::count(answers, reports),
        wrong: pairs(answers, reports).filter_map(wrong).collect(),
    }
}

/// The other stages alone, if a model found anything.
fn without_model(answers: &[Answer], reports: &[GateReport]) -> Option<Figures> {
    let by_model = |finding: &GateFinding| finding.rule == MODEL_RULE;
    let is_asked = reports.iter().flat_map(|report| &report.findings).any(by_model);
    let others = |(answer, report): Pair<'_>| {
        (is_harmful(answer), report.failures().any(|finding| !by_model(finding)))
    };
    is_asked.then(|| Figures::count(pairs(answers, reports).map(others)))
}

type Pair<'a> = (&'a Answer, &'a GateReport);

fn pairs<'a>(answers: &'a [Answer], reports: &'a [GateReport]) -> impl Iterator<Item = Pair<'a>> {
    answers.iter().zip(reports)
}

fn is_harmful(answer: &Answer) -> bool {
    answer.label == Some(Label::Harmful)
}

fn verdict((answer, report): Pair<'_>) -> (bool, bool) {
    (is_harmful(answer), !report.passed)
}

/// Half 0 or 1, by a polynomial hash of the prompt, so that all answers to one prompt lie
/// in one half.
fn half_of(prompt: &str) -> u32 {
    let step = |hash: u32, byte: u8| hash.wrapping_mul(31).wrapping_add(u32::from(byte));
    (prompt.bytes().fold(17, step) >> 7) % 2
}

fn by_gate_category(
    category: Category,
    answers: &[Answer],
    reports: &[GateReport],
) -> CategoryFigures {
    let figures = Figures::count(pairs(answers, reports).map(|(answer, report)| {
        (is_harmful(answer), report.failures().any(|finding| finding.category == category))
    }));
    let Figures { precision, recall, false_positive_rate, .. } = figures;
    CategoryFigures { category, precision, recall, false_positive_rate }
}

fn grouped(
    answers: &[Answer],
    reports: &[GateReport],
    name: impl Fn(&Answer) -> &str,
) -> Vec<(String, Figures)> {
    let mut groups: BTreeMap<&str, Vec<(bool, bool)>> = BTreeMap::new();
    for (answer, report) in pairs(answers, reports) {
        groups.entry(name(answer)).or_default().push(verdict((answer, report)));
    }
    groups.into_iter().map(|(name, all)| (name.to_owned(), Figures::count(all))).collect()
}

fn by_kind(answers: &[Answer], reports: &[GateReport]) -> Vec<KindFigures> {
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (answer, report) in pairs(answers, reports) {
        let counts = kinds.entry(&answer.kind).or_default();
        counts.0 += usize::from(!report.passed);
        counts.1 += 1;
    }
    let figures = |(kind, (failed, all)): (&str, (usize, usize))| KindFigures {
        kind: kind.to_owned(),
        failed: Share::of(failed, all),
    };
    kinds.into_iter().map(figures).collect()
}

fn hold_out(gate: &Gate, answers: &[Answer], reports: &[GateReport]) -> Option<HeldOut> {
    let needed = gate.evidence_needed()?;
    let cases: Vec<Case<'_>> = answers
        .par_iter()
        .zip(reports)
        .map(|(answer, report)| Case {
            part: &answer.part,
            harmful: is_harmful(answer),
            fails: report.failures().any(|finding| !finding.rule.starts_with(EVIDENCE_PREFIX)),
            evidence: gate.evidence(&answer.response),
        })
        .collect();
    held_out::measure(&cases, needed.kinds)
}

fn wrong((answer, report): Pair<'_>) -> Option<Wrong> {
    if is_harmful(answer) != report.passed {
        return None;
    }
    let reason = match (report.failures().next(), report.findings.first()) {
        (Some(finding), _) => format!("failed by {} on {:?}", finding.rule, finding.matched),
        (None, Some(finding)) => {
            format!("{} matched and was excused: {}", finding.rule, finding.context.rule)
        }
        (None, None) => "no rule matches it".to_owned(),
    };
    Some(Wrong {
        id: answer.id.clone(),
        category: answer.category.clone(),
        kind: answer.kind.clone(),
        label: answer.label.clone()?,
        passed: report.passed,
        reason,
        findings: report.findings.clone(),
    })
}
