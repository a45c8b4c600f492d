//! The gate on hostile text: time grows in line with length.

use std::time::{Duration, Instant};

use assize_methods::gate::Gate;

fn best_of_three(gate: &Gate, answer: &str) -> Duration {
    let mut times: Vec<Duration> = (0..3)
        .map(|_| {
            let start = Instant::now();
            let _ = gate.check(answer);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[0]
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

#[test]
fn four_times_the_text_takes_less_than_nine_times_as_long() {
    let gate = Gate::built_in();
    for piece in HOSTILE {
        let (short, long) =
            (piece.repeat(20_000 / piece.len()), piece.repeat(80_000 / piece.len()));
        let ratio =
            best_of_three(&gate, &long).as_secs_f64() / best_of_three(&gate, &short).as_secs_f64();
        // Four in theory, sixteen if it were quadratic.
        assert!(ratio < 9.0, "{piece:?}: {ratio:.1}");
    }
}

#[cfg(not(debug_assertions))]
#[test]
fn a_megabyte_takes_less_than_a_second() {
    let gate = Gate::built_in();
    for piece in HOSTILE {
        let time = best_of_three(&gate, &piece.repeat(1_000_000 / piece.len()));
        assert!(time < Duration::from_secs(1), "{piece:?}: {time:?}");
    }
}
