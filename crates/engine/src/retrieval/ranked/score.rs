//! A run against qrels: the scoreboard, and one query explained.

use std::collections::BTreeSet;
use std::path::Path;

use assize_methods::retrieval::ranked::{Combine, JudgedRanking, Measure, relevance_string};
use assize_score::{MethodVersion, Outcome, Verdict};

use super::blocks::Blocks;
use super::error::{RankedError, Result};
use super::format::{self, Kind};
use super::judge::{Judge, RetrievedList};
use super::options::{Format, RankedOptions, Reading};
use super::overlap::Disjoint;
use super::parallel::try_each;
use super::qrels::Qrels;
use super::run::Run;
use super::stream::{self, StreamedValues};
use crate::retrieval::scoreboard::{Aggregate, Column, Row, Scoreboard};

/// The method that makes these verdicts.
pub const METHOD: MethodVersion = MethodVersion::new("ranked-retrieval", 1);

/// Queries that one core takes at a time; fewer, and sharing costs more than it gains.
const QUERIES_AT_A_TIME: usize = 128;

/// How many queries a notice names before it only counts.
const NAMED_MAX: usize = 3;

/// Scores a run straight from its file, or from standard input when the path is `-`.
///
/// A TREC run whose queries come one after the other is scored while it is read and never
/// held in memory.
pub fn score_file(
    path: &Path,
    reading: &Reading,
    qrels: &Qrels,
    measures: &[Measure],
    options: &RankedOptions,
) -> Result<Scoreboard> {
    let blocks = Blocks::open(path)?;
    let format = match reading.format {
        Some(format) => format,
        None => format::detect(&blocks.head()?, path, Kind::Run),
    };
    if format == Format::Trec
        && let Some(scored) = stream::score(&blocks, &qrels.lists, measures, options)?
    {
        if scored.queries.is_empty() && scored.unjudged.is_empty() {
            let expected = "retrieved documents";
            return Err(RankedError::Nothing { file: path.to_owned(), expected });
        }
        return scoreboard(&scored, qrels, measures, options);
    }
    score(&Run::read(blocks, format, reading)?, qrels, measures, options)
}

/// Scores a run that is in memory, a share of the queries at a time on each core.
pub fn score(
    run: &Run,
    qrels: &Qrels,
    measures: &[Measure],
    options: &RankedOptions,
) -> Result<Scoreboard> {
    let state = || Judge::new(&qrels.lists, options);
    let shares = run.lists.len().div_ceil(QUERIES_AT_A_TIME);
    let parts = try_each(shares, state, |judge, share| {
        let start = share * QUERIES_AT_A_TIME;
        let mut scored = StreamedValues::default();
        for query in start..run.lists.len().min(start + QUERIES_AT_A_TIME) {
            let name = run.lists.query(query);
            match qrels.lists.find(name) {
                None => scored.unjudged.push(name.to_vec()),
                Some(position) => {
                    let ranking = judged(judge, run, query, position)?;
                    scored.queries.push(position);
                    scored.values.extend(measures.iter().map(|measure| measure.value(&ranking)));
                    scored.overlap.add(judge.ranked_last(), run.lists.retrieved(query).names());
                }
            }
        }
        Ok::<_, RankedError>(scored)
    })?;
    let mut scored = StreamedValues { has_surplus: run.has_surplus, ..StreamedValues::default() };
    for part in parts {
        scored.append(part);
    }
    scoreboard(&scored, qrels, measures, options)
}

/// One query of a run with the workings of every measure.
pub fn explain(
    run: &Run,
    qrels: &Qrels,
    query: &str,
    measures: &[Measure],
    options: &RankedOptions,
) -> Result<Verdict> {
    with_ranking(run, qrels, query, options, |ranking| {
        let outcome = |measure: &Measure| {
            (measure.to_string().into(), Outcome::from(measure.explain(ranking)))
        };
        let scores = measures.iter().map(outcome).collect();
        Verdict { method: METHOD, scores, findings: Vec::new() }
    })
}

/// The levels of a query's first documents, a character each: `trec_eval`'s `relstring`.
pub fn levels(
    run: &Run,
    qrels: &Qrels,
    query: &str,
    length: usize,
    options: &RankedOptions,
) -> Result<String> {
    with_ranking(run, qrels, query, options, |ranking| relevance_string(ranking, length))
}

fn with_ranking<T>(
    run: &Run,
    qrels: &Qrels,
    query: &str,
    options: &RankedOptions,
    then: impl FnOnce(&JudgedRanking<'_>) -> T,
) -> Result<T> {
    let missing = |place| RankedError::NoSuchQuery { query: query.to_owned(), place };
    let position = qrels.lists.find(query.as_bytes()).ok_or_else(|| missing("qrels"))?;
    let of_run = run.lists.find(query.as_bytes()).ok_or_else(|| missing("run"))?;
    let mut judge = Judge::new(&qrels.lists, options);
    Ok(then(&judged(&mut judge, run, of_run, position)?))
}

fn judged<'a>(
    judge: &'a mut Judge<'_>,
    run: &'a Run,
    query: usize,
    position: usize,
) -> Result<JudgedRanking<'a>> {
    let retrieved = run.lists.retrieved(query);
    judge
        .ranking(retrieved, position)
        .map_err(|document| RankedError::duplicate(&run.place(), run.lists.query(query), document))
}

/// Puts the values into the order of the qrels, with what the user should know.
fn scoreboard(
    scored: &StreamedValues,
    qrels: &Qrels,
    measures: &[Measure],
    options: &RankedOptions,
) -> Result<Scoreboard> {
    if scored.queries.is_empty() && (!options.all_queries || !scored.unjudged.is_empty()) {
        let text = |name: &Vec<u8>| String::from_utf8_lossy(name).into_owned();
        let of_run: BTreeSet<String> = scored.unjudged.iter().map(text).collect();
        let disjoint = Disjoint::new(&of_run, &qrels.queries().collect());
        let disjoint = disjoint.unwrap_or_else(|| Disjoint::with_nothing(qrels.name(0)));
        return Err(RankedError::NothingInCommon(Box::new(disjoint)));
    }
    let mut place: Vec<Option<usize>> = vec![None; qrels.len()];
    for (index, query) in scored.queries.iter().enumerate() {
        place[*query] = Some(index);
    }
    let mut judge = Judge::new(&qrels.lists, options);
    let columns: Vec<Column> = measures.iter().map(column).collect();
    let mut rows = Vec::with_capacity(scored.queries.len());
    let mut unanswered = Vec::new();
    for (position, place) in place.into_iter().enumerate() {
        let values = if let Some(index) = place {
            let start = index * measures.len();
            scored.values[start..start + measures.len()].to_vec()
        } else {
            unanswered.push(qrels.lists.query(position).to_vec());
            if !options.all_queries {
                continue;
            }
            let nothing = judge.ranking(RetrievedList::NOTHING, position);
            let ranking = nothing.expect("no document stands twice among none");
            measures.iter().map(|measure| measure.value(&ranking)).collect()
        };
        rows.push(Row::new(qrels.name(position), values, &columns)?);
    }
    // A run that is out of order may name such a query in several places.
    let mut seen = BTreeSet::new();
    let unjudged: Vec<_> =
        scored.unjudged.iter().filter(|name| seen.insert(*name)).cloned().collect();
    let of_run = [
        "in the run has no judgements and is skipped",
        "in the run have no judgements and are skipped",
    ];
    let of_qrels = if options.all_queries {
        [
            "in the qrels is not in the run and counts as 0",
            "in the qrels are not in the run and count as 0",
        ]
    } else {
        [
            "in the qrels is not in the run and is skipped",
            "in the qrels are not in the run and are skipped",
        ]
    };
    let surplus = "the run has lines with more than six fields; what follows the tag is ignored";
    let surplus = scored.has_surplus.then(|| surplus.to_owned());
    let disjoint = scored.overlap.disjoint(&qrels.lists).map(Box::new);
    let little = scored.overlap.notice(&qrels.lists).filter(|_| disjoint.is_none());
    let swapped = qrels.looks_like_run().then(|| {
        "no two documents of a query have the same level, as in a run: the run and its judgements \
         seem to be swapped"
            .to_owned()
    });
    let notices =
        [notice(&unjudged, of_run), notice(&unanswered, of_qrels), little, swapped, surplus];
    let notices = notices.into_iter().flatten().collect();
    let unanswered = if options.all_queries { 0 } else { unanswered.len() };
    let judged = Some(scored.overlap.share());
    Ok(Scoreboard { columns, rows, unanswered, notices, judged, disjoint })
}

fn column(measure: &Measure) -> Column {
    let aggregate = match measure.family().combine {
        Combine::Mean => Aggregate::Mean,
        Combine::Sum => Aggregate::Sum,
        Combine::GeometricMean => Aggregate::GeometricMean,
    };
    Column { name: measure.to_string(), aggregate, count: aggregate == Aggregate::Sum }
}

/// `2 queries of the run have no judgements and are left out: q7, q9`; what is said of one and
/// of several is given.
fn notice(queries: &[Vec<u8>], [one, several]: [&str; 2]) -> Option<String> {
    let mut names: Vec<_> =
        queries.iter().take(NAMED_MAX).map(|name| String::from_utf8_lossy(name)).collect();
    if queries.len() > NAMED_MAX {
        names.push("…".into());
    }
    let names = names.join(", ");
    match queries.len() {
        0 => None,
        1 => Some(format!("1 query {one}: {names}")),
        count => Some(format!("{count} queries {several}: {names}")),
    }
}
