//! Whatever the input, an answer is a finite number or a reason; nothing panics.

use assize_stats::{
    StatsError, additive::additive, aggregation, agreement, classification, correlation, interval,
    paired, standardize, summary,
};
use proptest::prelude::*;

/// Values that break arithmetic: ends of the range, zeros of both signs, what is not a number.
fn hostile() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (-3_i8..4).prop_map(f64::from),
        2 => -1e3..1e3_f64,
        1 => Just(f64::MAX),
        1 => Just(-f64::MAX),
        1 => Just(1e200),
        1 => Just(f64::MIN_POSITIVE),
        1 => Just(5e-324),
        1 => Just(-0.0),
        1 => prop_oneof![40 => Just(0.5), 1 => Just(f64::NAN), 1 => Just(f64::INFINITY)],
        1 => Just(1.0 + f64::EPSILON),
    ]
}

fn lists(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    prop::collection::vec((hostile(), hostile()), 0..most)
        .prop_map(|pairs| pairs.into_iter().unzip())
}

fn table() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (0..5_usize).prop_flat_map(|columns| {
        prop::collection::vec(prop::collection::vec(hostile(), columns), 0..5)
    })
}

/// Fails unless every figure of an answer is a number in its range.
fn finite<const N: usize>(answer: &Result<[f64; N], StatsError>) -> Result<(), TestCaseError> {
    if let Ok(figures) = answer {
        prop_assert!(figures.iter().all(|figure| figure.is_finite()), "{:?}", figures);
    }
    Ok(())
}

/// The same for a p value, which comes first and lies in 0 to 1.
fn finite_p<const N: usize>(answer: &Result<[f64; N], StatsError>) -> Result<(), TestCaseError> {
    if let Ok(figures) = answer {
        prop_assert!((0.0..=1.0).contains(&figures[0]), "p in {:?}", figures);
    }
    finite(answer)
}

proptest! {
    #[test]
    fn summaries_and_intervals_hold((values, _) in lists(12), seed in any::<u64>()) {
        finite(&summary::summarize(&values).map(|found| {
            [found.mean, found.median, found.deviation.unwrap_or(0.0), found.upper_quartile]
        }))?;
        let ends = |interval: interval::Interval| [interval.low, interval.high];
        finite(&interval::t_interval(&values, 0.95).map(ends))?;
        finite(&interval::bootstrap_mean(&values, 20, 0.95, seed).map(ends))?;
        finite(&summary::median(&values).map(|median| [median]))?;
        finite(&summary::trimmed_mean(&values, 0.2).map(|mean| [mean]))?;
    }

    #[test]
    fn paired_tests_hold((first, second) in lists(45), seed in any::<u64>()) {
        finite_p(&paired::paired_t_test(&first, &second, 0.9)
            .map(|test| [test.p, test.t, test.difference, test.interval.low, test.interval.high]))?;
        finite_p(&paired::randomisation_test(&first, &second, 50, seed)
            .map(|test| [test.p, test.difference]))?;
        finite_p(&paired::wilcoxon(&first, &second).map(|test| [test.p, test.statistic]))?;
        finite_p(&paired::paired_bootstrap(&first, &second, 20, 0.9, seed)
            .map(|test| [test.p, test.interval.low, test.interval.high]))?;
        finite(&paired::cohen_dz(&first, &second).map(|effect| [effect]))?;
    }

    #[test]
    fn correlations_hold((first, second) in lists(12), (other, _) in lists(12)) {
        let figures = |found: correlation::Correlation| [found.p, found.value];
        finite_p(&correlation::partial_pearson(&first, &second, &[&other]).map(figures))?;
    }

    #[test]
    fn agreement_holds(ratings in table()) {
        use agreement::{Form, Level};
        let gaps: Vec<Vec<Option<f64>>> = ratings
            .iter()
            .map(|row| row.iter().map(|value| (*value != 1.0).then_some(*value)).collect())
            .collect();
        for level in [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio] {
            finite(&agreement::krippendorff_alpha(&gaps, level).map(|alpha| [alpha]))?;
        }
        finite_p(&agreement::kendall_w(&ratings).map(|found| [found.p, found.w, found.chi_squared]))?;
        for form in [
            Form::OneWaySingle,
            Form::AgreementSingle,
            Form::ConsistencySingle,
            Form::OneWayMean,
            Form::AgreementMean,
            Form::ConsistencyMean,
        ] {
            finite_p(&agreement::intraclass(&ratings, form, 0.95).map(|found| {
                [found.p, found.value, found.interval.low, found.interval.high, found.f.unwrap_or(0.0)]
            }))?;
        }
    }

    #[test]
    fn aggregation_holds(marks in table()) {
        let gaps: Vec<Vec<Option<f64>>> = marks
            .iter()
            .map(|row| row.iter().map(|value| (*value != 1.0).then_some(*value)).collect())
            .collect();
        for found in standardize::candidate_means(&gaps).unwrap_or_default().iter().flatten() {
            prop_assert!(found.mean.is_finite() && found.standard_error.is_finite());
        }
        for row in standardize::z_scores(&gaps).unwrap_or_default() {
            prop_assert!(row.iter().flatten().all(|z| z.is_finite()));
        }
        if let Ok(found) = additive(&gaps) {
            prop_assert!(found.candidates.iter().chain(&found.leniency).all(|x| x.is_finite()));
        }
        if let Ok(votes) = aggregation::Preferences::from_marks(&gaps) {
            prop_assert_eq!(aggregation::borda(&votes).points.len(), votes.candidates());
            for alpha in [0.0, 0.01] {
                let fitted = aggregation::bradley_terry(&votes.wins(), alpha);
                prop_assert!(fitted.unwrap_or_default().iter().all(|x| x.is_finite()));
            }
        }
        for alpha in [0.0, 0.01] {
            let fitted = aggregation::bradley_terry(&marks, alpha);
            prop_assert!(fitted.unwrap_or_default().iter().all(|x| x.is_finite()));
        }
        let fitted = aggregation::bradley_terry_penalised(&marks, 0.1);
        prop_assert!(fitted.unwrap_or_default().iter().all(|x| x.is_finite()));
    }

    #[test]
    fn classification_holds((scores, values) in lists(12)) {
        let positive: Vec<bool> = values.iter().map(|value| *value > 0.0).collect();
        finite_p(&classification::roc_auc(&scores, &positive).map(|area| [area]))?;
        finite(&classification::best_threshold(&scores, &positive)
            .map(|best| [best.at, best.balanced_accuracy]))?;
        finite(&classification::Isotonic::fit(&scores, &values)
            .map(|curve| [curve.at(0.5), curve.at(-1e300)]))?;
        finite(&agreement::mean_absolute_error(&scores, &values).map(|error| [error]))?;
    }
}
