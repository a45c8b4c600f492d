//! The table of static embeddings compiled into the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use rayon::prelude::*;

use super::vectors::{dot, to_length_one};
use super::word_pieces::{WordPieces, is_sign};
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

    /// How alike two texts are in meaning, as the cosine of their vectors: 1 for the same,
    /// about 0 for unrelated ones, and 0 where one of them has no known word.
    pub fn similarity(self, left: &str, right: &str) -> f64 {
        f64::from(dot(&self.vector(left), &self.vector(right)))
    }
}

impl Embedder for StaticTable {
    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    /// A mean of word vectors knows no order of words. Of 0.05 to 0.5 on two collections of
    /// news (summaries that look for their article, whole and without their rarest words) this
    /// gained as much as any; on four others it was level with BM25 or better.
    fn weight(&self) -> f64 {
        0.2
    }

    /// In a mean of words a sign weighs as much as a word, and a question has few words: a
    /// semicolon in the place of a comma would move passages that say nearly the same.
    fn question<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.chars().any(is_sign) {
            Cow::Owned(text.replace(is_sign, " "))
        } else {
            Cow::Borrowed(text)
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// From model2vec 0.10 in Python: the first four dimensions and the last.
    #[test]
    fn vectors_are_those_of_model2vec() {
        let cases = [
            (
                "The Receiving Party shall not disclose Confidential Information.",
                [0.513_186, 0.059_611, -0.310_487, 0.130_189, 0.039_236],
            ),
            (
                "Café naïve — “quoted” 東京 tokyo's",
                [-0.111_877, 0.012_7, 0.030_05, -0.382_423, 0.092_037],
            ),
            (
                "unaffable antidisestablishmentarianism 😀",
                [-0.045_851, -0.028_582, -0.318_227, 0.093_838, -0.080_582],
            ),
            (
                "Straße ﬁ \u{301} İstanbul x\u{ad}y",
                [0.003_798, 0.011_083, 0.166_574, 0.076_51, -0.052_507],
            ),
        ];
        for (text, expected) in cases {
            let vector = StaticTable.vector(text);
            let shown = [vector[0], vector[1], vector[2], vector[3], vector[127]];
            let near =
                shown.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
            assert!(near, "{text}: {shown:?}");
        }
    }

    #[test]
    fn texts_of_like_meaning_are_more_similar_than_others() {
        let similarity = |right| StaticTable.similarity("The tenant pays the rent.", right);
        assert!(
            similarity("The lessee owes a monthly payment.") > similarity("Snow fell in Oslo.")
        );
        assert!((similarity("The tenant pays the rent.") - 1.0).abs() < 1e-6);
        assert_eq!(similarity(""), 0.0);
    }

    #[test]
    fn a_text_without_known_words_has_no_direction() {
        assert!(StaticTable.vector(" \u{1f600}").iter().all(|value| *value == 0.0));
    }
}
