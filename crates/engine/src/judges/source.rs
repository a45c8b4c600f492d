//! Where a judge's scores come from, as people write it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

use assize_models::ModelName;
use thiserror::Error;

use super::items::ItemsError;
use crate::summary::agreement::Number;
use crate::summary::{Framework, SummaryRequest};

/// Somebody and where their scores stand: `gpt4=col:judge_gpt4`, `mini=file:mini.jsonl`,
/// `last=run:#12@hallucination`, `rules=live:twin-lock/hallucination`, `qwen=live:local/qwen`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name under which they are shown.
    pub name: String,
    /// Where their scores stand.
    pub place: SourcePlace,
}

/// Where scores stand, or who gives them now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePlace {
    /// In a column of the items' file.
    Column(String),
    /// In a file of their own, by the items' names.
    File(PathBuf),
    /// In a stored run, whose items are called as these.
    Run {
        /// What the run is called.
        run: String,
        /// Which of its measures; `None` leaves it to the caller.
        measure: Option<String>,
    },
    /// Rules judge now.
    Rules {
        /// Who counts.
        framework: Framework,
        /// Which number of the scorecard.
        number: Number,
    },
    /// A model judges now.
    Model {
        /// Which one.
        model: ModelName,
        /// Which number of the scorecard; `None` leaves it to the caller.
        number: Option<Number>,
    },
}

/// Why a source was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{text}`{because}: expected COLUMN, NAME=col:COLUMN, NAME=file:FILE, NAME=run:RUN[@MEASURE], \
     NAME=live:FRAMEWORK/MEASURE for rules, or NAME=live:PROVIDER/MODEL[@MEASURE]"
)]
pub struct SourceError {
    text: String,
    because: String,
}

impl FromStr for Source {
    type Err = SourceError;

    /// A name alone is that of a column.
    fn from_str(text: &str) -> Result<Self, SourceError> {
        let bare = text.trim();
        if !bare.is_empty() && !bare.contains(['=', ':', ',']) {
            return Ok(Self { name: bare.to_owned(), place: SourcePlace::Column(bare.to_owned()) });
        }
        let refused = |because: String| SourceError { text: text.to_owned(), because };
        let parts = text.split_once('=').and_then(|(name, rest)| {
            let (kind, place) = rest.split_once(':')?;
            (!name.trim().is_empty() && !place.is_empty()).then_some((name, kind, place))
        });
        let (name, kind, place) = parts.ok_or_else(|| refused(String::new()))?;
        let place = match kind {
            "col" => SourcePlace::Column(place.to_owned()),
            "file" => SourcePlace::File(PathBuf::from(place)),
            "run" => {
                // A measure may have an `@` of its own: `runa@ndcg@10`.
                let (run, measure) = apart(place, place.split_once('@'));
                SourcePlace::Run { run: run.to_owned(), measure: measure.map(ToOwned::to_owned) }
            }
            "live" => live(place).map_err(|because| refused(format!(" ({because})")))?,
            _ => return Err(refused(String::new())),
        };
        Ok(Self { name: name.trim().to_owned(), place })
    }
}

/// What stands before and after an `@`, if something stands on both sides.
fn apart<'a>(place: &'a str, at: Option<(&'a str, &'a str)>) -> (&'a str, Option<&'a str>) {
    match at {
        Some((before, measure)) if !before.is_empty() && !measure.is_empty() => {
            (before, Some(measure))
        }
        _ => (place, None),
    }
}

fn live(place: &str) -> Result<SourcePlace, String> {
    if let Some((first, measure)) = place.split_once('/')
        && let Some(framework) = Framework::named(first)
    {
        let by_rules = SummaryRequest { framework, ..SummaryRequest::default() };
        by_rules.settings().map_err(|error| error.problem)?;
        let number = Number::named(measure).map_err(|error| error.to_string())?;
        return Ok(SourcePlace::Rules { framework, number });
    }
    // A model may have an `@` in its name.
    let (model, measure) = apart(place, place.rsplit_once('@'));
    let model = model.parse::<ModelName>().map_err(|error| error.to_string())?;
    let number = measure.map(Number::named).transpose().map_err(|error| error.to_string())?;
    Ok(SourcePlace::Model { model, number })
}

/// Makes sure that there are judges and raters, and that no two have one name or one source.
pub fn check_sources(judges: &[Source], raters: &[Source]) -> Result<(), ItemsError> {
    if judges.is_empty() || raters.is_empty() {
        return Err(ItemsError::Nothing("give at least one judge and one rater"));
    }
    let mut names = BTreeSet::new();
    let all = || judges.iter().chain(raters);
    if let Some(twice) = all().find(|one| !names.insert(&one.name)) {
        return Err(ItemsError::SameName(twice.name.clone()));
    }
    let same = |(place, one): (usize, &Source)| {
        let other = all().take(place).find(|other| other.place == one.place)?;
        Some(ItemsError::SameScores(other.name.clone(), one.name.clone()))
    };
    all().enumerate().find_map(same).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_source_is_read() {
        let place = |text: &str| text.parse::<Source>().unwrap().place;
        assert_eq!(place("a=col:x:y"), SourcePlace::Column("x:y".to_owned()));
        let alone: Source = "judge gpt".parse().unwrap();
        assert_eq!(alone.name, "judge gpt");
        assert_eq!(alone.place, SourcePlace::Column("judge gpt".to_owned()));
        let run = |run: &str, measure: Option<&str>| SourcePlace::Run {
            run: run.to_owned(),
            measure: measure.map(ToOwned::to_owned),
        };
        assert_eq!(place("a=run:#12"), run("#12", None));
        assert_eq!(place("a=run:#12@hallucination"), run("#12", Some("hallucination")));
        assert_eq!(place("a=run:runa@ndcg@10"), run("runa", Some("ndcg@10")));
        let number = Number::named("hallucination").unwrap();
        let framework = Framework::TwinLock;
        assert_eq!(
            place("a=live:twin-lock/hallucination"),
            SourcePlace::Rules { framework, number: number.clone() }
        );
        let model: ModelName = "local/qwen".parse().unwrap();
        let asked = SourcePlace::Model { model: model.clone(), number: None };
        assert_eq!(place("a=live:local/qwen"), asked);
        let number = Some(number);
        assert_eq!(place("a=live:local/qwen@hallucination"), SourcePlace::Model { model, number });
    }

    #[test]
    fn what_is_no_source_is_refused_with_the_forms() {
        for bad in [
            "",
            "gpt,mini",
            "g=gpt",
            "=col:x",
            "g=live:qwen",
            "g=live:twin-lock/charm",
            "g=ask:x/y",
        ] {
            let error = bad.parse::<Source>().unwrap_err().to_string();
            assert!(error.contains("NAME=col:COLUMN"), "{bad}: {error}");
        }
    }
}
