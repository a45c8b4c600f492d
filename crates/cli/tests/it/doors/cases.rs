//! Every option that is not its default, through every door.

use assize_engine::retrieval::request::{Inputs, ScoreRequest};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Judged, Pair, SummaryRequest};
use serde_json::Value;

use super::{Doors, Run, options, summary};

#[test]
fn retrieval_of_passages() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::passages();
    for options in options("passages") {
        scored_the_same(&mut doors, &run, &options);
    }
}

#[test]
fn retrieval_of_ranked_documents() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::ranked(&doors);
    for options in options("ranked") {
        scored_the_same(&mut doors, &run, &options);
    }
}

fn scored_the_same(doors: &mut Doors, run: &Run, options: &Value) {
    let request: ScoreRequest = serde_json::from_value(options.clone()).unwrap();
    let report = request.score(Inputs::Values(&run.predictions, &run.gold)).unwrap();
    doors.the_same(&report.to_wire(false), &run.asking(options));
}

#[test]
fn summaries_by_rules() {
    let mut doors = Doors::open(&[], &[]);
    for options in options("summaries") {
        let request: SummaryRequest = serde_json::from_value(options.clone()).unwrap();
        let settings = request.settings().unwrap();
        let asking = summary(&options);
        let text = |field: &str| asking.mcp.1[field].as_str().unwrap().to_owned();
        let (article, summary) = (text("article"), text("summary"));
        let pair = Pair { place: Place::Line(1), article, summary, record: Value::Null };
        let judged = Judged::of(None, pair, settings);
        doors.the_same(&judged.to_wire(settings, true, &Calibrations::default()), &asking);
    }
}
