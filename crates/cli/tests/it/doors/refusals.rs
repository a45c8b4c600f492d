//! What no door could have made is refused by every door in the same words. The cases stand in
//! `cases/doors/refusals.json`, which Python reads too (`python/tests/test_doors.py`).

use super::{Doors, Run, council, refusals, summary};

#[test]
fn a_retrieval_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::ranked(&doors);
    for (options, words) in refusals("ranked") {
        doors.refused(&words, &run.asking(&options));
    }
}

#[test]
fn a_summary_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    for (options, words) in refusals("summaries") {
        doors.refused(&words, &summary(&options));
    }
}

#[test]
fn a_council_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    for (options, words) in refusals("councils") {
        doors.refused(&words, &council::counted_again(&options));
    }
}
