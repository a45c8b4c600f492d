//! Marks by dimension with people's preferences, for fitting the weights of a rubric.

use std::path::Path;

use assize_methods::council::tune::Preference;
use assize_methods::council::{ByDimension, Dimension};
use serde_json::Value;

use super::bench::BenchError;
use crate::summary::input::Records;

/// Reads preferences: `question`, `answers` with `model`, `preferred`, and `marks` by judge, then by
/// dimension, in the order of the answers.
pub fn read(path: &Path) -> Result<Vec<Preference>, BenchError> {
    let mut found = Vec::new();
    for (index, record) in Records::open(path, None)?.enumerate() {
        let value = record?.value()?;
        let shape = |problem: String| BenchError::Shape {
            file: path.display().to_string(),
            record: index + 1,
            problem,
        };
        found.extend(preferences(&value).map_err(shape)?);
    }
    Ok(found)
}

fn preferences(value: &Value) -> Result<Vec<Preference>, String> {
    let question = value["question"].as_str().ok_or("missing `question`")?;
    let answers = value["answers"].as_array().ok_or("missing list `answers`")?;
    let preferred = value["preferred"].as_str().ok_or("missing `preferred` model")?;
    let judges = value["marks"].as_object().ok_or("missing `marks` by judge")?;
    let names: Vec<&str> =
        answers.iter().map(|answer| answer["model"].as_str().unwrap_or_default()).collect();
    let best = names.iter().position(|name| *name == preferred);
    let best = best.ok_or(format!("no answer is by the preferred `{preferred}`"))?;
    let mut marks: Vec<ByDimension<Vec<f64>>> = vec![ByDimension::new(); names.len()];
    for (judge, by_dimension) in judges {
        let by_dimension = by_dimension.as_object().into_iter().flatten();
        for (name, given) in by_dimension {
            let unknown = || format!("{judge}: unknown dimension `{name}`");
            let dimension = Dimension::named(name).ok_or_else(unknown)?;
            let given = given.as_array().filter(|given| given.len() == names.len());
            let given = given.ok_or(format!("{judge}, {name}: expected one mark per answer"))?;
            for (answer, mark) in given.iter().enumerate() {
                if let Some(mark) = mark.as_f64().filter(|mark| (0.0..=10.0).contains(mark)) {
                    marks[answer].entry(dimension).or_default().push(mark);
                }
            }
        }
    }
    let mean = |answer: usize, dimension: Dimension| {
        assize_stats::summary::mean(marks[answer].get(&dimension)?).ok()
    };
    let against = |other: usize| {
        // Which of the two stands first must not matter: they take turns.
        let first = other.is_multiple_of(2);
        let (one, two) = if first { (best, other) } else { (other, best) };
        let difference =
            |dimension: Dimension| Some((dimension, mean(one, dimension)? - mean(two, dimension)?));
        let differences = Dimension::ALL.into_iter().filter_map(difference).collect();
        Preference { question: question.to_owned(), first, differences }
    };
    Ok((0..names.len()).filter(|other| *other != best).map(against).collect())
}

#[cfg(test)]
mod tests {

    use super::*;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_preferred_answer_is_held_against_every_other() {
        let given = value(
            r#"{
                "question": "Why?", "preferred": "b",
                "answers": [{"model": "a"}, {"model": "b"}, {"model": "c"}],
                "marks": {"r": {"accuracy": [4, 8, 6]}, "s": {"accuracy": [6, 8, null]}}
            }"#,
        );
        let found = preferences(&given).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].differences[&Dimension::Accuracy], 3.0);
        assert!(found.iter().all(|one| one.first), "0 and 2 are even");
        let error = preferences(&value(r#"{"question": "Why?"}"#)).unwrap_err();
        assert!(error.contains("answers"), "{error}");
    }
}
