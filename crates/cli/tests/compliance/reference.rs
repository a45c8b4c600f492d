//! Real policies against a real catalog. Run by `cargo xtask test --data DIR`.

use std::path::PathBuf;

use crate::bed::Bed;

/// The figure that must be reached: addressed controls above others, their names hidden.
const AUC_MIN: &str = "0.85";

#[test]
fn real_policies_are_told_apart_by_what_they_address() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let root = PathBuf::from(data).join("compliance");
    let policies = std::fs::read_dir(root.join("policies/cloudgov")).unwrap();
    let mut policies: Vec<String> = policies
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with("-Policy.md"))
        .collect();
    policies.sort();
    let catalog = root.join("oscal/rev5_MODERATE_resolved_catalog-min.json");
    let bed = Bed::sqlite();
    let mut arguments = vec!["evaluate", "--criteria", catalog.to_str().unwrap()];
    arguments.extend(["--mask-identifiers", "--format", "json"]);
    arguments.extend(policies.iter().map(String::as_str));
    let run = bed.assize(&arguments).fine().json();
    assert_eq!(run["state"], "done");
    assert_eq!(run["citations"], run["citations_found"]);
    bed.assize(&["accuracy", "latest", "--addressed", "--fail-under", AUC_MIN]).fine();
}
