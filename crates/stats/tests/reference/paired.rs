//! `scipy.stats.ttest_rel`, `wilcoxon` and `permutation_test`.

use assize_stats::paired::{
    cohen_dz, paired_t_test, randomisation_test, wilcoxon,
    wilcoxon::{Zeros, approximate},
};
use serde_json::Value;

use crate::data::{Checked, DIRECT, check_all, found, near, near_p, numbers, same};

#[test]
fn paired_tests_agree_with_scipy() {
    check_all("paired_tests.json", |case| {
        let (first, second) = (numbers(&case["a"]), numbers(&case["b"]));
        check_t(&first, &second, &case["ttest"])?;
        check_wilcoxon(&first, &second, &case["wilcoxon"])?;
        let random = found("randomisation", randomisation_test(&first, &second, 1000, 1))?;
        same("exact", &random.exact, &true)?;
        near_p("p of randomisation", random.p, &case["fisher_randomisation_exact_p"])
    });
}

fn check_t(first: &[f64], second: &[f64], expected: &Value) -> Checked {
    let test = found("t test", paired_t_test(first, second, 0.95))?;
    near("t", test.t, &expected["t"], DIRECT)?;
    same("degrees", &(test.degrees as u64), &expected["df"].as_u64().expect("a count"))?;
    near_p("p of t", test.p, &expected["p"])?;
    near("low", test.interval.low, &expected["ci95"][0], DIRECT)?;
    near("high", test.interval.high, &expected["ci95"][1], DIRECT)?;
    near("effect", found("effect", cohen_dz(first, second))?, &expected["cohen_dz"], DIRECT)
}

fn check_wilcoxon(first: &[f64], second: &[f64], expected: &Value) -> Checked {
    let forms = [
        ("wilcox_asym_nocc", Zeros::Drop, false),
        ("wilcox_asym_cc", Zeros::Drop, true),
        ("pratt_asym_nocc", Zeros::Rank, false),
        ("pratt_asym_cc", Zeros::Rank, true),
    ];
    for (name, zeros, continuous) in forms {
        let test = found(name, approximate(first, second, zeros, continuous))?;
        near(name, test.statistic, &expected[name]["stat"], DIRECT)?;
        near_p(name, test.p, &expected[name]["p"])?;
    }
    let auto = found("wilcoxon", wilcoxon(first, second))?;
    same("exact", &auto.exact, &expected.get("exact").is_some())?;
    if let Some(expected) = expected.get("exact") {
        near("statistic", auto.statistic, &expected["stat"], DIRECT)?;
        near_p("exact p", auto.p, &expected["p"])?;
    }
    Ok(())
}
