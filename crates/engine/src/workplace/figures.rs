//! Means with their intervals: the same for every page, list, command and answer.

use assize_methods::summary::Metric;
use assize_store::views::MeasureFigure;
use assize_store::{Instrument, Run, RunState, StoreError};
use assize_wire::workplace::Figure;
use async_recursion::async_recursion as boxed;

use crate::Workspace;
use crate::retrieval::uncertainty::Uncertainty;

/// The measure that a list shows of a run: the first of these that it has, or else its first.
const MAIN: [&str; 5] = ["score", "ndcg@10", "f1", "hallucination", "coverage"];

impl Workspace {
    /// The measures of a version of a run, each with the percentile bootstrap of its mean that
    /// `assize score` prints. A run that is going on has none: it would be drawn anew for every
    /// look at it. Nor has a council: the marks of its answers are no sample of anything.
    #[boxed]
    pub(crate) async fn measure_figures(
        &self,
        run: &Run,
        version: i64,
    ) -> Result<Vec<MeasureFigure>, StoreError> {
        let has_interval = run.state == RunState::Done && run.instrument != Instrument::Council;
        let usual = Uncertainty::default();
        let interval = |values: &[f64]| has_interval.then(|| usual.of_mean(values)).flatten();
        let figures = self.store.views().figures(run, version, interval).await?;
        let mut figures = figures.as_ref().clone();
        put_in_order(&mut figures, |one| &one.measure);
        Ok(figures)
    }
}

/// The figures of a run from its measures.
pub fn figures(run: &Run, measures: &[MeasureFigure]) -> Vec<Figure> {
    let done = u64::try_from(run.items_done).unwrap_or_default();
    let one = |measure: &MeasureFigure| Figure {
        name: measure.measure.clone(),
        value: measure.mean,
        interval: measure.interval,
        scored: measure.count,
        unscored: done.saturating_sub(measure.count),
    };
    measures.iter().map(one).collect()
}

/// Puts measures in the one order in which they are shown: those of a summary as its scorecard has
/// them, else the one that stands for the run and then the others by name.
pub(crate) fn put_in_order<T>(measures: &mut [T], name: impl Fn(&T) -> &str) {
    let place = |one: &T| {
        let is_it = |metric: &Metric| metric.name() == name(one);
        let main = MAIN.iter().position(|main| *main == name(one)).unwrap_or(MAIN.len());
        Metric::ALL.iter().position(is_it).map_or((1, main), |metric| (0, metric))
    };
    measures.sort_by(|one, other| {
        place(one).cmp(&place(other)).then_with(|| name(one).cmp(name(other)))
    });
}

/// The place of the measure that stands for a run.
pub(crate) fn main_measure(names: &[String]) -> Option<usize> {
    let known = MAIN.iter().find_map(|main| names.iter().position(|name| name == main));
    known.or((!names.is_empty()).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shows_the_measure_that_people_know() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(main_measure(&names(&["coverage", "hallucination"])), Some(1));
        assert_eq!(main_measure(&names(&["a", "b"])), Some(0));
        assert_eq!(main_measure(&[]), None);
    }

    #[test]
    fn measures_have_one_order_everywhere() {
        let mut summary = ["relevance", "alignment", "bias_toxicity", "coverage", "hallucination"];
        put_in_order(&mut summary, |name| name);
        assert_eq!(summary, Metric::ALL.map(Metric::name));
        let mut retrieval = ["exact_match", "span_f1", "recall@10", "ndcg@10"];
        put_in_order(&mut retrieval, |name| name);
        assert_eq!(retrieval, ["ndcg@10", "exact_match", "recall@10", "span_f1"]);
    }
}
