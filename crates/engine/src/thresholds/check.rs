//! PASS or FAIL.

use assize_wire::number::counted;
use assize_wire::threshold::{Check, FallenItem};

use super::chance::{Chance, held_to_chance};
use super::{Baseline, BaselineError, Figure, Figures, Relation, Requirement, Rule};

/// How far a value may lie on the wrong side of its bound through binary arithmetic alone:
/// 0.8 less 0.1 is not 0.7 in binary, and nobody means that difference.
const TOLERANCE: f64 = 1e-9;

/// Whether a value lies so to a bound.
pub fn is_met(value: f64, relation: Relation, bound: f64) -> bool {
    match relation {
        Relation::AtLeast => value >= bound - TOLERANCE,
        Relation::AtMost => value <= bound + TOLERANCE,
        Relation::Above => value > bound + TOLERANCE,
        Relation::Below => value < bound - TOLERANCE,
    }
}

/// Every requirement against what was measured, and before.
pub fn check(
    requirements: &[Requirement],
    figures: &Figures,
    baseline: Option<&Baseline>,
) -> Vec<Check> {
    requirements.iter().map(|requirement| one(requirement, figures, baseline)).collect()
}

/// Every measure that a result and its baseline share, and that both are about the same items.
pub fn check_baseline(
    figures: &Figures,
    baseline: &Baseline,
    max_drop: f64,
) -> Result<Vec<Check>, BaselineError> {
    let names = figures.names();
    let shared: Vec<&str> =
        names.into_iter().filter(|name| baseline.mean(name).is_some()).collect();
    if shared.is_empty() {
        return Err(BaselineError::NothingInCommon(baseline.name.clone()));
    }
    let requirement = |name: &str| Requirement {
        figure: Figure::Mean(name.to_owned()),
        rule: Rule::NoWorse { by: max_drop, p: None },
    };
    let mut checks: Vec<Check> =
        shared.into_iter().map(|name| one(&requirement(name), figures, Some(baseline))).collect();
    checks.extend(check_same_items(figures, baseline));
    Ok(checks)
}

/// That every item was scored: a mean over what happened to be answered proves nothing, so
/// thresholds fail when something is missing, unless the caller allows it.
pub fn check_complete(figures: &Figures) -> Option<Check> {
    let (missing, all) = (figures.unscored, figures.count);
    (missing > 0).then(|| Check {
        name: "an answer for every query".to_owned(),
        passed: false,
        measure: "unscored".to_owned(),
        value: Some(missing as f64),
        bound: Some(0.0),
        line: format!("FAIL only {} of {all} queries are answered", all - missing.min(all)),
        fallen: Vec::new(),
    })
}

/// The same for items that are judged, and have a score or none.
pub fn check_scored(figures: &Figures) -> Option<Check> {
    let all = figures.count;
    let scored = all - figures.unscored.min(all);
    check_complete(figures).map(|check| Check {
        name: "a score for every item".to_owned(),
        line: format!("FAIL only {scored} of {all} items have a score"),
        ..check
    })
}

/// Values over other items cannot be compared: that alone fails.
pub(crate) fn check_same_items(figures: &Figures, baseline: &Baseline) -> Option<Check> {
    let now = figures.count;
    let before = baseline.count.unwrap_or(now);
    let because = if now == before {
        other_items(figures, baseline)?
    } else {
        format!("{}, but the baseline has {before}", counted(now, "item", "items"))
    };
    Some(Check {
        name: "the same items as the baseline".to_owned(),
        passed: false,
        measure: "items".to_owned(),
        value: Some(now as f64),
        bound: Some(before as f64),
        line: format!("FAIL {because}"),
        fallen: Vec::new(),
    })
}

/// In what the items differ from as many others. Where some have no score, their names are not
/// known, and that they are missing is said elsewhere.
fn other_items(figures: &Figures, baseline: &Baseline) -> Option<String> {
    if figures.items.len() != figures.count || baseline.items() != Some(figures.count) {
        return None;
    }
    let new: Vec<&str> = figures
        .occurrences()
        .filter(|(name, nth)| !baseline.has(name, *nth))
        .map(|(name, _)| name)
        .collect();
    let (first, all) = (new.first()?, figures.count);
    Some(format!("{} of {all} items are not in the baseline, such as `{first}`", new.len()))
}

/// How many fallen items are named: enough to begin with.
const FALLEN: usize = 10;

/// The items that fell furthest, worst first and by name where they fell alike.
fn fallen(measure: &str, figures: &Figures, baseline: &Baseline) -> Vec<FallenItem> {
    let Some(column) = figures.column(measure) else { return Vec::new() };
    let mut fallen: Vec<FallenItem> = column
        .into_iter()
        .zip(figures.occurrences())
        .filter_map(|((item, now), (_, nth))| {
            let (before, now) = (baseline.item(measure, item, nth)?, now?);
            (now < before - TOLERANCE).then(|| FallenItem {
                item: item.to_owned(),
                before,
                now,
                lost: Vec::new(),
            })
        })
        .collect();
    let drop = |one: &FallenItem| one.before - one.now;
    fallen.sort_by(|a, b| drop(b).total_cmp(&drop(a)).then_with(|| a.item.cmp(&b.item)));
    fallen.truncate(FALLEN);
    fallen
}

fn one(requirement: &Requirement, figures: &Figures, baseline: Option<&Baseline>) -> Check {
    let found = value_of(&requirement.figure, figures);
    let measured = match (found, requirement.rule) {
        (Err(because), _) => Err(because),
        (Ok(value), Rule::Bound(relation, bound)) => Ok(bounded(value, relation, bound)),
        (Ok(value), Rule::NoWorse { by, p }) => {
            no_worse(value, &requirement.figure, (by, p), figures, baseline)
        }
    };
    let (passed, value, bound, words) = match measured {
        Ok(Measured { passed, value, bound, words }) => (passed, Some(value), Some(bound), words),
        Err(because) => (false, None, None, because),
    };
    let fallen = match (&requirement.figure, requirement.rule, baseline) {
        (Figure::Mean(measure), Rule::NoWorse { .. }, Some(baseline)) if !passed => {
            fallen(measure, figures, baseline)
        }
        _ => Vec::new(),
    };
    let verdict = if passed { "PASS" } else { "FAIL" };
    Check {
        name: requirement.to_string(),
        passed,
        measure: requirement.figure.to_string(),
        value,
        bound,
        line: format!("{verdict} {} {words}", requirement.figure),
        fallen,
    }
}

/// A value held to a bound.
struct Measured {
    passed: bool,
    value: f64,
    bound: f64,
    words: String,
}

fn bounded(value: f64, relation: Relation, bound: f64) -> Measured {
    let passed = is_met(value, relation, bound);
    let holds = if passed { relation } else { relation.opposite() };
    let words = format!("{value:.4} {} {bound:.4}", holds.sign());
    Measured { passed, value, bound, words }
}

fn no_worse(
    value: f64,
    figure: &Figure,
    (by, alpha): (f64, Option<f64>),
    figures: &Figures,
    baseline: Option<&Baseline>,
) -> Result<Measured, String> {
    let Figure::Mean(measure) = figure else {
        return Err("has no baseline: only means do".to_owned());
    };
    let baseline = baseline.ok_or("has no baseline")?;
    let before = baseline
        .mean(measure)
        .ok_or_else(|| format!("is not in the baseline {}", baseline.name.display()))?;
    let mut measured = bounded(value, Relation::AtLeast, before - by);
    measured.words = format!("{} (baseline {before:.4})", measured.words);
    if let (false, Some(alpha)) = (measured.passed, alpha)
        && let Some(chance) = held_to_chance(measure, figures, baseline, alpha)
    {
        measured.passed = matches!(chance, Chance::Explains { .. });
        measured.words = chance.words(&measured.words, before - value, by);
    }
    Ok(measured)
}

fn value_of(figure: &Figure, figures: &Figures) -> Result<f64, String> {
    let unknown =
        || format!("is not a measure here; the measures are {}", figures.names().join(", "));
    match figure {
        Figure::Mean(measure) => {
            figures.mean(measure).ok_or_else(unknown)?.ok_or_else(|| "has no score".to_owned())
        }
        Figure::Share { measure, relation, value } => {
            let column = figures.column(measure).ok_or_else(unknown)?;
            let is_so = |(_, found): &&(&str, Option<f64>)| {
                found.is_some_and(|v| is_met(v, *relation, *value))
            };
            share(column.iter().filter(is_so).count(), figures.count)
        }
        Figure::Unscored => share(figures.unscored, figures.count),
    }
}

fn share(part: usize, all: usize) -> Result<f64, String> {
    if all == 0 { Err("has no items".to_owned()) } else { Ok(part as f64 / all as f64) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn figures() -> Figures {
        let item = |name: &str, value| (name.to_owned(), vec![value]);
        Figures {
            means: vec![("recall@10".to_owned(), Some(0.71)), ("f1".to_owned(), None)],
            items: vec![
                item("a", Some(0.2)),
                item("b", Some(0.9)),
                item("c", Some(1.0)),
                item("d", None),
            ],
            count: 4,
            unscored: 1,
        }
    }

    fn line(requirement: &str, baseline: Option<&str>) -> String {
        let baseline =
            baseline.map(|text| Baseline::from_text(Path::new("before.json"), text).unwrap());
        let requirement = requirement.parse().unwrap();
        check(&[requirement], &figures(), baseline.as_ref()).remove(0).line
    }

    #[test]
    fn a_line_says_pass_or_fail_with_both_numbers() {
        assert_eq!(line("recall@10 >= 0.8", None), "FAIL recall@10 0.7100 < 0.8000");
        assert_eq!(line("recall@10 >= 0.71", None), "PASS recall@10 0.7100 >= 0.7100");
        assert_eq!(line("unscored <= 1%", None), "FAIL unscored 0.2500 > 0.0100");
        let share = "share(recall@10 < 0.5) <= 25%";
        assert_eq!(line(share, None), "PASS share(recall@10 < 0.5) 0.2500 <= 0.2500");
    }

    #[test]
    fn what_is_not_there_fails() {
        assert!(line("f1 >= 0", None).starts_with("FAIL f1 has no score"));
        assert!(line("map >= 0", None).contains("the measures are recall@10, f1"));
        assert_eq!(
            line("recall@10 no worse than baseline", None),
            "FAIL recall@10 has no baseline"
        );
        let other = line("recall@10 no worse than baseline", Some("{}"));
        assert_eq!(other, "FAIL recall@10 is not in the baseline before.json");
    }

    #[test]
    fn a_drop_is_held_against_what_is_allowed() {
        let before = Some(r#"{"recall@10": 0.75}"#);
        let drop = |by: &str| line(&format!("recall@10 no worse than baseline by {by}"), before);
        assert_eq!(drop("0.02"), "FAIL recall@10 0.7100 < 0.7300 (baseline 0.7500)");
        // Exactly the drop that is allowed, which binary arithmetic would miss.
        assert_eq!(drop("0.04"), "PASS recall@10 0.7100 >= 0.7100 (baseline 0.7500)");
    }

    /// `a` fell by 0.7, `b` by 0.05; `c` rose and `d` has no score. They are found by name.
    #[test]
    fn items_that_fell_are_named_worst_first() {
        let before = r#"{"recall@10": 0.9, "queries": [{"query": "d", "recall@10": 1},
            {"query": "b", "recall@10": 0.95}, {"query": "c", "recall@10": 0.75},
            {"query": "a", "recall@10": 0.9}]}"#;
        let baseline = Baseline::from_text(Path::new("x"), before).unwrap();
        let wanted = "recall@10 no worse than baseline by 0.02".parse().unwrap();
        let check = check(&[wanted], &figures(), Some(&baseline)).remove(0);
        let fell: Vec<_> =
            check.fallen.iter().map(|one| (&*one.item, one.before, one.now)).collect();
        assert_eq!(fell, [("a", 0.9, 0.2), ("b", 0.95, 0.9)]);
    }

    #[test]
    fn a_baseline_on_other_items_fails_whatever_the_values() {
        let text = r#"{"recall@10": 0.1, "num_examples": 9}"#;
        let baseline = Baseline::from_text(Path::new("x"), text).unwrap();
        let checks = check_baseline(&figures(), &baseline, 0.0).unwrap();
        let passed: Vec<bool> = checks.iter().map(|check| check.passed).collect();
        assert_eq!(passed, [true, false]);
        assert!(checks[1].line.contains("the baseline has 9"), "{}", checks[1].line);
        let items = |names: &str| {
            let items: Vec<String> = names
                .chars()
                .map(|name| format!(r#"{{"query": "{name}", "recall@10": 0.9}}"#))
                .collect();
            let items = items.join(",");
            let text = format!(r#"{{"recall@10": 0.1, "num_examples": 4, "queries": [{items}]}}"#);
            Baseline::from_text(Path::new("x"), &text).unwrap()
        };
        // The order does not matter, the names do.
        assert_eq!(check_same_items(&figures(), &items("dbca")), None);
        let other = check_same_items(&figures(), &items("abxy")).unwrap();
        assert_eq!(other.line, "FAIL 2 of 4 items are not in the baseline, such as `c`");
        let none = Baseline::from_text(Path::new("x"), "{}").unwrap();
        assert!(check_baseline(&figures(), &none, 0.0).is_err());
    }
}
