//! Several rows in one statement.
//!
//! A statement costs two switches between threads, whatever it does; requests that come
//! together therefore share one. Statements have 1, 2, 4… rows, so that a handful of texts
//! serves every number of rows and stays prepared.

/// The most rows in one statement; SQLite looks up every place by its name, one after the
/// other, so that many are slow again.
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
pub(crate) fn places(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let column = |column: usize| format!("${}", row * columns + column + 1);
        format!("({})", (0..columns).map(column).collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// `$1, $2, $3`: places for so many values.
pub(crate) fn list(values: usize) -> String {
    (1..=values).map(|value| format!("${value}")).collect::<Vec<_>>().join(", ")
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
        assert_eq!(places(2, 3), "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(list(2), "$1, $2");
    }
}
