//! Every word piece of a text looks at every other, several times side by side.

use super::functions::softmax;
use super::linear::{Matrix, Target, product};

/// What the pieces of one text take from each other. `rows` holds for each piece its query, key
/// and value one after the other, each of `width` numbers; the result has `width` a piece.
pub(super) fn attention(rows: &[f32], width: usize, heads: usize) -> Vec<f32> {
    let step = 3 * width;
    let count = rows.len() / step;
    let size = width / heads;
    let scale = 1.0 / (size as f32).sqrt();
    let mut taken = vec![0.0; count * width];
    let mut shares = vec![0.0; count * count];
    for head in 0..heads {
        let from = head * size;
        let part = |which: usize| &rows[which * width + from..];
        let queries = Matrix { values: part(0), shape: (count, size), steps: (step, 1) };
        let keys = Matrix { values: part(1), shape: (size, count), steps: (1, step) };
        let values = Matrix { values: part(2), shape: (count, size), steps: (step, 1) };
        shares.fill(0.0);
        product(queries, keys, scale, &mut Target { values: &mut shares, step: count });
        shares.chunks_exact_mut(count).for_each(softmax);
        let shares = Matrix { values: &shares, shape: (count, count), steps: (count, 1) };
        product(shares, values, 1.0, &mut Target { values: &mut taken[from..], step: width });
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pieces and two heads of one number. The first head's queries are 0, so each piece
    /// takes the mean of the values 1 and 3; the second head's query 1 meets keys 0 and ln 3, so
    /// the shares are 1/4 and 3/4 of the values 4 and 8.
    #[test]
    fn heads_take_their_own_shares() {
        let ln_3 = 1.098_612_3;
        let first = [0.0, 1.0, 5.0, 0.0, 1.0, 4.0];
        let second = [0.0, 1.0, -5.0, ln_3, 3.0, 8.0];
        let taken = attention(&[first, second].concat(), 2, 2);
        for (found, expected) in taken.iter().zip([2.0, 7.0, 2.0, 7.0]) {
            assert!((found - expected).abs() < 1e-5, "{taken:?}");
        }
    }
}
