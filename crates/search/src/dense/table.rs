//! The table of static embeddings compiled into the program.

use std::borrow::Cow;

use assize_text::word_pieces::is_sign;
use assize_text::word_vectors;
use rayon::prelude::*;

use super::vectors::{dot, to_length_one};
use crate::dense::{EmbedError, Embedder};

pub use assize_text::word_vectors::DIMENSIONS;

/// The table that is compiled in; it is unpacked when it is first needed.
#[derive(Debug, Clone, Copy, Default)]
pub struct StaticTable;

impl StaticTable {
    /// How alike two texts are in meaning, as the cosine of their vectors: 1 for the same,
    /// about 0 for unrelated ones, and 0 where one of them has no known word.
    pub fn similarity(self, left: &str, right: &str) -> f64 {
        f64::from(dot(&vector(left), &vector(right)))
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
        Ok(texts.par_iter().map(|text| vector(text)).collect())
    }
}

/// The mean of the weighted vectors of a text's word pieces, scaled to length one.
fn vector(text: &str) -> Vec<f32> {
    let mut total = word_vectors::sum(text);
    to_length_one(&mut total);
    total
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
            let vector = vector(text);
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
        assert!(vector(" \u{1f600}").iter().all(|value| *value == 0.0));
    }
}
