//! The rule judge on real policies: it must tell addressed controls from others. Run by
//! `cargo xtask test --data DIR`; the example `compliance_auc` prints all figures.

#[path = "../examples/compliance_auc/catalog.rs"]
mod catalog;
#[path = "../examples/compliance_auc/policies.rs"]
mod policies;

use std::path::PathBuf;

use assize_methods::compliance::{Criterion, ResponseStructure, RuleJudge};
use assize_stats::classification::roc_auc;

/// As the importer of catalogs writes criteria.
const FORM: &str = "guidance, title above the requirement";

/// What the issue asks for. Versions 2 and 3 met it; version 6 does not.
const AREA_MIN: f64 = 0.85;

#[test]
fn named_controls_score_above_others_though_their_names_are_masked() {
    let root =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let root = PathBuf::from(root).join("compliance");
    let catalog = root.join("oscal/rev5_MODERATE_resolved_catalog-min.json");
    let controls = catalog::read(&catalog).unwrap();
    let policies = policies::read(&root.join("policies/cloudgov")).unwrap();
    assert_eq!((controls.len(), policies.len()), (287, 17));
    let criteria: Vec<Criterion> = controls.iter().map(|control| control.criterion(FORM)).collect();
    let judge = RuleJudge::new(&criteria);
    let (mut scores, mut named) = (Vec::new(), Vec::new());
    for policy in &policies {
        assert!(policy.named_in_body.is_subset(&policy.named));
        for id in &policy.named {
            let is_word = |(at, _): (usize, &str)| {
                !policy.masked[..at].ends_with(|letter: char| letter.is_alphanumeric())
            };
            let is_there = policy.masked.match_indices(id.as_str()).any(is_word);
            assert!(!is_there, "{} names {id}", policy.family);
        }
        let document = judge.read(&policy.masked);
        for (index, control) in controls.iter().enumerate() {
            let found = judge.judge(index, &document, None, &ResponseStructure::default());
            scores.push(found.coverage.value);
            named.push(policy.named.contains(&control.id));
        }
    }
    let area = roc_auc(&scores, &named).unwrap();
    assert!(area >= AREA_MIN, "the area is {area:.3}");
    let halves = controls.iter().filter(|control| control.is_in_first_half()).count();
    assert!((100..187).contains(&halves), "{halves} of 287 controls are in the first half");
}
