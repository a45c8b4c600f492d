//! Where a page of a list ended, as a word that fits into an address.

/// The value that the list is sorted by, and the position, of the last row of a page.
pub type Place = (f64, i64);

/// As a word: the bits of the value and the position.
pub fn write((value, position): Place) -> String {
    format!("{:x}-{position}", value.to_bits())
}

/// From a word; whatever is none, such as a word that somebody made up, begins the list.
pub fn read(word: &str) -> Option<Place> {
    let (bits, position) = word.split_once('-')?;
    let value = f64::from_bits(u64::from_str_radix(bits, 16).ok()?);
    Some((value, position.parse().ok()?)).filter(|(value, _)| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_to_the_bit_and_nonsense_begins_the_list() {
        for place in [(0.1 + 0.2, 7), (-73.5, 0), (1e300, i64::MAX)] {
            assert_eq!(read(&write(place)), Some(place));
        }
        assert_eq!(read("ffffffffffffffff-1"), None);
        assert_eq!((read(""), read("x-1"), read("1-x")), (None, None, None));
    }
}
