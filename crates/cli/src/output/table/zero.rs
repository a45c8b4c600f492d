//! A number that is zero as it is shown has no sign: `-0.0000` says less than nothing.

use super::Heading;

/// Takes the minus from what is shown as zero; a column that shows its signs gets a plus.
pub(super) fn unsigned(headings: &[Heading], rows: &mut [Vec<String>]) {
    for (column, heading) in headings.iter().enumerate() {
        let has_plus = |row: &Vec<String>| row.get(column).is_some_and(|cell| cell.contains('+'));
        let sign = if rows.iter().any(has_plus) { "+" } else { "" };
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            if heading.number || cell.starts_with('[') {
                *cell = without_minus(cell, sign);
            }
        }
    }
}

fn without_minus(cell: &str, sign: &str) -> String {
    let is_part = |character: char| matches!(character, '-' | '.') || character.is_ascii_digit();
    let (mut text, mut rest) = (String::new(), cell);
    while !rest.is_empty() {
        let number = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(number);
        match word.strip_prefix('-') {
            Some(zero) if is_zero(zero) => text.extend([sign, zero]),
            _ => text.push_str(word),
        }
        let other = after.find(is_part).unwrap_or(after.len());
        text.push_str(&after[..other]);
        rest = &after[other..];
    }
    text
}

fn is_zero(text: &str) -> bool {
    text.contains('0') && text.chars().all(|character| matches!(character, '0' | '.'))
}

#[cfg(test)]
mod tests {
    use super::super::{numbers, words};
    use super::*;

    #[test]
    fn what_is_shown_as_zero_has_no_minus() {
        let headings = [words("id"), numbers("mean"), numbers("difference"), words("interval")];
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let mut rows = vec![
            row(["-0.0", "-0.0000", "-0.0000", "[-0.000, +0.001]"]),
            row(["b", "-0.0001", "+0.5000", "[-0.001, -0.000]"]),
        ];
        unsigned(&headings, &mut rows);
        assert_eq!(rows[0], ["-0.0", "0.0000", "+0.0000", "[+0.000, +0.001]"]);
        assert_eq!(rows[1], ["b", "-0.0001", "+0.5000", "[-0.001, +0.000]"]);
    }

    #[test]
    fn a_dash_and_a_date_are_no_zero() {
        for cell in ["-", "–", "2026-00-00", "-0.0100", ""] {
            assert_eq!(without_minus(cell, ""), cell);
        }
    }
}
