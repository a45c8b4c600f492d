//! Criteria sets in a list, renamed and archived.

use assize_wire::workplace::SetsPage;
use async_recursion::async_recursion as boxed;

use super::rubric::set_row;
use crate::Workspace;
use crate::compliance::{ComplianceError, Result};

/// Letters that the name of a set has at most.
const NAME_LENGTH_MAX: usize = 100;

impl Workspace {
    /// The criteria sets that are in use, or those that are archived.
    #[boxed]
    pub async fn sets_page(&self, is_archived: bool) -> Result<SetsPage> {
        let all = self.store.criteria_sets().list(&self.organisation).await?;
        let uses = self.store.views().set_uses(&self.organisation).await?;
        let count = all.len();
        let own = all.into_iter().filter(|set| set.archived_at.is_some() == is_archived);
        let mut sets = Vec::new();
        for set in own {
            let counted = uses.get(&set.id).copied().unwrap_or_default();
            let criteria = usize::try_from(counted.criteria).unwrap_or(usize::MAX);
            let mut row = set_row(&set, criteria)?;
            row.used = counted.last_run.map(|last| (counted.runs, last));
            sets.push(row);
        }
        Ok(SetsPage { others: count - sets.len(), sets, is_archived })
    }

    /// Gives a criteria set the name that somebody typed; one that it has already is fine.
    #[boxed]
    pub async fn rename_set(&self, id: &str, typed: &str) -> Result<()> {
        let set = self.criteria_set(id).await?;
        let name = typed.trim();
        if name == set.name {
            return Ok(());
        }
        let letters = name.chars().count();
        if letters > NAME_LENGTH_MAX {
            let because =
                format!("a name may have at most {NAME_LENGTH_MAX} characters, not {letters}");
            return Err(ComplianceError::Refused(because));
        }
        if name.chars().any(char::is_control) {
            let because = "a name must be a single line of visible characters";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        self.rename_criteria_set(set, name).await
    }

    /// Leaves a criteria set out of lists, or shows it again.
    #[boxed]
    pub async fn archive_set(&self, id: &str, is_archived: bool) -> Result<()> {
        let set = self.criteria_set(id).await?;
        if set.archived_at.is_some() == is_archived {
            return Ok(());
        }
        self.archive_criteria_set(set, is_archived).await
    }
}
