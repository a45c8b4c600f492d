//! The accuracy ceiling: what is not true cannot score well, however well it is written.

use assize_score::Cap;
use serde::{Deserialize, Serialize};

use super::dimension::Dimension;

/// The best mark; from here on no ceiling is needed.
const BEST: f64 = 10.0;

/// How high an overall score may be, given the accuracy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ceiling {
    /// A stair or a slope.
    #[serde(default)]
    pub shape: Shape,
    /// The edges, rising.
    pub steps: Vec<Step>,
}

/// Below this accuracy, at most that score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The accuracy at which it ends.
    pub below: f64,
    /// The highest score before that.
    pub at_most: f64,
}

/// What happens between the edges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A jump at each edge, none beyond the last.
    #[default]
    Stepped,
    /// Straight lines from edge to edge and on to the best mark, so that a hair of accuracy
    /// never moves a score by points. Never above the stair below its last edge.
    Continuous,
}

impl Ceiling {
    /// The caps that an accuracy gives cause to look at.
    pub fn caps(&self, accuracy: f64) -> Vec<Cap> {
        match self.shape {
            Shape::Stepped => self.steps.iter().map(|step| stair(*step, accuracy)).collect(),
            Shape::Continuous => vec![self.slope(accuracy)],
        }
    }

    /// The highest score an accuracy allows; `None` if any.
    pub fn at_most(&self, accuracy: f64) -> Option<f64> {
        let caps = self.caps(accuracy).into_iter().filter(|cap| cap.triggered);
        caps.map(|cap| cap.at_most).min_by(f64::total_cmp)
    }

    /// Whether the steps rise and stay on the scale.
    pub(super) fn is_sound(&self) -> bool {
        let on_scale = |value: f64| (0.0..=BEST).contains(&value);
        self.steps.iter().all(|step| on_scale(step.below) && on_scale(step.at_most))
            && self
                .steps
                .windows(2)
                .all(|pair| pair[0].below < pair[1].below && pair[0].at_most <= pair[1].at_most)
    }

    fn slope(&self, accuracy: f64) -> Cap {
        let edges = self.steps.iter().map(|step| (step.below, step.at_most));
        let mut from: Option<(f64, f64)> = None;
        let mut at_most = BEST;
        for (edge, height) in edges.chain([(BEST, BEST)]) {
            if accuracy < edge {
                at_most = match from {
                    None => height,
                    Some((start, low)) => {
                        low + (height - low) * (accuracy - start) / (edge - start)
                    }
                };
                break;
            }
            from = Some((edge, height));
        }
        let name = Dimension::Accuracy.name();
        let because = format!("{name} of {accuracy} allows no more, on a sliding scale");
        Cap::when(at_most < BEST, at_most, because)
    }
}

fn stair(step: Step, accuracy: f64) -> Cap {
    let name = Dimension::Accuracy.name();
    let because = format!("{name} is below {}", step.below);
    Cap::when(accuracy < step.below, step.at_most, because)
}
