//! Small data sets as tables: pairs of a run and criteria of a set, changed by hand and run again.

use assize_methods::compliance::Criterion;
use assize_store::{Instrument, Run};
use async_recursion::async_recursion as boxed;

use super::rubric::etag;
use super::series::stem;
use crate::Workspace;
use crate::compliance::criteria::Imported;
use crate::compliance::{ComplianceError, Result};
use crate::runs::RunError;

/// Rows of a table that is edited by hand; more are a matter for a file.
pub const ROWS_MAX: usize = 50;
/// Bytes of their texts together.
const BYTES_MAX: usize = 60_000;

/// A row: its name, and two texts.
pub type DataRow = [String; 3];

impl Workspace {
    /// The pairs of a run: name, article and summary.
    #[boxed]
    pub async fn pairs_table(&self, run: &Run) -> Result<Vec<DataRow>, RunError> {
        if run.instrument != Instrument::Summary {
            let because = format!("run #{} has no pairs of article and summary", run.number);
            return Err(RunError::Refused(because));
        }
        let most = i64::try_from(ROWS_MAX).unwrap_or(i64::MAX);
        if run.items > most {
            return Err(RunError::Refused(too_large("pairs")));
        }
        let mut rows = Vec::new();
        for judged in self.stored_summaries(run, 0, most).await? {
            let Some(pair) = judged.pair else { continue };
            rows.push([judged.id.unwrap_or_default(), pair.article, pair.summary]);
        }
        if !is_small(&rows) {
            return Err(RunError::Refused(too_large("pairs")));
        }
        Ok(rows)
    }

    /// What the next version of a run is called: its name, counted on.
    #[boxed]
    pub async fn next_name(&self, run: &Run) -> Result<String, RunError> {
        let own =
            run.name.clone().unwrap_or_else(|| format!("{} run #{}", run.instrument, run.number));
        let base = run.name.as_deref().and_then(stem).unwrap_or(&own);
        let mut version = 2;
        loop {
            let name = format!("{base} v{version}");
            if self.store.runs().named(&self.organisation, &name).await?.is_none() {
                return Ok(name);
            }
            version += 1;
        }
    }

    /// The criteria of a set: id, requirement and description; and a word that changes when
    /// somebody changes them.
    #[boxed]
    pub async fn criteria_table(&self, id: &str) -> Result<(String, Vec<DataRow>, String)> {
        let set = self.criteria_set(id).await?;
        let items = self.criteria(&set).await?.into_iter();
        let rows: Vec<DataRow> =
            items.map(|item| [item.criteria_id, item.requirement, item.description]).collect();
        if rows.len() > ROWS_MAX || !is_small(&rows) {
            return Err(ComplianceError::Refused(too_large("criteria")));
        }
        let etag = etag(&rows);
        Ok((set.name, rows, etag))
    }

    /// Makes a set hold just these criteria; weights and categories of those that stay are kept.
    #[boxed]
    pub async fn save_criteria_table(
        &self,
        id: &str,
        rows: &[DataRow],
        expected: &str,
    ) -> Result<()> {
        let (name, _, now) = self.criteria_table(id).await?;
        if now != expected {
            let because = "somebody else changed these criteria meanwhile: copy your changes, and \
                           load the page again";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        check(rows)?;
        let set = self.criteria_set(id).await?;
        let old = self.criteria(&set).await?;
        let imported = rows.iter().map(|[id, requirement, description]| Imported {
            criterion: Criterion::new(id.trim(), requirement.trim(), description.trim()),
            properties: old
                .iter()
                .find(|item| item.criteria_id == id.trim())
                .and_then(|item| item.properties.clone()),
        });
        let imported: Vec<Imported> = imported.collect();
        self.import_criteria(&name, &set.description, &imported).await.map(drop)
    }
}

/// Every row has an id of its own, and something that is required.
fn check(rows: &[DataRow]) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for (number, [id, requirement, _]) in (1..).zip(rows) {
        let because = match (id.trim(), requirement.trim()) {
            ("", _) => "has no ID",
            (_, "") => "has no requirement",
            (id, _) if !seen.insert(id) => "has the ID of another row",
            _ => continue,
        };
        return Err(ComplianceError::Refused(format!("row {number} {because}")));
    }
    match rows.len() {
        0 => Err(ComplianceError::Refused("a set needs at least one criterion".to_owned())),
        1..=ROWS_MAX => Ok(()),
        _ => Err(ComplianceError::Refused(too_large("criteria"))),
    }
}

fn is_small(rows: &[DataRow]) -> bool {
    rows.iter().flatten().map(String::len).sum::<usize>() <= BYTES_MAX
}

fn too_large(what: &str) -> String {
    format!(
        "a table takes up to {ROWS_MAX} {what} with {} kB of text: change a file, and upload it",
        BYTES_MAX / 1_000
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, requirement: &str) -> DataRow {
        [id.to_owned(), requirement.to_owned(), String::new()]
    }

    #[test]
    fn what_is_wrong_with_a_row_is_named_with_its_number() {
        let wrong = |rows: &[DataRow]| check(rows).unwrap_err().to_string();
        assert!(check(&[row("A-1", "Doors."), row("A-2", "Keys.")]).is_ok());
        assert_eq!(
            wrong(&[row("A-1", "Doors."), row(" A-1 ", "Keys.")]),
            "row 2 has the ID of another row"
        );
        assert_eq!(wrong(&[row(" ", "Doors.")]), "row 1 has no ID");
        assert_eq!(wrong(&[row("A-1", " ")]), "row 1 has no requirement");
        assert!(wrong(&[]).contains("at least one"));
        let many: Vec<DataRow> = (0..=ROWS_MAX).map(|at| row(&at.to_string(), "x")).collect();
        assert!(check(&many[1..]).is_ok() && wrong(&many).contains("up to 50 criteria"));
    }
}
