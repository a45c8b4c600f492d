//! Several rows in one statement.
//!
//! A statement costs two switches between threads, whatever it does; requests that come
//! together therefore share one. Statements have 1, 2, 4… rows, so that a handful of texts
//! serves every number of rows and stays prepared.

use std::fmt::Write as _;

/// The most rows in one statement. A statement that stays prepared takes memory for every row.
const ROWS_MAX: usize = 64;

/// Cuts rows into pieces of 64, 32, 16, 8, 4, 2 and 1.
pub(crate) fn pieces<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let length = match rows.len() {
            0 => return None,
            length if length >= ROWS_MAX => ROWS_MAX,
            length => 1 << length.ilog2(),
        };
        let (piece, rest) = rows.split_at(length);
        rows = rest;
        Some(piece)
    })
}

/// `($1, $2), ($3, $4)`: places for so many rows of so many columns.
pub(crate) fn numbered_places(rows: usize, columns: usize) -> String {
    let mut places = String::with_capacity(rows * columns * 6);
    for row in 0..rows {
        places.push_str(if row == 0 { "(" } else { "), (" });
        for column in 0..columns {
            let comma = if column == 0 { "" } else { ", " };
            // Writing to a text cannot fail.
            let _ = write!(places, "{comma}${}", row * columns + column + 1);
        }
    }
    places.push(')');
    places
}

/// `(?, ?), (?, ?)`: the same in their order and without numbers. SQLite looks up the name of
/// every place among all others, and these have none.
pub(crate) fn plain_places(rows: usize, columns: usize) -> String {
    let row = format!("(?{})", ", ?".repeat(columns.saturating_sub(1)));
    let mut places = String::with_capacity(rows * (row.len() + 2));
    for number in 0..rows {
        places.push_str(if number == 0 { "" } else { ", " });
        places.push_str(&row);
    }
    places
}

/// `$1, $2, $3`: places for so many values.
pub(crate) fn list(values: usize) -> String {
    list_from(1, values)
}

/// `$3, $4`: the same from a number on.
pub(crate) fn list_from(first: usize, values: usize) -> String {
    let mut places = String::with_capacity(values * 5);
    for value in first..first + values {
        let comma = if value == first { "" } else { ", " };
        let _ = write!(places, "{comma}${value}");
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_cut_into_powers_of_two() {
        let lengths = |rows: usize| pieces(&vec![0; rows]).map(<[i32]>::len).collect::<Vec<_>>();
        assert_eq!(lengths(0), [0; 0]);
        assert_eq!(lengths(1), [1]);
        assert_eq!(lengths(30), [16, 8, 4, 2]);
        assert_eq!(lengths(129), [64, 64, 1]);
    }

    #[test]
    fn places_are_numbered_through() {
        assert_eq!(numbered_places(2, 3), "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(plain_places(2, 3), "(?, ?, ?), (?, ?, ?)");
        assert_eq!(plain_places(1, 1), "(?)");
        assert_eq!(list(2), "$1, $2");
        assert_eq!(list_from(3, 2), "$3, $4");
    }
}
