//! Numbers held against decisions and counts: what a person decided counts, and nothing else but
//! the judge's value does.

use std::collections::{BTreeMap, BTreeSet};

use assize_store::run_rows::JsonRow;
use assize_wire::package::PackageFinding;
use serde_json::Value as Json;

use super::rejudge::named;
use super::{Package, file_name};

/// Where and about what somebody decided: position, kind, target.
type About = (i64, String, String);

impl Package {
    /// The decisions that count, by the place and the measure they are about.
    pub(super) fn decided(&self) -> BTreeMap<(i64, String), &JsonRow> {
        let current = self.rows("decisions").iter().filter(|row| is(row, "is_current"));
        let scores = current.filter(|row| text(row, "kind") == "score");
        scores.map(|row| ((number(row, "position"), text(row, "target")), row)).collect()
    }

    /// What of decisions, numbers and counts contradicts the rest.
    pub(super) fn check_decided(&self, findings: &mut Vec<PackageFinding>) {
        let mut find = |table: &str, problem: String| {
            findings.push(PackageFinding { part: file_name(table), problem });
        };
        for ((position, ..), problem) in self.out_of_order() {
            find("decisions", format!("{}: {problem}", named(self, position)));
        }
        let (decided, version) = (self.decided(), self.manifest.run.version);
        let counted: Vec<&JsonRow> = self.of_version("scores", version).collect();
        for row in &counted {
            let (position, measure) = (number(row, "position"), text(row, "measure"));
            let decision = decided.get(&(position, measure.clone()));
            let counts = decision.map_or(row.get("judged"), |decision| decision.get("score"));
            if row.get("value") != counts {
                let says = if decision.is_some() { "a person decided" } else { "the judge gave" };
                let item = named(self, position);
                find("scores", format!("{item}: {measure} is not the value that {says}"));
            }
        }
        let measured: BTreeSet<(i64, String)> =
            counted.iter().map(|row| (number(row, "position"), text(row, "measure"))).collect();
        for (about, _) in decided.iter().filter(|(about, _)| !measured.contains(about)) {
            let item = named(self, about.0);
            find("decisions", format!("{item}: a decision about {}, which has no number", about.1));
        }
        for row in self.of_version("verdicts", version) {
            let position = number(row, "position");
            let mut own = decided.iter().filter(|((at, _), _)| *at == position);
            let said = own.find_map(|(_, row)| match row.get("outcome").and_then(Json::as_str) {
                None if row.get("score").is_some_and(Json::is_number) => Some("scored".to_owned()),
                said => said.map(str::to_owned),
            });
            if text(row, "outcome") != said.unwrap_or_else(|| text(row, "judged_outcome")) {
                let item = named(self, position);
                find("verdicts", format!("{item}: its outcome is neither judged nor decided"));
            }
        }
        self.check_counts(&mut find);
    }

    /// Decisions that do not follow their own order: of each kind and target the last one counts,
    /// unless it withdraws the one before.
    fn out_of_order(&self) -> Vec<(About, String)> {
        let mut about: BTreeMap<About, Vec<&JsonRow>> = BTreeMap::new();
        for row in self.rows("decisions") {
            let key = (number(row, "position"), text(row, "kind"), text(row, "target"));
            about.entry(key).or_default().push(row);
        }
        let mut problems = Vec::new();
        for (key, mut rows) in about {
            rows.sort_by_key(|row| number(row, "sequence"));
            let last = rows.pop().into_iter().collect::<Vec<_>>();
            let counts = |row: &JsonRow| is(row, "is_current");
            let comes_to = |row: &JsonRow| key.1 != "comment" && !is(row, "is_withdrawal");
            let wrong = rows.iter().any(|row| counts(row) && key.1 != "comment")
                || last.iter().any(|row| key.1 != "comment" && counts(row) != comes_to(row));
            if wrong {
                problems.push((key, "another decision counts than the last one".to_owned()));
            }
        }
        problems
    }

    fn check_counts(&self, find: &mut impl FnMut(&str, String)) {
        let version = self.manifest.run.version;
        let Some(run) = self.rows("runs").first() else { return };
        let items = self.rows("run_items");
        let places: BTreeSet<i64> = items.iter().map(|row| number(row, "position")).collect();
        let verdicts: BTreeSet<i64> =
            self.of_version("verdicts", version).map(|row| number(row, "position")).collect();
        let is_scored = |row: &&JsonRow| text(row, "outcome") == "scored";
        let scored = self.of_version("verdicts", version).filter(is_scored).count();
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        for (name, stated) in [
            ("items", count(items.len())),
            ("items_done", count(verdicts.len())),
            ("items_unscored", count(verdicts.len()) - count(scored)),
            ("version", version),
        ] {
            if number(run, name) != stated {
                find("runs", format!("{name} is {}, and there are {stated}", number(run, name)));
            }
        }
        if self.manifest.run.items != count(items.len()) {
            find("runs", "the manifest says another number of items".to_owned());
        }
        if places != verdicts || places.iter().copied().ne(0..count(items.len())) {
            find("verdicts", "they are not those of the items".to_owned());
        }
    }

    /// The rows of a version of the verdicts.
    pub(super) fn of_version(&self, table: &str, version: i64) -> impl Iterator<Item = &JsonRow> {
        self.rows(table).iter().filter(move |row| number(row, "version") == version)
    }
}

pub(super) fn number(row: &JsonRow, column: &str) -> i64 {
    row.get(column).and_then(Json::as_i64).unwrap_or_default()
}

pub(super) fn text(row: &JsonRow, column: &str) -> String {
    row.get(column).and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn is(row: &JsonRow, column: &str) -> bool {
    row.get(column) == Some(&Json::from(true))
}
