//! Who sees the answers in which order: counterbalanced over the reviewers, by seed.
//!
//! The orders are rows of a Williams square: over a full set of rows each answer stands
//! equally often in every place and follows every other equally often. The seed decides
//! which answer plays which part and which reviewer gets which row.
//!
//! Reference: Williams (1949), Australian Journal of Scientific Research 2(2).

use assize_stats::resample::Generator;
use serde::{Deserialize, Serialize};

use super::label::label;

/// The order in which one reviewer sees the answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// The answers by their number in the record; the first is Response A.
    pub order: Vec<usize>,
}

impl Seating {
    /// The labels in the order of the seats.
    pub fn labels(&self) -> Vec<String> {
        (0..self.order.len()).map(label).collect()
    }

    /// The same without one answer: for a reviewer who is not to see its own.
    #[must_use]
    pub fn without(mut self, answer: usize) -> Self {
        self.order.retain(|seated| *seated != answer);
        self
    }

    /// Where an answer stands, from 0.
    pub fn seat_of(&self, answer: usize) -> Option<usize> {
        self.order.iter().position(|seated| *seated == answer)
    }
}

/// A seating for each reviewer. `shown` are the answers by their number in the record.
///
/// ```
/// use assize_methods::council::seating::seatings;
/// let rows = seatings(&[0, 1, 2, 3], 4, 7);
/// // Four reviewers of four answers: each answer stands once in every place.
/// for place in 0..4 {
///     let mut seen: Vec<usize> = rows.iter().map(|row| row.order[place]).collect();
///     seen.sort();
///     assert_eq!(seen, [0, 1, 2, 3]);
/// }
/// ```
pub fn seatings(shown: &[usize], reviewers: usize, seed: u64) -> Vec<Seating> {
    let mut generator = Generator::stream(seed, 0);
    let mut players = shown.to_vec();
    players.sort_unstable();
    generator.shuffle(&mut players);
    let mut rows = williams(players.len());
    // Whole squares are shuffled one by one, so that any number of reviewers is balanced as
    // far as it can be.
    for square in rows.chunks_mut(players.len().max(1)) {
        generator.shuffle(square);
    }
    let seated = |row: &Vec<usize>| row.iter().map(|part| players[*part]).collect();
    let mut seatings = Vec::with_capacity(reviewers);
    for reviewer in 0..reviewers {
        let order = rows.get(reviewer % rows.len().max(1)).map(seated).unwrap_or_default();
        seatings.push(Seating { order });
    }
    seatings
}

/// The rows of a Williams square: one square for an even number, two for an odd one.
fn williams(size: usize) -> Vec<Vec<usize>> {
    let zigzag: Vec<usize> = (0..size)
        .map(|place| if place % 2 == 0 { place / 2 } else { size - place.div_ceil(2) })
        .collect();
    let row =
        |shift: usize| -> Vec<usize> { zigzag.iter().map(|part| (part + shift) % size).collect() };
    let mut rows: Vec<Vec<usize>> = (0..size).map(row).collect();
    if size % 2 == 1 && size > 1 {
        let mirrored: Vec<Vec<usize>> =
            rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
        rows.extend(mirrored);
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_full_set_of_rows_lets_each_answer_follow_each_other_equally_often() {
        for size in 2..=7_usize {
            let rows = williams(size);
            let mut follows = vec![vec![0; size]; size];
            for pair in rows.iter().flat_map(|row| row.windows(2)) {
                follows[pair[0]][pair[1]] += 1;
            }
            let expected = rows.len() / size;
            for (first, row) in follows.iter().enumerate() {
                for (second, count) in row.iter().enumerate() {
                    let expected = if first == second { 0 } else { expected };
                    assert_eq!(*count, expected, "{size} answers, {first} before {second}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_place_is_favoured(size in 1_usize..8, reviewers in 1_usize..20, seed: u64) {
            let shown: Vec<usize> = (10..10 + size).collect();
            let rows = seatings(&shown, reviewers, seed);
            prop_assert_eq!(&rows, &seatings(&shown, reviewers, seed));
            for answer in &shown {
                for place in 0..size {
                    let times = rows.iter().filter(|row| row.order[place] == *answer).count();
                    prop_assert!(times.abs_diff(reviewers / size) <= 1);
                }
            }
        }
    }
}
