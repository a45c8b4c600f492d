//! From decisions to a score from 0 to 100, with every step shown.

use assize_score::arithmetic::mean;
use assize_score::explained::Name;
use assize_score::{Cap, Explained, Working};

use super::consulted::SETTINGS;
use super::decide::{CLEAR_SHARE, Decided, Decision, STATED_FROM, SUPPORT, Weighed};
use super::prepared::Prepared;
use super::report::shown;
use super::statements::Reading;

/// What a requirement scores at most while a part of it is silent or undecided.
const SILENT_PART_MAX: f64 = 80.0;
/// Without a statement that says a part: below the tier from which on it is met.
const UNSTATED_MAX: f64 = 60.0;
/// Where nothing is about it, or what is denies it.
const ABSENT_MAX: f64 = 20.0;

/// The score of a criterion and what it was made of.
pub(super) fn score(
    prepared: &Prepared,
    document: &Reading<'_>,
    decided: &[Decided],
    readers: &[String],
) -> Explained {
    let mut obligations: Vec<Vec<Explained>> = Vec::new();
    for (number, (part, decided)) in (1..).zip(prepared.parts.iter().zip(decided)) {
        let worth = part_worth(number, document, decided);
        match obligations.get_mut(part.obligation) {
            Some(parts) => parts.push(worth),
            None => obligations.push(vec![worth]),
        }
    }
    let obligations: Vec<Explained> = (1..)
        .zip(obligations)
        .map(|(number, parts)| mean("obligation", parts).named(format!("obligation {number}")))
        .collect();
    let requirement: Explained = mean("requirement", obligations);
    let value = 100.0 * requirement.value;
    let readers = readers.iter().map(|name| Explained::given(Name::from(name.clone()), 1.0));
    let inputs: Vec<Explained> = std::iter::once(requirement).chain(readers).collect();
    let score = Explained::computed("parts", "100 requirement", value, inputs);
    score.capped(caps(decided)).rounded(1).named("score")
}

/// What limits a score, whatever its parts are worth.
fn caps(decided: &[Decided]) -> Vec<Cap> {
    let count = |decision: Decision| decided.iter().filter(|one| one.decision == decision).count();
    let [stated, in_part, denied, silent] =
        [Decision::Stated, Decision::InPart, Decision::Denied, Decision::Silent].map(count);
    let is_said = stated + in_part > 0;
    vec![
        Cap::when(silent > 0, SILENT_PART_MAX, "no statement is about a part"),
        Cap::when(stated == 0, UNSTATED_MAX, "no part is stated in full"),
        Cap::when(denied > 0, UNSTATED_MAX, "a part is denied"),
        Cap::when(!is_said && denied > 0, ABSENT_MAX, "denied"),
        Cap::when(!is_said && denied == 0, ABSENT_MAX, "not addressed"),
    ]
}

fn part_worth(number: usize, document: &Reading<'_>, decided: &Decided) -> Explained {
    let name = format!("part {number}");
    let Some(by) = &decided.by else {
        let why = if decided.decision == Decision::Silent { "silent" } else { "undecided" };
        return Explained::given(format!("{name}: {why}"), decided.worth);
    };
    let quote = shown(&document.text_of(by.statement));
    if decided.decision == Decision::Denied {
        let inputs = std::iter::once(support(by)).chain(readings(by));
        let denied = Explained::computed("denied", "0 where it is denied", 0.0, inputs);
        return denied.named(format!("{name}: denied by “{quote}”"));
    }
    let formula = "what the support is worth × how it is meant × how its numbers fit";
    let inputs = [
        support(by),
        Explained::given("how it is meant", by.overlap.stance.worth()),
        Explained::given("how its numbers fit", by.overlap.fit.worth()),
    ];
    Explained::computed("part", formula, decided.worth, inputs).named(format!("{name}: “{quote}”"))
}

/// How far a statement is shown to state the part, with the reader's shares where one was asked.
fn support(by: &Weighed) -> Explained {
    let formula = || {
        let [a, b, c, d] = SUPPORT;
        format!(
            "logistic({a} + {b} logit(stated) + {c} nearness + {d} logit(denied)), fitted on hand-judged \
             pairs; stated from {STATED_FROM} on, where they call at most 8 % of what is absent met"
        )
    };
    let support = if by.read.is_some() {
        Explained::computed_by("support", formula, by.support, readings(by))
    } else {
        let inputs = [Explained::given("share of the words", by.overlap.share)];
        let formula = || {
            let share = 100.0 * CLEAR_SHARE;
            format!("1 where subject, action and {share} % of the words, by weight, are there")
        };
        Explained::computed_by("support", formula, by.support, inputs)
    };
    match by.rule {
        Some(rule) => support.named(format!("support, a rule overrides the reader: {rule}")),
        None => support,
    }
}

/// What the reader said about a statement, line by line.
fn readings(by: &Weighed) -> Vec<Explained> {
    let Some(read) = &by.read else { return Vec::new() };
    let mut lines = vec![Explained::given("nearness", by.nearness)];
    for (setting, shares) in SETTINGS.iter().zip(&read.shares) {
        let three = [("stated", shares.stated), ("open", shares.open), ("denied", shares.denied)];
        lines.extend(
            three.map(|(what, share)| {
                Explained::given(format!("{what}, {setting}"), f64::from(share))
            }),
        );
    }
    lines.extend(read.notes.iter().map(|note| Explained::given(note.clone(), 1.0)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compliance::Criterion;

    fn decided(decision: Decision, worth: f64) -> Decided {
        Decided { decision, worth, by: None, near: Vec::new() }
    }

    fn scored(requirement: &str, all: &[Decided]) -> f64 {
        let prepared = Prepared::new(&Criterion::new("1", requirement, ""));
        assert_eq!(prepared.parts.len(), all.len());
        score(&prepared, &Reading::new(""), all, &[]).value
    }

    const TWO: &str = "Backups are made daily and tested every year.";

    #[test]
    fn every_part_counts_and_a_silent_one_keeps_the_rest_below_81() {
        use Decision::{Denied, InPart, Silent, Stated};
        assert_eq!(scored(TWO, &[decided(Stated, 1.0), decided(Stated, 0.9)]), 95.0);
        assert_eq!(scored(TWO, &[decided(Stated, 1.0), decided(InPart, 0.5)]), 75.0);
        assert_eq!(scored(TWO, &[decided(Stated, 1.0), decided(Silent, 0.7)]), 80.0);
        assert_eq!(scored(TWO, &[decided(Stated, 1.0), decided(Denied, 0.0)]), 50.0);
        assert_eq!(scored(TWO, &[decided(InPart, 0.7), decided(InPart, 0.7)]), 60.0);
    }

    #[test]
    fn what_is_absent_or_denied_scores_20_at_most() {
        use Decision::{Denied, Silent};
        assert_eq!(scored(TWO, &[decided(Silent, 0.3), decided(Silent, 0.3)]), 20.0);
        assert_eq!(scored(TWO, &[decided(Denied, 0.0), decided(Silent, 0.1)]), 5.0);
    }
}
