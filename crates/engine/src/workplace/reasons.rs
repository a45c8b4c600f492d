//! Why a subject's numbers differ between two runs, in words: which label, citation, cap or
//! decision is another one.

use std::collections::{BTreeMap, BTreeSet};

use assize_score::cap::{AppliedCap, CapState};
use assize_store::{DecisionKind, Instrument, Run, Verdict};
use async_recursion::async_recursion as boxed;
use serde::Deserialize as _;
use serde_json::Value as Json;

use super::result::decided;
use crate::Workspace;
use crate::compliance::Result;
use crate::compliance::detail::cited;
use crate::runs::correct::{claims, word};
use crate::runs::summary;

/// Labels that are told of one subject; the others are counted.
const LABELS_MAX: usize = 3;
/// Queries that are explained again: each is read from the files of its run.
const QUERIES_MAX: usize = 10;
/// Letters of a claim that are shown.
const CLAIM_MAX: usize = 60;

/// What one run says about a subject besides its numbers.
#[derive(Debug, Default, PartialEq)]
struct Facts {
    /// Labels by what they are about.
    labels: BTreeMap<String, String>,
    /// Citations that are in the document, and all.
    citations: Option<(usize, usize)>,
    /// Why a cap lowered a number.
    caps: BTreeSet<String>,
    /// What a person decided, with the number of the run.
    decision: Option<String>,
}

impl Workspace {
    /// Why each of these subjects has other numbers in the second run; those about which nothing
    /// but the number is known are left out.
    #[boxed]
    pub async fn change_reasons(
        &self,
        [first, second]: [&Run; 2],
        subjects: &[String],
    ) -> Result<BTreeMap<String, Vec<String>>> {
        let (before, after) = (self.positions(first).await?, self.positions(second).await?);
        let mut all = BTreeMap::new();
        for (place, subject) in subjects.iter().enumerate() {
            let (Some(old), Some(new)) = (before.get(subject), after.get(subject)) else {
                continue;
            };
            let explains = place < QUERIES_MAX;
            let old = self.facts(first, (*old, subject), explains).await?;
            let new = self.facts(second, (*new, subject), explains).await?;
            let why = differences(&old, &new);
            if !why.is_empty() {
                all.insert(subject.clone(), why);
            }
        }
        Ok(all)
    }

    /// Where the first item of each name stands.
    async fn positions(&self, run: &Run) -> Result<BTreeMap<String, i64>> {
        let items = self.subjects(run, run.version).await?.into_iter();
        let first = items.filter(|((_, place), _)| *place == 0);
        Ok(first.map(|((subject, _), item)| (subject, item.position)).collect())
    }

    async fn facts(
        &self,
        run: &Run,
        (position, subject): (i64, &str),
        explains: bool,
    ) -> Result<Facts> {
        let page = self.store.verdicts().page(&run.id, run.version, position, 1).await?;
        let verdict = page.into_iter().find(|verdict| verdict.position == position);
        let decisions = self.store.decisions().about(&run.id, position).await?;
        let last = decisions.iter().rfind(|one| one.is_current && one.kind == DecisionKind::Score);
        let mut facts = Facts {
            caps: verdict
                .as_ref()
                .and_then(|one| one.ledger.as_ref())
                .map(binding)
                .unwrap_or_default(),
            decision: last.map(|one| {
                let said = decided(one);
                format!(
                    "decided in #{} by {}: {}, “{}”",
                    run.number, said.author, said.what, said.reason
                )
            }),
            ..Facts::default()
        };
        match run.instrument {
            Instrument::Compliance => self.add_result(run, position, &mut facts).await?,
            Instrument::Summary => add_claims(run, verdict, &mut facts)?,
            Instrument::Retrieval if explains => {
                // A run that did not keep its files has numbers and nothing else.
                if let Ok((_, texts)) = self.query_workings(run, subject).await {
                    for gold in 0..texts.gold.len() {
                        let found = texts.passages.iter().find(|one| one.golds.contains(&gold));
                        let rank = found
                            .map_or("not found".to_owned(), |one| format!("rank {}", one.rank));
                        facts.labels.insert(format!("gold {}", gold + 1), rank);
                    }
                }
            }
            Instrument::Retrieval | Instrument::Council => {}
        }
        Ok(facts)
    }

    async fn add_result(&self, run: &Run, position: i64, facts: &mut Facts) -> Result<()> {
        let Some(result) = self.result_at(run, position + 1).await? else { return Ok(()) };
        let rubric = self.labelled_by(run).await?.rubric;
        let label = match result.score {
            Some(score) => rubric.status(score).label,
            None => result.outcome.to_string().replace('_', " "),
        };
        facts.labels.insert("label".to_owned(), label);
        let citations = cited(&result);
        let found = citations.iter().filter(|one| one.start.is_some()).count();
        facts.citations = Some((found, citations.len()));
        Ok(())
    }
}

fn add_claims(run: &Run, verdict: Option<Verdict>, facts: &mut Facts) -> Result<()> {
    let Some(json) = verdict.and_then(|verdict| verdict.evidence) else { return Ok(()) };
    let evidence = summary::evidence(run, json)?;
    for claim in claims(&evidence) {
        let text: String = claim.text.chars().take(CLAIM_MAX).collect();
        let mark = if claim.text.chars().count() > CLAIM_MAX { "…" } else { "" };
        facts.labels.insert(format!("“{text}{mark}”"), word(claim.support).to_owned());
    }
    Ok(())
}

/// The reasons of the caps that set a score, wherever they stand in a ledger.
fn binding(ledger: &Json) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![ledger];
    while let Some(json) = open.pop() {
        match json {
            Json::Array(items) => open.extend(items),
            Json::Object(fields) => {
                let cap =
                    fields.contains_key("because").then(|| AppliedCap::deserialize(json).ok());
                let cap = cap.flatten().filter(|cap| cap.state == CapState::Binding);
                found.extend(cap.map(|cap| cap.because.into_owned()));
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    found
}

fn differences(old: &Facts, new: &Facts) -> Vec<String> {
    let mut said = Vec::new();
    let names: BTreeSet<&String> = old.labels.keys().chain(new.labels.keys()).collect();
    let changed: Vec<String> = names
        .into_iter()
        .filter_map(|name| match (old.labels.get(name), new.labels.get(name)) {
            (Some(old), Some(new)) if old == new => None,
            (Some(old), Some(new)) => Some(format!("{name}: {old} → {new}")),
            (Some(old), None) => Some(format!("{name} is gone ({old})")),
            (None, new) => Some(format!("{name} is new ({})", new.map_or("", |new| new))),
        })
        .collect();
    said.extend(changed.iter().take(LABELS_MAX).cloned());
    if changed.len() > LABELS_MAX {
        said.push(format!("{} more labels changed", changed.len() - LABELS_MAX));
    }
    if let (Some(old), Some(new)) = (old.citations, new.citations)
        && old != new
    {
        said.push(format!("quotes found: {} of {} → {} of {}", old.0, old.1, new.0, new.1));
    }
    said.extend(new.caps.difference(&old.caps).map(|cap| format!("capped now: {cap}")));
    said.extend(old.caps.difference(&new.caps).map(|cap| format!("no longer capped: {cap}")));
    said.extend([&old.decision, &new.decision].into_iter().flatten().cloned());
    said
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn facts(label: &str, citations: (usize, usize)) -> Facts {
        let labels = BTreeMap::from([("label".to_owned(), label.to_owned())]);
        Facts { labels, citations: Some(citations), ..Facts::default() }
    }

    #[test]
    fn what_is_another_label_citation_cap_or_decision_is_said() {
        let old = facts("Fully Compliant", (2, 2));
        let mut new = facts("Partially Compliant", (0, 1));
        new.caps.insert("a silent part".to_owned());
        new.decision = Some("decided in #2 by ann: score 40, “old”".to_owned());
        let expected = [
            "label: Fully Compliant → Partially Compliant",
            "quotes found: 2 of 2 → 0 of 1",
            "capped now: a silent part",
            "decided in #2 by ann: score 40, “old”",
        ];
        assert_eq!(differences(&old, &new), expected);
        assert_eq!(differences(&old, &old), Vec::<String>::new());
    }

    #[test]
    fn only_caps_that_set_a_score_are_reasons() {
        let cap = |state: &str| json!({"at_most": 5.0, "because": state, "state": state});
        let ledger =
            json!([{"score": {"caps": [cap("binding"), cap("triggered"), cap("not_triggered")]}}]);
        assert_eq!(binding(&ledger).into_iter().collect::<Vec<_>>(), ["binding"]);
    }

    #[test]
    fn many_labels_are_counted() {
        let labels =
            |word: &str| (0..5).map(|at| (format!("gold {at}"), word.to_owned())).collect();
        let old = Facts { labels: labels("rank 1"), ..Facts::default() };
        let new = Facts { labels: labels("not found"), ..Facts::default() };
        assert_eq!(
            differences(&old, &new)[2..],
            ["gold 2: rank 1 → not found", "2 more labels changed"]
        );
    }
}
