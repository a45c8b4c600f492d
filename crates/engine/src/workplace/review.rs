//! The queue of a reviewer, and how far people and judge agree so far.

use std::collections::BTreeMap;

use assize_methods::compliance::Rubric;
use assize_stats::agreement::{Weights, cohen_kappa};
use assize_store::views::LineQuery;
use assize_store::{Label, Run};
use assize_wire::workplace::{Agreement, ReviewItem, ReviewQueue};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::result::{cited, exhibit, sections};
use crate::Workspace;
use crate::compliance::{ComplianceError, Configuration, Result};
use crate::runs::decide::SCORE;

/// With fewer pairs a kappa says nothing.
const PAIRS_MIN: usize = 5;

/// Judge's scores that are read at once.
const SCORES_MAX: i64 = 10_000;

impl Workspace {
    /// What this person is to rate next in a run, after an item that is skipped.
    #[boxed]
    pub async fn review_queue(
        &self,
        name: &str,
        is_blind: bool,
        after: Option<i64>,
    ) -> Result<ReviewQueue> {
        let (run, configuration) = self.evaluation_of(name).await?;
        let labels = self.store.labels().list(&run.id).await?;
        let own = labels.iter().filter(|label| label.rater == self.who && label.measure == SCORE);
        let done = own.count() as u64;
        let after = after.map_or(-1, |number| number - 1);
        let next = self.store.views().next_unrated(&run.id, &self.who, after).await?;
        let item = match next {
            Some(position) => {
                self.review_item(&run, &configuration, position + 1, is_blind).await?
            }
            None => None,
        };
        let rubric = &configuration.rubric;
        Ok(ReviewQueue {
            agreement: self.agreement(&run, rubric, &labels).await?,
            run: self.run_entry(&run).await?,
            is_blind,
            item,
            done,
            all: u64::try_from(run.items_done).unwrap_or_default(),
            tiers: rubric.tiers().to_vec(),
        })
    }

    async fn review_item(
        &self,
        run: &Run,
        configuration: &Configuration,
        number: i64,
        is_blind: bool,
    ) -> Result<Option<ReviewItem>> {
        let Some(result) = self.result_at(run, number).await? else { return Ok(None) };
        let document = self.document_by_id(&result.document_id).await?;
        let rubric = configuration.rubric.clone();
        let detail = self.detail_in(rubric, document.entry.clone(), result).await?;
        let shown = |detail: &_| sections(detail, &configuration.structure);
        Ok(Some(ReviewItem {
            number,
            criteria_id: detail.criterion.id.clone(),
            requirement: detail.criterion.requirement.clone(),
            document: exhibit(document),
            ai_score: detail.result.ai_score_value.filter(|_| !is_blind),
            sections: if is_blind { Vec::new() } else { shown(&detail) },
            // A quote says what the judge looked at, and often what it thought.
            citations: if is_blind {
                Vec::new()
            } else {
                detail.citations.iter().map(cited).collect()
            },
        }))
    }

    /// Keeps what this person says about a result: a score, or a tier by its number from 1.
    #[boxed]
    pub async fn rate(
        &self,
        name: &str,
        number: i64,
        score: Option<f64>,
        tier: Option<usize>,
    ) -> Result<()> {
        let (run, configuration) = self.evaluation_of(name).await?;
        if self.result_at(&run, number).await?.is_none() {
            return Err(ComplianceError::missing("result", &number.to_string()));
        }
        let rubric = &configuration.rubric;
        let value = match (score, tier.and_then(|tier| rubric.tiers().get(tier.checked_sub(1)?))) {
            (Some(score), _) if (0.0..=100.0).contains(&score) => score,
            // The middle of a tier: nearer to any score in it than either end.
            (None, Some(tier)) => f64::midpoint(f64::from(tier.min), f64::from(tier.max)),
            _ => {
                let because = "a rating must be a score from 0 to 100 or one of the tiers";
                return Err(ComplianceError::Refused(because.to_owned()));
            }
        };
        let label = Label {
            position: number - 1,
            rater: self.who.clone(),
            measure: SCORE.to_owned(),
            value: Some(value),
            label: Some(rubric.status(value).label),
            note: None,
            created_at: Utc::now(),
        };
        Ok(self.store.labels().put(&run.id, &[label]).await?)
    }

    async fn agreement(&self, run: &Run, rubric: &Rubric, labels: &[Label]) -> Result<Agreement> {
        if labels.is_empty() {
            return Ok(Agreement::default());
        }
        let query = LineQuery::default();
        let rows =
            self.store.views().lines(&self.organisation, &run.id, &query, SCORES_MAX).await?;
        let judged: BTreeMap<i64, f64> =
            rows.into_iter().filter_map(|row| Some((row.position, row.ai_score?))).collect();
        Ok(agreement(rubric, labels, &judged))
    }
}

/// People against the judge, and people against each other, tier by tier.
fn agreement(rubric: &Rubric, labels: &[Label], judged: &BTreeMap<i64, f64>) -> Agreement {
    let tier = |score: f64| rubric.tier(score) - 1;
    let rated = labels.iter().filter(|label| label.measure == SCORE);
    let rated = rated.filter_map(|label| Some((label.position, tier(label.value?))));
    let mut by_item: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (position, tier) in rated {
        by_item.entry(position).or_default().push(tier);
    }
    let (mut people, mut judge) = (Vec::new(), Vec::new());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (position, tiers) in &by_item {
        if let Some(score) = judged.get(position) {
            people.extend(tiers);
            judge.extend(tiers.iter().map(|_| tier(*score)));
        }
        for (place, one) in tiers.iter().enumerate() {
            for other in &tiers[place + 1..] {
                first.push(*one);
                second.push(*other);
            }
        }
    }
    let kappa = |one: &[usize], other: &[usize]| {
        let enough = one.len() >= PAIRS_MIN;
        enough.then(|| cohen_kappa(one, other, Weights::Quadratic).ok()).flatten()
    };
    Agreement {
        rated: by_item.len() as u64,
        same_tier: people.iter().zip(&judge).filter(|(one, other)| one == other).count() as u64,
        kappa: kappa(&people, &judge),
        between: kappa(&first, &second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(position: i64, rater: &str, value: f64) -> Label {
        Label {
            position,
            rater: rater.to_owned(),
            measure: SCORE.to_owned(),
            value: Some(value),
            label: None,
            note: None,
            created_at: Utc::now(),
        }
    }

    #[test]
    fn people_are_compared_with_the_judge_and_with_each_other() {
        let rubric = Rubric::default();
        let labels: Vec<Label> = (0..6)
            .flat_map(|item| {
                let score = [10.0, 30.0, 50.0, 70.0, 90.0, 90.0][item];
                let item = i64::try_from(item).unwrap();
                [label(item, "ada", score), label(item, "ben", score)]
            })
            .collect();
        let judged = (0..6).map(|item| (item, 90.0)).collect();
        let found = agreement(&rubric, &labels, &judged);
        assert_eq!((found.rated, found.same_tier), (6, 4));
        assert_eq!(found.between, Some(1.0));
        // The judge says the same of everything: no better than chance.
        assert!(found.kappa.is_some_and(|kappa| kappa.abs() < 1e-9), "{:?}", found.kappa);
        assert_eq!(agreement(&rubric, &labels[..2], &judged).kappa, None);
    }
}
