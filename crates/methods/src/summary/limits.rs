//! What a framework expects of a judge, and what is said when a judge keeps to less.
//!
//! A limit that is broken lowers no score: it becomes a finding. What cannot be at all
//! is refused by [`Complete::of`].

use std::ops::RangeInclusive;

use assize_score::Finding;

use super::evidence::{
    AlignmentEvidence, BiasToxicityEvidence, CoverageEvidence, Evidence, HallucinationEvidence,
    QuestionAnswer, Quote, RelevanceEvidence, Totals,
};
use super::metrics::Metric;
use super::refusal::Refusal;

/// The evidence of all five metrics: none is missing, and every number can be.
#[derive(Debug, Clone, Copy)]
pub struct Complete<'a> {
    /// At least one key point.
    pub coverage: &'a CoverageEvidence,
    /// As the judge gave it.
    pub alignment: &'a AlignmentEvidence,
    /// As the judge gave it; may hold no claim.
    pub hallucination: &'a HallucinationEvidence,
    /// Every overlap lies within 0 and 1.
    pub relevance: &'a RelevanceEvidence,
    /// As the judge gave it.
    pub bias_toxicity: &'a BiasToxicityEvidence,
    /// At least one summary token, and no more extraneous ones than there are.
    pub totals: &'a Totals,
}

impl<'a> Complete<'a> {
    /// All five, or why they cannot be scored.
    pub fn of(evidence: &'a Evidence) -> Result<Self, Refusal> {
        if evidence.totals.summary_tokens == 0 {
            return Err(Refusal::EmptySummary);
        }
        let missing = |metric| move || Refusal::MissingMetric(metric);
        let complete = Self {
            coverage: evidence.coverage.as_ref().ok_or_else(missing(Metric::Coverage))?,
            alignment: evidence.alignment.as_ref().ok_or_else(missing(Metric::Alignment))?,
            hallucination: evidence
                .hallucination
                .as_ref()
                .ok_or_else(missing(Metric::Hallucination))?,
            relevance: evidence.relevance.as_ref().ok_or_else(missing(Metric::Relevance))?,
            bias_toxicity: evidence
                .bias_toxicity
                .as_ref()
                .ok_or_else(missing(Metric::BiasToxicity))?,
            totals: &evidence.totals,
        };
        if complete.coverage.key_points.is_empty() {
            return Err(Refusal::ArticleTooShort);
        }
        complete.check_numbers()?;
        Ok(complete)
    }

    fn check_numbers(&self) -> Result<(), Refusal> {
        let Totals { summary_tokens, extraneous_tokens, .. } = *self.totals;
        if extraneous_tokens > summary_tokens {
            let because = format!("{extraneous_tokens} of {summary_tokens} tokens are extraneous");
            return Err(Refusal::MalformedMetric { metric: Metric::Coverage, because });
        }
        for segment in &self.relevance.segments {
            if !(0.0..=1.0).contains(&segment.overlap) {
                let because = format!("an overlap of {} is no share", segment.overlap);
                return Err(Refusal::MalformedMetric { metric: Metric::Relevance, because });
            }
        }
        Ok(())
    }

    /// Every list of questions, each with what it is about.
    fn questions(&self) -> [(&'static str, &'a [QuestionAnswer]); 2] {
        [("article", &self.coverage.questions), ("claims", &self.hallucination.questions)]
    }

    /// Every quote of either text, in the order of the metrics.
    pub fn quotes(&self) -> Vec<&'a Quote> {
        let mut quotes = Vec::new();
        let mut keep = |pair: [&'a Option<Quote>; 2]| quotes.extend(pair.into_iter().flatten());
        for point in &self.coverage.key_points {
            keep([&point.in_article, &point.in_summary]);
        }
        for deviation in &self.alignment.deviations {
            keep([&deviation.in_article, &deviation.in_summary]);
        }
        for claim in &self.hallucination.claims {
            keep([&claim.in_article, &claim.in_summary]);
        }
        for (_, questions) in self.questions() {
            for question in questions {
                keep([&question.in_article, &question.in_summary]);
            }
        }
        quotes.extend(self.relevance.segments.iter().flat_map(|segment| {
            [Some(&segment.in_summary), segment.in_article.as_ref()].into_iter().flatten()
        }));
        quotes.extend(self.bias_toxicity.issues.iter().flat_map(|issue| {
            [Some(&issue.in_summary), issue.in_article.as_ref()].into_iter().flatten()
        }));
        quotes
    }
}

/// What a framework expects of a judge.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How many key points.
    pub key_points: RangeInclusive<usize>,
    /// How many tokens each of them has at least.
    pub key_point_tokens_min: usize,
    /// How many tokens intent, stance and tone have together at most.
    pub alignment_tokens_max: usize,
    /// How many claims at most.
    pub claims_max: usize,
    /// How many tokens the theme has at most.
    pub theme_tokens_max: usize,
    /// How many questions in each list; `None` where the framework asks none.
    pub questions: Option<usize>,
}

impl Limits {
    /// Everything the judge did not keep to, and every quote nobody can find.
    pub fn findings(&self, evidence: &Complete<'_>) -> Vec<Finding> {
        let mut findings = self.about_key_points(evidence);
        self.about_lengths(evidence, &mut findings);
        if let Some(expected) = self.questions {
            for (about, questions) in evidence.questions() {
                if questions.len() != expected {
                    let asked = questions.len();
                    let message = format!("{asked} questions about the {about}, not {expected}");
                    findings.push(Finding::new("question_count", message));
                }
            }
        }
        for quote in evidence.quotes().into_iter().filter(|quote| quote.span.is_none()) {
            let message = format!("not found in its source: “{}”", quote.text);
            findings.push(Finding::new("quote_not_found", message));
        }
        findings
    }

    fn about_key_points(&self, evidence: &Complete<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let (found, sentences) =
            (evidence.coverage.key_points.len(), evidence.totals.article_sentences);
        let (min, max) = (*self.key_points.start(), *self.key_points.end());
        if found < min && sentences < min {
            let message = format!("{found} key points: the article has only {sentences} sentences");
            findings.push(Finding::new("short_article", message));
        } else if found < min {
            let message = format!("{found} key points, and at least {min} were expected");
            findings.push(Finding::new("too_few_key_points", message));
        } else if found > max {
            let message = format!("{found} key points, and at most {max} were expected");
            findings.push(Finding::new("too_many_key_points", message));
        }
        for point in &evidence.coverage.key_points {
            if point.tokens < self.key_point_tokens_min {
                let message =
                    format!("fewer than {} tokens: “{}”", self.key_point_tokens_min, point.text);
                findings.push(Finding::new("short_key_point", message));
            }
        }
        findings
    }

    fn about_lengths(&self, evidence: &Complete<'_>, findings: &mut Vec<Finding>) {
        let lengths = [
            ("too_many_claims", "claims", evidence.hallucination.claims.len(), self.claims_max),
            (
                "long_alignment",
                "tokens for intent, stance and tone",
                evidence.alignment.tokens,
                self.alignment_tokens_max,
            ),
            (
                "long_theme",
                "tokens for the theme",
                evidence.relevance.theme_tokens,
                self.theme_tokens_max,
            ),
        ];
        for (code, what, found, max) in lengths {
            if found > max {
                let message = format!("{found} {what}, and at most {max} were expected");
                findings.push(Finding::new(code, message));
            }
        }
    }
}
