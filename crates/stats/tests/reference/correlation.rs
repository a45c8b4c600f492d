//! `scipy.stats.pearsonr`, `spearmanr`, `kendalltau` and `pingouin.partial_corr`.

use assize_stats::correlation::{kendall, partial_pearson, pearson_interval, spearman};

use crate::data::{DIRECT, check_all, found, near, near_p, numbers};

#[test]
fn correlations_agree_with_scipy() {
    check_all("correlation.json", |case| {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        near("tau", found("tau", kendall(&x, &y))?, &case["tau_b"], DIRECT)?;
        near("rho", found("rho", spearman(&x, &y))?, &case["spearman"], DIRECT)?;
        // With nothing held still, it is the plain correlation.
        let r = found("r", partial_pearson(&x, &y, &[]))?;
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
        near_p("p of r", r.p, &case["pearson_p"])
    });
}
