//! The comparisons of the other files see every field: one that is taken out of the answer of any
//! door is a difference.

use assize_engine::council::{CouncilRequest, CouncilRun, rescored};
use assize_engine::retrieval::request::{Inputs, ScoreRequest};
use assize_engine::store::Instrument;
use assize_wire::text::{line, pretty, tree};
use serde::Serialize;
use serde_json::Value;

use super::states::{Stored, mean_on_page};
use super::{Answers, Asking, Doors, Run, council, options};
use crate::support::examples;

/// Where the fields of a value are, however deep, as JSON pointers.
fn fields(value: &Value, place: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        // Elements of one list have the same fields: the first and the last stand for all.
        Value::Array(list) => {
            let end = list.len().saturating_sub(1);
            let ends = list.iter().enumerate().filter(|(at, _)| [0, end].contains(at));
            ends.map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    let each = below.into_iter().flat_map(|(name, value)| {
        let place = format!("{place}/{name}");
        let own = fields(value, &place);
        std::iter::once(place).chain(own)
    });
    each.collect()
}

/// The value without what stands at a place.
fn without(value: &Value, place: &str) -> Value {
    let mut value = value.clone();
    let (parent, name) = place.rsplit_once('/').unwrap();
    match value.pointer_mut(parent).unwrap() {
        Value::Object(fields) => {
            fields.shift_remove(&name.replace("~1", "/").replace("~0", "~")).unwrap();
        }
        Value::Array(list) => {
            list.remove(name.parse().unwrap());
        }
        other => panic!("{place} in {other}"),
    }
    value
}

/// Takes every field out of every door's answer; returns how many there were.
fn every_removal_is_seen(doors: &mut Doors, library: &impl Serialize, asked: &Asking<'_>) -> usize {
    let answers = doors.answers(asked);
    assert_eq!(answers.difference(library), None);
    let (whole, content) = (tree(library), line(library));
    // Written again it is the same text, so that only what is missing makes a difference.
    assert_eq!(line(&whole), content);
    let places = fields(&whole, "");
    for place in &places {
        let less = without(&whole, place);
        let by_command = Answers { printed: pretty(&less), ..answers.clone() };
        let by_http = Answers { served: Some(line(&less)), ..answers.clone() };
        let sent = answers.sent.replace(&content, &line(&less));
        let by_mcp = Answers { sent, ..answers.clone() };
        for (door, answers) in [("command", by_command), ("HTTP", by_http), ("MCP", by_mcp)] {
            let difference = answers.difference(library);
            let difference = difference.unwrap_or_else(|| panic!("{door} without {place}"));
            assert!(difference.starts_with(door), "{place}: {difference}");
        }
    }
    places.len()
}

#[test]
fn a_field_that_a_door_leaves_out_is_a_difference() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::passages();
    let request = ScoreRequest::default();
    let report = request.score(Inputs::Values(&run.predictions, &run.gold)).unwrap();
    let options_of = |kind: &str| options(kind).remove(0);
    let passages = options_of("passages");
    let report = report.to_wire(false);
    let count = every_removal_is_seen(&mut doors, &report, &run.asking(&passages));
    assert!(count > 20, "{count} fields of a retrieval report");

    let councils = options_of("councils");
    let held = CouncilRun::read(&examples().join("council/run.json"), None).unwrap();
    let request: CouncilRequest = serde_json::from_value(councils.clone()).unwrap();
    let again = rescored(&held, &request).unwrap();
    let verdict = again.to_wire(again.verdict());
    let asking = council::counted_again(&doors, &councils);
    let count = every_removal_is_seen(&mut doors, &verdict, &asking);
    assert!(count > 100, "{count} fields of a verdict");
}

/// Of stored runs, the command line's answer is held against HTTP's, and the page against both.
#[test]
fn a_field_that_a_view_of_a_stored_run_leaves_out_is_a_difference() {
    let stored = Stored::in_database(None);
    for (number, instrument) in
        [(1, Instrument::Retrieval), (2, Instrument::Summary), (3, Instrument::Compliance)]
    {
        let (shown, api) = stored.views((number, instrument), "score");
        assert_eq!(shown, api);
        let places = fields(&api, "");
        assert!(places.len() > 20, "{instrument}: {}", places.len());
        for place in &places {
            assert_ne!(without(&shown, place), api, "the command line without {place}");
            assert_ne!(shown, without(&api, place), "HTTP without {place}");
        }
        let page = stored.page(number, &api);
        assert_eq!(stored.page_difference(number, &api, &page), None);
        for mean in api["means"].as_array().unwrap() {
            let Some(printed) = mean_on_page(api["instrument"].as_str().unwrap(), mean) else {
                continue;
            };
            let less = page.replace(&printed, "");
            let difference = stored.page_difference(number, &api, &less);
            assert!(difference.is_some(), "{instrument}: a page without {printed}");
        }
    }
}
