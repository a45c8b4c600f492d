//! Councils that are counted again.

use assize_engine::council::{CouncilRequest, CouncilRun, rescored};
use serde_json::{Value, json};

use super::{Asking, Doors, flags, joined, options, read};
use crate::support::examples;

/// The council of the samples, counted with other settings. Weights of reviewers are a file on the
/// command line.
pub(super) fn counted_again<'o>(doors: &Doors, options: &'o Value) -> Asking<'o> {
    let record = read(&examples().join("council/run.json"));
    let command = ["council", "rescore", "council/run.json", "--format", "json"];
    let mut command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let mut typed = options.clone();
    if let Some(trust) = typed.as_object_mut().and_then(|typed| typed.remove("trust")) {
        let file = joined(&json!({"assize_trust": 1}), &trust).to_string();
        command.extend(["--trust".to_owned(), doors.write("trust.json", &file)]);
    }
    command.extend(flags(&typed));
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
        let asking = counted_again(&doors, &options);
        doors.the_same(&again.to_wire(again.verdict()), &asking);
    }
}
