//! What no door could have made is refused by every door in the same words.

use serde_json::json;

use super::{Doors, Run, summary};

#[test]
fn a_retrieval_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::ranked(&doors);
    for (options, words) in [
        (json!({"k": 0}), "`0` is not a whole number of 1 or more"),
        (json!({"k": [1, 0]}), "`0` is not a whole number of 1 or more"),
        (json!({"depth": 0}), "depth: `0` is not a whole number of 1 or more"),
        (json!({"confidence": 1.5}), "confidence: 1.5 is not between 0 and 1"),
        (json!({"resamples": 20_000_000}), "resamples: 20000000 is more than the maximum of"),
        (json!({"map": {"text": "t"}}), "map: unknown field `text`; the fields are query"),
        (json!({"measures": ["charm@3"]}), "charm"),
        (json!({"ties": "chance"}), "ascending"),
        (json!({"kk": 1}), "kk"),
    ] {
        doors.refused(words, &run.asking(&options));
    }
}

#[test]
fn a_summary_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    for (options, words) in [
        (json!({"judge": "nobody"}), "the other judges are `rules`, `rules+PROVIDER/MODEL` and"),
        (json!({"framework": "judge-lock-ultra"}), "judge: judge-lock-ultra needs a panel"),
        (json!({"judge": "panel:local/a,local/b"}), "framework: a panel needs judge-lock-ultra"),
        (json!({"judge": "local/a", "samples": 2}), "samples: several samples need the framework"),
        (json!({"questions": "one"}), "questions: one question needs one model as the judge"),
        (json!({"judge": "local/a", "samples": 0}), "samples: `0` is not a whole number of 1 or"),
        (json!({"overlap": "some"}), "literal"),
        (json!({"weights": "flat"}), "weights"),
    ] {
        doors.refused(words, &summary(&options));
    }
}
