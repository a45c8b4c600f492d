//! Words of like meaning without a list: how near the words of a statement come to those of a
//! requirement in the table of word vectors.

use assize_text::word_vectors::{self, DIMENSIONS, dot, to_length_one};
use rustc_hash::FxHashMap;

use super::words::is_stop;

/// From which cosine on two words have something in common, and where they mean the same.
const ALIKE_FROM: f32 = 0.3;
const SAME_FROM: f32 = 0.8;

/// A word vector holds whole numbers of this length, so that scalar products are exact.
const LENGTH: f32 = 4096.0;

/// What a word of the heading above counts for a statement.
const ABOVE: f32 = 0.6;

/// The number of a word of the criteria.
pub(super) type WordId = u32;

/// A direction of length one.
pub(super) type Direction = Vec<f32>;

/// A word in lower case, with whether it is denied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain {
    pub lower: String,
    pub is_denied: bool,
}

/// Whether a word in lower case means something by itself.
pub(super) fn has_meaning(lower: &str) -> bool {
    lower.len() > 1
        && lower.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && !is_stop(lower)
}

/// The words of the criteria, each once, with their vectors.
#[derive(Default)]
pub(super) struct Meanings {
    ids: FxHashMap<Box<str>, WordId>,
    vectors: Vec<[i16; DIMENSIONS]>,
    sums: Vec<Vec<f32>>,
}

impl Meanings {
    /// Takes a word in.
    pub(super) fn take(&mut self, lower: &str) {
        if has_meaning(lower) && !self.ids.contains_key(lower) {
            let id = u32::try_from(self.vectors.len()).unwrap_or(u32::MAX);
            let (sum, vector) = vectors(lower);
            self.ids.insert(lower.into(), id);
            self.vectors.push(vector);
            self.sums.push(sum);
        }
    }

    /// What the words of a part point to; they were all taken in before.
    pub(super) fn part(&self, words: &[Plain]) -> Meant {
        let mut meant = Meant { words: Vec::new(), direction: vec![0.0; DIMENSIONS] };
        for word in words {
            let Some(id) = self.ids.get(&*word.lower).copied() else { continue };
            add(&mut meant.direction, &self.sums[id as usize]);
            if !meant.words.iter().any(|(known, _)| *known == id) {
                meant.words.push((id, word.is_denied));
            }
        }
        to_length_one(&mut meant.direction);
        meant
    }

    /// How near each statement of a document comes to each word of the criteria.
    pub(super) fn near(&self, statements: &[Vec<Plain>]) -> Near {
        let mut own: FxHashMap<&str, u32> = FxHashMap::default();
        let (mut known, mut sums) = (Vec::new(), Vec::new());
        // For each word of the document, where it stands.
        let mut places: Vec<Vec<(u32, bool)>> = Vec::new();
        let mut directions = Vec::with_capacity(statements.len());
        for (statement, words) in (0_u32..).zip(statements) {
            let mut direction = vec![0.0; DIMENSIONS];
            for Plain { lower, is_denied } in words {
                let word = *own.entry(lower).or_insert_with(|| {
                    let (sum, vector) = vectors(lower);
                    known.push(vector);
                    sums.push(sum);
                    places.push(Vec::new());
                    u32::try_from(known.len() - 1).unwrap_or(u32::MAX)
                }) as usize;
                add(&mut direction, &sums[word]);
                if places[word].last() != Some(&(statement, *is_denied)) {
                    places[word].push((statement, *is_denied));
                }
            }
            to_length_one(&mut direction);
            directions.push(direction);
        }
        let mut ids: Vec<(&str, WordId)> =
            self.ids.iter().map(|(word, id)| (&**word, *id)).collect();
        ids.sort_unstable_by_key(|(_, id)| *id);
        let mut hits = Vec::with_capacity(ids.len());
        let mut best: Vec<Option<Hit>> = vec![None; statements.len()];
        for (_, id) in ids {
            let vector = &self.vectors[id as usize];
            let mut touched: Vec<u32> = Vec::new();
            for (other, places) in known.iter().zip(&places) {
                let alike = alike(vector, other);
                if alike <= 0.0 {
                    continue;
                }
                for (statement, is_denied) in places {
                    let best = &mut best[*statement as usize];
                    if best.is_none() {
                        touched.push(*statement);
                    }
                    if best.is_none_or(|best| best.alike < alike) {
                        *best = Some(Hit { statement: *statement, alike, is_denied: *is_denied });
                    }
                }
            }
            touched.sort_unstable();
            hits.push(
                touched
                    .into_iter()
                    .filter_map(|statement| best[statement as usize].take())
                    .collect(),
            );
        }
        Near { hits, directions }
    }
}

/// What the words of a part point to.
#[derive(Debug, Clone, Default)]
pub(super) struct Meant {
    /// Its words, with whether they are denied.
    pub words: Vec<(WordId, bool)>,
    /// Where they point together.
    pub direction: Direction,
}

/// The word of a statement that is nearest to a word of the criteria.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hit {
    statement: u32,
    /// 0 to 1.
    alike: f32,
    is_denied: bool,
}

/// A document held against the words of a criteria set.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// For each word of the criteria, the statements that come near it, in order.
    hits: Vec<Vec<Hit>>,
    /// Where each statement points.
    directions: Vec<Direction>,
}

/// How near a statement comes to a part.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Nearness {
    /// The cosine of where both point; never below 0.
    pub direction: f64,
    /// The share of the part's words that a word of the statement comes near to.
    pub words: f64,
    /// The share of the words that are denied on one side only.
    pub contrary: f64,
}

impl Near {
    /// How near every statement comes to a part; `above` names the heading of a statement.
    pub(super) fn to(&self, meant: &Meant, above: impl Fn(usize) -> Option<u32>) -> Vec<Nearness> {
        let count = self.directions.len();
        let mut found = vec![Nearness::default(); count];
        let mut row: Vec<(f32, bool)> = vec![(0.0, false); count];
        for (word, is_denied) in &meant.words {
            let weight = 1.0 / meant.words.len() as f64;
            for hit in &self.hits[*word as usize] {
                row[hit.statement as usize] = (hit.alike, hit.is_denied != *is_denied);
            }
            for (at, found) in found.iter_mut().enumerate() {
                let (own, is_contrary) = row[at];
                let over = above(at).map_or(0.0, |above| ABOVE * row[above as usize].0);
                found.words += weight * f64::from(own.max(over));
                if is_contrary {
                    found.contrary += weight * f64::from(own);
                }
            }
            for hit in &self.hits[*word as usize] {
                row[hit.statement as usize] = (0.0, false);
            }
        }
        for (found, direction) in found.iter_mut().zip(&self.directions) {
            found.direction = f64::from(dot(&meant.direction, direction)).max(0.0);
        }
        found
    }
}

/// How alike two words are, 0 to 1.
fn alike(left: &[i16; DIMENSIONS], right: &[i16; DIMENSIONS]) -> f32 {
    let product: i32 =
        left.iter().zip(right).map(|(left, right)| i32::from(*left) * i32::from(*right)).sum();
    #[expect(clippy::cast_precision_loss, reason = "it is below 2^24 but for rounding")]
    let cosine = product as f32 / (LENGTH * LENGTH);
    ((cosine - ALIKE_FROM) / (SAME_FROM - ALIKE_FROM)).clamp(0.0, 1.0)
}

/// The vector of a word as it is, and as whole numbers of one length.
fn vectors(lower: &str) -> (Vec<f32>, [i16; DIMENSIONS]) {
    let sum = word_vectors::sum(lower);
    let mut scaled = sum.clone();
    to_length_one(&mut scaled);
    let mut whole = [0; DIMENSIONS];
    for (whole, value) in whole.iter_mut().zip(&scaled) {
        #[expect(clippy::cast_possible_truncation, reason = "a number of a vector of length one")]
        let value = (value * LENGTH) as i16;
        *whole = value;
    }
    (sum, whole)
}

fn add(total: &mut [f32], more: &[f32]) {
    for (total, more) in total.iter_mut().zip(more) {
        *total += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<Plain> {
        let words = text.split_whitespace().filter(|word| has_meaning(word));
        words.map(|word| Plain { lower: word.to_owned(), is_denied: false }).collect()
    }

    fn nearness(wanted: &str, statements: &[&str]) -> Vec<Nearness> {
        let mut meanings = Meanings::default();
        wanted.split_whitespace().for_each(|word| meanings.take(word));
        let meant = meanings.part(&plain(wanted));
        let statements: Vec<Vec<Plain>> = statements.iter().map(|text| plain(text)).collect();
        meanings.near(&statements).to(&meant, |_| None)
    }

    #[test]
    fn words_of_like_meaning_are_near_and_others_are_not() {
        let found = nearness(
            "vendors erased confidential data",
            &["suppliers wiped secret records", "guests drink coffee outside"],
        );
        assert!(found[0].words > 0.3 && found[0].direction > 0.3, "{found:?}");
        assert!(found[1].words < 0.1 && found[1].direction < 0.2, "{found:?}");
    }

    #[test]
    fn the_same_words_are_as_near_as_can_be_and_none_are_not_near() {
        let found = nearness("vendors erased data", &["vendors erased data", ""]);
        assert!((found[0].words - 1.0).abs() < 1e-6 && (found[0].direction - 1.0).abs() < 1e-6);
        assert_eq!(found[1], Nearness::default());
    }

    #[test]
    fn a_word_that_is_denied_on_one_side_is_contrary() {
        let mut meanings = Meanings::default();
        meanings.take("erased");
        let meant = meanings.part(&plain("erased"));
        let denied = vec![Plain { lower: "wiped".to_owned(), is_denied: true }];
        let found = meanings.near(&[denied]).to(&meant, |_| None);
        assert!(found[0].contrary > 0.5 && found[0].contrary <= found[0].words, "{found:?}");
    }
}
