//! What the rule judge found, in words: sections, citations and how sure it is.

use serde_json::{Map, Value, json};

use super::evidence::Support;
use super::obligations::Obligation;
use super::statements::Reading;
use crate::compliance::citations::Citation;
use crate::compliance::read::Stated;
use crate::compliance::sections::{ResponseStructure, SectionType};
use crate::compliance::tiers::on_one_line;

/// A statement is quoted if it covers so much of an obligation.
const QUOTED_MIN: f64 = 0.25;

/// The most quotes of one result.
const CITATIONS_MAX: usize = 6;

/// An obligation is covered from here on, and partly from there on.
const COVERED: f64 = 0.55;
const PARTLY: f64 = 0.3;

/// A baseline is never surer than this.
const CONFIDENCE_MAX: f64 = 80.0;
const CONFIDENCE_MIN: f64 = 20.0;

/// Words of an obligation shown in a sentence.
const SHOWN_CHARACTERS: usize = 160;

/// An obligation and what was found for it.
pub(super) struct Held<'a> {
    /// What must be so.
    pub obligation: &'a Obligation,
    /// What was found.
    pub support: Support,
}

/// The best statement of each obligation, best first, each once, in the words of the document.
pub(super) fn citations(document: &Reading<'_>, held: &[Held<'_>]) -> Vec<Citation> {
    let mut best: Vec<(f64, u32)> = Vec::new();
    for Support { statement, best: found, contrary, worst, .. } in
        held.iter().map(|held| &held.support)
    {
        for (share, index) in [(statement, found), (contrary, worst)] {
            if let Some(index) = index.filter(|_| *share >= QUOTED_MIN) {
                best.push((*share, index));
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

/// How sure the judge is: the surer the more alike its obligations came out, the further from
/// the middle, and the more there is to go by.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0 to 100, fractions dropped"
)]
pub(super) fn confidence(stated: Stated, held: &[Held<'_>], covered: &[f64]) -> Option<u8> {
    if stated == Stated::NeedsInformation || covered.is_empty() {
        return None;
    }
    let mean = covered.iter().sum::<f64>() / covered.len() as f64;
    let clear = 2.0 * (mean - 0.5).abs();
    let conflicts = held.iter().filter(|held| held.support.contrary >= COVERED).count();
    let conflicted = conflicts as f64 / held.len() as f64;
    let sure = CONFIDENCE_MIN + (CONFIDENCE_MAX - CONFIDENCE_MIN) * clear - 20.0 * conflicted;
    Some(sure.clamp(0.0, CONFIDENCE_MAX) as u8)
}

/// Every section of the structure, filled by what its name asks for.
pub(super) fn sections(
    structure: &ResponseStructure,
    document: &Reading<'_>,
    held: &[Held<'_>],
    covered: &[f64],
    stated: Stated,
) -> Map<String, Value> {
    let words = Words { document, held, covered, stated };
    let section = |section: &crate::compliance::sections::Section| {
        let name = section.id.to_ascii_lowercase();
        let asks = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let lines = if asks(&["recommend", "improve", "action", "remed"]) {
            words.recommendations()
        } else if asks(&["finding", "gap", "missing", "weak", "non_compl", "noncompl", "defic"]) {
            words.gaps()
        } else if asks(&["evidence", "quote", "strength"]) {
            words.evidence()
        } else {
            words.explanation()
        };
        let value = match section.kind {
            SectionType::Text => json!(lines.join("\n")),
            SectionType::List => json!(lines),
            SectionType::Number => json!(words.count(COVERED)),
        };
        (section.id.clone(), value)
    };
    structure.sections().iter().map(section).collect()
}

/// What there is to tell.
struct Words<'a> {
    document: &'a Reading<'a>,
    held: &'a [Held<'a>],
    covered: &'a [f64],
    stated: Stated,
}

impl Words<'_> {
    fn count(&self, from: f64) -> usize {
        self.covered.iter().filter(|covered| **covered >= from).count()
    }

    fn explanation(&self) -> Vec<String> {
        let all = self.covered.len();
        let first = match self.stated {
            Stated::NotApplicable => "The document says that this does not apply.".to_owned(),
            Stated::NeedsInformation => {
                return vec!["There is no text to hold against the requirement.".to_owned()];
            }
            Stated::Score { .. } => {
                let full = self.count(COVERED);
                let partly = self.count(PARTLY) - full;
                let missing = all - full - partly;
                format!(
                    "Of {all} obligations, {full} are covered by statements of the document, \
                     {partly} in part and {missing} not. Words were compared, not meaning."
                )
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
            let bytes = self.document.statements[best as usize].bytes.clone();
            let quote = shown(&self.document.text[bytes]);
            Some(format!("Found for “{}”: “{quote}”", shown(&held.obligation.text)))
        };
        self.held.iter().zip(self.covered).filter_map(line).collect()
    }

    fn gaps(&self) -> Vec<String> {
        let line = |held: &Held<'_>| format!("Not covered: “{}”", shown(&held.obligation.text));
        self.uncovered().map(line).collect()
    }

    fn recommendations(&self) -> Vec<String> {
        let line = |held: &Held<'_>| {
            format!("State who does this, how and when: “{}”", shown(&held.obligation.text))
        };
        self.uncovered().map(line).collect()
    }

    fn uncovered(&self) -> impl Iterator<Item = &Held<'_>> {
        let pairs = self.held.iter().zip(self.covered);
        pairs.filter(|(_, covered)| **covered < COVERED).map(|(held, _)| held)
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
