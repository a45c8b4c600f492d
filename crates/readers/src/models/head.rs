//! What decides between labels: two products on the row of a text's first token.

use super::config::{Architecture, Config};
use super::functions::Activation;
use super::linear::Linear;
use super::weights::Weights;
use crate::Result;

/// The classifier of a model.
#[derive(Debug)]
pub(super) struct Head {
    dense: Linear,
    activation: Activation,
    labels: Linear,
}

impl Head {
    /// Reads the classifier for so many labels.
    pub(super) fn read(weights: &Weights, config: &Config, labels: usize) -> Result<Self> {
        let (dense, out) = names(config.architecture());
        let width = config.hidden_size;
        Ok(Self {
            dense: Linear::read(weights, dense, width, width)?,
            activation: config.classifier_activation(),
            labels: Linear::read(weights, out, width, labels)?,
        })
    }

    /// How many labels the file of a folder decides between; nothing where it has no classifier.
    pub(super) fn labels_in(weights: &Weights, config: &Config) -> Option<usize> {
        let (_, out) = names(config.architecture());
        weights.rows(&format!("{out}.weight"))
    }

    /// One number a label for each row.
    pub(super) fn logits(&self, rows: &[f32]) -> Vec<f32> {
        let mut dense = self.dense.of(rows);
        self.activation.apply(&mut dense);
        self.labels.of(&dense)
    }
}

/// What the two products are called.
fn names(architecture: Architecture) -> (&'static str, &'static str) {
    match architecture {
        Architecture::Bert | Architecture::DebertaV2 => ("pooler.dense", "classifier"),
        Architecture::Roberta | Architecture::Mpnet => ("classifier.dense", "classifier.out_proj"),
    }
}
