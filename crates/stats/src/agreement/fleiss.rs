//! Agreement of many judges on categories: Fleiss' and Randolph's kappa.

use crate::{check, error::StatsError, sum::sum};

/// Agreement of a fixed number of judges beyond chance.
///
/// `counts[subject][category]` says how many judges put a subject into a category; each
/// subject needs the same number of judges, at least two.
///
/// Reference: Fleiss (1971), Psychological Bulletin 76(5).
///
/// ```
/// use assize_stats::agreement::fleiss_kappa;
/// // Two judges, two subjects, both agreed on in different categories.
/// assert_eq!(fleiss_kappa(&[vec![2, 0], vec![0, 2]])?, 1.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn fleiss_kappa(counts: &[Vec<usize>]) -> Result<f64, StatsError> {
    let (observed, judges) = observed_agreement(counts)?;
    let ratings = (judges * counts.len()) as f64;
    let expected = sum((0..counts[0].len()).map(|category| {
        let share = counts.iter().map(|row| row[category]).sum::<usize>() as f64 / ratings;
        share * share
    }));
    beyond(observed, expected)
}

/// The same where judges need not use every category: chance is one in the number of them.
///
/// Reference: Randolph (2005), Joensuu Learning and Instruction Symposium.
///
/// ```
/// use assize_stats::agreement::randolph_kappa;
/// assert_eq!(randolph_kappa(&[vec![2, 0], vec![2, 0]])?, 1.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn randolph_kappa(counts: &[Vec<usize>]) -> Result<f64, StatsError> {
    let (observed, _) = observed_agreement(counts)?;
    beyond(observed, 1.0 / counts[0].len() as f64)
}

/// The mean share of pairs of judges that agree on a subject, and the number of judges.
fn observed_agreement(counts: &[Vec<usize>]) -> Result<(f64, usize), StatsError> {
    check::count(counts.len(), 1)?;
    let judges: usize = counts[0].iter().sum();
    check::count(judges, 2)?;
    for row in counts {
        check::lengths(counts[0].len(), row.len())?;
        check::lengths(judges, row.iter().sum())?;
    }
    let pairs = (judges * (judges - 1)) as f64;
    let agreeing = |row: &Vec<usize>| row.iter().map(|many| many * many).sum::<usize>() - judges;
    let total = sum(counts.iter().map(|row| agreeing(row) as f64 / pairs));
    Ok((total / counts.len() as f64, judges))
}

fn beyond(observed: f64, expected: f64) -> Result<f64, StatsError> {
    if expected >= 1.0 {
        return Err(StatsError::Constant);
    }
    Ok((observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fleiss (1971) worked an example in print: 10 subjects, 14 judges, 5 categories.
    #[test]
    fn the_textbook_example_comes_out() {
        let counts = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ]
        .map(|row| row.to_vec());
        assert!((fleiss_kappa(&counts).unwrap() - 0.209_930_704_421_955_2).abs() < 1e-12);
    }

    /// `statsmodels.stats.inter_rater.fleiss_kappa`, both methods.
    #[test]
    fn worse_than_chance_agrees_with_statsmodels() {
        let counts = [[2, 2], [3, 1], [1, 3], [2, 2], [3, 1]].map(|row| row.to_vec());
        assert!((fleiss_kappa(&counts).unwrap() + 0.144_781_144_781_145_12).abs() < 1e-12);
        assert!((randolph_kappa(&counts).unwrap() + 0.133_333_333_333_333_41).abs() < 1e-12);
    }

    #[test]
    fn rows_must_have_the_same_judges() {
        assert!(fleiss_kappa(&[vec![2, 0], vec![1, 0]]).is_err());
        assert!(fleiss_kappa(&[vec![1, 0]]).is_err());
        assert!(fleiss_kappa(&[]).is_err());
        assert_eq!(fleiss_kappa(&[vec![2, 0], vec![2, 0]]), Err(StatsError::Constant));
        assert_eq!(randolph_kappa(&[vec![2], vec![2]]), Err(StatsError::Constant));
    }
}
