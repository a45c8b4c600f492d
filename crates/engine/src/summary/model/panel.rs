//! One pair by a panel: the lists are made once, everyone labels them, and the vote counts.

use assize_methods::summary::Evidence;
use assize_methods::summary::asks::Frozen;
use assize_methods::summary::asks::labelling::LabelAll;
use assize_methods::summary::ultra::{Ballot, anchor, canary, decide};
use assize_models::key;

use super::reviewers::Reviewer;
use super::single::Examination;
use crate::asking::{NoAnswer, Unscored};

impl Examination<'_> {
    pub(super) async fn by_panel(&mut self) -> Result<Evidence, NoAnswer> {
        let reviewers = &self.judge.reviewers;
        self.trail.judges = reviewers.iter().map(|reviewer| reviewer.name.clone()).collect();
        let (frozen, mut absent) = self.freeze_by_anyone(reviewers).await?;
        let planted = canary::plant(self.pair.article(), &self.by_rules);
        let mut ballots = Vec::new();
        for reviewer in reviewers {
            if absent.iter().any(|(name, _)| *name == reviewer.name) {
                continue;
            }
            if reviewer.judge.is_none() {
                let labels = anchor::labels(&self.pair, &self.by_rules, &frozen, &planted);
                ballots.push(Ballot { judge: reviewer.name.clone(), labels });
                continue;
            }
            let ask = LabelAll {
                article: self.pair.article(),
                summary: self.pair.summary(),
                frozen: &frozen,
                planted: &planted,
                order: Some(order(reviewer, self.pair.summary())),
            };
            match self.ask(reviewer, &ask).await {
                Ok(labels) => ballots.push(Ballot { judge: reviewer.name.clone(), labels }),
                Err(NoAnswer::Unscored(unscored)) => {
                    self.note(&unscored);
                    absent.push((reviewer.name.clone(), unscored.because));
                }
                Err(halt) => return Err(halt),
            }
        }
        let (mut evidence, panel) =
            decide(&self.pair, &self.by_rules, &frozen, ballots, absent).map_err(unscored)?;
        evidence.findings.extend(self.noticed());
        self.trail.panel = Some(panel);
        Ok(evidence)
    }

    /// The lists by the first model that can make them; those who could not are absent.
    async fn freeze_by_anyone(
        &mut self,
        reviewers: &[Reviewer],
    ) -> Result<(Frozen, Vec<(String, String)>), NoAnswer> {
        let mut absent: Vec<(String, String)> = Vec::new();
        let mut last = None;
        for reviewer in reviewers.iter().filter(|reviewer| reviewer.judge.is_some()) {
            match self.freeze(reviewer).await {
                Ok(frozen) => return Ok((frozen, absent)),
                Err(NoAnswer::Unscored(unscored)) => {
                    self.note(&unscored);
                    absent.push((reviewer.name.clone(), unscored.because.clone()));
                    last = Some(unscored);
                }
                Err(halt) => return Err(halt),
            }
        }
        let reasons: Vec<String> =
            absent.iter().map(|(name, because)| format!("{name}: {because}")).collect();
        let mut nobody = last.unwrap_or_default();
        nobody.because = format!("no model could produce the lists ({})", reasons.join("; "));
        nobody.exchanges.clear();
        Err(NoAnswer::Unscored(nobody))
    }

    fn note(&mut self, unscored: &Unscored) {
        self.trail.exchanges.extend(unscored.exchanges.iter().map(ToString::to_string));
    }
}

/// Each judge sees the lists of a pair in an order of its own, the same every time.
fn order(reviewer: &Reviewer, summary: &str) -> u64 {
    let nonce = key::nonce(format!("{}\n{summary}", reviewer.name).as_bytes());
    nonce.bytes().fold(0, |order, byte| order.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

fn unscored(because: String) -> NoAnswer {
    NoAnswer::Unscored(Unscored { because, ..Unscored::default() })
}
