//! Every measure of `trec_eval` and `ir_measures` on our own run, value by value.
//!
//! `fixtures/make_parity.py` writes run, judgements and expected values. The queries are of twelve
//! kinds: ties of all sorts, scores that are equal only as `f32`, nothing relevant, nothing found,
//! negative judgements, queries without judgements or without answers, and so on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assize_engine::retrieval::ranked::{Qrels, RankedOptions, Reading, score_file};
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_methods::retrieval::ranked::Measure;
use assize_score::float::{exp, ln};

/// What a query's value is held at before the geometric mean.
const GEOMETRIC_FLOOR: f64 = 0.000_01;

/// Sums of up to 120 terms may be added in another order.
const TOLERANCE: f64 = 1e-12;

type Expected = BTreeMap<String, BTreeMap<String, f64>>;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/parity").join(name)
}

fn expected(name: &str) -> Expected {
    let text = std::fs::read_to_string(fixture(name)).expect("the fixture is in the repository");
    serde_json::from_str(&text).expect("queries with their measures")
}

fn board(measures: &[Measure], options: &RankedOptions) -> Scoreboard {
    let reading = Reading::default();
    let qrels = Qrels::load(&fixture("qrels.txt"), &reading).expect("the judgements are read");
    score_file(&fixture("run.txt"), &reading, &qrels, measures, options).expect("the run is read")
}

/// Compares every expected value of every query, and says how many there were.
fn compare(board: &Scoreboard, names: &[String], expected: &Expected) -> usize {
    let (mut compared, mut wrong) = (0, Vec::new());
    for (query, values) in expected.iter().filter(|(query, _)| *query != "all") {
        let row = board.rows.iter().find(|row| row.query == *query);
        let row = row.unwrap_or_else(|| panic!("{query} was not scored"));
        for (name, wanted) in values {
            let column = names.iter().position(|known| known == name);
            let found = row.values[column.unwrap_or_else(|| panic!("we have no {name}"))];
            compared += 1;
            if (found - wanted).abs() > TOLERANCE {
                wrong.push(format!("{query} {name}: {found} instead of {wanted}"));
            }
        }
    }
    let queries = expected.keys().filter(|query| *query != "all").count();
    assert_eq!(board.rows.len(), queries, "queries that only we scored");
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), first.join("\n"));
    compared
}

#[test]
fn every_measure_of_trec_eval_has_its_value_for_every_query() {
    let measures = Measure::parse_all("all_trec").expect("a set");
    let names: Vec<String> =
        measures.iter().map(|measure| measure.trec_name().expect("trec_eval has it")).collect();
    let mut compared = 0;
    for level in [1, 2] {
        let expected = expected(&format!("trec_eval_level_{level}.json"));
        let options = RankedOptions { relevant_from: level, ..RankedOptions::default() };
        let board = board(&measures, &options);
        compared += compare(&board, &names, &expected);
        for (name, wanted) in &expected["all"] {
            let column = names.iter().position(|known| known == name).expect("one of ours");
            let logs = board.column(column).map(|value| ln(value.max(GEOMETRIC_FLOOR)));
            let found = exp(logs.sum::<f64>() / board.rows.len() as f64);
            assert!((found - wanted).abs() <= TOLERANCE, "{name}: {found} instead of {wanted}");
        }
    }
    assert!(compared > 6_000, "{compared} values compared");
}

#[test]
fn measures_with_parameters_have_the_values_of_ir_measures() {
    let expected = expected("ir_measures.json");
    let names: BTreeSet<String> = expected.values().flat_map(|row| row.keys().cloned()).collect();
    let names: Vec<String> = names.into_iter().collect();
    let measures: Vec<Measure> =
        names.iter().map(|name| name.parse().expect("a measure")).collect();
    // Queries without an answer count with 0 there.
    let options = RankedOptions { all_queries: true, ..RankedOptions::default() };
    let compared = compare(&board(&measures, &options), &names, &expected);
    assert!(compared > 250, "{compared} values compared");
}
