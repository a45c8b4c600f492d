//! Columns without a header, as MS MARCO has them.

use std::path::Path;

use super::error::{RankedError, Result};
use super::fields::Fields;
use super::format::Value;
use super::lists::{Lists, ListsBuilder};
use super::number;

/// Reads `query document rank [score]` of a run, or `query document level` of qrels.
pub(super) fn read<V: Value>(path: &Path, text: &[u8]) -> Result<Lists<V>> {
    let mut builder = ListsBuilder::new();
    let mut fields = Fields::new(text, 0);
    while fields.skip_to_content() {
        let start = fields.at();
        let taken: Vec<&[u8]> = std::iter::repeat_with(|| fields.take())
            .take_while(|(start, end)| start < end)
            .map(|(start, end)| &text[start..end])
            .collect();
        let (query, document, value) = match *taken.as_slice() {
            [query, document, number] => {
                let value = number::parse(number)
                    .and_then(|number| V::of_rank(number).or_else(|| V::of(number)));
                (query, document, value)
            }
            [query, document, _, score] => (query, document, number::parse(score).and_then(V::of)),
            _ => return Err(wrong::<V>(path, text, start)),
        };
        let value = value.ok_or_else(|| wrong::<V>(path, text, start))?;
        builder.push(query, document, value);
        fields.next_line();
    }
    Ok(builder.finish())
}

fn wrong<V: Value>(path: &Path, text: &[u8], start: usize) -> RankedError {
    let line = text[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    RankedError::Line {
        file: path.to_owned(),
        line: memchr::memchr_iter(b'\n', &text[..start]).count() as u64 + 1,
        column: 1,
        expected: format!("a query, a document and {}", V::WHAT),
        found: format!("`{}`", String::from_utf8_lossy(line.trim_ascii())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<Vec<f64>, String> {
        let lists: Lists<f64> =
            read(Path::new("run"), text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(lists.items(0).iter().map(|item| item.value).collect())
    }

    #[test]
    fn ranks_become_scores_that_fall_and_scores_stay() {
        assert_eq!(run("1\t7\t1\r\n1\t8\t2\r\n"), Ok(vec![-1.0, -2.0]));
        assert_eq!(run("1 7 1 9.5\n1 8 2 3\n"), Ok(vec![9.5, 3.0]));
        let levels: Lists<i32> = read(Path::new("qrels"), b"1\t7\t2\n").unwrap();
        assert_eq!(levels.items(0)[0].value, 2);
    }

    #[test]
    fn a_line_of_another_shape_is_named() {
        let error = run("1 7 1\n1 8\n").unwrap_err();
        assert_eq!(
            error,
            "run:2:1: expected a query, a document and a score that is a number, found `1 8`"
        );
    }
}
