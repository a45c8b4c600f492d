//! `cargo xtask evidence`: what the README promises, each with the tests that show it.

use anyhow::{Context, Result, bail};

use crate::checks::{cargo_program, root};
use crate::say;

/// A promise, and the tests that would fail if it were broken.
struct Promise {
    what: &'static str,
    shown_on: &'static str,
    tests: &'static str,
}

const PROMISES: [Promise; 13] = [
    Promise {
        what: "Tokens and sentences are NLTK's",
        shown_on: "316 texts of ours with NLTK 3.10.4's output",
        tests: "package(assize-text) and binary(parity)",
    },
    Promise {
        what: "Ranked measures are trec_eval's",
        shown_on: "a run with ties and graded judgements, values of the real tools",
        tests: "package(assize-engine) and binary(ranked_parity)",
    },
    Promise {
        what: "Scores follow from labels by the published arithmetic",
        shown_on: "golden cases calculated by hand",
        tests: "package(assize-methods) and binary(/golden/)",
    },
    Promise {
        what: "An answer that fails the gate cannot win",
        shown_on: "attacks on a verdict, 10,000 mutated records",
        tests: "package(assize-methods) and binary(council)",
    },
    Promise {
        what: "Faults of a provider lose and double nothing",
        shown_on: "a server that throttles, cuts off, lies about usage",
        tests: "package(assize) and binary(it) and test(/faults|shared_run|summary_model/)",
    },
    Promise {
        what: "One verdict an item, whatever dies",
        shown_on: "a simulation of workers with crashes, pauses and lost replies",
        tests: "package(assize-store) and binary(simulation)",
    },
    Promise {
        what: "Old databases keep every row",
        shown_on: "databases of an earlier program, SQLite and PostgreSQL",
        tests: "package(assize-store) and test(/migrat/)",
    },
    Promise {
        what: "Intervals from few labels hold what they say",
        shown_on: "2,000 draws at 20, 50 and 200 labels (93 to 97 %), values of ppi-python 0.2.3",
        tests: "package(assize-stats) and (binary(prediction_powered) or test(/prediction_powered/))",
    },
    Promise {
        what: "A judge that changes its mind is found as steady as it is, and paid once",
        shown_on: "200 noisy judges (93 % of the intervals hold the chance), a scripted judge with 20 % \
                   noise, kill -9 with --repeat 5",
        tests: "(package(assize-engine) and (test(/runs::repeats/) or binary(repeats))) or \
                (package(assize) and binary(it) and test(/^repeats::/))",
    },
    Promise {
        what: "Words in a text move a judge by rules no more than harmless words and 2 points",
        shown_on: "18 injections in 8 families, at the end and in the middle, beside harmless words",
        tests: "(package(assize-engine) and (test(/judges::attack/) or (binary(repeats) and \
                test(/attack|obedient/)))) or (package(assize) and binary(it) and test(/^attacks::/))",
    },
    Promise {
        what: "A council's record follows from what was said, on every door",
        shown_on: "252 rehashed mutations through the library, the command, HTTP and MCP",
        tests: "binary(council_mutations) or (package(assize) and test(/doors::mutated/))",
    },
    Promise {
        what: "A changed package is named",
        shown_on: "more than 200 mutations, one byte anywhere",
        tests: "package(assize-engine) and binary(packages)",
    },
    Promise {
        what: "Hostile files end in an error, not in a crash",
        shown_on: "bombs, cycles, broken and hidden content",
        tests: "binary(hostile) or test(/hostile/)",
    },
];

/// Runs the tests of every promise and prints a table; fails where one is not kept.
pub(crate) fn run() -> Result<()> {
    say("| promise | shown on | tests | command |\n|---|---|---|---|");
    let mut broken = Vec::new();
    for promise in &PROMISES {
        let command = format!("cargo nextest run --workspace -E '{}'", promise.tests);
        let passed = passed(promise.tests)?;
        let shown = match passed {
            Some(count) => format!("{count} passed"),
            None => "FAILED".to_owned(),
        };
        say(&format!("| {} | {} | {shown} | `{command}` |", promise.what, promise.shown_on));
        if passed.is_none_or(|count| count == 0) {
            broken.push(promise.what);
        }
    }
    say("\nSpeed beside the peers: `cargo xtask bench score`, `bench retrieve`, `bench python`.");
    if !broken.is_empty() {
        bail!("not shown: {}", broken.join("; "));
    }
    Ok(())
}

/// How many tests passed; none when one failed.
fn passed(filter: &str) -> Result<Option<usize>> {
    let done = cargo_program()
        .args(["nextest", "run", "--workspace", "--no-fail-fast", "--color", "never", "-E", filter])
        .current_dir(root())
        .output()
        .context("could not start cargo nextest")?;
    let said = String::from_utf8_lossy(&done.stderr);
    let summary = said.lines().rev().find(|line| line.contains("tests run:"));
    let Some(summary) = summary.filter(|_| done.status.success()) else { return Ok(None) };
    Ok(count(summary))
}

/// The number before ` passed`.
fn count(summary: &str) -> Option<usize> {
    let (before, _) = summary.split_once(" passed")?;
    before.rsplit([' ', ':']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_number_of_passed_tests_is_read() {
        let line = "     Summary [   0.105s] 12 tests run: 11 passed (1 slow), 40 skipped";
        assert_eq!(super::count(line), Some(11));
        assert_eq!(super::count("Summary: nothing"), None);
    }
}
