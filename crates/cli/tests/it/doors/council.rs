//! Councils that are counted again.

use assize_engine::council::{Choices, CouncilRun, rescored};
use serde_json::{Value, json};

use super::{Asking, Doors, read};
use crate::support::examples;

#[test]
fn a_council_that_is_counted_again() {
    let path = examples().join("council/run.json");
    let choices = Choices {
        profile: Some("classic".to_owned()),
        aggregate: Some("schulze".to_owned()),
        safety_gate: Some(true),
        ..Choices::default()
    };
    let again = rescored(&CouncilRun::read(&path, None).unwrap(), &choices).unwrap();
    let command = ["council", "rescore", "council/run.json", "--profile", "classic", "--aggregate"];
    let command = [&command[..], &["schulze", "--safety-gate", "--format", "json"]].concat();
    let arguments = json!({
        "record": read(&path), "profile": "classic", "aggregate": "schulze", "safety_gate": true,
    });
    let asking = Asking {
        options: &Value::Null,
        command: command.iter().map(ToString::to_string).collect(),
        http: None,
        mcp: ("council_rescore", arguments),
    };
    Doors::open(&[], &[]).the_same(&again.to_wire(again.verdict()), &asking);
}
