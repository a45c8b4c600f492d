//! The readers that the configuration names: whether they are there, and what they are.

use assize_models::Variables;

use super::{Condition, Finding};
use crate::configuration::Written;

const PART: &str = "readers";

/// Looks at the readers that are named; every byte of them is read.
#[cfg(feature = "readers")]
pub(super) fn examine(written: &Written, variables: &Variables) -> Vec<Finding> {
    use crate::readers::shelf::Shelf;

    let named: Vec<&String> =
        written.readers.encoder.iter().chain(&written.readers.entailment).collect();
    let shelf = match Shelf::find(written, variables) {
        Ok(shelf) => shelf,
        Err(_) if named.is_empty() => return vec![none(0)],
        Err(error) => return vec![broken(error.to_string(), "set ASSIZE_READERS to a folder")],
    };
    if named.is_empty() {
        return vec![none(shelf.list().map_or(0, |installed| installed.len()))];
    }
    let one = |name: &&String| match shelf.check(name) {
        Ok(identity) => Finding::fine(PART, identity.to_string()),
        Err(error) => broken(
            format!("{name}: {error}"),
            "install it with `assize readers install NAME`, or remove it from [readers]",
        ),
    };
    named.iter().map(one).collect()
}

#[cfg(not(feature = "readers"))]
pub(super) fn examine(written: &Written, _: &Variables) -> Vec<Finding> {
    if written.readers.encoder.is_none() && written.readers.entailment.is_none() {
        return vec![none(0)];
    }
    let message = "this build does not include local models".to_owned();
    vec![broken(message, "build with the feature `readers`, or remove [readers]")]
}

fn none(installed: usize) -> Finding {
    Finding::fine(PART, format!("none configured, {installed} installed; judges go by words"))
}

fn broken(message: String, advice: &str) -> Finding {
    Finding::bad(PART, Condition::Broken, message, advice)
}
