//! The Unicode facts behind [`super`], read once from `data/python_unicode.txt`.

use std::sync::LazyLock;

pub(super) const WORD: u8 = 1;
pub(super) const DIGIT: u8 = 1 << 1;
pub(super) const ALNUM: u8 = 1 << 2;
pub(super) const UPPER: u8 = 1 << 3;
pub(super) const LOWER: u8 = 1 << 4;
/// A cased letter, where the final sigma rule looks for one.
pub(super) const CASED: u8 = 1 << 5;
/// A character that the final sigma rule looks past.
pub(super) const SKIPPED: u8 = 1 << 6;
/// `str.lower` changes this character.
pub(super) const LOWERS: u8 = 1 << 7;

const SOURCE: &str = include_str!("../../data/python_unicode.txt");

/// Code points below this are looked up directly; few scripts lie above.
const DENSE_END: usize = 0x2_0000;

struct Properties {
    dense: Vec<u8>,
    sparse: Vec<(u32, u32, u8)>,
    lower: Vec<LowerRun>,
}

/// Letters from `first` to `last` that have the flag [`LOWERS`] are lowered by adding `delta`.
struct LowerRun {
    first: u32,
    last: u32,
    delta: i32,
}

static PROPERTIES: LazyLock<Properties> = LazyLock::new(read);

/// All flags of a character.
pub(super) fn flags(c: char) -> u8 {
    let code = c as usize;
    if let Some(found) = PROPERTIES.dense.get(code) {
        return *found;
    }
    let code = c as u32;
    let sparse = &PROPERTIES.sparse;
    let index = sparse.partition_point(|run| run.1 < code);
    sparse.get(index).filter(|run| run.0 <= code).map_or(0, |run| run.2)
}

/// The lower case of a character, if that is one letter; else the character itself.
pub(super) fn lowered(c: char) -> char {
    if flags(c) & LOWERS == 0 {
        return c;
    }
    let code = c as u32;
    let runs = &PROPERTIES.lower;
    let index = runs.partition_point(|run| run.last < code);
    runs.get(index)
        .filter(|run| run.first <= code)
        .and_then(|run| code.checked_add_signed(run.delta))
        .and_then(char::from_u32)
        .unwrap_or(c)
}

fn read() -> Properties {
    let mut properties =
        Properties { dense: vec![0; DENSE_END], sparse: Vec::new(), lower: Vec::new() };
    for line in SOURCE.lines() {
        let (range, value) = line.split_once(' ').expect("the data file has two columns");
        if let Some((range, _step)) = range.split_once('/') {
            let (first, last) = read_range(range);
            let delta = i32::from_str_radix(value, 16).expect("a delta is hexadecimal");
            properties.lower.push(LowerRun { first, last, delta });
            continue;
        }
        let (first, last) = read_range(range);
        let flags = u8::from_str_radix(value, 16).expect("flags are hexadecimal");
        if (last as usize) < DENSE_END {
            properties.dense[first as usize..=last as usize].fill(flags);
        } else {
            properties.sparse.push((first, last, flags));
        }
    }
    properties
}

fn read_range(range: &str) -> (u32, u32) {
    let (first, last) = range.split_once('-').expect("a range has two ends");
    let code = |digits| u32::from_str_radix(digits, 16).expect("a code point is hexadecimal");
    (code(first), code(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts were taken in Python 3.11.7 with `sum(map(str.isalnum, …))` and so on.
    #[test]
    fn the_table_holds_as_many_code_points_as_python_counts() {
        let count = |flag| (char::MIN..=char::MAX).filter(|c| flags(*c) & flag != 0).count();
        assert_eq!(count(ALNUM), 133_547);
        assert_eq!(count(UPPER), 1_951);
        assert_eq!(count(LOWER), 2_471);
        assert_eq!(count(LOWERS), 1_433);
        assert_eq!(count(DIGIT), 770);
        assert_eq!(count(WORD), 162_226);
    }

    #[test]
    fn every_lower_case_mapping_of_one_letter_changes_it() {
        for c in (char::MIN..=char::MAX).filter(|c| flags(*c) & LOWERS != 0 && *c != 'İ') {
            assert_ne!(lowered(c), c);
            assert_eq!(flags(lowered(c)) & LOWERS, 0, "{c:?} lowers twice");
        }
    }
}
