//! What the rule judge found, in words: sections, citations and how sure it is.

use assize_score::Finding;
use serde_json::{Map, Value};

use super::coverage;
use super::evidence::Support;
use super::fit::Fit;
use super::judge::PreparedPart;
use super::parts::Part;
use super::stance::Stance;
use super::statements::Reading;
use super::verdicts::{MET, PARTLY, PartState, PartVerdict};
use crate::compliance::citations::Citation;
use crate::compliance::read::Stated;
use crate::compliance::sections::{ResponseStructure, Section, SectionType};
use crate::compliance::tiers::on_one_line;

/// A statement is quoted if it covers so much of a part.
const QUOTED_MIN: f64 = 0.3;

/// The most quotes of one result.
const CITATIONS_MAX: usize = 6;

/// Rules are never surer than this.
const CONFIDENCE_MAX: f64 = 80.0;
const CONFIDENCE_MIN: f64 = 20.0;

/// Words of a part shown in a sentence.
const SHOWN_CHARACTERS: usize = 160;

/// A part and what was found for it.
pub(super) struct Held<'a> {
    /// What must be so.
    pub part: &'a PreparedPart,
    /// What was found.
    pub support: Support,
}

/// A part with the subject that it shares with the part before it.
pub(super) fn whole(part: &Part) -> String {
    if part.subject.is_empty() {
        part.text.clone()
    } else {
        format!("{} {}", part.subject, part.text)
    }
}

/// The best statement of each part, best first, each once, in the words of the document.
pub(super) fn citations(document: &Reading<'_>, held: &[Held<'_>]) -> Vec<Citation> {
    let mut best: Vec<(f64, u32)> = Vec::new();
    for support in held.iter().map(|held| &held.support) {
        let Support { share, worth, best: found, contrary, worst, .. } = support;
        let stated = if *worth > 0.0 { *share } else { 0.0 };
        let denied = if coverage::is_denied(support) { *contrary } else { 0.0 };
        for (share, index) in [(stated, found), (denied, worst)] {
            if let Some(index) = index.filter(|_| share >= QUOTED_MIN) {
                best.push((share, index));
            }
        }
    }
    best.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let mut chosen: Vec<u32> = Vec::new();
    for (_, index) in best {
        if chosen.len() < CITATIONS_MAX && !chosen.contains(&index) {
            chosen.push(index);
        }
    }
    let copied = |index: u32| {
        let bytes = document.statements[index as usize].bytes.clone();
        Citation::copied(&document.text[bytes.clone()], bytes.start)
    };
    chosen.into_iter().map(copied).collect()
}

/// A finding for each part that the document denies.
pub(super) fn contradictions(document: &Reading<'_>, held: &[Held<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, held) in (1..).zip(held) {
        let Some(worst) = held.support.worst.filter(|_| coverage::is_denied(&held.support)) else {
            continue;
        };
        let code =
            if coverage::is_contradicted(&held.support) { "contradicted" } else { "conflicting" };
        let bytes = document.statements[worst as usize].bytes.clone();
        let message = format!("part {number} is denied: {}", &document.text[bytes]);
        findings.push(Finding::new(code, message));
    }
    findings
}

/// How sure the judge is: the surer the further from the middle its parts came out.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0 to 100, fractions dropped"
)]
pub(super) fn confidence(stated: Stated, held: &[Held<'_>], covered: &[f64]) -> Option<u8> {
    if stated == Stated::NeedsInformation || covered.is_empty() {
        return None;
    }
    let clear = covered.iter().map(|covered| 2.0 * (covered - 0.5).abs()).sum::<f64>();
    let clear = clear / covered.len() as f64;
    let is_conflicting = |held: &&Held<'_>| {
        coverage::is_denied(&held.support) && !coverage::is_contradicted(&held.support)
    };
    let conflicted = held.iter().filter(is_conflicting).count() as f64 / held.len() as f64;
    let sure = CONFIDENCE_MIN + (CONFIDENCE_MAX - CONFIDENCE_MIN) * clear - 20.0 * conflicted;
    Some(sure.clamp(0.0, CONFIDENCE_MAX) as u8)
}

/// What there is to tell.
pub(super) struct Words<'a> {
    pub document: &'a Reading<'a>,
    pub held: &'a [Held<'a>],
    pub covered: &'a [f64],
    pub stated: Stated,
    pub score: f64,
    pub confidence: Option<u8>,
}

impl Words<'_> {
    /// The sections of the structure that rules have something to say on; a required one that
    /// they cannot fill is missing, and a finding says so.
    pub(super) fn sections(
        &self,
        structure: &ResponseStructure,
        findings: &mut Vec<Finding>,
    ) -> Map<String, Value> {
        let only = structure.sections().len() == 1;
        let mut sections = Map::new();
        for section in structure.sections() {
            if let Some(value) = self.section(section, only) {
                sections.insert(section.id.clone(), value);
            } else if section.required {
                let message = format!("rules cannot fill the required section `{}`", section.id);
                findings.push(Finding::new("section_missing", message));
            }
        }
        sections
    }

    fn section(&self, section: &Section, only: bool) -> Option<Value> {
        let name = section.id.to_ascii_lowercase();
        let asks = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if section.kind == SectionType::Number {
            return self.number(&asks);
        }
        let lines = if asks(&["recommend", "improve", "action", "remed"]) {
            self.recommendations()
        } else if asks(&["finding", "gap", "missing", "weak", "non_compl", "noncompl", "defic"]) {
            self.gaps()
        } else if asks(&["evidence", "quote", "strength"]) {
            self.evidence()
        } else if only
            || asks(&[
                "expla", "justif", "rational", "reason", "summar", "assess", "analys", "comment",
                "conclu", "descr", "narrat", "overview", "note", "detail", "verdict", "result",
            ])
        {
            self.explanation()
        } else {
            return None;
        };
        Some(match section.kind {
            SectionType::List => lines.into(),
            _ => lines.join("\n").into(),
        })
    }

    /// Numbers that rules know; any other would be made up.
    fn number(&self, asks: &impl Fn(&[&str]) -> bool) -> Option<Value> {
        if asks(&["uncovered", "missing", "gap", "unmet", "open"]) {
            Some((self.covered.len() - self.count(MET)).into())
        } else if asks(&["cover", "met", "fulfil"]) {
            Some(self.count(MET).into())
        } else if asks(&["part", "obligation", "total"]) {
            Some(self.covered.len().into())
        } else if asks(&["confid"]) {
            self.confidence.map(Value::from)
        } else if asks(&["score", "percent"]) {
            Some(self.score.into())
        } else {
            None
        }
    }

    /// What is said about each part.
    pub(super) fn parts(&self) -> Vec<PartVerdict> {
        let one = |(held, worth): (&Held<'_>, &f64)| {
            let is_denied = coverage::is_contradicted(&held.support);
            let state = match *worth {
                _ if is_denied => PartState::Denied,
                worth if worth >= MET => PartState::Met,
                worth if worth >= PARTLY => PartState::Partly,
                _ => PartState::Missing,
            };
            let best = held.support.best.filter(|_| state != PartState::Missing);
            let quoted = if is_denied { held.support.worst } else { best };
            PartVerdict {
                text: on_one_line(&held.part.text),
                obligation: held.part.obligation + 1,
                worth: *worth,
                state,
                quote: quoted.map(|statement| self.quoted(statement)),
            }
        };
        self.held.iter().zip(self.covered).map(one).collect()
    }

    fn count(&self, from: f64) -> usize {
        self.covered.iter().filter(|covered| **covered >= from).count()
    }

    fn explanation(&self) -> Vec<String> {
        let all = self.covered.len();
        let first = match self.stated {
            Stated::NotApplicable => "The document says that this does not apply.".to_owned(),
            Stated::NeedsInformation => {
                return vec!["There is no text to compare with the requirement.".to_owned()];
            }
            Stated::Score { .. } => {
                let full = self.count(MET);
                let partly = self.count(PARTLY) - full;
                let found = match (all, full, partly) {
                    (1, 1, _) => "Statements of the document meet the requirement.".to_owned(),
                    (1, _, 1) => {
                        "Statements of the document meet the requirement in part.".to_owned()
                    }
                    (1, ..) => "No statement of the document meets the requirement.".to_owned(),
                    _ => format!(
                        "Of {all} parts, statements of the document meet {full} in full, {partly} \
                         in part and {} not at all.",
                        all - full - partly
                    ),
                };
                format!("{found} Judged by rules, without a model.")
            }
        };
        let mut lines = vec![first];
        lines.extend(self.evidence());
        lines.extend(self.gaps());
        lines
    }

    fn evidence(&self) -> Vec<String> {
        let line = |(held, covered): (&Held<'_>, &f64)| {
            let best = held.support.best.filter(|_| *covered >= PARTLY)?;
            let quote = self.quoted(best);
            let part = shown(&held.part.text);
            Some(if *covered >= MET {
                format!("Found for “{part}”: “{quote}”")
            } else {
                format!("In part “{part}”, {}: “{quote}”", why(&held.support))
            })
        };
        self.held.iter().zip(self.covered).filter_map(line).collect()
    }

    fn gaps(&self) -> Vec<String> {
        let line = |(held, _): (&Held<'_>, &f64)| {
            let part = shown(&held.part.text);
            match held.support.worst.filter(|_| coverage::is_contradicted(&held.support)) {
                Some(worst) => format!("Denied: “{part}”, by “{}”", self.quoted(worst)),
                None => format!("Not covered: “{part}”"),
            }
        };
        self.below(PARTLY).map(line).collect()
    }

    fn recommendations(&self) -> Vec<String> {
        let line = |(held, _): (&Held<'_>, &f64)| {
            let part = shown(&held.part.text);
            match held.support.fit {
                Fit::Missed(_) if held.support.worth >= PARTLY => {
                    format!("Change the number to what is asked for: “{part}”")
                }
                _ => format!("State who does this, how and when: “{part}”"),
            }
        };
        self.below(MET).map(line).collect()
    }

    fn below(&self, bound: f64) -> impl Iterator<Item = (&Held<'_>, &f64)> {
        self.held.iter().zip(self.covered).filter(move |(_, covered)| **covered < bound)
    }

    fn quoted(&self, statement: u32) -> String {
        shown(&self.document.text[self.document.statements[statement as usize].bytes.clone()])
    }
}

/// Why a part is met only in part.
fn why(support: &Support) -> &'static str {
    match (support.fit, support.stance) {
        _ if coverage::is_denied(support) => "and denied elsewhere",
        (Fit::Missed(_), _) => "with another number",
        (Fit::Unstated, _) => "without the number asked for",
        (_, Stance::Planned) => "as a plan",
        (_, Stance::Optional) => "as something optional",
        (_, Stance::Advised) => "as advice",
        (_, Stance::Mostly) => "with exceptions",
        _ => "in some of its words",
    }
}

/// A text on one line, cut if it is long.
fn shown(text: &str) -> String {
    let text = on_one_line(text);
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
