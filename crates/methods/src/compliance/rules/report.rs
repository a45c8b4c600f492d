//! What the rule judge found, in words: sections, citations, findings and parts.

use assize_score::Finding;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::consulted::{Read, SETTINGS};
use super::decide::{Decided, Decision};
use super::fit::Fit;
use super::prepared::{Prepared, PreparedPart};
use super::stance::Stance;
use super::statements::Reading;
use crate::compliance::citations::Citation;
use crate::compliance::read::Stated;
use crate::compliance::sections::{ResponseStructure, Section, SectionType};
use crate::compliance::tiers::on_one_line;

/// The most quotes of one result.
const CITATIONS_MAX: usize = 6;

/// Words of a part shown in a sentence.
const SHOWN_CHARACTERS: usize = 160;

/// One part of a requirement and what a document says about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartVerdict {
    /// What must be so.
    pub text: String,
    /// The obligation that it belongs to, counted from 1.
    pub obligation: usize,
    /// What it is worth, 0 to 1; 0 where it is undecided.
    pub worth: f64,
    /// What was decided.
    pub decision: Decision,
    /// The statement that says it, or the contrary.
    pub quote: Option<String>,
    /// What a reader read for it, whatever was decided; empty where none was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<ReadStatement>,
}

/// A statement that a reader read for a part of a requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadStatement {
    /// The statement.
    pub quote: String,
    /// How near it is to the part, by the encoder.
    pub nearness: f64,
    /// What the reader said: by the statement alone, with its heading, with its neighbours.
    pub shares: Vec<ReadShares>,
}

/// How a reader divides its belief about one statement and one part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadShares {
    /// What the statement was read with.
    pub setting: String,
    /// That the part is stated.
    pub stated: f64,
    /// That it is left open.
    pub open: f64,
    /// That it is denied.
    pub denied: f64,
}

/// What there is to tell.
pub(super) struct Words<'a> {
    pub prepared: &'a Prepared,
    pub document: &'a Reading<'a>,
    pub decided: &'a [Decided],
    /// What a reader read for each part.
    pub read: &'a [&'a [Read]],
    /// The statement that says that the criterion does not apply.
    pub declared: Option<u32>,
    pub stated: Stated,
    pub score: f64,
    pub confidence: Option<u8>,
}

impl Words<'_> {
    /// The statements that decide, the worthiest first, each once, in the words of the document;
    /// where nothing is decided those that come nearest.
    pub(super) fn citations(&self) -> Vec<Citation> {
        let mut best: Vec<(f64, u32)> = Vec::new();
        for decided in self.decided {
            let by = decided.by.iter().map(|by| (decided.worth, by.statement));
            best.extend(by);
            if decided.decision == Decision::Undecided {
                best.extend(decided.near.iter().map(|index| (0.0, *index)));
            }
        }
        if self.stated == Stated::NotApplicable {
            best = self.declared.map(|index| (1.0, index)).into_iter().collect();
        }
        best.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let mut chosen: Vec<u32> = Vec::new();
        for (_, index) in best {
            if chosen.len() < CITATIONS_MAX && !chosen.contains(&index) {
                chosen.push(index);
            }
        }
        let copied = |index: u32| {
            let bytes = self.document.statements[index as usize].bytes.clone();
            Citation::copied(&self.document.text[bytes.clone()], bytes.start)
        };
        chosen.into_iter().map(copied).collect()
    }

    /// What is denied, and whether nothing is about the criterion or it cannot be decided.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (number, decided) in (1..).zip(self.decided) {
            if let Some(by) = decided.by.as_ref().filter(|_| decided.decision == Decision::Denied) {
                let quote = &self.document.text
                    [self.document.statements[by.statement as usize].bytes.clone()];
                let message = format!("part {number} is denied: {quote}");
                findings.push(Finding::new("contradicted", message));
            }
        }
        let is_all = |decision: Decision| self.decided.iter().all(|one| one.decision == decision);
        let is_scored = matches!(self.stated, Stated::Score { .. });
        if is_scored && is_all(Decision::Silent) {
            let message = "not addressed: no statement of the document is about it";
            findings.push(Finding::new("not_addressed", message));
        }
        findings
    }

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
        let stated = self.count(Decision::Stated);
        if asks(&["uncovered", "missing", "gap", "unmet", "open"]) {
            Some((self.decided.len() - stated).into())
        } else if asks(&["cover", "met", "fulfil"]) {
            Some(stated.into())
        } else if asks(&["part", "obligation", "total"]) {
            Some(self.decided.len().into())
        } else if asks(&["confid"]) {
            self.confidence.map(Value::from)
        } else if asks(&["score", "percent"]) {
            matches!(self.stated, Stated::Score { .. }).then(|| self.score.into())
        } else {
            None
        }
    }

    /// What is said about each part.
    pub(super) fn parts(&self) -> Vec<PartVerdict> {
        let one = |((part, decided), read): ((&PreparedPart, &Decided), &&[Read])| PartVerdict {
            text: on_one_line(&part.text),
            obligation: part.obligation + 1,
            worth: decided.worth,
            decision: decided.decision,
            quote: decided.by.as_ref().map(|by| self.quoted(by.statement)),
            read: read.iter().map(|read| self.read_statement(read)).collect(),
        };
        self.pairs().zip(self.read).map(one).collect()
    }

    fn read_statement(&self, read: &Read) -> ReadStatement {
        let shares = SETTINGS.iter().zip(&read.shares).map(|(setting, shares)| ReadShares {
            setting: (*setting).to_owned(),
            stated: f64::from(shares.stated),
            open: f64::from(shares.open),
            denied: f64::from(shares.denied),
        });
        ReadStatement {
            quote: self.quoted(read.statement),
            nearness: read.nearness,
            shares: shares.collect(),
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&PreparedPart, &Decided)> {
        self.prepared.parts.iter().zip(self.decided)
    }

    fn count(&self, decision: Decision) -> usize {
        self.decided.iter().filter(|one| one.decision == decision).count()
    }

    fn explanation(&self) -> Vec<String> {
        let first = match self.stated {
            Stated::NotApplicable => "The document says that this does not apply.".to_owned(),
            Stated::NeedsInformation if self.decided.is_empty() || self.document.is_empty() => {
                return vec!["There is no text to compare with the requirement.".to_owned()];
            }
            Stated::NeedsInformation => "Undecided: statements may be about this, and rules \
                                         alone cannot tell whether they say it. A person, a \
                                         reader or a model can."
                .to_owned(),
            Stated::Score { .. } => self.counted(),
        };
        let mut lines = vec![first];
        lines.extend(self.evidence());
        lines.extend(self.gaps());
        lines
    }

    fn counted(&self) -> String {
        let (all, full) = (self.decided.len(), self.count(Decision::Stated));
        let partly = self.count(Decision::InPart);
        let found = match (all, full, partly) {
            (1, 1, _) => "Statements of the document meet the requirement.".to_owned(),
            (1, _, 1) => "Statements of the document meet the requirement in part.".to_owned(),
            (1, ..) => "No statement of the document meets the requirement.".to_owned(),
            _ => format!(
                "Of {all} parts, statements of the document meet {full} in full, {partly} in part \
                 and {} not at all.",
                all - full - partly
            ),
        };
        format!("{found} Judged by rules, without a language model.")
    }

    fn evidence(&self) -> Vec<String> {
        let line = |(part, decided): (&PreparedPart, &Decided)| {
            let quote = self.quoted(decided.by.as_ref()?.statement);
            let part = shown(&part.text);
            match decided.decision {
                Decision::Stated => Some(format!("Found for “{part}”: “{quote}”")),
                Decision::InPart => Some(format!("In part “{part}”, {}: “{quote}”", why(decided))),
                _ => None,
            }
        };
        self.pairs().filter_map(line).collect()
    }

    fn gaps(&self) -> Vec<String> {
        let line = |(part, decided): (&PreparedPart, &Decided)| {
            let part = shown(&part.text);
            match (decided.decision, &decided.by) {
                (Decision::Denied, Some(by)) => {
                    Some(format!("Denied: “{part}”, by “{}”", self.quoted(by.statement)))
                }
                (Decision::Silent, _) => Some(format!("Not addressed: “{part}”")),
                (Decision::Undecided, _) => {
                    let near =
                        decided.near.iter().map(|index| format!("“{}”", self.quoted(*index)));
                    let near = near.collect::<Vec<_>>().join(", ");
                    Some(format!("Undecided: “{part}”; nearest: {near}"))
                }
                _ => None,
            }
        };
        self.pairs().filter_map(line).collect()
    }

    fn recommendations(&self) -> Vec<String> {
        let line = |(part, decided): (&PreparedPart, &Decided)| {
            let text = shown(&part.text);
            match &decided.by {
                _ if decided.decision == Decision::Stated => None,
                Some(by) if matches!(by.overlap.fit, Fit::Missed(_)) => {
                    Some(format!("Change the number to what is asked for: “{text}”"))
                }
                _ => Some(format!("State who does this, how and when: “{text}”")),
            }
        };
        self.pairs().filter_map(line).collect()
    }

    fn quoted(&self, statement: u32) -> String {
        shown(&self.document.text_of(statement))
    }
}

/// Why a part is met only in part.
fn why(decided: &Decided) -> &'static str {
    let Some(by) = &decided.by else { return "nothing says it" };
    match (by.overlap.fit, by.overlap.stance) {
        (Fit::Missed(_), _) => "with another number",
        (Fit::Unstated, _) => "without the number asked for",
        (_, Stance::Planned) => "as a plan",
        (_, Stance::Optional) => "as something optional",
        (_, Stance::Advised) => "as advice",
        (_, Stance::Mostly) => "with exceptions",
        _ => "not surely",
    }
}

/// A text on one line, cut if it is long.
pub(super) fn shown(text: &str) -> String {
    let text = on_one_line(text);
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
