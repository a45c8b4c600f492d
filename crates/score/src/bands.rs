//! From a number to a label, with the rule for its edges.

/// Labels in rising order, each reached from a threshold on.
///
/// The label before the first step holds for everything below it, so there are no
/// gaps; a step says itself whether its edge belongs to it.
///
/// ```
/// use assize_score::Bands;
/// // Exactly 25 % is already partial, exactly 75 % not yet fully.
/// let coverage = Bands::starting("not").from(0.25, "partial").above(0.75, "fully");
/// assert_eq!(coverage.label(0.25), &"partial");
/// assert_eq!(coverage.label(0.75), &"partial");
/// assert_eq!(coverage.label(0.7501), &"fully");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bands<L> {
    lowest: L,
    /// Thresholds rise strictly; `above` and `from` refuse anything else.
    steps: Vec<Step<L>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Step<L> {
    threshold: f64,
    /// Whether the threshold itself already has this label.
    inclusive: bool,
    label: L,
}

impl<L> Bands<L> {
    /// Bands whose lowest label is `lowest`.
    pub fn starting(lowest: L) -> Self {
        Self { lowest, steps: Vec::new() }
    }

    /// `label` from `threshold` on, the threshold included.
    #[must_use]
    pub fn from(self, threshold: f64, label: L) -> Self {
        self.step(threshold, true, label)
    }

    /// `label` above `threshold`, the threshold itself excluded.
    #[must_use]
    pub fn above(self, threshold: f64, label: L) -> Self {
        self.step(threshold, false, label)
    }

    fn step(mut self, threshold: f64, inclusive: bool, label: L) -> Self {
        assert!(threshold.is_finite(), "a threshold is a finite number");
        let rises = self.steps.last().is_none_or(|last| last.threshold < threshold);
        assert!(rises, "thresholds rise from step to step");
        self.steps.push(Step { threshold, inclusive, label });
        self
    }

    /// The label of a number.
    pub fn label(&self, value: f64) -> &L {
        let reached =
            |step: &&Step<L>| value > step.threshold || (step.inclusive && value == step.threshold);
        self.steps.iter().rev().find(reached).map_or(&self.lowest, |step| &step.label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_first_threshold_the_lowest_label_holds() {
        let bands = Bands::starting("none").from(0.3, "some").from(0.8, "high");
        assert_eq!(*bands.label(-1.0), "none");
        assert_eq!(*bands.label(0.795), "some");
        assert_eq!(*bands.label(0.8), "high");
    }

    #[test]
    #[should_panic(expected = "thresholds rise")]
    fn thresholds_out_of_order_are_refused() {
        let _ = Bands::starting(0).from(0.8, 1).from(0.3, 2);
    }
}
