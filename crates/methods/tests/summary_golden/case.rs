//! A golden case as it is written, and the evidence it stands for.
//!
//! A case names only what differs from a summary with nothing wrong: four key points
//! fully covered, four claims supported, two segments of high overlap, all questions
//! answered, a neutral tone, 100 tokens, an article of ten sentences.

use std::collections::BTreeMap;

use assize_methods::summary::evidence::{
    AlignmentEvidence, BiasToxicityEvidence, Claim, CoverageEvidence, Deviation, Evidence, Format,
    HallucinationEvidence, Issue, KeyPoint, QagReading, QuestionAnswer, Quote, RelevanceEvidence,
    Segment, Totals,
};
use assize_methods::summary::labels::{Coverage, DeviationKind};
use assize_methods::summary::{Metric, Span};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};

/// One file: a rule and its edges.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    /// The rule in one sentence.
    pub(crate) rule: String,
    /// Its cases.
    pub(crate) case: Vec<Case>,
}

/// Evidence in, scores and caps out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// What the case shows.
    pub(crate) why: String,
    /// What differs from a summary with nothing wrong.
    #[serde(default)]
    pub(crate) evidence: Given,
    /// What must come out.
    pub(crate) expect: Expected,
}

/// What must come out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// All five, each a number or `"unscored"`; nothing when the case is refused.
    #[serde(default)]
    pub(crate) scores: BTreeMap<String, toml::Value>,
    /// Every cap that set a score, as `on <= height: reason`.
    #[serde(default)]
    pub(crate) binding: Vec<String>,
    /// Every cap that applies and lowered nothing further.
    #[serde(default)]
    pub(crate) triggered: Vec<String>,
    /// Every other cap that was considered; not compared when left out.
    pub(crate) not_triggered: Option<Vec<String>>,
    /// Other fields of the metric objects, by dotted path.
    #[serde(default)]
    pub(crate) parts: BTreeMap<String, toml::Value>,
    /// The codes of the findings, in order.
    #[serde(default)]
    pub(crate) findings: Vec<String>,
    /// The reason when the whole scorecard is refused.
    pub(crate) error: Option<String>,
}

/// What a case says about its evidence; labels as `"9 supported, 1 unsupported"`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Given {
    key_points: String,
    /// Instead of labels: how much of each key point is covered.
    key_point_shares: Vec<f64>,
    key_point_tokens: usize,
    claims: String,
    segments: Vec<f64>,
    questions: String,
    claim_questions: String,
    /// What becomes of unanswered questions: `answerable` or `literal`.
    qag: QagReading,
    deviations: String,
    alignment_tokens: usize,
    theme_tokens: usize,
    tone: String,
    issues: String,
    /// Issues whose words stand in the article too.
    quoted_issues: String,
    summary_tokens: usize,
    extraneous_tokens: usize,
    article_sentences: usize,
    /// Where the evidence stands in the article: the n-th of every list at the n-th.
    spans: Vec<[usize; 2]>,
    /// The same for the questions about the article alone.
    question_spans: Option<Vec<[usize; 2]>>,
    /// The same for the questions about the claims alone.
    claim_question_spans: Option<Vec<[usize; 2]>>,
    /// How many claims, from the first, have a quote that cannot be found.
    lost_quotes: usize,
    /// Metrics without any evidence.
    missing: Vec<String>,
}

impl Default for Given {
    fn default() -> Self {
        Self {
            key_points: "4 fully".to_owned(),
            key_point_shares: Vec::new(),
            key_point_tokens: 8,
            claims: "4 supported".to_owned(),
            segments: vec![0.9, 0.9],
            questions: "6 correct".to_owned(),
            claim_questions: "6 correct".to_owned(),
            qag: QagReading::default(),
            deviations: String::new(),
            alignment_tokens: 20,
            theme_tokens: 10,
            tone: "neutral".to_owned(),
            issues: String::new(),
            quoted_issues: String::new(),
            summary_tokens: 100,
            extraneous_tokens: 0,
            article_sentences: 10,
            spans: (0..6).map(|index| [100 * index, 100 * index + 80]).collect(),
            question_spans: None,
            claim_question_spans: None,
            lost_quotes: 0,
            missing: Vec::new(),
        }
    }
}

impl Given {
    /// The evidence in full.
    pub(crate) fn evidence(&self) -> Evidence {
        Evidence {
            format: Format,
            coverage: self.unless_missing(Metric::Coverage, self.coverage()),
            alignment: self.unless_missing(Metric::Alignment, self.alignment()),
            hallucination: self.unless_missing(Metric::Hallucination, self.hallucination()),
            relevance: self.unless_missing(Metric::Relevance, self.relevance()),
            bias_toxicity: self.unless_missing(Metric::BiasToxicity, self.bias_toxicity()),
            totals: Totals {
                summary_tokens: self.summary_tokens,
                extraneous_tokens: self.extraneous_tokens,
                article_sentences: self.article_sentences,
            },
            findings: Vec::new(),
        }
    }

    fn unless_missing<T>(&self, metric: Metric, evidence: T) -> Option<T> {
        (!self.missing.iter().any(|name| name == metric.name())).then_some(evidence)
    }

    fn coverage(&self) -> CoverageEvidence {
        let labels = if self.key_point_shares.is_empty() {
            labels(&self.key_points)
        } else {
            self.key_point_shares.iter().map(|share| Coverage::of_share(*share)).collect()
        };
        let key_points = labels.into_iter().enumerate().map(|(index, coverage)| KeyPoint {
            text: format!("key point {index}"),
            tokens: self.key_point_tokens,
            coverage,
            in_article: quote(index, &self.spans),
            in_summary: None,
        });
        let spans = self.question_spans.as_ref().unwrap_or(&self.spans);
        CoverageEvidence {
            key_points: key_points.collect(),
            questions: questions(&self.questions, spans),
            qag: self.qag,
        }
    }

    fn alignment(&self) -> AlignmentEvidence {
        let deviations = labels(&self.deviations).into_iter().map(|drift| Deviation {
            kind: DeviationKind::Focus,
            drift,
            note: String::new(),
            in_summary: None,
            in_article: None,
        });
        let deviations = deviations.collect();
        AlignmentEvidence { tokens: self.alignment_tokens, deviations, ..Default::default() }
    }

    fn hallucination(&self) -> HallucinationEvidence {
        let claims = labels(&self.claims).into_iter().enumerate().map(|(index, support)| Claim {
            text: format!("claim {index}"),
            support,
            extraneous_tokens: 0,
            note: String::new(),
            in_summary: None,
            in_article: if index < self.lost_quotes {
                Some(Quote::not_found("never said"))
            } else {
                quote(index, &self.spans)
            },
            soft_support: None,
            confidence: None,
        });
        let spans = self.claim_question_spans.as_ref().unwrap_or(&self.spans);
        HallucinationEvidence {
            claims: claims.collect(),
            questions: questions(&self.claim_questions, spans),
            qag: self.qag,
            soft_support: None,
            regime: None,
            read_by: Vec::new(),
        }
    }

    fn relevance(&self) -> RelevanceEvidence {
        let segments = self.segments.iter().enumerate().map(|(index, overlap)| Segment {
            in_summary: Quote::at("segment", Span::new(40 * index, 40 * index + 7)),
            overlap: *overlap,
            in_article: None,
        });
        let segments = segments.collect();
        RelevanceEvidence { theme_tokens: self.theme_tokens, segments, ..Default::default() }
    }

    fn bias_toxicity(&self) -> BiasToxicityEvidence {
        let issue = |kind, in_article| Issue {
            kind,
            in_summary: Quote::at("word", Span::new(0, 4)),
            in_article,
        };
        let own = labels(&self.issues).into_iter().map(|kind| issue(kind, None));
        let source = Quote::at("word", Span::new(9, 13));
        let quoted = labels(&self.quoted_issues).into_iter();
        let quoted = quoted.map(|kind| issue(kind, Some(source.clone())));
        BiasToxicityEvidence { tone: label(&self.tone), issues: own.chain(quoted).collect() }
    }
}

fn questions(answers: &str, spans: &[[usize; 2]]) -> Vec<QuestionAnswer> {
    let question = |(index, answer)| QuestionAnswer {
        question: format!("question {index}"),
        gold: "yes".to_owned(),
        given: None,
        answer,
        in_article: quote(index, spans),
        in_summary: None,
    };
    labels(answers).into_iter().enumerate().map(question).collect()
}

/// What stands at the n-th span; nothing is quoted beyond the last.
fn quote(index: usize, spans: &[[usize; 2]]) -> Option<Quote> {
    spans.get(index).map(|[start, end]| Quote::at("words", Span::new(*start, *end)))
}

/// `"2 mild, 1 severe"` as three labels.
fn labels<L: DeserializeOwned + Clone>(counted: &str) -> Vec<L> {
    let mut labels = Vec::new();
    for piece in counted.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
        let (count, name) = piece.split_once(' ').expect("a count and a label");
        let count: usize = count.parse().expect("a count");
        labels.extend(std::iter::repeat_n(label::<L>(name), count));
    }
    labels
}

fn label<L: DeserializeOwned>(name: &str) -> L {
    L::deserialize(StrDeserializer::<Error>::new(name)).expect("a label of its kind")
}
