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
