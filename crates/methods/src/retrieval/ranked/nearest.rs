//! The known names that look most like an unknown one.

/// How many names are worth suggesting.
const SUGGESTIONS_MAX: usize = 3;

/// The candidates nearest to `name`, nearest first, none that is more than half different.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = name.chars().count().div_ceil(2).max(1);
    let mut near: Vec<(usize, &str)> = candidates
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(SUGGESTIONS_MAX).map(|(_, candidate)| candidate).collect()
}

/// Levenshtein's distance: the fewest letters to insert, drop or change.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 0..right.len() {
            let changed = diagonal + usize::from(letter != right[column]);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_single_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "map"), 3);
        assert_eq!(distance("ndgc", "ndcg"), 2);
    }

    #[test]
    fn the_nearest_name_comes_first_and_strangers_not_at_all() {
        let names = ["ndcg", "recall", "map"];
        assert_eq!(nearest("ndgc", names.into_iter()), ["ndcg"]);
        assert_eq!(nearest("bleu", names.into_iter()), Vec::<&str>::new());
    }
}
