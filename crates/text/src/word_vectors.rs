//! The table of static embeddings compiled into the program: a direction for every word.

use std::sync::LazyLock;

use crate::word_pieces::WordPieces;

static VOCABULARY: &str = include_str!("../assets/static-128/vocabulary.txt");
static TENSORS: &[u8] = include_bytes!("../assets/static-128/model.safetensors");

/// How many numbers a vector has.
pub const DIMENSIONS: usize = 128;

/// Lanes that are added up apart, so that the machine can work on them at once and the
/// result still never depends on which machine it is.
const LANES: usize = 8;

static TABLE: LazyLock<Table> = LazyLock::new(Table::load);

/// The sum of the weighted vectors of all word pieces of a text; all zeros for a text without
/// known words. A text points where its sum points.
pub fn sum(text: &str) -> Vec<f32> {
    TABLE.sum(text)
}

/// What a word weighs: common words little, rare ones more. The weights are fixed with the table, so
/// that a word weighs the same whatever text it stands in. That of a word in several pieces is that
/// of its heaviest.
pub fn weight(word: &str) -> f32 {
    let mut heaviest = 0.0_f32;
    TABLE.pieces.each(word, &mut |piece| heaviest = heaviest.max(TABLE.weights[piece as usize]));
    heaviest
}

/// Whether a word is common enough to be a piece of its own in the table.
pub fn is_ordinary(word: &str) -> bool {
    let mut pieces = 0;
    TABLE.pieces.each(word, &mut |_| pieces += 1);
    pieces == 1
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

/// One weighted vector for each word piece.
struct Table {
    pieces: WordPieces,
    weights: Vec<f32>,
    values: &'static [u8],
}

impl Table {
    fn sum(&self, text: &str) -> Vec<f32> {
        let mut total = vec![0.0_f32; DIMENSIONS];
        self.pieces.each(text, &mut |piece| {
            let piece = piece as usize;
            let weight = self.weights[piece];
            let row = &self.values[piece * DIMENSIONS..(piece + 1) * DIMENSIONS];
            for (total, value) in total.iter_mut().zip(row) {
                *total += weight * f32::from(value.cast_signed());
            }
        });
        total
    }

    /// A safetensors file: the length of a JSON header, the header, then the bytes of the
    /// tensors. In this one a weight for each piece comes first, then the vectors.
    fn load() -> Self {
        let (length, rest) = TENSORS.split_at(8);
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
        let (_, data) = rest.split_at(usize::try_from(length).expect("a small header"));
        let pieces = data.len() / (DIMENSIONS + size_of::<f32>());
        let (weights, values) = data.split_at(pieces * size_of::<f32>());
        let (weights, _) = weights.as_chunks::<4>();
        let weights = weights.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Self { pieces: WordPieces::of(VOCABULARY), weights, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_laid_out_as_it_is_read() {
        let header = String::from_utf8_lossy(&TENSORS[8..200]);
        assert!(header.contains(r#""weights":{"dtype":"F32","shape":[30522],"data_offsets":[0,"#));
        assert!(header.contains(r#""embeddings":{"dtype":"I8","shape":[30522,128]"#));
        assert_eq!(TABLE.weights.len(), 30_522);
        assert_eq!(TABLE.values.len(), 30_522 * DIMENSIONS);
    }

    #[test]
    fn the_scalar_product_covers_every_dimension() {
        let left: Vec<f32> = (1_u8..=11).map(f32::from).collect();
        assert_eq!(dot(&left, &[1.0; 11]), 66.0);
        assert_eq!(dot(&[], &[]), 0.0);
    }

    #[test]
    fn common_words_weigh_less_than_rare_ones() {
        assert!(weight("the") < weight("system") && weight("system") < weight("authentication"));
        assert_eq!(weight("backups"), weight("Backups"));
        assert_eq!(weight(""), 0.0);
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
