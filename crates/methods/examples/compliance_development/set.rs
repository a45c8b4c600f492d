//! The hand-judged pairs as they stand in `cases/compliance`.

use std::error::Error;
use std::path::Path;

use assize_methods::compliance::Criterion;
use serde::Deserialize;

/// A policy with the criteria that it is held against.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Policy {
    /// What it is.
    #[serde(rename = "policy")]
    #[expect(dead_code, reason = "for people who read the file")]
    title: String,
    /// `tune`, `kept`, `fresh_tune`, `wide`, `last_tune`, `held_out`, `fresh_held` or `last_held`.
    pub(crate) half: String,
    /// Its text; of a public policy it is read from `document_file`.
    #[serde(default)]
    pub(crate) document: String,
    /// Where a public policy stands below the folder of reference data.
    document_file: Option<String>,
    /// The criteria with what a person said.
    pub(crate) criterion: Vec<Case>,
}

/// One criterion and what a person said about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// The name of the criterion.
    pub(crate) id: String,
    /// What kind of pair it is.
    pub(crate) kind: String,
    /// What must be so.
    pub(crate) requirement: String,
    expected: Option<f64>,
    state: Option<String>,
    /// Why the person gave this score.
    pub(crate) why: String,
}

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Expected {
    /// A number from 0 to 100.
    Score(f64),
    /// The document says that it does not apply.
    NotApplicable,
}

impl Case {
    /// As the judge takes it.
    pub(crate) fn criterion(&self) -> Criterion {
        Criterion::new(self.id.clone(), self.requirement.clone(), "")
    }

    /// What a person said.
    pub(crate) fn expected(&self) -> Expected {
        self.expected.map_or(Expected::NotApplicable, Expected::Score)
    }

    fn is_valid(&self) -> bool {
        let has_score = self.expected.is_some_and(|score| (0.0..=100.0).contains(&score));
        has_score != (self.state.as_deref() == Some("not_applicable")) && !self.why.is_empty()
    }
}

/// Every policy of the set, by name of its file; the public ones only with the folder of reference data.
pub(crate) fn read(data: Option<&Path>) -> Result<Vec<Policy>, Box<dyn Error>> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/compliance");
    let mut paths = Vec::new();
    let public = data.map(|_| "public");
    for folder in ["development", "held_out", "fresh", "wide", "last"].into_iter().chain(public) {
        let entries = std::fs::read_dir(cases.join(folder))?;
        paths.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    let mut policies = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let mut policy: Policy =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        if let Some(case) = policy.criterion.iter().find(|case| !case.is_valid()) {
            return Err(format!("{}: {} needs a score or a state", path.display(), case.id).into());
        }
        if let (Some(data), Some(file)) = (data, &policy.document_file) {
            let path = data.join(file);
            policy.document = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        policies.push(policy);
    }
    Ok(policies)
}
