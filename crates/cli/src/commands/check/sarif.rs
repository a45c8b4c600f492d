//! A suite as SARIF 2.1.0, which code hosts show at the lines that require something.

use std::fmt::Write;
use std::path::Path;

use assize_engine::checks::Outcome;
use assize_wire::threshold::Check;
use serde_json::{Map, Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A result for every requirement, at the line of the file that names its check. A requirement
/// without a measured value has no number.
pub(super) fn render(outcomes: &[Outcome], config: &Path, text: &str) -> Value {
    let (mut results, mut rules) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        let words = format!("{} check", outcome.instrument);
        rules.push(json!({"id": outcome.name, "shortDescription": {"text": words}}));
        let place = json!({
            "artifactLocation": {"uri": uri(config)},
            "region": {"startLine": line_of(text, &outcome.name)},
        });
        let checks = outcome.checks();
        results.extend(checks.iter().map(|check| result(&outcome.name, check, &place)));
    }
    let driver = json!({"name": "assize", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let run = json!({"tool": {"driver": driver}, "results": results});
    json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})
}

fn result(rule: &str, check: &Check, place: &Value) -> Value {
    let (kind, level) = if check.passed { ("pass", "none") } else { ("fail", "error") };
    let mut words = check.line.clone();
    for one in &check.fallen {
        // Writing to a string cannot fail.
        let _ = write!(words, "\n{}: {:.4} before, {:.4} now", one.item, one.before, one.now);
    }
    let mut properties = Map::new();
    let measured = [("value", check.value), ("bound", check.bound)].into_iter();
    properties.extend([("measure".to_owned(), check.measure.as_str().into())]);
    properties.extend(measured.filter_map(|(name, value)| Some((name.to_owned(), value?.into()))));
    json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": {"text": words},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"requirement/v1": format!("{rule}: {}", check.name)},
        "properties": properties,
    })
}

/// The line that names a check, from 1; the first where none does.
pub(super) fn line_of(text: &str, check: &str) -> usize {
    let names = |line: &str| {
        let value = line.trim().strip_prefix("name")?.trim_start().strip_prefix('=')?.trim();
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        Some(value[1..].split(quote).next()? == check)
    };
    text.lines().position(|line| names(line) == Some(true)).map_or(1, |index| index + 1)
}

/// A path as a relative reference: what is not plain is escaped.
fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte);
    let escaped = path.bytes().map(|byte| {
        if is_plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use assize_engine::EngineError;
    use assize_engine::checks::suite::Ended;

    use super::*;

    fn check(name: &str, value: Option<f64>) -> Check {
        Check {
            name: name.to_owned(),
            passed: value.is_some(),
            measure: "recall@10".to_owned(),
            value,
            bound: Some(0.5),
            line: format!("{name} it is"),
            fallen: Vec::new(),
        }
    }

    #[test]
    fn a_requirement_stands_at_the_line_of_its_check_and_has_no_number_without_one() {
        let ended =
            Ended { checks: vec![check("a", Some(0.75)), check("b", None)], ..Ended::default() };
        let outcomes = [
            Outcome { name: "search".to_owned(), instrument: "score", end: Ok(ended) },
            Outcome {
                name: "other one".to_owned(),
                instrument: "gate",
                end: Err(EngineError::bad_input("no file")),
            },
        ];
        let text = "# checks\n[[check]]\nname = \"search\"\n\n[[check]]\nname = 'other one'\n";
        let sarif = render(&outcomes, Path::new("a folder/assize.toml"), text);
        let results = &sarif["runs"][0]["results"];
        let place = |index: usize| &results[index]["locations"][0]["physicalLocation"];
        assert_eq!(place(0)["region"]["startLine"], 3);
        assert_eq!(place(2)["region"]["startLine"], 6);
        assert_eq!(place(0)["artifactLocation"]["uri"], "a%20folder/assize.toml");
        assert_eq!(results[0]["properties"]["value"], 0.75);
        assert_eq!(results[1]["properties"].get("value"), None);
        assert_eq!((&results[0]["kind"], &results[1]["level"]), (&"pass".into(), &"error".into()));
        assert_eq!(sarif["version"], "2.1.0");
    }
}
