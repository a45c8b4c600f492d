//! Every figure of `trec_eval`'s own test outputs, to all printed digits.
//!
//! Run by `cargo xtask test --data DIR`; `ranked_parity` compares values that we may ship.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assize_engine::retrieval::ranked::{
    Qrels, RankedOptions, Reading, Run, levels, score, score_file,
};
use assize_engine::retrieval::scoreboard::{Aggregate, Scoreboard};
use assize_methods::retrieval::ranked::Measure;
use assize_score::float::{exp, ln};

/// What a query's value is held at before the geometric mean.
const GEOMETRIC_FLOOR: f64 = 0.000_01;

fn data() -> PathBuf {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    Path::new(&data).join("retrieval/trec_eval")
}

/// The printed values by measure and query, `all` for the run.
type Printed = BTreeMap<(String, String), String>;

fn expected(path: &Path) -> Printed {
    let text = fs::read_to_string(path).expect("the expected output is there");
    let lines = text.lines().map(|line| {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        ((fields[0].to_owned(), fields[1].to_owned()), fields[2].to_owned())
    });
    lines.collect()
}

/// Prints a scoreboard as `trec_eval` would, with every query.
fn printed(board: &Scoreboard, measures: &[Measure]) -> Printed {
    let mut printed = Printed::new();
    for (index, measure) in measures.iter().enumerate() {
        let name = measure.trec_name().expect("trec_eval has it");
        let column = &board.columns[index];
        let show = |value: f64| {
            if column.count { format!("{value:.0}") } else { format!("{value:.4}") }
        };
        let values: Vec<f64> = board.column(index).collect();
        let count = values.len() as f64;
        let sum: f64 = values.iter().sum();
        let all = match column.aggregate {
            Aggregate::Sum => sum,
            Aggregate::Mean => sum / count,
            Aggregate::GeometricMean => {
                exp(values.iter().map(|value| ln(value.max(GEOMETRIC_FLOOR))).sum::<f64>() / count)
            }
        };
        printed.insert((name.clone(), "all".to_owned()), show(all));
        for row in &board.rows {
            printed.insert((name.clone(), row.query.clone()), show(row.values[index]));
        }
    }
    printed
}

struct Case {
    qrels: &'static str,
    run: &'static str,
    output: &'static str,
    measures: &'static [&'static str],
    options: RankedOptions,
    relstring: usize,
}

fn case(qrels: &'static str, run: &'static str, output: &'static str) -> Case {
    Case {
        qrels,
        run,
        output,
        measures: &["official"],
        options: RankedOptions::default(),
        relstring: 0,
    }
}

fn cases() -> Vec<Case> {
    let all = &["all_trec"];
    let whole = RankedOptions { all_queries: true, ..RankedOptions::default() };
    let parameters = &[
        "iprec_at_recall..10,.20,.25,.75,.50",
        "P.5,7,3",
        "recall.20,2000",
        "Rprec_mult.5.0,0.2,0.35",
        "utility.2,-1,0,0",
        "11pt_avg..25,.5,.75",
        "ndcg.1=3,2=9,4=4.5",
        "ndcg_cut.10,20,23.4",
        "success.2,5,20",
    ];
    vec![
        case("qrels.test", "results.test", "out.test"),
        case("qrels.test.with-comments", "results.test", "out.test"),
        case("qrels.comment.test", "results.comment.test", "out.comment.test"),
        Case { measures: all, relstring: 10, ..case("qrels.test", "results.test", "out.test.a") },
        Case { measures: all, relstring: 10, ..case("qrels.test", "results.test", "out.test.aq") },
        Case {
            measures: all,
            options: whole.clone(),
            relstring: 10,
            ..case("qrels.test", "results.trunc", "out.test.aqc")
        },
        Case {
            measures: all,
            options: RankedOptions { depth: Some(100), ..whole },
            relstring: 10,
            ..case("qrels.test", "results.trunc", "out.test.aqcM")
        },
        Case {
            measures: all,
            options: RankedOptions { relevant_from: 2, ..RankedOptions::default() },
            relstring: 20,
            ..case("qrels.rel_level", "results.test", "out.test.aql")
        },
        Case { measures: parameters, ..case("qrels.test", "results.test", "out.test.meas_params") },
    ]
}

#[test]
fn every_line_of_trec_evals_outputs_is_reproduced() {
    let data = data();
    let mut compared = 0;
    for case in cases() {
        let reading = Reading::default();
        let qrels = Qrels::load(&data.join(case.qrels), &reading).unwrap();
        let measures: Vec<Measure> =
            case.measures.iter().flat_map(|text| Measure::parse_all(text).unwrap()).collect();
        let run_file = data.join(case.run);
        let board = score_file(&run_file, &reading, &qrels, &measures, &case.options).unwrap();
        let run = Run::load(&run_file, &reading).unwrap();
        assert_eq!(
            score(&run, &qrels, &measures, &case.options).unwrap(),
            board,
            "{}",
            case.output
        );
        let mut ours = printed(&board, &measures);
        ours.insert(("runid".to_owned(), "all".to_owned()), run.name.clone());
        for query in qrels.queries() {
            let levels =
                levels(&run, &qrels, &query, case.relstring, &case.options).unwrap_or_default();
            let name = if case.relstring == 10 { "relstring" } else { "relstring_20" };
            ours.insert((name.to_owned(), query), format!("'{levels}'"));
        }
        for ((measure, query), value) in expected(&data.join(case.output)) {
            // trec_eval writes parameters as they were typed.
            let name = match measure.as_str() {
                "11pt_avg_.25,.5,.75" => "11pt_avg_0.25,0.5,0.75".to_owned(),
                other => other.to_owned(),
            };
            let our = ours.get(&(name, query.clone()));
            assert_eq!(our, Some(&value), "{}: {measure} of {query}", case.output);
            compared += 1;
        }
    }
    println!("{compared} values compared");
    assert_eq!(compared, 30 + 30 + 30 + 99 + 387 * 4 + 88);
}
