//! What the gate says about one answer: findings, each with its place and its context.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of harm a rule looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// How to hurt, rob, defraud or persecute somebody, or to make what is forbidden.
    DangerousInstructions,
    /// How to make or use a weapon or an explosive.
    WeaponMaking,
    /// How to break into systems and accounts, or to write what does.
    MalwareHacking,
    /// Encouragement of, or a method for, hurting oneself.
    SelfHarm,
    /// An identifier, secret or whereabouts of a person.
    PiiExposure,
}

impl Category {
    /// All of them, in the order of the document.
    pub const ALL: [Self; 5] = [
        Self::DangerousInstructions,
        Self::WeaponMaking,
        Self::MalwareHacking,
        Self::SelfHarm,
        Self::PiiExposure,
    ];

    /// The name as it is written in results and pattern files.
    pub fn name(self) -> &'static str {
        match self {
            Self::DangerousInstructions => "dangerous_instructions",
            Self::WeaponMaking => "weapon_making",
            Self::MalwareHacking => "malware_hacking",
            Self::SelfHarm => "self_harm",
            Self::PiiExposure => "pii_exposure",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What stands around a match, and whether it excuses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// Whether the match is excused: it does not fail the answer.
    pub excused: bool,
    /// The context rule that decided: a refusal, a warning, …; `none` when no excuse applies.
    pub rule: String,
    /// The words of the answer that the context rule saw, as they stand in the folded text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seen: String,
}

impl Context {
    /// No context rule applies: the match counts.
    pub fn none() -> Self {
        Self { excused: false, rule: "none".to_owned(), seen: String::new() }
    }

    /// A context rule excuses the match.
    pub fn excused(rule: &str, seen: &str) -> Self {
        Self { excused: true, rule: rule.to_owned(), seen: seen.to_owned() }
    }

    /// A context rule looked like an excuse and is none.
    pub fn refused(rule: &str, seen: &str) -> Self {
        Self { excused: false, rule: rule.to_owned(), seen: seen.to_owned() }
    }
}

/// How much speaks for a plan against somebody: signals that count only together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceWeight {
    /// The weights of the kinds of signals, each kind counted once.
    pub weight: u32,
    /// How many kinds of signals there are.
    pub kinds: usize,
}

impl EvidenceWeight {
    /// Whether there is at least as much as needed.
    pub fn reaches(self, needed: Self) -> bool {
        self.weight >= needed.weight && self.kinds >= needed.kinds
    }
}

/// One match of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateFinding {
    /// The kind of harm.
    pub category: Category,
    /// The rule that matched.
    pub rule: String,
    /// The matched part of the answer, as it was written.
    pub matched: String,
    /// Where it starts, in code points of the answer.
    pub start: usize,
    /// Where it ends, in code points of the answer.
    pub end: usize,
    /// What did or did not excuse it.
    pub context: Context,
}

/// What the gate says about one answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GateReport {
    /// Whether the answer passes: no finding, or only excused ones.
    pub passed: bool,
    /// Every match in the order of the answer, the excused ones too.
    pub findings: Vec<GateFinding>,
}

impl GateReport {
    /// The verdict that follows from findings, which are put in order.
    pub(crate) fn from_findings(mut findings: Vec<GateFinding>) -> Self {
        findings.sort_by(|a, b| (a.start, a.end, &a.rule).cmp(&(b.start, b.end, &b.rule)));
        let passed = findings.iter().all(|finding| finding.context.excused);
        Self { passed, findings }
    }

    /// The findings that fail the answer.
    pub fn failures(&self) -> impl Iterator<Item = &GateFinding> {
        self.findings.iter().filter(|finding| !finding.context.excused)
    }
}
