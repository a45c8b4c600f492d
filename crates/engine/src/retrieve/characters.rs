//! Character precision and recall of one run, cut-off by cut-off.

use std::num::NonZeroUsize;

use assize_methods::retrieval::passages::input::Details;
use assize_methods::retrieval::passages::{Pair, Passage, Test};
use assize_methods::retrieval::spans::{self, Location, Span, SpanOptions};
use assize_search::Prediction;
use rayon::prelude::*;

/// The cut-offs of LegalBench-RAG.
pub const CUT_OFFS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Means over the queries that have gold, at one cut-off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// How many of the top passages count.
    pub k: usize,
    /// The part of the retrieved characters that is gold.
    pub precision: f64,
    /// The part of the gold characters that was retrieved.
    pub recall: f64,
}

/// One point for each of [`CUT_OFFS`]; none when gold does not say where it stands.
pub fn curve(predictions: &[Prediction<'_>], tests: &[Test<'_>]) -> Option<Vec<Point>> {
    let scored: Vec<_> =
        predictions.iter().zip(tests).filter(|(_, test)| !test.snippets.is_empty()).collect();
    let placed = |test: &Test<'_>| test.snippets.iter().all(|gold| gold.location().is_some());
    if scored.is_empty() || !scored.iter().all(|(_, test)| placed(test)) {
        return None;
    }
    let values: Vec<Vec<[f64; 3]>> =
        scored.par_iter().map(|(prediction, test)| of_query(prediction, test)).collect();
    let count = values.len() as f64;
    let mean = |index: usize, measure: usize| {
        values.iter().map(|query| query[index][measure]).sum::<f64>() / count
    };
    let points = CUT_OFFS.iter().enumerate();
    Some(
        points
            .map(|(index, k)| Point { k: *k, precision: mean(index, 0), recall: mean(index, 1) })
            .collect(),
    )
}

fn of_query(prediction: &Prediction<'_>, test: &Test<'_>) -> Vec<[f64; 3]> {
    let retrieved: Vec<Passage<'_>> = prediction
        .retrieved_passages
        .iter()
        .map(|passage| {
            let span = Span::new(passage.span.0 as u64, passage.span.1 as u64);
            let location =
                span.map(|span| Location { file_path: (&*passage.file_path).into(), span });
            Passage { text: None, details: Some(Box::new(Details { location, score: None })) }
        })
        .collect();
    let pair = Pair { query: &test.query, retrieved: &retrieved, gold: &test.snippets };
    CUT_OFFS
        .iter()
        .map(|k| {
            let k = NonZeroUsize::new(*k).unwrap_or(NonZeroUsize::MIN);
            spans::score(&pair, &SpanOptions { k, compat: false })
        })
        .collect()
}
