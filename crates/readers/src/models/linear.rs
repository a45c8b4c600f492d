//! Products of matrices: rows in memory one after the other.

use matrixmultiply::sgemm;

use super::weights::Weights;
use crate::Result;

/// A product with learnt numbers, and learnt numbers added.
#[derive(Debug)]
pub(super) struct Linear {
    inputs: usize,
    outputs: usize,
    /// A row for each input: turned once when it is read, because it is used for every text, and
    /// products with rows that lie the other way take a fifth longer.
    factors: Vec<f32>,
    added: Vec<f32>,
}

impl Linear {
    /// Reads `NAME.weight` and `NAME.bias`, which must have these shapes.
    pub(super) fn read(
        weights: &Weights,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self> {
        let by_output = weights.numbers(&format!("{name}.weight"), &[outputs, inputs])?;
        let factors = turned(&by_output, inputs, outputs);
        let added = weights.values(&format!("{name}.bias"), &[outputs])?;
        Ok(Self { inputs, outputs, factors, added })
    }

    /// The outputs for rows of inputs.
    pub(super) fn of(&self, rows: &[f32]) -> Vec<f32> {
        let count = rows.len() / self.inputs;
        let mut outputs = self.added.repeat(count);
        product(
            Matrix { values: rows, shape: (count, self.inputs), steps: (self.inputs, 1) },
            Matrix {
                values: &self.factors,
                shape: (self.inputs, self.outputs),
                steps: (self.outputs, 1),
            },
            1.0,
            &mut Target { values: &mut outputs, step: self.outputs },
        );
        outputs
    }
}

/// Rows of inputs from rows of outputs, in squares that fit into the processor's nearest cache.
fn turned(by_output: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    const SIDE: usize = 32;
    let mut factors = vec![0.0; by_output.len()];
    for first_output in (0..outputs).step_by(SIDE) {
        for first_input in (0..inputs).step_by(SIDE) {
            for output in first_output..(first_output + SIDE).min(outputs) {
                for input in first_input..(first_input + SIDE).min(inputs) {
                    factors[input * outputs + output] = by_output[output * inputs + input];
                }
            }
        }
    }
    factors
}

/// Numbers in rows and columns, somewhere in a slice.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) values: &'a [f32],
    /// Rows and columns.
    pub(super) shape: (usize, usize),
    /// How far apart the rows and the columns are.
    pub(super) steps: (usize, usize),
}

impl Matrix<'_> {
    /// Rows as columns and columns as rows.
    pub(super) fn turned(self) -> Self {
        let ((rows, columns), (by_row, by_column)) = (self.shape, self.steps);
        Self { values: self.values, shape: (columns, rows), steps: (by_column, by_row) }
    }
}

/// Where a product is added to: columns side by side, rows a step apart.
pub(super) struct Target<'a> {
    pub(super) values: &'a mut [f32],
    pub(super) step: usize,
}

/// Adds the product of two matrices, times a factor, to the target.
#[expect(unsafe_code, reason = "the product takes pointers; every place it may touch is checked")]
pub(super) fn product(left: Matrix<'_>, right: Matrix<'_>, factor: f32, target: &mut Target<'_>) {
    let ((rows, shared), columns) = (left.shape, right.shape.1);
    assert_eq!(shared, right.shape.0, "the columns of one are the rows of the other");
    if rows == 0 || columns == 0 {
        return;
    }
    let last = |matrix: &Matrix<'_>| {
        let (rows, columns) = matrix.shape;
        rows.saturating_sub(1) * matrix.steps.0 + columns.saturating_sub(1) * matrix.steps.1
    };
    assert!(shared == 0 || last(&left) < left.values.len(), "the left matrix is whole");
    assert!(shared == 0 || last(&right) < right.values.len(), "the right matrix is whole");
    assert!(columns <= target.step, "rows of the target do not overlap");
    assert!((rows - 1) * target.step + columns <= target.values.len(), "the target has room");
    // SAFETY: the asserts above say that the last number of each matrix lies within its slice,
    // and steps are never negative, so that no number before it lies outside; the target is
    // borrowed mutably and so overlaps neither.
    unsafe {
        sgemm(
            rows,
            shared,
            columns,
            factor,
            left.values.as_ptr(),
            left.steps.0.cast_signed(),
            left.steps.1.cast_signed(),
            right.values.as_ptr(),
            right.steps.0.cast_signed(),
            right.steps.1.cast_signed(),
            1.0,
            target.values.as_mut_ptr(),
            target.step.cast_signed(),
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_multiplied_and_numbers_added() {
        // Two outputs of three inputs: 1·a + 2·b + 3·c + 10 and 4·a + 5·b + 6·c + 20.
        let factors = turned(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3, 2);
        assert_eq!(factors, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        let linear = Linear { inputs: 3, outputs: 2, factors, added: vec![10.0, 20.0] };
        assert_eq!(linear.of(&[1.0, 1.0, 1.0, 1.0, 0.0, 2.0]), [16.0, 35.0, 17.0, 36.0]);
        assert!(linear.of(&[]).is_empty());
    }

    #[test]
    #[should_panic(expected = "the right matrix is whole")]
    fn a_matrix_that_is_cut_short_is_refused() {
        let left = Matrix { values: &[1.0, 2.0], shape: (1, 2), steps: (2, 1) };
        let right = Matrix { values: &[1.0], shape: (2, 1), steps: (1, 1) };
        product(left, right, 1.0, &mut Target { values: &mut [0.0], step: 1 });
    }
}
