//! What judging would take, before anything is sent.
//!
//! Later questions contain earlier answers. Where those are kept they are used; where not,
//! lists of the usual length stand in for them.

use assize_methods::summary::SummaryPair;
use assize_methods::summary::asks::labelling::LabelAll;
use assize_methods::summary::asks::{
    AnswerFromArticle, ArticleReading, Asked, Frozen, Given, LabelClaims, Point, ReadArticle,
    ReadSummary, SummaryReading,
};
use assize_methods::summary::limits::Limits;
use async_recursion::async_recursion as boxed;

use super::reviewers::SummaryJudge;
use crate::asking::{Estimate, Halt};
use crate::summary::batches::Pair;
use crate::summary::scorecard::Framework;

/// The words of a usual sentence.
const SENTENCE: &str = "The council of the harbour town decided in May that the old ferry \
                        would be replaced by a new one within two years.";

impl SummaryJudge {
    /// Adds what one pair would take. Nothing is sent if the budget of the session is zero.
    #[boxed]
    pub async fn estimate(&self, pair: &Pair, estimate: &mut Estimate) -> Result<(), Halt> {
        for judge in self.repeated() {
            judge.estimate_once(pair, estimate).await?;
        }
        Ok(())
    }

    #[boxed]
    async fn estimate_once(&self, pair: &Pair, estimate: &mut Estimate) -> Result<(), Halt> {
        let Ok(texts) = SummaryPair::new(&pair.article, &pair.summary) else { return Ok(()) };
        let Some((lead, judge)) = self.models().next() else { return Ok(()) };
        let (session, attempt) = (&self.session, lead.attempt);
        if let Some(asked) = self.settings.claims_asked() {
            let claims = asked.texts(&self.settings.evidence(texts));
            if !claims.is_empty() {
                let ask = LabelClaims { article: texts.article(), claims: &claims };
                session.add_to(estimate, judge, &ask, attempt).await?;
            }
            return Ok(());
        }
        let limits = self.settings.framework.limits();
        let sentences = self.settings.evidence(texts).totals.article_sentences;
        let article = ReadArticle { article: texts.article(), sentences, limits };
        let article = session.add_to(estimate, judge, &article, attempt).await?;
        let article = article.unwrap_or_else(|| usual_article(limits));
        let (summary, questions) = (texts.summary(), &article.questions);
        let ask = ReadSummary { summary, questions, limits };
        let summary = session.add_to(estimate, judge, &ask, attempt).await?;
        let summary = summary.unwrap_or_else(|| usual_summary(limits));
        let mut article_answers = Vec::new();
        if !summary.questions.is_empty() {
            let questions = &summary.questions;
            let ask = AnswerFromArticle { article: texts.article(), questions };
            let usual = || vec![usual_given(); questions.len()];
            let answers = session.add_to(estimate, judge, &ask, attempt).await?;
            article_answers = answers.unwrap_or_else(usual);
        }
        let frozen = Frozen { article, summary, article_answers };
        let is_panel = self.settings.framework == Framework::JudgeLockUltra;
        for (reviewer, judge) in self.models().take(if is_panel { usize::MAX } else { 1 }) {
            let (article, summary, order) = (texts.article(), texts.summary(), None);
            let ask = LabelAll { article, summary, frozen: &frozen, planted: &[], order };
            session.add_to(estimate, judge, &ask, reviewer.attempt).await?;
        }
        Ok(())
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
