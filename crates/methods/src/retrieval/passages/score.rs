//! One query's four values, with or without their workings.

use assize_score::{Explained, Finding, MethodVersion, MetricName, Outcome, Verdict, Working};

use super::alike::Alike;
use super::matching::{Matches, matches};
use super::measures::{exact_match, held_at_one, ndcg, passes_one, recall, span_f1};
use super::options::{NdcgIdeal, PassageOptions};
use super::overlap::{Overlap, OverlapCounter};
use super::pairing::Pair;

/// This method; the number counts up with every change that can move a value.
pub const METHOD: MethodVersion = MethodVersion::new("retrieval-passages", 1);

/// Why a query without gold has no score.
pub(crate) const NO_SNIPPETS: &str = "the test has no gold snippets";

/// One query's values, in the order in which they are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured<N> {
    /// Whether the top passage is a gold.
    pub exact_match: N,
    /// The top passage's words against the best gold.
    pub span_f1: N,
    /// The share of golds found.
    pub recall: N,
    /// The quality of the ranking.
    pub ndcg: N,
    /// Which passage matches which gold, and what was noticed on the way.
    pub matches: Matches,
    /// Whether the formula's nDCG passes 1.
    pub ndcg_passes_one: bool,
}

/// The names of the four values for a k, as users type and read them.
pub fn metric_names(k: usize) -> [String; 4] {
    ["exact_match".into(), "span_f1".into(), format!("recall@{k}"), format!("ndcg@{k}")]
}

impl<N> Measured<N> {
    /// The values in the order of [`metric_names`].
    pub fn into_values(self) -> [N; 4] {
        [self.exact_match, self.span_f1, self.recall, self.ndcg]
    }
}

/// The values of a query that has gold; `counter` is scratch space to be used again.
pub fn score(
    pair: &Pair<'_>,
    options: &PassageOptions,
    counter: &mut OverlapCounter,
) -> Measured<f64> {
    measured(pair, options, counter)
}

/// The same with all workings; without gold, the reason why there is no score.
pub fn explain(pair: &Pair<'_>, options: &PassageOptions) -> Verdict {
    let names = metric_names(options.k.get()).map(MetricName::from);
    if pair.gold.is_empty() {
        let scores = names.map(|name| (name, Outcome::unscored(NO_SNIPPETS))).to_vec();
        return Verdict { method: METHOD, scores, findings: Vec::new() };
    }
    let measured = measured::<Explained>(pair, options, &mut OverlapCounter::default());
    let findings = findings(pair, &measured.matches);
    let name_each =
        |(name, value): (MetricName, Explained)| (name.clone(), Outcome::from(value.named(name)));
    let scores = names.into_iter().zip(measured.into_values()).map(name_each).collect();
    Verdict { method: METHOD, scores, findings }
}

fn measured<N: Working>(
    pair: &Pair<'_>,
    options: &PassageOptions,
    counter: &mut OverlapCounter,
) -> Measured<N> {
    let texts = Alike::new(pair.retrieved, pair.gold, options);
    let matches = matches(&texts);
    let bare = ndcg::<N>(&matches, options);
    let ndcg_passes_one = passes_one(&bare);
    let may_pass_one = options.ndcg_ideal == NdcgIdeal::Gold;
    Measured {
        exact_match: exact_match(pair.retrieved, pair.gold, &texts),
        span_f1: span_f1(&overlaps(&texts, options, counter)),
        recall: recall(&matches, options.k.get()),
        ndcg: if may_pass_one && options.ndcg_clipped { held_at_one(bare) } else { bare },
        matches,
        ndcg_passes_one,
    }
}

/// The words of the top passage against those of each gold; none if nothing was retrieved.
fn overlaps(
    texts: &Alike<'_>,
    options: &PassageOptions,
    counter: &mut OverlapCounter,
) -> Vec<Overlap> {
    let Some(top) = texts.passages.first() else { return Vec::new() };
    counter.set_passage(&texts.for_words(top), options.f1);
    let golds = texts.golds.iter();
    golds.map(|gold| counter.with_gold(&texts.for_words(gold), options.f1)).collect()
}

fn findings(pair: &Pair<'_>, matches: &Matches) -> Vec<Finding> {
    let mut findings = Vec::new();
    if pair.retrieved.is_empty() {
        findings.push(Finding::new("nothing_retrieved", "no passage was retrieved"));
    }
    for rank in &matches.blank_ranks {
        let message = format!("the passage at rank {rank} is blank and matches nothing");
        findings.push(Finding::new("blank_passage", message));
    }
    for gold in &matches.blank_golds {
        let message = format!("gold {} is blank and matches nothing", gold + 1);
        findings.push(Finding::new("blank_gold", message));
    }
    if matches.repeated_passages > 0 {
        let count = matches.repeated_passages;
        let message = format!("passages that repeat another one: {count}");
        findings.push(Finding::new("repeated_passage", message));
    }
    findings
}
