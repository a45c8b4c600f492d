//! Documents against more criteria than they are about, as people judge several policies against one
//! list of controls: each document meets its own criteria and those of the next policies of its half.
//! What it says about the latter is nothing, or next to it.

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::{Criterion, ResponseStructure, RuleJudge};

use super::set::{Expected, Policy};

/// So many other policies lend their criteria.
const OTHERS: usize = 2;
/// From here on a criterion counts as met.
const MET: f64 = 61.0;

/// Prints the error on a document's own criteria, and what it gets for those of others.
pub(crate) fn report(policies: &[&Policy]) {
    if policies.len() <= OTHERS {
        return println!("  beside other criteria: too few policies");
    }
    let (mut errors, mut foreign) = (Vec::new(), Vec::new());
    for (number, policy) in policies.iter().enumerate() {
        let others = (1..=OTHERS).map(|step| policies[(number + step) % policies.len()]);
        let lent: Vec<Criterion> = others
            .enumerate()
            .flat_map(|(place, other)| {
                let named = move |case: &super::set::Case| {
                    Criterion::new(format!("{place}{}", case.id), case.requirement.clone(), "")
                };
                other.criterion.iter().map(named).collect::<Vec<_>>()
            })
            .collect();
        let own = policy.criterion.iter().map(super::set::Case::criterion);
        let criteria: Vec<Criterion> = own.chain(lent).collect();
        let judge = RuleJudge::new(&criteria);
        let document = judge.read(&policy.document);
        let structure = ResponseStructure::default();
        for index in 0..criteria.len() {
            let found = judge.judge(index, &document, None, &structure);
            let is_scored = matches!(found.assessment.stated, Stated::Score { .. });
            let score = if is_scored { found.coverage.value } else { 0.0 };
            match policy.criterion.get(index).map(super::set::Case::expected) {
                Some(Expected::Score(expected)) => errors.push((score - expected).abs()),
                Some(Expected::NotApplicable) => {}
                None => foreign.push(score),
            }
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let met = foreign.iter().filter(|score| **score >= MET).count();
    println!(
        "  beside the criteria of {OTHERS} other policies: MAE {:.1} on its own; {} of others: \
         mean score {:.1}, {:.1} % called met",
        mean(&errors),
        foreign.len(),
        mean(&foreign),
        100.0 * met as f64 / foreign.len().max(1) as f64
    );
}
