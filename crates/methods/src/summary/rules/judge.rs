//! The rule judge: evidence about a pair of texts, found without any model.

use assize_score::Finding;
use assize_text::tokens::count_alnum_tokens;

use super::centrality::sentence_weights;
use super::claims::{clauses_of_few, statements};
use super::evidence_sentence::Finder;
use super::index::Index;
use super::language::{self, Language};
use super::numbers::Numbers;
use super::quoting::Quoter;
use super::reading::{Reading, Sentence};
use super::soft_recall::{Holdings, share_said, soft_recall};
use super::support::{Assessment, Sources, assess};
use super::vocabulary::Vocabulary;
use super::{alignment, bias_toxicity, coverage, extraneous, notes, questions, relevance};
use crate::summary::evidence::{
    AlignmentEvidence, BiasToxicityEvidence, Claim, CoverageEvidence, Evidence, Format,
    HallucinationEvidence, OverlapWith, RelevanceEvidence, Totals,
};
use crate::summary::input::SummaryPair;
use crate::summary::labels::Tone;
use crate::summary::limits::Limits;

/// Both texts, read, indexed and ready to be compared.
pub(super) struct Case<'a> {
    /// The article.
    pub article: &'a Reading<'a>,
    /// The summary.
    pub summary: &'a Reading<'a>,
    /// The article's index.
    pub index: &'a Index,
    /// The words of both.
    pub vocabulary: &'a Vocabulary,
    /// The weight of each sentence of the article.
    pub weights: &'a [f64],
    /// What the summary holds.
    pub holdings: &'a Holdings,
    /// What segments are compared with.
    pub overlap_with: OverlapWith,
    /// Quotes from the article.
    pub from_article: Quoter<'a>,
    /// Quotes from the summary.
    pub from_summary: Quoter<'a>,
}

/// A claim with what was found out about it.
pub(super) struct Judged {
    /// The claim in the summary.
    pub claim: Sentence,
    /// What was found out.
    pub assessment: Assessment,
}

/// Finds and labels everything a framework counts.
///
/// Deterministic, and linear in the length of both texts.
///
/// ```
/// use assize_methods::summary::{SummaryPair, rules, twin_lock};
/// let pair = SummaryPair::new(
///     "The bridge opened in 1932. It cost nine million pounds. It is painted grey.",
///     "The bridge opened in 1932.",
/// )?;
/// let evidence = rules::judge(&pair, &twin_lock::LIMITS);
/// assert_eq!(twin_lock::score::<f64>(&evidence)?.hallucination.overall, Ok(10.0));
/// # Ok::<(), assize_methods::summary::Refusal>(())
/// ```
pub fn judge(pair: &SummaryPair<'_>, limits: &Limits) -> Evidence {
    judge_with(pair, limits, OverlapWith::default())
}

/// The same, with a choice of what the segments of the summary are compared with.
pub fn judge_with(pair: &SummaryPair<'_>, limits: &Limits, overlap_with: OverlapWith) -> Evidence {
    let language = language::detect(pair.article());
    let mut vocabulary = Vocabulary::new(language == Language::English);
    let article = Reading::of(pair.article(), &mut vocabulary);
    let summary = Reading::of(pair.summary(), &mut vocabulary);
    let findings = language::findings(language, language::detect(pair.summary()));
    if article.words.is_empty() || summary.words.is_empty() {
        return nothing_to_compare(&article, &summary, findings);
    }
    let index = Index::of(&article, &vocabulary);
    let weights = sentence_weights(&article, &index, &vocabulary);
    let holdings = Holdings::of(&summary, &vocabulary);
    let case = Case {
        article: &article,
        summary: &summary,
        index: &index,
        vocabulary: &vocabulary,
        weights: &weights,
        holdings: &holdings,
        overlap_with,
        from_article: Quoter::of(article.text),
        from_summary: Quoter::of(summary.text),
    };
    case.evidence(limits, findings)
}

/// Evidence about texts of which one holds no word outside its markup: the frameworks
/// refuse it for the reason that the counts give.
fn nothing_to_compare(article: &Reading, summary: &Reading, findings: Vec<Finding>) -> Evidence {
    let totals = Totals {
        summary_tokens: summary.words.len(),
        extraneous_tokens: 0,
        article_sentences: article.sentences.len(),
    };
    Evidence {
        format: Format,
        coverage: Some(CoverageEvidence::default()),
        alignment: Some(AlignmentEvidence::default()),
        hallucination: Some(HallucinationEvidence::default()),
        relevance: Some(RelevanceEvidence::default()),
        bias_toxicity: Some(BiasToxicityEvidence { tone: Tone::Unclear, issues: Vec::new() }),
        totals,
        findings,
    }
}

impl Case<'_> {
    fn evidence(&self, limits: &Limits, findings: Vec<Finding>) -> Evidence {
        let said = |sentence| {
            share_said(self.article.stems_of(sentence), self.holdings, self.index, self.vocabulary)
        };
        let shares: Vec<Option<f64>> = self.article.sentences.iter().map(said).collect();
        let (judged, soft_support) = self.judge_claims(limits);
        let key_points = coverage::key_points(self, &shares, limits);
        let asked = limits.questions.unwrap_or(0);
        let recall = soft_recall(&shares, self.weights, self.holdings);
        let relevance = relevance::evidence(self, &key_points, recall, limits);
        let alignment = alignment::evidence(self, &key_points, &judged, limits);
        let totals = self.totals(&judged);
        let hallucination = HallucinationEvidence {
            questions: questions::about_claims(self, &judged, asked),
            soft_support,
            claims: judged.iter().map(|judged| self.claim(judged)).collect(),
        };
        let questions = questions::about_article(self, asked);
        Evidence {
            format: Format,
            coverage: Some(CoverageEvidence { key_points, questions }),
            alignment: Some(alignment),
            hallucination: Some(hallucination),
            relevance: Some(relevance),
            bias_toxicity: Some(bias_toxicity::evidence(self)),
            totals,
            findings,
        }
    }

    /// The claims with what was found out about them, and the soft support of the whole.
    ///
    /// The soft support looks at whole statements even where claims are clauses: a
    /// clause is short, and short stretches are found anywhere.
    fn judge_claims(&self, limits: &Limits) -> (Vec<Judged>, Option<f64>) {
        let numbers = Numbers::of(self.article, self.vocabulary);
        let sources = Sources {
            article: self.article,
            index: self.index,
            vocabulary: self.vocabulary,
            numbers: &numbers,
        };
        let mut finder = Finder::new(self.article.sentences.len());
        let mut assess_all = |claims: Vec<Sentence>| -> Vec<Judged> {
            let judged = |claim| {
                let assessment = assess(self.summary, &claim, &sources, &mut finder);
                Judged { claim, assessment }
            };
            claims.into_iter().map(judged).collect()
        };
        let (index, vocabulary, most) = (self.index, self.vocabulary, limits.claims_max);
        let statements = statements(self.summary, index, vocabulary, most);
        let clauses = clauses_of_few(&statements, self.summary, index, vocabulary, most);
        let judged = assess_all(statements);
        let soft = soft_support(&judged);
        (clauses.map_or(judged, assess_all), soft)
    }

    fn claim(&self, judged: &Judged) -> Claim {
        let Judged { claim, assessment } = judged;
        let evidence = self.article.sentences.get(assessment.best.sentence);
        let in_article = evidence
            .filter(|_| assessment.best.share > 0.0)
            .map(|sentence| self.from_article.quote(sentence.bytes.clone()));
        Claim {
            text: self.summary.text_of(claim).to_owned(),
            support: assessment.support,
            extraneous_tokens: extraneous::of_claim(self, judged),
            note: notes::about(self, judged),
            in_summary: Some(self.from_summary.quote(claim.bytes.clone())),
            in_article,
            soft_support: Some(assessment.soft),
        }
    }

    fn totals(&self, judged: &[Judged]) -> Totals {
        let summary_tokens = count_alnum_tokens(self.summary.text).max(1);
        Totals {
            summary_tokens,
            extraneous_tokens: extraneous::of_summary(self, judged).min(summary_tokens),
            article_sentences: self.article.sentences.len(),
        }
    }
}

/// The weight of the weakest claim beside the mean of all.
const WEAKEST_SHARE: f64 = 0.25;

/// How well the article backs the whole summary; `None` without any claim.
fn soft_support(judged: &[Judged]) -> Option<f64> {
    let supports = judged.iter().map(|judged| judged.assessment.soft);
    let weakest = supports.clone().min_by(f64::total_cmp)?;
    let mean = supports.sum::<f64>() / judged.len() as f64;
    Some((1.0 - WEAKEST_SHARE) * mean + WEAKEST_SHARE * weakest)
}
