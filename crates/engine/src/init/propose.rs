//! Checks proposed from the files of a folder, with bounds a little below what they reach today.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use async_recursion::async_recursion as boxed;

use super::kind::{self, Kind};
use super::{scan, text};
use crate::asking::JudgeName;
use crate::checks::spec::{
    Council, Evaluate, Files, Gate, Pairs, RankedBy, Retrieve, Score, Searched, Summary,
};
use crate::checks::{Asking, Spec, Update, run_suite};
use crate::retrieval::ranked::{Qrels, Reading};
use crate::retrieval::request::{Inputs, ScoreReport, ScoreRequest};
use crate::summary::SummaryRequest;
use crate::thresholds::Figures;

/// A file and what it seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its path below the folder.
    pub path: PathBuf,
    /// What it seems to be.
    pub kind: Kind,
}

/// What was recognised, and the text of a configuration file for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The names of the checks.
    pub checks: Vec<String>,
    /// The file.
    pub text: String,
    /// What could not be checked, and why.
    pub left_out: Vec<String>,
}

/// What is asked of an instrument's results: the measure, whether more of it is better, and how
/// far from today's value the bound lies.
type Bound = (&'static str, bool, f64);

/// On a scale from 0 to 1.
const ROOM: f64 = 0.02;
/// On the scale from 0 to 10 of summaries and councils.
const ROOM_OF_TEN: f64 = 0.5;
/// On the scale from 0 to 100 of documents.
const ROOM_OF_HUNDRED: f64 = 5.0;

/// The files of a folder that are known, and those that look like results and are not.
pub fn found(folder: &Path) -> io::Result<Vec<Found>> {
    let known = |path: PathBuf| {
        let whole = folder.join(&path);
        Some(Found { kind: kind::of(&whole).or_else(|| kind::unknown(&whole))?, path })
    };
    Ok(scan::files(folder)?.into_iter().filter_map(known).collect())
}

/// Proposes checks for files that were found.
#[boxed]
pub async fn propose(folder: &Path, files: &[Found], asking: &Asking) -> Proposal {
    let (specs, mut left_out) = specs(folder, files);
    let mut written = Vec::new();
    for mut spec in specs {
        match bounds(&spec, folder, asking).await {
            Ok((lines, remark)) => {
                spec.require = lines;
                written.push((spec, remark));
            }
            Err(problem) => left_out.push(format!("{}: {problem}", spec.name)),
        }
    }
    Proposal {
        checks: written.iter().map(|(spec, _)| spec.name.clone()).collect(),
        text: text::configuration(&written),
        left_out,
    }
}

/// A check for every run with the gold that fits it best, and for everything else that can be
/// checked by itself.
fn specs(folder: &Path, files: &[Found]) -> (Vec<Spec>, Vec<String>) {
    let of = |wanted: &Kind| -> Vec<&PathBuf> {
        files.iter().filter(|file| file.kind == *wanted).map(|file| &file.path).collect()
    };
    let named = |path: &Path| Spec { name: shown(path), ..Spec::default() };
    let (mut specs, mut left_out) = (Vec::new(), Vec::new());
    for run in of(&Kind::RunWithGold) {
        let content = Files { run: run.clone(), gold: None };
        let score = Some(Score { content, request: ScoreRequest::default() });
        specs.push(Spec { score, ..named(run) });
    }
    let gold = of(&Kind::Gold);
    for run in of(&Kind::Run) {
        match best_gold(folder, run, &gold) {
            Ok((gold, others)) => {
                left_out.extend(several(run, gold, &others));
                let content = Files { run: run.clone(), gold: Some(gold.clone()) };
                let score = Score { content, request: ScoreRequest::default() };
                specs.push(Spec { score: Some(score), ..named(run) });
            }
            Err(because) => {
                let run = shown(run);
                left_out.push(format!("{run}: no matching gold file for this run{because}"));
            }
        }
    }
    for queries in of(&Kind::Queries) {
        match searched(queries, &of(&Kind::Corpus), &gold) {
            Ok(content) => {
                let retrieve = Retrieve { content, request: ScoreRequest::default() };
                specs.push(Spec { retrieve: Some(retrieve), ..named(queries) });
            }
            Err(problem) => left_out.push(format!("{}: {problem}", shown(queries))),
        }
    }
    for file in files {
        if let Kind::Summaries(columns) = &file.kind {
            let (input, map) = (file.path.clone(), columns.map.clone());
            let content = Pairs { input, map, sheet: None };
            let summary = Summary { content, request: SummaryRequest::default() };
            specs.push(Spec { summary: Some(summary), ..named(&file.path) });
        }
    }
    for input in of(&Kind::Answers) {
        let gate = Gate { input: input.clone(), ..Gate::default() };
        specs.push(Spec { gate: Some(gate), ..named(input) });
    }
    for run in of(&Kind::Council) {
        specs.push(Spec { council: Some(Council { run: run.clone() }), ..named(run) });
    }
    let documents: Vec<PathBuf> = of(&Kind::Document).into_iter().cloned().collect();
    for criteria in of(&Kind::Criteria) {
        if documents.is_empty() {
            left_out.push(format!("{}: no document to evaluate against it", shown(criteria)));
            continue;
        }
        let evaluate = Evaluate {
            criteria: criteria.clone(),
            documents: beside(criteria, &documents),
            judge: JudgeName::Rules,
            map: BTreeMap::new(),
            sheet: None,
            skip_unusable: false,
        };
        specs.push(Spec { evaluate: Some(evaluate), ..named(criteria) });
    }
    (specs, left_out)
}

/// A search for queries in the corpus beside them, with the judgements of their folder.
fn searched(
    queries: &Path,
    corpora: &[&PathBuf],
    gold: &[&PathBuf],
) -> Result<Searched, &'static str> {
    let folder = queries.parent().unwrap_or(Path::new(""));
    let corpus = corpora.iter().find(|corpus| corpus.parent() == queries.parent());
    let corpus = corpus.ok_or("no corpus beside these queries")?;
    let qrels = gold.iter().find(|gold| gold.starts_with(folder));
    let qrels = qrels.ok_or("no judgements for these queries")?;
    Ok(Searched {
        queries: queries.to_owned(),
        corpus: (*corpus).clone(),
        qrels: Some((*qrels).clone()),
        method: RankedBy::default(),
    })
}

/// The documents in the folder of the criteria; all of them where there are none.
fn beside(criteria: &Path, documents: &[PathBuf]) -> Vec<PathBuf> {
    let near: Vec<PathBuf> =
        documents.iter().filter(|path| path.parent() == criteria.parent()).cloned().collect();
    if near.is_empty() { documents.to_vec() } else { near }
}

/// What to say where several golds fit a run as well.
fn several(run: &Path, gold: &Path, others: &[&PathBuf]) -> Option<String> {
    let all: Vec<String> =
        std::iter::once(gold).chain(others.iter().map(|path| path.as_path())).map(shown).collect();
    let count = if all.len() == 2 { "two".to_owned() } else { all.len().to_string() };
    (all.len() > 1).then(|| {
        let (run, list, gold) = (shown(run), all.join(", "), shown(gold));
        format!("{run}: {count} gold files match ({list}); using {gold}")
    })
}

/// The gold that leaves the fewest queries of a run without an answer, and those that fit as
/// well. Of these, one with several levels comes first, then one in the folder of the run. Where
/// none fits: how one is written otherwise that could have been meant, if there is one.
fn best_gold<'a>(
    folder: &Path,
    of: &Path,
    gold: &[&'a PathBuf],
) -> Result<(&'a PathBuf, Vec<&'a PathBuf>), String> {
    let run = folder.join(of);
    let (mut fits, mut disjoint) = (Vec::new(), Vec::new());
    for gold in gold {
        let request = ScoreRequest::default();
        match request.score(Inputs::Files(&run, &folder.join(gold))) {
            Ok(ScoreReport { board, .. }) => {
                fits.push(((board.unanswered, Reverse(board.rows.len())), *gold));
            }
            Err(error) if error.is_disjoint() => {
                disjoint.push(format!("; {}: {error}", shown(gold)));
            }
            Err(_) => {}
        }
    }
    let best = fits.iter().map(|(fit, _)| *fit).min();
    let best = best.ok_or_else(|| disjoint.first().cloned().unwrap_or_default())?;
    let mut best: Vec<&PathBuf> =
        fits.into_iter().filter(|(fit, _)| *fit == best).map(|(_, gold)| gold).collect();
    if best.len() > 1 {
        let is_graded = |gold: &Path| {
            let qrels = Qrels::load(&folder.join(gold), &Reading::default());
            qrels.is_ok_and(|qrels| qrels.is_graded())
        };
        // Stable: what is left equal stays in the order of names.
        best.sort_by_cached_key(|gold| (!is_graded(gold), gold.parent() != of.parent()));
    }
    let first = best.remove(0);
    Ok((first, best))
}

/// Requirements that hold today with some room, and a remark about what does not.
async fn bounds(
    spec: &Spec,
    folder: &Path,
    asking: &Asking,
) -> Result<(Vec<String>, Option<String>), String> {
    let wanted = measures(spec);
    // Any bound will do: what matters is what is measured.
    let require = wanted.iter().map(|(measure, ..)| format!("{measure} >= 0")).collect();
    let trial = Spec { require, ..spec.clone() };
    let mut outcomes = run_suite(&[trial], folder, asking, &Update::No).await;
    let outcome = outcomes.pop().ok_or("it was not run")?;
    let figures = outcome.end.map_err(|error| error.to_string())?.figures;
    let mut lines: Vec<String> = wanted.iter().filter_map(|bound| line(*bound, &figures)).collect();
    if lines.is_empty() {
        let is_scored = figures.means.iter().any(|(_, mean)| mean.is_some());
        let because = if is_scored {
            "its scores are so low that a run of zeros would pass any check of them"
        } else {
            "nothing in it has a score"
        };
        return Err(because.to_owned());
    }
    // A judge of documents leaves open what it cannot decide: that may not become more.
    if spec.instrument() == "evaluate" && figures.unscored > 0 {
        let share = (100 * figures.unscored).div_ceil(figures.count.max(1));
        lines.push(format!("unscored <= {share}%"));
        return Ok((lines, None));
    }
    Ok((lines, remark(&figures)))
}

fn remark(figures: &Figures) -> Option<String> {
    (figures.unscored > 0).then(|| {
        let (scored, all) = (figures.count - figures.unscored, figures.count);
        format!(
            "only {scored} of {all} have an answer and a score now, so this check fails; allow = \
             [\"missing\"] permits it"
        )
    })
}

fn measures(spec: &Spec) -> Vec<Bound> {
    match spec.instrument() {
        "score" | "retrieve" => vec![("recall@10", true, ROOM), ("ndcg@10", true, ROOM)],
        "summary" => {
            vec![("hallucination", true, ROOM_OF_TEN), ("coverage", true, ROOM_OF_TEN)]
        }
        "evaluate" => vec![("score", true, ROOM_OF_HUNDRED)],
        "council" => vec![("winner", true, ROOM_OF_TEN)],
        _ => vec![
            ("passed", true, ROOM),
            ("recall", true, ROOM),
            ("false_positive_rate", false, ROOM),
        ],
    }
}

/// A bound rounded away from today's value, so that today passes. None that every run meets: a
/// run of zeros would pass it, and whoever reads PASS would believe it.
fn line((measure, more_is_better, room): Bound, figures: &Figures) -> Option<String> {
    let mean = figures.mean(measure)??;
    if !more_is_better {
        let bound = ((mean + room) * 100.0).ceil() / 100.0;
        return (bound < 1.0).then(|| format!("{measure} <= {bound:.2}"));
    }
    let down = |value: f64| (value * 100.0).floor() / 100.0;
    let bound = [mean - room, mean].into_iter().map(down).find(|bound| *bound > 0.0)?;
    Some(format!("{measure} >= {bound:.2}"))
}

/// A path as it is written in a file, with the same sign between folders everywhere.
fn shown(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bound_is_proposed_that_a_run_of_zeros_passes() {
        let proposed = |mean, bound| line(bound, &Figures::of_means(&[("m", Some(mean))]));
        assert_eq!(proposed(0.825, ("m", true, ROOM)), Some("m >= 0.80".to_owned()));
        // Less room, rather than none to fail in.
        assert_eq!(proposed(0.015, ("m", true, ROOM)), Some("m >= 0.01".to_owned()));
        assert_eq!(proposed(0.0, ("m", true, ROOM)), None);
        assert_eq!(proposed(0.004, ("m", true, ROOM)), None);
        assert_eq!(proposed(0.105, ("m", false, ROOM)), Some("m <= 0.13".to_owned()));
        assert_eq!(proposed(0.99, ("m", false, ROOM)), None);
    }
}
