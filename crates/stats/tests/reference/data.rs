//! Reading the reference files, and counting the cases that agree.

use std::{env, fs, path::PathBuf};

use serde_json::Value;

/// How far a figure computed in one go may be off.
pub(crate) const DIRECT: f64 = 1e-9;

/// How far a figure found by iteration may be off.
pub(crate) const ITERATED: f64 = 1e-6;

/// What one case found to be wrong, if anything.
pub(crate) type Checked = Result<(), String>;

/// Checks every case of a file and says how many agree.
#[expect(clippy::print_stdout, reason = "the count is what the reader of this test looks for")]
pub(crate) fn check_all(file: &str, check: impl Fn(&Value) -> Checked) {
    let root = env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let path = PathBuf::from(root).join("stats").join(file);
    let text = fs::read_to_string(&path).expect("the reference file can be read");
    let whole: Value = serde_json::from_str(&text).expect("the reference file is JSON");
    let cases = whole["cases"].as_array().expect("the reference file has cases");
    let wrong: Vec<String> = cases
        .iter()
        .enumerate()
        .filter_map(|(index, case)| check(case).err().map(|why| format!("case {index}: {why}")))
        .collect();
    println!("{file}: {} of {} cases agree", cases.len() - wrong.len(), cases.len());
    assert!(!cases.is_empty() && wrong.is_empty(), "{file}\n{}", wrong.join("\n"));
}

/// Compares a figure with the reference, relative to its size from 1 upwards.
pub(crate) fn near(name: &str, found: f64, expected: &Value, tolerance: f64) -> Checked {
    let expected = number(expected);
    if (found - expected).abs() <= tolerance * expected.abs().max(1.0) {
        Ok(())
    } else {
        Err(format!("{name} is {found}, expected {expected}"))
    }
}

/// Compares a p value, relative to its size however small it is.
pub(crate) fn near_p(name: &str, found: f64, expected: &Value) -> Checked {
    near(name, found, expected, DIRECT)?;
    let expected = number(expected);
    if (found - expected).abs() <= DIRECT * expected.abs() {
        Ok(())
    } else {
        Err(format!("{name} is {found}, expected {expected} to nine digits"))
    }
}

/// Compares two lists of figures.
pub(crate) fn all_near(name: &str, found: &[f64], expected: &Value, tolerance: f64) -> Checked {
    let expected = expected.as_array().expect("a list");
    same(&format!("length of {name}"), &found.len(), &expected.len())?;
    found.iter().zip(expected).try_for_each(|(left, right)| near(name, *left, right, tolerance))
}

/// Compares what must be equal.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(name: &str, found: &T, expected: &T) -> Checked {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{name} is {found:?}, expected {expected:?}"))
    }
}

/// A number.
pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

/// The statistic, or its reason as what went wrong.
pub(crate) fn found<T>(
    name: &str,
    result: Result<T, assize_stats::StatsError>,
) -> Result<T, String> {
    result.map_err(|error| format!("{name}: {error}"))
}

/// A list of anything.
pub(crate) fn rows(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A list of counts or indices.
pub(crate) fn counts(value: &Value) -> Vec<usize> {
    let count = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
    rows(value).iter().map(|value| count(value).expect("a count")).collect()
}

/// A table of numbers.
pub(crate) fn table(value: &Value) -> Vec<Vec<f64>> {
    rows(value).iter().map(numbers).collect()
}

/// A table of numbers with gaps.
pub(crate) fn marks(value: &Value) -> Vec<Vec<Option<f64>>> {
    rows(value).iter().map(|row| rows(row).iter().map(Value::as_f64).collect()).collect()
}
