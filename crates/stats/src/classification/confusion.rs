//! Which class was taken for which.

use crate::{check, error::StatsError};

/// How often each true class was labelled as each class; classes count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    /// `counts[truth][stated]`, square.
    counts: Vec<Vec<usize>>,
}

impl Confusion {
    /// Counts stated labels against the truth.
    ///
    /// ```
    /// use assize_stats::classification::Confusion;
    /// // Three of class 0, of which one is missed; one of class 1, which is found.
    /// let confusion = Confusion::count(&[0, 0, 0, 1], &[0, 0, 1, 1], 2)?;
    /// assert_eq!(confusion.accuracy(), 0.75);
    /// assert_eq!(confusion.balanced_accuracy(), (2.0 / 3.0 + 1.0) / 2.0);
    /// # Ok::<(), assize_stats::StatsError>(())
    /// ```
    pub fn count(truth: &[usize], stated: &[usize], classes: usize) -> Result<Self, StatsError> {
        check::lengths(truth.len(), stated.len())?;
        check::count(truth.len(), 1)?;
        let mut counts = vec![vec![0; classes]; classes];
        for (truth, stated) in truth.iter().zip(stated) {
            let cell = counts.get_mut(*truth).and_then(|row| row.get_mut(*stated));
            *cell.ok_or(StatsError::Invalid("a class must be below the number of classes"))? += 1;
        }
        Ok(Self { counts })
    }

    /// The table, `counts()[truth][stated]`.
    pub fn counts(&self) -> &[Vec<usize>] {
        &self.counts
    }

    /// The share of items labelled right.
    pub fn accuracy(&self) -> f64 {
        let right: usize = (0..self.counts.len()).map(|class| self.counts[class][class]).sum();
        right as f64 / self.counts.iter().flatten().sum::<usize>() as f64
    }

    /// The share of a class that was found; `None` if the class does not occur.
    pub fn recall(&self, class: usize) -> Option<f64> {
        share(self.counts[class][class], self.counts[class].iter().sum())
    }

    /// The share of a label that is deserved; `None` if it was never given.
    pub fn precision(&self, class: usize) -> Option<f64> {
        share(self.counts[class][class], self.counts.iter().map(|row| row[class]).sum())
    }

    /// The harmonic mean of precision and recall; `None` if the class is on neither side.
    pub fn f1(&self, class: usize) -> Option<f64> {
        let found: usize = self.counts[class].iter().sum();
        let stated: usize = self.counts.iter().map(|row| row[class]).sum();
        share(2 * self.counts[class][class], found + stated)
    }

    /// The mean recall of the classes that occur: rare classes count as much as common ones.
    ///
    /// Reference: Brodersen et al. (2010), International Conference on Pattern Recognition.
    pub fn balanced_accuracy(&self) -> f64 {
        let recalls: Vec<f64> =
            (0..self.counts.len()).filter_map(|class| self.recall(class)).collect();
        recalls.iter().sum::<f64>() / recalls.len() as f64
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_do_not_occur_are_left_out() {
        let confusion = Confusion::count(&[0, 0, 1], &[0, 2, 1], 3).unwrap();
        assert_eq!((confusion.recall(2), confusion.precision(2)), (None, Some(0.0)));
        assert_eq!(confusion.balanced_accuracy(), 0.75);
        assert_eq!(confusion.f1(0), Some(2.0 / 3.0));
        assert_eq!(confusion.counts()[0], [1, 0, 1]);
    }

    #[test]
    fn unknown_classes_and_nothing_are_refused() {
        assert!(Confusion::count(&[0], &[1], 1).is_err());
        assert!(Confusion::count(&[], &[], 2).is_err());
        assert!(Confusion::count(&[0, 1], &[1], 2).is_err());
    }
}
