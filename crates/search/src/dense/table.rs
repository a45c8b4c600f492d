//! The table of static embeddings compiled into the program.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::vectors::to_length_one;
use super::word_pieces::WordPieces;
use crate::dense::{EmbedError, Embedder};

static VOCABULARY: &str = include_str!("../../assets/static-128/vocabulary.txt");
static TENSORS: &[u8] = include_bytes!("../../assets/static-128/model.safetensors");

/// How many numbers a vector has.
pub const DIMENSIONS: usize = 128;

static TABLE: LazyLock<Table> = LazyLock::new(Table::load);

/// The table that is compiled in; it is unpacked when it is first needed.
#[derive(Debug, Clone, Copy, Default)]
pub struct StaticTable;

impl StaticTable {
    /// The vector of one text, of length one; all zeros for a text without known words.
    pub fn vector(self, text: &str) -> Vec<f32> {
        TABLE.vector(text)
    }
}

impl Embedder for StaticTable {
    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.par_iter().map(|text| TABLE.vector(text)).collect())
    }
}

/// One weighted vector for each word piece; a text is their mean, scaled to length one.
struct Table {
    pieces: WordPieces,
    weights: Vec<f32>,
    values: &'static [u8],
}

impl Table {
    fn vector(&self, text: &str) -> Vec<f32> {
        let mut total = vec![0.0_f32; DIMENSIONS];
        self.pieces.each(text, &mut |piece| {
            let piece = piece as usize;
            let weight = self.weights[piece];
            let row = &self.values[piece * DIMENSIONS..(piece + 1) * DIMENSIONS];
            for (total, value) in total.iter_mut().zip(row) {
                *total += weight * f32::from(value.cast_signed());
            }
        });
        to_length_one(&mut total);
        total
    }

    /// A safetensors file: the length of a JSON header, the header, then the bytes of the
    /// tensors at the offsets it names.
    fn load() -> Self {
        let (length, rest) = TENSORS.split_at(8);
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
        let (header, data) = rest.split_at(usize::try_from(length).expect("a small header"));
        let header: serde_json::Value =
            serde_json::from_slice(header).expect("the header compiled in is JSON");
        let tensor = |name: &str| {
            let offset = |place: usize| {
                let offset = header[name]["data_offsets"][place].as_u64();
                usize::try_from(offset.expect("the header names its offsets")).expect("4 MB")
            };
            &data[offset(0)..offset(1)]
        };
        let (weights, _) = tensor("weights").as_chunks::<4>();
        let weights = weights.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Self { pieces: WordPieces::of(VOCABULARY), weights, values: tensor("embeddings") }
    }
}
