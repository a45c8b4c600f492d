//! The reader that judges use: models of this machine, with what they read kept by content.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use assize_text::word_vectors::{dot, to_length_one};

use crate::cache::{ContentKey, MemoryCache, ReadingCache, key};
use crate::models::Decided;
use crate::reading::{Candidate, Entailed, Pair, Reader, Shares, Statement};
use crate::shortlist::{Ranking, StatementWords};
use crate::{Encoder, Entailment, Identity, ReaderError, Result};

/// Texts that are read before they are kept: what is interrupted loses no more.
const READ_AT_ONCE: usize = 256;

/// Statements whose vectors are held at once, so that a text of any size takes the same memory.
const RANKED_AT_ONCE: usize = 4_096;

/// How many values a reading of a pair is kept as.
pub const READING_VALUES: usize = 5;

/// An encoder, an entailment model, or both.
pub struct LocalReader {
    encoder: Option<Encoder>,
    entailment: Option<Entailment>,
    cache: Arc<dyn ReadingCache>,
}

impl LocalReader {
    /// A reader of models that are open, which keeps what it reads in memory.
    pub fn new(encoder: Option<Encoder>, entailment: Option<Entailment>) -> Self {
        Self { encoder, entailment, cache: Arc::new(MemoryCache::default()) }
    }

    /// Opens the models of two folders.
    pub fn open(
        encoder: Option<&Path>,
        entailment: Option<&Path>,
        megabytes_max: u64,
    ) -> Result<Self> {
        let encoder = encoder.map(|folder| Encoder::open_within(folder, megabytes_max));
        let entailment = entailment.map(|folder| Entailment::open_within(folder, megabytes_max));
        Ok(Self::new(encoder.transpose()?, entailment.transpose()?))
    }

    /// Keeps what is read elsewhere.
    #[must_use]
    pub fn with_cache(self, cache: Arc<dyn ReadingCache>) -> Self {
        Self { cache, ..self }
    }

    /// Vectors of length one for texts, in order; none is computed twice.
    fn vectors(&self, encoder: &Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let keys = texts.iter().map(|text| key(encoder.identity(), &[text])).collect::<Vec<_>>();
        let (found, _) = self.kept_or(&keys, |missing| {
            let texts: Vec<&str> = missing.iter().map(|index| encoder.cut(texts[*index])).collect();
            let mut vectors = encoder.vectors(&texts)?;
            for vector in &mut vectors {
                to_length_one(vector);
            }
            Ok(vectors)
        })?;
        Ok(found)
    }

    /// What is kept under keys; what is not is computed for their indices and kept. Says of each
    /// whether it was kept before.
    fn kept_or(
        &self,
        keys: &[ContentKey],
        compute: impl Fn(&[usize]) -> Result<Vec<Vec<f32>>>,
    ) -> Result<(Vec<Vec<f32>>, Vec<bool>)> {
        let mut values = self.cache.get(keys).map_err(ReaderError::Cache)?;
        let looked_up: Vec<bool> = values.iter().map(Option::is_some).collect();
        // Of texts that are the same, only the first is read.
        let mut first_of: BTreeMap<ContentKey, usize> = BTreeMap::new();
        for index in (0..keys.len()).filter(|index| !looked_up[*index]) {
            first_of.entry(keys[index]).or_insert(index);
        }
        let mut missing: Vec<usize> = first_of.values().copied().collect();
        missing.sort_unstable();
        for batch in missing.chunks(READ_AT_ONCE) {
            let computed = compute(batch)?;
            let readings: Vec<_> = batch.iter().map(|index| keys[*index]).zip(computed).collect();
            self.cache.keep(&readings).map_err(ReaderError::Cache)?;
            for (index, (_, reading)) in batch.iter().zip(readings) {
                values[*index] = Some(reading);
            }
        }
        for index in 0..keys.len() {
            if values[index].is_none() {
                values[index] = first_of.get(&keys[index]).and_then(|first| values[*first].clone());
            }
        }
        Ok((values.into_iter().map(Option::unwrap_or_default).collect(), looked_up))
    }
}

impl std::fmt::Debug for LocalReader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.identities()).finish()
    }
}

impl Reader for LocalReader {
    fn identities(&self) -> Vec<Identity> {
        let encoder = self.encoder.as_ref().map(Encoder::identity);
        let entailment = self.entailment.as_ref().map(Entailment::identity);
        encoder.into_iter().chain(entailment).cloned().collect()
    }

    fn shortlist(
        &self,
        parts: &[&str],
        statements: &[Statement<'_>],
        most: usize,
    ) -> Result<Vec<Vec<Candidate>>> {
        let encoder = self.encoder.as_ref().ok_or(ReaderError::Missing("encoder"))?;
        let asked: Vec<_> = parts.iter().map(|part| encoder.question(part)).collect();
        let asked: Vec<&str> = asked.iter().map(AsRef::as_ref).collect();
        let asked = self.vectors(encoder, &asked)?;
        let words = StatementWords::new(statements);
        let mut rankings: Vec<Ranking<'_>> =
            parts.iter().map(|part| words.ranking(part, most)).collect();
        for (block, first) in statements.chunks(RANKED_AT_ONCE).zip((0..).step_by(RANKED_AT_ONCE)) {
            let said: Vec<String> = block.iter().map(Statement::with_heading).collect();
            let said: Vec<_> = said.iter().map(|text| encoder.passage(text)).collect();
            let said: Vec<&str> = said.iter().map(AsRef::as_ref).collect();
            let said = self.vectors(encoder, &said)?;
            for (ranking, asked) in rankings.iter_mut().zip(&asked) {
                for (said, statement) in said.iter().zip(first..) {
                    ranking.offer(statement, Some(dot(asked, said)));
                }
            }
        }
        Ok(rankings.into_iter().map(Ranking::candidates).collect())
    }

    fn entail(&self, pairs: &[Pair<'_>]) -> Result<Vec<Entailed>> {
        let model = self.entailment.as_ref().ok_or(ReaderError::Missing("entailment model"))?;
        let key_of = |pair: &Pair<'_>| key(model.identity(), &[pair.premise, pair.hypothesis]);
        let keys: Vec<ContentKey> = pairs.iter().map(key_of).collect();
        let (found, looked_up) = self.kept_or(&keys, |missing| {
            let missing: Vec<Pair<'_>> = missing.iter().map(|index| pairs[*index]).collect();
            Ok(model.decide(&missing)?.iter().map(packed).collect())
        })?;
        let read = pairs.iter().zip(found).zip(looked_up);
        Ok(read.map(|((pair, values), looked_up)| unpacked(pair, &values, looked_up)).collect())
    }
}

/// A decision as it is kept: three shares, and where each text was cut, from 1; 0 for nowhere.
fn packed(decided: &Decided) -> Vec<f32> {
    let Shares { stated, open, denied } = decided.shares;
    let cut = |at: Option<usize>| at.map_or(0.0, |at| at as f32 + 1.0);
    vec![stated, open, denied, cut(decided.premise_cut_at), cut(decided.hypothesis_cut_at)]
}

fn unpacked(pair: &Pair<'_>, values: &[f32], looked_up: bool) -> Entailed {
    let value = |index: usize| values.get(index).copied().unwrap_or(0.0);
    let shares = Shares { stated: value(0), open: value(1), denied: value(2) };
    let texts =
        [("the premise", pair.premise, value(3)), ("the hypothesis", pair.hypothesis, value(4))];
    let notes = texts.iter().filter(|(_, _, at)| *at > 0.0).map(|(name, text, at)| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in a text that was cut to what a model reads, from 1"
        )]
        let read = text.get(..*at as usize - 1).unwrap_or(text).chars().count();
        let all = text.chars().count();
        format!("{name} is longer than the model reads: {read} of {all} characters were read")
    });
    Entailed { shares, notes: notes.collect(), looked_up }
}
