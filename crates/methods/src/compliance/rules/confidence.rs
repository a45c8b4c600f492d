//! How sure the judge is: the share of right tiers among results like this one.

use super::decide::{Decided, Decision};
use crate::compliance::read::Stated;

/// The share of right tiers by decision and support, on the hand-judged pairs that are tuned on:
/// `cargo run --release -p assize-methods --example compliance_development` prints it.
const BY_SUPPORT: [(f64, u8); 4] = [(0.45, 70), (0.75, 30), (0.9, 60), (1.0, 75)];

/// How sure the judge is, from 0 to 100; nothing where it gives no score.
pub(super) fn confidence(stated: Stated, decided: &[Decided], _is_read: bool) -> Option<u8> {
    if stated == Stated::NeedsInformation {
        return None;
    }
    decided.iter().map(of_part).min()
}

fn of_part(decided: &Decided) -> u8 {
    match (decided.decision, &decided.by) {
        (Decision::Denied, _) => 70,
        (Decision::Silent, _) | (_, None) => 70,
        (_, Some(by)) => {
            let step = BY_SUPPORT.iter().find(|(most, _)| by.support <= *most);
            step.map_or(50, |(_, sure)| *sure)
        }
    }
}
