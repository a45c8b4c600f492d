//! What a check says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use assize_search::Method;
use assize_search::method::UnknownMethod;
use schemars::JsonSchema;
use serde::Deserialize;
use thiserror::Error;

use super::baseline::place;
use super::corrected::{is_corrected, parts};
use crate::asking::JudgeName;
use crate::request::Asked;
use crate::retrieval::request::ScoreRequest;
use crate::summary::SummaryRequest;
use crate::thresholds::Requirement;

/// One `[[check]]`. Paths are those below the folder of the file, unless they are absolute.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// What it is called in every report.
    pub name: String,
    /// A retrieval run against its gold.
    pub score: Option<Score>,
    /// Queries that are searched for in a corpus, and their gold.
    pub retrieve: Option<Retrieve>,
    /// Summaries against their articles.
    pub summary: Option<Summary>,
    /// Documents against criteria.
    pub evaluate: Option<Evaluate>,
    /// Answers against the safety gate.
    pub gate: Option<Gate>,
    /// A council that was held.
    pub council: Option<Council>,
    /// What must hold, a line each.
    pub require: Vec<String>,
    /// Results to compare with; without it, those that were kept.
    pub baseline: Option<PathBuf>,
    /// What would fail and is allowed by name.
    pub allow: Vec<Allowed>,
    /// What people said of some items: records with an `id` and a `score`.
    pub labels: Option<PathBuf>,
    /// How often a model is asked the same, because it may answer differently.
    pub samples: Option<u32>,
}

/// A retrieval run, and how it is scored; its measures are those that requirements name.
pub type Score = Asked<Files, ScoreRequest>;

/// The files of a retrieval run.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The run.
    pub run: PathBuf,
    /// Its gold; without it, the references that the run itself holds.
    pub gold: Option<PathBuf>,
}

/// Queries that are searched for, and how what is found is scored.
pub type Retrieve = Asked<Searched, ScoreRequest>;

/// What is searched for, and where.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// Tests with their queries, or queries of BEIR or MS MARCO.
    pub queries: PathBuf,
    /// A folder of texts, or a file of records.
    pub corpus: PathBuf,
    /// The judgements; without them, the gold of the tests.
    pub qrels: Option<PathBuf>,
    /// How passages are ranked: `hybrid` (the default), `bm25`, `tfidf` or `dense`.
    #[serde(default)]
    pub method: RankedBy,
}

/// A method by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub struct RankedBy(pub Method);

impl Default for RankedBy {
    fn default() -> Self {
        Self(Method::Hybrid)
    }
}

impl TryFrom<String> for RankedBy {
    type Error = UnknownMethod;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse().map(Self)
    }
}

/// Summaries, and how they are judged.
pub type Summary = Asked<Pairs, SummaryRequest>;

/// A file of summaries.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// The file.
    pub input: PathBuf,
    /// Which column holds the `article`, the `summary` and the `id`.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
}

/// Documents and the criteria they are held to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluate {
    /// A file of criteria.
    pub criteria: PathBuf,
    /// Files of documents.
    pub documents: Vec<PathBuf>,
    /// Who judges: `rules` (the default) or `PROVIDER/MODEL`.
    #[serde(default)]
    pub judge: JudgeName,
    /// Which column holds the `id`, the `requirement` and the `description` of a criterion.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// The sheet of a workbook of criteria.
    pub sheet: Option<String>,
    /// Whether rows of criteria that cannot be used are left out; otherwise the check fails.
    #[serde(default)]
    pub skip_unusable: bool,
}

/// Answers that must be safe, or that say themselves whether they are.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Records with a field `response`, and perhaps a `label`.
    pub input: PathBuf,
    /// Files with rules to add.
    #[serde(default)]
    pub patterns: Vec<PathBuf>,
    /// Whether what was learned from labelled answers is used beside the rules.
    #[serde(default)]
    pub learned: bool,
    /// The false-positive rate that both then aim at.
    pub gate_rate: Option<f64>,
}

/// A council that was held.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Council {
    /// Its file.
    pub run: PathBuf,
}

/// What is allowed by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allowed {
    /// Items without an answer or a score.
    #[serde(alias = "unscored")]
    Missing,
    /// Other items than the baseline has.
    OtherItems,
    /// A file without a single item.
    Empty,
}

/// Why there are no checks.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The file cannot be read.
    #[error("{}: cannot be read; create one with `assize init`", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what we understand.
    #[error("{}: {source}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: Box<toml::de::Error>,
    },
    /// It lists no check.
    #[error("{}: has no [[check]]; `assize init` can propose some", file.display())]
    None {
        /// The file.
        file: PathBuf,
    },
    /// A check says nothing, or too much.
    #[error("{}: check `{name}`: {problem}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// The check.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    check: Vec<Spec>,
}

/// The checks of a file, each known to be understood.
pub fn read_specs(file: &Path) -> Result<Vec<Spec>, SpecError> {
    let text = fs::read_to_string(file)
        .map_err(|source| SpecError::Unreadable { file: file.to_owned(), source })?;
    let written: Written = toml::from_str(&text)
        .map_err(|source| SpecError::Syntax { file: file.to_owned(), source: Box::new(source) })?;
    if written.check.is_empty() {
        return Err(SpecError::None { file: file.to_owned() });
    }
    for (place, spec) in written.check.iter().enumerate() {
        if let Err(problem) = spec.understood(&written.check[..place]) {
            let name = spec.name.clone();
            return Err(SpecError::Wrong { file: file.to_owned(), name, problem });
        }
    }
    Ok(written.check)
}

impl Spec {
    /// What it measures.
    pub fn instrument(&self) -> &'static str {
        self.instruments().first().copied().unwrap_or("nothing")
    }

    fn instruments(&self) -> Vec<&'static str> {
        let all = [
            ("score", self.score.is_some()),
            ("retrieve", self.retrieve.is_some()),
            ("summary", self.summary.is_some()),
            ("evaluate", self.evaluate.is_some()),
            ("gate", self.gate.is_some()),
            ("council", self.council.is_some()),
        ];
        all.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }

    /// How a retrieval is scored, if it is one.
    pub(super) fn score_request(&self) -> Option<&ScoreRequest> {
        let score = self.score.as_ref().map(|one| &one.request);
        score.or(self.retrieve.as_ref().map(|one| &one.request))
    }

    /// Its requirements.
    pub(crate) fn requirements(&self) -> Result<Vec<Requirement>, String> {
        let read = |line: &str| line.parse::<Requirement>().map_err(|error| error.to_string());
        self.require.iter().flat_map(|line| parts(line)).map(read).collect()
    }

    /// Whether something is allowed by name.
    pub fn allows(&self, what: Allowed) -> bool {
        self.allow.contains(&what)
    }

    /// Who judges.
    pub fn judge(&self) -> JudgeName {
        let summary = self.summary.as_ref().map(|summary| &summary.request.judge);
        summary.or(self.evaluate.as_ref().map(|one| &one.judge)).cloned().unwrap_or_default()
    }

    fn understood(&self, before: &[Self]) -> Result<(), String> {
        if self.name.trim().is_empty() {
            return Err("has no name: add something like `name = \"retrieval\"`".to_owned());
        }
        // Results are kept by name: two checks of one place would overwrite each other.
        let own = place(Path::new(""), &self.name);
        if before.iter().any(|other| place(Path::new(""), &other.name) == own) {
            return Err("an earlier check has the same name".to_owned());
        }
        if self.instruments().len() != 1 {
            return Err(
                "needs exactly one of `score`, `retrieve`, `summary`, `evaluate`, `gate` and `council`"
                    .to_owned(),
            );
        }
        if self.require.is_empty() {
            return Err(
                "has no requirements: add something like `require = [\"recall@10 >= 0.8\"]`"
                    .to_owned(),
            );
        }
        if let Some(summary) = &self.summary {
            summary.request.settings().map_err(|error| error.to_string())?;
        }
        if self.samples.is_some() && !self.judge().asks_models() {
            return Err(
                "`samples` needs a model as judge: rules always give the same result".to_owned()
            );
        }
        if self.samples.is_some_and(|samples| !(2..=100).contains(&samples)) {
            return Err("`samples` must be from 2 to 100".to_owned());
        }
        if self.labels.is_some() != self.requirements()?.iter().any(is_corrected) {
            return Err("`labels = \"labels.csv\"` and a requirement such as `human-corrected \
                        coverage >= 7 (n labels >= 40)` need each other"
                .to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Spec>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("assize.toml");
        fs::write(&file, text).unwrap();
        read_specs(&file).map_err(|error| error.to_string())
    }

    #[test]
    fn checks_stand_beside_what_else_the_file_says() {
        let specs = read(
            "prices = \"p.toml\"\n[[check]]\nname = \"a\"\nscore = { run = \"r\", gold = \"g\" }\n\
             require = [\"recall@10 >= 0.8\", \"unscored <= 1%\"]\nallow = [\"missing\"]\n",
        )
        .unwrap();
        assert_eq!(specs[0].requirements().unwrap().len(), 2);
        assert!(specs[0].allows(Allowed::Missing) && !specs[0].allows(Allowed::OtherItems));
        assert_eq!(specs[0].instrument(), "score");
    }

    #[test]
    fn a_check_that_cannot_fail_is_refused() {
        let problem = |text: &str| read(text).unwrap_err();
        assert!(problem("").contains("has no [[check]]"));
        let check = "[[check]]\nname = \"a\"\n";
        assert!(problem(&format!("{check}require = [\"x >= 1\"]")).contains("one of `score`"));
        let score = format!("{check}score = {{ run = \"r\" }}\n");
        assert!(problem(&score).contains("has no requirements"));
        assert!(problem(&format!("{score}require = [\"x\"]")).contains("no comparison"));
        assert!(problem(&format!("{score}requires = [\"x\"]")).contains("unknown field"));
        assert!(problem("[[check]]\ngate = { input = \"a\" }\n").contains("has no name"));
    }

    #[test]
    fn two_checks_may_not_share_the_place_of_their_results() {
        let one = |name: &str| {
            format!(
                "[[check]]\nname = \"{name}\"\ngate = {{ input = \"a\" }}\nrequire = [\"passed >= 1\"]\n"
            )
        };
        let problem = read(&format!("{}{}", one("A b"), one("a-b"))).unwrap_err();
        assert!(problem.contains("check `a-b`: an earlier check has the same name"), "{problem}");
    }

    #[test]
    fn samples_are_for_judges_that_may_change_their_mind() {
        let check = |judge: &str, samples: u32| {
            read(&format!(
                "[[check]]\nname = \"a\"\nsummary = {{ input = \"a\", judge = \"{judge}\" }}\n\
                 require = [\"coverage >= 1\"]\nsamples = {samples}\n"
            ))
        };
        assert!(check("rules", 5).unwrap_err().contains("needs a model"));
        assert!(check("local/a", 1).unwrap_err().contains("from 2 to 100"));
        assert_eq!(check("local/a", 5).unwrap()[0].samples, Some(5));
    }
}
