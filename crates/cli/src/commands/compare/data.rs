//! A comparison for programs: CSV and JSON.

use assize_engine::retrieval::compare::Pair;
use serde_json::{Value, json};

use super::view::{Mark, Section, View};
use crate::output::data;

/// One line a pair and measure.
pub(super) fn csv(view: &View<'_>) -> String {
    let header = [
        "measure",
        "run",
        "baseline",
        "run_value",
        "baseline_value",
        "difference",
        "low",
        "high",
        "wins",
        "ties",
        "losses",
        "p_randomization",
        "p_t",
        "p_wilcoxon",
        "p_bootstrap",
        "p_corrected",
        "effect",
        "mark",
    ];
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let rows = view.comparison.pairs.iter().map(|pair| {
        let (run, baseline) =
            (&view.comparison.runs[pair.run], &view.comparison.runs[pair.baseline]);
        vec![
            run.scores[pair.measure].name.clone(),
            run.name.clone(),
            baseline.name.clone(),
            run.scores[pair.measure].value.to_string(),
            baseline.scores[pair.measure].value.to_string(),
            pair.difference.to_string(),
            number(pair.interval.map(|interval| interval.0)),
            number(pair.interval.map(|interval| interval.1)),
            pair.wins.to_string(),
            pair.ties.to_string(),
            pair.losses.to_string(),
            number(pair.tests.randomization),
            number(pair.tests.t),
            number(pair.tests.wilcoxon),
            number(pair.tests.bootstrap),
            number(pair.corrected),
            number(pair.effect),
            mark(view.mark(pair)).to_owned(),
        ]
    });
    data::csv(&header, rows)
}

/// One object with runs and pairs.
pub(super) fn json(view: &View<'_>) -> String {
    let runs: Vec<Value> = view
        .comparison
        .runs
        .iter()
        .map(|run| json!({ "name": run.name, "scores": data::summaries(&run.scores) }))
        .collect();
    let pairs: Vec<Value> =
        view.comparison.pairs.iter().map(|pair| json_pair(view, pair)).collect();
    let mut whole = json!({
        "queries": view.comparison.queries,
        "method": view.method(),
        "alpha": view.alpha,
        "runs": runs,
        "pairs": pairs,
    });
    if !view.setting.sections.is_empty() {
        whole["tables"] = view.setting.sections.iter().map(json_section).collect();
    }
    data::pretty(&whole)
}

fn json_section(section: &Section) -> Value {
    let rows = section.rows.iter().map(|(run, values)| {
        let values = section.columns.iter().cloned().zip(values.iter().map(|value| json!(value)));
        json!({ "run": run, "values": Value::Object(values.collect()) })
    });
    json!({ "title": section.title, "runs": rows.collect::<Vec<_>>() })
}

fn json_pair(view: &View<'_>, pair: &Pair) -> Value {
    let moved: Vec<Value> = pair
        .moved
        .iter()
        .map(|moved| json!({ "query": moved.query, "before": moved.before, "after": moved.after }))
        .collect();
    json!({
        "measure": view.measures()[pair.measure],
        "run": view.run(pair.run),
        "baseline": view.run(pair.baseline),
        "difference": pair.difference,
        "interval": pair.interval.map(|(low, high)| json!({ "low": low, "high": high })),
        "wins": pair.wins,
        "ties": pair.ties,
        "losses": pair.losses,
        "p": {
            "randomization": pair.tests.randomization,
            "t": pair.tests.t,
            "wilcoxon": pair.tests.wilcoxon,
            "bootstrap": pair.tests.bootstrap,
            "corrected": pair.corrected,
        },
        "effect": pair.effect,
        "mark": mark(view.mark(pair)),
        "moved": moved,
    })
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Better => "better",
        Mark::Worse => "worse",
        Mark::None => "none",
    }
}
