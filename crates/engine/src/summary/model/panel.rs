//! One pair by a panel: the lists are made once, everyone labels them, and the vote counts.

use assize_methods::summary::Evidence;
use assize_methods::summary::asks::Frozen;
use assize_methods::summary::asks::labelling::LabelAll;
use assize_methods::summary::ultra::{Ballot, anchor, canary, decide};
use assize_models::key;

use super::session::Seat;
use super::single::Examination;
use crate::interview::{NoAnswer, Unscored};

impl Examination<'_> {
    pub(super) async fn by_panel(&mut self) -> Result<Evidence, NoAnswer> {
        let bench = self.session.bench.clone();
        self.trail.judges = bench.iter().map(|seat| seat.name.clone()).collect();
        let (frozen, mut absent) = self.freeze_by_anyone(&bench).await?;
        let planted = canary::plant(self.pair.article(), &self.by_rules);
        let mut ballots = Vec::new();
        for seat in &bench {
            if absent.iter().any(|(name, _)| *name == seat.name) {
                continue;
            }
            if seat.judge.is_none() {
                let labels = anchor::labels(&self.pair, &self.by_rules, &frozen, &planted);
                ballots.push(Ballot { judge: seat.name.clone(), labels });
                continue;
            }
            let ask = LabelAll {
                article: self.pair.article(),
                summary: self.pair.summary(),
                frozen: &frozen,
                planted: &planted,
                order: Some(order(seat, self.pair.summary())),
            };
            match self.put(seat, &ask).await {
                Ok(labels) => ballots.push(Ballot { judge: seat.name.clone(), labels }),
                Err(NoAnswer::Unscored(unscored)) => {
                    self.note(&unscored);
                    absent.push((seat.name.clone(), unscored.because));
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
        bench: &[Seat],
    ) -> Result<(Frozen, Vec<(String, String)>), NoAnswer> {
        let mut absent: Vec<(String, String)> = Vec::new();
        let mut last = None;
        for seat in bench.iter().filter(|seat| seat.judge.is_some()) {
            match self.freeze(seat).await {
                Ok(frozen) => return Ok((frozen, absent)),
                Err(NoAnswer::Unscored(unscored)) => {
                    self.note(&unscored);
                    absent.push((seat.name.clone(), unscored.because.clone()));
                    last = Some(unscored);
                }
                Err(halt) => return Err(halt),
            }
        }
        let reasons: Vec<String> =
            absent.iter().map(|(name, because)| format!("{name}: {because}")).collect();
        let mut nobody = last.unwrap_or_default();
        nobody.because = format!("nobody could make the lists ({})", reasons.join("; "));
        nobody.exchanges.clear();
        Err(NoAnswer::Unscored(nobody))
    }

    fn note(&mut self, unscored: &Unscored) {
        self.trail.exchanges.extend(unscored.exchanges.iter().map(ToString::to_string));
    }
}

/// Each judge sees the lists of a pair in an order of its own, the same every time.
fn order(seat: &Seat, summary: &str) -> u64 {
    let nonce = key::nonce(format!("{}\n{summary}", seat.name).as_bytes());
    nonce.bytes().fold(0, |order, byte| order.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

fn unscored(because: String) -> NoAnswer {
    NoAnswer::Unscored(Unscored { because, ..Unscored::default() })
}
