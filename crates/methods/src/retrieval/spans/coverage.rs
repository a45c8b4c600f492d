//! How many characters were retrieved, how many are gold, and how many are both.

use std::borrow::Cow;

use super::location::{Location, Span};

/// A range in a file whose path is comparable.
type Piece<'a> = (Cow<'a, str>, Span);

/// The characters of one query, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// How many characters were retrieved.
    pub retrieved: u64,
    /// How many characters are gold.
    pub gold: u64,
    /// How many were retrieved of each piece of gold.
    pub shared: Vec<u64>,
}

impl Coverage {
    /// Counts every character once: pieces of a file that overlap are merged first.
    pub fn merged(retrieved: &[&Location<'_>], gold: &[&Location<'_>]) -> Self {
        count(&merge(pieces(retrieved)), &merge(pieces(gold)))
    }

    /// Counts as LegalBench-RAG does: each retrieved piece by itself, so that text
    /// retrieved twice counts twice and recall can pass 1.
    pub(crate) fn piece_by_piece(retrieved: &[&Location<'_>], gold: &[&Location<'_>]) -> Self {
        count(&pieces(retrieved), &pieces(gold))
    }
}

fn pieces<'a>(locations: &[&'a Location<'_>]) -> Vec<Piece<'a>> {
    locations.iter().map(|location| (location.comparable_path(), location.span)).collect()
}

/// Pieces by file and place, with no two that overlap or touch.
fn merge(mut pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    pieces.sort_unstable();
    let mut merged: Vec<Piece<'_>> = Vec::with_capacity(pieces.len());
    for (path, span) in pieces {
        match merged.last_mut() {
            Some((last_path, last)) if *last_path == path && span.start() <= last.end() => {
                *last = last.extended_to(span.end());
            }
            _ => merged.push((path, span)),
        }
    }
    merged
}

fn count(retrieved: &[Piece<'_>], gold: &[Piece<'_>]) -> Coverage {
    let length = |pieces: &[Piece<'_>]| pieces.iter().map(|(_, span)| span.length()).sum();
    let shared_with = |(gold_path, gold_span): &Piece<'_>| {
        let same_file = retrieved.iter().filter(|(path, _)| path == gold_path);
        same_file.map(|(_, span)| span.shared_with(*gold_span)).sum()
    };
    Coverage {
        retrieved: length(retrieved),
        gold: length(gold),
        shared: gold.iter().map(shared_with).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &'static str, start: u64, end: u64) -> Location<'static> {
        Location { file_path: path.into(), span: Span::new(start, end).unwrap() }
    }

    #[test]
    fn text_retrieved_twice_counts_once_when_merged() {
        let (first, second) = (at("a", 0, 60), at("a", 40, 100));
        let gold = at("a", 50, 70);
        let merged = Coverage::merged(&[&first, &second], &[&gold]);
        assert_eq!(merged, Coverage { retrieved: 100, gold: 20, shared: vec![20] });
        // Piece by piece: 60 + 60 characters, of which 10 + 20 are gold.
        let theirs = Coverage::piece_by_piece(&[&first, &second], &[&gold]);
        assert_eq!(theirs, Coverage { retrieved: 120, gold: 20, shared: vec![30] });
    }

    #[test]
    fn a_piece_inside_another_does_not_shorten_it() {
        let (outer, inner) = (at("a", 0, 100), at("a", 10, 20));
        let gold = at("a", 90, 110);
        let merged = Coverage::merged(&[&inner, &outer], &[&gold]);
        assert_eq!(merged, Coverage { retrieved: 100, gold: 20, shared: vec![10] });
    }

    #[test]
    fn the_same_place_in_another_file_is_another_place() {
        let coverage = Coverage::merged(&[&at("a", 0, 10)], &[&at("b", 0, 10)]);
        assert_eq!(coverage, Coverage { retrieved: 10, gold: 10, shared: vec![0] });
    }
}
