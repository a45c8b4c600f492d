//! A judge asked several times: which of the verdicts counts, and how steady the judge is.
//!
//! The outcome that more than half of the repeats have counts; without one the item is undecided.
//! Among those the repeat with the median score counts, of an even number the lower of the two in
//! the middle, so that its evidence is one that a judge gave.

use std::collections::BTreeMap;

use assize_methods::compliance::set_verdicts::met_from;
use assize_stats::interval::wilson;
use assize_stats::summary::{deviation, mean};
use assize_store::{Instrument, Run};
use assize_wire::repeats::{Repeat, RepeatFigures};
use async_recursion::async_recursion as boxed;
use serde::Deserialize;
use serde_json::Value;

use super::error::{Result, RunError};
use crate::Workspace;
use crate::compliance::configuration::Configuration;

/// How sure intervals are.
const LEVEL: f64 = 0.95;
/// What a repeat comes to whose reply cannot be read.
pub(crate) const FAILED: &str = "failed";
/// Verdicts that are read at once.
const PAGE: i64 = 500;

/// Which repeat counts, by its outcome and its score; or why none does.
pub(crate) fn canonical(said: &[(&str, Option<f64>)]) -> Result<usize, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (outcome, _) in said {
        *counts.entry(outcome).or_default() += 1;
    }
    let most = counts.iter().find(|(_, count)| **count * 2 > said.len());
    let Some((outcome, _)) = most else {
        let words: Vec<String> =
            counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        return Err(format!("undecided: of {} repeats {}", said.len(), words.join(", ")));
    };
    let mut those: Vec<usize> = (0..said.len()).filter(|at| said[*at].0 == *outcome).collect();
    let score = |at: &usize| said[*at].1.unwrap_or(f64::NEG_INFINITY);
    those.sort_by(|one, other| score(one).total_cmp(&score(other)));
    Ok(those[(those.len() - 1) / 2])
}

/// The chance that two verdicts drawn from these differ; none with fewer than two.
pub(crate) fn flip_chance<T: PartialEq>(verdicts: &[T]) -> Option<f64> {
    let pairs = (0..verdicts.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let differs = pairs.map(|(one, other)| f64::from(u8::from(verdicts[one] != verdicts[other])));
    mean(&differs.collect::<Vec<_>>()).ok()
}

/// How steady a judge is over items that it was asked about several times. An item without any
/// reply that could be read says nothing about that; one lost reply among others is a verdict that
/// differs.
pub fn figures(
    items: &[Vec<Repeat>],
    is_met: Option<&dyn Fn(&Repeat) -> bool>,
) -> Option<RepeatFigures> {
    let is_telling = |repeats: &&Vec<Repeat>| {
        repeats.len() > 1 && repeats.iter().any(|one| one.outcome != FAILED)
    };
    let items: Vec<&Vec<Repeat>> = items.iter().filter(is_telling).collect();
    let chance = |repeats: &&Vec<Repeat>| {
        flip_chance(&repeats.iter().map(|one| &one.verdict).collect::<Vec<_>>())
    };
    let chances: Vec<f64> = items.iter().filter_map(chance).collect();
    let flips = mean(&chances).ok()?;
    let interval = wilson(flips, chances.len(), LEVEL).ok()?;
    let mut spreads: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for repeats in &items {
        for measure in repeats[0].scores.keys() {
            let value = |one: &Repeat| one.scores.get(measure).copied().flatten();
            let values: Vec<f64> = repeats.iter().filter_map(value).collect();
            if let Ok(deviation) = deviation(&values) {
                spreads.entry(measure.clone()).or_default().push(deviation);
            }
        }
    }
    let spread = |(measure, all): (String, Vec<f64>)| Some((measure, mean(&all).ok()?));
    let always = is_met.map(|is_met| {
        items.iter().filter(|repeats| repeats.iter().all(is_met)).count() as f64
            / items.len() as f64
    });
    Some(RepeatFigures {
        repeats: items.iter().map(|repeats| repeats.len()).min()?,
        items: items.len(),
        flips,
        interval: (interval.low, interval.high),
        steady: chances.iter().filter(|chance| **chance == 0.0).count(),
        spread: spreads.into_iter().filter_map(spread).collect(),
        always_met: always,
    })
}

impl Workspace {
    /// How steady the judge of a run was; none where it was asked once.
    #[boxed]
    pub(crate) async fn repeat_figures(&self, run: &Run) -> Result<Option<RepeatFigures>> {
        let repeats = run.configuration.as_ref().and_then(|json| json["repeat"].as_u64());
        if repeats.is_none_or(|repeats| repeats < 2) {
            return Ok(None);
        }
        let (mut items, mut from) = (Vec::new(), 0);
        loop {
            let page = self.store.verdicts().page(&run.id, 1, from, PAGE).await?;
            let Some(last) = page.last() else { break };
            from = last.position + 1;
            for verdict in page {
                items.extend(repeats_in(run.instrument, &verdict.ledger.unwrap_or_default()));
            }
        }
        if run.instrument != Instrument::Compliance {
            return Ok(figures(&items, None));
        }
        let unreadable = |error| RunError::unreadable(run, &error);
        let met = met_from(&Configuration::of(run).map_err(unreadable)?.rubric);
        let is_met = |one: &Repeat| one.scores.values().flatten().any(|score| *score >= met);
        Ok(figures(&items, Some(&is_met)))
    }

    /// What each repeat said of an item, numbered from 1; nothing where the judge was asked once.
    #[boxed]
    pub async fn repeats_of(&self, run: &Run, number: i64) -> Result<Vec<Repeat>> {
        let found = self.store.verdicts().page(&run.id, 1, number - 1, 1).await?;
        let ledger = found.into_iter().find(|verdict| verdict.position == number - 1);
        let ledger = ledger.and_then(|verdict| verdict.ledger).unwrap_or_default();
        Ok(repeats_in(run.instrument, &ledger).unwrap_or_default())
    }
}

/// The repeats that a ledger holds.
fn repeats_in(instrument: Instrument, ledger: &Value) -> Option<Vec<Repeat>> {
    let repeats = match instrument {
        Instrument::Summary => &ledger["judge"]["repeats"],
        _ => &ledger["repeats"],
    };
    Vec::<Repeat>::deserialize(repeats).ok()
}

#[cfg(test)]
mod tests {
    use assize_wire::summary::Trail;

    use super::*;
    use crate::summary::{Framework, Judged};

    #[test]
    fn the_median_of_the_outcome_that_most_have_counts() {
        let scored = |score: f64| ("scored", Some(score));
        assert_eq!(canonical(&[scored(9.0), scored(1.0), scored(5.0)]), Ok(2));
        // The lower of the two in the middle.
        assert_eq!(canonical(&[scored(9.0), scored(1.0), scored(5.0), scored(7.0)]), Ok(2));
        assert_eq!(canonical(&[scored(9.0), ("failed", None), scored(5.0)]), Ok(2));
        let none = ("not_applicable", None);
        let undecided = canonical(&[scored(9.0), none, scored(5.0), none]).unwrap_err();
        assert_eq!(undecided, "undecided: of 4 repeats 2 not_applicable, 2 scored");
    }

    /// Of a, a, b two of three pairs differ.
    #[test]
    fn a_flip_is_a_pair_that_differs() {
        assert!((flip_chance(&["a", "a", "b"]).unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(flip_chance(&["a"]), None);
    }

    /// A judge that says something else with a chance of 0.2 gives two different verdicts with a
    /// chance of 2 · 0.2 · 0.8 = 0.32. Of 200 such judges 93 to 100 % of the intervals hold it.
    #[test]
    fn a_noisy_judge_is_found_as_noisy_as_it_is() {
        let mut generator = assize_stats::resample::Generator::new(7);
        let mut holds = 0;
        for _ in 0..200 {
            let mut item = || {
                let repeat = |_| {
                    let is_noise = generator.below(5) == 0;
                    let verdict = if is_noise { "no" } else { "yes" };
                    Repeat { verdict: verdict.to_owned(), ..Repeat::default() }
                };
                (0..5).map(repeat).collect::<Vec<_>>()
            };
            let items: Vec<Vec<Repeat>> = (0..60).map(|_| item()).collect();
            let found = figures(&items, None).unwrap();
            assert_eq!((found.repeats, found.items), (5, 60));
            holds += usize::from(found.interval.0 <= 0.32 && 0.32 <= found.interval.1);
        }
        assert!(holds >= 186, "{holds} of 200");
    }

    /// An undecided pair has a ledger without a verdict, which keeps what each repeat said.
    #[test]
    fn an_undecided_summary_keeps_its_repeats() {
        let repeat = |verdict: &str| Repeat { verdict: verdict.to_owned(), ..Repeat::default() };
        let repeats = vec![repeat("7"), repeat("failed")];
        let trail = Trail { repeats: repeats.clone(), ..Trail::default() };
        let judged = Judged {
            id: None,
            pair: None,
            evidence: Err("undecided: of 2 repeats 1 failed, 1 scored".to_owned()),
            trail: Some(Box::new(trail)),
        };
        let verdict = crate::runs::summary::verdict(Framework::TwinLock, &judged).unwrap();
        let ledger = verdict.ledger.unwrap_or_default();
        assert_eq!(repeats_in(Instrument::Summary, &ledger), Some(repeats));
    }

    #[test]
    fn a_steady_judge_still_has_an_interval() {
        let one = Repeat { verdict: "met".to_owned(), ..Repeat::default() };
        let found = figures(&vec![vec![one; 3]; 20], None).unwrap();
        assert_eq!((found.flips, found.steady), (0.0, 20));
        assert!(found.interval.0 == 0.0 && (0.1..0.2).contains(&found.interval.1), "{found:?}");
    }
}
