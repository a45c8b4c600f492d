//! Encoders: the folder of a sentence-transformers model, from texts to vectors.

use std::borrow::Cow;
use std::path::Path;

use assize_text::word_vectors::to_length_one;
use rayon::prelude::*;

use super::batches::in_batches;
use super::body::Body;
use super::config::Config;
use super::cut;
use super::settings::Settings;
use super::tokens::{Tokens, Vocabulary};
use super::weights::Weights;
use crate::{Identity, MEGABYTES_MAX, ReaderError, Result};

/// A model that turns texts into vectors, read from its folder.
#[derive(Debug)]
pub struct Encoder {
    identity: Identity,
    settings: Settings,
    vocabulary: Vocabulary,
    body: Body,
}

impl Encoder {
    /// Reads the folder of a model: `config.json`, `tokenizer.json` or `vocab.txt`, and
    /// `model.safetensors`, of at most [`MEGABYTES_MAX`].
    pub fn open(folder: &Path) -> Result<Self> {
        Self::open_within(folder, MEGABYTES_MAX)
    }

    /// The same for a model of at most so many megabytes.
    pub fn open_within(folder: &Path, megabytes_max: u64) -> Result<Self> {
        let config = Config::read(folder)?;
        let settings = Settings::read(folder, &config)?;
        let weights = Weights::open(folder, megabytes_max)?;
        let body = Body::read(&weights, &config)?;
        let vocabulary = Vocabulary::read(folder, &config)?;
        let identity = Identity::of_folder(folder)?;
        Ok(Self { identity, settings, vocabulary, body })
    }

    /// What tells this model from every other.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.body.width()
    }

    /// How many tokens of a text are read, the two marks around it included.
    pub fn tokens_max(&self) -> usize {
        self.settings.tokens_max
    }

    /// A question as it is read: with what the folder says is put before it.
    pub fn question<'t>(&self, text: &'t str) -> Cow<'t, str> {
        prompted(self.settings.question_prompt.as_deref(), text)
    }

    /// A passage as it is read: with what the folder says is put before it.
    pub fn passage<'t>(&self, text: &'t str) -> Cow<'t, str> {
        prompted(self.settings.passage_prompt.as_deref(), text)
    }

    /// One vector for each text, in order; of a text that is too long, of its first tokens.
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let most = self.settings.tokens_max;
        let tokens = texts.par_iter().map(|text| {
            let mut tokens = self.vocabulary.single(beginning(text, most))?;
            tokens.shorten(most);
            Ok(tokens)
        });
        let tokens: Vec<Tokens> = tokens.collect::<Result<_>>()?;
        let vectors = in_batches(&tokens, |batch| self.vectors_of(batch));
        if vectors.iter().flatten().any(|value| !value.is_finite()) {
            return Err(ReaderError::NotFinite { model: self.identity.name.clone() });
        }
        Ok(vectors)
    }

    /// As many whole sentences of a text as the model reads.
    pub fn cut<'t>(&self, text: &'t str) -> &'t str {
        let most = self.settings.tokens_max;
        let fits =
            |part: &str| self.vocabulary.single(part).is_ok_and(|tokens| tokens.ids.len() <= most);
        cut::to_fit(text, most, fits)
    }

    fn vectors_of(&self, batch: &[&Tokens]) -> Vec<Vec<f32>> {
        let width = self.body.width();
        let rows = self.body.rows(batch);
        let mut from = 0;
        let mut pooled = |text: &&Tokens| {
            let to = from + text.ids.len() * width;
            let mut vector = self.settings.pooling.of(&rows[from..to], width);
            from = to;
            if self.settings.to_length_one {
                to_length_one(&mut vector);
            }
            vector
        };
        batch.iter().map(&mut pooled).collect()
    }
}

fn prompted<'t>(prompt: Option<&str>, text: &'t str) -> Cow<'t, str> {
    match prompt {
        Some(prompt) => Cow::Owned(format!("{prompt}{text}")),
        None => Cow::Borrowed(text),
    }
}

/// A beginning of a text that surely holds its first tokens.
fn beginning(text: &str, tokens_max: usize) -> &str {
    /// A word of a hundred letters that is not known is one token.
    const BYTES_PER_TOKEN: usize = 512;
    &text[..text.floor_char_boundary(tokens_max.saturating_mul(BYTES_PER_TOKEN))]
}
