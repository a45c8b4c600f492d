//! Reviewers put on one scale: own marks removed, z-scores, means.
//!
//! Marks are `marks[reviewer][candidate]`; a gap is `None`.

use crate::{check, error::StatsError, summary};

/// Marks by reviewer and candidate.
pub type Marks = Vec<Vec<Option<f64>>>;

/// A reviewer whose marks spread less than this says nothing, and gets zeros. Marks have at most
/// two decimals, so a real spread is larger; dividing by a smaller one would blow up noise.
const SPREAD_MIN: f64 = 0.001;

/// What the reviewers say of one candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CandidateMean {
    /// How many reviewers marked the candidate.
    pub count: usize,
    /// The mean of their marks.
    pub mean: f64,
    /// Population deviation over the root of the count.
    pub standard_error: f64,
}

/// Takes out the marks that reviewers gave themselves; reviewer i is candidate i.
///
/// ```
/// use assize_stats::standardize::without_own;
/// let marks = without_own(vec![vec![Some(9.0), Some(5.0)], vec![Some(6.0), Some(8.0)]]);
/// assert_eq!(marks, [[None, Some(5.0)], [Some(6.0), None]]);
/// ```
pub fn without_own(mut marks: Marks) -> Marks {
    for (reviewer, row) in marks.iter_mut().enumerate() {
        if let Some(own) = row.get_mut(reviewer) {
            *own = None;
        }
    }
    marks
}

/// Each reviewer's marks as deviations from their own mean, in their own deviations.
///
/// The deviation is that of the population; a reviewer whose marks spread less than
/// 0.001 gets zeros. Gaps stay gaps.
///
/// ```
/// use assize_stats::standardize::z_scores;
/// let z = z_scores(&[vec![Some(4.0), None, Some(8.0)], vec![Some(7.0), Some(7.0), None]])?;
/// assert_eq!(z, [[Some(-1.0), None, Some(1.0)], [Some(0.0), Some(0.0), None]]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn z_scores(marks: &[Vec<Option<f64>>]) -> Result<Marks, StatsError> {
    checked(marks)?;
    let standardized = |row: &Vec<Option<f64>>| -> Result<Vec<Option<f64>>, StatsError> {
        let given: Vec<f64> = row.iter().flatten().copied().collect();
        if given.is_empty() {
            return Ok(row.clone());
        }
        let (mean, spread) = (summary::mean(&given)?, summary::population_deviation(&given)?);
        let z = |mark: f64| if spread < SPREAD_MIN { 0.0 } else { (mark - mean) / spread };
        Ok(row.iter().map(|mark| mark.map(z)).collect())
    };
    marks.iter().map(standardized).collect()
}

/// The marks of each candidate, without gaps.
///
/// ```
/// use assize_stats::standardize::by_candidate;
/// let columns = by_candidate(&[vec![Some(1.0), None], vec![Some(3.0), Some(4.0)]])?;
/// assert_eq!(columns, [vec![1.0, 3.0], vec![4.0]]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn by_candidate(marks: &[Vec<Option<f64>>]) -> Result<Vec<Vec<f64>>, StatsError> {
    let candidates = checked(marks)?;
    let column = |candidate| marks.iter().filter_map(|row| row[candidate]).collect();
    Ok((0..candidates).map(column).collect())
}

/// The mean mark of each candidate; `None` for one whom nobody marked.
///
/// ```
/// use assize_stats::standardize::candidate_means;
/// let means = candidate_means(&[vec![Some(1.0), None], vec![Some(3.0), None]])?;
/// assert_eq!(means[0].map(|mean| (mean.count, mean.mean)), Some((2, 2.0)));
/// assert_eq!(means[1], None);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn candidate_means(
    marks: &[Vec<Option<f64>>],
) -> Result<Vec<Option<CandidateMean>>, StatsError> {
    let mut means = Vec::new();
    for given in by_candidate(marks)? {
        if given.is_empty() {
            means.push(None);
            continue;
        }
        let deviation = summary::population_deviation(&given)?;
        means.push(Some(CandidateMean {
            count: given.len(),
            mean: summary::mean(&given)?,
            standard_error: deviation / (given.len() as f64).sqrt(),
        }));
    }
    Ok(means)
}

/// Refuses rows of different length and marks that are not finite; the number of candidates.
pub(crate) fn checked(marks: &[Vec<Option<f64>>]) -> Result<usize, StatsError> {
    let candidates = marks.first().map_or(0, Vec::len);
    for row in marks {
        check::lengths(candidates, row.len())?;
        if row.iter().flatten().any(|mark| !mark.is_finite()) {
            return Err(StatsError::NotFinite);
        }
    }
    Ok(candidates)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values computed with numpy for these four reviewers, own marks removed.
    #[test]
    fn z_scores_agree_with_numpy() {
        let marks = [
            [10.0, 6.0, 5.5, 4.5],
            [5.0, 3.0, 7.5, 8.0],
            [9.0, 6.0, 8.5, 7.0],
            [9.0, 5.0, 6.5, 9.0],
        ];
        let marks = marks.map(|row| row.map(Some).to_vec()).to_vec();
        let means = candidate_means(&z_scores(&without_own(marks)).unwrap()).unwrap();
        let expected = [
            (0.417_501_040_159_300_4, 0.740_787_541_086_149_1),
            (-0.370_389_266_335_810_4, 0.587_730_431_161_067_5),
            (0.191_077_080_334_248_4, 0.170_221_444_725_860_95),
            (-0.238_188_854_157_737_36, 0.524_644_180_697_005_7),
        ];
        for (found, (mean, error)) in means.iter().flatten().zip(expected) {
            assert_eq!(found.count, 3);
            assert!((found.mean - mean).abs() < 1e-12);
            assert!((found.standard_error - error).abs() < 1e-12);
        }
    }

    #[test]
    fn marks_that_are_no_table_are_refused() {
        assert_eq!(z_scores(&[vec![Some(f64::NAN)]]), Err(StatsError::NotFinite));
        assert!(z_scores(&[vec![None], vec![None, None]]).is_err());
        assert_eq!(z_scores(&[vec![None, None]]), Ok(vec![vec![None, None]]));
        assert_eq!(candidate_means(&[]), Ok(vec![]));
    }
}
