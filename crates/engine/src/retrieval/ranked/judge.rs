//! A run's documents for one query meet the judgements of that query.

use std::cmp::Ordering;

use assize_methods::retrieval::ranked::{Found, JudgedRanking, LevelCount};

use super::hash::{Table, hash};
use super::lists::{Item, Lists};
use super::options::{Duplicates, RankedOptions};

/// Turns retrieved documents into judged rankings, one query after the other, and keeps its
/// space from one to the next.
pub(super) struct Judge<'q> {
    qrels: &'q Lists<i32>,
    options: &'q RankedOptions,
    /// The documents best first, as positions in what was given; none stands twice.
    ranked: Vec<u32>,
    table: Table,
    found: Vec<Found>,
    judged: Vec<LevelCount>,
}

impl<'q> Judge<'q> {
    /// A judge who knows these judgements.
    pub(super) fn new(qrels: &'q Lists<i32>, options: &'q RankedOptions) -> Self {
        let (ranked, table) = (Vec::new(), Table::default());
        Self { qrels, options, ranked, table, found: Vec::new(), judged: Vec::new() }
    }

    /// The judgements it knows.
    pub(super) fn qrels(&self) -> &'q Lists<i32> {
        self.qrels
    }

    /// The ranking of the documents `items`, whose identifiers are in `text`, for the query at
    /// `position` of the qrels; or the document that stands twice.
    pub(super) fn ranking<'a>(
        &'a mut self,
        text: &'a [u8],
        items: &[Item<f64>],
        position: usize,
    ) -> Result<JudgedRanking<'a>, &'a [u8]> {
        self.rank(text, items)?;
        let depth = self.options.depth.unwrap_or(usize::MAX);
        let mut retrieved = self.ranked.len().min(depth);
        self.look_up(text, items, position, retrieved);
        if self.options.judged_only {
            self.found.retain(|found| found.level >= 0);
            for (found, rank) in self.found.iter_mut().zip(1..) {
                found.rank = rank;
            }
            retrieved = self.found.len();
        }
        Ok(JudgedRanking::new(retrieved, &self.found, &self.judged, self.options.relevant_from))
    }

    /// Puts the documents in order, and all of them in the table.
    fn rank<'a>(&mut self, text: &'a [u8], items: &[Item<f64>]) -> Result<(), &'a [u8]> {
        let count = u32::try_from(items.len()).expect("a query has fewer than 2^32 documents");
        self.ranked.clear();
        self.ranked.extend(0..count);
        let order = |left: &Item<f64>, right: &Item<f64>| {
            let key = |item: &Item<f64>| (item.value, item.document.of(text));
            self.options.ties.order(key(left), key(right))
        };
        // Most runs are sorted already, and strictly: then the scores alone tell.
        let in_order = |pair: &[Item<f64>]| {
            pair[0].value > pair[1].value || order(&pair[0], &pair[1]) != Ordering::Greater
        };
        if !items.windows(2).all(in_order) {
            self.ranked.sort_unstable_by(|left, right| {
                order(&items[*left as usize], &items[*right as usize]).then(left.cmp(right))
            });
        }
        self.table.clear(items.len() + 1);
        let mut kept = 0;
        for index in 0..self.ranked.len() {
            let item = self.ranked[index];
            let name = items[item as usize].document.of(text);
            self.ranked[kept] = item;
            let is_same =
                |known: usize| items[self.ranked[known] as usize].document.of(text) == name;
            match self.table.insert(hash(name), kept, is_same) {
                None => kept += 1,
                Some(_) if self.options.duplicates == Duplicates::KeepBest => {}
                Some(_) => return Err(name),
            }
        }
        self.ranked.truncate(kept);
        Ok(())
    }

    /// Looks every judged document up among the first `retrieved`.
    fn look_up(&mut self, text: &[u8], items: &[Item<f64>], position: usize, retrieved: usize) {
        self.found.clear();
        self.judged.clear();
        for judgement in self.qrels.items(position) {
            let name = self.qrels.document(judgement);
            let is_same =
                |known: usize| items[self.ranked[known] as usize].document.of(text) == name;
            let level = judgement.value;
            if let Some(index) = self.table.find(hash(name), is_same)
                && index < retrieved
            {
                let rank = u32::try_from(index + 1).expect("fewer than 2^32 documents");
                self.found.push(Found { rank, level });
            }
            if level < 0 {
                continue;
            }
            match self.judged.iter_mut().find(|counted| counted.level == level) {
                Some(counted) => counted.count += 1,
                None => self.judged.push(LevelCount { level, count: 1 }),
            }
        }
        self.found.sort_unstable_by_key(|found| found.rank);
        self.judged.sort_unstable_by_key(|counted| std::cmp::Reverse(counted.level));
    }
}

#[cfg(test)]
mod tests {
    use assize_methods::retrieval::ranked::{Ties, relevance_string};

    use super::super::lists::ListsBuilder;
    use super::*;

    /// The levels of a run's documents in rank order, under these options.
    fn levels(run: &[(&str, f64)], options: &RankedOptions) -> Result<String, String> {
        let mut qrels = ListsBuilder::new();
        for (document, level) in [("a", 1), ("b", 2), ("c", 3), ("d", -1)] {
            qrels.push(b"q", document.as_bytes(), level);
        }
        let mut retrieved = ListsBuilder::new();
        for (document, score) in run {
            retrieved.push(b"q", document.as_bytes(), *score);
        }
        let (qrels, retrieved) = (qrels.finish(), retrieved.finish());
        let mut judge = Judge::new(&qrels, options);
        let ranking = judge.ranking(retrieved.text(), retrieved.items(0), 0);
        ranking
            .map(|ranking| relevance_string(&ranking, 10))
            .map_err(|document| String::from_utf8_lossy(document).into_owned())
    }

    #[test]
    fn a_higher_score_stands_first_whatever_the_order_of_lines() {
        let options = RankedOptions::default();
        assert_eq!(levels(&[("a", 1.0), ("x", 2.0), ("c", 3.0)], &options).unwrap(), "3-1");
        assert_eq!(levels(&[("c", 3.0), ("a", 1.0), ("x", 2.0)], &options).unwrap(), "3-1");
    }

    #[test]
    fn ties_follow_the_rule_that_was_asked_for() {
        let run = [("b", 1.0), ("a", 1.0), ("c", 1.0)];
        let with =
            |ties| levels(&run, &RankedOptions { ties, ..RankedOptions::default() }).unwrap();
        assert_eq!(with(Ties::DocumentDescending), "321");
        assert_eq!(with(Ties::DocumentAscending), "123");
        assert_eq!(with(Ties::InputOrder), "213");
    }

    #[test]
    fn a_document_that_stands_twice_is_named_or_kept_once() {
        let run = [("a", 3.0), ("b", 2.0), ("a", 1.0), ("c", 0.5)];
        assert_eq!(levels(&run, &RankedOptions::default()), Err("a".to_owned()));
        let options =
            RankedOptions { duplicates: Duplicates::KeepBest, ..RankedOptions::default() };
        assert_eq!(levels(&run, &options).unwrap(), "123");
    }

    #[test]
    fn depth_cuts_and_judged_only_closes_gaps() {
        let run = [("x", 5.0), ("d", 4.0), ("a", 3.0), ("b", 2.0)];
        let depth = RankedOptions { depth: Some(3), ..RankedOptions::default() };
        assert_eq!(levels(&run, &depth).unwrap(), "-.1");
        let judged_only = RankedOptions { judged_only: true, ..RankedOptions::default() };
        assert_eq!(levels(&run, &judged_only).unwrap(), "12");
    }
}
