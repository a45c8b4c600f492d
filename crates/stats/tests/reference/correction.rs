//! `statsmodels.stats.multitest.multipletests`.

use assize_stats::correction::{Correction, adjust};

use crate::data::{DIRECT, all_near, check_all, found, numbers, same};

const NAMES: [(&str, Correction); 5] = [
    ("bonferroni", Correction::Bonferroni),
    ("holm", Correction::Holm),
    ("holm-sidak", Correction::HolmSidak),
    ("fdr_bh", Correction::BenjaminiHochberg),
    ("fdr_by", Correction::BenjaminiYekutieli),
];

#[test]
fn corrections_agree_with_statsmodels() {
    check_all("multiple_comparisons.json", |case| {
        let p = numbers(&case["p"]);
        for (name, correction) in NAMES {
            let adjusted = found(name, adjust(correction, &p))?;
            all_near(name, &adjusted, &case[name]["adjusted"], DIRECT)?;
            let rejected: Vec<bool> = adjusted.iter().map(|p| *p <= 0.05).collect();
            let expected = case[name]["reject05"].as_array().expect("a list");
            let expected: Vec<bool> =
                expected.iter().map(|value| value.as_bool().expect("a truth value")).collect();
            same(&format!("rejected by {name}"), &rejected, &expected)?;
        }
        Ok(())
    });
}
