//! The part of a source that has nearly the words of a quotation.
//!
//! A window as long as the quotation slides over the source and counts common words;
//! the few best windows are then aligned word by word. So the cost is that of one walk
//! over the source, whatever the quotation.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::python::is_alnum_char;

/// Longer quotations are not looked for nearly: aligning is quadratic in the quotation, and a
/// judge that quotes a page has not quoted.
const QUOTED_WORDS_MAX: usize = 400;
/// How many windows are aligned. Counting common words ranks windows well but not perfectly,
/// so the runners-up get a chance too.
const WINDOWS_MAX: usize = 3;
/// Words that turn a statement around.
const NEGATIONS: [&str; 8] = ["not", "no", "never", "nor", "none", "neither", "cannot", "without"];

/// The words of a source, numbered.
#[derive(Debug)]
pub(super) struct Words {
    numbers: BTreeMap<Box<str>, u32>,
    /// The number of each word of the source, and where it stands.
    sequence: Vec<(u32, Range<usize>)>,
}

/// A part of the source that is near enough.
#[derive(Debug)]
pub(super) struct Near {
    pub(super) range: Range<usize>,
    pub(super) similarity: f64,
}

/// The runs of letters and digits of a text, with where they begin.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = rest.trim_start_matches(|c| !is_alnum_char(c));
        let length = from.find(|c| !is_alnum_char(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(length);
        let start = text.len() - from.len();
        rest = after;
        (!word.is_empty()).then_some((start, word))
    })
}

impl Words {
    pub(super) fn new(text: &str) -> Self {
        let mut numbers = BTreeMap::new();
        let mut sequence = Vec::new();
        for (start, word) in words_of(text) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            let number = match numbers.get(word) {
                Some(number) => *number,
                None => *numbers.entry(word.into()).or_insert(next),
            };
            sequence.push((number, start..start + word.len()));
        }
        Self { numbers, sequence }
    }

    /// The part of `text`, the source, that is nearest to the quotation.
    pub(super) fn nearest(&self, text: &str, quoted: &str, similarity_min: f64) -> Option<Near> {
        let quoted: Vec<&str> =
            words_of(quoted).map(|(_, word)| word).take(QUOTED_WORDS_MAX + 1).collect();
        if quoted.is_empty() || quoted.len() > QUOTED_WORDS_MAX {
            return None;
        }
        let numbers: Vec<Option<u32>> =
            quoted.iter().map(|word| self.numbers.get(*word).copied()).collect();
        let known = numbers.iter().flatten().count();
        // No part can be nearer than one of exactly the known words.
        if similarity(known, numbers.len(), known) < similarity_min {
            return None;
        }
        let mut best: Option<Near> = None;
        for window in self.best_windows(&numbers) {
            let aligned = align(&numbers, &self.sequence[window.clone()]);
            let Some((common, first, last)) = aligned else { continue };
            let words = &self.sequence[window.start + first..=window.start + last];
            let similarity = similarity(common, quoted.len(), words.len());
            let range = words[0].1.start..words[words.len() - 1].1.end;
            if similarity >= similarity_min
                && best.as_ref().is_none_or(|best| similarity > best.similarity)
                && says_the_same(&quoted, &text[range.clone()])
            {
                best = Some(Near { range, similarity });
            }
        }
        best
    }

    /// The parts of the source with the most words in common, with room on both sides.
    fn best_windows(&self, quoted: &[Option<u32>]) -> Vec<Range<usize>> {
        let length = quoted.len();
        let mut missing = vec![0_i32; self.numbers.len()];
        for number in quoted.iter().flatten() {
            missing[*number as usize] += 1;
        }
        // The best start of each block of starts, so that neighbours count once.
        let block = length / 2 + 1;
        let mut starts: Vec<(usize, usize)> = Vec::new();
        let mut common = 0_usize;
        for (index, (number, _)) in self.sequence.iter().enumerate() {
            let left = &mut missing[*number as usize];
            common += usize::from(*left > 0);
            *left -= 1;
            let start = (index + 1).saturating_sub(length);
            if index >= length {
                let left = &mut missing[self.sequence[index - length].0 as usize];
                *left += 1;
                common -= usize::from(*left > 0);
            }
            match starts.last_mut() {
                Some(last) if last.1 / block == start / block => {
                    if common > last.0 {
                        *last = (common, start);
                    }
                }
                _ => starts.push((common, start)),
            }
        }
        starts.sort_by_key(|(common, start)| (std::cmp::Reverse(*common), *start));
        let room = length / 4 + 2;
        starts
            .iter()
            .take(WINDOWS_MAX)
            .map(|(_, start)| {
                start.saturating_sub(room)..(start + length + room).min(self.sequence.len())
            })
            .collect()
    }
}

/// `2 * common / (quoted + found)`.
fn similarity(common: usize, quoted: usize, found: usize) -> f64 {
    if quoted + found == 0 { 0.0 } else { (2 * common) as f64 / (quoted + found) as f64 }
}

/// Whether every number of the quotation is in the part, and as many negations.
fn says_the_same(quoted: &[&str], part: &str) -> bool {
    let found: Vec<&str> = words_of(part).map(|(_, word)| word).collect();
    let count = |words: &[&str], wanted: &str| words.iter().filter(|word| **word == wanted).count();
    let negations = |words: &[&str]| words.iter().filter(|word| NEGATIONS.contains(word)).count();
    let is_number = |word: &&&str| word.contains(|c: char| c.is_ascii_digit());
    negations(quoted) == negations(&found)
        && quoted.iter().filter(is_number).all(|word| count(&found, word) >= count(quoted, word))
}

/// The best alignment so far of the start of a quotation with the start of a window.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// Two for each common word, less one for each word left out on either side.
    score: i32,
    common: usize,
    first: usize,
    last: usize,
}

/// Aligns a quotation with a part of the window; how many words they have in common,
/// and the first and last of the window that belong to the part.
fn align(quoted: &[Option<u32>], window: &[(u32, Range<usize>)]) -> Option<(usize, usize, usize)> {
    let mut above = vec![Cell::default(); window.len() + 1];
    for number in quoted {
        let mut diagonal = above[0];
        above[0].score -= 1;
        for (index, (other, _)) in window.iter().enumerate() {
            let matched = (Some(*other) == *number).then(|| Cell {
                score: diagonal.score + 2,
                common: diagonal.common + 1,
                first: if diagonal.common == 0 { index } else { diagonal.first },
                last: index,
            });
            let up = above[index + 1];
            let left = above[index];
            let skip_quoted = Cell { score: up.score - 1, ..up };
            let skip_found = Cell { score: left.score - i32::from(left.common > 0), ..left };
            diagonal = up;
            above[index + 1] = [Some(skip_quoted), matched, Some(skip_found)]
                .into_iter()
                .flatten()
                .reduce(|best, cell| if cell.score > best.score { cell } else { best })
                .unwrap_or_default();
        }
    }
    let best =
        above.into_iter().reduce(|best, cell| if cell.score > best.score { cell } else { best })?;
    (best.common > 0).then_some((best.common, best.first, best.last))
}
