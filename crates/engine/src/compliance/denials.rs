//! Results in which a document denies what a criterion requires, as the rule judge noted.

use std::collections::BTreeSet;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::set_verdicts::denied_below;
use assize_store::RunId;
use assize_store::views::Denial;
use async_recursion::async_recursion as boxed;

use super::error::ComplianceError;
use crate::Workspace;

impl Workspace {
    /// Who denies one of these criteria, in the order of the plan: only the rule judge notes it,
    /// and what a person decided is no longer the judge's word. Whoever denies is quoted.
    #[boxed]
    pub(crate) async fn denials(
        &self,
        run: &RunId,
        rubric: &Rubric,
        criteria: &BTreeSet<&str>,
    ) -> Result<Vec<Denial>, ComplianceError> {
        let criteria: Vec<&str> = criteria.iter().copied().collect();
        let of = (&self.organisation, run);
        Ok(self.store.views().denials(of, &criteria, denied_below(rubric)).await?)
    }
}
