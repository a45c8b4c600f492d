//! What the model of a folder can do, from its configuration and the names of its tensors.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::head::Head;
use super::weights::Weights;
use crate::Result;

/// What a model can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It finds statements.
    Encoder,
    /// It decides entailment.
    Entailment,
}

/// What the model of a folder can do; nothing but its headers is read.
pub fn kind_of(folder: &Path) -> Result<Kind> {
    let config = Config::read(folder)?;
    let weights = Weights::open(folder, u64::MAX)?;
    let labels = Head::labels_in(&weights, &config);
    Ok(if labels.is_some() { Kind::Entailment } else { Kind::Encoder })
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Encoder => "encoder",
            Self::Entailment => "entailment",
        })
    }
}
