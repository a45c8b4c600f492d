//! The readings a user may choose where the definitions leave room.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

/// How many results count when the user does not say.
pub const K_DEFAULT: NonZeroUsize = NonZeroUsize::new(10).expect("ten is not zero");

/// The readings of the four measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PassageOptions {
    /// How many of the top passages recall and nDCG look at.
    pub k: NonZeroUsize,
    /// How texts are made alike before they are matched.
    pub whitespace: Whitespace,
    /// Whether a repeated word counts once or each time in span F1.
    pub f1: F1,
    /// Which ranking counts as ideal in nDCG.
    pub ndcg_ideal: NdcgIdeal,
    /// Whether a query whose nDCG would pass 1 is held at 1.
    pub ndcg_clipped: bool,
}

impl Default for PassageOptions {
    fn default() -> Self {
        Self {
            k: K_DEFAULT,
            whitespace: Whitespace::default(),
            f1: F1::default(),
            ndcg_ideal: NdcgIdeal::default(),
            ndcg_clipped: true,
        }
    }
}

/// How texts are made alike before they are matched; lowercase in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Whitespace {
    /// Treat any sequence of whitespace as one space
    #[default]
    Collapse,
    /// Only strip leading and trailing whitespace
    Strip,
}

/// How words are counted in span F1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum F1 {
    /// Count each token once
    #[default]
    Set,
    /// Count each token as often as it occurs
    Bag,
}

/// How many relevant passages the ideal ranking of nDCG has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum NdcgIdeal {
    /// As many relevant passages as gold snippets
    #[default]
    Gold,
    /// As many relevant passages as matches retrieved
    Retrieved,
    /// The greater of the two
    Matched,
}
