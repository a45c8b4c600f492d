//! Who judges: from a pair of texts to evidence.

use std::collections::BTreeSet;

use assize_methods::summary::asks::{ClaimsAsked, Questions};
use assize_methods::summary::evidence::{OverlapWith, QagReading, RelevanceEvidence};
use assize_methods::summary::{Evidence, SummaryPair, rules};
use assize_readers::{Reader, ReaderError};
use assize_text::tokens::alnum_tokens;

use super::scorecard::Framework;

/// Who finds and labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Judge {
    /// Rules: no model, no network, the same bits every time.
    #[default]
    Rules,
    /// A model: it finds and labels, nothing more.
    Model,
    /// Rules, and a model for the claims that they cannot decide.
    RulesAndModel,
    /// Several, who vote.
    Panel,
}

impl Judge {
    /// The name as users type and read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Model => "model",
            Self::RulesAndModel => "rules+model",
            Self::Panel => "panel",
        }
    }
}

/// How pairs are judged and scored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    /// Who finds and labels.
    pub judge: Judge,
    /// Who counts.
    pub framework: Framework,
    /// What segments of the summary are compared with.
    pub overlap: OverlapWith,
    /// What becomes of questions that cannot be answered.
    pub qag: QagReading,
    /// How much a model is asked.
    pub questions: Questions,
}

impl Settings {
    /// The claims that a model is asked about in one question; none where it is asked more.
    pub(super) fn claims_asked(self) -> Option<ClaimsAsked> {
        match (self.judge, self.questions) {
            (Judge::RulesAndModel, _) => Some(ClaimsAsked::Undecided),
            (Judge::Model, Questions::One) => Some(ClaimsAsked::All),
            _ => None,
        }
    }

    /// What the rules find in a pair: all of it, or what models need not be asked.
    pub fn evidence(self, pair: SummaryPair<'_>) -> Evidence {
        self.read(rules::judge(&pair, self.framework.limits()), pair)
    }

    /// The same evidence in the reading that was asked for.
    fn read(self, mut evidence: Evidence, pair: SummaryPair<'_>) -> Evidence {
        if let Some(coverage) = &mut evidence.coverage {
            coverage.qag = self.qag;
        }
        if let Some(hallucination) = &mut evidence.hallucination {
            hallucination.qag = self.qag;
        }
        if self.overlap == OverlapWith::WholeArticle
            && let Some(relevance) = &mut evidence.relevance
        {
            compare_with_whole_article(relevance, pair.article());
        }
        evidence
    }
}

/// The rules, with the reader that decides what they cannot if there is one.
#[derive(Debug, Clone, Copy)]
pub struct ByRules<'a> {
    /// How pairs are judged and scored.
    pub settings: Settings,
    /// Who reads.
    pub reader: Option<&'a dyn Reader>,
}

impl From<Settings> for ByRules<'_> {
    fn from(settings: Settings) -> Self {
        Self { settings, reader: None }
    }
}

impl ByRules<'_> {
    /// What is found in a pair.
    pub fn evidence(self, pair: SummaryPair<'_>) -> Result<Evidence, ReaderError> {
        let Self { settings, reader } = self;
        let Some(reader) = reader else { return Ok(settings.evidence(pair)) };
        let found = rules::read_and_judge(reader, &pair, settings.framework.limits())?;
        Ok(settings.read(found, pair))
    }
}

/// Replaces each segment's overlap by its Jaccard overlap with the whole article.
fn compare_with_whole_article(relevance: &mut RelevanceEvidence, article: &str) {
    let article = token_set(article);
    relevance.overlap_with = OverlapWith::WholeArticle;
    for segment in &mut relevance.segments {
        let own = token_set(&segment.in_summary.text);
        let shared = own.intersection(&article).count();
        let all = own.len() + article.len() - shared;
        segment.overlap = if all == 0 { 0.0 } else { shared as f64 / all as f64 };
        segment.in_article = None;
    }
}

fn token_set(text: &str) -> BTreeSet<String> {
    alnum_tokens(text).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight of the article's ten different words, and none besides: 8/10. Copied from a
    /// longer article, the same sentence would be worth still less.
    #[test]
    fn the_literal_overlap_is_with_the_whole_article() {
        let article = "The red kite flew over the old harbour wall. Nobody saw the red kite.";
        let pair = SummaryPair::new(article, "The red kite flew over the old harbour wall.");
        let pair = pair.expect("both texts have words");
        let literal = Settings { overlap: OverlapWith::WholeArticle, ..Settings::default() };
        let overlap = |settings: Settings| {
            let relevance = settings.evidence(pair).relevance.expect("the rule judge looks at it");
            (relevance.overlap_with, relevance.segments[0].overlap)
        };
        assert_eq!(overlap(Settings::default()), (OverlapWith::BestSentence, 1.0));
        assert_eq!(overlap(literal), (OverlapWith::WholeArticle, 8.0 / 10.0));
    }
}
