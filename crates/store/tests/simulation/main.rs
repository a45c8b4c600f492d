//! The protocol of leases under random schedules: crashes, pauses, jumping clocks, lost
//! acknowledgements.
//!
//! [`model`] holds the tables of the protocol and its transactions, in memory; [`schedule`] lets
//! workers loose on it and checks what must hold whatever happens; [`alike`] does the same
//! things to the model and to a real store and compares every answer, so that the model cannot
//! say one thing and the SQL another.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod alike;
mod chance;
mod model;
mod schedule;

use schedule::{Schedule, simulate};

/// So many schedules, each of its own seed, in a few seconds.
const SEEDS: u64 = 20_000;

#[test]
fn twenty_thousand_schedules_with_faults_lose_nothing_and_commit_nothing_twice() {
    let mut faults = schedule::Faults::default();
    for seed in 0..SEEDS {
        match simulate(&Schedule { seed, is_fenced: true }) {
            Ok(met) => faults.add(&met),
            Err(problem) => panic!("seed {seed}: {problem}"),
        }
    }
    // A simulation in which nothing goes wrong shows nothing.
    for (name, count) in faults.counts() {
        assert!(count > SEEDS / 4, "only {count} {name} in {SEEDS} schedules");
    }
}

/// The check that a token is still the item's is what all of it rests on: without it, the same
/// schedules commit items twice.
#[test]
fn a_missing_fencing_check_is_found() {
    let found = (0..1_000).filter_map(|seed| {
        simulate(&Schedule { seed, is_fenced: false }).err().map(|problem| (seed, problem))
    });
    let found: Vec<_> = found.collect();
    assert!(found.len() > 100, "only {} of 1000 schedules found it", found.len());
    assert!(found.iter().any(|(_, problem)| problem.contains("verdicts")), "{:?}", found.first());
}
