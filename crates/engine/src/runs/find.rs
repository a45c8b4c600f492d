//! A run by what people call it.

use assize_store::{Instrument, OrganisationId, Run, RunFilter, RunId, Store};
use async_recursion::async_recursion as boxed;

use super::error::{Result, RunError};

/// What stands for the last run.
const LATEST: &str = "latest";
/// Shorter ends of ids could be numbers, and would be.
const ID_END_MIN: usize = 6;
/// Runs whose ids are looked through for an end.
const PAGE: i64 = 500;

/// The run that is called `#12`, `12`, by its name, its id, the end of its id, or `latest`.
#[boxed]
pub async fn find(
    store: &Store,
    organisation: &OrganisationId,
    name: &str,
    only: Option<Instrument>,
) -> Result<Run> {
    let fits = |run: &Run| only.is_none_or(|only| run.instrument == only);
    let runs = store.runs();
    let mut filter = RunFilter { instrument: only, ..RunFilter::default() };
    if name == LATEST {
        let found = runs.page(organisation, &filter, 1).await?.pop();
        return found.ok_or(RunError::NoRuns);
    }
    if let Ok(number) = name.strip_prefix('#').unwrap_or(name).parse::<i64>()
        && let Some(run) = runs.numbered(organisation, number).await?
    {
        return if fits(&run) { Ok(run) } else { Err(RunError::of_another_kind(&run)) };
    }
    let named = match runs.named(organisation, name).await? {
        Some(run) => Some(run),
        None => runs.get(organisation, &RunId::from(name)).await?,
    };
    if let Some(run) = named {
        return if fits(&run) { Ok(run) } else { Err(RunError::of_another_kind(&run)) };
    }
    let mut found: Option<Run> = None;
    while name.len() >= ID_END_MIN {
        let page = runs.page(organisation, &filter, PAGE).await?;
        let Some(last) = page.last() else { break };
        filter.before = Some(last.number);
        for run in page.into_iter().filter(|run| run.id.as_str().ends_with(name)) {
            if found.is_some() {
                return Err(RunError::Ambiguous(name.to_owned()));
            }
            found = Some(run);
        }
    }
    found.ok_or_else(|| RunError::Missing(name.to_owned()))
}

/// Whether something may be the name of a run: not what stands for a number or the last one.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let is_number = name.strip_prefix('#').unwrap_or(name).parse::<i64>().is_ok();
    let is_long = name.chars().count() > 100;
    if name.trim() != name || name.is_empty() || is_number || name == LATEST || is_long {
        return Err(RunError::Name(name.to_owned()));
    }
    Ok(())
}
