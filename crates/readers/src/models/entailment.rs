//! Entailment models: whether one text states, denies or leaves open another.

use std::path::Path;

use rayon::prelude::*;

use super::batches::in_batches;
use super::body::Body;
use super::config::Config;
use super::cut;
use super::head::Head;
use super::labels::Labels;
use super::tokens::{Tokens, Vocabulary, tokens_max_said};
use super::weights::{FILE, Weights};
use crate::reading::{Pair, Shares};
use crate::{Identity, MEGABYTES_MAX, ReaderError, Result};

/// Three marks, and at least one token of each text.
const TOKENS_MIN: usize = 5;

/// A sequence classifier that decides entailment, read from its folder.
#[derive(Debug)]
pub struct Entailment {
    identity: Identity,
    labels: Labels,
    tokens_max: usize,
    vocabulary: Vocabulary,
    body: Body,
    head: Head,
}

/// What a model says of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decided {
    /// The shares of the three answers.
    pub shares: Shares,
    /// Bytes of the premise that were read, where it was too long.
    pub premise_cut_at: Option<usize>,
    /// Bytes of the hypothesis that were read, where it was too long.
    pub hypothesis_cut_at: Option<usize>,
}

impl Entailment {
    /// Reads the folder of a model: `config.json`, `tokenizer.json` and `model.safetensors`, of at
    /// most [`MEGABYTES_MAX`].
    pub fn open(folder: &Path) -> Result<Self> {
        Self::open_within(folder, MEGABYTES_MAX)
    }

    /// The same for a model of at most so many megabytes.
    pub fn open_within(folder: &Path, megabytes_max: u64) -> Result<Self> {
        let config = Config::read(folder)?;
        let file = folder.join("config.json");
        let weights = Weights::open(folder, megabytes_max)?;
        let Some(outputs) = Head::labels_in(&weights, &config) else {
            let problem = "no classifier: it can find statements, but not decide entailment";
            return Err(ReaderError::wrong(folder.join(FILE), problem));
        };
        let labels = Labels::read(&file, &config.id2label, outputs)?;
        let said = tokens_max_said(folder)?.unwrap_or(usize::MAX);
        let tokens_max = said.min(config.tokens_max());
        if tokens_max < TOKENS_MIN {
            return Err(ReaderError::wrong(file, format!("{tokens_max} tokens are no two texts")));
        }
        let body = Body::read(&weights, &config)?;
        let head = Head::read(&weights, &config, labels.len())?;
        let vocabulary = Vocabulary::read(folder, &config)?;
        let identity = Identity::of_folder(folder)?;
        Ok(Self { identity, labels, tokens_max, vocabulary, body, head })
    }

    /// What tells this model from every other.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// How many tokens of a pair are read, the marks included.
    pub fn tokens_max(&self) -> usize {
        self.tokens_max
    }

    /// What each premise says of its hypothesis, in order.
    pub fn decide(&self, pairs: &[Pair<'_>]) -> Result<Vec<Decided>> {
        let fitted = pairs.par_iter().map(|pair| self.fitted(*pair));
        let fitted: Vec<FittedPair> = fitted.collect::<Result<_>>()?;
        let tokens: Vec<Tokens> = fitted.iter().map(|one| one.tokens.clone()).collect();
        let logits = self.logits_of(&tokens)?;
        let decided = fitted.iter().zip(logits).map(|(one, logits)| Decided {
            shares: self.labels.shares(&logits),
            premise_cut_at: one.premise_cut_at,
            hypothesis_cut_at: one.hypothesis_cut_at,
        });
        Ok(decided.collect())
    }

    /// The model's own numbers for pairs, one a label in the order of the file.
    pub fn logits(&self, pairs: &[Pair<'_>]) -> Result<Vec<Vec<f32>>> {
        let tokens = pairs.par_iter().map(|pair| Ok(self.fitted(*pair)?.tokens));
        self.logits_of(&tokens.collect::<Result<Vec<_>>>()?)
    }

    fn logits_of(&self, tokens: &[Tokens]) -> Result<Vec<Vec<f32>>> {
        let logits = in_batches(tokens, |batch| {
            let width = self.body.width();
            let rows = self.body.first_rows(batch);
            let each = rows.chunks_exact(width).map(|row| self.head.logits(row));
            each.collect()
        });
        if logits.iter().flatten().any(|value: &f32| !value.is_finite()) {
            return Err(ReaderError::NotFinite { model: self.identity.name.clone() });
        }
        Ok(logits)
    }

    /// The tokens of a pair. Where they are too many, the premise is cut behind a sentence; the
    /// hypothesis only where it leaves less than half of the room to the premise.
    fn fitted(&self, pair: Pair<'_>) -> Result<FittedPair> {
        let most = self.tokens_max;
        if cut::is_looked_at_whole(pair.premise, most)
            && cut::is_looked_at_whole(pair.hypothesis, most)
        {
            let tokens = self.vocabulary.pair(pair.premise, pair.hypothesis)?;
            if tokens.ids.len() <= most {
                return Ok(FittedPair { tokens, premise_cut_at: None, hypothesis_cut_at: None });
            }
        }
        let count = |premise: &str, hypothesis: &str| {
            self.vocabulary.pair(premise, hypothesis).map_or(usize::MAX, |both| both.ids.len())
        };
        let half = cut::to_fit(pair.premise, most, |part| count(part, "") <= most / 2);
        let hypothesis = cut::to_fit(pair.hypothesis, most, |part| count(half, part) <= most);
        let premise = cut::to_fit(pair.premise, most, |part| count(part, hypothesis) <= most);
        let cut_at = |part: &str, whole: &str| (part.len() < whole.len()).then_some(part.len());
        Ok(FittedPair {
            tokens: self.vocabulary.pair(premise, hypothesis)?,
            premise_cut_at: cut_at(premise, pair.premise),
            hypothesis_cut_at: cut_at(hypothesis, pair.hypothesis),
        })
    }
}

/// A pair as the model reads it.
struct FittedPair {
    tokens: Tokens,
    premise_cut_at: Option<usize>,
    hypothesis_cut_at: Option<usize>,
}
