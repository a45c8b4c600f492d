//! One query's ranking as the measures see it: where its judged documents stand.

/// The lowest level that counts as relevant unless somebody asks for another.
pub const RELEVANT_FROM: i32 = 1;

/// A retrieved document that the judgements mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Its rank, counted from 1.
    pub rank: u32,
    /// Its level of relevance; below 0 it was pooled for judging and never judged.
    pub level: i32,
}

/// How many documents were judged to be at one level, retrieved or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelCount {
    /// The level, 0 or above.
    pub level: i32,
    /// How many.
    pub count: u32,
}

/// A ranking with its judgements, and nothing else: most documents of a ranking were
/// never judged, so only those that were are kept.
#[derive(Debug, Clone, Copy)]
pub struct JudgedRanking<'a> {
    /// How many documents were retrieved.
    pub retrieved: usize,
    /// The retrieved documents that the judgements mention; ranks rise strictly.
    found: &'a [Found],
    /// The judged documents, retrieved or not; levels fall strictly, and none is below 0.
    judged: &'a [LevelCount],
    relevant_from: i32,
    relevant: usize,
}

impl<'a> JudgedRanking<'a> {
    /// A ranking of `retrieved` documents. Levels from `relevant_from` up are relevant.
    pub fn new(
        retrieved: usize,
        found: &'a [Found],
        judged: &'a [LevelCount],
        relevant_from: i32,
    ) -> Self {
        debug_assert!(found.is_sorted_by(|a, b| a.rank < b.rank), "ranks rise");
        debug_assert!(found.last().is_none_or(|last| last.rank as usize <= retrieved));
        debug_assert!(judged.is_sorted_by(|a, b| a.level > b.level), "levels fall");
        debug_assert!(judged.last().is_none_or(|last| last.level >= 0));
        let mut ranking = Self { retrieved, found, judged, relevant_from, relevant: 0 };
        ranking.relevant = ranking.judged_where(|level| ranking.is_relevant(level));
        ranking
    }

    /// The same ranking with another line between relevant and not.
    #[must_use]
    pub fn relevant_from(self, level: i32) -> Self {
        Self::new(self.retrieved, self.found, self.judged, level)
    }

    /// How many relevant documents there are, retrieved or not.
    pub fn relevant(&self) -> usize {
        self.relevant
    }

    /// How many documents were judged and found not relevant, retrieved or not.
    pub(crate) fn not_relevant(&self) -> usize {
        self.judged_where(|level| !self.is_relevant(level))
    }

    /// How many relevant documents stand at ranks up to `cutoff`.
    pub(crate) fn relevant_found(&self, cutoff: Option<usize>) -> usize {
        self.hits(cutoff).count()
    }

    /// The retrieved relevant documents up to `cutoff`: which one it is, from 1, and its rank.
    pub fn hits(&self, cutoff: Option<usize>) -> impl Iterator<Item = (usize, usize)> + Clone {
        let this = *self;
        this.found_within(cutoff)
            .filter(move |found| this.is_relevant(found.level))
            .enumerate()
            .map(|(index, found)| (index + 1, found.rank as usize))
    }

    /// The retrieved documents that the judgements mention, up to `cutoff`.
    pub fn found_within(
        &self,
        cutoff: Option<usize>,
    ) -> impl Iterator<Item = Found> + Clone + use<'a> {
        let last = cutoff.unwrap_or(self.retrieved);
        self.found.iter().copied().take_while(move |found| found.rank as usize <= last)
    }

    /// The judged documents at each level, from the highest down.
    pub fn judged(&self) -> &'a [LevelCount] {
        self.judged
    }

    /// Whether a document at `level` counts as relevant.
    pub(crate) fn is_relevant(&self, level: i32) -> bool {
        level >= 0 && level >= self.relevant_from
    }

    fn judged_where(&self, wanted: impl Fn(i32) -> bool) -> usize {
        let counts = self.judged.iter().filter(|counted| wanted(counted.level));
        counts.map(|counted| counted.count as usize).sum()
    }
}

/// The levels of the first documents, a character each, as `trec_eval` prints `relstring`:
/// `0`-`9`, `>` above 9, `-` for a document that no judgement mentions, `.` for one that was
/// pooled and never judged.
///
/// ```
/// use assize_methods::retrieval::ranked::{Found, JudgedRanking, relevance_string};
/// let found = [Found { rank: 2, level: 3 }, Found { rank: 3, level: -1 }];
/// let ranking = JudgedRanking::new(4, &found, &[], 1);
/// assert_eq!(relevance_string(&ranking, 10), "-3.-");
/// ```
pub fn relevance_string(ranking: &JudgedRanking<'_>, length: usize) -> String {
    let mut characters = vec!['-'; length.min(ranking.retrieved)];
    for found in ranking.found_within(Some(length)) {
        characters[found.rank as usize - 1] = match u32::try_from(found.level) {
            Err(_) => '.',
            Ok(level) => char::from_digit(level, 10).unwrap_or('>'),
        };
    }
    characters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_the_line_of_relevance_recounts_what_is_relevant() {
        let found = [Found { rank: 1, level: 1 }, Found { rank: 2, level: 2 }];
        let judged = [LevelCount { level: 2, count: 3 }, LevelCount { level: 1, count: 4 }];
        let ranking = JudgedRanking::new(2, &found, &judged, RELEVANT_FROM);
        assert_eq!((ranking.relevant(), ranking.relevant_found(None)), (7, 2));
        let strict = ranking.relevant_from(2);
        assert_eq!((strict.relevant(), strict.not_relevant()), (3, 4));
        assert_eq!(strict.hits(None).collect::<Vec<_>>(), [(1, 2)]);
    }

    #[test]
    fn what_was_never_judged_is_neither_relevant_nor_not() {
        let found = [Found { rank: 1, level: -1 }];
        let ranking = JudgedRanking::new(1, &found, &[], -5);
        assert_eq!((ranking.relevant_found(None), ranking.not_relevant()), (0, 0));
    }
}
