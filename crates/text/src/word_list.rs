//! Lists of words that are data files.

/// The entries of a list, one a line; a line that begins with `#` is a remark.
///
/// ```
/// assert_eq!(assize_text::word_list("# signs\nand\n or \n\n"), ["and", "or"]);
/// ```
pub fn word_list(text: &'static str) -> Vec<&'static str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The same of pairs, parted by the first blank.
pub fn word_pairs(text: &'static str) -> Vec<(&'static str, &'static str)> {
    word_list(text).into_iter().filter_map(|line| line.split_once(' ')).collect()
}

/// The same of words with numbers.
pub fn word_values(text: &'static str) -> Vec<(&'static str, f64)> {
    let pairs = word_pairs(text).into_iter();
    pairs.filter_map(|(word, value)| Some((word, value.parse().ok()?))).collect()
}
