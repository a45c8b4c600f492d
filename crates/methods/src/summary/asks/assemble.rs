//! Lists and labels become evidence. Every number in it is counted here.

use std::collections::BTreeSet;

use assize_score::Finding;
use assize_text::tokens::{alnum_tokens, count_alnum_tokens};

use super::frozen::{Asked, Frozen, Given, Point};
use super::labelling::{Label, Labels};
use super::locate::Sources;
use super::suspicion;
use crate::summary::evidence::{
    AlignmentEvidence, BiasToxicityEvidence, Claim, CoverageEvidence, Deviation, Evidence,
    HallucinationEvidence, Issue, KeyPoint, QagReading, QuestionAnswer, Quote,
};
use crate::summary::input::SummaryPair;
use crate::summary::labels::{Answer, Support};

/// Puts the lists and labels of a model where the rules had theirs.
///
/// What needs no judge stays the rules' own: the segments and their overlap, soft recall, and
/// the counts of tokens and sentences.
pub fn evidence(
    pair: &SummaryPair<'_>,
    by_rules: &Evidence,
    frozen: &Frozen,
    labels: &Labels,
) -> Evidence {
    let assembly = Assembly::of(pair);
    let Frozen { article, summary, article_answers } = frozen;
    let claims: Vec<Claim> = summary
        .claims
        .iter()
        .zip(&labels.claims)
        .map(|(claim, label)| assembly.claim(claim, label))
        .collect();
    let mut totals = by_rules.totals;
    totals.extraneous_tokens = extraneous_in_all(&claims, totals.summary_tokens);
    let mut relevance = by_rules.relevance.clone();
    if let Some(relevance) = &mut relevance {
        relevance.theme.clone_from(&article.theme);
        relevance.theme_tokens = count_alnum_tokens(&article.theme);
    }
    let key_points = article.key_points.iter().zip(&labels.key_points);
    let described = [&article.intent, &article.stance, &article.tone];
    let mut findings = by_rules.findings.clone();
    suspicion::add(&mut findings, pair);
    Evidence {
        format: by_rules.format,
        coverage: Some(CoverageEvidence {
            key_points: key_points.map(|(point, label)| assembly.key_point(point, label)).collect(),
            questions: assembly.asked_of_article(
                &article.questions,
                &summary.answers,
                &labels.article_answers,
            ),
            qag: QagReading::default(),
        }),
        alignment: Some(AlignmentEvidence {
            intent: article.intent.clone(),
            stance: article.stance.clone(),
            tone: article.tone.clone(),
            tokens: described.iter().map(|words| count_alnum_tokens(words)).sum(),
            deviations: assembly.deviations(labels),
        }),
        hallucination: Some(HallucinationEvidence {
            claims,
            questions: assembly.asked_of_claims(
                &summary.questions,
                article_answers,
                &labels.claim_answers,
            ),
            qag: QagReading::default(),
            soft_support: None,
            regime: None,
            read_by: Vec::new(),
        }),
        relevance,
        bias_toxicity: Some(BiasToxicityEvidence {
            tone: labels.tone,
            issues: assembly.issues(labels),
        }),
        totals,
        findings,
    }
}

/// No more tokens can be extraneous than the summary has.
pub(crate) fn extraneous_in_all(claims: &[Claim], summary_tokens: usize) -> usize {
    let sum: usize = claims.iter().map(|claim| claim.extraneous_tokens).sum();
    sum.min(summary_tokens)
}

/// What a judge pointed at, looked up.
struct Assembly<'text> {
    sources: Sources<'text>,
    article_tokens: BTreeSet<String>,
}

impl<'text> Assembly<'text> {
    fn of(pair: &SummaryPair<'text>) -> Self {
        let article_tokens = alnum_tokens(pair.article()).into_iter().collect();
        Self { sources: Sources::of(pair), article_tokens }
    }

    fn key_point(&self, point: &Point, said: &Label<crate::summary::labels::Coverage>) -> KeyPoint {
        KeyPoint {
            text: point.text.clone(),
            tokens: count_alnum_tokens(&point.text),
            coverage: said.label,
            in_article: self.sources.in_article(point.quote.as_deref()),
            in_summary: self.sources.in_summary(said.quote.as_deref()),
        }
    }

    fn claim(&self, claim: &Point, said: &Label<Support>) -> Claim {
        let in_summary = self.sources.in_summary(claim.quote.as_deref());
        let words = in_summary.as_ref().filter(|quote| quote.span.is_some());
        let words = words.map_or(claim.text.as_str(), |quote| quote.text.as_str());
        Claim {
            text: claim.text.clone(),
            support: said.label,
            extraneous_tokens: extraneous(words, said.label, &self.article_tokens),
            note: String::new(),
            in_summary,
            in_article: self.sources.in_article(said.quote.as_deref()),
            soft_support: None,
            confidence: None,
        }
    }

    /// Made from the article: its quote is the article's, the answer's quote the summary's.
    fn asked_of_article(
        &self,
        asked: &[Asked],
        given: &[Given],
        labels: &[Answer],
    ) -> Vec<QuestionAnswer> {
        answered(asked, given, labels, |asked, given| {
            [self.sources.in_article(asked), self.sources.in_summary(given)]
        })
    }

    /// Made from the claims: the other way round.
    fn asked_of_claims(
        &self,
        asked: &[Asked],
        given: &[Given],
        labels: &[Answer],
    ) -> Vec<QuestionAnswer> {
        answered(asked, given, labels, |asked, given| {
            [self.sources.in_article(given), self.sources.in_summary(asked)]
        })
    }

    fn deviations(&self, labels: &Labels) -> Vec<Deviation> {
        let deviation = |said: &super::labelling::Quoted<super::labelling::Remark>| Deviation {
            kind: said.what.kind,
            drift: said.what.drift,
            note: said.what.note.clone(),
            in_summary: self.sources.in_summary(said.quote.as_deref()),
            in_article: None,
        };
        labels.deviations.iter().map(deviation).collect()
    }

    /// An issue without a word to point at cannot be shown to anybody, and is none.
    fn issues(&self, labels: &Labels) -> Vec<Issue> {
        let issue = |said: &super::labelling::Quoted<super::labelling::Wording>| {
            let words = said.quote.as_deref();
            let in_summary = self.sources.in_summary(words)?;
            let in_article = self.sources.in_article(words).filter(|quote| quote.span.is_some());
            Some(Issue { kind: said.what.kind, in_summary, in_article })
        };
        labels.issues.iter().filter_map(issue).collect()
    }
}

/// Every question with its answer; `located` finds the quotes of both in article and summary.
fn answered(
    asked: &[Asked],
    given: &[Given],
    labels: &[Answer],
    located: impl Fn(Option<&str>, Option<&str>) -> [Option<Quote>; 2],
) -> Vec<QuestionAnswer> {
    let all = asked.iter().zip(given).zip(labels);
    all.map(|((asked, given), label)| {
        let quotes = located(asked.quote.as_deref(), given.quote.as_deref());
        question(asked, given, *label, quotes)
    })
    .collect()
}

fn question(
    asked: &Asked,
    given: &Given,
    label: Answer,
    [in_article, in_summary]: [Option<Quote>; 2],
) -> QuestionAnswer {
    QuestionAnswer {
        question: asked.question.clone(),
        gold: asked.answer.clone(),
        given: given.answer.clone(),
        // Where nothing was answered there is nothing to be right about.
        answer: if given.answer.is_none() { Answer::Wrong } else { label },
        in_article,
        in_summary,
    }
}

/// All tokens of an unsupported claim; of a partly supported one those that the article does
/// not have; none of a supported one.
pub fn extraneous(words: &str, support: Support, article_tokens: &BTreeSet<String>) -> usize {
    match support {
        Support::Supported => 0,
        Support::Unsupported => count_alnum_tokens(words),
        Support::Partial => {
            alnum_tokens(words).iter().filter(|token| !article_tokens.contains(*token)).count()
        }
    }
}

/// Findings about what a judge could not show: a better label without any words for it.
pub fn unquoted(labels: &Labels) -> Vec<Finding> {
    let claims = labels
        .claims
        .iter()
        .filter(|said| said.label != Support::Unsupported && said.quote.is_none());
    let count = claims.count();
    if count == 0 {
        return Vec::new();
    }
    let message = format!("{count} claims are called supported without any words of the article");
    vec![Finding::new("label_without_quote", message)]
}
