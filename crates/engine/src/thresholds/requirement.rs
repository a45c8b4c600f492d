//! What must hold, read from a line of text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One thing that must hold of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Which number.
    pub figure: Figure,
    /// What is asked of it.
    pub rule: Rule,
}

/// A number of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// The mean of a measure over everything that was scored: `recall@10`, `hallucination mean`.
    Mean(String),
    /// The share of all items whose value of a measure is so: `share(hallucination < 4)`.
    Share {
        /// The measure.
        measure: String,
        /// How an item's value lies.
        relation: Relation,
        /// To this.
        value: f64,
    },
    /// The share of items without a score.
    Unscored,
}

/// What is asked of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// It lies so to a bound.
    Bound(Relation, f64),
    /// It does not fall below the baseline by more than this.
    NoWorse {
        /// The drop that is allowed.
        by: f64,
        /// Below which p of a paired test a greater drop counts; without it every one does.
        p: Option<f64>,
    },
}

/// How a number lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `<`
    Below,
}

impl Relation {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::Below => "<",
        }
    }

    /// What holds when it does not.
    #[must_use]
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::AtLeast => Self::Below,
            Self::AtMost => Self::Above,
            Self::Above => Self::AtMost,
            Self::Below => Self::AtLeast,
        }
    }
}

/// Why a line is no requirement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{line}`: {problem}; expected something like {EXAMPLES}")]
pub struct RequirementError {
    /// What was written.
    pub line: String,
    /// What is wrong with it.
    pub problem: String,
}

const EXAMPLES: &str = "`recall@10 >= 0.8`, `share(hallucination < 4) <= 2%`, `unscored <= 1%` or \
                        `ndcg@10 no worse than baseline by 0.02 (p < 0.05)`";
/// What stands before a measure whose mean is corrected by what people said of some items.
pub(crate) const CORRECTED: &str = "human-corrected ";
const NO_WORSE: &str = " no worse than baseline";

impl FromStr for Requirement {
    type Err = RequirementError;

    fn from_str(line: &str) -> Result<Self, RequirementError> {
        let read = || {
            if let Some((figure, rest)) = line.split_once(NO_WORSE) {
                return Ok(Self { figure: figure.parse()?, rule: no_worse(rest)? });
            }
            // The relation of a share stands inside brackets; the one that decides is the last.
            let (figure, relation, bound) = last_relation(line)?;
            Ok(Self { figure: figure.parse()?, rule: Rule::Bound(relation, number(bound)?) })
        };
        read().map_err(|problem| RequirementError { line: line.trim().to_owned(), problem })
    }
}

impl FromStr for Figure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(inside) = text.strip_prefix("share(").and_then(|rest| rest.strip_suffix(')')) {
            let (measure, relation, value) = last_relation(inside)?;
            let measure = named(measure)?;
            return Ok(Self::Share { measure, relation, value: number(value)? });
        }
        if let Some(measure) = text.strip_prefix(CORRECTED) {
            let measure = measure.trim();
            let measure = named(measure.strip_suffix(" mean").unwrap_or(measure))?;
            return Ok(Self::Mean(format!("{CORRECTED}{measure}")));
        }
        match text {
            "unscored" => Ok(Self::Unscored),
            text => Ok(Self::Mean(named(text.strip_suffix(" mean").unwrap_or(text))?)),
        }
    }
}

/// ` by 0.02 (p < 0.05)`, each part of which may be missing.
fn no_worse(rest: &str) -> Result<Rule, String> {
    let (by, p) = match rest.split_once('(') {
        None => (rest, None),
        Some((by, test)) => {
            let test = test.trim().strip_suffix(')').ok_or("a bracket is not closed")?;
            let (name, relation, p) = last_relation(test)?;
            if name.trim() != "p" || relation != Relation::Below {
                return Err(format!("`({test})` is not `(p < 0.05)`"));
            }
            (by, Some(number(p)?))
        }
    };
    let by = match by.trim().strip_prefix("by") {
        Some(by) => number(by)?,
        None if by.trim().is_empty() => 0.0,
        None => return Err(format!("`{}` is not `by NUMBER`", by.trim())),
    };
    if by < 0.0 {
        return Err("the allowed drop must be 0 or more".to_owned());
    }
    Ok(Rule::NoWorse { by, p })
}

fn last_relation(text: &str) -> Result<(&str, Relation, &str), String> {
    let relations =
        [Relation::AtLeast, Relation::AtMost, Relation::Above, Relation::Below].into_iter();
    // Of two at one place the longer one: `<` is the beginning of `<=`.
    let found = relations.filter_map(|relation| Some((text.rfind(relation.sign())?, relation)));
    let (place, relation) = found
        .max_by_key(|(place, relation)| (*place, relation.sign().len()))
        .ok_or("no comparison: >=, <=, > or < is missing")?;
    Ok((&text[..place], relation, &text[place + relation.sign().len()..]))
}

fn named(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(format!("`{name}` is not the name of a measure"));
    }
    Ok(name.to_owned())
}

fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (digits, scale) = match text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let value = digits.parse::<f64>().ok().filter(|value| value.is_finite());
    value.map(|value| value / scale).ok_or_else(|| format!("`{text}` is not a number"))
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean(measure) => formatter.write_str(measure),
            Self::Share { measure, relation, value } => {
                write!(formatter, "share({measure} {} {value})", relation.sign())
            }
            Self::Unscored => formatter.write_str("unscored"),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = &self.figure;
        match self.rule {
            Rule::Bound(relation, bound) => {
                write!(formatter, "{figure} {} {bound}", relation.sign())
            }
            Rule::NoWorse { by, p: None } => write!(formatter, "{figure}{NO_WORSE} by {by}"),
            Rule::NoWorse { by, p: Some(p) } => {
                write!(formatter, "{figure}{NO_WORSE} by {by} (p < {p})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Requirement {
        line.parse().unwrap()
    }

    #[test]
    fn the_lines_of_a_project_file_are_read() {
        let mean = |name: &str| Figure::Mean(name.to_owned());
        let bound = |relation, value| Rule::Bound(relation, value);
        let found = read("recall@10 >= 0.80");
        assert_eq!((found.figure, found.rule), (mean("recall@10"), bound(Relation::AtLeast, 0.8)));
        let found = read("hallucination mean >= 7");
        assert_eq!(
            (found.figure, found.rule),
            (mean("hallucination"), bound(Relation::AtLeast, 7.0))
        );
        let found = read("share(hallucination < 4) <= 2%");
        let share = Figure::Share {
            measure: "hallucination".to_owned(),
            relation: Relation::Below,
            value: 4.0,
        };
        assert_eq!((found.figure, found.rule), (share, bound(Relation::AtMost, 0.02)));
        let found = read("unscored <= 1%");
        assert_eq!((found.figure, found.rule), (Figure::Unscored, bound(Relation::AtMost, 0.01)));
        let found = read("ndcg@10 no worse than baseline by 0.02 (p < 0.05)");
        let rule = Rule::NoWorse { by: 0.02, p: Some(0.05) };
        assert_eq!((found.figure, found.rule), (mean("ndcg@10"), rule));
        assert_eq!(read("map no worse than baseline").rule, Rule::NoWorse { by: 0.0, p: None });
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        for line in [
            "recall@10 >= 0.8",
            "share(hallucination < 4) <= 0.02",
            "unscored < 0.01",
            "ndcg@10 no worse than baseline by 0.02 (p < 0.05)",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn what_is_no_requirement_says_what_is_wrong() {
        for (line, problem) in [
            ("recall@10", "no comparison"),
            ("recall@10 >= high", "`high` is not a number"),
            ("recall@10 >= NaN", "is not a number"),
            (">= 0.8", "is not the name of a measure"),
            ("recall @10 >= 0.8", "is not the name of a measure"),
            ("ndcg no worse than baseline by -1", "0 or more"),
            ("ndcg no worse than baseline by 0.1 (p < 0.05", "not closed"),
        ] {
            let error = line.parse::<Requirement>().unwrap_err().to_string();
            assert!(error.contains(problem), "{line}: {error}");
        }
    }
}
