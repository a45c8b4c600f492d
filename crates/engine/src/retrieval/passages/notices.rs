//! What the user should know about the input, in one sentence each.

use assize_methods::retrieval::passages::{Measured, NdcgIdeal, Passage, PassageOptions};

use super::files::Files;
use super::kinds::Kinds;
use super::options::ScoreOptions;

/// What was noticed, in one query or in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    nothing_retrieved: usize,
    blank_passages: usize,
    blank_golds: usize,
    with_repeated_passages: usize,
    ndcg_passes_one: usize,
    scores_out_of_order: usize,
}

impl Tally {
    /// What the list of passages shows by itself.
    pub(super) fn of_passages(retrieved: &[Passage<'_>]) -> Self {
        let rises = |pair: &[Passage<'_>]| {
            pair[0].score().zip(pair[1].score()).is_some_and(|(first, second)| first < second)
        };
        Self {
            nothing_retrieved: usize::from(retrieved.is_empty()),
            scores_out_of_order: usize::from(retrieved.windows(2).any(rises)),
            ..Self::default()
        }
    }

    /// Whether nothing was retrieved.
    pub(super) fn retrieved_nothing(&self) -> bool {
        self.nothing_retrieved > 0
    }

    /// What matching showed besides.
    pub(super) fn add_matches(&mut self, measured: &Measured<f64>) {
        let matches = &measured.matches;
        self.blank_passages = matches.blank_ranks.len();
        self.blank_golds = matches.blank_golds.len();
        self.with_repeated_passages = usize::from(matches.repeated_passages > 0);
        self.ndcg_passes_one = usize::from(measured.ndcg_passes_one);
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            nothing_retrieved: self.nothing_retrieved + other.nothing_retrieved,
            blank_passages: self.blank_passages + other.blank_passages,
            blank_golds: self.blank_golds + other.blank_golds,
            with_repeated_passages: self.with_repeated_passages + other.with_repeated_passages,
            ndcg_passes_one: self.ndcg_passes_one + other.ndcg_passes_one,
            scores_out_of_order: self.scores_out_of_order + other.scores_out_of_order,
        }
    }

    fn sentences(&self, options: &PassageOptions) -> Vec<String> {
        let k = options.k;
        let held = match options.ndcg_ideal {
            NdcgIdeal::Gold if options.ndcg_clipped => ", clipped to 1 (unless clipping is off)",
            _ => "",
        };
        let counted = [
            (self.nothing_retrieved, "queries without retrieved passages, which score 0", ""),
            (self.blank_passages, "blank passages, which match nothing", ""),
            (self.blank_golds, "blank gold snippets, which match nothing", ""),
            (
                self.with_repeated_passages,
                &format!("queries with a duplicate passage in the top {k}"),
                "",
            ),
            (self.ndcg_passes_one, &format!("queries whose ndcg@{k} exceeds 1"), held),
            (
                self.scores_out_of_order,
                "predictions whose scores are not in descending order",
                "; the list order is used",
            ),
        ];
        let seen = counted.into_iter().filter(|(count, ..)| *count > 0);
        seen.map(|(count, what, more)| format!("{what}: {count}{more}")).collect()
    }
}

/// All notices, the weightiest first.
pub(super) fn all(
    files: &Files<'_>,
    tally: &Tally,
    kinds: Kinds,
    options: &ScoreOptions,
) -> Vec<String> {
    let mut all = about_pairing(files, options.require_all);
    all.extend(tally.sentences(&options.passages));
    if kinds.some_without_place {
        let notice = "only some passages have a file and a span; character measures are skipped";
        all.push(notice.to_owned());
    }
    all
}

/// How many tests with gold nobody answered.
pub(super) fn unpredicted(files: &Files<'_>) -> usize {
    let has_gold = |index: &&usize| !files.tests[**index].snippets.is_empty();
    files.pairing.unpredicted.iter().filter(has_gold).count()
}

fn about_pairing(files: &Files<'_>, require_all: bool) -> Vec<String> {
    let tests = files.tests.len();
    let skipped = files.tests.iter().filter(|test| test.snippets.is_empty()).count();
    let unpredicted = unpredicted(files);
    let repeated = files.pairing.repeated_queries;

    let mut notices = Vec::new();
    if unpredicted > 0 {
        let fate = if require_all { "scored 0" } else { "skipped (unless all are required)" };
        notices.push(format!("gold tests without a prediction: {unpredicted} of {tests}, {fate}"));
    }
    if skipped > 0 {
        notices.push(format!("tests without gold snippets: {skipped} of {tests}, skipped"));
    }
    if repeated > 0 {
        let how = "paired in order of occurrence";
        notices.push(format!("queries that occur more than once in the gold: {repeated}, {how}"));
    }
    notices
}
