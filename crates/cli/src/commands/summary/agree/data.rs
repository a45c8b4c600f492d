//! Agreement for programs.

use assize_engine::summary::agreement::{Binary, Correlations, Estimate, Grouped};
use serde_json::{Map, Value, json};

use super::View;
use crate::commands::summary::calibration::Written;
use crate::output::data::pretty;

/// One JSON object.
pub(super) fn render(view: &View<'_>) -> String {
    let agreement = &view.agreement;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    match &view.points.method {
        Some(method) => put("method", json!({ "name": method })),
        None => put("method", json!(view.settings.framework.method())),
    };
    put("judge", json!(view.judge()));
    put("metric", json!(view.number.name()));
    put("human", json!(view.arguments.human));
    put("n", json!(agreement.count));
    put("unscored", json!(view.points.unscored));
    put("unrated", json!(view.points.unrated));
    put(
        "correlation",
        json!(if agreement.grouped.is_some() { "mean_over_groups" } else { "pooled" }),
    );
    for (name, found) in agreement.correlations().named() {
        put(name, estimate(found));
    }
    if let Some(grouped) = &agreement.grouped {
        put("groups", groups(grouped, view));
        put("pooled", correlations(&agreement.pooled));
    }
    if view.arguments.by.is_some() {
        put(
            "by",
            agreement.by.iter().map(|(name, count, found)| system(name, *count, found)).collect(),
        );
        if let Some(systems) = &agreement.systems {
            put("between", correlations(systems));
        }
    }
    if let Some(found) = &agreement.binary {
        put("binary", binary(found, view));
    }
    let bins = agreement.reliability.iter().map(|bin| {
        let (low, high) = bin.interval.unzip();
        json!({ "score": bin.score, "human": bin.human, "low": low, "high": high, "n": bin.count })
    });
    put("reliability", bins.collect());
    put("calibration", json!(agreement.calibration.as_ref().map(Written::of)));
    put("confidence", json!(view.options.sureness.level));
    put("resamples", json!(view.options.sureness.resamples));
    put("seed", json!(view.options.sureness.seed));
    pretty(&Value::Object(object))
}

fn correlations(found: &Correlations) -> Value {
    let entries = found.named().map(|(name, found)| (name.to_owned(), estimate(found)));
    Value::Object(entries.into_iter().collect())
}

fn estimate(estimate: &Estimate) -> Value {
    let (low, high) = estimate.interval.unzip();
    let mut value = json!({ "value": estimate.value, "low": low, "high": high });
    if let Some(because) = &estimate.because {
        value["because"] = json!(because);
    }
    value
}

fn system(name: &str, count: usize, found: &Correlations) -> Value {
    let mut system = json!({ "name": name, "n": count });
    for (name, found) in found.named() {
        system[name] = estimate(found);
    }
    system
}

fn groups(grouped: &Grouped, view: &View<'_>) -> Value {
    json!({
        "field": view.arguments.group,
        "count": grouped.count,
        "single": grouped.single,
        "constant_scores": grouped.constant_scores,
        "constant_human": grouped.constant_human,
    })
}

fn binary(binary: &Binary, view: &View<'_>) -> Value {
    json!({
        "threshold": view.options.threshold.unwrap_or(1.0),
        "good": binary.good,
        "bad": binary.bad,
        "auc": estimate(&binary.auc),
        "balanced_accuracy": estimate(&binary.balanced_accuracy),
        "cut": binary.cut,
        "cross_validated": binary.cross_validated,
        "confusion": {
            "good_as_good": binary.confusion.good_as_good,
            "good_as_bad": binary.confusion.good_as_bad,
            "bad_as_bad": binary.confusion.bad_as_bad,
            "bad_as_good": binary.confusion.bad_as_good,
        },
    })
}
