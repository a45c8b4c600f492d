//! A local encoder: the folder of a sentence-transformers model of the BERT kind, run here.
//!
//! Read in this order: what the folder says ([`settings`]), its word pieces ([`vocabulary`]), its
//! numbers ([`weights`]), and one pass through the layers ([`forward`]), made of products of
//! matrices ([`linear`]), [`attention`] and a few functions of single numbers ([`functions`]).
//!
//! Nothing is fetched and nothing is sent. The arithmetic is that of 32-bit floats, so the last
//! digits may differ between kinds of processors; on one machine the same text has the same
//! vector, alone or among others.

mod attention;
mod error;
mod forward;
mod functions;
mod linear;
mod settings;
mod vocabulary;
mod weights;

use std::borrow::Cow;
use std::path::Path;

use rayon::prelude::*;

pub use self::error::EncoderError;
use self::forward::Model;
use self::settings::Settings;
use self::vocabulary::Vocabulary;
use crate::dense::{EmbedError, Embedder};

/// Word pieces that go through the layers together: enough for the products of matrices to be
/// quick, few enough for their results to stay in the processor's caches.
const PIECES_TOGETHER: usize = 512;

/// A model read from its folder.
#[derive(Debug)]
pub struct Encoder {
    settings: Settings,
    vocabulary: Vocabulary,
    model: Model,
}

impl Encoder {
    /// Reads the folder of a model: `config.json`, `tokenizer.json` or `vocab.txt`, and
    /// `model.safetensors`.
    pub fn open(folder: &Path) -> Result<Self, EncoderError> {
        let settings = Settings::read(folder)?;
        let vocabulary = Vocabulary::read(folder, settings.pieces_max, settings.vocabulary_size)?;
        let model = Model::read(folder, &settings)?;
        Ok(Self { settings, vocabulary, model })
    }

    /// How many word pieces of a text are read, the two marks around it included.
    pub fn pieces_max(&self) -> usize {
        self.settings.pieces_max
    }
}

impl Embedder for Encoder {
    fn dimensions(&self) -> usize {
        self.settings.width
    }

    /// As much as terms: the least that was as good as any on a collection of news; on four others
    /// it gained too. docs/adr/0005 has the figures.
    fn weight(&self) -> f64 {
        1.0
    }

    /// What the folder says is put before a question.
    fn question<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.settings.question_prompt {
            Some(prompt) => Cow::Owned(format!("{prompt}{text}")),
            None => Cow::Borrowed(text),
        }
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let pieces: Vec<Vec<u32>> =
            texts.par_iter().map(|text| self.vocabulary.pieces(text)).collect();
        let batches = together(&pieces);
        let vectors: Vec<Vec<Vec<f32>>> =
            batches.into_par_iter().map(|batch| self.model.vectors(batch)).collect();
        Ok(vectors.into_iter().flatten().collect())
    }
}

/// Texts one after the other in batches of about [`PIECES_TOGETHER`].
fn together(texts: &[Vec<u32>]) -> Vec<&[Vec<u32>]> {
    let mut batches = Vec::new();
    let (mut first, mut pieces) = (0, 0);
    for (index, text) in texts.iter().enumerate() {
        if index > first && pieces + text.len() > PIECES_TOGETHER {
            batches.push(&texts[first..index]);
            (first, pieces) = (index, 0);
        }
        pieces += text.len();
    }
    if first < texts.len() {
        batches.push(&texts[first..]);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_put_together_up_to_a_number_of_pieces() {
        let texts: Vec<Vec<u32>> = [300, 212, 1, 600, 2].map(|length| vec![0; length]).to_vec();
        let sizes: Vec<usize> = together(&texts).into_iter().map(<[_]>::len).collect();
        assert_eq!(sizes, [2, 1, 1, 1]);
        assert!(together(&[]).is_empty());
    }
}
