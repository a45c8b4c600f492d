//! All checks of a file, run one after the other.

use std::path::Path;

use assize_wire::FORMAT;
use assize_wire::check::{self as shape, Samples};
use assize_wire::threshold::Check;
use async_recursion::async_recursion as boxed;

use super::asking::Asking;
use super::baseline::{keep, place};
use super::corrected::correct;
use super::instruments::{Measured, Measuring};
use super::samples::{FLIPS, combined, flips, is_name, name as pass_power, spread};
use super::spec::{Allowed, Spec};
use crate::error::{EngineError, ErrorKind};
use crate::thresholds::{
    Baseline, Figure, Figures, Requirement, Rule, check, check_complete, check_same_items,
};

/// What became of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What the check is called.
    pub name: String,
    /// What it measures.
    pub instrument: &'static str,
    /// What came of it, or why it could not be run.
    pub end: Result<Ended, EngineError>,
}

/// A check that was run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ended {
    /// Every requirement, and what is required of every check.
    pub checks: Vec<Check>,
    /// What was measured.
    pub figures: Figures,
    /// What several samples came to.
    pub samples: Option<Samples>,
    /// What the user should know besides.
    pub notices: Vec<String>,
}

impl Outcome {
    /// Whether it was run and everything that is required holds.
    pub fn passed(&self) -> bool {
        let all = |ended: &Ended| ended.checks.iter().all(|check| check.passed);
        self.end.as_ref().is_ok_and(all)
    }

    /// Every requirement; that the check can be run is one of them where it cannot.
    pub fn checks(&self) -> Vec<Check> {
        match &self.end {
            Ok(ended) => ended.checks.clone(),
            Err(error) => {
                vec![failed("can be run", "items", &format!("could not be run: {error}"))]
            }
        }
    }

    /// In the shape that programs see.
    pub fn to_wire(&self) -> shape::Checked {
        let ended = self.end.as_ref().ok().cloned().unwrap_or_default();
        let failure = |error: &EngineError| shape::Failure {
            code: error.code.to_owned(),
            message: error.message.clone(),
        };
        shape::Checked {
            name: self.name.clone(),
            instrument: self.instrument.to_owned(),
            passed: self.passed(),
            error: self.end.as_ref().err().map(failure),
            items: ended.figures.count,
            unscored: ended.figures.unscored,
            means: ended.figures.means.into_iter().collect(),
            requirements: self.checks(),
            samples: ended.samples,
            notices: ended.notices,
        }
    }
}

/// The whole suite in the shape that programs see.
pub fn to_wire(outcomes: &[Outcome]) -> shape::Suite {
    shape::Suite {
        format: FORMAT,
        passed: outcomes.iter().all(Outcome::passed),
        checks: outcomes.iter().map(Outcome::to_wire).collect(),
    }
}

/// What becomes of the results of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Update {
    /// The baseline stays.
    #[default]
    No,
    /// They become the baseline if every requirement holds, those against the baseline before
    /// included.
    IfPassed,
    /// They become the baseline although they are worse, for this reason.
    Accepted(String),
}

/// Runs checks; their files lie below `folder` unless their paths are absolute.
#[boxed]
pub async fn run_suite(
    specs: &[Spec],
    folder: &Path,
    asking: &Asking,
    update: &Update,
) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(specs.len());
    for spec in specs {
        let end = run_one(spec, folder, asking, update).await;
        let is_stopped = asking.is_stopped()
            || end.as_ref().is_err_and(|error| error.kind == ErrorKind::Interrupted);
        outcomes.push(Outcome { name: spec.name.clone(), instrument: spec.instrument(), end });
        if is_stopped {
            break;
        }
    }
    outcomes
}

async fn run_one(
    spec: &Spec,
    folder: &Path,
    asking: &Asking,
    update: &Update,
) -> Result<Ended, EngineError> {
    let requirements = spec.requirements().map_err(EngineError::bad_input)?;
    let mut measuring = Measuring { spec, folder, asking, sample: 0 };
    if let Some(file) = measuring.empty_file() {
        return Ok(nothing(spec, &format!("{} is empty", file.display())));
    }
    let mut samples: Vec<Figures> = Vec::new();
    let (mut notices, mut scored) = (Vec::new(), None);
    for sample in 0..spec.samples.unwrap_or(1) {
        measuring.sample = sample;
        let Measured { figures, notices: found, scored: of } = measuring.measure().await?;
        if figures.count == 0 {
            return Ok(nothing(spec, "there are no results"));
        }
        samples.push(figures);
        (notices, scored) = (found, of);
    }
    let mut figures = combined(&samples);
    if let Some(labels) = &spec.labels {
        notices.extend(correct(&mut figures, &requirements, &measuring.path(labels))?);
    }
    let mut baseline = find_baseline(spec, folder)?;
    if *update != Update::No {
        // Without an earlier one, nothing can be worse than it.
        let held: Vec<Requirement> = requirements
            .iter()
            .filter(|one| !is_about_samples(one) && (baseline.is_some() || !compares(one)))
            .cloned()
            .collect();
        let mut missed = required(spec, &held, &figures, baseline.as_ref());
        missed.retain(|check| !check.passed);
        let lines = replace_baseline(spec, folder, &figures, missed, update)?;
        notices.extend(lines);
        notices.extend(unused(&requirements));
        // A first one has nothing before it, and an accepted one is what is asked from now on.
        if baseline.is_none() || matches!(update, Update::Accepted(_)) {
            baseline = find_baseline(spec, folder)?;
        }
    }
    let all = |requirements: &[Requirement], figures: &Figures| {
        required(spec, requirements, figures, baseline.as_ref())
    };
    let of_samples = spec.samples.map(|_| {
        let own: Vec<Requirement> =
            requirements.iter().filter(|one| !is_about_samples(one)).cloned().collect();
        let passes = |figures| all(&own, figures).iter().all(|check| check.passed);
        spread(&samples, &samples.iter().map(passes).collect::<Vec<bool>>())
    });
    let powers = of_samples.iter().flat_map(|samples| samples.pass_power.iter().zip(1..));
    figures.means.extend(powers.map(|(chance, k)| (pass_power(k), Some(*chance))));
    let chance = of_samples.as_ref().and_then(|_| flips(&samples, &requirements));
    figures.means.extend(chance.map(|chance| (FLIPS.to_owned(), Some(chance))));
    let mut checks = all(&requirements, &figures);
    if let (Some(scored), Some(request)) = (&scored, spec.score_request()) {
        for check in &mut checks {
            for one in &mut check.fallen {
                one.lost = scored.lost(request, &check.measure, &one.item);
            }
        }
    }
    Ok(Ended { checks, figures, samples: of_samples, notices })
}

/// Every requirement, and what is required of every check: a score for every item, and as many
/// items as the baseline has.
fn required(
    spec: &Spec,
    requirements: &[Requirement],
    figures: &Figures,
    baseline: Option<&Baseline>,
) -> Vec<Check> {
    let mut checks = check(requirements, figures, baseline);
    if let Some(baseline) = baseline
        && requirements.iter().any(compares)
        && !spec.allows(Allowed::OtherItems)
    {
        checks.extend(check_same_items(figures, baseline));
    }
    // Whoever says how many may be without a score has allowed them by name.
    let is_bounded = requirements.iter().any(|one| one.figure == Figure::Unscored);
    if !is_bounded && !spec.allows(Allowed::Missing) {
        checks.extend(check_complete(figures).map(|check| in_words_of(spec, check, figures)));
    }
    checks
}

/// Whether a requirement is about the baseline.
fn compares(requirement: &Requirement) -> bool {
    matches!(requirement.rule, Rule::NoWorse { .. })
}

/// What to say where a baseline is kept that nothing is compared with.
fn unused(requirements: &[Requirement]) -> Option<String> {
    let is_mean = |one: &&Requirement| matches!(one.figure, Figure::Mean(_));
    let measure = requirements.iter().find(is_mean).map(|one| one.figure.to_string());
    let measure = measure.unwrap_or_else(|| "MEASURE".to_owned());
    (!requirements.iter().any(compares)).then(|| {
        format!("no requirement uses the baseline; add \"{measure} no worse than baseline by …\"")
    })
}

/// Queries are answered; everything else has a score or none.
fn in_words_of(spec: &Spec, check: Check, figures: &Figures) -> Check {
    if spec.score_request().is_some() {
        return check;
    }
    let (scored, all) = (figures.count - figures.unscored.min(figures.count), figures.count);
    let line = format!("FAIL only {scored} of {all} items have a score");
    Check { name: "a score for every item".to_owned(), line, ..check }
}

fn is_about_samples(requirement: &Requirement) -> bool {
    matches!(&requirement.figure, Figure::Mean(measure) if is_name(measure))
}

/// A check of nothing fails, unless that is allowed by name.
fn nothing(spec: &Spec, because: &str) -> Ended {
    let mut check = failed("something to check", "items", because);
    if spec.allows(Allowed::Empty) {
        check.passed = true;
        check.line = format!("PASS {because}, which is allowed");
    }
    Ended { checks: vec![check], ..Ended::default() }
}

fn failed(name: &str, measure: &str, because: &str) -> Check {
    Check {
        name: name.to_owned(),
        passed: false,
        measure: measure.to_owned(),
        value: None,
        bound: None,
        line: format!("FAIL {because}"),
        fallen: Vec::new(),
    }
}

/// Keeps results as what later ones are compared with, and says where, or why not. Results with
/// gaps are not kept, and worse ones only for a reason: they would lower what is asked of all
/// later ones.
fn replace_baseline(
    spec: &Spec,
    folder: &Path,
    figures: &Figures,
    missed: Vec<Check>,
    update: &Update,
) -> Result<Vec<String>, EngineError> {
    if figures.unscored > 0 && !spec.allows(Allowed::Missing) {
        let (gaps, all) = (figures.unscored, figures.count);
        return Ok(vec![format!("baseline not saved: {gaps} of {all} items have no score")]);
    }
    let reason = match update {
        Update::Accepted(reason) if !missed.is_empty() => Some(reason.as_str()),
        _ if missed.is_empty() => None,
        _ => {
            return Ok(vec![
                "baseline not saved, because a requirement does not hold; accept these results \
                 with --accept \"the reason\""
                    .to_owned(),
            ]);
        }
    };
    let path = baseline_path(spec, folder);
    keep(&path, figures, reason).map_err(|error| {
        EngineError::bad_input(format!("{}: cannot be written: {error}", path.display()))
    })?;
    let mut lines = vec![format!("baseline saved to {}", path.display())];
    lines.extend(reason.map(|reason| format!("accepted: {reason}")));
    lines.extend(missed.into_iter().map(|check| check.line));
    Ok(lines)
}

fn baseline_path(spec: &Spec, folder: &Path) -> std::path::PathBuf {
    spec.baseline.as_ref().map_or_else(|| place(folder, &spec.name), |path| folder.join(path))
}

/// Results to compare with: those that are named, or those that were kept. One that is named
/// and not there fails the requirements that ask for it.
fn find_baseline(spec: &Spec, folder: &Path) -> Result<Option<Baseline>, EngineError> {
    let path = baseline_path(spec, folder);
    if !path.exists() {
        return Ok(None);
    }
    Baseline::read(&path).map(Some).map_err(|error| EngineError::of(&error))
}
