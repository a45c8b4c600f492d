//! Workings as indented lines: the ledger that terminal, log and page show.

use std::fmt;

use crate::cap::{AppliedCap, CapState};
use crate::explained::{Explained, How};
use crate::outcome::Outcome;

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'a> {
    /// How deep it stands in the tree; the score itself is at 0.
    pub depth: usize,
    /// What the number is called.
    pub name: &'a str,
    /// The number; `None` on a line that only tells what a cap did.
    pub value: Option<f64>,
    /// How it was computed, or what the cap did.
    pub note: String,
}

/// The workings of a score from the top down.
pub fn lines(explained: &Explained) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    walk(explained, 0, &mut lines);
    lines
}

fn walk<'a>(explained: &'a Explained, depth: usize, lines: &mut Vec<Line<'a>>) {
    let note = note(&explained.how);
    lines.push(Line { depth, name: &explained.name, value: Some(explained.value), note });
    match &explained.how {
        How::Given => {}
        How::Computed { inputs, .. } => {
            for input in inputs {
                walk(input, depth + 1, lines);
            }
        }
        How::Rounded { before, .. } => walk(before, depth + 1, lines),
        How::Capped { caps, before } => {
            let others = caps.iter().filter(|cap| cap.state != CapState::Binding);
            lines.extend(others.map(|cap| cap_line(cap, depth + 1)));
            walk(before, depth + 1, lines);
        }
    }
}

/// How a number was computed, in a few words; empty for one that was given.
pub fn note(how: &How) -> String {
    match how {
        How::Given => String::new(),
        How::Computed { formula, .. } => format!("= {formula}"),
        How::Rounded { places, .. } => format!("rounded half up to {places} places"),
        How::Capped { caps, before } => match binding(caps) {
            Some(cap) => format!("at most {}: {}", cap.at_most, cap.because),
            None if was_lowered(before) => "no other cap lowered it further".to_owned(),
            None => "no cap lowered it".to_owned(),
        },
    }
}

fn binding(caps: &[AppliedCap]) -> Option<&AppliedCap> {
    caps.iter().find(|cap| cap.state == CapState::Binding)
}

/// Whether a cap held the number down on its way here. What was computed from numbers is another
/// number.
fn was_lowered(explained: &Explained) -> bool {
    match &explained.how {
        How::Given | How::Computed { .. } => false,
        How::Rounded { before, .. } => was_lowered(before),
        How::Capped { caps, before } => binding(caps).is_some() || was_lowered(before),
    }
}

fn cap_line(cap: &AppliedCap, depth: usize) -> Line<'_> {
    let what = match cap.state {
        CapState::NotTriggered => "did not apply",
        CapState::Triggered | CapState::Binding => "applies, did not lower it further",
    };
    let note = format!("at most {}: {} ({what})", cap.at_most, cap.because);
    Line { depth, name: "cap", value: None, note }
}

impl fmt::Display for Explained {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in lines(self) {
            let indent = "  ".repeat(line.depth);
            let value = line.value.map(|value| format!(": {}", shown(value))).unwrap_or_default();
            let gap = if line.note.is_empty() { "" } else { "  " };
            writeln!(formatter, "{indent}{}{value}{gap}{}", line.name, line.note)?;
        }
        Ok(())
    }
}

/// Four decimals, as every scorer of the field prints them; a whole number as one, since
/// most of those are counts.
pub fn shown(value: f64) -> String {
    if value == libm::trunc(value) && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        format!("{value:.4}")
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scored(explained) => explained.fmt(formatter),
            Self::Unscored { because } => writeln!(formatter, "unscored: {because}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::arithmetic::mean;
    use crate::{Cap, Explained, Working};

    #[test]
    fn the_ledger_of_a_well_written_hallucination_reads_from_the_top_down() {
        let marks = vec![Explained::given("accuracy", 3.0), Explained::given("rest", 9.0)];
        let overall = mean("overall", marks)
            .capped(vec![Cap::when(true, 4.0, "accuracy is only 3 of 10")])
            .rounded(2);
        let expected = "\
overall: 4  rounded half up to 2 places
  overall: 4  at most 4: accuracy is only 3 of 10
    overall: 6  = sum / count
      accuracy: 3
      rest: 9
";
        assert_eq!(overall.to_string(), expected);
    }

    #[test]
    fn a_cap_further_down_is_not_denied_at_the_top() {
        let top = |lowered| {
            let caps = |holds| vec![Cap::when(holds, 4.0, "a claim is extraneous")];
            let score = Explained::given("coverage", 5.23).capped(caps(lowered)).rounded(2);
            let text = score.capped(caps(false)).to_string();
            text.lines().next().unwrap().to_owned()
        };
        assert_eq!(top(true), "coverage: 4  no other cap lowered it further");
        assert_eq!(top(false), "coverage: 5.2300  no cap lowered it");
    }
}
