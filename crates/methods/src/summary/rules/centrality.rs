//! How central each sentence is to its article.
//!
//! Up to [`GRAPH_SENTENCES_MAX`] sentences it is page rank over the graph of similar
//! sentences; beyond that, where a graph would cost the square of the length, it is the
//! similarity with the article as a whole.

use super::index::Index;
use super::reading::Reading;
use super::vocabulary::{Stem, Vocabulary};

/// The longest article for which sentences are compared with each other.
const GRAPH_SENTENCES_MAX: usize = 256;
/// Sentences less similar than this are not neighbours.
const SIMILARITY_MIN: f64 = 0.15;
/// The usual damping of page rank.
const DAMPING: f64 = 0.85;
/// Rounds of page rank; the order of sentences settles long before.
const ROUNDS: usize = 30;
/// How quickly a sentence counts less the later it stands.
const LATENESS: f64 = 0.2;

/// A stem and its weight in a sentence.
type StemWeights = Vec<(Stem, f64)>;

/// The weight of each sentence: central, and early.
pub(super) fn sentence_weights(
    article: &Reading,
    index: &Index,
    vocabulary: &Vocabulary,
) -> Vec<f64> {
    let vectors = vectors(article, index, vocabulary);
    let central = if vectors.len() <= GRAPH_SENTENCES_MAX {
        page_rank(&vectors, vocabulary.len())
    } else {
        similarity_with_all(&vectors, vocabulary.len())
    };
    let early = |(number, weight): (usize, f64)| weight / (1.0 + LATENESS * number as f64);
    central.into_iter().enumerate().map(early).collect()
}

/// Each sentence as a vector of length one over its content stems, by frequency and rarity.
fn vectors(article: &Reading, index: &Index, vocabulary: &Vocabulary) -> Vec<StemWeights> {
    let of_sentence = |sentence| {
        let mut stems: Vec<Stem> =
            article.stems_of(sentence).filter(|stem| vocabulary.is_content(*stem)).collect();
        stems.sort_unstable();
        let mut vector: StemWeights = Vec::with_capacity(stems.len());
        for stem in stems {
            match vector.last_mut() {
                Some((last, weight)) if *last == stem => *weight += index.rarity(stem),
                _ => vector.push((stem, index.rarity(stem))),
            }
        }
        let length = vector.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
        if length > 0.0 {
            for (_, weight) in &mut vector {
                *weight /= length;
            }
        }
        vector
    };
    article.sentences.iter().map(of_sentence).collect()
}

fn page_rank(vectors: &[StemWeights], stems: usize) -> Vec<f64> {
    let count = vectors.len();
    let similar = similarities(vectors, stems);
    let out: Vec<f64> = similar
        .chunks_exact(count.max(1))
        .map(|row| row.iter().sum::<f64>())
        .map(|sum| if sum > 0.0 { sum } else { 1.0 })
        .collect();
    let mut rank = vec![1.0 / count as f64; count];
    for _ in 0..ROUNDS {
        let given: Vec<f64> = rank.iter().zip(&out).map(|(rank, out)| rank / out).collect();
        for (target, row) in rank.iter_mut().zip(similar.chunks_exact(count)) {
            let received: f64 =
                row.iter().zip(&given).map(|(similarity, given)| similarity * given).sum();
            *target = (1.0 - DAMPING) / count as f64 + DAMPING * received;
        }
    }
    let total: f64 = rank.iter().sum();
    for value in &mut rank {
        *value /= total;
    }
    rank
}

/// The cosine of every two sentences, row by row; 0 on the diagonal and for strangers.
fn similarities(vectors: &[StemWeights], stems: usize) -> Vec<f64> {
    let count = vectors.len();
    let mut matrix = vec![0.0; count * count];
    let mut holders: Vec<Vec<(usize, f64)>> = vec![Vec::new(); stems];
    for (number, vector) in vectors.iter().enumerate() {
        for &(stem, weight) in vector {
            for &(earlier, other) in &holders[stem as usize] {
                matrix[number * count + earlier] += weight * other;
            }
            holders[stem as usize].push((number, weight));
        }
    }
    for row in 0..count {
        for column in 0..row {
            let similarity = matrix[row * count + column];
            let similarity = if similarity < SIMILARITY_MIN { 0.0 } else { similarity };
            matrix[row * count + column] = similarity;
            matrix[column * count + row] = similarity;
        }
    }
    matrix
}

fn similarity_with_all(vectors: &[StemWeights], stems: usize) -> Vec<f64> {
    let mut sum = vec![0.0; stems];
    for &(stem, weight) in vectors.iter().flatten() {
        sum[stem as usize] += weight;
    }
    let length =
        sum.iter().map(|weight| weight * weight).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let with_all = |vector: &StemWeights| {
        vector.iter().map(|(stem, weight)| weight * sum[*stem as usize]).sum::<f64>() / length
    };
    vectors.iter().map(with_all).collect()
}
