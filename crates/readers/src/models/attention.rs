//! Every token of a text looks at every other, several times side by side.

use super::functions::softmax_rows;
use super::linear::{Matrix, Target, product};
use super::places::Distances;

/// The rows of one text: the queries of its first tokens or of all, the keys and values of all, each
/// of `width` numbers.
#[derive(Clone, Copy)]
pub(super) struct Looks<'a> {
    pub(super) queries: &'a [f32],
    pub(super) keys: &'a [f32],
    pub(super) values: &'a [f32],
}

/// What the distance between two tokens adds to the weight of one for the other.
#[derive(Debug)]
pub(super) enum Relative {
    /// Nothing: places were added to the tokens before the first layer.
    Nothing,
    /// A learnt number for each distance and head: rows of `heads` numbers.
    Added { distances: Distances, table: Vec<f32> },
    /// Learnt directions for each distance that queries and keys are compared with: rows of
    /// `width` numbers, which may be missing.
    Compared { distances: Distances, keys: Option<Vec<f32>>, queries: Option<Vec<f32>> },
}

impl Relative {
    /// How many products the weight of one token for another is the sum of.
    fn terms(&self) -> usize {
        match self {
            Self::Nothing | Self::Added { .. } => 1,
            Self::Compared { keys, queries, .. } => {
                1 + usize::from(keys.is_some()) + usize::from(queries.is_some())
            }
        }
    }
}

/// How the numbers of a row are shared among heads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heads {
    pub(super) width: usize,
    pub(super) count: usize,
}

/// What the tokens of one text take from all of them: `width` numbers a query.
pub(super) fn attention(looks: Looks<'_>, heads: Heads, relative: &Relative) -> Vec<f32> {
    let Heads { width, count: heads_count } = heads;
    let (count, asked) = (looks.values.len() / width, looks.queries.len() / width);
    let size = width / heads_count;
    let scale = 1.0 / ((size * relative.terms()) as f32).sqrt();
    let mut taken = vec![0.0; asked * width];
    let mut shares = vec![0.0; asked * count];
    let places = Places::of(relative, count);
    for head in 0..heads_count {
        let from = head * size;
        let queries = by_row(&looks.queries[from..], (asked, size), width);
        let keys = by_row(&looks.keys[from..], (count, size), width);
        let values = by_row(&looks.values[from..], (count, size), width);
        shares.fill(0.0);
        let target = &mut Target { values: &mut shares, step: count };
        product(queries, keys.turned(), scale, target);
        places.add(head, (queries, keys), scale, &mut shares);
        softmax_rows(&mut shares, count);
        let weights = by_row(&shares, (asked, count), count);
        product(weights, values, 1.0, &mut Target { values: &mut taken[from..], step: width });
    }
    taken
}

fn by_row(values: &[f32], shape: (usize, usize), step: usize) -> Matrix<'_> {
    Matrix { values, shape, steps: (step, 1) }
}

/// The distances of one text: `rows[count - 1 + i - j]` is the row for query `i` and key `j`.
struct Places<'a> {
    relative: &'a Relative,
    count: usize,
    rows: Vec<usize>,
}

impl<'a> Places<'a> {
    fn of(relative: &'a Relative, count: usize) -> Self {
        let rows = match relative {
            Relative::Nothing => Vec::new(),
            Relative::Added { distances, .. } | Relative::Compared { distances, .. } => {
                distances.rows(count)
            }
        };
        Self { relative, count, rows }
    }

    /// Adds what the distances of one head say.
    fn add(&self, head: usize, (queries, keys): Looking<'_>, scale: f32, shares: &mut [f32]) {
        match self.relative {
            Relative::Nothing => {}
            Relative::Added { table, distances } => {
                let heads = match distances {
                    Distances::Halves { rows } => table.len() / rows,
                    Distances::Around { span, .. } => table.len() / (2 * span),
                };
                self.add_each(shares, |_, _, row| table[row * heads + head]);
            }
            Relative::Compared { keys: by_key, queries: by_query, .. } => {
                if let Some(table) = by_key {
                    let (found, step, first) = self.compared(queries, table, (head, scale));
                    self.add_each(shares, |query, _, row| found[query * step + row - first]);
                }
                if let Some(table) = by_query {
                    let (found, step, first) = self.compared(keys, table, (head, scale));
                    self.add_each(shares, |_, key, row| found[key * step + row - first]);
                }
            }
        }
    }

    /// The product of each token with each row that a text of this length needs, the length of a
    /// row of the result, and the first row.
    fn compared(
        &self,
        tokens: Matrix<'_>,
        table: &[f32],
        (head, scale): (usize, f32),
    ) -> (Vec<f32>, usize, usize) {
        let (first, last) = (self.rows[0], self.rows[self.rows.len() - 1]);
        let (size, width) = (tokens.shape.1, tokens.steps.0);
        let step = last - first + 1;
        let rows = by_row(&table[first * width + head * size..], (step, size), width);
        let mut found = vec![0.0; tokens.shape.0 * step];
        product(tokens, rows.turned(), scale, &mut Target { values: &mut found, step });
        (found, step, first)
    }

    fn add_each(&self, shares: &mut [f32], of: impl Fn(usize, usize, usize) -> f32) {
        for (query, weights) in shares.chunks_exact_mut(self.count).enumerate() {
            let rows = self.rows[query..query + self.count].iter().rev();
            for (key, (weight, row)) in weights.iter_mut().zip(rows).enumerate() {
                *weight += of(query, key, *row);
            }
        }
    }
}

/// The queries and the keys of one head.
type Looking<'a> = (Matrix<'a>, Matrix<'a>);

#[cfg(test)]
mod tests {
    use super::*;

    const LN_3: f32 = 1.098_612_3;

    fn near(taken: &[f32], expected: [f32; 4]) {
        for (found, expected) in taken.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{taken:?}");
        }
    }

    /// Two tokens and two heads of one number. The first head's queries are 0, so each token
    /// takes the mean of the values 1 and 3; the second head's query 1 meets keys 0 and ln 3, so
    /// the shares are 1/4 and 3/4 of the values 4 and 8.
    #[test]
    fn heads_take_their_own_shares() {
        let looks = Looks {
            queries: &[0.0, 1.0, 0.0, 1.0],
            keys: &[5.0, 0.0, -5.0, LN_3],
            values: &[1.0, 4.0, 3.0, 8.0],
        };
        let heads = Heads { width: 2, count: 2 };
        near(&attention(looks, heads, &Relative::Nothing), [2.0, 7.0, 2.0, 7.0]);
    }

    /// Queries and keys are 0; row 1 of the table (a key that is right after its query, of two
    /// rows for each direction) adds ln 3 in the first head only: the first token takes
    /// 1/4 of 1 and 3/4 of 3, everything else is the mean.
    #[test]
    fn a_distance_adds_its_number_for_its_head() {
        let looks = Looks { queries: &[0.0; 4], keys: &[0.0; 4], values: &[1.0, 4.0, 3.0, 8.0] };
        let table = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [LN_3, 0.0]].concat();
        let relative = Relative::Added { distances: Distances::Halves { rows: 4 }, table };
        let heads = Heads { width: 2, count: 2 };
        near(&attention(looks, heads, &relative), [2.5, 6.0, 2.0, 6.0]);
    }
}
