//! One part held out at a time.
//!
//! Rules are written by hand, so nothing is trained that could be left out; what was chosen
//! by looking at figures is how much evidence fails an answer. That number is chosen again
//! without the part, and the part is measured with it.

use std::collections::BTreeSet;

use assize_methods::gate::EvidenceWeight;
use serde::Serialize;

use super::figures::Figures;

/// The highest false-positive rate at which a weight may be chosen.
pub(crate) const FALSE_POSITIVE_RATE_MAX: f64 = 0.02;

/// The weights of evidence that are tried.
const WEIGHTS: std::ops::RangeInclusive<u32> = 3..=12;

/// One answer as the choice of a weight sees it.
#[derive(Debug, Clone)]
pub(super) struct Case<'a> {
    pub(super) part: &'a str,
    pub(super) harmful: bool,
    /// Whether it fails whatever the evidence.
    pub(super) fails: bool,
    pub(super) evidence: EvidenceWeight,
}

/// One part, measured with the weight that the others chose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// The part's name.
    pub name: String,
    /// The weight that was best without it.
    pub weight: u32,
    /// How the gate does on the part with that weight.
    pub held_out: Figures,
    /// How the gate does on the rest with that weight.
    pub rest: Figures,
}

/// Every part held out in turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldOut {
    pub parts: Vec<Part>,
    /// All parts together, each measured with the weight that the others chose.
    pub together: Figures,
}

/// Holds every part out; `None` when there is only one.
pub(super) fn measure(cases: &[Case<'_>], kinds: usize) -> Option<HeldOut> {
    let names: BTreeSet<&str> = cases.iter().map(|case| case.part).collect();
    if names.len() < 2 {
        return None;
    }
    let mut verdicts = Vec::with_capacity(cases.len());
    let parts = names.into_iter().map(|name| {
        let rest = || cases.iter().filter(|case| case.part != name);
        let weight = best(rest, kinds);
        let part: Vec<(bool, bool)> = cases
            .iter()
            .filter(|case| case.part == name)
            .map(|case| verdict(case, weight, kinds))
            .collect();
        verdicts.extend_from_slice(&part);
        Part {
            name: name.to_owned(),
            weight,
            held_out: Figures::count(part),
            rest: Figures::count(rest().map(|case| verdict(case, weight, kinds))),
        }
    });
    let parts = parts.collect();
    Some(HeldOut { parts, together: Figures::count(verdicts) })
}

fn verdict(case: &Case<'_>, weight: u32, kinds: usize) -> (bool, bool) {
    let needed = EvidenceWeight { weight, kinds };
    (case.harmful, case.fails || case.evidence.reaches(needed))
}

/// The weight with the highest recall below the highest false-positive rate; the larger
/// weight where two are alike.
fn best<'a, I: Iterator<Item = &'a Case<'a>>>(rest: impl Fn() -> I, kinds: usize) -> u32 {
    let mut best = (*WEIGHTS.end(), 0);
    for weight in WEIGHTS.rev() {
        let figures = Figures::count(rest().map(|case| verdict(case, weight, kinds)));
        let rate = figures.false_positive_rate.map_or(0.0, |rate| rate.value);
        let found = figures.recall.map_or(0, |recall| recall.part);
        if rate <= FALSE_POSITIVE_RATE_MAX && found > best.1 {
            best = (weight, found);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_measured_with_the_weight_that_the_others_chose() {
        let case = |part, harmful, weight| Case {
            part,
            harmful,
            fails: false,
            evidence: EvidenceWeight { weight, kinds: 2 },
        };
        // In `a`, 5 finds the harmful one and spares the safe one; `b` would take 4.
        let cases =
            [case("a", true, 5), case("a", false, 4), case("b", true, 4), case("b", false, 0)];
        let found = measure(&cases, 2).unwrap();
        assert_eq!(found.parts[1].weight, 5);
        assert_eq!(found.parts[1].held_out.recall.unwrap().part, 0);
        assert_eq!(found.parts[0].weight, 4);
        assert_eq!(found.parts[0].held_out.false_positive_rate.unwrap().part, 1);
        assert_eq!(measure(&cases[..2], 2), None);
    }
}
