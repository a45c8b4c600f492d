//! One query's character measures, with or without their workings.

use std::num::NonZeroUsize;

use assize_score::{Explained, MethodVersion, MetricName, Outcome, Verdict, Working};

use super::coverage::Coverage;
use super::location::Location;
use super::measures::{f1, precision, recall};
use crate::retrieval::passages::input::Passage;
use crate::retrieval::passages::options::K_DEFAULT;
use crate::retrieval::passages::pairing::Pair;
use crate::retrieval::passages::score::NO_SNIPPETS;

/// This method; the number counts up with every change that can move a value.
pub const METHOD: MethodVersion = MethodVersion::new("retrieval-spans", 1);

/// The readings of the character measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanOptions {
    /// How many of the top passages count.
    pub k: NonZeroUsize,
    /// Whether to count as LegalBench-RAG does, where text retrieved twice counts twice.
    pub compat: bool,
}

impl Default for SpanOptions {
    fn default() -> Self {
        Self { k: K_DEFAULT, compat: false }
    }
}

/// The names of the three values for a k, as users type and read them.
pub fn metric_names(k: usize) -> [String; 3] {
    ["precision", "recall", "f1"].map(|name| format!("char_{name}@{k}"))
}

/// The values of a query that has gold, in the order of [`metric_names`].
///
/// A passage without a place counts as nothing retrieved.
pub fn score(pair: &Pair<'_>, options: &SpanOptions) -> [f64; 3] {
    measured(pair, options)
}

/// The same with all workings; without gold, the reason why there is no score.
pub fn explain(pair: &Pair<'_>, options: &SpanOptions) -> Verdict {
    let names = metric_names(options.k.get()).map(MetricName::from);
    let scores = if pair.gold.is_empty() {
        names.map(|name| (name, Outcome::unscored(NO_SNIPPETS))).to_vec()
    } else {
        let values = measured::<Explained>(pair, options);
        let with_values = names.into_iter().zip(values);
        with_values.map(|(name, value)| (name.clone(), value.named(name).into())).collect()
    };
    Verdict { method: METHOD, scores, findings: Vec::new() }
}

fn measured<N: Working>(pair: &Pair<'_>, options: &SpanOptions) -> [N; 3] {
    let top = &pair.retrieved[..pair.retrieved.len().min(options.k.get())];
    let (retrieved, gold) = (locations(top), locations(pair.gold));
    let coverage = if options.compat {
        Coverage::piece_by_piece(&retrieved, &gold)
    } else {
        Coverage::merged(&retrieved, &gold)
    };
    [precision(&coverage), recall(&coverage), f1(&coverage)]
}

fn locations<'a>(passages: &'a [Passage<'a>]) -> Vec<&'a Location<'a>> {
    passages.iter().filter_map(Passage::location).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::passages::input::Details;
    use crate::retrieval::spans::location::Span;

    fn at(start: u64, end: u64) -> Passage<'static> {
        let span = Span::new(start, end).unwrap();
        let location = Some(Location { file_path: "a.txt".into(), span });
        Passage { text: None, details: Some(Box::new(Details { location, score: None })) }
    }

    /// Retrieved twice: characters 40 to 60. Gold: 50 to 70, all of it retrieved.
    #[test]
    fn text_retrieved_twice_takes_recall_past_one_only_in_compat() {
        let (retrieved, gold) = ([at(0, 60), at(40, 100)], [at(50, 70)]);
        let pair = Pair { query: "q", retrieved: &retrieved, gold: &gold };
        let [precision, recall, _] = score(&pair, &SpanOptions::default());
        assert_eq!((precision, recall), (0.2, 1.0));
        let compat = SpanOptions { compat: true, ..SpanOptions::default() };
        let [precision, recall, _] = score(&pair, &compat);
        assert_eq!((precision, recall), (0.25, 1.5));
    }

    #[test]
    fn only_the_top_k_count() {
        let (retrieved, gold) = ([at(0, 10), at(10, 20)], [at(0, 20)]);
        let pair = Pair { query: "q", retrieved: &retrieved, gold: &gold };
        let k = NonZeroUsize::MIN;
        assert_eq!(score(&pair, &SpanOptions { k, compat: false })[..2], [1.0, 0.5]);
    }
}
