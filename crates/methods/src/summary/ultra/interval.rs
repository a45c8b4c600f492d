//! How sure the scores are: what they would be with other judges and other items.
//!
//! Each resample draws judges with replacement, lets them vote, draws the labels of each list
//! with replacement and scores the whole with all its caps. The quotes stay where they are:
//! an item drawn twice is no second question about the same evidence.

use assize_score::rounding::half_up;
use assize_stats::resample::Generator;
use assize_stats::summary::quantile;
use serde::Serialize;

use super::vote::{KINDS, Objection, drift, median, median_drift, tone};
use crate::summary::asks::Labels;
use crate::summary::asks::assemble::extraneous_in_all;
use crate::summary::evidence::{Deviation, Evidence, QuestionAnswer};
use crate::summary::judge_lock;
use crate::summary::labels::{Answer, Support};
use crate::summary::metrics::{FiveMetrics, Metric};

/// How often judges and items are drawn.
pub const RESAMPLES: u64 = 1_000;

/// The share of resamples that an interval holds.
pub const LEVEL: f64 = 0.90;

/// The same draws every time.
const SEED: u64 = 0x6a75_6467_655f_6c6b;

/// Where a score would lie with other judges and items.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// One in twenty resamples lies below.
    pub low: f64,
    /// One in twenty lies above.
    pub high: f64,
}

/// What is drawn from.
pub struct Urn<'a> {
    /// What each judge said, after the evidence lock.
    pub panel: &'a [&'a Labels],
    /// The wordings that judges object to.
    pub objections: &'a [Objection],
    /// The evidence of the whole panel.
    pub evidence: &'a Evidence,
    /// For each claim, its extraneous tokens when unsupported, partly supported, supported.
    pub extraneous: &'a [[usize; 3]],
}

/// The interval of each metric; `None` where it has no score.
pub fn intervals(urn: &Urn<'_>) -> FiveMetrics<Option<Interval>> {
    let mut scores: FiveMetrics<Vec<f64>> = FiveMetrics {
        coverage: Vec::new(),
        alignment: Vec::new(),
        hallucination: Vec::new(),
        relevance: Vec::new(),
        bias_toxicity: Vec::new(),
    };
    let mut drawn = urn.evidence.clone();
    for resample in 0..RESAMPLES {
        urn.draw(&mut drawn, &mut Generator::stream(SEED, resample));
        let Ok(all) = judge_lock::score::<f64>(&drawn) else { continue };
        let all = all.overall();
        for (list, metric) in [
            (&mut scores.coverage, Metric::Coverage),
            (&mut scores.alignment, Metric::Alignment),
            (&mut scores.hallucination, Metric::Hallucination),
            (&mut scores.relevance, Metric::Relevance),
            (&mut scores.bias_toxicity, Metric::BiasToxicity),
        ] {
            list.extend(all.get(metric).as_ref().ok());
        }
    }
    scores.map(|_, values| {
        let tail = (1.0 - LEVEL) / 2.0;
        let low = quantile(&values, tail).ok()?;
        let high = quantile(&values, 1.0 - tail).ok()?;
        Some(Interval { low: half_up(low, 2), high: half_up(high, 2) })
    })
}

impl Urn<'_> {
    /// One resample, written over the last one.
    fn draw(&self, drawn: &mut Evidence, generator: &mut Generator) {
        let judges: Vec<usize> =
            self.panel.iter().map(|_| generator.below(self.panel.len())).collect();
        let panel: Vec<&Labels> = judges.iter().map(|judge| self.panel[*judge]).collect();
        if let Some(coverage) = &mut drawn.coverage {
            let voted = voted(&panel, |ballot, index| Some(ballot.key_points.get(index)?.label));
            for point in &mut coverage.key_points {
                point.coverage = one_of(&voted, generator).unwrap_or(point.coverage);
            }
            let voted =
                voted_answers(&panel, |ballot| &ballot.article_answers, &coverage.questions);
            answer(&mut coverage.questions, &voted, generator);
        }
        self.draw_claims(&panel, drawn, generator);
        if let (Some(alignment), Some(all)) = (&mut drawn.alignment, &self.evidence.alignment) {
            let drift =
                |kind| Some((kind, median_drift(panel.iter().map(|ballot| drift(ballot, kind)))?));
            let drifts = KINDS.into_iter().filter_map(drift);
            let remark = |(kind, drift)| {
                let known = all.deviations.iter().find(|known| known.kind == kind).cloned();
                let plain = Deviation {
                    kind,
                    drift,
                    note: String::new(),
                    in_summary: None,
                    in_article: None,
                };
                Deviation { drift, ..known.unwrap_or(plain) }
            };
            alignment.deviations = drifts.map(remark).collect();
        }
        if let (Some(relevance), Some(all)) = (&mut drawn.relevance, &self.evidence.relevance) {
            for segment in &mut relevance.segments {
                segment.overlap = all.segments[generator.below(all.segments.len())].overlap;
            }
        }
        self.draw_wording(&panel, &judges, drawn);
    }

    fn draw_claims(&self, panel: &[&Labels], drawn: &mut Evidence, generator: &mut Generator) {
        let Some(hallucination) = &mut drawn.hallucination else { return };
        let voted = voted(panel, |ballot, index| Some(ballot.claims.get(index)?.label));
        for claim in &mut hallucination.claims {
            if voted.is_empty() {
                break;
            }
            let index = generator.below(voted.len());
            claim.support = voted[index];
            let [all, part, none] = self.extraneous.get(index).copied().unwrap_or_default();
            claim.extraneous_tokens = match claim.support {
                Support::Unsupported => all,
                Support::Partial => part,
                Support::Supported => none,
            };
        }
        drawn.totals.extraneous_tokens =
            extraneous_in_all(&hallucination.claims, drawn.totals.summary_tokens);
        let voted = voted_answers(panel, |ballot| &ballot.claim_answers, &hallucination.questions);
        answer(&mut hallucination.questions, &voted, generator);
    }

    fn draw_wording(&self, panel: &[&Labels], judges: &[usize], drawn: &mut Evidence) {
        let all = self.evidence.bias_toxicity.as_ref();
        let (Some(wording), Some(all)) = (&mut drawn.bias_toxicity, all) else { return };
        wording.tone = tone(panel.iter().map(|ballot| ballot.tone));
        // The evidence holds an issue for each objection, in the same order.
        let upheld = self.objections.iter().zip(&all.issues);
        let upheld = upheld.filter(|(objection, _)| objection.is_upheld(judges));
        wording.issues = upheld.map(|(_, issue)| issue.clone()).collect();
    }
}

/// The vote on each item of a list.
fn voted<T: Ord + Copy>(panel: &[&Labels], label: impl Fn(&Labels, usize) -> Option<T>) -> Vec<T> {
    let vote = |index: usize| median(panel.iter().filter_map(|ballot| label(ballot, index)));
    (0..).map_while(vote).collect()
}

/// The vote on each answer; where nothing was answered there is nothing to vote on.
fn voted_answers(
    panel: &[&Labels],
    list: impl Fn(&Labels) -> &Vec<Answer>,
    questions: &[QuestionAnswer],
) -> Vec<Answer> {
    let voted = voted(panel, |ballot, index| list(ballot).get(index).copied());
    let right = |(answer, question): (Answer, &QuestionAnswer)| {
        if question.given.is_none() { Answer::Wrong } else { answer }
    };
    voted.into_iter().zip(questions).map(right).collect()
}

fn answer(questions: &mut [QuestionAnswer], voted: &[Answer], generator: &mut Generator) {
    for question in questions {
        question.answer = one_of(voted, generator).unwrap_or(question.answer);
    }
}

fn one_of<T: Copy>(list: &[T], generator: &mut Generator) -> Option<T> {
    if list.is_empty() { None } else { Some(list[generator.below(list.len())]) }
}
