//! Every option that is not its default, through every door.

use assize_engine::retrieval::request::{Inputs, ScoreRequest};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Judged, Pair, SummaryRequest};
use serde_json::{Value, json};

use super::{Doors, Run, summary};

#[test]
fn retrieval_of_passages() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::passages();
    for options in [
        json!({}),
        json!({"k": 2}),
        json!({"k": [1, 3]}),
        json!({"measures": ["recall@5", "ndcg@3", "EM"]}),
        json!({"measures": ["recall"], "k": 4}),
        json!({"mode": "passages"}),
        json!({"whitespace": "strip"}),
        json!({"f1": "bag"}),
        json!({"ndcg_ideal": "retrieved"}),
        json!({"ndcg_ideal": "matched", "k": 3}),
        json!({"ndcg_unclipped": true}),
        json!({"compat": true}),
        json!({"require_all": true}),
        json!({"confidence": 0.8}),
        json!({"resamples": 0}),
        json!({"resamples": 50, "seed": 7}),
    ] {
        scored_the_same(&mut doors, &run, &options);
    }
}

#[test]
fn retrieval_of_ranked_documents() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::ranked(&doors);
    for options in [
        json!({}),
        json!({"mode": "ranked"}),
        json!({"k": 2}),
        json!({"k": [1, 2]}),
        json!({"measures": ["map", "mrr", "ndcg@3", "P(rel=2)@1"]}),
        json!({"relevance_level": 2}),
        json!({"depth": 1}),
        json!({"ties": "ascending"}),
        json!({"ties": "input"}),
        json!({"judged_only": true}),
        json!({"require_all": true}),
        json!({"relevance_level": 2, "judged_only": true, "k": 1, "confidence": 0.5}),
        json!({"resamples": 20, "seed": 1}),
    ] {
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
    for options in [
        json!({}),
        json!({"framework": "judge-lock"}),
        json!({"overlap": "whole_article"}),
        json!({"framework": "judge-lock", "overlap": "whole_article"}),
        json!({"judge": "rules", "samples": 1}),
    ] {
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
