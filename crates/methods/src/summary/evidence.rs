//! What a judge found in an article and its summary: everything the frameworks count.
//!
//! A judge, by rules or a model, labels and quotes. It states no score. A quote stands
//! with its offsets: `in_article` and `in_summary` say which of the two texts they count
//! in, always in code points. Fields nobody knows are refused, never dropped.

use assize_score::Finding;
use assize_text::Span;
use serde::{Deserialize, Serialize};

use super::labels::{
    Answer, Confidence, Coverage, DeviationKind, Drift, IssueKind, Overlap, Regime, Support, Tone,
};

/// Everything that was found for one pair.
///
/// A metric the judge gave nothing for is `None`; that is not the same as having
/// looked and found nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// How this evidence is written down.
    pub format: Format,
    /// Key points, and questions about the article.
    pub coverage: Option<CoverageEvidence>,
    /// Intent, stance and tone, and where the summary leaves them.
    pub alignment: Option<AlignmentEvidence>,
    /// Claims, and questions about them.
    pub hallucination: Option<HallucinationEvidence>,
    /// The theme, and how the summary's segments overlap with the article.
    pub relevance: Option<RelevanceEvidence>,
    /// Tone and wording of the summary.
    pub bias_toxicity: Option<BiasToxicityEvidence>,
    /// What was counted in the texts themselves.
    pub totals: Totals,
    /// What the judge noticed and nobody counts.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

/// The number of the written form; reading another one is refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Format;

/// The written form of today.
const FORMAT: u32 = 1;

impl TryFrom<u32> for Format {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        if number == FORMAT {
            return Ok(Self);
        }
        Err(format!("this is evidence in format {number}, and only format {FORMAT} can be read"))
    }
}

impl From<Format> for u32 {
    fn from(_: Format) -> Self {
        FORMAT
    }
}

/// Words taken from one of the two texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The words.
    pub text: String,
    /// Where they stand; `None` when they could not be found in their source.
    #[serde(default)]
    pub span: Option<Span>,
}

impl Quote {
    /// Words that stand at a known place.
    pub fn at(text: impl Into<String>, span: Span) -> Self {
        Self { text: text.into(), span: Some(span) }
    }

    /// Words that the source does not hold.
    pub fn not_found(text: impl Into<String>) -> Self {
        Self { text: text.into(), span: None }
    }
}

/// What coverage counts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageEvidence {
    /// The essential points of the article.
    pub key_points: Vec<KeyPoint>,
    /// Questions made from the article and answered from the summary alone.
    #[serde(default)]
    pub questions: Vec<QuestionAnswer>,
    /// What becomes of those that cannot be answered.
    #[serde(default, skip_serializing_if = "QagReading::is_default")]
    pub qag: QagReading,
}

/// One essential point of the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyPoint {
    /// The point in one sentence.
    pub text: String,
    /// How many tokens that sentence has.
    pub tokens: usize,
    /// How much of it the summary says.
    pub coverage: Coverage,
    /// Where the article makes the point.
    #[serde(default)]
    pub in_article: Option<Quote>,
    /// Where the summary takes it up.
    #[serde(default)]
    pub in_summary: Option<Quote>,
}

/// A question with the answer its source gives and the answer that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionAnswer {
    /// The question.
    pub question: String,
    /// The answer by the text the question was made from.
    pub gold: String,
    /// The answer by the other text; `None` when it has none.
    #[serde(default)]
    pub given: Option<String>,
    /// How the two compare.
    pub answer: Answer,
    /// The evidence in the article: two questions must not rest on the same.
    #[serde(default)]
    pub in_article: Option<Quote>,
    /// The words of the summary that answer it, or that it was made from.
    #[serde(default)]
    pub in_summary: Option<Quote>,
}

/// What becomes of questions that cannot be answered from the other text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum QagReading {
    /// They are left out and counted
    #[default]
    Answerable,
    /// They are wrong, and six correct answers are too few, as the framework literally says
    Literal,
}

impl QagReading {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What alignment counts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentEvidence {
    /// What the article wants.
    pub intent: String,
    /// Where it stands.
    pub stance: String,
    /// How it sounds.
    pub tone: String,
    /// How many tokens the three have together.
    pub tokens: usize,
    /// Where the summary leaves them.
    #[serde(default)]
    pub deviations: Vec<Deviation>,
}

/// One place where the summary drifts away from the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// In what.
    pub kind: DeviationKind,
    /// How far.
    pub drift: Drift,
    /// Why it is one, in a few words.
    #[serde(default)]
    pub note: String,
    /// The words that drift.
    #[serde(default)]
    pub in_summary: Option<Quote>,
    /// The words they drift from.
    #[serde(default)]
    pub in_article: Option<Quote>,
}

/// What hallucination counts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HallucinationEvidence {
    /// The consequential factual claims of the summary.
    pub claims: Vec<Claim>,
    /// Questions made from the claims and answered from the article.
    #[serde(default)]
    pub questions: Vec<QuestionAnswer>,
    /// What becomes of those that cannot be answered.
    #[serde(default, skip_serializing_if = "QagReading::is_default")]
    pub qag: QagReading,
    /// How well the article backs the whole summary, 0 to 1, without bands.
    #[serde(default)]
    pub soft_support: Option<f64>,
    /// How the summary is put together; `None` where the judge does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regime: Option<Regime>,
    /// The models that read what rules do not decide; none without a reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_by: Vec<String>,
}

impl HallucinationEvidence {
    /// How many claims are decided; `None` where the judge does not say how sure it is.
    pub fn decided(&self) -> Option<usize> {
        let sure = |claim: &Claim| claim.confidence.map(|sure| sure == Confidence::High);
        let sure: Option<Vec<bool>> = self.claims.iter().map(sure).collect();
        sure.map(|sure| sure.into_iter().filter(|sure| *sure).count())
    }

    /// The scores if every claim that is not decided were unsupported, and if all were supported,
    /// by the arithmetic of a framework; `None` where nothing is open.
    pub fn range(&self, score: impl Fn(&Self) -> Option<f64>) -> Option<[f64; 2]> {
        let is_open = |claim: &Claim| claim.confidence == Some(Confidence::Low);
        if !self.claims.iter().any(is_open) {
            return None;
        }
        let with = |support: Support| {
            let mut decided = self.clone();
            for claim in decided.claims.iter_mut().filter(|claim| is_open(claim)) {
                claim.support = support;
            }
            score(&decided)
        };
        Some([with(Support::Unsupported)?, with(Support::Supported)?])
    }

    /// How many claims are decided, and how the summary is put together, in a few words:
    /// `decided: 6 of 9; extractive`.
    pub fn certainty(&self) -> Option<String> {
        let decided = self.decided()?;
        let regime = match self.regime {
            Some(Regime::Abstractive) => "; in words of its own",
            Some(Regime::Mixed) => "; partly copied",
            Some(Regime::Extractive) => "; copied together",
            None => "",
        };
        Some(format!("decided: {decided} of {}{regime}", self.claims.len()))
    }
}

/// One factual claim of the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim in one sentence.
    pub text: String,
    /// How well the article backs it.
    pub support: Support,
    /// How many of its tokens nothing in the article supports.
    pub extraneous_tokens: usize,
    /// Why the label is not a better one, in a few words.
    #[serde(default)]
    pub note: String,
    /// Where the summary claims it.
    #[serde(default)]
    pub in_summary: Option<Quote>,
    /// What in the article backs it, or comes nearest.
    #[serde(default)]
    pub in_article: Option<Quote>,
    /// The support as a number before it became a label, 0 to 1.
    #[serde(default)]
    pub soft_support: Option<f64>,
    /// How sure the judge is of the label; `None` where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
}

/// What relevance counts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelevanceEvidence {
    /// What the article is about, in one sentence.
    pub theme: String,
    /// How many tokens that sentence has.
    pub theme_tokens: usize,
    /// What the segments were compared with.
    #[serde(default)]
    pub overlap_with: OverlapWith,
    /// The pieces of the summary.
    pub segments: Vec<Segment>,
    /// How much of what matters in the article the summary says, 0 to 1, without bands.
    #[serde(default)]
    pub soft_recall: Option<f64>,
}

/// What a segment of the summary is compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum OverlapWith {
    /// The best matching sentence of the article
    #[default]
    #[serde(alias = "sentence")]
    #[cfg_attr(feature = "clap", value(name = "sentence"))]
    BestSentence,
    /// The whole article, as the framework literally says
    #[serde(alias = "literal")]
    #[cfg_attr(feature = "clap", value(name = "literal"))]
    WholeArticle,
}

/// One piece of the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// The piece.
    pub in_summary: Quote,
    /// Its Jaccard overlap, 0 to 1.
    pub overlap: f64,
    /// The article sentence that matches best.
    #[serde(default)]
    pub in_article: Option<Quote>,
}

impl Segment {
    /// The label of its overlap; it follows from the number and is never stated.
    pub fn label(&self) -> Overlap {
        Overlap::of_jaccard(self.overlap)
    }
}

/// What bias and toxicity count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BiasToxicityEvidence {
    /// How the summary speaks.
    pub tone: Tone,
    /// Wordings that should not be there.
    #[serde(default)]
    pub issues: Vec<Issue>,
}

/// One wording that should not be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// What is wrong with it.
    pub kind: IssueKind,
    /// The words.
    pub in_summary: Quote,
    /// The same words in the article: then the summary quotes, and does not assert.
    #[serde(default)]
    pub in_article: Option<Quote>,
}

impl Issue {
    /// Whether the words are the summary's own; only then do they count.
    pub fn is_asserted(&self) -> bool {
        self.in_article.as_ref().is_none_or(|quote| quote.span.is_none())
    }
}

/// What was counted in the texts themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Tokens of the whole summary.
    pub summary_tokens: usize,
    /// Those of them that nothing in the article supports, in or outside a claim.
    pub extraneous_tokens: usize,
    /// Sentences of the article.
    pub article_sentences: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence {
        Evidence {
            format: Format,
            coverage: Some(CoverageEvidence::default()),
            alignment: None,
            hallucination: None,
            relevance: None,
            bias_toxicity: Some(BiasToxicityEvidence { tone: Tone::Unclear, issues: Vec::new() }),
            totals: Totals { summary_tokens: 9, extraneous_tokens: 2, article_sentences: 4 },
            findings: vec![Finding::new("code", "a sentence")],
        }
    }

    #[test]
    fn evidence_survives_a_round_trip_through_json() {
        let json = serde_json::to_string(&evidence()).unwrap();
        assert!(json.starts_with(r#"{"format":1,"#), "{json}");
        assert_eq!(serde_json::from_str::<Evidence>(&json).unwrap(), evidence());
    }

    #[test]
    fn another_format_and_unknown_fields_are_refused() {
        let json = serde_json::to_string(&evidence()).unwrap();
        let newer = json.replacen("\"format\":1", "\"format\":2", 1);
        assert!(serde_json::from_str::<Evidence>(&newer).is_err());
        let strange = json.replacen("\"findings\"", "\"fundings\"", 1);
        assert!(serde_json::from_str::<Evidence>(&strange).is_err());
    }

    #[test]
    fn words_that_the_article_uses_too_are_quoted_not_asserted() {
        let quote = |span| Some(Quote { text: "damn".to_owned(), span });
        let issue = |in_article| Issue {
            kind: IssueKind::MildProfanity,
            in_summary: Quote::at("damn", Span::new(0, 4)),
            in_article,
        };
        assert!(!issue(quote(Some(Span::new(7, 11)))).is_asserted());
        assert!(issue(quote(None)).is_asserted());
        assert!(issue(None).is_asserted());
    }
}
