//! `scikit-learn`, `statsmodels`, `krippendorff`, `pingouin` and `scipy` on agreement.

use assize_stats::agreement::{
    Form, Level, Weights, cohen_kappa, intraclass, kendall_w, krippendorff_alpha,
};
use serde_json::Value;

use crate::data::{
    Checked, DIRECT, check_all, counts, found, marks, near, near_p, number, same, table,
};

#[test]
fn kappa_agrees_with_scikit_learn() {
    check_all("kappa.json", |case| {
        let (first, second) = (counts(&case["a"]), counts(&case["b"]));
        for (name, weights) in [
            ("cohen", Weights::None),
            ("linear", Weights::Linear),
            ("quadratic", Weights::Quadratic),
        ] {
            let kappa = found(name, cohen_kappa(&first, &second, weights))?;
            near(name, kappa, &case[name], DIRECT)?;
        }
        Ok(())
    });
}

#[test]
fn alpha_agrees_with_krippendorff() {
    check_all("krippendorff.json", |case| {
        let ratings = marks(&case["data"]);
        for (name, level) in [
            ("nominal", Level::Nominal),
            ("ordinal", Level::Ordinal),
            ("interval", Level::Interval),
            ("ratio", Level::Ratio),
        ] {
            if let Some(expected) = case["alpha"].get(name) {
                let alpha = found(name, krippendorff_alpha(&ratings, level))?;
                near(name, alpha, expected, DIRECT)?;
            }
        }
        Ok(())
    });
}

#[test]
fn concordance_agrees_with_scipy() {
    check_all("kendall_w.json", |case| {
        let w = found("w", kendall_w(&table(&case["scores"])))?;
        near("w", w.w, &case["W"], DIRECT)?;
        near("chi squared", w.chi_squared, &case["chi2"], DIRECT)?;
        same("degrees", &(w.degrees as u64), &case["df"].as_u64().expect("a count"))?;
        near_p("p", w.p, &case["p"])
    });
}

#[test]
fn intraclass_correlations_agree_with_pingouin() {
    check_all("icc.json", |case| {
        let ratings = table(&case["data"]);
        for (name, form) in [
            ("ICC(1,1)", Form::OneWaySingle),
            ("ICC(A,1)", Form::AgreementSingle),
            ("ICC(C,1)", Form::ConsistencySingle),
            ("ICC(1,k)", Form::OneWayMean),
            ("ICC(A,k)", Form::AgreementMean),
            ("ICC(C,k)", Form::ConsistencyMean),
        ] {
            check_form(name, &ratings, form, &case["icc"][name])?;
        }
        Ok(())
    });
}

fn check_form(name: &str, ratings: &[Vec<f64>], form: Form, expected: &Value) -> Checked {
    let icc = found(name, intraclass(ratings, form, 0.95))?;
    near(name, icc.value, &expected["icc"], DIRECT)?;
    near(&format!("F of {name}"), icc.f.unwrap_or(f64::NAN), &expected["F"], DIRECT)?;
    let degrees = (number(&expected["df1"]), number(&expected["df2"]));
    same("degrees", &(icc.degrees.0 as f64, icc.degrees.1 as f64), &degrees)?;
    near_p(&format!("p of {name}"), icc.p, &expected["p"])?;
    // The reference states intervals to two places.
    near(&format!("low of {name}"), icc.interval.low, &expected["ci95"][0], 0.005 + DIRECT)?;
    near(&format!("high of {name}"), icc.interval.high, &expected["ci95"][1], 0.005 + DIRECT)
}
