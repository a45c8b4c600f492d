//! One pair by one model: what the texts say, what the article answers, how they compare.

use assize_methods::ask::Ask;
use assize_methods::summary::asks::assemble;
use assize_methods::summary::asks::labelling::LabelAll;
use assize_methods::summary::asks::{
    AnswerFromArticle, ClaimsAsked, Frozen, Label, LabelClaims, ReadArticle, ReadSummary,
};
use assize_methods::summary::labels::Support;
use assize_methods::summary::{Evidence, SummaryPair};
use assize_score::Finding;
use assize_wire::summary::Trail;
use async_recursion::async_recursion as boxed;

use super::repeated::settled;
use super::reviewers::{Reviewer, SummaryJudge};
use crate::asking::{Halt, NoAnswer, Unscored};
use crate::summary::batches::{Judged, Pair};
use crate::summary::judging::Judge;
use crate::summary::scorecard::Framework;

/// A pair on its way through the questions.
pub(super) struct Examination<'a> {
    pub(super) judge: &'a SummaryJudge,
    pub(super) pair: SummaryPair<'a>,
    pub(super) by_rules: Evidence,
    pub(super) trail: Trail,
    pub(super) findings: Vec<Finding>,
}

impl SummaryJudge {
    /// Judges a pair; one that cannot be judged says why, and only what concerns the whole
    /// run is an error.
    #[boxed]
    pub async fn judge(&self, id: Option<String>, pair: Pair) -> Result<Judged, Halt> {
        let mut all = Vec::new();
        for judge in self.repeated() {
            all.push(judge.judge_once(id.clone(), pair.clone()).await?);
        }
        Ok(settled(all, self.settings.framework))
    }

    #[boxed]
    async fn judge_once(&self, id: Option<String>, pair: Pair) -> Result<Judged, Halt> {
        if self.settings.judge == Judge::Rules && self.models().next().is_none() {
            return Ok(Judged::of(id, pair, self.settings));
        }
        let texts = match SummaryPair::new(&pair.article, &pair.summary) {
            Ok(texts) => texts,
            Err(refusal) => {
                let evidence = Err(refusal.code().to_owned());
                return Ok(Judged { id, pair: Some(pair), evidence, trail: None });
            }
        };
        let by_rules = self.settings.evidence(texts);
        let mut examination = Examination {
            judge: self,
            pair: texts,
            by_rules,
            trail: Trail::default(),
            findings: Vec::new(),
        };
        let end = match self.settings.framework {
            Framework::JudgeLockUltra => examination.by_panel().await,
            Framework::TwinLock | Framework::JudgeLock => match self.settings.claims_asked() {
                Some(asked) => examination.by_one_question(asked).await,
                None => examination.by_one_model().await,
            },
        };
        let Examination { trail, .. } = examination;
        let (evidence, trail) = match end {
            Ok(evidence) => (Ok(evidence), trail),
            Err(NoAnswer::Halt(halt)) => return Err(halt),
            Err(NoAnswer::Unscored(unscored)) => {
                let (trail, because) = without_evidence(trail, unscored);
                (Err(because), trail)
            }
        };
        Ok(Judged { id, pair: Some(pair), evidence, trail: Some(Box::new(trail)) })
    }
}

impl Examination<'_> {
    async fn by_one_model(&mut self) -> Result<Evidence, NoAnswer> {
        let (reviewer, _) = self.judge.models().next().ok_or_else(no_model)?;
        self.trail.judges.push(reviewer.name.clone());
        let frozen = self.freeze(reviewer).await?;
        let ask = LabelAll {
            article: self.pair.article(),
            summary: self.pair.summary(),
            frozen: &frozen,
            planted: &[],
            order: None,
        };
        let labels = self.ask(reviewer, &ask).await?;
        let mut evidence = assemble::evidence(&self.pair, &self.by_rules, &frozen, &labels);
        evidence.findings.extend(assemble::unquoted(&labels));
        evidence.findings.extend(self.noticed());
        Ok(evidence)
    }

    /// By the rules, and by a model that is asked one question about claims; not at all where there
    /// is none. Claims without a usable label are asked about again, alone.
    async fn by_one_question(&mut self, asked: ClaimsAsked) -> Result<Evidence, NoAnswer> {
        let (reviewer, _) = self.judge.models().next().ok_or_else(no_model)?;
        self.trail.judges.extend([Judge::Rules.name().to_owned(), reviewer.name.clone()]);
        let claims = asked.texts(&self.by_rules);
        if claims.is_empty() {
            return Ok(self.by_rules.clone());
        }
        let article = self.pair.article();
        let mut labels = self.ask(reviewer, &LabelClaims { article, claims: &claims }).await?;
        if labels.contains(&None) {
            self.ask_again(reviewer, &claims, &mut labels).await?;
        }
        let mut evidence = asked.settle(&self.pair, self.by_rules.clone(), &labels);
        evidence.findings.extend(self.noticed());
        let missing = labels.iter().filter(|label| label.is_none()).count();
        if missing > 0 {
            let message = format!("{missing} claims got no usable label from the model");
            evidence.findings.push(Finding::new("claims_without_label", message));
        }
        Ok(evidence)
    }

    /// Asks about the claims that have no label yet; a reply of no use leaves them as they are.
    async fn ask_again(
        &mut self,
        reviewer: &Reviewer,
        claims: &[String],
        labels: &mut [Option<Label<Support>>],
    ) -> Result<(), NoAnswer> {
        let left = claims.iter().zip(labels.iter()).filter(|(_, label)| label.is_none());
        let left: Vec<String> = left.map(|(claim, _)| claim.clone()).collect();
        let ask = LabelClaims { article: self.pair.article(), claims: &left };
        let said = match self.ask(reviewer, &ask).await {
            Ok(said) => said,
            Err(NoAnswer::Halt(halt)) => return Err(NoAnswer::Halt(halt)),
            Err(NoAnswer::Unscored(_)) => return Ok(()),
        };
        let open = labels.iter_mut().filter(|label| label.is_none());
        open.zip(said).for_each(|(label, said)| *label = said);
        Ok(())
    }

    /// The lists that are labelled.
    pub(super) async fn freeze(&mut self, reviewer: &Reviewer) -> Result<Frozen, NoAnswer> {
        let limits = self.judge.settings.framework.limits();
        let (pair, sentences) = (self.pair, self.by_rules.totals.article_sentences);
        let ask = ReadArticle { article: pair.article(), sentences, limits };
        let article = self.ask(reviewer, &ask).await?;
        let ask = ReadSummary { summary: pair.summary(), questions: &article.questions, limits };
        let summary = self.ask(reviewer, &ask).await?;
        let article_answers = if summary.questions.is_empty() {
            Vec::new()
        } else {
            let ask = AnswerFromArticle { article: pair.article(), questions: &summary.questions };
            self.ask(reviewer, &ask).await?
        };
        Ok(Frozen { article, summary, article_answers })
    }

    pub(super) async fn ask<A: Ask>(
        &mut self,
        reviewer: &Reviewer,
        ask: &A,
    ) -> Result<A::Answer, NoAnswer> {
        let judge = reviewer.judge.as_ref().ok_or_else(no_model)?;
        let answered = self.judge.session.ask(judge, ask, reviewer.attempt).await?;
        self.trail.exchanges.extend(answered.exchanges.iter().map(ToString::to_string));
        self.findings.extend(answered.findings);
        Ok(answered.answer)
    }

    /// What was noticed while asking, each once.
    pub(super) fn noticed(&mut self) -> Vec<Finding> {
        let mut noticed: Vec<Finding> = Vec::new();
        for finding in self.findings.drain(..) {
            if !noticed.contains(&finding) {
                noticed.push(finding);
            }
        }
        noticed
    }
}

fn no_model() -> NoAnswer {
    let because = "no model was given as judge".to_owned();
    NoAnswer::Unscored(Unscored { because, ..Unscored::default() })
}

/// The trail of a pair that a judge left without evidence, and why, in words.
fn without_evidence(mut trail: Trail, unscored: Unscored) -> (Trail, String) {
    trail.exchanges.extend(unscored.exchanges.iter().map(ToString::to_string));
    trail.raw_reply = unscored.raw_reply;
    trail.is_unscored = true;
    (trail, format!("unscored: {}", unscored.because))
}
