//! Why a measure was refused.

use thiserror::Error;

/// Why a measure was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// No measure has this name.
    #[error("unknown measure `{name}`{}", suggestion(nearest))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that look most like it.
        nearest: Vec<&'static str>,
    },
    /// A measure of no ranks at all.
    #[error("the cutoff of `{text}` must be 1 or more")]
    CutoffZero {
        /// What was asked for.
        text: String,
    },
    /// The measure says nothing without a cutoff.
    #[error("`{name}` needs a cutoff, as in `{name}@{example}`")]
    CutoffMissing {
        /// The measure.
        name: &'static str,
        /// A cutoff that it takes.
        example: &'static str,
    },
    /// What stands behind the `@` is not what the measure takes.
    #[error("`{name}` takes {expected} after the @, not `{text}`")]
    Cutoff {
        /// The measure.
        name: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was there.
        text: String,
    },
    /// What stands between the brackets is not what the measure takes.
    #[error("`{name}` takes {expected} in its parentheses, not `{text}`")]
    Parameter {
        /// The measure.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was there.
        text: String,
    },
    /// A bracket is open, or something stands where nothing should.
    #[error("`{text}` is not a measure: expected name, (settings), @cutoff")]
    Form {
        /// What was asked for.
        text: String,
    },
}

fn suggestion(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        [name] => format!("; did you mean {name}?"),
        names => format!("; did you mean one of {}?", names.join(", ")),
    }
}
