//! Vectors of length one and the cosine between them.

use assize_score::Working;

pub use assize_text::word_vectors::{dot, to_length_one};

use crate::dense::{EmbedError, Embedder};

/// Texts sent to the embedder at once.
const TEXTS_PER_CALL: usize = 256;

/// The vectors of many texts, each of length one.
#[derive(Debug, Clone)]
pub(crate) struct Vectors {
    dimensions: usize,
    values: Vec<f32>,
}

impl Vectors {
    /// Embeds texts `0..count`.
    pub(crate) fn of<'a>(
        embedder: &dyn Embedder,
        count: usize,
        text: impl Fn(usize) -> &'a str,
    ) -> Result<Self, EmbedError> {
        let dimensions = embedder.dimensions();
        let mut values = Vec::with_capacity(count * dimensions);
        for first in (0..count).step_by(TEXTS_PER_CALL) {
            let texts: Vec<&str> =
                (first..(first + TEXTS_PER_CALL).min(count)).map(&text).collect();
            for mut vector in embedder.embed(&texts)? {
                if vector.len() != dimensions {
                    return Err(EmbedError::Dimensions {
                        found: vector.len(),
                        expected: dimensions,
                    });
                }
                to_length_one(&mut vector);
                values.extend(vector);
            }
        }
        Ok(Self { dimensions, values })
    }

    /// How many vectors there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.dimensions.max(1)
    }

    pub(crate) fn vector(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimensions..(index + 1) * self.dimensions]
    }

    /// The cosine of every vector with one of length one.
    pub(crate) fn cosines(&self, query: &[f32]) -> Vec<f64> {
        self.values
            .chunks_exact(self.dimensions)
            .map(|vector| f64::from(dot(vector, query)))
            .collect()
    }

    /// The cosine of one vector with one of length one, with workings if wanted.
    pub(crate) fn cosine<N: Working>(&self, query: &[f32], index: usize) -> N {
        let value = f64::from(dot(self.vector(index), query));
        N::computed("cosine", "direction of the passage · direction of the query", value, [])
    }
}
