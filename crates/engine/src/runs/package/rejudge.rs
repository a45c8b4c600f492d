//! A run judged again from its material and its stored replies: nobody is asked.

use std::collections::{BTreeMap, BTreeSet};

use assize_models::Variables;
use assize_store::Instrument;
use assize_store::run_rows::{JsonRow, RunRows};
use serde_json::Value as Json;

use super::super::error::Result;
use super::super::summary;
use super::{Package, Unpacked};
use crate::asking::{AskOptions, AskSession, Config, Stop};
use crate::configuration::Written;

/// The columns of a verdict that only its judge and its material decide.
const JUDGED: [&str; 10] = [
    "judged_outcome",
    "reason",
    "ledger",
    "evidence",
    "confidence",
    "sections",
    "citations",
    "quotes",
    "quotes_found",
    "is_denial",
];
/// Where models would be asked, if anything were sent.
const NOWHERE: &str = "http://127.0.0.1:9/v1";

/// What came of judging again.
pub(super) enum Rejudged {
    /// The places that were judged, and what differs where.
    Judged { positions: BTreeSet<i64>, differences: Vec<(i64, String)> },
    /// It could not be done, and why.
    Unable(String),
}

impl Package {
    /// Judges what the package has both material and replies for. What was retried or failed stays
    /// as it is.
    pub(super) async fn rejudge(&self) -> Result<Rejudged> {
        if self.rows("verdicts").iter().any(read_by_a_model) {
            let because = "a local reader took part, and its model is not in the package";
            return Ok(Rejudged::Unable(because.to_owned()));
        }
        let first = self.first_verdicts();
        let is_open = |row: &&&JsonRow| row.get("judged_outcome") != Some(&Json::from("failed"));
        let open: BTreeSet<i64> =
            first.values().filter(is_open).filter_map(|row| position(row)).collect();
        let unpacked = self.unpack(&|rows| reopen(rows, &open)).await?;
        let ended = match unpacked.run.instrument {
            Instrument::Summary => unpacked.summaries(self.asked()).await,
            Instrument::Compliance => unpacked.documents(self.asked()).await,
            Instrument::Retrieval | Instrument::Council => Ok(()),
        };
        if let Err(because) = ended {
            return Ok(Rejudged::Unable(because));
        }
        let store = &unpacked.workspace.store;
        let rows = store.rows_of_run(&unpacked.run, &|_, _| Vec::new()).await?;
        let table =
            |name: &str| rows.iter().find(|(table, _)| *table == name).map(|(_, rows)| rows);
        let again: BTreeMap<i64, &JsonRow> = table("verdicts")
            .into_iter()
            .flatten()
            .filter_map(|row| Some((position(row)?, row)))
            .collect();
        let mut differences = Vec::new();
        for position in &open {
            let (Some(now), Some(then)) = (again.get(position), first.get(position)) else {
                differences.push((*position, "it cannot be judged from the package".to_owned()));
                continue;
            };
            let is_other = |column: &&&str| now.get(**column) != then.get(**column);
            if let Some(column) = JUDGED.iter().find(is_other) {
                differences.push((*position, format!("its {column} is another")));
            }
        }
        Ok(Rejudged::Judged { positions: open, differences })
    }

    /// The first version of every verdict: what the judge said.
    fn first_verdicts(&self) -> BTreeMap<i64, &JsonRow> {
        let rows = self.rows("verdicts").iter();
        let first = rows.filter(|row| row.get("version") == Some(&Json::from(1)));
        first.filter_map(|row| Some((position(row)?, row))).collect()
    }

    /// Providers that were asked, and which of several replies to the same words were meant.
    fn asked(&self) -> (Vec<String>, u32) {
        let exchanges = self.rows(assize_store::run_rows::EXCHANGES);
        let text = |row: &JsonRow| row.get("provider").and_then(Json::as_str).map(str::to_owned);
        let providers: BTreeSet<String> = exchanges.iter().filter_map(text).collect();
        let attempts = exchanges.iter().filter_map(|row| row.get("attempt")?.as_u64());
        let attempt = attempts.min().and_then(|attempt| u32::try_from(attempt).ok());
        (providers.into_iter().collect(), attempt.unwrap_or_default())
    }
}

impl Unpacked {
    async fn session(
        &self,
        (providers, attempt): (Vec<String>, u32),
    ) -> Result<AskSession, String> {
        let options = AskOptions::default().sending_nothing();
        let known = Config::default().endpoints;
        let unknown = providers.into_iter().filter(|name| known.get(name).is_err());
        let named: Vec<(String, String)> = unknown.map(|name| (name, NOWHERE.to_owned())).collect();
        let config = Config::new(&Written::default(), &named, Variables::default());
        let config = config.map_err(|error| error.to_string())?;
        let store = Some(std::sync::Arc::clone(&self.workspace.store));
        let session = AskSession::over(store, &options, config, Stop::default(), |_| {}).await;
        let mut session = session.map_err(|error| error.to_string())?;
        session.attempt = attempt;
        Ok(session)
    }

    async fn summaries(&self, asked: (Vec<String>, u32)) -> Result<(), String> {
        let session = self.session(asked).await?;
        let judge = summary::judge(&self.run, session).map_err(|error| error.to_string())?;
        let worked = self.workspace.work_on_summaries(&self.run, &judge, |_| {});
        let worked = Box::pin(worked).await.map_err(|error| error.to_string())?;
        ended(worked.halt.as_ref())
    }

    async fn documents(&self, asked: (Vec<String>, u32)) -> Result<(), String> {
        let session = self.session(asked).await?;
        let worked = self.workspace.work(&self.run.id, &session, None, |_| {});
        let worked = Box::pin(worked).await.map_err(|error| error.to_string())?;
        ended(worked.halt.as_ref())
    }
}

fn ended(halt: Option<&crate::asking::Halt>) -> Result<(), String> {
    match halt {
        None => Ok(()),
        Some(halt) => Err(format!("a reply is not in the package ({halt})")),
    }
}

fn position(row: &JsonRow) -> Option<i64> {
    row.get("position").and_then(Json::as_i64)
}

/// Whether a local model read for the judge.
fn read_by_a_model(row: &JsonRow) -> bool {
    let reader = assize_methods::compliance::rules::METHOD_WITH_READER.name;
    let method = row.get("ledger").map(|ledger| &ledger["verdict"]["method"]["name"]);
    let read_by = row.get("evidence").map(|evidence| &evidence["hallucination"]["read_by"]);
    let is_read = read_by.and_then(Json::as_array).is_some_and(|models| !models.is_empty());
    is_read || method.is_some_and(|name| *name == *reader)
}

/// Opens items again: as they were before anybody judged them.
fn reopen(rows: &mut RunRows, open: &BTreeSet<i64>) {
    let is_kept = |row: &JsonRow| {
        let first = row.get("version").is_none_or(|version| *version == 1);
        first && position(row).is_some_and(|position| !open.contains(&position))
    };
    for (table, rows) in rows {
        match *table {
            "run_versions" | "run_approvals" | "run_item_retries" | "decisions" | "labels" => {
                rows.clear();
            }
            "verdicts" | "scores" => rows.retain(is_kept),
            "run_items" => {
                for row in rows.iter_mut().filter(|row| !is_kept(row)) {
                    row.insert("state".to_owned(), "pending".into());
                    row.insert("attempts".to_owned(), 0.into());
                    row.insert("losses".to_owned(), 0.into());
                }
            }
            "runs" => {
                for row in rows.iter_mut() {
                    let kept = row.get("items").and_then(Json::as_i64).unwrap_or_default();
                    let kept = kept.saturating_sub(i64::try_from(open.len()).unwrap_or(i64::MAX));
                    row.insert("state".to_owned(), "planned".into());
                    row.insert("version".to_owned(), 1.into());
                    row.insert("items_done".to_owned(), kept.into());
                    row.insert("items_unscored".to_owned(), kept.into());
                }
            }
            _ => {}
        }
    }
}

/// What a rejudged run says of an item, in words.
pub(super) fn named(package: &Package, position: i64) -> String {
    let is_it = |row: &&JsonRow| self::position(row) == Some(position);
    let item = package.rows("run_items").iter().find(is_it);
    let subject = item.and_then(|row| row.get("subject")).and_then(Json::as_str);
    format!("item {}{}", position + 1, subject.map(|name| format!(" ({name})")).unwrap_or_default())
}
