//! Vectors of length one and the cosine between them.

use assize_score::Working;

use crate::dense::{EmbedError, Embedder};

/// Texts sent to the embedder at once.
const TEXTS_PER_CALL: usize = 256;

/// Lanes that are added up apart, so that the machine can work on them at once and the
/// result still never depends on which machine it is.
const LANES: usize = 8;

/// The vectors of many texts, each of length one.
#[derive(Debug, Clone)]
pub struct Vectors {
    dimensions: usize,
    values: Vec<f32>,
}

impl Vectors {
    /// Embeds texts `0..count`.
    pub fn of<'a>(
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
    pub fn len(&self) -> usize {
        self.values.len() / self.dimensions.max(1)
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// One of the vectors.
    pub fn vector(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimensions..(index + 1) * self.dimensions]
    }

    /// The cosine of every vector with one of length one.
    pub fn cosines(&self, query: &[f32]) -> Vec<f64> {
        self.values
            .chunks_exact(self.dimensions)
            .map(|vector| f64::from(dot(vector, query)))
            .collect()
    }

    /// The cosine of one vector with one of length one, with workings if wanted.
    pub fn cosine<N: Working>(&self, query: &[f32], index: usize) -> N {
        let value = f64::from(dot(self.vector(index), query));
        N::computed("cosine", "direction of the passage · direction of the query", value, [])
    }
}

/// Scales a vector to length one; one of nothing but zeros stays as it is.
pub fn to_length_one(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

/// The scalar product of two vectors.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            lanes[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scalar_product_covers_every_dimension() {
        let left: Vec<f32> = (1_u8..=11).map(f32::from).collect();
        assert_eq!(dot(&left, &[1.0; 11]), 66.0);
        assert_eq!(dot(&[], &[]), 0.0);
    }

    #[test]
    fn a_vector_of_zeros_has_no_direction_and_no_length() {
        let mut vector = [0.0, 0.0];
        to_length_one(&mut vector);
        assert_eq!(vector, [0.0, 0.0]);
        let mut vector = [3.0, 4.0];
        to_length_one(&mut vector);
        assert_eq!(vector, [0.6, 0.8]);
    }
}
