//! Judges that are asked now: rules, or a model through the one door.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use assize_models::ModelName;
use async_recursion::async_recursion as boxed;
use thiserror::Error;

use super::items::ItemsError;
use super::told::Told;
use crate::asking::{AskError, AskSession, Estimate, Halt, JudgeName};
use crate::summary::agreement::Number;
use crate::summary::batches::read_record;
use crate::summary::input::{Fields, PairsError, Records};
use crate::summary::model::{SummaryJudge, run as ask_all};
use crate::summary::{Framework, Judged, Settings, SummaryRequest, run as judge_all};

/// Items with an article and a summary, to be judged now.
#[derive(Debug, Clone, Copy)]
pub struct Live<'a> {
    /// The items' file.
    pub path: &'a Path,
    /// Where article and summary stand.
    pub fields: &'a Fields,
    /// The items' names, in the order of the file.
    pub ids: &'a [String],
    /// Who counts what a model finds.
    pub framework: Framework,
    /// How often a model is asked about each item.
    pub samples: u32,
}

/// Why nobody could be asked, or not to the end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The items cannot be used.
    #[error(transparent)]
    Items(#[from] ItemsError),
    /// The model cannot be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// It had to end before its end.
    #[error(transparent)]
    Halt(#[from] Halt),
}

impl From<PairsError> for LiveError {
    fn from(error: PairsError) -> Self {
        Self::Items(error.into())
    }
}

impl Live<'_> {
    /// What the rules say.
    pub fn by_rules(&self, framework: Framework, number: &Number) -> Result<Told, ItemsError> {
        let (begun, mut told, mut place) = (Instant::now(), Told::default(), 0);
        let settings = Settings { framework, ..Settings::default() };
        let records = Records::open(self.path, None)?;
        let score = |judged: Judged| number_of(&judged, framework, number);
        judge_all(records, self.fields, settings, score, |said, _| {
            self.add(&mut told, &mut place, said)
        })?;
        told.took(place, begun.elapsed(), Some(0));
        Ok(told)
    }

    /// What a model says, as often as it is asked.
    #[boxed]
    pub async fn by_model(
        &self,
        session: &Arc<AskSession>,
        model: &ModelName,
        number: &Number,
    ) -> Result<Told, LiveError> {
        let (begun, before, mut told) = (Instant::now(), session.account(), Told::default());
        let mut scores = 0;
        for sample in 0..self.samples.max(1) {
            let judge = self.judge(session, model, sample)?;
            let (records, mut place) = (Records::open(self.path, None)?, 0);
            let halt = ask_all(&judge, records, self.fields, |judged, _| {
                let said = number_of(&judged, self.framework, number);
                Ok::<(), LiveError>(self.add(&mut told, &mut place, said)?)
            })
            .await?;
            if let Some(halt) = halt {
                return Err(halt.into());
            }
            scores += place;
        }
        let after = session.account();
        // What was kept cost nothing now, and how long it took is not known.
        if after.answered > before.answered && after.from_store == before.from_store {
            let price = after.price.nanodollars - before.price.nanodollars;
            let is_priced = after.unpriced == before.unpriced;
            told.took(scores, begun.elapsed(), is_priced.then_some(price));
        }
        Ok(told)
    }

    /// What asking a model would take.
    #[boxed]
    pub async fn estimate(
        &self,
        session: &Arc<AskSession>,
        model: &ModelName,
        estimate: &mut Estimate,
    ) -> Result<(), LiveError> {
        for sample in 0..self.samples.max(1) {
            let judge = self.judge(session, model, sample)?;
            for record in Records::open(self.path, None)? {
                // A record that cannot be understood costs nothing.
                if let Ok((_, pair)) = read_record(record?, self.fields) {
                    judge.estimate(&pair, estimate).await?;
                }
            }
        }
        Ok(())
    }

    fn judge(
        &self,
        session: &Arc<AskSession>,
        model: &ModelName,
        sample: u32,
    ) -> Result<SummaryJudge, AskError> {
        let (framework, judge) = (self.framework, JudgeName::Model(model.clone()));
        let request = SummaryRequest { framework, judge, ..SummaryRequest::default() };
        let judge = SummaryJudge::new(Arc::clone(session), &request)?;
        Ok(if self.samples > 1 { judge.sample(sample) } else { judge })
    }

    /// What was said of the item at a place, which is then the next one.
    fn add(
        &self,
        told: &mut Told,
        place: &mut usize,
        said: Result<Option<f64>, String>,
    ) -> Result<(), ItemsError> {
        let nameless = "the file contains something other than items and cannot be judged live";
        let id = self.ids.get(*place).ok_or(ItemsError::Nothing(nameless))?;
        told.add(id, said);
        *place += 1;
        Ok(())
    }
}

fn number_of(
    judged: &Judged,
    framework: Framework,
    number: &Number,
) -> Result<Option<f64>, String> {
    let evidence = judged.evidence.as_ref().map_err(Clone::clone)?;
    let report = framework.report(evidence).map_err(|refusal| refusal.code().to_owned())?;
    number.of(&report).map_err(|unknown| unknown.to_string())
}
