//! Which relevant documents of a query were retrieved, by name, and which were not.

use std::collections::BTreeSet;

use super::error::{RankedError, Result};
use super::options::{Duplicates, RankedOptions};
use super::qrels::Qrels;
use super::run::Run;

/// The relevant documents of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relevant {
    /// Those that were retrieved: name, rank from 1, level; best first.
    pub retrieved: Vec<(String, usize, i32)>,
    /// Those that were not: name and level, in the order of the judgements.
    pub missing: Vec<(String, i32)>,
}

/// The relevant documents of a query that was judged, ranked as its measures rank them.
pub fn relevant(
    run: &Run,
    qrels: &Qrels,
    query: &str,
    options: &RankedOptions,
) -> Result<Relevant> {
    let missing = |place| RankedError::NoSuchQuery { query: query.to_owned(), place };
    let position = qrels.lists.find(query.as_bytes()).ok_or_else(|| missing("qrels"))?;
    let judged = qrels.lists.items(position).iter();
    let judged: Vec<(&[u8], i32)> =
        judged.map(|item| (qrels.lists.document(item), item.value)).collect();
    let retrieved = run.documents(query.as_bytes()).ok_or_else(|| missing("run"))?;
    let mut ranked: Vec<(&[u8], f64)> = retrieved.collect();
    // Stable: where the rule for ties says nothing, the order of the input decides.
    ranked.sort_by(|left, right| options.ties.order((left.1, left.0), (right.1, right.0)));
    if options.duplicates == Duplicates::KeepBest {
        let mut known = BTreeSet::new();
        ranked.retain(|(name, _)| known.insert(*name));
    }
    ranked.truncate(options.depth.unwrap_or(usize::MAX));
    if options.judged_only {
        let known: BTreeSet<&[u8]> =
            judged.iter().filter(|(_, level)| *level >= 0).map(|(name, _)| *name).collect();
        ranked.retain(|(name, _)| known.contains(name));
    }
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let mut found = Relevant::default();
    for (name, level) in judged.into_iter().filter(|(_, level)| *level >= options.relevant_from) {
        match ranked.iter().position(|(known, _)| *known == name) {
            Some(place) => found.retrieved.push((text(name), place + 1, level)),
            None => found.missing.push((text(name), level)),
        }
    }
    found.retrieved.sort_by_key(|(_, rank, _)| *rank);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevant_documents_are_named_with_their_ranks() {
        let qrels = [("q", "a", 1), ("q", "b", 2), ("q", "c", 3), ("q", "x", 0)];
        let qrels = Qrels::from_judgements(qrels).unwrap();
        let run = Run::from_scores("r", [("q", "x", 3.0), ("q", "b", 1.0), ("q", "a", 1.0)]);
        let of = |options: &RankedOptions| relevant(&run, &qrels, "q", options).unwrap();
        let found = of(&RankedOptions::default());
        // Of two with one score, the higher name stands first.
        assert_eq!(found.retrieved, [("b".to_owned(), 2, 2), ("a".to_owned(), 3, 1)]);
        assert_eq!(found.missing, [("c".to_owned(), 3)]);
        let cut = of(&RankedOptions { depth: Some(2), ..RankedOptions::default() });
        assert_eq!(cut.missing, [("a".to_owned(), 1), ("c".to_owned(), 3)]);
        assert!(relevant(&run, &qrels, "z", &RankedOptions::default()).is_err());
    }
}
