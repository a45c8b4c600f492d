//! What judging would take, before anything is sent.
//!
//! Later questions contain earlier answers. Where those are kept they are used; where not,
//! lists of the usual length stand in for them.

use assize_methods::ask::Ask;
use assize_methods::summary::SummaryPair;
use assize_methods::summary::asks::labelling::LabelAll;
use assize_methods::summary::asks::{
    AnswerFromArticle, ArticleReading, Asked, Frozen, Given, Point, ReadArticle, ReadSummary,
    SummaryReading,
};
use assize_methods::summary::limits::Limits;
use assize_models::{Money, Usage};

use super::session::{Seat, Session};
use crate::interview::account::sum;
use crate::interview::{Halt, NoAnswer};
use crate::summary::batches::Pair;
use crate::summary::scorecard::Framework;

/// The words of a usual sentence.
const SENTENCE: &str = "The council of the harbour town decided in May that the old ferry \
                        would be replaced by a new one within two years.";

/// What judging would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Estimate {
    /// Pairs that were looked at.
    pub pairs: u64,
    /// Questions whose replies are kept already.
    pub kept: u64,
    /// Questions that would be sent, if every reply can be read.
    pub calls: u64,
    /// Their tokens: requests by a rule of thumb, replies at their longest.
    pub usage: Usage,
    /// What they would cost at most, as far as prices are known.
    pub price: Money,
    /// Questions to models without a known price.
    pub unpriced: u64,
}

impl Session {
    /// Adds what one pair would take. Nothing is sent if the budget of the session is zero.
    pub async fn estimate(&self, pair: &Pair, estimate: &mut Estimate) -> Result<(), Halt> {
        estimate.pairs += 1;
        let Ok(texts) = SummaryPair::new(&pair.article, &pair.summary) else { return Ok(()) };
        let Some(lead) = self.bench.iter().find(|seat| seat.judge.is_some()) else {
            return Ok(());
        };
        let limits = self.settings.framework.limits();
        let sentences = self.settings.evidence(texts).totals.article_sentences;
        let article = ReadArticle { article: texts.article(), sentences, limits };
        let article = self.step(lead, &article, estimate).await?;
        let article = article.unwrap_or_else(|| usual_article(limits));
        let (summary, questions) = (texts.summary(), &article.questions);
        let summary =
            self.step(lead, &ReadSummary { summary, questions, limits }, estimate).await?;
        let summary = summary.unwrap_or_else(|| usual_summary(limits));
        let mut article_answers = Vec::new();
        if !summary.questions.is_empty() {
            let questions = &summary.questions;
            let ask = AnswerFromArticle { article: texts.article(), questions };
            let usual = || vec![usual_given(); questions.len()];
            article_answers = self.step(lead, &ask, estimate).await?.unwrap_or_else(usual);
        }
        let frozen = Frozen { article, summary, article_answers };
        let seats = self.bench.iter().filter(|seat| seat.judge.is_some());
        let is_panel = self.settings.framework == Framework::JudgeLockUltra;
        for seat in seats.take(if is_panel { usize::MAX } else { 1 }) {
            let (article, summary, order) = (texts.article(), texts.summary(), None);
            let ask = LabelAll { article, summary, frozen: &frozen, planted: &[], order };
            self.step(seat, &ask, estimate).await?;
        }
        Ok(())
    }

    /// One question: its answer if that is kept, and otherwise what it would take.
    async fn step<A: Ask>(
        &self,
        seat: &Seat,
        ask: &A,
        estimate: &mut Estimate,
    ) -> Result<Option<A::Answer>, Halt> {
        let Some(judge) = &seat.judge else { return Ok(None) };
        let quote = self.desk.quote(judge, ask, seat.attempt).await?;
        if quote.is_kept {
            match self.desk.put(judge, ask, seat.attempt).await {
                Ok(answered) => {
                    estimate.kept += 1;
                    return Ok(Some(answered.answer));
                }
                Err(NoAnswer::Halt(halt @ Halt::Store(_))) => return Err(halt),
                // What is kept cannot be read, and it would be asked again.
                Err(_) => {}
            }
        }
        estimate.calls += 1;
        estimate.usage = sum(estimate.usage, quote.usage);
        match quote.price {
            Some(price) => estimate.price.nanodollars += price.nanodollars,
            None => estimate.unpriced += 1,
        }
        Ok(None)
    }
}

fn usual_point() -> Point {
    Point { text: SENTENCE.to_owned(), quote: Some(SENTENCE.to_owned()) }
}

fn usual_given() -> Given {
    Given { answer: Some("in May".to_owned()), quote: Some(SENTENCE.to_owned()) }
}

fn usual_questions(limits: &Limits) -> Vec<Asked> {
    let asked = Asked {
        question: "When did the council of the town decide?".to_owned(),
        answer: "in May".to_owned(),
        quote: Some(SENTENCE.to_owned()),
    };
    vec![asked; limits.questions.unwrap_or(0)]
}

fn usual_article(limits: &Limits) -> ArticleReading {
    let words = || "to report on the ferry".to_owned();
    ArticleReading {
        key_points: vec![usual_point(); *limits.key_points.end()],
        theme: SENTENCE.to_owned(),
        intent: words(),
        stance: words(),
        tone: words(),
        questions: usual_questions(limits),
    }
}

fn usual_summary(limits: &Limits) -> SummaryReading {
    let questions = usual_questions(limits);
    let answers = vec![usual_given(); questions.len()];
    SummaryReading { claims: vec![usual_point(); limits.claims_max], questions, answers }
}
