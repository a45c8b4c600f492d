//! Scorecards and agreement in the shapes that programs outside see.

use std::collections::BTreeMap;

use assize_methods::summary::{Evidence, FiveMetrics, Metric};
use assize_score::Outcome;
use assize_wire::summary::agreement::{Plotted, Shown};
use assize_wire::summary::{self as shape, Card, Method, Scorecard, Scored};

use super::agree::{AgreeReport, AgreeRequest};
use super::agreement::{self, Agreement, ConstantGroups, Grouped, Point};
use super::calibration::Calibrations;
use super::{Judged, Settings, Tally};
use crate::asking::Estimate;
use crate::retrieval::uncertainty::Uncertainty;

impl Judged {
    /// The scorecard, with how its numbers were computed if that is asked for, and what people
    /// would say where curves are given.
    pub fn to_wire(
        &self,
        settings: Settings,
        explain: bool,
        calibrations: &Calibrations,
    ) -> Scorecard<'_> {
        let report = match &self.evidence {
            Ok(evidence) => {
                settings.framework.report(evidence).map_err(|refusal| refusal.code().to_owned())
            }
            Err(reason) => Err(reason.clone()),
        };
        let workings = (explain && report.is_ok()).then(|| {
            let evidence = self.evidence.as_ref().ok();
            let verdict = evidence.and_then(|evidence| settings.framework.verdict(evidence).ok());
            let scores = verdict.map(|verdict| verdict.scores).unwrap_or_default();
            scores.into_iter().map(|(name, outcome)| (name.into_owned(), outcome.into())).collect()
        });
        let calibrated = report.as_ref().ok().and_then(|report| calibrations.of(&report.scores()));
        let scored = match report {
            Ok(report) => Scored::Report(Box::new(report)),
            Err(error) => Scored::Refused { error },
        };
        let judge = self.trail.as_deref();
        Scorecard { id: self.id.as_deref(), scored, calibrated, workings, judge }
    }

    /// The pair with its evidence and its verdict, or why it has none.
    pub fn to_card(
        &self,
        number: usize,
        settings: Settings,
        calibrations: &Calibrations,
    ) -> Result<Card<'_>, String> {
        let evidence = self.evidence.as_ref().map_err(Clone::clone)?;
        let pair = self.pair.as_ref().ok_or("there are no pairs")?;
        let verdict =
            settings.framework.verdict(evidence).map_err(|refusal| refusal.code().to_owned())?;
        let value = |metric: Metric| verdict.score(metric.name()).and_then(Outcome::value);
        let scores = FiveMetrics {
            coverage: value(Metric::Coverage),
            alignment: value(Metric::Alignment),
            hallucination: value(Metric::Hallucination),
            relevance: value(Metric::Relevance),
            bias_toxicity: value(Metric::BiasToxicity),
        };
        let trail = self.trail.as_deref();
        let calibrated: BTreeMap<_, _> = calibrations.of(&scores).unwrap_or_default();
        Ok(Card {
            number,
            id: self.id.as_deref(),
            article: &pair.article,
            summary: &pair.summary,
            evidence,
            verdict,
            scores,
            judges: trail
                .map_or_else(|| own_judge(settings, evidence), |trail| trail.judges.join(", ")),
            range: settings
                .framework
                .report(evidence)
                .ok()
                .and_then(|report| report.hallucination.range),
            panel: trail.and_then(|trail| trail.panel.as_ref()),
            calibrated,
        })
    }
}

/// Who judged where no model did.
fn own_judge(settings: Settings, evidence: &Evidence) -> String {
    let read_by = evidence.hallucination.as_ref().map_or(&[][..], |found| &found.read_by);
    if read_by.is_empty() {
        return settings.judge.name().to_owned();
    }
    format!("{} with a reader: {}", settings.judge.name(), read_by.join(", "))
}

/// What judging so many pairs would take, and by whom.
pub fn estimate(
    estimate: &Estimate,
    pairs: u64,
    judges: &[&str],
) -> assize_wire::estimate::Estimate {
    let judges = judges.iter().map(ToString::to_string).collect();
    assize_wire::estimate::Estimate { judges, pairs: Some(pairs), ..estimate.into() }
}

impl Settings {
    /// Who counts the labels.
    pub fn method(self) -> Method {
        let method = self.framework.method();
        Method { name: method.name.into_owned(), version: Some(method.version) }
    }
}

impl Tally {
    /// The means in the order of the metrics.
    pub fn to_wire(&self) -> Vec<shape::Mean> {
        let mean = |(metric, mean): (Metric, super::tally::Mean)| shape::Mean {
            metric,
            value: mean.value(),
            scored: mean.scored,
            unscored: mean.unscored,
        };
        self.means().into_iter().map(mean).collect()
    }
}

impl AgreeReport {
    /// All figures.
    pub fn to_wire(&self, request: &AgreeRequest) -> shape::Agreement {
        let Self { points, agreement } = self;
        let method =
            points.method.as_ref().map(|name| Method { name: name.clone(), version: None });
        let own_judge = || request.settings.judge.name().to_owned();
        let is_grouped = agreement.grouped.is_some();
        let Uncertainty { level, resamples, seed, .. } = request.options.uncertainty;
        shape::Agreement {
            method: method.unwrap_or_else(|| request.settings.method()),
            judge: points.judge.clone().unwrap_or_else(own_judge),
            metric: request.number.name(),
            human: request.human.clone(),
            n: agreement.count,
            unscored: points.unscored,
            unrated: points.unrated,
            correlation: if is_grouped { "mean_over_groups" } else { "pooled" },
            correlations: agreement.correlations().clone(),
            groups: agreement.grouped.as_ref().map(|grouped| groups(grouped, request)),
            pooled: is_grouped.then(|| agreement.pooled.clone()),
            by: request.by.as_ref().map(|_| agreement.by.clone()),
            between: agreement.systems.clone(),
            binary: agreement.binary.clone(),
            reliability: agreement.reliability.clone(),
            calibration: agreement.calibration.as_ref().map(Into::into),
            confidence: level,
            resamples,
            seed,
            shown: self.shown(request),
        }
    }

    fn shown(&self, request: &AgreeRequest) -> Shown {
        Shown {
            input: request.input.display().to_string(),
            by_field: request.by.clone(),
            scope: self.scope(request),
            intervals: self.intervals(request),
            plotted: plotted(&self.points.all, &self.agreement),
        }
    }

    /// What the shown correlations are over, as a sentence.
    fn scope(&self, request: &AgreeRequest) -> String {
        let count = self.agreement.count;
        let (Some(grouped), Some(field)) = (&self.agreement.grouped, &request.group) else {
            return format!("{count} pairs, pooled");
        };
        let constant = match request.options.constant_groups {
            ConstantGroups::Zero => "count as 0",
            ConstantGroups::Skip => "are left out",
        };
        format!(
            "{count} pairs in {} groups by {field}, mean over groups; groups without variation {constant} ({} by score, {} by rating)",
            grouped.count, grouped.constant_scores, grouped.constant_human
        )
    }

    /// How intervals were made, as a sentence.
    fn intervals(&self, request: &AgreeRequest) -> String {
        let Uncertainty { level, resamples, seed, .. } = request.options.uncertainty;
        let grouped = self.agreement.grouped.as_ref();
        let what = if grouped.is_some() { "groups" } else { "pairs" };
        let few = grouped.and_then(|grouped| agreement::few_groups(grouped.count));
        let few = few.map(|few| format!("; {few}")).unwrap_or_default();
        format!(
            "{} % intervals by bootstrap over {what}, {resamples} resamples, seed {seed}{few}",
            level * 100.0
        )
    }
}

impl agreement::Agreement {
    /// The figures alone, for scores and ratings that a caller handed over.
    pub fn to_figures(&self, options: &agreement::Options) -> shape::Figures {
        let Uncertainty { level, resamples, seed, .. } = options.uncertainty;
        shape::Figures {
            n: self.count,
            correlation: if self.grouped.is_some() { "mean_over_groups" } else { "pooled" },
            correlations: self.correlations().clone(),
            groups: self.grouped.as_ref().map(|grouped| grouped.count),
            binary: self.binary.clone(),
            reliability: self.reliability.clone(),
            confidence: level,
            resamples,
            seed,
        }
    }
}

fn groups(grouped: &Grouped, request: &AgreeRequest) -> shape::Groups {
    shape::Groups {
        field: request.group.clone(),
        count: grouped.count,
        single: grouped.single,
        constant_scores: grouped.constant_scores,
        constant_human: grouped.constant_human,
    }
}

/// What is drawn of scores against ratings.
pub fn plotted(points: &[Point], found: &Agreement) -> Plotted {
    Plotted {
        points: points.iter().map(|point| (point.score, point.human)).collect(),
        reliability: found.reliability.clone(),
        found: found.binary.as_ref().map(|binary| binary.found.clone()),
    }
}
