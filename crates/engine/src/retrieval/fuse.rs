//! Fusion: several runs in, one run out.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use assize_methods::retrieval::fusion::{Fusion, Retrieved};
use assize_methods::retrieval::ranked::Ties;

use super::ranked::{Disjoint, RankedError, Result, Run};

/// Names of a run that are compared with those of others, to tell how they are written.
const NAMES_COMPARED_MAX: usize = 1_000;

/// How runs are fused.
#[derive(Debug, Clone, PartialEq)]
pub struct FuseOptions {
    /// The arithmetic.
    pub fusion: Fusion,
    /// The order of documents with the same score, in the runs and in the result.
    pub ties: Ties,
    /// How many documents of each query the result keeps; `None` for all.
    pub depth: Option<usize>,
    /// What the result calls itself.
    pub name: String,
}

impl Default for FuseOptions {
    fn default() -> Self {
        let (fusion, ties) = (Fusion::default(), Ties::default());
        Self { fusion, ties, depth: None, name: "fused".to_owned() }
    }
}

/// Fuses runs, query by query. A query that only some runs answer is fused from those.
///
/// The result has the queries of the first run in its order, then those that others add, and
/// under each the documents best first.
pub fn fuse(runs: &[Run], options: &FuseOptions) -> Result<Run> {
    options.fusion.check(runs.len())?;
    let mut fused = Vec::new();
    for (first, run) in runs.iter().enumerate() {
        for (query, _) in run.queries() {
            if runs[..first].iter().any(|earlier| earlier.documents(query).is_some()) {
                continue;
            }
            let ranked = fuse_query(runs, query, options)?;
            fused.extend(ranked.into_iter().map(|(document, score)| (query, document, score)));
        }
    }
    Ok(Run::from_bytes(options.name.clone(), fused))
}

/// What to say of runs that share no query, or no document of a query, with those before: their
/// fusion is each run by itself.
pub fn notices(runs: &[Run]) -> Vec<String> {
    let noticed = |index| {
        let (run, before): (&Run, &[Run]) = (&runs[index], &runs[..index]);
        let (what, Disjoint { run: own, qrels: theirs, difference }) = unshared(run, before)?;
        let name = &run.name;
        Some(format!(
            "{name}: no {what} in common with the runs before; it has `{own}`, they have \
             `{theirs}`{difference}"
        ))
    };
    (1..runs.len()).filter_map(noticed).collect()
}

/// What a run does not share with those before, with a name of each side.
fn unshared(run: &Run, before: &[Run]) -> Option<(&'static str, Disjoint)> {
    let listed = |run, query: &[u8]| -> Vec<String> {
        let documents = Run::documents(run, query).into_iter().flatten();
        documents.map(|(document, _)| string(document)).collect()
    };
    let (mut own, mut theirs) = (BTreeSet::new(), BTreeSet::new());
    for (query, _) in run.queries() {
        let others: BTreeSet<String> =
            before.iter().flat_map(|other| listed(other, query)).collect();
        let documents = listed(run, query);
        if documents.iter().any(|document| others.contains(document)) {
            return None;
        }
        if own.len() < NAMES_COMPARED_MAX && !others.is_empty() {
            own.extend(documents);
            theirs.extend(others);
        }
    }
    if !own.is_empty() {
        return Some(("document", Disjoint::new(&own, &theirs)?));
    }
    let queries = |run: &Run| -> Vec<String> {
        run.queries().take(NAMES_COMPARED_MAX).map(|(query, _)| string(query)).collect()
    };
    let (own, theirs) = (queries(run).into_iter().collect(), before.iter().flat_map(queries));
    Some(("query", Disjoint::new(&own, &theirs.collect())?))
}

/// The documents of one query, best first, with their new scores.
fn fuse_query<'a>(
    runs: &'a [Run],
    query: &[u8],
    options: &FuseOptions,
) -> Result<Vec<(&'a [u8], f64)>> {
    let mut documents = Documents::default();
    let mut rankings = Vec::with_capacity(runs.len());
    for run in runs {
        let mut listed: Vec<(&[u8], f64)> = run.documents(query).into_iter().flatten().collect();
        if let Some((document, _)) = listed.iter().find(|(_, score)| score.is_infinite()) {
            return Err(RankedError::Infinite {
                run: run.name.clone(),
                query: string(query),
                document: string(document),
            });
        }
        sort(&mut listed, options.ties);
        let ranking = documents.numbered(&listed);
        let mut seen = vec![false; documents.names.len()];
        let twice = ranking.iter().find(|item| std::mem::replace(&mut seen[item.document], true));
        if let Some(item) = twice {
            let document = documents.names[item.document];
            return Err(RankedError::duplicate(&run.place(), query, document));
        }
        rankings.push(ranking);
    }
    let scores = options.fusion.scores(&rankings, documents.names.len());
    let mut fused: Vec<(&[u8], f64)> = documents.names.into_iter().zip(scores).collect();
    sort(&mut fused, options.ties);
    fused.truncate(options.depth.unwrap_or(usize::MAX));
    Ok(fused)
}

/// Puts the best first.
fn sort(documents: &mut [(&[u8], f64)], ties: Ties) {
    documents.sort_by(|left, right| ties.order((left.1, left.0), (right.1, right.0)));
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The documents of a query over all runs, each with a number.
#[derive(Default)]
struct Documents<'a> {
    numbers: BTreeMap<&'a [u8], usize>,
    names: Vec<&'a [u8]>,
}

impl<'a> Documents<'a> {
    fn numbered(&mut self, listed: &[(&'a [u8], f64)]) -> Vec<Retrieved> {
        let number = |(name, score): &(&'a [u8], f64)| {
            let document = *self.numbers.entry(name).or_insert_with(|| {
                self.names.push(name);
                self.names.len() - 1
            });
            Retrieved { document, score: *score }
        };
        listed.iter().map(number).collect()
    }
}

/// Writes a run in TREC's format, its documents as they stand; scores read back as the same.
pub fn write_trec(run: &Run, output: &mut impl Write) -> Result<()> {
    let tag = field(run.name.as_bytes(), "the run's name")?;
    let mut line = Vec::new();
    for (query, documents) in run.queries() {
        let query = field(query, "a query")?;
        for ((document, score), rank) in documents.zip(1_u64..) {
            line.clear();
            line.extend_from_slice(query);
            line.extend_from_slice(b" Q0 ");
            line.extend_from_slice(field(document, "a document")?);
            line.extend_from_slice(format!(" {rank} {score} ").as_bytes());
            line.extend_from_slice(tag);
            line.push(b'\n');
            output.write_all(&line).map_err(RankedError::Write)?;
        }
    }
    output.flush().map_err(RankedError::Write)
}

/// White space stands between the fields of a line, and so within none.
fn field<'a>(text: &'a [u8], what: &'static str) -> Result<&'a [u8]> {
    if text.is_empty() || text.iter().any(|byte| *byte <= b' ') {
        return Err(RankedError::Unwritable { what, text: string(text) });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use assize_methods::retrieval::fusion::{Method, Norm};

    use super::*;

    fn runs() -> [Run; 2] {
        [
            Run::from_scores("one", [("q1", "a", 9.0), ("q1", "b", 8.0), ("q2", "a", 1.0)]),
            Run::from_scores("two", [("q3", "x", 1.0), ("q1", "c", 0.1), ("q1", "b", 0.7)]),
        ]
    }

    fn written(runs: &[Run], options: &FuseOptions) -> String {
        let mut output = Vec::new();
        write_trec(&fuse(runs, options).unwrap(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    /// b: 1/62 + 1/61; a: 1/61; c: 1/62.
    #[test]
    fn every_query_is_fused_from_the_runs_that_answer_it() {
        let text = written(&runs(), &FuseOptions::default());
        let ranked: Vec<(&str, &str, &str)> = text
            .lines()
            .map(|line| {
                let fields: Vec<&str> = line.split(' ').collect();
                (fields[0], fields[2], fields[3])
            })
            .collect();
        let expected = [
            ("q1", "b", "1"),
            ("q1", "a", "2"),
            ("q1", "c", "3"),
            ("q2", "a", "1"),
            ("q3", "x", "1"),
        ];
        assert_eq!(ranked, expected);
        let score = text.lines().next().unwrap().split(' ').nth(4).unwrap();
        assert_eq!(score.parse::<f64>().unwrap(), 1.0 / 62.0 + 1.0 / 61.0);
    }

    #[test]
    fn depth_and_ties_are_followed() {
        let fusion = Fusion { method: Method::CombSum, norm: Norm::MinMax, weights: Vec::new() };
        let options = FuseOptions {
            fusion,
            depth: Some(2),
            name: "both".to_owned(),
            ..FuseOptions::default()
        };
        // a 1, b 0 + 1, c 0: a and b tie, and the higher name stands first.
        let text = written(&runs(), &options);
        assert!(text.starts_with("q1 Q0 b 1 1 both\nq1 Q0 a 2 1 both\nq2 "), "{text}");
    }

    #[test]
    fn what_cannot_be_fused_or_written_is_refused() {
        let bad = [Run::from_scores("bad", [("q", "d", f64::INFINITY)])];
        let message = fuse(&bad, &FuseOptions::default()).unwrap_err().to_string();
        assert_eq!(
            message,
            "run `bad` has an infinite score for document `d` in query `q` and cannot be fused"
        );
        let twice = [Run::from_scores("twice", [("q", "d", 1.0), ("q", "d", 2.0)])];
        let message = fuse(&twice, &FuseOptions::default()).unwrap_err().to_string();
        assert_eq!(message, "twice: document `d` appears twice for query `q`");
        let spaced = Run::from_scores("spaced", [("q", "a document", 1.0)]);
        let message = write_trec(&spaced, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(
            message,
            "a document in TREC format must not be empty or contain whitespace, but is `a document`"
        );
        let weights = Fusion { weights: vec![1.0], ..Fusion::default() };
        let options = FuseOptions { fusion: weights, ..FuseOptions::default() };
        assert!(fuse(&runs(), &options).is_err());
    }
}
