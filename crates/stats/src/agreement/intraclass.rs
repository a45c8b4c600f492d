//! Intraclass correlation: how much of the variation lies between targets.

use crate::{check, distribution::fisher, error::StatsError, interval::Interval, sum::sum};

/// A residual below this share of all variation is rounding, not disagreement.
const ROUNDING: f64 = 1e-14;

/// Which question is asked; the names of Shrout & Fleiss and of `McGraw` & Wong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// ICC(1,1): each target has its own judges; one judge's rating.
    OneWaySingle,
    /// ICC(2,1), ICC(A,1): the same judges, who must give the same values.
    AgreementSingle,
    /// ICC(3,1), ICC(C,1): the same judges, who must give the same order and spacing.
    ConsistencySingle,
    /// ICC(1,k): as `OneWaySingle`, for the mean of all judges.
    OneWayMean,
    /// ICC(2,k), ICC(A,k): as `AgreementSingle`, for the mean of all judges.
    AgreementMean,
    /// ICC(3,k), ICC(C,k): as `ConsistencySingle`, for the mean of all judges.
    ConsistencyMean,
}

/// An intraclass correlation with its test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intraclass {
    /// At most 1; below zero where targets differ less than judges.
    pub value: f64,
    /// Variation between targets in units of the residual; none where that is zero.
    pub f: Option<f64>,
    /// Degrees of freedom of F, above and below.
    pub degrees: (usize, usize),
    /// The p value of no difference between targets.
    pub p: f64,
    /// Where the correlation lies.
    pub interval: Interval,
}

/// The intraclass correlation of `ratings[target][judge]`, without gaps.
///
/// References: Shrout & Fleiss (1979), Psychological Bulletin 86(2); `McGraw` & Wong (1996),
/// Psychological Methods 1(1).
///
/// ```
/// use assize_stats::agreement::{Form, intraclass};
/// // The second judge is always one point higher: consistent, but not in agreement.
/// let ratings = [vec![1.0, 2.0], vec![3.0, 4.0], vec![6.0, 7.0]];
/// assert!((intraclass(&ratings, Form::ConsistencySingle, 0.95)?.value - 1.0).abs() < 1e-12);
/// assert!(intraclass(&ratings, Form::AgreementSingle, 0.95)?.value < 0.95);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn intraclass(ratings: &[Vec<f64>], form: Form, level: f64) -> Result<Intraclass, StatsError> {
    check::level(level)?;
    let squares = MeanSquares::of(ratings)?;
    let outside = (1.0 - level) / 2.0;
    match form {
        Form::OneWaySingle => squares.ratio(squares.within, outside, Unit::Single),
        Form::OneWayMean => squares.ratio(squares.within, outside, Unit::Mean),
        Form::ConsistencySingle => squares.ratio(squares.residual, outside, Unit::Single),
        Form::ConsistencyMean => squares.ratio(squares.residual, outside, Unit::Mean),
        Form::AgreementSingle => squares.agreement(outside, Unit::Single),
        Form::AgreementMean => squares.agreement(outside, Unit::Mean),
    }
}

/// Whether one judge's rating is meant, or the mean of all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Single,
    Mean,
}

/// A mean square and its degrees of freedom.
#[derive(Clone, Copy)]
struct Square {
    value: f64,
    degrees: usize,
}

/// The analysis of variance of a table.
struct MeanSquares {
    targets: f64,
    judges: f64,
    between: Square,
    within: Square,
    across_judges: Square,
    residual: Square,
}

impl MeanSquares {
    fn of(ratings: &[Vec<f64>]) -> Result<Self, StatsError> {
        let judges = check::table(ratings, (2, 2))?;
        let targets = ratings.len();
        let (rows, columns) = (targets as f64, judges as f64);
        let row_means: Vec<f64> =
            ratings.iter().map(|row| sum(row.iter().copied()) / columns).collect();
        let column_means: Vec<f64> =
            (0..judges).map(|judge| sum(ratings.iter().map(|row| row[judge])) / rows).collect();
        let grand = sum(row_means.iter().copied()) / rows;
        let square = |value: f64| value * value;
        let between = columns * sum(row_means.iter().map(|mean| square(mean - grand)));
        let across = rows * sum(column_means.iter().map(|mean| square(mean - grand)));
        let cells = ratings.iter().zip(&row_means).flat_map(|(row, row_mean)| {
            row.iter()
                .zip(&column_means)
                .map(move |(value, column_mean)| square(value - row_mean - column_mean + grand))
        });
        let all = ratings.iter().flatten().map(|value| square(value - grand));
        let floor = check::finite(ROUNDING * sum(all))?;
        let clean = |value: f64| if value <= floor { 0.0 } else { value };
        let mean = |total: f64, degrees: usize| Square { value: total / degrees as f64, degrees };
        let (between, across, residual) = (clean(between), clean(across), clean(sum(cells)));
        Ok(Self {
            targets: rows,
            judges: columns,
            between: mean(between, targets - 1),
            within: mean(across + residual, targets * (judges - 1)),
            across_judges: mean(across, judges - 1),
            residual: mean(residual, (targets - 1) * (judges - 1)),
        })
    }

    /// The forms that hold the variation between targets against one kind of error.
    fn ratio(&self, error: Square, outside: f64, unit: Unit) -> Result<Intraclass, StatsError> {
        let between = self.between;
        if between.value == 0.0 && (error.value == 0.0 || unit == Unit::Mean) {
            return Err(StatsError::Constant);
        }
        let (above, below) = (between.degrees as f64, error.degrees as f64);
        // The correlation that belongs to a ratio of variations.
        let value_of = |ratio: f64| match unit {
            Unit::Single => (ratio - 1.0) / (ratio + self.judges - 1.0),
            Unit::Mean => 1.0 - 1.0 / ratio,
        };
        let certain = Interval { low: 1.0, high: 1.0 };
        let degrees = (between.degrees, error.degrees);
        if error.value == 0.0 {
            return Ok(Intraclass { value: 1.0, f: None, degrees, p: 0.0, interval: certain });
        }
        let f = check::finite(between.value / error.value)?;
        let low = value_of(f / fisher::upper_quantile(outside, above, below));
        let high = value_of(f * fisher::upper_quantile(outside, below, above));
        let interval = Interval { low: check::finite(low)?, high: check::finite(high)? };
        let p = fisher::upper(f, above, below);
        Ok(Intraclass { value: value_of(f), f: Some(f), degrees, p, interval })
    }

    /// The forms that count a judge's leniency as disagreement.
    fn agreement(&self, outside: f64, unit: Unit) -> Result<Intraclass, StatsError> {
        let (between, error) = (self.between.value, self.residual.value);
        let (targets, judges) = (self.targets, self.judges);
        let leniency = judges * (self.across_judges.value - error) / targets;
        let single = (between - error) / (between + (judges - 1.0) * error + leniency);
        if !single.is_finite() {
            return Err(StatsError::Constant);
        }
        let interval = self.agreement_interval(single, outside);
        let of_unit = |value: f64| match unit {
            Unit::Single => value,
            Unit::Mean => value * judges / (1.0 + value * (judges - 1.0)),
        };
        let mean = (between - error) / (between + leniency / judges);
        let value = check::finite(if unit == Unit::Single { single } else { mean })?;
        let low = check::finite(of_unit(interval.low))?;
        let high = check::finite(of_unit(interval.high))?;
        let f = (error > 0.0).then(|| between / error);
        let (above, below) = (self.between.degrees as f64, self.residual.degrees as f64);
        Ok(Intraclass {
            value,
            f,
            degrees: (self.between.degrees, self.residual.degrees),
            p: f.map_or(0.0, |f| fisher::upper(f, above, below)),
            interval: Interval { low, high },
        })
    }

    /// The interval of one judge's agreement, with Satterthwaite's degrees of freedom.
    fn agreement_interval(&self, single: f64, outside: f64) -> Interval {
        let (between, error) = (self.between.value, self.residual.value);
        let (targets, judges) = (self.targets, self.judges);
        let across = self.across_judges.value;
        let (above, below) = (self.between.degrees as f64, self.residual.degrees as f64);
        let rest = targets * (1.0 + (judges - 1.0) * single) - judges * single;
        // Multiplied through by the residual, so that none may be left.
        let (lenient, rest) = (judges * single * across, rest * error);
        let numerator = below * (lenient + rest) * (lenient + rest);
        let degrees = numerator / (above * lenient * lenient + rest * rest);
        let degrees = if degrees.is_finite() && degrees > 0.0 { degrees } else { below };
        let high = fisher::upper_quantile(outside, above, degrees);
        let low = fisher::upper_quantile(outside, degrees, above);
        let noise = judges * across + (judges * targets - judges - targets) * error;
        Interval {
            low: targets * (between - high * error) / (high * noise + targets * between),
            high: targets * (low * between - error) / (noise + targets * low * between),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 2 of Shrout & Fleiss (1979), with all six values from `pingouin`.
    #[test]
    fn the_published_example_comes_out() {
        let ratings = [
            [9.0, 2.0, 5.0, 8.0],
            [6.0, 1.0, 3.0, 2.0],
            [8.0, 4.0, 6.0, 8.0],
            [7.0, 1.0, 2.0, 6.0],
            [10.0, 5.0, 6.0, 9.0],
            [6.0, 2.0, 4.0, 7.0],
        ]
        .map(|row| row.to_vec());
        for (form, value, p, low, high) in [
            (Form::OneWaySingle, 0.165_741_768_405_475_5, 0.164_768_808_344_639_53, -0.13, 0.72),
            (
                Form::AgreementSingle,
                0.289_763_779_527_559_16,
                0.000_134_566_516_484_335,
                0.02,
                0.76,
            ),
            (
                Form::ConsistencySingle,
                0.714_840_714_840_715_4,
                0.000_134_566_516_484_335,
                0.34,
                0.95,
            ),
            (Form::OneWayMean, 0.442_797_133_679_268_76, 0.164_768_808_344_639_53, -0.88, 0.91),
            (Form::AgreementMean, 0.620_050_547_598_989_3, 0.000_134_566_516_484_335, 0.07, 0.93),
            (Form::ConsistencyMean, 0.909_315_542_377_069_7, 0.000_134_566_516_484_335, 0.68, 0.99),
        ] {
            let found = intraclass(&ratings, form, 0.95).unwrap();
            assert!((found.value - value).abs() < 1e-12, "{form:?} {found:?}");
            assert!((found.p - p).abs() < 1e-12, "{form:?} {found:?}");
            assert!((found.interval.low - low).abs() < 0.006, "{form:?} {found:?}");
            assert!((found.interval.high - high).abs() < 0.006, "{form:?} {found:?}");
        }
    }

    #[test]
    fn judges_in_full_agreement_are_certain() {
        let ratings = [vec![1.0, 1.0], vec![5.0, 5.0], vec![3.0, 3.0]];
        for form in [Form::OneWaySingle, Form::AgreementMean, Form::ConsistencySingle] {
            let found = intraclass(&ratings, form, 0.95).unwrap();
            assert_eq!((found.value, found.f, found.p), (1.0, None, 0.0));
            assert_eq!(found.interval, Interval { low: 1.0, high: 1.0 });
        }
    }

    #[test]
    fn what_does_not_vary_is_refused() {
        let flat = vec![vec![3.0; 3]; 4];
        for form in [Form::OneWaySingle, Form::AgreementSingle, Form::ConsistencyMean] {
            assert_eq!(intraclass(&flat, form, 0.95), Err(StatsError::Constant));
        }
        assert!(intraclass(&[vec![1.0, 2.0]], Form::OneWaySingle, 0.95).is_err());
    }
}
