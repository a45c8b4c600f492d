//! What is known of the origin, written as sets, documents, runs, verdicts and decisions.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::Value as Json;

use super::Adopted;
use super::origin::{
    CODE, CONFIDENCE, Fields, ITEM_OF_RESULT, ORDER, ORGANISATION, Origin, REQUIREMENT, SCORE,
    SET_OF_ITEM, SUMMARY_OF_RESULT,
};
use crate::database::{Database, Transaction};
use crate::decisions::{self, Change, Decision};
use crate::error::Result;
use crate::ids::{OrganisationId, RunId};
use crate::runs::{self, NewRun};
use crate::skeleton::skeleton;
use crate::state::{DecisionKind, Instrument, ResultOutcome, RunState};
use crate::value::{Value, values};
use crate::verdicts::{self, Assessment, NewVerdict};

/// The set that holds the documents of all adopted evaluations.
const DOCUMENTS: &str = "Adopted evaluations";
const OPTIONS: [&str; 3] =
    ["eval_status_options", "eval_org_status_options", "eval_sys_status_options"];

/// Writes everything, each after what it refers to.
pub(super) async fn write(
    transaction: &mut Transaction,
    database: &Database,
    origin: &Origin,
    adopted: &mut Adopted,
) -> Result<()> {
    let now = Utc::now();
    let mut conversion = Conversion { now, ..Conversion::default() };
    conversion.organisations(transaction, origin, adopted).await?;
    conversion.criteria_sets(transaction, origin, adopted).await?;
    conversion.criteria(transaction, origin, adopted).await?;
    conversion.options(transaction, origin, adopted).await?;
    conversion.evaluations(transaction, database, origin, adopted).await?;
    conversion.edits(transaction, origin, adopted).await
}

/// What was written so far and is referred to.
#[derive(Default)]
struct Conversion {
    now: DateTime<Utc>,
    /// The organisation of each criteria set.
    sets: BTreeMap<String, OrganisationId>,
    /// The set of documents of each organisation.
    documents: BTreeMap<OrganisationId, String>,
    /// The criteria by id: the set, the place in it, and the values of the row.
    criteria: BTreeMap<String, (String, i64, Criterion)>,
    /// What each status is worth.
    options: BTreeMap<String, f64>,
    /// The run and the place of each result.
    results: BTreeMap<String, (RunId, i64)>,
}

#[derive(Clone)]
struct Criterion {
    code: String,
    requirement: String,
    description: String,
    properties: Option<Json>,
}

impl Conversion {
    /// Organisations are walls: if the origin had several, so have we, with its ids for names.
    async fn organisations(
        &mut self,
        transaction: &mut Transaction,
        origin: &Origin,
        adopted: &mut Adopted,
    ) -> Result<()> {
        let sets = origin.rows("eval_criteria_sets");
        let names: BTreeSet<String> =
            sets.iter().filter_map(|row| row.text(ORGANISATION)).collect();
        let is_several = names.len() > 1;
        let default = OrganisationId::default_organisation();
        for row in sets {
            let owner = row.text(ORGANISATION).filter(|_| is_several);
            let owner = owner.map(|name| OrganisationId::from(format!("organisation-{name}")));
            self.sets.insert(row.id(), owner.unwrap_or_else(|| default.clone()));
        }
        self.documents.insert(default, "adopted".to_owned());
        if is_several {
            let id = |name: &String| OrganisationId::from(format!("organisation-{name}"));
            let owners: Vec<(OrganisationId, &String, String)> =
                names.iter().map(|name| (id(name), name, skeleton(name))).collect();
            for (id, ..) in &owners {
                self.documents.insert(id.clone(), format!("adopted-{id}"));
            }
            let rows: Vec<_> = owners
                .iter()
                .map(|(id, name, skeleton)| values![id, *name, skeleton, self.now])
                .collect();
            let columns = ["id", "name", "skeleton", "created_at"];
            transaction.insert("organisations", &columns, &rows, "").await?;
            adopted.made.push(("organisations", names.len() as u64));
        }
        let rows: Vec<_> = self
            .documents
            .iter()
            .map(|(owner, id)| values![id, owner, DOCUMENTS, self.now])
            .collect();
        let columns = ["id", "organisation_id", "name", "created_at"];
        transaction.insert("eval_doc_sets", &columns, &rows, "").await?;
        Ok(())
    }

    async fn criteria_sets(
        &self,
        transaction: &mut Transaction,
        origin: &Origin,
        adopted: &mut Adopted,
    ) -> Result<()> {
        let rows = origin.rows("eval_criteria_sets");
        for row in rows {
            let id = row.id();
            let made = row.time(&["created_at"]).unwrap_or(self.now);
            let changed = row.time(&["updated_at"]).unwrap_or(made);
            let name = row.text(&["name", "title"]).unwrap_or_else(|| id.clone());
            let description = row.text(&["description"]).unwrap_or_default();
            let sql = "INSERT INTO eval_criteria_sets (id, organisation_id, name, description, \
                created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)";
            let owner = &self.sets[&id];
            let values = values![&id, owner, &name, &description, made, changed];
            transaction.execute(sql, &values).await?;
            for column in ["scoring_rubric", "response_structure"] {
                if let Some(json) = row.json(&[column]) {
                    let sql = format!("UPDATE eval_criteria_sets SET {column} = $2 WHERE id = $1");
                    transaction.execute(&sql, &values![&id, &json]).await?;
                }
            }
        }
        adopted.made.push(("criteria sets", rows.len() as u64));
        Ok(())
    }

    /// Of criteria with the same id in a set, the later ones get a number behind it.
    async fn criteria(
        &mut self,
        transaction: &mut Transaction,
        origin: &Origin,
        adopted: &mut Adopted,
    ) -> Result<()> {
        let mut found: Vec<(i64, &Fields)> = origin
            .rows("eval_criteria_items")
            .iter()
            .filter(|row| row.text(SET_OF_ITEM).is_some_and(|set| self.sets.contains_key(&set)))
            .map(|row| (row.integer(ORDER).unwrap_or_default(), row))
            .collect();
        found.sort_by_key(|(order, row)| (*order, row.id()));
        let (mut codes, mut with_more) = (BTreeMap::<(String, String), u32>::new(), 0);
        for (order, row) in &found {
            let (id, set) = (row.id(), row.text(SET_OF_ITEM).unwrap_or_default());
            let code = row.text(CODE).unwrap_or_else(|| id.clone());
            let place = codes.entry((set.clone(), code.clone())).or_default();
            *place += 1;
            let criterion = Criterion {
                code: if *place == 1 { code } else { format!("{code} ({place})") },
                requirement: row.text(REQUIREMENT).unwrap_or_default(),
                description: row.text(&["description"]).unwrap_or_default(),
                properties: row.others(&[SET_OF_ITEM, CODE, REQUIREMENT, &["description"], ORDER]),
            };
            with_more += u64::from(criterion.properties.is_some());
            self.criteria.insert(id, (set, *order, criterion));
        }
        let rows: Vec<_> = self
            .criteria
            .iter()
            .map(|(id, (set, order, one))| {
                let Criterion { code, requirement, description, properties } = one;
                values![id, set, code, requirement, description, *order, properties]
            })
            .collect();
        let columns = [
            "id",
            "criteria_set_id",
            "criteria_id",
            "requirement",
            "description",
            "sort_order",
            "properties",
        ];
        transaction.insert("eval_criteria_items", &columns, &rows, "").await?;
        let made = [
            ("criteria", rows.len() as u64),
            ("criteria with category, weight or more", with_more),
        ];
        adopted.made.extend(made);
        Ok(())
    }

    /// Options of an organisation belong to no set; ours do, so they go with the first.
    async fn options(
        &mut self,
        transaction: &mut Transaction,
        origin: &Origin,
        adopted: &mut Adopted,
    ) -> Result<()> {
        let Some(first) = self.sets.keys().next().cloned() else { return Ok(()) };
        for row in OPTIONS.into_iter().flat_map(|table| origin.rows(table)) {
            let (id, Some(score)) = (row.id(), row.number(&["score_value", "score"])) else {
                continue;
            };
            if self.options.insert(id.clone(), score).is_some() {
                continue;
            }
            let set = row.text(&["criteria_set_id"]).filter(|set| self.sets.contains_key(set));
            let set = set.as_ref().unwrap_or(&first);
            let name = row.text(&["name", "label"]).unwrap_or_else(|| id.clone());
            let order = row.integer(&["order_index", "sort_order"]).unwrap_or_default();
            let sql = "INSERT INTO eval_status_options (id, criteria_set_id, name, score_value, \
                sort_order) VALUES ($1, $2, $3, $4, $5)";
            transaction.execute(sql, &values![&id, set, &name, score, order]).await?;
        }
        adopted.made.push(("status options (deprecated)", self.options.len() as u64));
        Ok(())
    }

    /// An evaluation is about one summary of documents, which is what its judge saw: a document and
    /// a run.
    async fn evaluations(
        &mut self,
        transaction: &mut Transaction,
        database: &Database,
        origin: &Origin,
        adopted: &mut Adopted,
    ) -> Result<()> {
        let all = origin.rows("eval_criteria_results");
        for row in all {
            row.check_range()?;
        }
        let mut results = self.latest_results(all);
        let mut summaries: Vec<(DateTime<Utc>, &Fields)> = origin
            .rows("eval_doc_summaries")
            .iter()
            .map(|row| (row.time(&["created_at"]).unwrap_or(self.now), row))
            .collect();
        summaries.sort_by_key(|(at, row)| (*at, row.id()));
        let (mut runs, mut kept) = (0, 0);
        let mut versions = BTreeMap::<(String, String), i64>::new();
        for (at, row) in &summaries {
            let id = row.id();
            let found = results.remove(&id).unwrap_or_default();
            let derived = || found.iter().map(|(item, _)| self.criteria[item].0.clone()).min();
            let set = row.text(&["criteria_set_id"]).or_else(derived);
            let owner = set.as_ref().and_then(|set| self.sets.get(set)).cloned();
            let document_set = self.documents
                [owner.as_ref().unwrap_or(&OrganisationId::default_organisation())]
            .clone();
            document(transaction, row, (&document_set, *at), &mut versions).await?;
            let (Some(set), Some(owner)) = (set, owner) else { continue };
            runs += 1;
            kept += found.len() as u64;
            let run = NewRun {
                id: RunId::from(id),
                organisation_id: owner,
                instrument: Instrument::Compliance,
                name: None,
                criteria_set_id: Some(set.into()),
                doc_set_id: Some(document_set.into()),
                configuration: None,
                configuration_hash: None,
                method_version: None,
                material: None,
                who: "unknown".to_owned(),
                created_at: *at,
            };
            let state = row.state();
            self.run(transaction, database, (&run, state), found).await?;
        }
        let documents = summaries.len() as u64;
        if documents > runs {
            let count = documents - runs;
            adopted.notes.push(format!("{count} evaluations have no criteria: kept as documents"));
        }
        let left = (all.len() as u64).saturating_sub(kept);
        if left > 0 {
            adopted.notes.push(format!(
                "{left} results are superseded or belong to nothing: kept in the original table"
            ));
        }
        adopted.made.extend([("documents", documents), ("runs", runs), ("results", kept)]);
        Ok(())
    }

    /// The latest result of each criterion, by evaluation, in the order of the criteria.
    fn latest_results<'r>(&self, all: &'r [Fields]) -> BTreeMap<String, Vec<(String, &'r Fields)>> {
        let mut latest: BTreeMap<(String, String), &Fields> = BTreeMap::new();
        let age = |row: &Fields| (row.time(&["created_at", "updated_at"]), row.id());
        for row in all {
            let pair = row.text(SUMMARY_OF_RESULT).zip(row.text(ITEM_OF_RESULT));
            let Some(pair) = pair.filter(|(_, item)| self.criteria.contains_key(item)) else {
                continue;
            };
            let known = latest.entry(pair).or_insert(row);
            if age(row) > age(known) {
                *known = row;
            }
        }
        let mut results: BTreeMap<String, Vec<(String, &Fields)>> = BTreeMap::new();
        for ((summary, item), row) in latest {
            results.entry(summary).or_default().push((item, row));
        }
        for found in results.values_mut() {
            found.sort_by_key(|(item, _)| (self.criteria[item].1, item.clone()));
        }
        results
    }

    /// A run whose plan is what it did.
    async fn run(
        &mut self,
        transaction: &mut Transaction,
        database: &Database,
        (run, state): (&NewRun, RunState),
        found: Vec<(String, &Fields)>,
    ) -> Result<()> {
        runs::insert(transaction, run, found.len()).await?;
        let document = run.id.as_str();
        let rows = [values![&run.id, document, 0_i64]];
        let columns = ["run_id", "document_id", "position"];
        transaction.insert("run_documents", &columns, &rows, "").await?;
        let (mut criteria, mut items, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
        for (position, (item, row)) in (0_i64..).zip(&found) {
            let Criterion { code, requirement, description, properties } = &self.criteria[item].2;
            let [id, item, place] = values![&run.id, item, position];
            let [code, requirement, description, properties] =
                values![code, requirement, description, properties];
            let subject = Value::from(document);
            items.push([id.clone(), place.clone(), code.clone(), subject, item.clone()]);
            criteria.push([id, item, place, code, requirement, description, properties]);
            verdicts.push((&run.id, position, self.verdict(row)));
            self.results.insert(row.id(), (run.id.clone(), position));
        }
        let columns = [
            "run_id",
            "criteria_item_id",
            "position",
            "criteria_id",
            "requirement",
            "description",
            "properties",
        ];
        transaction.insert("run_criteria", &columns, &criteria, "").await?;
        for [run, position, code, document, item] in items {
            let sql = "INSERT INTO run_items (run_id, position, subject, document_id, \
                criteria_item_id, state, attempts) SELECT $1, $2, name || ' ' || $3, $4, $5, \
                'done', 1 FROM eval_documents WHERE id = $4";
            transaction.execute(sql, &[run, position, code, document, item]).await?;
        }
        for (.., new) in &verdicts {
            verdicts::check(new)?;
        }
        let rows: Vec<_> = verdicts.iter().map(|(run, place, new)| (*run, *place, new)).collect();
        verdicts::insert(transaction, 1, &rows).await?;
        let sql = format!(
            "UPDATE runs SET state = $2, items_done = items, items_unscored = (SELECT COUNT(*) \
             FROM verdicts WHERE run_id = $1 AND outcome <> 'scored'), \
             ended_at = CASE WHEN $2 = 'planned' THEN NULL ELSE {} END WHERE id = $1",
            database.now()
        );
        transaction.execute(&sql, &values![&run.id, state]).await?;
        Ok(())
    }

    /// A result without a number has the one of its status, which is how the origin gave numbers.
    fn verdict(&self, row: &Fields) -> NewVerdict {
        let status = row.text(&["ai_status_id", "status_id"]);
        let status = status.filter(|status| self.options.contains_key(status));
        let worth = status.as_ref().map(|status| self.options[status]);
        let score = row.number(SCORE).or(worth);
        let citations = row.json(&["ai_citations", "citations"]).map(|json| match json {
            Json::Array(_) => json,
            one => Json::Array(vec![one]),
        });
        let assessment = Assessment {
            confidence: row.integer(CONFIDENCE),
            sections: row.sections(&["ai_result", "result"]),
            citations,
            status_id: status,
            ..Assessment::default()
        };
        NewVerdict {
            outcome: if score.is_some() { ResultOutcome::Scored } else { ResultOutcome::Failed },
            reason: score.is_none().then(|| "the old result has no score".to_owned()),
            scores: vec![("score".to_owned(), score)],
            assessment: Some(Box::new(assessment)),
            created_at: row.time(&["created_at", "updated_at"]).unwrap_or(self.now),
            ..NewVerdict::failed("")
        }
    }

    /// What people edited stands beside the judge's result, as it did.
    async fn edits(
        &self,
        transaction: &mut Transaction,
        origin: &Origin,
        adopted: &mut Adopted,
    ) -> Result<()> {
        let mut edits: Vec<&Fields> = origin.rows("eval_result_edits").iter().collect();
        if edits.is_empty() {
            return Ok(());
        }
        let time = |row: &Fields| row.time(&["created_at", "edited_at", "updated_at"]);
        edits.sort_by(|left, right| {
            let version = |row: &Fields| row.number(&["version"]).unwrap_or_default();
            let by_version = version(left).total_cmp(&version(right));
            by_version.then_with(|| (time(left), left.id()).cmp(&(time(right), right.id())))
        });
        let mut made = 0;
        let mut touched = BTreeSet::new();
        for row in edits {
            let result = row.text(&["criteria_result_id", "result_id"]);
            let Some((run, position)) = result.and_then(|id| self.results.get(&id)) else {
                continue;
            };
            let status = row.text(&["edited_status_id", "status_id"]);
            let worth = status.and_then(|status| self.options.get(&status).copied());
            let score =
                row.number(&["edited_score_value", "edited_score", "score_value"]).or(worth);
            let sections = row.sections(&["edited_result", "result"]);
            let value = sections.filter(|json| json.as_object().is_none_or(|all| !all.is_empty()));
            if score.is_none() && value.is_none() {
                continue;
            }
            let text = |names: &[&str], otherwise: &str| {
                row.text(names).unwrap_or_else(|| otherwise.to_owned())
            };
            let decision = Decision {
                position: *position,
                sequence: 0,
                kind: DecisionKind::Score,
                target: "score".to_owned(),
                change: Change { is_withdrawal: false, outcome: None, score, value },
                is_current: true,
                author: text(&["edited_by", "created_by"], "unknown"),
                reason: text(&["edit_notes", "notes", "reason"], "edited before"),
                created_at: time(row).unwrap_or(self.now),
            };
            decisions::insert(transaction, run, &[decision]).await?;
            touched.insert(run);
            made += 1;
        }
        for run in touched {
            decisions::apply_all(transaction, run).await?;
        }
        adopted.made.push(("decisions", made));
        Ok(())
    }
}

/// A document with a used name is a new version of it.
async fn document(
    transaction: &mut Transaction,
    row: &Fields,
    (set, at): (&str, DateTime<Utc>),
    versions: &mut BTreeMap<(String, String), i64>,
) -> Result<()> {
    let id = row.id();
    let short: String = id.chars().take(8).collect();
    let name = row.text(&["name", "title", "document_name", "file_name"]);
    let name = name.unwrap_or_else(|| format!("evaluation {short}"));
    let text = row.text(&["doc_summary", "summary", "content", "document_text"]);
    let version = versions.entry((set.to_owned(), name.clone())).or_default();
    *version += 1;
    let sql = "INSERT INTO eval_documents (id, doc_set_id, name, version, content_text, \
        created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    let text = text.unwrap_or_default();
    transaction.execute(sql, &values![&id, set, &name, *version, &text, at]).await?;
    Ok(())
}
