//! Criteria sets and the editor of a rubric: what is typed, what is wrong, what would change.

use assize_methods::compliance::tiers::{RubricError, Tier};
use assize_methods::compliance::{ResponseStructure, Rubric};
use assize_store::CriteriaSet;
use assize_store::views::LineQuery;
use assize_wire::workplace::{
    CriteriaSetView, CriterionRow, DraftView, LabelChange, RubricDraft, RubricView, SetRow,
    TierDraft,
};
use async_recursion::async_recursion as boxed;
use serde::Serialize;
use serde_json::Value as Json;

use super::drafts::Part;
use crate::Workspace;
use crate::compliance::configuration::hash_of;
use crate::compliance::criteria::{rubric, rubric_tree, structure};
use crate::compliance::set_verdicts::{category, weight};
use crate::compliance::{ComplianceError, Result};

/// Results that are looked through for labels that would change.
const RESULTS_MAX: i64 = 5_000;

/// Criteria on a page: those of a catalog can be a page of text each.
pub const CRITERIA_SHOWN: usize = 50;

const CHANGES_SHOWN: usize = 8;

/// What came of saving; `W` says what is wrong, `C` what somebody else saved meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOutcome<W, C = ()> {
    Kept,
    /// Somebody else saved since it was opened.
    Conflict(C),
    Wrong(W),
}

impl Workspace {
    /// A criteria set with a page of its criteria, from a place on.
    #[boxed]
    pub async fn set_view(&self, id: &str, from: usize) -> Result<CriteriaSetView> {
        let set = self.criteria_set(id).await?;
        let items = self.criteria(&set).await?;
        let next = from.saturating_add(CRITERIA_SHOWN);
        Ok(CriteriaSetView {
            set: set_row(&set, items.len())?,
            next: (next < items.len()).then_some(next),
            from,
            criteria: items
                .into_iter()
                .skip(from)
                .take(CRITERIA_SHOWN)
                .map(|item| {
                    let properties = item.properties.as_ref();
                    let (category, weight) = (category(properties), weight(properties));
                    CriterionRow {
                        item: item.id.to_string(),
                        id: item.criteria_id,
                        requirement: item.requirement,
                        description: item.description,
                        category,
                        weight,
                    }
                })
                .collect(),
        })
    }

    /// The editor of a set's rubric; `draft` is what somebody typed so far.
    #[boxed]
    pub async fn rubric_view(&self, id: &str, draft: Option<Vec<TierDraft>>) -> Result<RubricView> {
        let set = self.criteria_set(id).await?;
        let kept = rubric(&set)?;
        let tiers = draft.unwrap_or_else(|| drafted(&kept));
        let (draft, parsed) = match parse(&tiers) {
            Ok(parsed) => (RubricDraft { tiers, problem: None }, Some(parsed)),
            Err(problem) => (RubricDraft { tiers, problem: Some(problem) }, None),
        };
        let mut view = RubricView {
            id: set.id.to_string(),
            name: set.name.clone(),
            draft,
            prompt: parsed.as_ref().map(Rubric::prompt_text).unwrap_or_default(),
            results: 0,
            changes: Vec::new(),
            changed: 0,
            etag: etag(&kept),
            change: DraftView::default(),
            conflict: None,
        };
        let structure = structure(&set)?;
        let shown = parsed.as_ref().unwrap_or(&kept);
        let pair = [(&kept, &structure), (shown, &structure)];
        view.change = self.draft_view(&set, Part::Rubric, pair).await?;
        if parsed.is_none() {
            view.change = DraftView { history: view.change.history, ..DraftView::default() };
        }
        if let Some(parsed) = parsed {
            self.add_changes(&mut view, &set, (&kept, &parsed)).await?;
        }
        Ok(view)
    }

    /// Which results of the latest run would carry another label.
    async fn add_changes(
        &self,
        view: &mut RubricView,
        set: &CriteriaSet,
        (kept, draft): (&Rubric, &Rubric),
    ) -> Result<()> {
        let views = self.store.views();
        let Some(run) = views.latest_of_set(&self.organisation, &set.id).await? else {
            return Ok(());
        };
        let query = LineQuery::default();
        let mut changes = Vec::new();
        for row in views.lines(&self.organisation, &run, &query, RESULTS_MAX).await? {
            let Some(score) = row.score else { continue };
            view.results += 1;
            let (before, after) = (kept.status(score), draft.status(score));
            if before.label != after.label {
                changes.push(LabelChange {
                    criteria_id: row.criteria_id,
                    document: row.document,
                    score: format!("{score:.1}"),
                    before,
                    after,
                });
            }
        }
        view.changed = changes.len() as u64;
        changes.truncate(CHANGES_SHOWN);
        view.changes = changes;
        Ok(())
    }

    /// The tiers that come with the program, as a draft.
    pub fn default_rubric() -> Vec<TierDraft> {
        drafted(&Rubric::default())
    }

    /// What the tiers were before a change, as a draft.
    #[boxed]
    pub async fn rubric_before(&self, id: &str, number: i64) -> Result<Vec<TierDraft>> {
        let json = self.before_edit(id, number).await?;
        Ok(drafted(&Rubric::from_json(Some(&json))?))
    }

    /// Keeps a rubric, unless it is wrong or the set is not as it was when `etag` was made.
    #[boxed]
    pub async fn save_rubric(
        &self,
        id: &str,
        tiers: Vec<TierDraft>,
        expected: &str,
    ) -> Result<SaveOutcome<RubricDraft>> {
        let mut set = self.criteria_set(id).await?;
        if etag(&rubric(&set)?) != expected {
            return Ok(SaveOutcome::Conflict(()));
        }
        let wanted = match parse(&tiers) {
            Ok(wanted) => wanted,
            Err(problem) => {
                return Ok(SaveOutcome::Wrong(RubricDraft { tiers, problem: Some(problem) }));
            }
        };
        let before = set.clone();
        set.scoring_rubric = ComplianceError::json("the rubric", &wanted)?;
        self.keep_set((&before, set), rubric_tree).await
    }

    /// Writes a set that nobody changed since.
    pub(super) async fn keep_set<W>(
        &self,
        (before, mut set): (&CriteriaSet, CriteriaSet),
        part: fn(&CriteriaSet) -> Result<Option<Json>>,
    ) -> Result<SaveOutcome<W>> {
        set.updated_at = chrono::Utc::now();
        if !self.store.criteria_sets().update_since(&set, before.updated_at).await? {
            return Ok(SaveOutcome::Conflict(()));
        }
        self.audit_edit((before, &set), part).await?;
        Ok(SaveOutcome::Kept)
    }
}

/// A set in a list; who used it is added where it is known.
pub(super) fn set_row(set: &CriteriaSet, criteria: usize) -> Result<SetRow> {
    let rubric = rubric(set)?;
    let tier = |tier: &Tier| (tier.label.clone(), rubric.status(f64::from(tier.min)).colour);
    Ok(SetRow {
        id: set.id.to_string(),
        name: set.name.clone(),
        description: set.description.clone(),
        criteria,
        tiers: rubric.tiers().iter().map(tier).collect(),
        sections: ResponseStructure::sections(&structure(set)?).len(),
        updated_at: set.updated_at,
        is_archived: set.archived_at.is_some(),
        used: None,
    })
}

/// The tiers of a rubric as somebody would type them.
pub fn drafted(rubric: &Rubric) -> Vec<TierDraft> {
    rubric.tiers().iter().map(Into::into).collect()
}

/// A word that changes when a value does.
pub(super) fn etag(value: &impl Serialize) -> String {
    hash_of([serde_json::to_string(value).unwrap_or_default().as_str()])
}

/// A rubric from what somebody typed, or the number of the tier that is wrong and why.
fn parse(drafts: &[TierDraft]) -> Result<Rubric, (usize, String)> {
    let mut tiers = Vec::with_capacity(drafts.len());
    for (number, draft) in (1..).zip(drafts) {
        let bound = |text: &str| {
            let bound = text.trim().parse::<u8>().ok().filter(|bound| *bound <= 100);
            bound.ok_or_else(|| {
                (number, format!("`{}` is not a whole number from 0 to 100", text.trim()))
            })
        };
        tiers.push(Tier {
            min: bound(&draft.min)?,
            max: bound(&draft.max)?,
            label: draft.label.trim().to_owned(),
            description: draft.description.trim().to_owned(),
        });
    }
    Rubric::new(tiers).map_err(|error| match error {
        RubricError::Tier { number, label, problem } => (number, format!("{label}: {problem}")),
        other => (0, other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlap_names_its_tier() {
        let mut tiers = drafted(&Rubric::default());
        assert!(parse(&tiers).is_ok());
        tiers[2].max = "65".to_owned();
        let (number, problem) = parse(&tiers).unwrap_err();
        assert!((3..=4).contains(&number) && !problem.is_empty(), "{number} {problem}");
        tiers[2].max = "6o".to_owned();
        assert_eq!(parse(&tiers).unwrap_err().0, 3);
        assert_eq!(parse(&tiers[..1]).unwrap_err().0, 0, "too few is wrong as a whole");
    }
}
