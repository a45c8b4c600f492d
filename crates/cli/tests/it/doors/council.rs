//! Councils that are counted again.

use assize_engine::council::{CouncilRequest, CouncilRun, rescored};
use serde_json::{Value, json};

use super::{Asking, Doors, flags, joined, options, read};
use crate::support::examples;

/// The council of the samples, counted with other settings.
pub(super) fn counted_again(options: &Value) -> Asking<'_> {
    let record = read(&examples().join("council/run.json"));
    let command = ["council", "rescore", "council/run.json", "--format", "json"];
    let mut command: Vec<String> = command.iter().map(ToString::to_string).collect();
    command.extend(flags(options));
    Asking {
        options,
        command,
        http: Some(("/api/v1/council/rescore", json!({"record": record, "change": options}))),
        mcp: ("council_rescore", joined(&json!({"record": record}), options)),
    }
}

#[test]
fn a_council_that_is_counted_again() {
    let mut doors = Doors::open(&[], &[]);
    let held = CouncilRun::read(&examples().join("council/run.json"), None).unwrap();
    for options in options("councils") {
        let request: CouncilRequest = serde_json::from_value(options.clone()).unwrap();
        let again = rescored(&held, &request).unwrap();
        doors.the_same(&again.to_wire(again.verdict()), &counted_again(&options));
    }
}
