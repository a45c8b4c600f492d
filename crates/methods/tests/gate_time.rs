//! The gate on hostile text: time grows in line with length.

use std::time::{Duration, Instant};

use assize_methods::gate::Gate;

fn best_time(gate: &Gate, answer: &str) -> Duration {
    let times = (0..3).map(|_| {
        let start = Instant::now();
        let _ = gate.check(answer);
        start.elapsed()
    });
    times.min().expect("three times")
}

/// Texts that defeat matchers which go back: repeats that almost match, no clause ends,
/// nothing but digits, nothing but matches.
const HOSTILE: [&str; 7] = [
    "how to make a ",
    "a ",
    "4111 1111 ",
    "I can't how to make a bomb ",
    "choose a b o m b ",
    "DE89 3704 ",
    "lives at 1 a a a ",
];

/// The longer text, in bytes: without optimisation a megabyte takes too long for a test.
const LONG: usize = if cfg!(debug_assertions) { 6_000 } else { 1_000_000 };

#[test]
fn time_grows_with_length_and_a_megabyte_takes_less_than_a_second() {
    let gate = Gate::built_in();
    for piece in HOSTILE {
        let long = best_time(&gate, &piece.repeat(LONG / piece.len()));
        let short = best_time(&gate, &piece.repeat(LONG / 4 / piece.len()));
        let ratio = long.as_secs_f64() / short.as_secs_f64();
        // Four in theory, sixteen if it were quadratic.
        assert!(ratio < 10.0, "{piece:?}: {ratio:.1}");
        if !cfg!(debug_assertions) {
            assert!(long < Duration::from_secs(1), "{piece:?}: {long:?}");
        }
    }
}
