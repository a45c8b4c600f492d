//! How sure the judge is: the share of right tiers among results like this one.

use super::decide::{Decided, Decision, SILENT_MOST};
use crate::compliance::read::Stated;

/// The share of right tiers, in percent, on the hand-judged pairs that are tuned on, by how far it is
/// shown that a part is stated; `cargo run --release -p assize-methods --example compliance_development
/// confidence` prints what came of it.
const STATED: [(f64, u8); 3] = [(0.9, 78), (0.96, 87), (1.0, 97)];
const SILENT: [(f64, u8); 3] = [(0.2, 80), (0.3, 68), (1.0, 62)];
const IN_PART: u8 = 43;
const DENIED: u8 = 77;

/// How sure the judge is, from 0 to 100; nothing where it gives no score. The part that it is
/// least sure of counts.
pub(super) fn confidence(stated: Stated, decided: &[Decided]) -> Option<u8> {
    if stated == Stated::NeedsInformation {
        return None;
    }
    decided.iter().map(of_part).min()
}

fn of_part(decided: &Decided) -> u8 {
    let step = |steps: &[(f64, u8)], support: f64| {
        steps.iter().find(|(most, _)| support <= *most).map_or(IN_PART, |(_, sure)| *sure)
    };
    match (decided.decision, &decided.by) {
        (Decision::Denied, _) => DENIED,
        (Decision::Silent, _) => step(&SILENT, decided.worth / SILENT_MOST),
        (Decision::Stated, Some(by)) => step(&STATED, by.support),
        _ => IN_PART,
    }
}
