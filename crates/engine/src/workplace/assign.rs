//! Giving criteria of a run to somebody.

use std::collections::{BTreeMap, BTreeSet};

use assize_methods::schema::fields;
use assize_store::CriteriaItemId;
use assize_wire::runs::Assignment;
use assize_wire::workplace::AssignedRun;
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use crate::Workspace;
use crate::compliance::{ComplianceError, Result};

/// Runs that are shown to somebody as theirs.
const RUNS: i64 = 50;

impl Workspace {
    /// Who could look after something: everybody of the organisation who may come in, and
    /// whoever asks.
    #[boxed]
    pub(crate) async fn assignees(&self) -> Result<Vec<String>> {
        let members = self.store.accounts().list(&self.organisation).await?;
        let people = members.into_iter().filter(|member| !member.user.is_disabled);
        let mut names: BTreeSet<String> = people.map(|member| member.user.name).collect();
        names.insert(self.who.clone());
        Ok(names.into_iter().collect())
    }

    /// Gives criteria of a run to somebody, or to nobody.
    #[boxed]
    pub async fn assign(
        &self,
        name: &str,
        criteria: &[String],
        to: Option<&str>,
    ) -> Result<Vec<Assignment>> {
        let (run, _) = self.evaluation_of(name).await?;
        if let Some(to) = to
            && !self.assignees().await?.iter().any(|one| one == to)
        {
            return Err(ComplianceError::missing("member of the organisation", to));
        }
        let planned = self.store.plans().criteria(&self.organisation, &run.id).await?;
        let known: BTreeMap<&str, &CriteriaItemId> =
            planned.iter().map(|one| (one.criteria_id.as_str(), &one.criteria_item_id)).collect();
        let wanted: BTreeSet<&String> = criteria.iter().collect();
        if wanted.is_empty() {
            return Err(ComplianceError::Refused("no criteria selected".to_owned()));
        }
        let mut ids = Vec::with_capacity(wanted.len());
        for one in &wanted {
            let id = known.get(one.as_str());
            ids.push((*id.ok_or_else(|| ComplianceError::missing("criterion", one))?).clone());
        }
        let at = (&self.organisation, &run.id);
        self.store.assignments().set(at, &ids, to, (&self.who, Utc::now())).await?;
        let entry = self.audited(["assign", "run", run.id.as_str()]);
        let criteria: Vec<&str> = wanted.iter().map(|one| one.as_str()).collect();
        let after = fields([("criteria", criteria.into()), ("to", to.into())]);
        self.store.audit().record(&entry.with(None, Some(after))).await?;
        self.assignments(name).await
    }

    /// Who looks after what in a run, in the order of its criteria.
    #[boxed]
    pub async fn assignments(&self, name: &str) -> Result<Vec<Assignment>> {
        let (run, _) = self.evaluation_of(name).await?;
        let mut found = self.store.assignments().of_run(&self.organisation, &run.id).await?;
        let planned = self.store.plans().criteria(&self.organisation, &run.id).await?;
        let all = planned.into_iter().filter_map(|one| {
            let assignee = found.remove(&one.criteria_item_id)?;
            Some(Assignment { criteria_id: one.criteria_id, assignee })
        });
        Ok(all.collect())
    }

    /// The runs in which whoever asks looks after something.
    #[boxed]
    pub async fn assigned_runs(&self) -> Result<Vec<AssignedRun>> {
        let all = self.store.assignments().of_person(&self.organisation, &self.who, RUNS).await?;
        let one = |found: assize_store::Assigned| AssignedRun {
            number: found.number,
            name: found.name,
            criteria: found.criteria,
        };
        Ok(all.into_iter().map(one).collect())
    }
}
