//! How sure the judge is: the share of right tiers among results like this one.

use super::decide::{Decided, Decision, STATED_FROM};
use crate::compliance::read::Stated;

/// The share of right tiers, in percent, on the hand-judged pairs that are tuned on; `cargo run
/// --release -p assize-methods --example compliance_development confidence` prints what came of it.
/// Where a part is stated, by how far that is shown; where it is only stated in part the tier is
/// seldom right, because most of these are either stated or absent.
const STATED: [(f64, u8); 2] = [(0.9, 69), (1.0, 85)];
const IN_PART: u8 = 10;
const SILENT: u8 = 77;
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
    match (decided.decision, &decided.by) {
        (Decision::Denied, _) => DENIED,
        (Decision::Silent, _) => SILENT,
        (Decision::Stated, Some(by)) if by.support >= STATED_FROM => {
            let step = STATED.iter().find(|(most, _)| by.support <= *most);
            step.map_or(IN_PART, |(_, sure)| *sure)
        }
        _ => IN_PART,
    }
}
