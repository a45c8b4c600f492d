//! A compliance run: figures, what needs a person, lines, and criteria by documents.

use assize_methods::compliance::Rubric;
use assize_methods::compliance::set_verdicts::met_from;
use assize_store::views::{LineFilter, LineQuery, LineRow, Names, Triage};
use assize_store::{Instrument, Run, RunState};
use assize_wire::workplace::{
    Attention, Counts, DocumentFinding, Evaluation, Figure, Line, Lines, Matrix, MatrixCell,
    MatrixRow, TierCount,
};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::cursor;
use super::figures::figures;
use super::runs::PAGE;
use crate::Workspace;
use crate::compliance::configuration::TemplateUsed;
use crate::compliance::documents::Offsets;
use crate::compliance::material::document_findings;
use crate::compliance::set_verdicts::{SetOfDocuments, place};
use crate::compliance::{ComplianceError, Configuration, Result};
use crate::runs::RunError;
use crate::runs::decide::SCORE;

/// How near to a tier's edge a score is worth a second look.
const EDGE: f64 = 2.0;

/// Criteria on a page of the matrix.
const MATRIX_ROWS: usize = 50;

/// Which lines a person asks for, by the word in the address.
pub fn filter(word: &str, rubric: &Rubric) -> LineFilter {
    let tiers = rubric.tiers();
    match word {
        "weak" => LineFilter::Below(weak_below(rubric)),
        "decided" => LineFilter::Decided,
        "undecided" => LineFilter::Undecided,
        "unscored" => LineFilter::Unscored,
        "unfound" => LineFilter::Unfound,
        "edge" => LineFilter::Near(edges(rubric), EDGE),
        "triage" => triage(rubric),
        _ => {
            let number = word.strip_prefix("tier-").and_then(|number| number.parse::<usize>().ok());
            match number.filter(|number| (1..=tiers.len()).contains(number)) {
                Some(number) => {
                    let next = tiers.get(number).map_or(101.0, |tier| f64::from(tier.min));
                    LineFilter::Between(f64::from(tiers[number - 1].min), next)
                }
                None => LineFilter::All,
            }
        }
    }
}

/// The lower half of the tiers is weak; of an odd number the middle one is not.
fn weak_below(rubric: &Rubric) -> f64 {
    let tiers = rubric.tiers();
    f64::from(tiers[tiers.len() / 2].min)
}

/// Verdicts that may be wrong and would do harm.
fn triage(rubric: &Rubric) -> LineFilter {
    let (met_from, edges) = (met_from(rubric), edges(rubric));
    LineFilter::Triage(Triage { met_from, edges, near: EDGE })
}

/// Why a verdict is looked at first, by its kind.
const DANGERS: [&str; 5] = [
    "met without a quote from the document",
    "met, and a quote is not in the document",
    "met in a document with findings",
    "a quote is not in the document",
    "near a tier boundary",
];

/// Results of one criterion that are looked through for one of them.
const DANGERS_MAX: i64 = 1_000;

/// The words for a kind.
fn danger(kind: f64) -> Option<&'static str> {
    let mut kinds = (0_u8..).zip(DANGERS);
    kinds.find(|(place, _)| f64::from(*place) >= kind).map(|(_, words)| words)
}

/// Where a label changes.
fn edges(rubric: &Rubric) -> Vec<f64> {
    rubric.tiers().iter().skip(1).map(|tier| f64::from(tier.min)).collect()
}

impl Workspace {
    /// A compliance run with the configuration that decided it.
    #[boxed]
    pub async fn evaluation_of(&self, name: &str) -> Result<(Run, Configuration)> {
        let run = self.find_run(name).await?;
        if run.instrument != Instrument::Compliance {
            return Err(RunError::of_another_kind(&run).into());
        }
        let configuration = self.labelled_by(&run).await?;
        Ok((run, configuration))
    }

    /// A compliance run at a glance.
    #[boxed]
    pub async fn evaluation(&self, name: &str) -> Result<Evaluation> {
        let (run, configuration) = self.evaluation_of(name).await?;
        let set = self.set_of_documents(&run, &configuration.rubric).await?;
        self.evaluation_at_a_glance(&run, &configuration, &set).await
    }

    /// The same of one that is found already.
    #[boxed]
    pub async fn evaluation_at_a_glance(
        &self,
        run: &Run,
        configuration: &Configuration,
        set: &SetOfDocuments,
    ) -> Result<Evaluation> {
        let (rubric, views) = (&configuration.rubric, self.store.views());
        let mins: Vec<f64> = rubric.tiers().iter().map(|tier| f64::from(tier.min)).collect();
        let totals = views.line_counts(run, &mins, EDGE).await?;
        let counts = Counts {
            all: totals.all,
            weak: totals.tiers.iter().take(mins.len() / 2).sum(),
            decided: totals.decided,
            unscored: totals.all - totals.scored,
            unfound: totals.unfound,
            edge: totals.near,
            triage: views.line_count(run, &triage(rubric)).await?,
        };
        let tiers = rubric.tiers().iter().zip(&totals.tiers);
        let tiers = tiers
            .map(|(tier, results)| TierCount {
                label: tier.label.clone(),
                colour: rubric.status(f64::from(tier.min)).colour,
                min: tier.min,
                max: tier.max,
                results: *results,
            })
            .collect();
        let names = views.names_of(&self.organisation, &run.id).await?;
        let missing = || ComplianceError::missing("compliance run", &run.number.to_string());
        let Names { document_set, criteria_set, documents } = names.ok_or_else(missing)?;
        let (set_id, _) = run.sets().ok_or_else(missing)?;
        let approvals = self.approval_history(&run.id).await?;
        let measures = self.measure_figures(run, run.version).await?;
        let mean = figures(run, &measures).into_iter().find(|one| one.name == SCORE);
        let mean = mean.unwrap_or_else(|| Figure { name: SCORE.to_owned(), ..Figure::default() });
        let sets = (document_set.clone(), criteria_set.clone());
        Ok(Evaluation {
            run: self.evaluated_entry(run, sets, !approvals.is_empty()).await?,
            criteria_set: set_id.to_string(),
            criteria_name: criteria_set,
            document_set,
            criteria: u64::try_from(run.items).unwrap_or(0) / documents.len().max(1) as u64,
            set: set.at_a_glance(rubric, &documents),
            documents,
            findings: self.document_findings(run).await?,
            template: configuration.template.as_ref().map(TemplateUsed::label),
            mean,
            citations: (totals.found, totals.citations),
            tiers,
            attention: attention(&counts),
            counts,
            approvals,
            people: self.assignees().await?,
            who: self.who.clone(),
            seconds_left: seconds_left(run),
        })
    }

    /// What readers of a run must know about its documents.
    async fn document_findings(&self, run: &Run) -> Result<Vec<DocumentFinding>> {
        let mut findings = Vec::new();
        for (document, offsets) in
            self.store.documents().noticed(&self.organisation, &run.id).await?
        {
            let offsets: Offsets = serde_json::from_value(offsets).unwrap_or_default();
            findings.extend(document_findings(&offsets.notices).map(|finding| DocumentFinding {
                document: document.clone(),
                message: finding.message,
            }));
        }
        Ok(findings)
    }

    /// Why a result is looked at first, if it is: its kind among those that are.
    pub(super) async fn danger_of(
        &self,
        run: &Run,
        rubric: &Rubric,
        (criterion, number): (&str, i64),
    ) -> Result<Option<&'static str>> {
        let search = criterion.to_owned();
        let query = LineQuery { search, filter: triage(rubric), ..LineQuery::default() };
        let rows =
            self.store.views().lines(&self.organisation, &run.id, &query, DANGERS_MAX).await?;
        let row = rows.into_iter().find(|row| row.position + 1 == number);
        Ok(row.and_then(|row| danger(row.sort_key)))
    }

    /// A page of a run's lines.
    #[boxed]
    pub async fn evaluation_lines(
        &self,
        run: &Run,
        rubric: &Rubric,
        query: &LineQuery,
    ) -> Result<Lines> {
        let views = self.store.views();
        let mut rows = views.lines(&self.organisation, &run.id, query, PAGE + 1).await?;
        let is_more = rows.len() > usize::try_from(PAGE).unwrap_or(usize::MAX);
        if is_more {
            rows.pop();
        }
        let next = rows.last().filter(|_| is_more);
        let next = next.map(|row| cursor::write((row.sort_key, row.position)));
        let is_triage = matches!(query.filter, LineFilter::Triage(_));
        let shown = |row: LineRow| {
            let danger = danger(row.sort_key).filter(|_| is_triage);
            Line { danger, ..line(row, rubric) }
        };
        Ok(Lines { lines: rows.into_iter().map(shown).collect(), next })
    }
}

/// Criteria by the documents of a run, from a criterion on.
pub fn matrix(
    rubric: &Rubric,
    set: &SetOfDocuments,
    documents: Vec<String>,
    from: usize,
) -> Matrix {
    let to = from.saturating_add(MATRIX_ROWS);
    let mut rows: Vec<MatrixRow> = set
        .criteria
        .iter()
        .zip(&set.report.verdicts)
        .skip(from)
        .take(MATRIX_ROWS)
        .map(|(row, verdict)| MatrixRow {
            criteria_id: row.criteria_id.clone(),
            requirement: row.requirement.clone(),
            category: verdict.category.clone(),
            weight: verdict.weight,
            assignee: row.assignee.clone(),
            cells: vec![None; documents.len()],
            status: verdict.status.clone(),
        })
        .collect();
    for cell in set.cells.iter() {
        let row = place(cell.criterion).checked_sub(from).and_then(|place| rows.get_mut(place));
        let shown = row.and_then(|row| row.cells.get_mut(place(cell.document)));
        if let (Some(shown), Some(outcome)) = (shown, cell.outcome) {
            *shown = Some(MatrixCell {
                number: cell.position + 1,
                outcome: outcome.to_string(),
                score: cell.score,
                status: cell.score.map(|score| rubric.status(score)),
                is_decided: cell.is_decided,
            });
        }
    }
    let categories = set.report.categories.iter();
    let categories =
        categories.filter_map(|one| Some((one.category.clone(), one.score?, one.scored as u64)));
    let next = (to < set.criteria.len()).then_some(to);
    Matrix { next, categories: categories.collect(), documents, rows }
}

fn attention(counts: &Counts) -> Vec<Attention> {
    let said = |count: u64, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    let all = [
        Attention {
            filter: "triage",
            count: counts.triage,
            what: said(counts.triage, "verdict to look at first", "verdicts to look at first"),
            why: "the dangerous ones in order: met with weak evidence, quotes that are not there, \
                  near a boundary"
                .to_owned(),
        },
        Attention {
            filter: "unscored",
            count: counts.unscored,
            what: said(counts.unscored, "result has no score", "results have no score"),
            why: "each shows the reason; a missing score is not a zero".to_owned(),
        },
        Attention {
            filter: "unfound",
            count: counts.unfound,
            what: said(
                counts.unfound,
                "result quotes what is not in its document",
                "results quote what is not in their documents",
            ),
            why: "such a quote does not count as evidence".to_owned(),
        },
        Attention {
            filter: "edge",
            count: counts.edge,
            what: said(
                counts.edge,
                "score is within 2 points of a tier boundary",
                "scores are within 2 points of a tier boundary",
            ),
            why: "a review could change the label".to_owned(),
        },
        Attention {
            filter: "weak",
            count: counts.weak,
            what: said(counts.weak, "result is weak", "results are weak"),
            why: "in the lower tiers".to_owned(),
        },
    ];
    all.into_iter().filter(|one| one.count > 0).collect()
}

/// How long it will take at the pace so far.
pub fn seconds_left(run: &Run) -> Option<u64> {
    let since = run.started_at.filter(|_| run.state == RunState::Running)?;
    let seconds = (Utc::now() - since).num_seconds().max(0);
    let left = (run.items - run.items_done).max(0);
    let seconds = seconds.checked_mul(left)?.checked_div(run.items_done)?;
    u64::try_from(seconds).ok()
}

fn line(row: LineRow, rubric: &Rubric) -> Line {
    Line {
        number: row.position + 1,
        criteria_id: row.criteria_id,
        requirement: row.requirement,
        document: row.document,
        outcome: row.outcome.map_or("pending".to_owned(), |outcome| outcome.to_string()),
        reason: row.reason,
        score: row.score,
        status: row.score.map(|score| rubric.status(score)),
        ai_score: row.ai_score,
        confidence: row.confidence,
        citations: row.citations,
        is_decided: row.is_decided,
        assignee: row.assignee,
        danger: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_address_become_filters_and_others_show_everything() {
        let rubric = Rubric::default();
        assert_eq!(filter("weak", &rubric), LineFilter::Below(41.0));
        assert_eq!(filter("tier-5", &rubric), LineFilter::Between(81.0, 101.0));
        assert_eq!(filter("tier-1", &rubric), LineFilter::Between(0.0, 21.0));
        assert_eq!(filter("tier-9", &rubric), LineFilter::All);
        assert_eq!(filter("edge", &rubric), LineFilter::Near(vec![21.0, 41.0, 61.0, 81.0], 2.0));
        let LineFilter::Triage(found) = filter("triage", &rubric) else { panic!() };
        assert_eq!((found.met_from, found.near), (61.0, 2.0));
        assert_eq!(filter("'; DROP TABLE runs", &rubric), LineFilter::All);
    }
}
