//! Several repeats of one pair: the one that counts, with what each of them said.

use assize_methods::summary::Metric;
use assize_score::rounding::half_up;
use assize_stats::summary::mean;
use assize_wire::repeats::Repeat;

use crate::runs::repeats::{FAILED, canonical};
use crate::summary::Judged;
use crate::summary::scorecard::Framework;

/// The judged pair that counts; a single one is left as it is.
pub(super) fn settled(mut all: Vec<Judged>, framework: Framework) -> Judged {
    if all.len() < 2 {
        return all.pop().expect("a judge is asked once at least");
    }
    let said: Vec<(Repeat, Option<f64>)> = all.iter().map(|one| repeat(one, framework)).collect();
    let outcomes: Vec<(&str, Option<f64>)> =
        said.iter().map(|(repeat, score)| (repeat.outcome.as_str(), *score)).collect();
    let chosen = canonical(&outcomes);
    let mut repeats: Vec<Repeat> = said.iter().map(|(repeat, _)| repeat.clone()).collect();
    let mut exchanges: Vec<String> = Vec::new();
    for key in all.iter().flat_map(|one| &one.trail).flat_map(|trail| &trail.exchanges) {
        if !exchanges.contains(key) {
            exchanges.push(key.clone());
        }
    }
    let mut judged = all.swap_remove(chosen.as_ref().copied().unwrap_or_default());
    match chosen {
        Ok(index) => repeats[index].counts = true,
        Err(because) => judged.evidence = Err(because),
    }
    if let Some(trail) = &mut judged.trail {
        trail.is_unscored |= judged.evidence.is_err();
        (trail.repeats, trail.exchanges) = (repeats, exchanges);
    }
    judged
}

/// What one repeat says, and its mean. Its verdict is the mean in whole points.
fn repeat(judged: &Judged, framework: Framework) -> (Repeat, Option<f64>) {
    let scores = judged.evidence.as_ref().ok().and_then(|found| framework.scores(found).ok());
    let Some(scores) = scores else {
        let failed = || FAILED.to_owned();
        let reason = judged.evidence.as_ref().err().cloned();
        return (
            Repeat { outcome: failed(), verdict: failed(), reason, ..Repeat::default() },
            None,
        );
    };
    let all = Metric::ALL.map(|metric| (metric.name().to_owned(), *scores.get(metric)));
    let values: Vec<f64> = all.iter().filter_map(|(_, value)| *value).collect();
    let score = mean(&values).ok();
    let verdict = score.map_or("none".to_owned(), |score| half_up(score, 0).to_string());
    let outcome = "scored".to_owned();
    (Repeat { outcome, verdict, scores: all.into(), ..Repeat::default() }, score)
}
