//! Agreement on small data, computed by hand.

use super::*;

fn point(group: &str, score: f64, human: f64) -> Point {
    Point { score, human, group: Some(group.to_owned()), by: None }
}

/// Group a: ranks 1 2 3 against 1 3 2, Spearman 0.5. Group b: scores all the same.
/// Group c: one pair.
fn three_groups() -> Vec<Point> {
    vec![
        point("a", 1.0, 10.0),
        point("b", 4.0, 1.0),
        point("a", 2.0, 30.0),
        point("b", 4.0, 2.0),
        point("a", 3.0, 20.0),
        point("c", 9.0, 9.0),
    ]
}

#[test]
fn a_group_without_variation_counts_as_zero() {
    let found = measure(&three_groups(), &Options::default());
    let grouped = found.grouped.as_ref().unwrap();
    assert_eq!(grouped.mean.spearman.value, Some(0.25));
    assert_eq!((grouped.count, grouped.single), (2, 1));
    assert_eq!((grouped.constant_scores, grouped.constant_human), (1, 0));
    assert_eq!(found.correlations(), &grouped.mean);
}

#[test]
fn a_group_without_variation_can_be_left_out() {
    let options = Options { constant_groups: ConstantGroups::Skip, ..Options::default() };
    let found = measure(&three_groups(), &options);
    assert_eq!(found.correlations().spearman.value, Some(0.5));
}

#[test]
fn without_groups_all_pairs_count_as_one() {
    let points: Vec<Point> = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (4.0, 9.0)]
        .map(|(score, human)| Point { score, human, group: None, by: None })
        .into();
    let found = measure(&points, &Options::default());
    assert!(found.grouped.is_none());
    assert_eq!(found.correlations().kendall.value, Some(1.0));
    let spearman = &found.pooled.spearman;
    let (low, high) = (spearman.low.unwrap(), spearman.high.unwrap());
    assert!(low <= 1.0 && high <= 1.0 && high > 0.99, "{low} {high}");
}

#[test]
fn scores_that_never_vary_have_no_correlation_and_say_so() {
    let points: Vec<Point> =
        (0..4).map(|n| Point { score: 1.0, human: f64::from(n), group: None, by: None }).collect();
    let found = measure(&points, &Options::default());
    assert_eq!(found.pooled.pearson.value, None);
    assert!(found.pooled.pearson.because.is_some());
}

#[test]
fn binary_ratings_bring_an_area_and_a_threshold_makes_others_binary() {
    let points: Vec<Point> = (0..20_u8)
        .map(|n| Point {
            score: f64::from(n),
            human: if n < 10 { 2.0 } else { 5.0 },
            group: None,
            by: None,
        })
        .collect();
    assert!(measure(&points, &Options::default()).binary.is_none());
    let options = Options { threshold: Some(4.0), ..Options::default() };
    let binary = measure(&points, &options).binary.unwrap();
    assert_eq!((binary.good, binary.bad), (10, 10));
    assert_eq!(binary.auc.value, Some(1.0));
    assert_eq!(binary.cut, 10.0);
}

#[test]
fn systems_are_compared_by_their_means() {
    let points: Vec<Point> = [("x", 1.0, 1.0), ("y", 2.0, 3.0), ("z", 3.0, 2.0), ("x", 1.5, 1.0)]
        .map(|(by, score, human)| Point { score, human, group: None, by: Some(by.to_owned()) })
        .into();
    let found = measure(&points, &Options::default());
    let names: Vec<_> = found.by.iter().map(|one| (one.name.as_str(), one.n)).collect();
    assert_eq!(names, [("x", 2), ("y", 1), ("z", 1)]);
    assert_eq!(found.systems.unwrap().spearman.value, Some(0.5));
}

#[test]
fn equal_scores_share_a_bin_and_many_scores_are_put_together() {
    let few: Vec<Point> = [(1.0, 2.0), (1.0, 4.0), (7.0, 5.0)]
        .map(|(score, human)| Point { score, human, group: None, by: None })
        .into();
    let found = bins(&few, &Uncertainty::default());
    assert_eq!(
        found.iter().map(|bin| (bin.score, bin.human)).collect::<Vec<_>>(),
        [(1.0, 3.0), (7.0, 5.0)]
    );
    let many: Vec<Point> = (0..100_u8)
        .map(|n| Point { score: f64::from(n), human: 0.0, group: None, by: None })
        .collect();
    let counts: Vec<usize> = bins(&many, &Uncertainty::default()).iter().map(|bin| bin.n).collect();
    assert_eq!(counts, [10; 10]);
}

#[test]
fn intervals_from_fewer_than_five_groups_are_not_relied_on() {
    let said = "4 groups: intervals are not reliable";
    assert_eq!(few_groups(4).as_deref(), Some(said));
    assert_eq!(few_groups(1).as_deref(), Some("1 group: intervals are not reliable"));
    assert_eq!((few_groups(0), few_groups(5)), (None, None));
}
