//! `scipy.stats.pearsonr`, `spearmanr`, `kendalltau` and `pingouin.partial_corr`.

use assize_stats::correlation::{
    kendall::kendall_normal, kendall_test, partial_pearson, partial_spearman, pearson_interval,
    pearson_test, spearman_test,
};

use crate::data::{DIRECT, check_all, found, near, near_p, numbers};

#[test]
fn correlations_agree_with_scipy() {
    check_all("correlation.json", |case| {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let tau = found("tau", kendall_test(&x, &y))?;
        near("tau", tau.value, &case["tau_b"], DIRECT)?;
        near_p("p of tau", tau.p, &case["tau_b_p_auto"])?;
        if let Some(expected) = case.get("tau_b_p_asymptotic") {
            let tau = found("tau", kendall_normal(&x, &y))?;
            near_p("normal p of tau", tau.p, expected)?;
        }
        let rho = found("rho", spearman_test(&x, &y))?;
        near("rho", rho.value, &case["spearman"], DIRECT)?;
        near_p("p of rho", rho.p, &case["spearman_p"])?;
        let r = found("r", pearson_test(&x, &y))?;
        near("r", r.value, &case["pearson"], DIRECT)?;
        near_p("p of r", r.p, &case["pearson_p"])?;
        if let Some(expected) = case.get("pearson_ci95") {
            let interval = found("interval", pearson_interval(r.value, x.len(), 0.95))?;
            near("low", interval.low, &expected[0], DIRECT)?;
            near("high", interval.high, &expected[1], DIRECT)?;
        }
        Ok(())
    });
}

#[test]
fn partial_correlations_agree_with_pingouin() {
    check_all("partial_correlation.json", |case| {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let other = numbers(&case["covar"]);
        let r = found("r", partial_pearson(&x, &y, &[&other]))?;
        near("r", r.value, &case["pearson_r"], DIRECT)?;
        near_p("p of r", r.p, &case["pearson_p"])?;
        let rho = found("rho", partial_spearman(&x, &y, &[&other]))?;
        near("rho", rho.value, &case["spearman_r"], DIRECT)?;
        near_p("p of rho", rho.p, &case["spearman_p"])
    });
}
