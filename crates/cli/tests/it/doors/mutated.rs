//! Records that were changed and named anew: every door refuses what the library refuses, and says
//! of the others what the library says.

#[path = "../../../../engine/tests/mutated/mod.rs"]
mod table;

use assize_engine::council::{CouncilRequest, CouncilRun, rescored};
use serde_json::{Value, json};
use table::mutations;

use super::{Asking, Doors};

#[test]
fn no_door_takes_a_record_that_another_refuses() {
    let mut doors = Doors::open(&[], &[]);
    let (mut refused, options) = (0, json!({"aggregate": "mean"}));
    let request: CouncilRequest = serde_json::from_value(options.clone()).unwrap();
    for (number, mutation) in mutations().iter().enumerate() {
        println!("{}", mutation.id);
        let text = mutation.text();
        let path = doors.write(&format!("{number}.json"), &text);
        let record: Value = serde_json::from_str(&text).unwrap();
        let command = ["council", "rescore", &path, "--format", "json", "--aggregate", "mean"];
        let asking = Asking {
            options: &options,
            command: command.map(ToOwned::to_owned).to_vec(),
            http: Some(("/api/v1/council/rescore", json!({"record": record, "change": options}))),
            mcp: ("council_rescore", json!({"record": record, "aggregate": "mean"})),
        };
        match CouncilRun::from_text("record".as_ref(), &text, None) {
            Ok(run) => {
                let again = rescored(&run, &request).unwrap();
                doors.the_same(&again.to_wire(again.verdict()), &asking);
            }
            Err(error) => {
                let said = error.to_string();
                // Each door calls the file in its own way.
                let words = said.strip_prefix("record").unwrap().trim_start_matches(':');
                doors.refused(words.trim_start(), &asking);
                refused += 1;
            }
        }
    }
    assert!(refused >= 170, "{refused} refused");
}
