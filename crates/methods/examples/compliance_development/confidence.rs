//! How often the tier is right among results of about the same confidence.

use std::collections::BTreeMap;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::read::Stated;

use super::Pair;
use super::set::Expected;

/// Prints the share of right tiers for each confidence, and the area for right against wrong.
pub(crate) fn print(pairs: &[Pair]) {
    let tier = |score: f64| Rubric::default().status(score).tier;
    let mut known: BTreeMap<u8, Vec<bool>> = BTreeMap::new();
    let (mut sure, mut right) = (Vec::new(), Vec::new());
    for pair in pairs {
        let (Expected::Score(expected), Stated::Score { given }) = (pair.expected, pair.stated)
        else {
            continue;
        };
        let Some(confidence) = pair.confidence else { continue };
        let is_right = tier(expected) == tier(given);
        known.entry(confidence).or_default().push(is_right);
        sure.push(f64::from(confidence));
        right.push(is_right);
    }
    println!("\nconfidence  results  right tiers");
    for (confidence, all) in known {
        let share = 100.0 * all.iter().filter(|right| **right).count() as f64 / all.len() as f64;
        println!("{confidence:>10} {:>8} {share:>10.1} %", all.len());
    }
    if let Ok(area) = assize_stats::classification::roc_auc(&sure, &right) {
        println!("area for right against wrong: {area:.3}");
    }
}
