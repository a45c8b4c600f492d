//! The sums of the specification, by hand.

use assize_methods::council::overall::overall;
use assize_methods::council::{Dimension, Mark, Profile, Review};

/// Accuracy, completeness, conciseness, clarity.
fn classic(marks: [f64; 4]) -> (f64, f64) {
    let dimensions = Dimension::ALL.into_iter().filter(|one| *one != Dimension::Relevance);
    let marks = dimensions.zip(marks).map(|(dimension, mark)| (dimension, Mark::plain(mark)));
    let review = Review { marks: marks.collect(), ..Review::default() };
    let profile = Profile::built_in("classic").unwrap();
    let found = overall::<f64>(&review, &profile).unwrap();
    assert_eq!(found.coverage, 1.0);
    (found.base, found.capped)
}

#[test]
fn the_examples_of_the_first_proposal_come_out_where_it_added_up() {
    assert_eq!(classic([9.0, 8.0, 7.0, 8.0]).0, 8.15);
    assert_eq!(classic([7.0, 9.0, 9.0, 8.0]).0, 8.10);
    assert_eq!(classic([6.0, 6.0, 5.0, 7.0]).0, 6.00);
    assert_eq!(classic([3.0, 9.0, 9.0, 9.0]), (6.90, 4.0));
}

#[test]
fn an_appropriate_refusal_is_not_marked_down_for_being_incomplete() {
    let marks = [
        (Dimension::Accuracy, 9.0),
        (Dimension::Relevance, 9.0),
        (Dimension::Completeness, 1.0),
        (Dimension::Conciseness, 9.0),
        (Dimension::Clarity, 9.0),
    ];
    let marks = marks.into_iter().map(|(dimension, mark)| (dimension, Mark::plain(mark))).collect();
    let mut review = Review { marks, ..Review::default() };
    // 0.8 x 9 + 0.2 x 1
    assert_eq!(overall::<f64>(&review, &Profile::default()).unwrap().base, 7.4);
    review.appropriate_refusal = true;
    let found = overall::<f64>(&review, &Profile::default()).unwrap();
    assert_eq!((found.base, found.coverage), (9.0, 1.0));
}

#[test]
fn a_mark_between_two_bands_belongs_to_the_lower() {
    let profile = Profile::default();
    let anchors = &profile.anchors[&Dimension::Accuracy];
    let band = |mark| anchors.of(mark).0;
    assert_eq!((band(4.5), band(5.0), band(8.99), band(9.0)), ("3-4", "5-6", "7-8", "9-10"));
    assert_eq!((band(1.0), band(2.9), band(10.0)), ("1-2", "1-2", "9-10"));
}

#[test]
fn weights_a_hair_above_one_never_leave_the_scale() {
    let moved = [(Dimension::Accuracy, 0.3509)].into();
    let profile = Profile::default().with_weights(&moved).unwrap();
    let marks = Dimension::ALL.into_iter().map(|dimension| (dimension, Mark::plain(10.0)));
    let review = Review { marks: marks.collect(), ..Review::default() };
    assert_eq!(overall::<f64>(&review, &profile).unwrap().base, 10.0);
}
