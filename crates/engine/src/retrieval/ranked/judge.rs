//! A run's documents for one query meet the judgements of that query.

use std::cmp::Ordering;

use assize_methods::retrieval::ranked::{Found, JudgedRanking, LevelCount, Ties};

use super::hash::{Table, hash};
use super::lists::{Item, Lists};
use super::options::{Duplicates, RankedOptions};

/// Up to how many judged documents, for each bit of the number of retrieved ones, counting what
/// stands above each is quicker than putting all in order.
const COUNTED_FOR_EACH_BIT: usize = 16;

/// The documents that a run lists under one query.
#[derive(Debug, Clone, Copy)]
pub(super) struct RetrievedList<'a> {
    /// What the identifiers are stretches of.
    pub(super) text: &'a [u8],
    pub(super) items: &'a [Item<f64>],
    /// Whether it is known that none stands twice.
    pub(super) distinct: bool,
}

impl<'a> RetrievedList<'a> {
    pub(super) const NOTHING: Self = Self { text: &[], items: &[], distinct: true };

    /// The documents, in the order given.
    pub(super) fn names(self) -> impl Iterator<Item = &'a [u8]> {
        self.items.iter().map(move |item| item.document.of(self.text))
    }

    fn name(&self, index: usize) -> &'a [u8] {
        self.items[index].document.of(self.text)
    }

    /// Which of two stands first.
    fn order(&self, ties: Ties, left: usize, right: usize) -> Ordering {
        let key = |index: usize| (self.items[index].value, self.name(index));
        ties.order(key(left), key(right)).then(left.cmp(&right))
    }

    /// Whether they stand best first. Most runs do, and strictly: then the scores alone tell.
    fn is_in_order(&self, ties: Ties) -> bool {
        let in_order = |right: usize| {
            let left = right - 1;
            self.items[left].value > self.items[right].value
                || self.order(ties, left, right) == Ordering::Less
        };
        (1..self.items.len()).all(in_order)
    }
}

impl Lists<f64> {
    /// The documents of a query by its position.
    pub(super) fn retrieved(&self, position: usize) -> RetrievedList<'_> {
        let (text, items) = (self.text(), self.items(position));
        RetrievedList { text, items, distinct: self.is_distinct() }
    }
}

/// Turns retrieved documents into judged rankings, one query after the other, and keeps its
/// space from one to the next.
pub(super) struct Judge<'q> {
    qrels: &'q Lists<i32>,
    options: &'q RankedOptions,
    /// The documents best first, as positions in what was given.
    ranked: Vec<u32>,
    /// The scores in the order given, without minus zero.
    scores: Vec<f64>,
    table: Table,
    found: Vec<Found>,
    judged: Vec<LevelCount>,
    ranked_last: QueryJudgement,
}

/// What one query had in common with its judgements.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct QueryJudgement {
    /// Whether any retrieved document was judged, at whatever depth.
    pub(super) is_matched: bool,
    /// How many documents are within the depth that is looked at.
    pub(super) retrieved: usize,
    /// How many of them were judged.
    pub(super) judged: usize,
}

impl<'q> Judge<'q> {
    /// A judge who knows these judgements.
    pub(super) fn new(qrels: &'q Lists<i32>, options: &'q RankedOptions) -> Self {
        Self {
            qrels,
            options,
            ranked: Vec::new(),
            scores: Vec::new(),
            table: Table::default(),
            found: Vec::new(),
            judged: Vec::new(),
            ranked_last: QueryJudgement::default(),
        }
    }

    /// What the query that was ranked last had in common with its judgements.
    pub(super) fn ranked_last(&self) -> QueryJudgement {
        self.ranked_last
    }

    /// The judgements it knows.
    pub(super) fn qrels(&self) -> &'q Lists<i32> {
        self.qrels
    }

    /// The ranking of what was retrieved for the query at `position` of the qrels; or the
    /// document that stands twice.
    pub(super) fn ranking<'a>(
        &'a mut self,
        of: RetrievedList<'a>,
        position: usize,
    ) -> Result<JudgedRanking<'a>, &'a [u8]> {
        self.found.clear();
        self.count_levels(position);
        let mut retrieved = of.items.len();
        if self.options.duplicates == Duplicates::KeepBest && !of.distinct {
            self.sort(of);
            self.keep_best(of);
            self.look_up(of, position);
            retrieved = self.ranked.len();
        } else if of.distinct && self.qrels.items(position).len() < retrieved {
            self.look_for_judged(of, position);
            self.place(of);
        } else {
            self.list_all(of)?;
            self.look_up(of, position);
            self.place(of);
        }
        let is_matched = !self.found.is_empty();
        self.found.sort_unstable_by_key(|found| found.rank);
        retrieved = retrieved.min(self.options.depth.unwrap_or(usize::MAX));
        self.found.retain(|found| found.rank as usize <= retrieved);
        let judged = self.found.iter().filter(|found| found.level >= 0).count();
        self.ranked_last = QueryJudgement { is_matched, retrieved, judged };
        if self.options.judged_only {
            self.found.retain(|found| found.level >= 0);
            for (found, rank) in self.found.iter_mut().zip(1..) {
                found.rank = rank;
            }
            retrieved = self.found.len();
        }
        Ok(JudgedRanking::new(retrieved, &self.found, &self.judged, self.options.relevant_from))
    }

    fn count_levels(&mut self, position: usize) {
        self.judged.clear();
        for level in self.qrels.items(position).iter().map(|judgement| judgement.value) {
            if level < 0 {
                continue;
            }
            match self.judged.iter_mut().find(|counted| counted.level == level) {
                Some(counted) => counted.count += 1,
                None => self.judged.push(LevelCount { level, count: 1 }),
            }
        }
        self.judged.sort_unstable_by_key(|counted| std::cmp::Reverse(counted.level));
    }

    /// Puts every retrieved document in the table, in the order given; none may stand twice.
    fn list_all<'a>(&mut self, of: RetrievedList<'a>) -> Result<(), &'a [u8]> {
        let count = counted(of.items.len());
        self.ranked.clear();
        self.ranked.extend(0..count);
        self.table.clear(of.items.len() + 1);
        for index in 0..of.items.len() {
            let name = of.name(index);
            if self.table.insert(hash(name), index, |known| of.name(known) == name).is_some() {
                return Err(name);
            }
        }
        Ok(())
    }

    /// Looks every judged document up in the table; its place there stands for its rank.
    fn look_up(&mut self, of: RetrievedList<'_>, position: usize) {
        for judgement in self.qrels.items(position) {
            let name = self.qrels.document(judgement);
            let is_same = |known: usize| of.name(self.ranked[known] as usize) == name;
            if let Some(index) = self.table.find(hash(name), is_same) {
                self.found.push(Found { rank: counted(index + 1), level: judgement.value });
            }
        }
    }

    /// The other way round, where none stands twice: every retrieved document is looked up among
    /// those that were judged, which are few and stay close at hand.
    fn look_for_judged(&mut self, of: RetrievedList<'_>, position: usize) {
        let judgements = self.qrels.items(position);
        self.table.clear(judgements.len() + 1);
        for (index, judgement) in judgements.iter().enumerate() {
            self.table.insert(hash(self.qrels.document(judgement)), index, |_| false);
        }
        for (index, item) in of.items.iter().enumerate() {
            let name = item.document.of(of.text);
            let is_same = |known: usize| self.qrels.document(&judgements[known]) == name;
            if let Some(known) = self.table.find(hash(name), is_same) {
                let level = judgements[known].value;
                self.found.push(Found { rank: counted(index + 1), level });
            }
        }
    }

    /// Turns places in what was given into ranks.
    fn place(&mut self, of: RetrievedList<'_>) {
        let ties = self.options.ties;
        if self.found.is_empty() || of.is_in_order(ties) {
            return;
        }
        let bits = of.items.len().ilog2() as usize;
        if self.found.len() > COUNTED_FOR_EACH_BIT * bits {
            self.sort(of);
            let mut ranks = vec![0; self.ranked.len()];
            for (item, rank) in self.ranked.iter().zip(1..) {
                ranks[*item as usize] = rank;
            }
            self.found.iter_mut().for_each(|found| found.rank = ranks[found.rank as usize - 1]);
            return;
        }
        self.scores.clear();
        // Zero and minus zero are one score.
        self.scores.extend(of.items.iter().map(|item| item.value + 0.0));
        for found in &mut self.found {
            found.rank = rank(of, &self.scores, found.rank as usize - 1, ties);
        }
    }

    /// Puts the documents in order.
    fn sort(&mut self, of: RetrievedList<'_>) {
        self.ranked.clear();
        self.ranked.extend(0..counted(of.items.len()));
        let ties = self.options.ties;
        if !of.is_in_order(ties) {
            let order = |left: &u32, right: &u32| of.order(ties, *left as usize, *right as usize);
            self.ranked.sort_unstable_by(order);
        }
    }

    /// Puts the documents in the table by their rank, and drops those that stand above already.
    fn keep_best(&mut self, of: RetrievedList<'_>) {
        self.table.clear(of.items.len() + 1);
        let mut kept = 0;
        for index in 0..self.ranked.len() {
            let item = self.ranked[index];
            let name = of.name(item as usize);
            self.ranked[kept] = item;
            let is_same = |known: usize| of.name(self.ranked[known] as usize) == name;
            if self.table.insert(hash(name), kept, is_same).is_none() {
                kept += 1;
            }
        }
        self.ranked.truncate(kept);
    }
}

/// The rank of one document: how many stand above it, and one.
fn rank(of: RetrievedList<'_>, scores: &[f64], index: usize, ties: Ties) -> u32 {
    let score = scores[index];
    let (mut above, mut same) = (0_u64, 0_u64);
    for other in scores {
        above += u64::from(*other > score);
        same += u64::from(*other == score);
    }
    if same > 1 {
        let alike = (0..scores.len()).filter(|other| scores[*other] == score);
        let before = alike.filter(|other| of.order(ties, *other, index) == Ordering::Less);
        above += before.count() as u64;
    }
    u32::try_from(above + 1).expect("a query has fewer than 2^32 documents")
}

fn counted(documents: usize) -> u32 {
    u32::try_from(documents).expect("a query has fewer than 2^32 documents")
}

#[cfg(test)]
mod tests {
    use assize_methods::retrieval::ranked::relevance_string;
    use proptest::prelude::*;

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
        let ranking = judge.ranking(retrieved.retrieved(0), 0);
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

    /// Ranks and levels of the judged documents by the rule itself: everything put in order.
    fn by_sorting(run: &[(String, f64)], judged: &[(String, i32)], ties: Ties) -> Vec<Found> {
        let mut order: Vec<usize> = (0..run.len()).collect();
        let key = |index: usize| (run[index].1, run[index].0.as_bytes());
        order.sort_by(|left, right| ties.order(key(*left), key(*right)));
        let level = |name: &String| judged.iter().find(|(judged, _)| judged == name);
        let ranked = order.iter().zip(1..);
        let found = ranked.filter_map(|(index, rank)| {
            level(&run[*index].0).map(|(_, level)| Found { rank, level: *level })
        });
        found.collect()
    }

    proptest! {
        #[test]
        fn every_way_of_ranking_gives_the_same_ranks(
            scores in prop::collection::vec(-3..4_i8, 1..120),
            judged in prop::collection::btree_map(0..140_u8, -1..3_i32, 1..140),
            ties in prop::sample::select(vec![
                Ties::DocumentDescending, Ties::DocumentAscending, Ties::InputOrder,
            ]),
            depth in prop::option::of(1..50_usize),
        ) {
            // Names whose order is not that of the input; -0.0 among the scores.
            let name = |number: u8| format!("d{}", u16::from(number) * 37 % 211);
            let run: Vec<(String, f64)> =
                (0..).zip(&scores).map(|(number, score)| (name(number), f64::from(*score) * -0.5)).collect();
            let judged: Vec<(String, i32)> =
                judged.into_iter().map(|(number, level)| (name(number), level)).collect();
            let (mut lists, mut qrels) = (ListsBuilder::new(), ListsBuilder::new());
            for (name, score) in &run {
                lists.push(b"q", name.as_bytes(), *score);
            }
            for (name, level) in &judged {
                qrels.push(b"q", name.as_bytes(), *level);
            }
            let (lists, qrels) = (lists.finish(), qrels.finish());
            let kept = depth.unwrap_or(usize::MAX);
            let mut expected = by_sorting(&run, &judged, ties);
            expected.retain(|found| found.rank as usize <= kept);
            for duplicates in [Duplicates::Refuse, Duplicates::KeepBest] {
                let options = RankedOptions { ties, depth, duplicates, ..RankedOptions::default() };
                for distinct in [false, true] {
                    let mut judge = Judge::new(&qrels, &options);
                    let of = RetrievedList { distinct, ..lists.retrieved(0) };
                    let ranking = judge.ranking(of, 0).unwrap();
                    prop_assert_eq!(ranking.retrieved, run.len().min(kept));
                    prop_assert_eq!(ranking.found_within(None).collect::<Vec<_>>(), &expected[..]);
                }
            }
        }
    }
}
